import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/newCharges/cursor';
import { cursorFrom } from '../../nodes/InvoicingPaymentsTrigger/newCharges/cursor';
import { findNewCharges, takeBaseline } from '../../nodes/InvoicingPaymentsTrigger/newCharges/poll';
import { fs, path, projectFolder } from '../../tools/node';
import type { ListOrder } from '../helpers/chargeModel';
import { ChargeModel } from '../helpers/chargeModel';

const service = (order: ListOrder, change: object = {}) =>
	new ChargeModel({
		seed: 1,
		order,
		cap: 100,
		sizes: 'given',
		count: 'told',
		pastTheEnd: 'empty',
		granularity: 1,
		skew: 0,
		undatedEvery: 0,
		...change,
	});

const taskOf = (model: ChargeModel, change: object = {}, time = 240_000) => ({
	fetchPage: model.fetchPage,
	settings: { maxCharges: 1000, lookBack: 3_600_000, pageSize: 100, ...change },
	now: () => model.now,
	until: model.now + time,
});

/** Requests and charges of one poll a minute later. */
async function pollOnce(model: ChargeModel, cursor: Cursor, change: object = {}, time?: number) {
	model.now += 60_000;
	model.requests = 0;
	const found = await findNewCharges(taskOf(model, change, time), cursor);
	return { ...found, requests: model.requests };
}

const fill = (model: ChargeModel, count: number) => {
	model.fill(count, 60_000);
};

describe.each([
	['newestFirst', 1],
	['oldestFirst', 2],
] as const)('%s', (order, idle) => {
	test.each([100, 1_000_000])(
		`[R7] an idle poll costs ${idle} of %i charges at most`,
		async (count) => {
			const model = service(order);
			fill(model, count);
			let { cursor } = await takeBaseline(taskOf(model));
			for (let polls = 0; polls < 5; polls++) {
				const found = await pollOnce(model, cursor);
				expect(found.charges).toEqual([]);
				expect(found.requests).toBeLessThanOrEqual(idle);
				cursor = found.cursor;
			}
			expect(JSON.stringify(cursor).length).toBeLessThan(2000);
		},
	);

	test('a burst of 1,000 costs little more than its pages', async () => {
		const model = service(order);
		fill(model, 100_000);
		const { cursor } = await takeBaseline(taskOf(model));
		for (let left = 1000; left > 0; left--) model.add();
		const { charges, requests, cursor: next } = await pollOnce(model, cursor);
		expect(charges).toHaveLength(1000);
		// Its pages, a search in a thousand pages from both sides, and the first page.
		expect(requests).toBeLessThanOrEqual(10 + 2 * Math.log2(1000) + 3);
		expect(JSON.stringify(next).length).toBeLessThan(20_000);
		expect((await pollOnce(model, next)).charges).toEqual([]);
	});

	test('a backlog of 40,000 is delivered oldest first, at a bounded cost', async () => {
		const model = service(order);
		fill(model, 40_000);
		let cursor = cursorFrom(null);
		const ids: unknown[] = [];
		let requests = 0;
		for (let polls = 0; polls < 40; polls++) {
			const found = await pollOnce(model, cursor);
			ids.push(...found.charges.map(({ id }) => id));
			requests += found.requests;
			cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
			expect(JSON.stringify(cursor).length).toBeLessThan(40_000);
		}
		const listed = order === 'newestFirst' ? model.listed.reverse() : model.listed;
		expect(ids).toEqual(listed);
		// The first page, and twelve that overlap; the first poll gets to know the order and finds the boundary.
		expect(requests / 40).toBeLessThanOrEqual(14.5);
	});

	test.each([
		['0', () => 0],
		['too low', (place: number) => Math.max(0, place - 950)],
		['too high', (place: number) => place + 150],
		['far too high', (place: number) => place + 3000],
		['beyond the list', () => 1_000_000],
	])('a place that is %s costs requests and no charge', async (_, wrong) => {
		const model = service(order);
		fill(model, 12_000);
		let cursor = cursorFrom(null);
		const ids: unknown[] = [];
		for (let polls = 0; polls < 40 && ids.length < 12_000; polls++) {
			const found = await pollOnce(model, cursor);
			ids.push(...found.charges.map(({ id }) => id));
			const { backlog } = found.cursor;
			if (backlog?.place !== undefined) backlog.place = wrong(backlog.place);
			cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		}
		expect(ids).toEqual(order === 'newestFirst' ? model.listed.reverse() : model.listed);
	});

	test('charges since a moment cost a search and their pages, not the list', async () => {
		const model = service(order);
		fill(model, 1_000_000);
		// What was made within the last 2,500 minutes.
		let cursor = cursorFrom(model.now - 2500 * 60_000);
		const ids: unknown[] = [];
		let requests = 0;
		for (let polls = 0; polls < 5; polls++) {
			const found = await pollOnce(model, cursor);
			ids.push(...found.charges.map(({ id }) => id));
			requests += found.requests;
			cursor = found.cursor;
		}
		const listed = order === 'newestFirst' ? model.listed.reverse() : model.listed;
		expect(ids).toEqual(listed.slice(-2500));
		expect(requests).toBeLessThan(100);
	});

	test('a slow service gets through a backlog in small steps', async () => {
		const model = service(order);
		fill(model, 5000);
		model.latency = 7000;
		let cursor = cursorFrom(null);
		const ids: unknown[] = [];
		for (let polls = 0; polls < 200 && ids.length < 5000; polls++) {
			const found = await pollOnce(model, cursor, {}, 36_000);
			expect(found.requests).toBeLessThanOrEqual(5);
			ids.push(...found.charges.map(({ id }) => id));
			cursor = found.cursor;
		}
		expect(ids).toEqual(order === 'newestFirst' ? model.listed.reverse() : model.listed);
	});

	test('a removal between two pages of a backlog loses nothing', async () => {
		const model = service(order);
		fill(model, 5000);
		let cursor = cursorFrom(null);
		const ids = new Set<unknown>();
		// One goes at the front and one comes at the back, so that the count stays what it was.
		model.beforeRequest = () => {
			model.remove(model.listed[0]);
			model.add(order === 'newestFirst' ? 10_000 * 60_000 : 0);
		};
		for (let polls = 0; polls < 15; polls++) {
			const found = await pollOnce(model, cursor);
			found.charges.forEach(({ id }) => ids.add(id));
			cursor = found.cursor;
		}
		model.beforeRequest = () => {};
		for (let polls = 0; polls < 5; polls++) {
			const found = await pollOnce(model, cursor);
			found.charges.forEach(({ id }) => ids.add(id));
			cursor = found.cursor;
		}
		const old = model.listed.filter((id) => Number(id.split('-').pop()) <= 5000);
		expect(old.filter((id) => !ids.has(id))).toEqual([]);
	});
});

test('where thousands come within the look-back the oldest are forgotten, and nothing comes twice', async () => {
	const model = service('newestFirst');
	fill(model, 1000);
	let { cursor } = await takeBaseline(taskOf(model));
	const ids: unknown[] = [];
	const notes: string[] = [];
	for (let minute = 0; minute < 60; minute++) {
		for (let left = 100; left > 0; left--) model.add();
		const found = await pollOnce(model, cursor);
		ids.push(...found.charges.map(({ id }) => id));
		notes.push(...found.notes);
		cursor = found.cursor;
		expect(JSON.stringify(cursor).length).toBeLessThan(40_000);
	}
	expect(new Set(ids).size).toBe(6000);
	expect(ids).toHaveLength(6000);
	expect(notes[0]).toContain('late ones are only looked for');
});

test('[T6] thousands of charges of the same moment come once each', async () => {
	const model = service('newestFirst', { granularity: 24 * 3_600_000 });
	fill(model, 1000);
	for (let left = 2500; left > 0; left--) model.add();
	let { cursor } = await takeBaseline(taskOf(model));
	for (let left = 3000; left > 0; left--) model.add();
	const ids: unknown[] = [];
	for (let polls = 0; polls < 6; polls++) {
		const found = await pollOnce(model, cursor);
		ids.push(...found.charges.map(({ id }) => id));
		cursor = found.cursor;
	}
	expect([new Set(ids).size, ids.length]).toEqual([3000, 3000]);
});

test('where the order is trusted, what does not say when it was made is new', async () => {
	const model = service('newestFirst', { undatedEvery: 1001 });
	fill(model, 1000);
	let { cursor } = await pollOnce(model, cursorFrom(model.now - 30_000));
	const { id } = model.add();
	const found = await pollOnce(model, cursor);
	expect(found.charges.map((charge) => charge.id)).toEqual([id]);
	cursor = found.cursor;
	expect((await pollOnce(model, cursor)).charges).toEqual([]);
});

test('a later page that breaks off is not taken for the end of the list', async () => {
	// Where the service decides on the size of pages, that a page is short says nothing.
	const model = service('newestFirst', { sizes: 'ignored', cap: 90 });
	fill(model, 1000);
	const { cursor } = await pollOnce(model, (await takeBaseline(taskOf(model))).cursor);
	const ids = Array.from({ length: 250 }, () => {
		model.now += 1000;
		return model.add().id;
	});
	const fetchPage = async (page: number, size?: number) => {
		const outcome = await model.fetchPage(page, size);
		if (!('page' in outcome) || page !== 2) return outcome;
		const results = outcome.page.results.slice(0, 50);
		return { page: { ...outcome.page, results, next: null } };
	};
	const broken = findNewCharges({ ...taskOf(model), fetchPage }, cursor);
	await expect(broken).rejects.toThrow('There should be 1250 charges, but the pages end after 140');
	const found = await pollOnce(model, cursor);
	expect(found.charges.map(({ id }) => id)).toEqual(ids);
});

/** What All Existing costs, in polls of at most 1,000 charges. */
async function requestsOfAll(order: ListOrder, count: number): Promise<number> {
	const model = service(order);
	fill(model, count);
	let cursor = cursorFrom(null);
	let requests = 0;
	for (let polls = 0; polls < count / 1000; polls++) {
		const found = await pollOnce(model, cursor);
		expect(found.charges).toHaveLength(1000);
		requests += found.requests;
		({ cursor } = found);
	}
	return requests;
}

/** What the table of the guide says, measured: a column for each order. */
async function costsOf(order: ListOrder): Promise<number[]> {
	const idle = async (count: number) => {
		const model = service(order);
		fill(model, count);
		const { cursor } = await takeBaseline(taskOf(model));
		return { model, ...(await pollOnce(model, cursor)) };
	};
	const small = await idle(100);
	const large = await idle(1_000_000);
	for (let left = 1000; left > 0; left--) {
		large.model.now += 1;
		large.model.add();
	}
	const burst = await pollOnce(large.model, large.cursor);
	expect(burst.charges).toHaveLength(1000);
	const bytes = ({ cursor }: { cursor: Cursor }) => JSON.stringify(cursor).length;
	const all = await requestsOfAll(order, 100_000);
	return [small.requests, large.requests, burst.requests, all, bytes(large), bytes(burst)];
}

test('the guide tells what polls cost', async () => {
	const guide = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');
	const [table] = guide.split('## What a poll costs')[1].split('## ');
	const told = [...table.matchAll(/^\|.*\| *(\d+) *\| *(\d+) *\|$/gm)].map(([, a, b]) => [
		Number(a),
		Number(b),
	]);
	const newestFirst = await costsOf('newestFirst');
	const oldestFirst = await costsOf('oldestFirst');
	expect(told).toEqual(newestFirst.map((cost, row) => [cost, oldestFirst[row]]));
});
