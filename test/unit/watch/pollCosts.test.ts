import { findBoundary } from '../../../nodes/InvoicingPaymentsTrigger/watch/boundary';
import { cursorFrom } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { maxListLength } from '../../../nodes/InvoicingPaymentsTrigger/watch/errors';
import type { ListPage } from '../../../nodes/InvoicingPaymentsTrigger/watch/poll';
import { fs, path, projectFolder } from '../../../tools/node';
import { minute } from '../../helpers/lists/history';
import { Watch } from '../../helpers/lists/watch';
import { testAtNight } from '../../helpers/someOf';

const guide = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');

/** The figures of the guide's table below a heading, without the first column. */
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

	/** A trigger that knows this many charges, after five idle polls that cost what they should. */
	const idle = async (count: number, requests: number) => {
		const watch = Watch.charges(count, { order });
		await watch.beginWithNew();
		for (let polls = 0; polls < 5; polls++) {
			expect(await watch.poll()).toEqual([]);
			expect(watch.requests).toBeLessThanOrEqual(requests);
		}
		return watch;
	};

	test('[R7] idle polls of 100 charges cost what the guide says', async () => {
		await idle(100, small);
	});

	test('idle polls of a list that was just too long to be read whole cost no more', async () => {
		await idle(3000, large);
	});

	test.each(order === 'newestFirst' ? (['told', 'missing'] as const) : (['told'] as const))(
		'idle polls of a busy list cost no more after charges have left, with the count %s',
		async (told) => {
			const watch = Watch.charges(3000, { order, count: told });
			// Thousands of charges lie within Look Back.
			watch.lookBack = 40 * 60 * minute;
			await watch.beginWithNew();
			for (let polls = 0; polls < 3; polls++) {
				expect(await watch.poll()).toEqual([]);
				expect(watch.requests).toBeLessThanOrEqual(large);
				watch.list.leave(watch.list.listed[1500]);
			}
		},
	);

	test('[R7] idle polls of 1,000,000 charges and a burst of 1,000 cost what the guide says', async () => {
		const watch = await idle(1_000_000, large);
		expect(watch.bytes).toBeLessThanOrEqual(bytes);
		const ids = watch.list.pay(1000, 1);
		expect(await watch.pollIds()).toEqual(ids);
		expect(watch.requests).toBeLessThanOrEqual(burst);
		expect(watch.bytes).toBeLessThanOrEqual(burstBytes);
		expect(await watch.poll()).toEqual([]);
	});

	test('a poll does not read all of a burst that takes ten polls, without a count', async () => {
		const watch = Watch.charges(3000, { order, count: 'missing' });
		await watch.beginWithNew();
		await watch.polls(2);
		const ids = watch.list.pay(10_000, 1);
		const pages = ids.length / 100;
		const found: string[] = [];
		for (let polls = 0; polls < 10; polls++) {
			found.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThan(pages);
		}
		expect(found).toEqual(ids);
	});

	test('a backlog goes on with the third poll after most of it has left', async () => {
		const watch = Watch.charges(3000, { order });
		await watch.beginWithNew();
		await watch.polls(2);
		const ids = watch.list.pay(10_000, 1);
		const found = await watch.polls(2);
		for (const id of ids.slice(3000)) watch.list.leave(id);
		found.push(...(await watch.polls(3)));
		expect(found).toEqual(ids.slice(0, 3000));
	});

	const deliverAll = async (count: number) => {
		const watch = Watch.charges(count, { order });
		const delivered: string[] = [];
		let requests = 0;
		for (let polls = 0; polls < count / 1000; polls++) {
			delivered.push(...(await watch.pollIds()));
			requests += watch.requests;
			expect(watch.bytes).toBeLessThan(120_000);
		}
		expect(delivered).toEqual(watch.list.byAge);
		return requests;
	};

	test('delivers a backlog of 5,000 oldest first, at a bounded cost', async () => {
		// Each poll reads the first page, finds the oldest new charge, and reads twelve pages that overlap.
		expect((await deliverAll(5000)) / 5).toBeLessThanOrEqual(23);
	});

	testAtNight('delivers 100,000 existing charges at the cost that the guide says', async () => {
		expect(await deliverAll(100_000)).toBeLessThanOrEqual(all);
	});

	test('searches for the charges since a date instead of reading the whole list', async () => {
		const watch = Watch.charges(100_000, { order });
		watch.cursor = cursorFrom(watch.list.now - 2500 * minute);
		const delivered: string[] = [];
		let requests = 0;
		for (let polls = 0; polls < 5; polls++) {
			delivered.push(...(await watch.pollIds()));
			requests += watch.requests;
		}
		expect(delivered).toEqual(watch.list.byAge.slice(-2500));
		expect(requests).toBeLessThan(100);
	});

	test('delivers a backlog in small steps if the service is slow', async () => {
		const watch = Watch.charges(2000, { order });
		watch.list.latency = 7000;
		watch.time = 36_000;
		const delivered: string[] = [];
		const most = order === 'newestFirst' ? 48 : 74;
		for (let polls = 0; polls < most && delivered.length < 2000; polls++) {
			delivered.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThanOrEqual(5);
		}
		expect(delivered).toEqual(watch.list.byAge);
	});

	test('loses nothing if charges disappear between two pages of a backlog', async () => {
		const watch = Watch.charges(2000, { order });
		const { list } = watch;
		const delivered = new Set<string>();
		// One disappears at the front and one appears at the back, so the count stays the same.
		list.beforeRequest = () => {
			list.leave(list.listed[0]);
			list.add(order === 'newestFirst' ? 10_000 * minute : 0);
		};
		for (let polls = 0; polls < 12; polls++) {
			if (polls === 7) list.beforeRequest = () => {};
			for (const id of await watch.pollIds()) delivered.add(id);
		}
		const old = list.listed.filter((id) => Number(id.split('-').pop()) <= 2000);
		expect(old.filter((id) => !delivered.has(id))).toEqual([]);
	});
});

test('delivers nothing twice if there are more charges within Look Back than it can remember', async () => {
	const watch = Watch.charges(1000);
	await watch.beginWithNew();
	const delivered: string[] = [];
	for (let polls = 0; polls < 20; polls++) {
		watch.list.pay(700, 0);
		delivered.push(...(await watch.pollIds()));
		expect(watch.bytes).toBeLessThan(92_000);
	}
	expect([new Set(delivered).size, delivered.length]).toEqual([14_000, 14_000]);
	expect(watch.notes[0]).toContain('late ones are only looked for');
});

test('[T6] delivers thousands of charges of the same moment exactly once', async () => {
	const watch = Watch.charges(500, { granularity: 24 * 60 * minute });
	watch.list.pay(1000, 0);
	await watch.beginWithNew();
	const ids = watch.list.pay(2000, 0);
	const delivered = (await watch.drain()).map(({ id }) => String(id));
	expect([new Set(delivered).size, delivered.length]).toEqual([ids.length, ids.length]);
});

/** Pays an invoice at this place of the list, from 0 (start) to 1. */
function payAt(watch: Watch, place: number): string[] {
	// The model draws the place at random.
	const draw = jest.spyOn(watch.list, 'draw').mockReturnValue(Math.floor(place * 0x7fffffff));
	const ids = watch.list.pay();
	draw.mockRestore();
	return ids;
}

// The lengths in the table of the guide.
test.each([
	[100, 0],
	[2000, 1],
	[20_000, 2],
])('[R7] polls of a list of %i invoices cost what the guide says', async (count, column) => {
	const watch = Watch.invoices(count);
	const costs: number[] = [];
	const poll = async () => {
		const ids = await watch.pollIds();
		costs.push(watch.requests);
		return ids;
	};
	await poll();
	expect(await poll()).toEqual([]);
	for (const place of [0, 0.31]) {
		const ids = payAt(watch, place);
		expect(await poll()).toEqual(ids);
	}
	await watch.poll();
	expect(watch.requests).toBeLessThanOrEqual(count > 500 ? 1 : Math.ceil((count + 2) / 100));
	watch.list.now += 15 * minute;
	await poll();
	const stated = figuresIn('### Other events').map((row) => row[column]);
	for (const [at, cost] of [...costs, watch.bytes].entries())
		expect(cost).toBeLessThanOrEqual(stated[at]);
});

test.each([2, 3000, 9999])('finds page %i between two bounds by halves', async (wanted) => {
	let requests = 0;
	const peek = async (number: number) => {
		requests += 1;
		return await Promise.resolve({ number } as ListPage);
	};
	const isBefore = ({ number }: ListPage) => number < wanted;
	const list = { peek, budget: { left: 100 } };
	const { bracket } = await findBoundary(list, isBefore, { low: 1, high: 10_000 });
	expect(bracket).toEqual({ low: wanted - 1, high: wanted });
	// 2 to the power of 14 is more than 10,000.
	expect(requests).toBeLessThanOrEqual(14);
});

test('a burst of invoices all over a list costs less than reading the whole list', async () => {
	const watch = Watch.invoices(4000);
	await watch.polls(2);
	const ids = watch.list.pay(25);
	expect((await watch.pollIds()).sort()).toEqual(ids.sort());
	expect(watch.requests).toBeLessThan(30);
	expect(await watch.poll()).toEqual([]);
});

test('a burst all over a list of a slow service takes no longer than a poll may', async () => {
	const watch = Watch.invoices(4000);
	await watch.polls(2);
	watch.list.latency = 3000;
	watch.time = 36_000;
	watch.list.pay(25);
	await watch.poll();
	expect(watch.requests).toBeLessThanOrEqual(12);
});

testAtNight('watches a list of the greatest length, and refuses a longer one', async () => {
	const watch = Watch.invoices(maxListLength);
	// No poll makes more than 300 requests.
	await watch.polls(20);
	expect(watch.requests).toBeLessThanOrEqual(1);
	expect(watch.bytes).toBeLessThan(9 * maxListLength);
	watch.list.pay();
	await expect(watch.poll()).rejects.toThrow(
		'The list has 250001 invoices; the trigger can watch up to 250,000. Narrow the filters',
	);
});
