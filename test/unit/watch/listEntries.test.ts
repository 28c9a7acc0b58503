import { freshCursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { FetchPage, Page, PageOutcome } from '../../../nodes/shared/pagination/page';
import { failed, ok } from '../../../nodes/shared/result';
import { drawn, runHistories, runHistory } from '../../helpers/lists/anyHistory';
import type { HistoryOptions } from '../../helpers/lists/history';
import { minute } from '../../helpers/lists/history';
import { Watch } from '../../helpers/lists/watch';

/**
 * The events of invoices and members find what entered a list once, by its ID alone: in random histories first, then with lists that
 * the histories lack, such as one that disappears by mistake, or is longer than the trigger can watch.
 */
test(`[R6, T11] each entry of a list comes once (${drawn})`, async () => {
	await runHistories('invoices');
}, 2_400_000);

const smallPages = {
	...({ kind: 'invoices', order: 'entered', cap: 3, sizes: 'given', count: 'told' } as const),
	...({ pastTheEnd: 'empty', filter: 'loose', maxEntries: 1000, changes: 40 } as const),
	...{ concurrency: 5, failures: 0, hurry: 0, flicker: 0 },
};

/** Histories that once failed. */
const named: Record<string, HistoryOptions> = {
	'from a growing list in pages of three, the last one full': {
		...smallPages,
		...({ seed: -168226476, existing: 122, entered: 0, start: 'newOnly', pageSize: 25 } as const),
		...{ steps: 23, burst: 1, rollbacks: 0, empty: 0 },
	},
	'from a growing list in pages of three if the known invoices would fill whole pages': {
		...smallPages,
		...({ seed: -3, existing: 291, entered: 30, start: 'all', pageSize: 5 } as const),
		...{ steps: 13, burst: 5, rollbacks: 5, empty: 10 },
	},
};

test.each(Object.entries(named))('each entry comes once, %s', async (_, history) => {
	await runHistory(history);
});

const idsFrom = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A list that the test writes. */
class WrittenList {
	ids: string[];
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Duration of a request, in milliseconds. */
	latency = 10;
	/** Page size, if the service chooses it. */
	ownSize: number | undefined;
	count: (real: number) => number | undefined = (real) => real;
	isPaid: (id: string) => boolean = () => true;
	/** Changes a response. `size`: length of a full page. */
	answer: (page: Page, number: number, size: number) => PageOutcome = (page) => ok(page);

	constructor(length: number) {
		this.ids = idsFrom('old', length);
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
}

type Times = Partial<Pick<Watch, 'time' | 'interval'>>;

/** A trigger that watches such a list. */
class Written extends Watch<WrittenList> {
	constructor(length: number, change: Partial<WrittenList> = {}, times: Times = {}) {
		super(Object.assign(new WrittenList(length), change), 'invoices');
		Object.assign(this, times);
	}

	/** Polls until the first reading is complete. Gives the number of polls. */
	async begin(most = 50, between: () => void = () => {}): Promise<number> {
		for (let polls = 1; polls <= most; polls++) {
			await this.poll();
			if (this.isBegun) return polls;
			between();
		}
		throw new Error('The first reading does not end');
	}

	/** A new invoice is delivered within this many polls, and nothing else. */
	async expectNext(polls = 2): Promise<void> {
		this.list.ids.push('new');
		expect(await this.polls(polls)).toEqual(['new']);
	}
}

async function begun(...given: ConstructorParameters<typeof Written>) {
	const watch = new Written(...given);
	await watch.begin();
	return watch;
}

describe('[T13] if a list disappears by mistake, it delivers nothing twice', () => {
	test('when the list comes back little by little', async () => {
		const watch = await begun(400);
		const all = watch.list.ids;
		watch.list.ids = [];
		await watch.polls(20);
		for (let shown = 40; shown <= 400; shown += 40) {
			watch.list.ids = all.slice(0, shown);
			expect(await watch.pollIds()).toEqual([]);
		}
	});

	test('when most of the list leaves little by little, and comes back after half an hour', async () => {
		const watch = await begun(40);
		const all = watch.list.ids;
		for (const shown of [30, 20, 10]) {
			watch.list.ids = all.slice(0, shown);
			await watch.polls(1);
		}
		await watch.polls(30);
		watch.list.ids = all;
		expect(await watch.polls(3)).toEqual([]);
	});

	test('when a list of three is empty for half an hour', async () => {
		const watch = await begun(3);
		const all = watch.list.ids;
		watch.list.ids = [];
		await watch.polls(30);
		watch.list.ids = all;
		expect(await watch.polls(3)).toEqual([]);
	});

	test('when the list fills with new invoices first', async () => {
		const watch = await begun(40);
		const old = watch.list.ids;
		watch.list.ids = [];
		await watch.polls(30);
		const fresh = idsFrom('new', 41);
		watch.list.ids = fresh;
		expect((await watch.poll()).length).toBe(41);
		watch.list.ids = [...fresh, ...old];
		expect(await watch.polls(3)).toEqual([]);
	});

	test('when the list is empty for one poll after the API key changed', async () => {
		const watch = await begun(300);
		const all = watch.list.ids;
		watch.cursor = { ...freshCursor(true), before: watch.cursor.known };
		watch.list.ids = [];
		await watch.begin();
		watch.list.ids = all;
		expect(await watch.polls(3)).toEqual([]);
	});

	test.each([
		['is empty during the first reading', 1, 0],
		['has no count and ends in the middle', 5, undefined],
	])('when the list %s for one request', async (_, at, count) => {
		const watch = new Written(1000);
		watch.list.count = count === undefined ? () => undefined : watch.list.count;
		let isOver = false;
		watch.list.answer = (page, number) => {
			if (isOver || number !== at) return ok(page);
			isOver = true;
			return ok({ count, next: null, results: [] });
		};
		await watch.begin();
		expect(await watch.polls(3)).toEqual([]);
	});
});

describe('a slow service', () => {
	test("that shuffles a list too long for one poll lets the workflow begin, and n8n's log says what may come", async () => {
		const watch = Watch.invoices(600, { order: 'shuffled' });
		Object.assign(watch, { time: 6000 }).list.latency = 2000;
		expect(await watch.polls(3)).toEqual([]);
		expect(watch.isBegun).toBe(true);
		expect(watch.notes.join()).toContain(
			'some of what was there when the workflow was published may start it',
		);
	});

	test('has its list read to the end although changed invoices move to the start', async () => {
		const watch = new Written(20_000, { latency: 200 }, { time: 36_000 });
		const change = () => watch.list.ids.unshift(...watch.list.ids.splice(20, 1));
		expect(await watch.begin(50, change)).toBeLessThan(10);
		watch.list.ids.splice(19_000, 0, 'deep');
		const found: string[] = [];
		for (let polls = 0; polls < 20 && !found.includes('deep'); polls++) {
			change();
			found.push(...(await watch.pollIds()));
		}
		expect(found).toEqual(['deep']);
	});

	test('has its list read to the end although it keeps growing', async () => {
		const watch = new Written(20_000, { latency: 500 }, { time: 36_000 });
		let made = 0;
		const grow = () => watch.list.ids.unshift(`new${(made += 1)}`);
		expect(await watch.begin(50, grow)).toBeLessThan(20);
	});

	test('that chooses the page size: none that was there starts the workflow, although others leave while the list is read', async () => {
		const list = { ownSize: 20, latency: 5000, count: () => undefined };
		const watch = new Written(104, list, { time: 36_000 });
		watch.list.answer = (page, number) => {
			if (number === 3) watch.list.ids = watch.list.ids.filter((id) => id !== 'old5');
			return ok(page);
		};
		// The page where the second poll goes on is the last one then.
		await watch.begin(50, () => watch.list.ids.splice(100));
		expect(await watch.polls(20)).toEqual([]);
	});

	test('that chooses the page size: invoices that left are forgotten after a day', async () => {
		const watch = await begun(600, { ownSize: 20, latency: 5000 }, { time: 36_000 });
		const [gone] = watch.list.ids.splice(300, 1);
		watch.interval = 20 * minute;
		await watch.polls(6 * 26);
		watch.list.ids.splice(100, 0, gone);
		expect(await watch.polls(12)).toEqual([gone]);
	});
});

test.each([3, 200])('ignores a count of 300,000 for a list of %i', async (length) => {
	await (await begun(length, { count: () => 300_000 })).expectNext();
});

test('fails if the list is longer than the trigger can watch', async () => {
	await expect(new Written(250_001).begin()).rejects.toThrow(
		'The list has 250001 invoices; the trigger can watch up to 250,000. Narrow the filters',
	);
});

test('fails also if a list that is too long has no count', async () => {
	const watch = new Written(250_001, { ownSize: 9000, count: () => undefined });
	await expect(watch.begin()).rejects.toThrow('the trigger can watch up to 250,000');
});

test.each([
	[900, { failure: { status: 400 } }],
	[
		1000,
		{ message: expect.stringContaining('refuses to list more than about 1000 inv') as string },
	],
])(
	'if a page after %i results is refused, tells a refusal of one page from one of all that follows',
	async (most, error) => {
		const watch = new Written(3000, { ownSize: 100 });
		watch.list.answer = (page, number, size) => {
			const where = { method: 'GET', path: '/v1/invoices', page: number } as const;
			return number * size > most ? failed({ ...where, kind: 'status', status: 400 }) : ok(page);
		};
		await expect(watch.begin()).rejects.toMatchObject(error);
	},
);

test('reads a list of one page once when the workflow is published, also in pages of nine', async () => {
	const { task, cursor, list } = new Written(9);
	await findNew({ ...task, settings: { ...task.settings, pageSize: 9 } }, cursor);
	expect(list.requests).toBe(1);
});

test.each([
	[{ kind: 'network', code: 'ECONNRESET' }, { failure: { kind: 'network' } }],
	[{ kind: 'status', status: 503 }, { failure: { status: 503 } }],
	[{ kind: 'status', status: 400 }, { message: expect.stringContaining('has 300000 invoices') }],
] as const)(
	'if the page that would check the count fails with %j, says so',
	async (given, error) => {
		const watch = new Written(200, { count: () => 300_000 });
		watch.list.answer = (page, number) =>
			number > 2 ? failed({ ...given, method: 'GET', path: '/v1/invoices' }) : ok(page);
		await expect(watch.poll()).rejects.toMatchObject(error);
	},
);

test('warns once of a long list, even if it is read twice', async () => {
	const watch = new Written(210_000, { ownSize: 9000, count: () => undefined });
	await watch.poll();
	expect(watch.requests).toBeGreaterThan(40);
	expect(watch.notes).toEqual([expect.stringContaining('more than 200,000 invoices')]);
});

test('makes one request if the list has no count and few matching invoices', async () => {
	const isPaid = (id: string) => id.endsWith('00');
	const watch = await begun(10_000, { isPaid, count: () => undefined });
	watch.list.requests = 0;
	await watch.polls(5);
	expect(watch.list.requests).toBe(5);
});

test.each(
	['empty', 404].flatMap((beyond) => [true, false].map((saysMore) => ({ beyond, saysMore }))),
)('fails if the service hides results beyond 1,000: %j', async ({ beyond, saysMore }) => {
	const watch = new Written(1500);
	watch.list.answer = (page, number, size) => {
		const end = number * size;
		if (end <= 1000) return ok({ ...page, next: end < 1000 || saysMore ? 'more' : null });
		if (beyond === 'empty') return ok({ ...page, next: null, results: [] });
		const where = { method: 'GET', path: '/v1/invoices', page: number };
		return failed({ ...where, kind: 'status', status: 404 });
	};
	await expect(watch.begin()).rejects.toThrow(/refuses to list more than about 1000 invoices/);
});

test.each([1000, 1050])(
	'delivers from a list of %i if every page says that more follow',
	async (length) => {
		const answer = (page: Page) => ok({ ...page, next: page.results.length ? 'more' : null });
		await (await begun(length, { answer })).expectNext();
	},
);

test('finds an invoice that stays for 18 minutes, with a poll every 10 and an unchanged count', async () => {
	const watch = await begun(1000, {}, { interval: 10 * minute });
	for (let round = 0; round < 5; round++) {
		const [gone] = watch.list.ids.splice(600, 1);
		watch.list.ids.splice(500, 0, `new${round}`);
		expect(await watch.polls(2)).toEqual([`new${round}`]);
		watch.list.ids = watch.list.ids.filter((id) => id !== `new${round}`);
		watch.list.ids.splice(600, 0, gone);
		await watch.polls(3);
	}
});

test.each([
	['at the beginning', () => 0],
	['in the middle', () => 7000],
	['in another place', (made: number) => 1500 * made],
])('does not read a long list again if an invoice enters %s every minute', async (_, placeOf) => {
	const watch = await begun(20_000);
	watch.list.requests = 0;
	for (let made = 0; made < 12; made++) {
		watch.list.ids.splice(placeOf(made), 0, `new${made}`);
		expect(await watch.pollIds()).toEqual([`new${made}`]);
	}
	expect(watch.list.requests).toBeLessThan(12 * 14);
});

test('[T11] finds each new invoice if one enters and one leaves every minute', async () => {
	const watch = Watch.invoices(2000);
	const { list } = watch;
	await watch.pollIds();
	const ids: string[] = [];
	const delivered: string[] = [];
	let requests = 0;
	for (let polls = 0; polls < 60; polls++) {
		list.leave(list.any(true) ?? '');
		ids.push(...watch.list.pay());
		delivered.push(...(await watch.pollIds()));
		requests += watch.requests;
	}
	expect(requests).toBeLessThanOrEqual(60 * 4);
	for (let polls = 0; polls < 16; polls++) delivered.push(...(await watch.pollIds()));
	expect(ids.filter((id) => list.isIn(id) && !delivered.includes(id))).toEqual([]);
});

test('[T7] a right count is used although a list that takes several polls changes meanwhile', async () => {
	const watch = Watch.invoices(20_000);
	Object.assign(watch, { time: 20_000 }).list.latency = 300;
	const ids: string[] = [];
	const delivered: string[] = [];
	for (let polls = 0; polls < 60; polls++) {
		if (polls % 2 && watch.isBegun) ids.push(...watch.list.pay());
		delivered.push(...(await watch.pollIds()));
	}
	expect(watch.notes).toEqual([]);
	for (let polls = 0; polls < 16; polls++) delivered.push(...(await watch.pollIds()));
	expect(delivered.sort()).toEqual(ids.sort());
});

describe.each(['twice', 'dropped'] as const)('[T7] if one of 600 invoices is %s', (rows) => {
	test('each new invoice comes within 15 minutes, and the log says once that the count is ignored', async () => {
		const watch = Watch.invoices(600, { rows });
		await watch.polls(4);
		for (let made = 0; made < 5; made++) {
			const ids = watch.list.pay();
			expect(await watch.polls(16)).toEqual(ids);
		}
		expect(watch.notes.filter((note) => /so the count is ignored/.test(note))).toHaveLength(1);
	});
});

/** Shows only some of the list, as if there were no others. */
function hide(watch: Watch, isShown: (at: number) => boolean): void {
	const visible = watch.list.listed.filter((_, at) => isShown(at));
	watch.answers = async (page, size = 100) => {
		const some = visible.slice((page - 1) * size, page * size);
		const results = some.map((id) => ({ id, status: 'paid' }));
		const next = page * size < visible.length ? 'more' : null;
		return await Promise.resolve(ok({ count: visible.length, next, results }));
	};
}

test('[T13] a third of an unordered list that is hidden for 90 minutes starts nothing when it is back', async () => {
	const watch = Watch.invoices(1500);
	await watch.polls(2);
	hide(watch, (at) => at % 3 > 0);
	expect(await watch.polls(90)).toEqual([]);
	watch.answers = undefined;
	expect(await watch.polls(20)).toEqual([]);
	const ids = watch.list.pay();
	expect(await watch.pollIds()).toEqual(ids);
});

/** Every page says this count. */
function count(watch: Watch, all: number): void {
	watch.answers = async (page, size) => {
		const outcome = await watch.list.fetchPage(page, size);
		return outcome.ok ? ok({ ...outcome.value, count: all }) : outcome;
	};
}

test('[T7] a count that was wrong for a while is used again', async () => {
	const watch = Watch.invoices(1500);
	await watch.poll();
	count(watch, 100);
	await watch.polls(3);
	watch.answers = undefined;
	await watch.polls(60);
	const ids = watch.list.pay();
	expect(await watch.pollIds()).toEqual(ids);
});

test('[T7] delivers if the service counts all invoices, but lists those with the status', async () => {
	const watch = Watch.invoices(1230);
	count(watch, 20_000);
	expect(await watch.polls(5)).toEqual([]);
	const ids = watch.list.pay();
	expect(await watch.polls(16)).toEqual(ids);
});
