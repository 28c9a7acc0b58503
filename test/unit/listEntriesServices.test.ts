import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { Page, PageOutcome } from '../../nodes/shared/pagination/page';

/** Lists that the random histories (listEntries.test.ts) have not. */
const minute = 60_000;
const idsFrom = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A list that a test writes itself, and the trigger that watches it. Time is the test's. */
class Watched {
	ids: string[];
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Milliseconds of a page, and of a poll. */
	latency = 10;
	time = 240_000;
	interval = minute;
	count: (real: number) => number | undefined = (real) => real;
	/** What the service makes of a page. `size`: how many results a full one has. */
	answer: (page: Page, number: number, size: number) => PageOutcome = (page) => ({ page });
	/** The service decides how long pages are. */
	ownSize: number | undefined;
	isPaid: (id: string) => boolean = () => true;
	cursor: Cursor = freshCursor(true);

	constructor(count: number) {
		this.ids = idsFrom('old', count);
	}

	/** One poll, and then the rest of the minute. Gives what it delivers. */
	async poll(): Promise<string[]> {
		const begin = this.now;
		const task = {
			fetchPage: async (number: number, size?: number) => {
				this.requests += 1;
				this.now += this.latency;
				const length = this.ownSize ?? size ?? 100;
				const end = number * length;
				const ids = this.ids.slice(end - length, end);
				const page = {
					count: this.count(this.ids.length),
					next: end < this.ids.length ? 'more' : null,
					results: ids.map((id) => ({ id, status: this.isPaid(id) ? 'paid' : 'unpaid' })),
				};
				return this.answer(page, number, length);
			},
			isEntry: ({ status }: Record<string, unknown>) => status === 'paid',
			noun: 'invoices',
			settings: { maxEntries: 1000, pageSize: 100, lookBack: 0 },
			concurrency: 5,
			now: () => this.now,
			until: this.now + this.time,
			interval: this.interval,
		};
		const found = await findNew(task, this.cursor);
		this.cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		this.now = Math.max(this.now, begin + this.interval);
		return found.entries.map(({ id }) => String(id));
	}

	async polls(count: number): Promise<string[]> {
		const all: string[] = [];
		for (let left = count; left > 0; left--) all.push(...(await this.poll()));
		return all;
	}

	/** Polls until the list was read for the first time. Gives how many polls that took. */
	async begin(most = 50, between: () => void = () => {}): Promise<number> {
		for (let polls = 1; polls <= most; polls++) {
			await this.poll();
			if (!this.cursor.isBaseline) return polls;
			between();
		}
		throw new Error('The first reading does not end');
	}

	/** What enters is found with one of these polls, and only that. */
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

describe('[T14] a list that is gone by mistake', () => {
	test('comes back little by little', async () => {
		const list = await begun(400);
		const all = list.ids;
		list.ids = [];
		await list.polls(20);
		for (let shown = 40; shown <= 400; shown += 40) {
			list.ids = all.slice(0, shown);
			expect(await list.poll()).toEqual([]);
		}
	});

	test('fills with new ones before it comes back', async () => {
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

	test('is empty for a poll after the API key has changed', async () => {
		const list = await begun(300);
		const all = list.ids;
		list.cursor = { ...freshCursor(true), before: list.cursor.known };
		list.ids = [];
		await list.begin();
		list.ids = all;
		expect(await list.polls(3)).toEqual([]);
	});

	test.each([
		['is empty when it is read first', 1, 0],
		['ends in the middle, in a list without a count,', 5, undefined],
	])('%s for one request', async (_, at, count) => {
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
	test('whose list is ordered by the last change is read to its end', async () => {
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

	test('whose list grows all the time is read to its end', async () => {
		const list = Object.assign(new Watched(20_000), { latency: 500, time: 36_000 });
		let made = 0;
		const grow = () => list.ids.unshift(`new${(made += 1)}`);
		expect(await list.begin(50, grow)).toBeLessThan(20);
	});

	test('that decides how long pages are: what left is forgotten after a day', async () => {
		const list = await begun(600, { ownSize: 20, latency: 5000, time: 36_000 });
		const [gone] = list.ids.splice(300, 1);
		list.interval = 20 * minute;
		await list.polls(6 * 26);
		list.ids.splice(100, 0, gone);
		expect(await list.polls(12)).toEqual([gone]);
	});
});

test.each([3, 200])('a count of 300,000 for a list of %i is not believed', async (length) => {
	await (await begun(length, { count: () => 300_000 })).expectNext();
});

test('a list that is longer than the trigger can watch is told', async () => {
	await expect(new Watched(250_001).begin()).rejects.toThrow(
		'The list has 250001 invoices; the trigger can watch up to 250,000. Narrow the filters',
	);
});

test('without a count, and with much that does not belong to the event: one request', async () => {
	const isPaid = (id: string) => id.endsWith('00');
	const list = await begun(10_000, { isPaid, count: () => undefined });
	list.requests = 0;
	await list.polls(5);
	expect(list.requests).toBe(5);
});

test.each(
	['empty', 404].flatMap((beyond) => [true, false].map((saysMore) => ({ beyond, saysMore }))),
)('pages beyond 1,000 results: %j', async ({ beyond, saysMore }) => {
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
	'every page of a list of %i says that more follow, and the count is right',
	async (length) => {
		const answer = (page: Page) => ({
			page: { ...page, next: page.results.length ? 'more' : null },
		});
		await (await begun(length, { answer })).expectNext();
	},
);

test('polled every ten minutes: what stays for eighteen is found, although the count is the same', async () => {
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
])('what enters a long list %s every minute costs no reading of it', async (_, place) => {
	const list = await begun(20_000);
	list.requests = 0;
	for (let made = 0; made < 12; made++) {
		list.ids.splice(place, 0, `new${made}`);
		expect(await list.poll()).toEqual([`new${made}`]);
	}
	expect(list.requests).toBeLessThan(12 * 14);
});
