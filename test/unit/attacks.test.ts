import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { FetchPage } from '../../nodes/shared/pagination/page';
import type { Charge } from '../helpers/chargeModel';
import { ChargeWatch } from '../helpers/chargeWatch';
import { EntryModel } from '../helpers/entryModel';

/** Services that lost charges once, or made every later poll read the whole list. */
const minute = 60_000;
const sum = (costs: number[]) => costs.reduce((all, one) => all + one, 0);
const numberOf = ({ id }: Charge) => Number(String(id).split('-').pop());
const movedBy = (ms: number, created: unknown) =>
	new Date(Date.parse(String(created)) + ms).toISOString();

/** An hour of polls, a charge with every third; what they cost, and which charges did not come, or came and are not new. */
async function hourOf(watch: ChargeWatch) {
	const ids: string[] = [];
	const delivered: string[] = [];
	const costs: number[] = [];
	for (let polls = 0; polls < 60; polls++) {
		if (polls % 3 === 0) ids.push(...watch.pay());
		delivered.push(...(await watch.pollIds()));
		costs.push(watch.requests);
	}
	for (let polls = 0; polls < 10; polls++) delivered.push(...(await watch.pollIds()));
	const lost = ids.filter((id) => !delivered.includes(id));
	const strange = delivered.filter((id) => !ids.includes(id));
	return { costs, lost, strange };
}

/** How a service shows one of its charges, or some, by their number in the list of 20,000. */
const almostSorted: Record<string, (charge: Charge, number: number) => Charge> = {
	'one neighbour 5 ms out of order': (charge, number) =>
		number === 19_950 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'every seventh 5 ms out of order': (charge, number) =>
		number % 7 === 0 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'one without a date': (charge, number) =>
		number === 19_950 ? { ...charge, created: undefined } : charge,
	'one with a date in other words': (charge, number) =>
		number === 19_950 ? { ...charge, created: 'yesterday' } : charge,
	'one with an old date at the newest end': (charge, number) =>
		number === 20_000 ? { ...charge, created: '2020-01-01T00:00:00Z' } : charge,
	'local time, an hour of which comes twice': (charge, number) => ({
		...charge,
		created: movedBy((number < 19_400 ? 2 : 1) * 60 * minute, charge.created).replace('Z', ''),
	}),
	'days without a time': (charge) => ({ ...charge, created: String(charge.created).slice(0, 10) }),
};

test.each(
	Object.entries(almostSorted).flatMap(([name, shown]) =>
		(['newestFirst', 'oldestFirst'] as const).map((order) => [name, order, shown] as const),
	),
)('[T4] %s, %s: sorted all the same', async (name, order, shown) => {
	const watch = ChargeWatch.filled(20_000, { order });
	watch.shown = (charge) => shown(charge, numberOf(charge));
	await watch.beginWithNew();
	const { costs, lost, strange } = await hourOf(watch);
	expect({ lost, strange }).toEqual({ lost: [], strange: [] });
	// Of a day, all that were made on it are at the same moment.
	const perPoll = name.startsWith('days') ? 5 : order === 'newestFirst' ? 1.1 : 4.2;
	expect(sum(costs)).toBeLessThanOrEqual(60 * perPoll);
});

test.each([60, 3000, 10_000])('[T17] a grouped list of %i loses nothing', async (count) => {
	const watch = new ChargeWatch({ order: 'grouped' });
	for (let left = count; left > 0; left--) {
		watch.model.now += minute;
		watch.model.add();
	}
	await watch.beginWithNew();
	expect(await hourOf(watch)).toMatchObject({ lost: [] });
});

test.each([10, 60, 120])(
	'[T5] every other answer is %i seconds old, two new a second',
	async (lag) => {
		const watch = ChargeWatch.filled(20_000);
		const { model } = watch;
		await watch.beginWithNew();
		const ids: string[] = [];
		const delivered: string[] = [];
		model.lagging = (request) => (request % 2 === 0 ? lag * 1000 : 0);
		for (let polls = 0; polls < 30; polls++) {
			ids.push(...watch.pay(120, 500));
			model.now -= minute;
			delivered.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThanOrEqual(100);
		}
		model.lagging = () => 0;
		for (let polls = 0; polls < 30; polls++) delivered.push(...(await watch.pollIds()));
		expect(ids.filter((id) => !delivered.includes(id))).toEqual([]);
		expect(new Set(delivered).size).toBe(delivered.length);
	},
);

/** A trigger that watches invoices, all of which are in its list. */
async function watchInvoices(count: number, order: 'fixed' | 'newest', answer?: FetchPage) {
	const model = new EntryModel({
		...({ seed: 1, order, cap: 100, sizes: 'given' } as const),
		...({ count: 'told', pastTheEnd: 'empty', filter: 'exact' } as const),
	});
	model.latency = 1;
	for (let left = count; left > 0; left--) model.enter(model.add());
	let cursor: Cursor = freshCursor(true);
	const poll = async () => {
		const task = {
			fetchPage: answer ?? model.fetchPage,
			isEntry: () => true,
			noun: 'invoices',
			settings: { maxEntries: 1000, pageSize: 100, lookBack: 0 },
			concurrency: 5,
			now: () => model.now,
			until: model.now + 4 * minute,
			interval: minute,
		};
		const found = await findNew(task, cursor);
		cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		model.now += minute;
		return found.entries.map(({ id }) => String(id));
	};
	return { model, poll };
}

test('[T12] one comes and one leaves each minute, in a list of 2,000', async () => {
	const { model, poll } = await watchInvoices(2000, 'fixed');
	await poll();
	const ids: string[] = [];
	const delivered: string[] = [];
	model.requests = 0;
	for (let polls = 0; polls < 60; polls++) {
		model.leave(model.any(true) ?? '');
		ids.push(model.add());
		model.enter(ids[polls]);
		delivered.push(...(await poll()));
	}
	expect(model.requests / 60).toBeLessThanOrEqual(4);
	for (let polls = 0; polls < 16; polls++) delivered.push(...(await poll()));
	expect(ids.filter((id) => model.isIn(id) && !delivered.includes(id))).toEqual([]);
});

test.each([1000, 2000])(
	'[T7] the last page of %i, which is full, says that more follow',
	async (count) => {
		const { model, poll } = await watchInvoices(count, 'newest', async (page, size = 100) => {
			const outcome = await model.fetchPage(page, size);
			if (!('page' in outcome) || outcome.page.results.length < size) return outcome;
			return { page: { ...outcome.page, next: 'more' } };
		});
		await poll();
		const id = model.add();
		model.enter(id);
		expect(await poll()).toEqual([id]);
	},
);
