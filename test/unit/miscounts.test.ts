import type { FetchPage } from '../../nodes/shared/pagination/page';
import type { Charge } from '../helpers/lists/chargeModel';
import { ChargeWatch } from '../helpers/lists/chargeWatch';
import { EntryWatch } from '../helpers/lists/entryWatch';

/** Services with a row twice, a row too few, IDs in another case, hidden parts, or a list that only looks sorted. */
const minute = 60_000;
async function wholeOf(fetchPage: FetchPage): Promise<Charge[]> {
	const all: Charge[] = [];
	for (let page = 1; ; page++) {
		const outcome = await fetchPage(page, 100);
		if (!('page' in outcome)) return all;
		all.push(...outcome.page.results);
		if (!outcome.page.next) return all;
	}
}

/** A new charge before each poll. */
async function payAndPoll(watch: ChargeWatch, polls: number) {
	const ids: string[] = [];
	const delivered: string[] = [];
	for (let left = polls; left > 0; left--) {
		ids.push(...watch.pay());
		delivered.push(...(await watch.pollIds()));
	}
	delivered.push(...(await watch.drain()).map(({ id }) => String(id)));
	return { ids, delivered };
}

/** The same pages with another count. */
const counting =
	(fetchPage: FetchPage, count: number): FetchPage =>
	async (page, size) => {
		const outcome = await fetchPage(page, size);
		return 'page' in outcome ? { page: { ...outcome.page, count } } : outcome;
	};

describe('[T21] New Charge starts although a row within Look Back is listed twice when the workflow is published', () => {
	test.each([
		['newestFirst', 3000],
		['oldestFirst', 3000],
		['newestFirst', 60],
		['none', 300],
	] as const)('%s, %i charges', async (order, count) => {
		const watch = ChargeWatch.filled(count, { order, rows: 'twice' });
		await watch.beginWithNew();
		expect(watch.cursor.isBaseline).toBeUndefined();
		const { ids, delivered } = await payAndPoll(watch, 90);
		expect([...delivered].sort()).toEqual([...ids].sort());
		expect(new Set(watch.notes.filter((note) => /twice|too high/.test(note))).size).toBeLessThan(2);
	});
});

describe.each(['twice', 'dropped'] as const)('[T21] one of 600 invoices is %s', (rows) => {
	test('every new invoice comes with the next poll, and the log says once that the count is wrong', async () => {
		const watch = new EntryWatch(600, 'fixed', { rows });
		const notes: string[] = [];
		for (let polls = 0; polls < 4; polls++) notes.push(...(await watch.pollAll()).notes);
		for (let made = 0; made < 30; made++) {
			const ids = watch.pay();
			expect(await watch.poll()).toEqual(ids);
		}
		expect(
			notes.filter((note) => /count of invoices is always 1 too high/.test(note)),
		).toHaveLength(1);
	});
});

test.each([60, 3000])(
	'[T22] an ID whose case differs between replicas is the same: %i charges',
	async (count) => {
		const uuidOf = ({ id }: Charge) =>
			`c0ffee00-0000-4000-8000-${Number(String(id).split('-').pop()).toString(16).padStart(12, '0')}`;
		let requests = 0;
		const watch = ChargeWatch.filled(count);
		watch.shown = (charge) => {
			const id = uuidOf(charge);
			return { ...charge, id: requests % 2 ? id.toUpperCase() : id };
		};
		watch.model.beforeRequest = () => (requests += 1);
		await watch.beginWithNew();
		const delivered: string[] = [];
		for (let made = 0; made < 60; made++) {
			watch.pay();
			delivered.push(...(await watch.pollIds()).map((id) => id.toLowerCase()));
		}
		expect([delivered.length, new Set(delivered).size]).toEqual([60, 60]);
	},
);

test('[T14] a third of an unordered list that is hidden for 90 minutes starts nothing when it is back', async () => {
	const watch = new EntryWatch(1500);
	const { model } = watch;
	await watch.poll();
	await watch.poll();
	const delivered: string[] = [];
	const visible = (await wholeOf(model.fetchPage)).filter((_, at) => at % 3 > 0);
	const hidden: FetchPage = async (page, size = 100) => {
		const results = visible.slice((page - 1) * size, page * size);
		const next = page * size < visible.length ? 'more' : null;
		return { page: { count: visible.length, next, results } };
	};
	for (let polls = 0; polls < 90; polls++) delivered.push(...(await watch.poll(hidden)));
	for (let polls = 0; polls < 20; polls++) delivered.push(...(await watch.poll()));
	expect(delivered).toEqual([]);
	const ids = watch.pay();
	expect(await watch.poll()).toEqual(ids);
});

test('New Charge refuses 1,000,000 charges in no order when it is published', async () => {
	const watch = ChargeWatch.filled(1_000_000);
	const spread = (page: number) => ((page * 7919) % 10_000) + 1;
	const { fetchPage } = watch.model;
	Object.assign(watch.model, {
		fetchPage: async (page: number, size?: number) => await fetchPage(spread(page), size),
	});
	await expect(watch.beginWithNew()).rejects.toThrow(
		'The list has 1000000 charges; the trigger can watch up to 250,000. Narrow the filters',
	);
	expect(watch.model.requests).toBeLessThan(10);
});

describe.each([60, 3000, 10_000])('[T17] a list of %i charges that is grouped', (count) => {
	test.each([1, 10])('starts nothing for old charges, one every %i minutes', async (minutes) => {
		const watch = new ChargeWatch({ order: 'grouped' });
		watch.pay(count, minutes * minute);
		await watch.beginWithNew();
		const old = new Set(watch.model.listed);
		const { ids, delivered } = await payAndPoll(watch, 120);
		expect(delivered.filter((id) => old.has(id))).toEqual([]);
		expect([...delivered].sort()).toEqual([...ids].sort());
	});
});

test('[T7] a count that was wrong for a while is used again', async () => {
	const watch = new EntryWatch(1500);
	await watch.poll();
	const wrong = counting(watch.model.fetchPage, 100);
	for (let polls = 0; polls < 3; polls++) await watch.poll(wrong);
	for (let polls = 0; polls < 60; polls++) await watch.poll();
	const ids = watch.pay();
	expect(await watch.poll()).toEqual(ids);
});

test('[T7] works if the service counts all invoices, but lists those with the status', async () => {
	const watch = new EntryWatch(1230);
	const countsAll = counting(watch.model.fetchPage, 20_000);
	for (let polls = 0; polls < 5; polls++) expect(await watch.poll(countsAll)).toEqual([]);
	const ids = watch.pay();
	const delivered: string[] = [];
	for (let polls = 0; polls < 16; polls++) delivered.push(...(await watch.poll(countsAll)));
	expect(delivered).toEqual(ids);
});
