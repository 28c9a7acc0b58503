import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { FetchPage, Page, PageOutcome } from '../../nodes/shared/pagination/page';
import { entryTask } from '../helpers/lists/entryWatch';

/** Lists that the random histories (listEntries.test.ts) lack. */
const minute = 60_000;
const idsFrom = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A list that the test writes, and a trigger that watches it. The test moves time on. */
class Watched {
	ids: string[];
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Duration of a request, in milliseconds. */
	latency = 10;
	/** How long a poll may take, in milliseconds. */
	time = 240_000;
	interval = minute;
	count: (real: number) => number | undefined = (real) => real;
	/** Changes a response. `size`: length of a full page. */
	answer: (page: Page, number: number, size: number) => PageOutcome = (page) => ({ page });
	/** Page size, if the service chooses it. */
	ownSize: number | undefined;
	isPaid: (id: string) => boolean = () => true;
	cursor: Cursor = freshCursor(true);

	constructor(count: number) {
		this.ids = idsFrom('old', count);
	}

	/** One poll, and then the rest of the minute. Gives the delivered IDs. */
	async poll(): Promise<string[]> {
		const begin = this.now;
		const found = await findNew(entryTask(this, this.time, this.interval), this.cursor);
		this.cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		this.now = Math.max(this.now, begin + this.interval);
		return found.entries.map(({ id }) => String(id));
	}

	readonly fetchPage: FetchPage = async (number, size) => {
		this.requests += 1;
		this.now += this.latency;
		const length = this.ownSize ?? size ?? 100;
		const end = number * length;
		const page = {
			count: this.count(this.ids.length),
			next: end < this.ids.length ? 'more' : null,
			results: this.ids
				.slice(end - length, end)
				.map((id) => ({ id, status: this.isPaid(id) ? 'paid' : 'unpaid' })),
		};
		return this.answer(page, number, length);
	};

	async polls(count: number): Promise<string[]> {
		const all: string[] = [];
		for (let left = count; left > 0; left--) all.push(...(await this.poll()));
		return all;
	}

	/** Polls until the first reading is complete. Gives the number of polls. */
	async begin(most = 50, between: () => void = () => {}): Promise<number> {
		for (let polls = 1; polls <= most; polls++) {
			await this.poll();
			if (!this.cursor.isBaseline) return polls;
			between();
		}
		throw new Error('The first reading does not end');
	}

	/** A new invoice is delivered within this many polls, and nothing else. */
	async expectNext(polls = 2): Promise<void> {
		this.ids.push('new');
		expect(await this.polls(polls)).toEqual(['new']);
	}
}

async function begun(count: number, change: Partial<Watched> = {}) {
	const list = Object.assign(new Watched(count), change);
	await list.begin();
	return list;
}

describe('[T14] if a list disappears by mistake, it delivers nothing twice', () => {
	test('when the list comes back little by little', async () => {
		const list = await begun(400);
		const all = list.ids;
		list.ids = [];
		await list.polls(20);
		for (let shown = 40; shown <= 400; shown += 40) {
			list.ids = all.slice(0, shown);
			expect(await list.poll()).toEqual([]);
		}
	});

	test('when the list fills with new invoices first', async () => {
		const list = await begun(40);
		const old = list.ids;
		list.ids = [];
		await list.polls(30);
		const fresh = idsFrom('new', 41);
		list.ids = fresh;
		expect((await list.poll()).length).toBe(41);
		list.ids = [...fresh, ...old];
		expect(await list.polls(3)).toEqual([]);
	});

	test('when the list is empty for one poll after the API key changed', async () => {
		const list = await begun(300);
		const all = list.ids;
		list.cursor = { ...freshCursor(true), before: list.cursor.known };
		list.ids = [];
		await list.begin();
		list.ids = all;
		expect(await list.polls(3)).toEqual([]);
	});

	test.each([
		['is empty during the first reading', 1, 0],
		['has no count and ends in the middle', 5, undefined],
	])('when the list %s for one request', async (_, at, count) => {
		const list = new Watched(1000);
		list.count = count === undefined ? () => undefined : list.count;
		let isOver = false;
		list.answer = (page, number) => {
			if (isOver || number !== at) return { page };
			isOver = true;
			return { page: { count, next: null, results: [] } };
		};
		await list.begin();
		expect(await list.polls(3)).toEqual([]);
	});
});

describe('a slow service', () => {
	test('has its list read to the end although changed invoices move to the start', async () => {
		const list = Object.assign(new Watched(20_000), { latency: 200, time: 36_000 });
		const change = () => list.ids.unshift(...list.ids.splice(20, 1));
		expect(await list.begin(50, change)).toBeLessThan(10);
		list.ids.splice(19_000, 0, 'deep');
		const found: string[] = [];
		for (let polls = 0; polls < 20 && !found.includes('deep'); polls++) {
			change();
			found.push(...(await list.poll()));
		}
		expect(found).toEqual(['deep']);
	});

	test('has its list read to the end although it keeps growing', async () => {
		const list = Object.assign(new Watched(20_000), { latency: 500, time: 36_000 });
		let made = 0;
		const grow = () => list.ids.unshift(`new${(made += 1)}`);
		expect(await list.begin(50, grow)).toBeLessThan(20);
	});

	test('that chooses the page size: invoices that left are forgotten after a day', async () => {
		const list = await begun(600, { ownSize: 20, latency: 5000, time: 36_000 });
		const [gone] = list.ids.splice(300, 1);
		list.interval = 20 * minute;
		await list.polls(6 * 26);
		list.ids.splice(100, 0, gone);
		expect(await list.polls(12)).toEqual([gone]);
	});
});

test.each([3, 200])('ignores a count of 300,000 for a list of %i', async (length) => {
	await (await begun(length, { count: () => 300_000 })).expectNext();
});

test('fails if the list is longer than the trigger can watch', async () => {
	await expect(new Watched(250_001).begin()).rejects.toThrow(
		'The list has 250001 invoices; the trigger can watch up to 250,000. Narrow the filters',
	);
});

test.each([
	[{ kind: 'network', code: 'ECONNRESET' }, { failure: { kind: 'network' } }],
	[{ kind: 'status', status: 503 }, { failure: { status: 503 } }],
	[{ kind: 'status', status: 400 }, { message: expect.stringContaining('has 300000 invoices') }],
] as const)(
	'if the page that would check the count fails with %j, says so',
	async (given, error) => {
		const list = Object.assign(new Watched(200), { count: () => 300_000 });
		list.answer = (page, number) =>
			number > 2 ? { failure: { ...given, method: 'GET', path: '/v1/invoices' } } : { page };
		await expect(list.poll()).rejects.toMatchObject(error);
	},
);

test('warns once of a long list, even if it is read twice', async () => {
	const list = Object.assign(new Watched(210_000), { ownSize: 9000, count: () => undefined });
	const { notes } = await findNew(entryTask(list), list.cursor);
	expect(list.requests).toBeGreaterThan(40);
	expect(notes).toEqual([expect.stringContaining('more than 200,000 invoices')]);
});

test('makes one request if the list has no count and few matching invoices', async () => {
	const isPaid = (id: string) => id.endsWith('00');
	const list = await begun(10_000, { isPaid, count: () => undefined });
	list.requests = 0;
	await list.polls(5);
	expect(list.requests).toBe(5);
});

test.each(
	['empty', 404].flatMap((beyond) => [true, false].map((saysMore) => ({ beyond, saysMore }))),
)('fails if the service hides results beyond 1,000: %j', async ({ beyond, saysMore }) => {
	const list = new Watched(1500);
	list.answer = (page, number, size) => {
		const end = number * size;
		if (end <= 1000) return { page: { ...page, next: end < 1000 || saysMore ? 'more' : null } };
		if (beyond === 'empty') return { page: { ...page, next: null, results: [] } };
		const where = { method: 'GET', path: '/v1/invoices', page: number };
		return { failure: { ...where, kind: 'status', status: 404 } };
	};
	await expect(list.begin()).rejects.toThrow(/refuses to list more than about 1000 invoices/);
});

test.each([1000, 1050])(
	'delivers from a list of %i if every page says that more follow',
	async (length) => {
		const answer = (page: Page) => ({
			page: { ...page, next: page.results.length ? 'more' : null },
		});
		await (await begun(length, { answer })).expectNext();
	},
);

test('finds an invoice that stays for 18 minutes, with a poll every 10 and an unchanged count', async () => {
	const list = await begun(1000, { interval: 10 * minute });
	for (let round = 0; round < 5; round++) {
		const [gone] = list.ids.splice(600, 1);
		list.ids.splice(500, 0, `new${round}`);
		expect(await list.polls(2)).toEqual([`new${round}`]);
		list.ids = list.ids.filter((id) => id !== `new${round}`);
		list.ids.splice(600, 0, gone);
		await list.polls(3);
	}
});

test.each([
	['at the beginning', 0],
	['in the middle', 7000],
])('does not read a long list again if an invoice enters %s every minute', async (_, place) => {
	const list = await begun(20_000);
	list.requests = 0;
	for (let made = 0; made < 12; made++) {
		list.ids.splice(place, 0, `new${made}`);
		expect(await list.poll()).toEqual([`new${made}`]);
	}
	expect(list.requests).toBeLessThan(12 * 14);
});
