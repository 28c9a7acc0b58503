import { creationTimeOf } from '../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { newestOf } from '../../nodes/InvoicingPaymentsTrigger/testEvent';
import type { Charge } from '../helpers/lists/chargeModel';
import { ChargeWatch } from '../helpers/lists/chargeWatch';
import { expectOnce } from '../helpers/expectOnce';
import { someOf } from '../helpers/someOf';

/**
 * Services that the random histories (newCharges.test.ts) lack: refused deep pages, more charges of one moment than a page holds,
 * other formats of `created`, charges without an ID.
 */
const minute = 60_000;
const year = 365 * 24 * 60 * minute;
const orders = ['newestFirst', 'oldestFirst', 'none'] as const;

const expectCharges = (charges: Charge[], ids: string[]) =>
	expectOnce(
		charges.map(({ id }) => String(id)),
		ids,
	);

/** 12 for `charge-1-12`. */
const numberOf = ({ id }: Charge) => Number(String(id).split('-').pop());

const isByAge = (charges: Charge[]) =>
	charges.every(
		(charge, at) =>
			at === 0 || (creationTimeOf(charges[at - 1]) ?? 0) <= (creationTimeOf(charge) ?? 0),
	);

const moments = (['perPage', 'perRequest'] as const).flatMap((timestampTies) =>
	orders.slice(0, 2).flatMap((order) =>
		[20, 25, 49, 300].flatMap((perMoment) => [
			{ timestampTies, order, perMoment, ago: 5 * minute },
			{ timestampTies, order, perMoment, ago: 3 * year },
		]),
	),
);

describe.each(someOf(moments))(
	'[T6] $perMoment charges per moment, shuffled $timestampTies, $order, the newest $ago ms old',
	({ timestampTies, order, perMoment, ago }) => {
		const filled = () => {
			const watch = new ChargeWatch({ timestampTies, order, granularity: 1000 }, 100);
			const { model } = watch;
			model.now -= ago;
			for (let made = 0; made < 600; made++) {
				if (made % perMoment === 0) model.now += 7 * minute;
				model.add();
			}
			model.now += ago;
			return watch;
		};

		test('delivers all existing charges', async () => {
			const watch = filled();
			const charges = await watch.drain();
			expectCharges(charges, watch.model.listed);
			expect(isByAge(charges)).toBe(true);
		});

		test('delivers only new charges, even 250 of one moment', async () => {
			const watch = filled();
			await watch.beginWithNew();
			expectCharges(await watch.drain(), []);
			const burst = watch.pay(250, 0);
			expectCharges(await watch.drain(), burst);
			const ids = watch.pay();
			expectCharges(await watch.drain(), ids);
		});
	},
);

describe.each([400, 500])('[T7] if the service refuses deep pages with status %i', (status) => {
	const depth = { most: 2000, status };

	test('newest first: delivers new charges, and shows the newest', async () => {
		const watch = ChargeWatch.filled(3000, { depth });
		await watch.beginWithNew();
		const ids = watch.pay();
		expectCharges(await watch.drain(), ids);
		const shown = await newestOf(watch.task, 10);
		expect(shown.map(({ id }) => id)).toEqual(watch.byAge.slice(-10));
	});

	test('newest first: delivers what it can read, and notes what it cannot', async () => {
		const watch = ChargeWatch.filled(3000, { depth }, 1200);
		expectCharges(await watch.drain(), watch.model.listed.slice(0, 2000));
		expect(watch.notes.join()).toMatch(/refuses to list charges beyond the first \d+ \(status/);
		const ids = watch.pay();
		expectCharges(await watch.drain(), ids);
	});

	test.each(['beginWithNew', 'drain'] as const)(
		'oldest first: %s fails, because it cannot read the newest',
		async (begin) => {
			const watch = ChargeWatch.filled(3000, { depth, order: 'oldestFirst' });
			await expect(watch[begin]()).rejects.toMatchObject({ failure: { status } });
		},
	);
});

/** The local time of a moment, this many minutes ahead of UTC. */
const inZone = (created: string, ahead: number) =>
	new Date(Date.parse(created) + ahead * minute).toISOString().replace(/\.\d+Z/, '');

/** Other formats of a moment such as 2026-06-01T09:00:05.120Z. */
const formats: Array<[string, (created: string) => string]> = [
	['basic', (created) => created.replace(/[-:]|\.\d+/g, '')],
	['with an offset', (created) => `${inZone(created, 120)}+02:00`],
	['with nanoseconds', (created) => created.replace('T', ' ').replace('Z', '456789Z')],
	['with a comma', (created) => created.replace(/\.(\d)\d+Z/, ',$1Z')],
	['without an offset', (created) => created.replace('Z', '')],
	['basic with an offset', (created) => `${inZone(created, -210).replace(/[-:]/g, '')}-0330`],
];
const inFormat = (toFormat: (created: string) => string) => (charge: Charge) => ({
	...charge,
	created: toFormat(String(charge.created)),
});

describe.each(someOf(orders))('[T8] other formats of created, listed %s', (order) => {
	// Whole seconds, so no format loses precision.
	const watched = (before: number) => ChargeWatch.filled(before, { order, granularity: 1000 }, 100);

	test('delivers mixed formats once each, in order of time', async () => {
		const watch = watched(40);
		watch.shown = (charge) => inFormat(formats[numberOf(charge) % formats.length][1])(charge);
		await watch.beginWithNew();
		const ids = watch.pay(12);
		expect(await watch.pollIds()).toEqual(ids);
		expectCharges(await watch.drain(), []);
	});

	test.each(formats)('delivers all existing charges if dates are %s', async (_, toFormat) => {
		const watch = watched(190);
		watch.shown = inFormat(toFormat);
		const charges = await watch.drain();
		expectCharges(charges, watch.model.listed);
		expect(isByAge(charges)).toBe(true);
	});

	test('delivers nothing if only the format changes', async () => {
		const watch = watched(40);
		await watch.beginWithNew();
		const ids = watch.pay();
		expect(await watch.pollIds()).toEqual(ids);
		for (const [, toFormat] of formats) {
			watch.shown = inFormat(toFormat);
			expect(await watch.pollIds()).toEqual([]);
		}
	});

	test('delivers nothing if a delivered charge gets a later date', async () => {
		const watch = watched(40);
		await watch.beginWithNew();
		const [id, other] = watch.pay(2);
		expect(await watch.pollIds()).toEqual([id, other]);
		watch.model.remove(id);
		const [later] = watch.pay();
		watch.shown = (charge) => (charge.id === later ? { ...charge, id } : charge);
		// Meanwhile, polls look for late charges.
		for (let looks = 0; looks < 3; looks++) {
			expectCharges(await watch.drain(), []);
			watch.model.now += 10 * minute;
		}
		const last = watch.pay();
		expectCharges(await watch.drain(), last);
	});
});

describe.each(someOf(orders))('[T6] charges without an ID, listed %s', (order) => {
	const withoutIds = [undefined, '', {}, null].flatMap((id) => [
		{ id, hasReference: false },
		{ id, hasReference: true },
	]);

	test.each(withoutIds)('delivers each once: %j', async ({ id, hasReference }) => {
		const watch = ChargeWatch.filled(30, { order });
		await watch.beginWithNew();
		watch.shown = (charge) => {
			const number = numberOf(charge);
			if (number <= 30) return charge;
			return { ...charge, id, note: charge.id, ...(hasReference && { reference_id: number }) };
		};
		for (let rounds = 0; rounds < 2; rounds++) {
			const ids = watch.pay(3);
			expect((await watch.drain()).map(({ note }) => note)).toEqual(ids);
		}
	});
});

test('delivers a new charge without a date from a sorted list', async () => {
	const watch = ChargeWatch.filled(1000, { undatedEvery: 1001 });
	await watch.beginWithNew();
	await watch.poll();
	const ids = watch.pay();
	expect(await watch.pollIds()).toEqual(ids);
	expect(await watch.pollIds()).toEqual([]);
});

test('does not take a truncated page for the end of the list', async () => {
	// If the service chooses the page size, a short page means nothing.
	const watch = ChargeWatch.filled(1000, { sizes: 'ignored', cap: 90 });
	await watch.beginWithNew();
	await watch.poll();
	const ids = watch.pay(250);
	const fetchPage = async (page: number, size?: number) => {
		const outcome = await watch.task.fetchPage(page, size);
		if (!('page' in outcome) || page !== 2) return outcome;
		const results = outcome.page.results.slice(0, 50);
		return { page: { ...outcome.page, results, next: null } };
	};
	const broken = findNew({ ...watch.task, fetchPage }, watch.cursor);
	await expect(broken).rejects.toThrow('there should be 1250 results, but the pages end after 140');
	expect(await watch.pollIds()).toEqual(ids);
});

test('starts five minutes early if a slow list cannot be read for a week of Look Back', async () => {
	const watch = ChargeWatch.filled(20_000, { order: 'oldestFirst' });
	watch.lookBack = 7 * 24 * 60 * minute;
	watch.model.latency = 7000;
	watch.time = 36_000;
	await watch.beginWithNew();
	const ids = watch.pay(3);
	const delivered: string[] = [];
	for (let polls = 0; polls < 20; polls++) delivered.push(...(await watch.pollIds()));
	expect(delivered.slice(-3)).toEqual(ids);
	// Before, there was one charge a minute.
	expect(delivered.length).toBeLessThanOrEqual(3 + 6);
});
