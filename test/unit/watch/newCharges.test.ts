import { newestOf } from '../../../nodes/InvoicingPaymentsTrigger/testEvent';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { orderOf } from '../../../nodes/InvoicingPaymentsTrigger/watch/order';
import { ok } from '../../../nodes/shared/result';
import { Draw } from '../../../simulator/draw';
import { drawn, runHistories, runHistory } from '../../helpers/lists/anyHistory';
import { expectCharges, isByAge } from '../../helpers/lists/expectCharges';
import type { HistoryOptions } from '../../helpers/lists/history';
import { minute } from '../../helpers/lists/history';
import type { Listed } from '../../helpers/lists/list';
import { numberOf, Watch } from '../../helpers/lists/watch';
import { someOf } from '../../helpers/someOf';

/**
 * New Charge finds each new charge once, whatever the service does: in random histories first, then with services that the histories
 * lack, such as refused deep pages and more charges of one moment than a page holds.
 */
const hour = 60 * minute;
const year = 365 * 24 * hour;

test(`[R6, T4, T5, T7] each charge comes once, from whatever list (${drawn})`, async () => {
	await runHistories('charges');
}, 2_400_000);

/** Histories that once failed. */
const named: Record<string, HistoryOptions> = {
	'if page 1 is always shorter': {
		...({ kind: 'charges', seed: -173451285, cap: 21, sizes: 'given', count: 'told' } as const),
		...({ rows: 'dropped', order: 'newestFirst', pastTheEnd: 'empty', start: 'all' } as const),
		...{ skew: -3 * minute, existing: 277, maxEntries: 1000 },
		...{ pageSize: 25, lookBack: hour, steps: 9, burst: 60, changes: 40, failures: 0 },
		...{ future: 0, hurry: 30, rollbacks: 0, granularity: 1, setBack: 0 },
	},
	'if known ones fill the pages before the oldest new one': {
		...({ kind: 'charges', seed: -909433819, cap: 4, sizes: 'given', count: 'zero' } as const),
		...({ order: 'newestFirst', pastTheEnd: 'notFound', start: 'since' } as const),
		...{ skew: 0, existing: 180, maxEntries: 3, pageSize: 5, lookBack: 5 * minute, steps: 15 },
		...{ burst: 60, changes: 40, failures: 0, future: 0, hurry: 30, rollbacks: 5 },
		...{ granularity: 1000, setBack: 0 },
	},
	'if a page that is read again has other results': {
		...({ kind: 'charges', seed: 10, cap: 13, sizes: 'ignored', count: 'capped' } as const),
		...({ order: 'oldestFirst', pastTheEnd: 'notFound', start: 'newOnly' } as const),
		...{ skew: 0, existing: 18, maxEntries: 3, pageSize: 100, lookBack: hour, steps: 6, burst: 60 },
		...{ changes: 0, failures: 0, future: 0, hurry: 100, rollbacks: 0 },
		...{ granularity: 1000, setBack: 0 },
	},
	'if the list only looks sorted, and a row that counts twice makes the count useless': {
		...({ kind: 'charges', seed: 14316887, cap: 28, sizes: 'given', count: 'told' } as const),
		...({ rows: 'twice', order: 'grouped', pastTheEnd: 'empty', start: 'since' } as const),
		...{ skew: 0, existing: 230, maxEntries: 1000, pageSize: 25, lookBack: hour, steps: 15 },
		...{ burst: 60, changes: 0, failures: 10, future: 0, hurry: 30, rollbacks: 0 },
		...{ granularity: 10 * minute, setBack: 0, isGrowing: true },
	},
	'if the page of the oldest new one is not where a list that only looks sorted has it': {
		...({ kind: 'charges', seed: 117338370, cap: 6, sizes: 'ignored', count: 'told' } as const),
		...({ order: 'grouped', pastTheEnd: 'empty', start: 'all' } as const),
		...{ skew: 3 * minute, existing: 182, maxEntries: 20, pageSize: 100, lookBack: 5 * minute },
		...{ steps: 11, burst: 1, changes: 0, failures: 10, future: 3, hurry: 30, rollbacks: 0 },
		...{ granularity: 1, setBack: 0, isGrowing: true },
	},
	'if forgotten ones fill the pages before the oldest new one': {
		...({ kind: 'charges', seed: -128106356, cap: 3, sizes: 'given', count: 'zero' } as const),
		...({ order: 'newestFirst', timestampTies: 'stable', pastTheEnd: 'notFound' } as const),
		...({ start: 'newOnly', skew: 0, existing: 63, maxEntries: 3, pageSize: 100 } as const),
		...{ lookBack: 5 * minute, steps: 9, burst: 60, changes: 40, failures: 0, future: 3 },
		...{ hurry: 0, rollbacks: 0, granularity: 50_000, setBack: 0 },
	},
	'if the clock of n8n is hours behind, and a poll has time for five requests': {
		...({
			kind: 'charges',
			seed: -2147483623,
			cap: 6,
			sizes: 'given',
			count: 'oneTooMany',
		} as const),
		...({ order: 'oldestFirst', pastTheEnd: 'notFound', start: 'newOnly' } as const),
		...{ skew: -3 * minute, existing: 66, maxEntries: 20, pageSize: 100, lookBack: 5 * minute },
		...{ steps: 9, burst: 5, changes: 10, failures: 0, future: 0, hurry: 100, rollbacks: 5 },
		...{ granularity: 1000, setBack: 10, atMost: 5 },
	},
	'if charges of one moment fill more pages than a poll has time for': {
		...({ kind: 'charges', seed: -16, cap: 4, sizes: 'given', count: 'told' } as const),
		...({ order: 'grouped', pastTheEnd: 'empty', start: 'since', isGrowing: true } as const),
		...{ skew: 0, existing: 63, maxEntries: 20, pageSize: 100, lookBack: hour, steps: 15 },
		...{ burst: 60, changes: 0, failures: 0, future: 0, hurry: 100, rollbacks: 5 },
		...{ granularity: 1, setBack: 0, atMost: 5 },
	},
	'if small pages overlap so much that a poll with twelve requests comes no further': {
		...({ kind: 'charges', seed: 165225365, cap: 17, sizes: 'given', count: 'missing' } as const),
		...({ order: 'newestFirst', pastTheEnd: 'empty', start: 'since' } as const),
		...{ skew: 3 * minute, existing: 86, maxEntries: 20, pageSize: 5, lookBack: 5 * minute },
		...{ steps: 10, burst: 60, changes: 0, failures: 10, future: 0, hurry: 100, rollbacks: 5 },
		...{ granularity: 1, setBack: 0, atMost: 12 },
	},
	'if one waits when a list that had no order begins to look sorted': {
		...({ kind: 'charges', seed: -1360244797, cap: 4, sizes: 'given', count: 'told' } as const),
		...({ order: 'grouped', pastTheEnd: 'notFound', start: 'all', isGrowing: true } as const),
		...{ skew: -3 * minute, existing: 13, maxEntries: 3, pageSize: 5, lookBack: 5 * minute },
		...{ steps: 15, burst: 1, changes: 0, failures: 0, future: 3, hurry: 30, rollbacks: 5 },
		...{ granularity: 1000, setBack: 0 },
	},
	'if a count that is one too high looks as if page sizes were ignored': {
		...({ kind: 'charges', seed: -1597559762, cap: 100, sizes: 'given' } as const),
		...({ count: 'oneTooMany', pastTheEnd: 'empty', order: 'oldestFirst' } as const),
		...({ start: 'newOnly', skew: 0, existing: 68, maxEntries: 20, pageSize: 25 } as const),
		...{ lookBack: hour, steps: 14, burst: 60, changes: 10, failures: 0, future: 0 },
		...{ hurry: 0, rollbacks: 0, granularity: 1, setBack: 10, atMost: 12 },
	},
	'if a request fails while pages of one moment are read again': {
		...({ kind: 'charges', seed: -87374554, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perPage', pastTheEnd: 'empty' } as const),
		...({ start: 'since', skew: -3 * minute, existing: 164, maxEntries: 1000 } as const),
		...{ pageSize: 25, lookBack: hour, steps: 7, burst: 60, changes: 0, failures: 10 },
		...{ future: 0, hurry: 0, rollbacks: 0, granularity: 1, setBack: 0 },
	},
	'if one leaves while pages of one moment are read again': {
		...({ kind: 'charges', seed: 1935095391, cap: 27, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perPage', pastTheEnd: 'empty' } as const),
		...({ start: 'since', skew: 0, existing: 175, maxEntries: 20, pageSize: 100 } as const),
		...{ lookBack: hour, steps: 7, burst: 60, changes: 40, failures: 0, future: 0, hurry: 0 },
		...{ rollbacks: 0, granularity: 1, setBack: 0 },
	},
	'if one comes while a list is read that hides another one of its moment': {
		...({ kind: 'charges', seed: 1161484790, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perPage', pastTheEnd: 'notFound' } as const),
		...({ start: 'newOnly', skew: 0, existing: 213, maxEntries: 1000, pageSize: 25 } as const),
		...{ lookBack: hour, steps: 15, burst: 60, changes: 40, failures: 0, future: 0 },
		...{ hurry: 100, rollbacks: 0, granularity: 10 * minute, setBack: 0 },
	},
	'if time runs out while pages of one moment are read again': {
		...({ kind: 'charges', seed: 1229949358, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perRequest', pastTheEnd: 'notFound' } as const),
		...({ start: 'newOnly', skew: -3 * minute, existing: 17, maxEntries: 20 } as const),
		...{ pageSize: 100, lookBack: hour, steps: 12, burst: 60, changes: 0, failures: 0 },
		...{ future: 0, hurry: 100, rollbacks: 5, granularity: 10 * minute, setBack: 10 },
	},
	'if a reading goes on at a page that shows others of its moment, and the count looks wrong': {
		...({ kind: 'charges', seed: 194212968, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
		...({ start: 'newOnly', skew: 0, existing: 14, maxEntries: 1000, pageSize: 100 } as const),
		...{ lookBack: hour, steps: 13, burst: 60, changes: 10, failures: 0, future: 0 },
		...{ hurry: 100, rollbacks: 0, granularity: 10 * minute, setBack: 0, keepsCount: true },
	},
	'if a reading goes on at a page that shows only known ones, and the count looks wrong': {
		...({ kind: 'charges', seed: 1342847460, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'newestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
		...({ start: 'all', skew: 0, existing: 250, maxEntries: 1000, pageSize: 100 } as const),
		...{ lookBack: hour, steps: 11, burst: 30, changes: 40, failures: 0, future: 0 },
		...{ hurry: 100, rollbacks: 5, granularity: 10 * minute, setBack: 0, keepsCount: true },
	},
	'if the first page of a poll shows one that a reading in parts does not, while another one leaves':
		{
			...({ kind: 'charges', seed: -600890390, cap: 100, sizes: 'given', count: 'told' } as const),
			...({ order: 'newestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
			...({ start: 'newOnly', skew: 0, existing: 85, maxEntries: 1000, pageSize: 100 } as const),
			...{ lookBack: hour, steps: 15, burst: 30, changes: 10, failures: 0, future: 0 },
			...{ hurry: 100, rollbacks: 0, granularity: 10 * minute, setBack: 0 },
		},
	'if new ones come while a reading in parts does not show an older one': {
		...({ kind: 'charges', seed: 1665578891, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
		...({ start: 'newOnly', skew: 0, existing: 226, maxEntries: 20, pageSize: 25 } as const),
		...{ lookBack: hour, steps: 10, burst: 30, changes: 40, failures: 10, future: 0 },
		...{ hurry: 100, rollbacks: 5, granularity: 10 * minute, setBack: 0 },
	},
	'if only a page that was read in vain shows the oldest new one': {
		...({ kind: 'charges', seed: -2147483619, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
		...({ start: 'newOnly', skew: 0, existing: 3, maxEntries: 20, pageSize: 100 } as const),
		...{ lookBack: hour, steps: 11, burst: 60, changes: 40, failures: 10, future: 0 },
		...{ hurry: 100, rollbacks: 0, granularity: 10 * minute, setBack: 0 },
	},
	'if one that waited was moved to a place that a reading in parts does not show again': {
		...({ kind: 'charges', seed: 1740165768, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perRequest', pastTheEnd: 'empty' } as const),
		...({ start: 'newOnly', skew: 0, existing: 246, maxEntries: 20, pageSize: 25 } as const),
		...{ lookBack: hour, steps: 16, burst: 60, changes: 40, failures: 0, future: 0 },
		...{ hurry: 100, rollbacks: 0, granularity: 10 * minute, setBack: 0 },
	},
	'if one has left since an earlier part of a reading, whose count then looks wrong': {
		...({ kind: 'charges', seed: 980072173, cap: 100, sizes: 'given', count: 'told' } as const),
		...({ order: 'oldestFirst', timestampTies: 'perPage', pastTheEnd: 'notFound' } as const),
		...({ start: 'all', skew: 0, existing: 180, maxEntries: 3, pageSize: 25 } as const),
		...{ lookBack: 5 * minute, steps: 9, burst: 60, changes: 40, failures: 10 },
		...{ future: 0, hurry: 30, rollbacks: 0, granularity: 50_000, setBack: 0 },
	},
};

test.each(Object.entries(named))('each charge comes once, %s', async (_, history) => {
	await runHistory(history);
});

const moments = (['perPage', 'perRequest'] as const).flatMap((timestampTies) =>
	(['newestFirst', 'oldestFirst'] as const).flatMap((order) =>
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
			const watch = Watch.charges(0, { timestampTies, order, granularity: 1000 }, 100);
			const { list } = watch;
			list.now -= ago;
			for (let made = 0; made < 600; made++) {
				if (made % perMoment === 0) list.now += 7 * minute;
				list.add();
			}
			list.now += ago;
			return watch;
		};

		test('delivers all existing charges', async () => {
			const watch = filled();
			const charges = await watch.drain();
			expectCharges(charges, watch.list.listed);
			expect(isByAge(charges)).toBe(true);
		});

		test('delivers all existing charges, though an earlier poll took the count for wrong', async () => {
			const watch = filled();
			watch.cursor = { ...watch.cursor, ignoresCount: true };
			expectCharges(await watch.drain(), watch.list.listed);
		});

		test('delivers only new charges, even 250 of one moment', async () => {
			const watch = filled();
			await watch.beginWithNew();
			expectCharges(await watch.drain(), []);
			const burst = watch.list.pay(250, 0);
			expectCharges(await watch.drain(), burst);
			const ids = watch.list.pay();
			expectCharges(await watch.drain(), ids);
		});
	},
);

describe.each([400, 500])('[T7] if the service refuses deep pages with status %i', (status) => {
	const depth = { most: 2000, status };

	test('newest first: delivers new charges, and shows the newest', async () => {
		const watch = Watch.charges(3000, { depth });
		await watch.beginWithNew();
		const ids = watch.list.pay();
		expectCharges(await watch.drain(), ids);
		const shown = await newestOf(watch.task, 10);
		expect(shown.map(({ id }) => id)).toEqual(watch.list.byAge.slice(-10));
	});

	test('newest first: delivers what it can read, and notes what it cannot', async () => {
		const watch = Watch.charges(3000, { depth }, 1200);
		expectCharges(await watch.drain(), watch.list.listed.slice(0, 2000));
		expect(watch.notes.join()).toMatch(/refuses to list charges beyond the first \d+ \(status/);
		const ids = watch.list.pay();
		expectCharges(await watch.drain(), ids);
	});

	test.each([
		['beginWithNew', 100],
		['beginWithNew', 7000],
		['drain', 100],
	] as const)(
		'oldest first: %s fails if a request takes %i ms, because it cannot read the newest',
		async (begin, latency) => {
			const watch = Watch.charges(3000, { depth, order: 'oldestFirst' });
			watch.list.latency = latency;
			watch.time = 36_000;
			await expect(watch[begin]()).rejects.toMatchObject({ failure: { status } });
		},
	);
});

test('does not take a truncated page for the end of the list', async () => {
	// If the service chooses the page size, a short page means nothing.
	const watch = Watch.charges(1000, { sizes: 'ignored', cap: 90 });
	await watch.beginWithNew();
	await watch.poll();
	const ids = watch.list.pay(250);
	const fetchPage = async (page: number, size?: number) => {
		const outcome = await watch.task.fetchPage(page, size);
		if (!outcome.ok || page !== 2) return outcome;
		const results = outcome.value.results.slice(0, 50);
		return ok({ ...outcome.value, results, next: null });
	};
	const broken = findNew({ ...watch.task, fetchPage }, watch.cursor);
	await expect(broken).rejects.toThrow('there should be 1250 results, but the pages end after 140');
	expect(await watch.pollIds()).toEqual(ids);
});

test('starts five minutes early if a slow list cannot be read for a week of Look Back', async () => {
	const watch = Watch.charges(20_000, { order: 'oldestFirst' });
	watch.lookBack = 7 * 24 * 60 * minute;
	watch.list.latency = 7000;
	watch.time = 36_000;
	await watch.beginWithNew();
	const ids = watch.list.pay(3);
	const delivered: string[] = [];
	for (let polls = 0; polls < 20; polls++) delivered.push(...(await watch.pollIds()));
	expect(delivered).toEqual(expect.arrayContaining(ids));
	// Before, there was one charge a minute.
	expect(delivered.length).toBeLessThanOrEqual(3 + 6);
});

test('[T5] delivers a charge that was listed late while another one left, when it looks for late ones', async () => {
	const watch = Watch.charges(3000);
	watch.lookBack = 20 * hour;
	await watch.beginWithNew();
	const { list } = watch;
	list.leave(list.listed[2000]);
	const late = list.add(12 * hour).id;
	const ids = list.pay();
	// With one that came and one that left, the count says no more than the new one does.
	expect(await watch.pollIds()).toEqual(ids);
	watch.interval = 6 * hour;
	expect(await watch.polls(2)).toEqual([late]);
});

test.each(['told', 'zero'] as const)(
	'[T5] loses none that stands elsewhere than its date says, in a backlog longer than Look Back, with the count %s',
	async (count) => {
		const watch = Watch.charges(3000, { count }, 100);
		watch.lookBack = 5 * minute;
		// One alone is no sign of how far the list is out of order.
		watch.shown = (charge) => {
			const number = numberOf(charge);
			if (number % 100 !== 50) return charge;
			return { ...charge, created: movedBy((number > 3000 ? -2 : -4) * minute, charge.created) };
		};
		await watch.drain();
		const ids = watch.list.pay(6000, 200);
		expectCharges(await watch.drain(), ids);
	},
);

test.each(['newestFirst', 'oldestFirst'] as const)(
	'[T6] remembers 10,000 charges of a backlog, and loses none of one moment: %s',
	async (order) => {
		const watch = Watch.charges(0, { order, granularity: 1000 }, 990);
		for (let made = 0; made < 13_000; made++) {
			if (made % 7 === 0) watch.list.now += minute;
			watch.list.add();
		}
		expectCharges(await watch.drain(), watch.list.listed);
		expect(watch.bytes).toBeLessThan(100_000);
	},
);

test('remembers no more charges of a list in pages of its own size than Look Back needs', async () => {
	const watch = Watch.charges(150, { sizes: 'ignored', cap: 50 });
	await watch.beginWithNew();
	const { bytes } = watch;
	for (let polls = 0; polls < 100; polls++) {
		const ids = watch.list.pay(1, 10 * minute);
		expect(await watch.pollIds()).toEqual(ids);
	}
	expect(watch.bytes).toBeLessThan(bytes);
});

const sum = (costs: number[]) => costs.reduce((all, one) => all + one, 0);
const movedBy = (ms: number, created: unknown) =>
	new Date(Date.parse(String(created)) + ms).toISOString();

/** Polls for an hour, with a new charge every three minutes. `costs`: requests of each poll. */
async function pollForAnHour(watch: Watch) {
	const ids: string[] = [];
	const delivered: string[] = [];
	const costs: number[] = [];
	for (let polls = 0; polls < 60; polls++) {
		if (polls % 3 === 0) ids.push(...watch.list.pay());
		delivered.push(...(await watch.pollIds()));
		costs.push(watch.requests);
	}
	for (let polls = 0; polls < 10; polls++) delivered.push(...(await watch.pollIds()));
	const lost = ids.filter((id) => !delivered.includes(id));
	const unexpected = delivered.filter((id) => !ids.includes(id));
	return { costs, lost, unexpected };
}

/** How a service shows a charge, by its number from 1 (oldest) to 20,000. */
const almostSorted: Record<string, (charge: Listed, number: number) => Listed> = {
	'one charge is 5 ms out of order': (charge, number) =>
		number === 19_950 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'every seventh charge is 5 ms out of order': (charge, number) =>
		number % 7 === 0 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'the newest charge has an old date': (charge, number) =>
		number === 20_000 ? { ...charge, created: '2020-01-01T00:00:00Z' } : charge,
	'dates are local times, and the clocks went back': (charge, number) => ({
		...charge,
		created: movedBy((number < 19_400 ? 2 : 1) * 60 * minute, charge.created).replace('Z', ''),
	}),
	'dates are days': (charge) => ({ ...charge, created: String(charge.created).slice(0, 10) }),
};

test.each(
	Object.entries(almostSorted).flatMap(([name, shown]) =>
		(['newestFirst', 'oldestFirst'] as const).map((order) => [name, order, shown] as const),
	),
)('[T4] delivers from an almost sorted list: %s (%s)', async (name, order, shown) => {
	const watch = Watch.charges(20_000, { order });
	watch.shown = (charge) => shown(charge, numberOf(charge));
	await watch.beginWithNew();
	const { costs, lost, unexpected } = await pollForAnHour(watch);
	expect({ lost, unexpected }).toEqual({ lost: [], unexpected: [] });
	// All charges of a day share one moment.
	const perPoll = name === 'dates are days' ? 5 : order === 'newestFirst' ? 1.1 : 4.2;
	expect(sum(costs)).toBeLessThanOrEqual(60 * perPoll);
});

test.each([10, 60, 120])(
	'[T5] loses nothing if every other response is %i seconds old',
	async (lag) => {
		const watch = Watch.charges(20_000);
		const { list } = watch;
		await watch.beginWithNew();
		const ids: string[] = [];
		const delivered: string[] = [];
		list.lagging = (request) => (request % 2 === 0 ? lag * 1000 : 0);
		for (let polls = 0; polls < 15; polls++) {
			ids.push(...watch.list.pay(120, 500));
			list.now -= minute;
			delivered.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThanOrEqual(100);
		}
		list.lagging = () => 0;
		for (let polls = 0; polls < 15; polls++) delivered.push(...(await watch.pollIds()));
		expect(ids.filter((id) => !delivered.includes(id))).toEqual([]);
		expect(new Set(delivered).size).toBe(delivered.length);
	},
);

/** A new charge before each poll. */
async function payAndPoll(watch: Watch, polls: number) {
	const ids: string[] = [];
	const delivered: string[] = [];
	for (let left = polls; left > 0; left--) {
		ids.push(...watch.list.pay());
		delivered.push(...(await watch.pollIds()));
	}
	delivered.push(...(await watch.drain()).map(({ id }) => String(id)));
	return { ids, delivered };
}

describe('[T7] New Charge starts although a row within Look Back is listed twice when the workflow is published', () => {
	test.each([
		['newestFirst', 3000],
		['oldestFirst', 3000],
		['newestFirst', 60],
		['none', 300],
	] as const)('%s, %i charges', async (order, count) => {
		const watch = Watch.charges(count, { order, rows: 'twice' });
		await watch.beginWithNew();
		expect(watch.isBegun).toBe(true);
		const { ids, delivered } = await payAndPoll(watch, 90);
		expect([...delivered].sort()).toEqual([...ids].sort());
		expect(new Set(watch.notes.filter((note) => /twice|too high/.test(note))).size).toBeLessThan(2);
	});
});

test('New Charge refuses 1,000,000 charges in no order when it is published', async () => {
	const watch = Watch.charges(1_000_000);
	const spread = (page: number) => ((page * 7919) % 10_000) + 1;
	const { fetchPage } = watch.list;
	Object.assign(watch.list, {
		fetchPage: async (page: number, size?: number) => await fetchPage(spread(page), size),
	});
	await expect(watch.beginWithNew()).rejects.toThrow(
		'The list has 1000000 charges; the trigger can watch up to 250,000. Narrow the filters',
	);
	expect(watch.list.requests).toBeLessThan(10);
});

describe.each([60, 3000, 10_000])('[T4] a list of %i charges that is grouped', (count) => {
	test.each([1, 10])('starts nothing for old charges, one every %i minutes', async (minutes) => {
		const watch = Watch.charges(0, { order: 'grouped' });
		watch.list.pay(count, minutes * minute);
		await watch.beginWithNew();
		const old = new Set(watch.list.listed);
		const { ids, delivered } = await payAndPoll(watch, 120);
		expect(delivered.filter((id) => old.has(id))).toEqual([]);
		expect([...delivered].sort()).toEqual([...ids].sort());
	});
});

test('[T4] starts nothing for old charges of a grouped list if the service becomes slow', async () => {
	const watch = Watch.charges(0, { order: 'grouped' });
	const { list } = watch;
	list.pay(10_000, minute);
	await watch.beginWithNew();
	const old = new Set(list.listed);
	Object.assign(watch, { time: 8000 });
	list.latency = 300;
	const { ids, delivered } = await payAndPoll(watch, 60);
	// A reading of the whole list takes several polls.
	delivered.push(...(await watch.polls(30)));
	expect(delivered.filter((id) => old.has(id))).toEqual([]);
	expect(ids.filter((id) => !delivered.includes(id))).toEqual([]);
});

test('[T7] says by how much the count of 251,000 charges is wrong, and not more in a backlog', async () => {
	const watch = Watch.charges(251_000, {}, 100);
	await watch.beginWithNew();
	const { fetchPage } = watch.list;
	watch.answers = async (page, size) => {
		const outcome = await fetchPage(page, size);
		if (!outcome.ok) return outcome;
		return ok({ ...outcome.value, count: Number(outcome.value.count) + 1 });
	};
	await watch.polls(2);
	for (let polls = 0; polls < 5; polls++) {
		watch.list.pay(300, 0);
		await watch.poll();
	}
	await watch.drain();
	expect(new Set(watch.notes)).toEqual(
		new Set(["The service's count is 1 too high, which is ignored."]),
	);
});

const newestFirst = (count: number, of = (at: number) => -at * hour) => Array.from({ length: count }, (_, at) => of(at)); // prettier-ignore

test('[T4] never takes a random list for sorted, however short', () => {
	const draw = new Draw(7, 'owner', 0);
	const shuffled = (count: number) => newestFirst(count, () => draw.int(0, 1e6) * minute);
	for (const count of [2, 5, 9, 12, 20, 26, 49, 100]) {
		const found = Array.from({ length: 1000 }, () => orderOf([shuffled(count)], hour).direction);
		expect([count, new Set(found)]).toEqual([count, new Set(['none'])]);
	}
});

test.each<[string, number[]]>([
	['ten charges', newestFirst(10)],
	['twenty charges, up to half an hour out of order', newestFirst(20, (at) => -at * hour + (at % 3) * 15 * minute)], // prettier-ignore
	['sixty charges, one out of order', [-100 * hour, ...newestFirst(60)]],
	['two hundred charges, dated by day', newestFirst(200, (at) => -Math.floor(at / 40) * 24 * hour)],
])('[T4] recognizes a sorted list: %s', (_what, moments) => {
	expect(orderOf([moments], hour).direction).toBe('newestFirst');
	expect(orderOf([[...moments].reverse()], hour).direction).toBe('oldestFirst');
});

test.each([
	['within Look Back, it says nothing', 30 * minute, false],
	['by more than Look Back, it says so', 72 * hour, true],
])('[T4] if a sorted list is out of order %s', async (_what, by, isSaid) => {
	const watch = Watch.charges(3000);
	await watch.beginWithNew();
	const ids = watch.list.pay(20, minute);
	const moved = ids.slice(5, 10);
	watch.shown = (one) =>
		moved.includes(String(one.id)) ? { ...one, created: movedBy(-by, one.created) } : one;
	// What is older than Look Back when it is first listed is not found.
	const expected = ids.filter((id) => !isSaid || !moved.includes(id));
	expect((await watch.pollIds()).sort()).toEqual(expected.sort());
	expect(watch.notes.some((note) => note.includes('no reliable order'))).toBe(isSaid);
});
