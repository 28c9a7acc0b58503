import type { EntryCursor } from '../../nodes/InvoicingPaymentsTrigger/listEntries/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/listEntries/cursor';
import { findEntries } from '../../nodes/InvoicingPaymentsTrigger/listEntries/findEntries';
import type { PageOutcome } from '../../nodes/shared/pagination/page';

const minute = 60_000;
const idsFrom = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A list that a test writes itself, and the trigger that watches it. Time is the test's. */
class Watched {
	ids: string[];
	now = Date.UTC(2026, 5, 1);
	/** Milliseconds of a page, and of a poll. */
	latency = 10;
	time = 240_000;
	interval = minute;
	requests = 0;
	count: (real: number) => number | undefined = (real) => real;
	/** What a page is instead of what the list says. */
	answer: (page: number, size: number) => PageOutcome | undefined = () => undefined;
	/** The service decides how long pages are. */
	ownSize: number | undefined;
	isPaid: (id: string) => boolean = () => true;
	cursor: EntryCursor = freshCursor(true);

	constructor(ids: string[]) {
		this.ids = [...ids];
	}

	/** One poll, and then the rest of the minute. Gives what it delivers. */
	async poll(): Promise<string[]> {
		const begin = this.now;
		const found = await findEntries(
			{
				fetchPage: async (page, size) => {
					this.requests += 1;
					this.now += this.latency;
					const length = this.ownSize ?? size ?? 100;
					const all = this.ids;
					return (
						this.answer(page, length) ?? {
							page: {
								count: this.count(all.length),
								next: page * length < all.length ? 'more' : null,
								results: all
									.slice((page - 1) * length, page * length)
									.map((id) => ({ id, status: this.isPaid(id) ? 'paid' : 'unpaid' })),
							},
						}
					);
				},
				isEntry: ({ status }) => status === 'paid',
				noun: 'invoices',
				settings: { maxEntries: 1000, pageSize: 100 },
				concurrency: 5,
				now: () => this.now,
				until: this.now + this.time,
				interval: this.interval,
			},
			this.cursor,
		);
		this.cursor = JSON.parse(JSON.stringify(found.cursor)) as EntryCursor;
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
}

describe('[T14] a list that is gone by mistake', () => {
	test('comes back little by little', async () => {
		const all = idsFrom('old', 400);
		const list = new Watched(all);
		await list.begin();
		list.ids = [];
		await list.polls(20);
		for (let shown = 40; shown <= 400; shown += 40) {
			list.ids = all.slice(0, shown);
			expect(await list.poll()).toEqual([]);
		}
	});

	test('fills with new ones before it comes back', async () => {
		const old = idsFrom('old', 40);
		const list = new Watched(old);
		await list.begin();
		list.ids = [];
		await list.polls(30);
		const fresh = idsFrom('new', 41);
		list.ids = fresh;
		expect((await list.poll()).length).toBe(41);
		list.ids = [...fresh, ...old];
		expect(await list.polls(3)).toEqual([]);
	});

	test('is empty when it is read first, for one request', async () => {
		const list = new Watched(idsFrom('old', 300));
		list.answer = () =>
			list.requests === 1 ? { page: { count: 0, next: null, results: [] } } : undefined;
		await list.begin();
		list.answer = () => undefined;
		expect(await list.polls(3)).toEqual([]);
	});

	test('is empty for a poll after the API key has changed', async () => {
		const all = idsFrom('old', 300);
		const list = new Watched(all);
		await list.begin();
		list.cursor = { ...freshCursor(true), before: list.cursor.known };
		list.ids = [];
		await list.begin();
		list.ids = all;
		expect(await list.polls(3)).toEqual([]);
	});

	test('ends in the middle, for one request, in a list without a count', async () => {
		const list = new Watched(idsFrom('old', 1000));
		list.count = () => undefined;
		let times = 0;
		list.answer = (page) =>
			page === 5 && (times += 1) === 1
				? { page: { count: undefined, next: null, results: [] } }
				: undefined;
		await list.begin();
		expect(await list.polls(3)).toEqual([]);
	});
});

describe('a slow service', () => {
	test('whose list is ordered by the last change is read to its end', async () => {
		const list = new Watched(idsFrom('old', 20_000));
		list.latency = 200;
		list.time = 36_000;
		const change = () => {
			const [changed] = list.ids.splice(20, 1);
			list.ids.unshift(changed);
		};
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
		const list = new Watched(idsFrom('old', 20_000));
		list.latency = 500;
		list.time = 36_000;
		let made = 0;
		const grow = () => list.ids.unshift(`new${(made += 1)}`);
		expect(await list.begin(50, grow)).toBeLessThan(20);
	});

	test('that decides how long pages are: what left is forgotten after a day', async () => {
		const list = new Watched(idsFrom('old', 600));
		list.ownSize = 20;
		list.latency = 5000;
		list.time = 36_000;
		await list.begin();
		const [gone] = list.ids.splice(300, 1);
		list.interval = 20 * minute;
		await list.polls(6 * 26);
		list.ids.splice(100, 0, gone);
		expect(await list.polls(12)).toEqual([gone]);
	});
});

describe('a count that is wrong', () => {
	test.each([3, 200])('60,000 for a list of %i', async (length) => {
		const list = new Watched(idsFrom('old', length));
		list.count = () => 60_000;
		await list.begin();
		list.ids.push('new');
		expect(await list.polls(2)).toEqual(['new']);
	});

	test('of a list that holds much that does not belong to the event: one request', async () => {
		const list = new Watched(idsFrom('any', 10_000));
		list.isPaid = (id) => id.endsWith('00');
		list.count = () => undefined;
		await list.begin();
		list.requests = 0;
		await list.polls(5);
		expect(list.requests).toBe(5);
	});
});

describe.each(['empty', 404])('pages beyond 1,000 results are %p', (how) => {
	test.each([true, false])('and the last one says that more follow: %p', async (saysMore) => {
		const list = new Watched(idsFrom('old', 1500));
		list.answer = (page, size) => {
			const where = { method: 'GET', path: '/v1/invoices', page };
			const next = page * size < 1000 || saysMore ? 'more' : null;
			if (page * size <= 1000) {
				const results = list.ids
					.slice((page - 1) * size, page * size)
					.map((id) => ({ id, status: 'paid' }));
				return { page: { count: list.ids.length, next, results } };
			}
			return how === 404
				? { failure: { ...where, kind: 'status', status: 404 } }
				: { page: { count: list.ids.length, next: null, results: [] } };
		};
		await expect(list.begin()).rejects.toThrow(/refuses to list more than about 1000 invoices/);
	});
});

test.each([1000, 1050])(
	'every page of a list of %i says that more follow, and the count is right',
	async (length) => {
		const list = new Watched(idsFrom('old', length));
		list.answer = (page, size) => {
			const ids = list.ids.slice((page - 1) * size, page * size);
			const results = ids.map((id) => ({ id, status: 'paid' }));
			const next = ids.length > 0 ? 'more' : null;
			return { page: { count: list.ids.length, next, results } };
		};
		await list.begin();
		list.ids.push('new');
		expect(await list.polls(2)).toEqual(['new']);
	},
);

test('polled every ten minutes: what stays for eighteen is found, although the count is the same', async () => {
	const list = new Watched(idsFrom('old', 1000));
	list.interval = 10 * minute;
	await list.begin();
	for (let round = 0; round < 10; round++) {
		const [gone] = list.ids.splice(600, 1);
		list.ids.splice(500, 0, `new${round}`);
		expect(await list.polls(2)).toEqual([`new${round}`]);
		list.ids = list.ids.filter((id) => id !== `new${round}`);
		list.ids.splice(600, 0, gone);
		await list.polls(3);
	}
});

test.each(['at the beginning', 'in the middle'])(
	'what enters a long list %s every minute costs no reading of it',
	async (where) => {
		const list = new Watched(idsFrom('old', 20_000));
		await list.begin();
		list.requests = 0;
		for (let made = 0; made < 12; made++) {
			list.ids.splice(where === 'in the middle' ? 7000 : 0, 0, `new${made}`);
			expect(await list.poll()).toEqual([`new${made}`]);
		}
		expect(list.requests).toBeLessThan(12 * 14);
	},
);

test('an entry that a lagging list does not show for a moment starts nothing again', async () => {
	const list = new Watched(idsFrom('old', 1000));
	await list.begin();
	list.ids.unshift('new');
	expect(await list.poll()).toEqual(['new']);
	for (let round = 0; round < 40; round++) {
		const isHidden = round % 3 === 0;
		list.ids = isHidden ? list.ids.filter((id) => id !== 'new') : list.ids;
		if (!isHidden && !list.ids.includes('new')) list.ids.unshift('new');
		expect(await list.poll()).toEqual([]);
	}
});
