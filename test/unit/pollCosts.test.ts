import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { cursorFrom, freshCursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { maxListLength } from '../../nodes/InvoicingPaymentsTrigger/watch/errors';
import { fullReadInterval } from '../../nodes/InvoicingPaymentsTrigger/watch/checkFirstPage';
import { fs, path, projectFolder } from '../../tools/node';
import { ChargeWatch } from '../helpers/chargeWatch';
import { EntryModel } from '../helpers/entryModel';
import { testAtNight } from '../helpers/someOf';

const minute = 60_000;
const guide = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');

/** The rows of the guide's table in a section, without their first cells. */
function figuresIn(heading: string): number[][] {
	const [section] = guide.split(heading)[1].split('\n#');
	const rows = [...section.matchAll(/^\| (?:Requests|Bytes)[^|]*\| (.+) \|$/gm)];
	return rows.map(([, cells]) => cells.split(' | ').map((cell) => Number(cell.replace(/,/g, ''))));
}

describe.each([
	['newestFirst', 0],
	['oldestFirst', 1],
] as const)('charges listed %s', (order, column) => {
	const [small, large, burst, all, bytes, burstBytes] = figuresIn('## What a poll costs').map(
		(row) => row[column],
	);

	/** A trigger that knows so many charges, after five polls that found nothing and cost this much at most. */
	const idle = async (count: number, requests: number) => {
		const watch = ChargeWatch.filled(count, { order });
		await watch.beginWithNew();
		for (let polls = 0; polls < 5; polls++) {
			expect(await watch.poll()).toEqual([]);
			if (polls === 0) expect(watch.requests).toBe(requests);
			expect(watch.requests).toBeLessThanOrEqual(requests);
		}
		return watch;
	};

	test('[R7] idle polls of 100 charges cost what the guide says', async () => {
		await idle(100, small);
	});

	test('[R7] idle polls of 1,000,000, and a burst of 1,000, cost what the guide says', async () => {
		const watch = await idle(1_000_000, large);
		expect(watch.bytes).toBe(bytes);
		const ids = watch.pay(1000, 1);
		expect(await watch.pollIds()).toEqual(ids);
		expect([watch.requests, watch.bytes]).toEqual([burst, burstBytes]);
		expect(await watch.poll()).toEqual([]);
	});

	const deliverAll = async (count: number) => {
		const watch = ChargeWatch.filled(count, { order });
		const delivered: string[] = [];
		let requests = 0;
		for (let polls = 0; polls < count / 1000; polls++) {
			delivered.push(...(await watch.pollIds()));
			requests += watch.requests;
			expect(watch.bytes).toBeLessThan(120_000);
		}
		expect(delivered).toEqual(watch.byAge);
		return requests;
	};

	test('a backlog of 5,000 is delivered oldest first, at a bounded cost', async () => {
		// The first page, and twelve that overlap; the first poll gets to know the order and finds the boundary.
		expect((await deliverAll(5000)) / 5).toBeLessThanOrEqual(19);
	});

	testAtNight('100,000 existing charges cost what the guide says', async () => {
		expect(await deliverAll(100_000)).toBe(all);
	});

	test('charges since a moment cost a search and their pages, not the list', async () => {
		const watch = ChargeWatch.filled(100_000, { order });
		watch.cursor = cursorFrom(watch.model.now - 2500 * minute);
		const delivered: string[] = [];
		let requests = 0;
		for (let polls = 0; polls < 5; polls++) {
			delivered.push(...(await watch.pollIds()));
			requests += watch.requests;
		}
		expect(delivered).toEqual(watch.byAge.slice(-2500));
		expect(requests).toBeLessThan(100);
	});

	test('a slow service gets through a backlog in small steps', async () => {
		const watch = ChargeWatch.filled(2000, { order });
		watch.model.latency = 7000;
		watch.time = 36_000;
		const delivered: string[] = [];
		for (let polls = 0; polls < 80 && delivered.length < 2000; polls++) {
			delivered.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThanOrEqual(5);
		}
		expect(delivered).toEqual(watch.byAge);
	});

	test('a removal between two pages of a backlog loses nothing', async () => {
		const watch = ChargeWatch.filled(2000, { order });
		const { model } = watch;
		const delivered = new Set<string>();
		// One goes at the front and one comes at the back, so that the count stays what it was.
		model.beforeRequest = () => {
			model.remove(model.listed[0]);
			model.add(order === 'newestFirst' ? 10_000 * minute : 0);
		};
		for (let polls = 0; polls < 12; polls++) {
			if (polls === 7) model.beforeRequest = () => {};
			for (const id of await watch.pollIds()) delivered.add(id);
		}
		const old = model.listed.filter((id) => Number(id.split('-').pop()) <= 2000);
		expect(old.filter((id) => !delivered.has(id))).toEqual([]);
	});
});

test('where thousands come within the look-back the oldest are forgotten, and nothing comes twice', async () => {
	const watch = ChargeWatch.filled(1000);
	await watch.beginWithNew();
	const delivered: string[] = [];
	for (let polls = 0; polls < 40; polls++) {
		watch.pay(700, 0);
		delivered.push(...(await watch.pollIds()));
		expect(watch.bytes).toBeLessThan(90_000);
	}
	expect([new Set(delivered).size, delivered.length]).toEqual([28_000, 28_000]);
	expect(watch.notes[0]).toContain('late ones are only looked for');
});

test('[T6] thousands of charges of the same moment come once each', async () => {
	const watch = ChargeWatch.filled(500, { granularity: 24 * 60 * minute });
	watch.pay(1000, 0);
	await watch.beginWithNew();
	const ids = watch.pay(2000, 0);
	const delivered = (await watch.drain()).map(({ id }) => String(id));
	expect([new Set(delivered).size, delivered.length]).toEqual([ids.length, ids.length]);
});

/** A list of so many invoices, in an order that says nothing, and a trigger that knows them. */
async function watchedInvoices(count: number) {
	const model = new EntryModel({
		...({ seed: 1, order: 'fixed', cap: 100, sizes: 'given' } as const),
		...({ count: 'told', pastTheEnd: 'empty', filter: 'exact' } as const),
	});
	model.latency = 1;
	for (let left = count; left > 0; left--) model.enter(model.add());
	let cursor: Cursor = freshCursor(true);
	const poll = async () => {
		model.requests = 0;
		const task = {
			fetchPage: model.fetchPage,
			isEntry: ({ status }: Record<string, unknown>) => status === 'paid',
			noun: 'invoices',
			settings: { maxEntries: 1000, pageSize: 100, lookBack: 0 },
			concurrency: 5,
			now: () => model.now,
			until: model.now + 4 * minute,
		};
		const found = await findNew(task, cursor);
		cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		model.now += minute;
		return { ids: found.entries.map(({ id }) => id), requests: model.requests };
	};
	const publishing = await poll();
	return { model, poll, publishing, bytes: () => JSON.stringify(cursor).length };
}

/** An invoice is paid that lies in this part of the list. `place`: from 0, the beginning, to 1. */
function payAt(model: EntryModel, place: number): string {
	// The model draws where in the list an invoice lies.
	const draw = jest.spyOn(model, 'draw').mockReturnValue(Math.floor(place * 0x7fffffff));
	const id = model.add();
	draw.mockRestore();
	model.enter(id);
	return id;
}

/** Lists as long as the table of the guide has them. */
test.each([
	[100, 0],
	[2000, 1],
	[20_000, 2],
])('[R7] the guide says what polls of a list of %i invoices cost', async (count, column) => {
	const { model, poll, publishing, bytes } = await watchedInvoices(count);
	const idle = await poll();
	expect(idle.ids).toEqual([]);
	const costs = [publishing, idle];
	for (const place of [0, 0.31]) {
		const id = payAt(model, place);
		const found = await poll();
		expect(found.ids).toEqual([id]);
		costs.push(found);
	}
	expect((await poll()).requests).toBe(count > 500 ? 1 : Math.ceil((count + 2) / 100));
	model.now += fullReadInterval;
	costs.push(await poll());
	const measured = [...costs.map(({ requests }) => requests), bytes()];
	expect(measured).toEqual(figuresIn('### Other events').map((row) => row[column]));
});

testAtNight('a list of the greatest length is watched, a longer one is told', async () => {
	const { poll, model, bytes } = await watchedInvoices(maxListLength);
	// No poll makes more than 300 requests.
	for (let polls = 0; polls < 20 && (await poll()).requests > 1; polls++);
	expect((await poll()).requests).toBe(1);
	expect(bytes()).toBeLessThan(9 * maxListLength);
	model.enter(model.add());
	await expect(poll()).rejects.toThrow(
		'The list has 250001 invoices; the trigger can watch up to 250,000. Narrow the filters',
	);
});
