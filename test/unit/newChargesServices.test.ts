import type { Charge } from '../../nodes/InvoicingPaymentsTrigger/newCharges/charge';
import { timeOf } from '../../nodes/InvoicingPaymentsTrigger/newCharges/charge';
import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/newCharges/cursor';
import { cursorFrom } from '../../nodes/InvoicingPaymentsTrigger/newCharges/cursor';
import {
	findNewCharges,
	newestCharges,
	takeBaseline,
} from '../../nodes/InvoicingPaymentsTrigger/newCharges/poll';
import type { ModelOptions } from '../helpers/chargeModel';
import { ChargeModel } from '../helpers/chargeModel';
import { someOf } from '../helpers/someOf';
import { expectOnce } from '../helpers/expectOnce';

/** The core of the trigger and services of every kind; a few of each kind are tried in n8n's PollContext as well. */
const minute = 60_000;
const sorted = ['newestFirst', 'oldestFirst'] as const;
/** A poll that delivers nothing may only have searched: so many in a row are the end. */
const leastSilence = 3;

/** A trigger and the service that it polls. */
class Watch {
	readonly model: ChargeModel;
	readonly notes: string[] = [];
	private cursor: Cursor = cursorFrom(null);

	constructor(
		options: Partial<ModelOptions>,
		private readonly maxCharges = 1000,
	) {
		const plain = { cap: 100, sizes: 'given', count: 'told', pastTheEnd: 'empty' } as const;
		this.model = new ChargeModel({
			...plain,
			seed: 1,
			order: 'newestFirst',
			granularity: 1,
			skew: 0,
			undatedEvery: 0,
			...options,
		});
	}

	get task() {
		const { model, maxCharges } = this;
		const settings = { maxCharges, lookBack: 60 * minute, pageSize: 100 };
		const now = () => model.now;
		return { fetchPage: model.fetchPage, settings, now, until: model.now + 240_000 };
	}

	/** What is there counts as known. */
	async beginWithNew(): Promise<void> {
		this.keep(await takeBaseline(this.task));
	}

	async poll(): Promise<Charge[]> {
		this.model.now += minute;
		const found = await findNewCharges(this.task, this.cursor);
		this.keep(found);
		return found.charges;
	}

	/** What polls deliver until nothing more comes. */
	async drain(most = 80): Promise<Charge[]> {
		const charges: Charge[] = [];
		for (let polls = 0, silence = 0; silence < leastSilence; polls++) {
			if (polls === most) throw new Error(`Charges still come after ${most} polls`);
			const found = await this.poll();
			silence = found.length ? 0 : silence + 1;
			for (const charge of found) charges.push(charge);
		}
		return charges;
	}

	/** Charges that are made a second later than whatever was before. */
	pay(count = 1): string[] {
		return Array.from({ length: count }, () => {
			this.model.now += 1000;
			return this.model.add().id;
		});
	}

	private keep({ cursor, notes }: { cursor: Cursor; notes: string[] }): void {
		this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
		this.notes.push(...notes);
	}
}

const expectCharges = (charges: Charge[], ids: string[]) =>
	expectOnce(
		charges.map(({ id }) => String(id)),
		ids,
	);

const isByAge = (charges: Charge[]) =>
	charges.every(
		(charge, at) => at === 0 || (timeOf(charges[at - 1]) ?? 0) <= (timeOf(charge) ?? 0),
	);

const counts = ['told', 'pageLength', 'zero', 'capped', 'oneTooMany', 'missing'] as const;
const orders = ['newestFirst', 'oldestFirst', 'none'] as const;
// Each order with two of the counts: 3 divides 18, so the pairs are shifted from row to row.
const countsAndOrders = counts.flatMap((count, row) =>
	orders.map((_, at) => ({ count, order: orders[(at + row) % 3] })),
);

describe.each(someOf(countsAndOrders))(
	'a count that is $count, listed $order',
	({ count, order }) => {
		test.each([0, 30, 700])('only new charges, %i before', async (before) => {
			const watch = new Watch({ count, order });
			watch.model.fill(before, minute);
			await watch.beginWithNew();
			expectCharges(await watch.drain(), []);
			for (let rounds = 0; rounds < 3; rounds++) {
				const ids = watch.pay(3);
				expectCharges(await watch.drain(), ids);
			}
		});

		test.each([
			[30, 20],
			[700, 200],
		])('all of %i, %i at a time', async (before, most) => {
			const watch = new Watch({ count, order }, most);
			watch.model.fill(before, minute);
			expectCharges(await watch.drain(), watch.model.listed);
			const ids = watch.pay();
			expectCharges(await watch.drain(), ids);
		});
	},
);

const moments = (['perPage', 'perRequest'] as const).flatMap((equals) =>
	sorted.flatMap((order) => [20, 25, 49, 300].map((perMoment) => ({ equals, order, perMoment }))),
);

describe.each(someOf(moments))(
	'equal moments drawn $equals, $order, $perMoment of each',
	({ equals, order, perMoment }) => {
		const filled = (maxCharges: number, ago: number) => {
			const watch = new Watch({ equals, order, granularity: 1000 }, maxCharges);
			const { model } = watch;
			const most = perMoment > 100 ? 600 : 1000;
			model.now -= ago;
			for (let made = 0; made < most; made++) {
				if (made % perMoment === 0) model.now += 7 * minute;
				model.add();
			}
			model.now += ago;
			return watch;
		};

		test.each([
			[100, 'minutes', 5 * minute],
			[1000, 'years', 3 * 365 * 24 * 60 * minute],
		])('all existing, %i at a time, the newest %s old', async (most, _, ago) => {
			const watch = filled(most, ago);
			const charges = await watch.drain();
			expectCharges(charges, watch.model.listed);
			expect(isByAge(charges)).toBe(true);
		});

		test.each([
			['minutes', 5 * minute],
			['years', 3 * 365 * 24 * 60 * minute],
		])('only new, then 250 of one moment, the newest before them %s old', async (_, ago) => {
			const watch = filled(100, ago);
			await watch.beginWithNew();
			expectCharges(await watch.drain(), []);
			const burst = Array.from({ length: 250 }, () => watch.model.add().id);
			expectCharges(await watch.drain(), burst);
			const ids = watch.pay();
			expectCharges(await watch.drain(), ids);
		});
	},
);

describe.each([400, 500])('deep pages are refused with status %i', (status) => {
	const depth = { most: 10_000, status };

	test('newest first: new charges come, and the newest can be shown', async () => {
		const watch = new Watch({ depth });
		watch.model.fill(15_000, minute);
		await watch.beginWithNew();
		const ids = watch.pay();
		expectCharges(await watch.drain(), ids);
		const shown = await newestCharges(watch.task, 10);
		expect(shown.map(({ id }) => id)).toEqual(watch.model.listed.slice(0, 10).reverse());
	});

	test('newest first: all that can be read, and a note says what cannot', async () => {
		const watch = new Watch({ depth }, 5000);
		watch.model.fill(15_000, minute);
		expectCharges(await watch.drain(), watch.model.listed.slice(0, 10_000));
		expect(watch.notes.join()).toMatch(/refuses to list charges beyond the first \d+ \(status/);
		const ids = watch.pay();
		expectCharges(await watch.drain(), ids);
	});

	test.each([
		['only new charges', true],
		['all charges', false],
	])('oldest first, where the newest cannot be read: %s fails', async (_, isOnlyNew) => {
		const watch = new Watch({ depth, order: 'oldestFirst' }, 5000);
		watch.model.fill(15_000, minute);
		const begun = isOnlyNew ? watch.beginWithNew() : watch.drain();
		await expect(begun).rejects.toMatchObject({ failure: { status } });
	});
});
