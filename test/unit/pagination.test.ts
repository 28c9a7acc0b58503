import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Page, PageOutcome } from '../../nodes/shared/pagination/page';
import type { ListRequest } from '../../nodes/shared/pagination/pass';
import { readAll } from '../../nodes/shared/pagination/readAll';

/** Adds a result in front of, or takes away, the one at this share of the list, before the request with this number. */
interface Change {
	request: number;
	at: number;
	isRemoval: boolean;
}

interface ServiceOptions {
	count: number;
	/** The largest page, and the only one when sizes are ignored. */
	cap: number;
	ignoresSize?: boolean;
	changes?: Change[];
	/** How long each request takes, in turns of the event loop, over and over. */
	delays?: number[];
	hasCount?: boolean;
}

/** A list that is asked for pages while it changes, and what it held. */
function serviceWith(options: ServiceOptions) {
	const { count, cap, ignoresSize = false, changes = [], delays = [0], hasCount = true } = options;
	const list = Array.from({ length: count }, (_, id) => ({ id }));
	const asked: Array<[number, number | undefined]> = [];
	const everThere = new Set(list.map(({ id }) => id));
	const alwaysThere = new Set(everThere);
	let answered = 0;
	const change = ({ at, isRemoval }: Change) => {
		const index = Math.floor(at * list.length);
		if (!isRemoval) {
			const id = everThere.size;
			everThere.add(id);
			list.splice(index, 0, { id });
		} else if (list.length) {
			alwaysThere.delete(list.splice(index, 1)[0].id);
		}
	};
	const fetchPage = async (number: number, wanted?: number): Promise<PageOutcome> => {
		const turns = delays[asked.push([number, wanted]) % delays.length];
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		answered += 1;
		changes.filter(({ request }) => request === answered).forEach(change);
		const size = ignoresSize ? cap : Math.min(wanted ?? cap, cap);
		const results = list.slice((number - 1) * size, number * size);
		const next = number * size < list.length ? 'more' : null;
		return { page: { count: hasCount ? list.length : undefined, next, results } };
	};
	return { asked, fetchPage, everThere, alwaysThere };
}

const read = async (
	fetchPage: ListRequest['fetchPage'],
	{ startPage = 1, limit = Infinity, isWanted, concurrency: width = 5 }: Partial<ListRequest> = {},
) => await readAll({ fetchPage, startPage, limit, isWanted, concurrency: width });

const idsOf = (outcome: Awaited<ReturnType<typeof readAll>>) => {
	if ('failure' in outcome) throw new Error(outcome.failure.reason);
	return outcome.results.map(({ id }) => id as number);
};

const anyCap = fc.integer({ min: 1, max: 60 });
const anyLimit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 150 }));
const anyWidth = fc.integer({ min: 1, max: 8 });
const anyDelays = fc.array(fc.nat(20), { minLength: 1, maxLength: 7 });
const changesOf = (isRemoval: fc.Arbitrary<boolean>) =>
	fc.array(
		fc.record({
			request: fc.integer({ min: 2, max: 40 }),
			at: fc.double({ min: 0, max: 0.999, noNaN: true }),
			isRemoval,
		}),
		{ maxLength: 12 },
	);

describe('a list that stays as it is', () => {
	test('gives what is asked for in its order, whatever the page size', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(300),
				anyCap,
				fc.boolean(),
				fc.boolean(),
				anyLimit,
				fc.integer({ min: 1, max: 5 }),
				anyWidth,
				anyDelays,
				async (count, cap, ignoresSize, hasCount, limit, startPage, width, delays) => {
					const { fetchPage } = serviceWith({ count, cap, ignoresSize, hasCount, delays });
					const first = (startPage - 1) * cap;
					const wanted = Math.max(0, Math.min(limit, count - first));
					expect(idsOf(await read(fetchPage, { startPage, limit, concurrency: width }))).toEqual(
						Array.from({ length: wanted }, (_, index) => first + index),
					);
				},
			),
			// The page that should overlap with the first one lies past the end.
			{ examples: [[116, 23, true, false, Infinity, 5, 1, [0]]] },
		);
	});

	test('gives only results that are wanted, and the limit is one of them', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(300),
				anyCap,
				fc.boolean(),
				anyLimit,
				fc.integer({ min: 1, max: 50 }),
				anyWidth,
				async (count, cap, ignoresSize, limit, every, width) => {
					const { asked, fetchPage } = serviceWith({ count, cap, ignoresSize });
					const isWanted = ({ id }: Record<string, unknown>) => Number(id) % every === every - 1;
					const all = Array.from({ length: count }, (_, id) => id);
					const wanted = all.filter((id) => isWanted({ id })).slice(0, limit);
					expect(idsOf(await read(fetchPage, { limit, isWanted, concurrency: width }))).toEqual(
						wanted,
					);
					if (wanted.length === limit && !ignoresSize) {
						const needed = Math.ceil(((wanted.at(-1) ?? 0) + 1) / cap);
						expect(asked.length).toBeLessThanOrEqual(2 * needed + width);
					}
				},
			),
		);
	});

	test('costs no page more than a limit needs', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(300),
				anyCap,
				fc.integer({ min: 1, max: 300 }),
				anyWidth,
				async (count, cap, limit, width) => {
					const { asked, fetchPage } = serviceWith({ count, cap });
					await read(fetchPage, { limit, concurrency: width });
					expect(asked.length).toBe(Math.max(1, Math.ceil(Math.min(limit, count) / cap)));
				},
			),
		);
	});

	test('costs a few pages more to be read as a whole', async () => {
		const { asked, fetchPage } = serviceWith({ count: 10_000, cap: 100 });
		expect(idsOf(await read(fetchPage))).toHaveLength(10_000);
		expect(asked.length).toBeLessThan(120);
	});
});

describe('a list that changes while it is read', () => {
	test('[R9] is given whole and nothing twice, whatever comes, goes, and is read first', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(400),
				fc.integer({ min: 20, max: 60 }),
				changesOf(fc.boolean()),
				anyWidth,
				anyDelays,
				async (count, cap, changes, width, delays) => {
					const service = serviceWith({ count, cap, changes, delays });
					const ids = idsOf(await read(service.fetchPage, { concurrency: width }));
					expect(new Set(ids).size).toBe(ids.length);
					expect([...service.alwaysThere].filter((id) => !ids.includes(id))).toEqual([]);
					expect(ids.filter((id) => !service.everThere.has(id))).toEqual([]);
				},
			),
			{ numRuns: 500 },
		);
	});

	test.each([true, false])(
		'in pages that cannot overlap, it is whole as well if the count shows the change (removals: %p)',
		async (isRemoval) => {
			await fc.assert(
				fc.asyncProperty(
					fc.nat(80),
					fc.integer({ min: 2, max: 30 }),
					fc.boolean(),
					changesOf(fc.constant(isRemoval)),
					anyWidth,
					anyDelays,
					async (count, cap, isSmall, changes, width, delays) => {
						const size = isSmall ? { cap: Math.min(cap, 9) } : { cap, ignoresSize: true };
						const service = serviceWith({ count, changes, delays, ...size });
						const ids = idsOf(await read(service.fetchPage, { concurrency: width }));
						expect(new Set(ids).size).toBe(ids.length);
						expect([...service.alwaysThere].filter((id) => !ids.includes(id))).toEqual([]);
					},
				),
				{ numRuns: 300 },
			);
		},
	);

	test('a limit gives that many if the count shows the change, none twice and none that never was', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(200),
				anyCap,
				fc.integer({ min: 1, max: 150 }),
				fc.boolean().chain((isRemoval) => changesOf(fc.constant(isRemoval))),
				anyDelays,
				async (count, cap, limit, changes, delays) => {
					const service = serviceWith({ count, cap, changes, delays });
					const ids = idsOf(await read(service.fetchPage, { limit }));
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.length).toBeGreaterThanOrEqual(Math.min(limit, service.alwaysThere.size));
					expect(ids.length).toBeLessThanOrEqual(limit);
					expect(ids.filter((id) => !service.everThere.has(id))).toEqual([]);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('one result that is looked for is found, whatever comes and goes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 400 }),
				fc.integer({ min: 20, max: 60 }),
				fc.nat(399),
				changesOf(fc.boolean()),
				anyWidth,
				anyDelays,
				async (count, cap, at, changes, width, delays) => {
					const service = serviceWith({ count, cap, changes, delays });
					const isWanted = ({ id }: Record<string, unknown>) => id === at % count;
					const options = { limit: 1, isWanted, concurrency: width };
					const ids = idsOf(await read(service.fetchPage, options));
					if (service.alwaysThere.has(at % count)) expect(ids).toEqual([at % count]);
				},
			),
			{ numRuns: 500 },
		);
	});

	test('a list that never holds still is an error, not a guess', async () => {
		let seed = 0;
		const fetchPage = async (number: number, size = 20): Promise<PageOutcome> => {
			seed += 1000;
			const results = Array.from({ length: size }, (_, index) => ({ id: seed + index }));
			return { page: { count: 60 + seed, next: number < 3 ? 'more' : null, results } };
		};
		expect(await read(fetchPage)).toMatchObject({
			failure: {
				reason: expect.stringMatching(/faster than it can be read|pages end after/) as string,
			},
		});
	});

	test('a service that orders its results anew for every page gives all of them in the end', async () => {
		const ids = Array.from({ length: 100 }, (_, id) => ({ id }));
		let draw = 1;
		const shuffled = () => {
			const mixed = ids.map((one) => {
				draw = (draw * 48_271) % 2_147_483_647;
				return { one, draw };
			});
			return mixed.sort((a, b) => a.draw - b.draw).map(({ one }) => one);
		};
		const fetchPage = async (number: number, size = 25): Promise<PageOutcome> => {
			const results = shuffled().slice((number - 1) * size, number * size);
			return { page: { count: 100, next: number * size < 100 ? 'more' : null, results } };
		};
		expect(idsOf(await read(fetchPage)).sort((a, b) => a - b)).toEqual(ids.map(({ id }) => id));
	});
});

describe('a service that orders equal results anew', () => {
	/** A list sorted by groups of equal results, which a draw orders. */
	const sortedBy = (count: number, group: number, draw: (page: number, size: number) => number) => {
		let asked = 0;
		const fetchPage = async (page: number, size = 100): Promise<PageOutcome> => {
			asked += 1;
			const random = xoroshiro128plus(Math.imul(draw(page, size), 0x9e3779b1));
			for (let warm = 0; warm < 8; warm++) random.next();
			const own = Math.min(size, 100);
			const [start, end] = [(page - 1) * own, Math.min(count, page * own)];
			const first = Math.floor(start / group) * group;
			const ids: number[] = [];
			for (let begin = first; begin < end; begin += group) {
				const length = Math.min(group, count - begin);
				const equals = Array.from({ length }, (_, index) => begin + index);
				for (let at = length - 1; at > 0; at--) {
					const other = uniformInt(random, 0, at);
					[equals[at], equals[other]] = [equals[other], equals[at]];
				}
				ids.push(...equals);
			}
			const results = ids.slice(start - first, end - first).map((id) => ({ id }));
			return { page: { count, next: page * own < count ? 'more' : null, results } };
		};
		return { fetchPage, asked: () => asked };
	};
	let requests = 0;
	const ways = {
		'for each page and size': (page: number, size: number) => page * 1000 + size,
		'for each size': (_page: number, size: number) => size,
		'for each request': () => (requests += 1),
	};

	test.each(
		Object.keys(ways).flatMap((way) => [20, 25, 49, 300].map((group) => [way, group] as const)),
	)('%s, in groups of %i: all 3,000 are given', async (way, group) => {
		const { fetchPage, asked } = sortedBy(3000, group, ways[way as keyof typeof ways]);
		const ids = idsOf(await read(fetchPage));
		expect(new Set(ids).size).toBe(3000);
		expect(ids).toHaveLength(3000);
		// What a later look found stands among its neighbours.
		const groups = ids.map((id) => Math.floor(id / group));
		const places = groups.map((one, at) => Math.abs(at - one * group));
		expect(Math.max(...places)).toBeLessThan(2 * group);
		if (group < 50) expect(asked()).toBeLessThan(250);
	});

	test('a part is never given for the whole', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 400 }),
				fc.integer({ min: 1, max: 400 }),
				fc.integer({ min: 1, max: 60 }),
				fc.boolean(),
				fc.integer(),
				async (count, group, cap, ignoresSize, seed) => {
					let draws = Math.abs(seed);
					const { fetchPage } = sortedBy(count, group, () => (draws += 1));
					const outcome = await read(
						async (page, size) =>
							await fetchPage(page, ignoresSize ? cap : Math.min(size ?? cap, cap)),
					);
					const isWhole = 'results' in outcome && outcome.results.length === count;
					if (!isWhole) expect(outcome).toHaveProperty('failure');
				},
			),
			{ numRuns: 200 },
		);
	});

	test('without a count, what pages show twice is the sign that something was not shown', async () => {
		const { fetchPage } = sortedBy(200, 200, () => (requests += 1));
		const outcome = await read(async (page) => {
			const came = await fetchPage(page, 100);
			return 'page' in came ? { page: { ...came.page, count: undefined } } : came;
		});
		if ('results' in outcome) expect(idsOf(outcome)).toHaveLength(200);
		else expect(outcome.failure.reason).toContain('different ones were found');
	});
});

describe('odd lists', () => {
	const pageOf = (results: Page['results'], next: unknown = 'more', count = 100): Page => ({
		count,
		next: next as string,
		results,
	});
	const notFound = { kind: 'status', status: 404, method: 'GET', path: '/v1/charges' } as const;
	const readAll = async (pages: Page[], startPage = 1) =>
		await read(
			async (number) => (pages[number - 1] ? { page: pages[number - 1] } : { failure: notFound }),
			{ startPage },
		);

	test('a failure on any page is the outcome, and pages that wait are not read', async () => {
		const failure = { kind: 'status', status: 500, method: 'GET', path: '/v1/charges' } as const;
		const { fetchPage, asked } = serviceWith({ count: 1000, cap: 20 });
		const outcome = await read(
			async (number, size) => (number === 3 ? { failure } : await fetchPage(number, size)),
			{ concurrency: 2 },
		);
		expect(outcome).toEqual({ failure });
		expect(asked.length).toBeLessThan(8);
	});

	test.each([9, 1, undefined, 1_000_000])(
		'a page that repeats for ever, count %p',
		async (count) => {
			const page = { ...pageOf([{ id: 1 }]), count } as Page;
			const asked: number[] = [];
			const outcome = await read(async (number) => {
				asked.push(number);
				return { page };
			});
			if (count === 1) expect(outcome).toMatchObject({ results: [{ id: 1 }] });
			else
				expect(outcome).toHaveProperty('failure.reason', expect.stringContaining('page 2 of the'));
			expect(asked.length).toBeLessThan(30);
		},
	);

	test('results without an id are told apart by what they say', async () => {
		const rows = [
			pageOf([{ total: '1', id: null }], 'more', 2),
			pageOf([{ total: '2', id: null }], null, 2),
		];
		expect(await readAll(rows)).toMatchObject({
			results: [...rows[0].results, ...rows[1].results],
		});
	});

	test.each([null, '', false])('next: %p is the end', async (next) => {
		expect(await readAll([pageOf([{ id: 1 }], next, 1)])).toMatchObject({ results: [{ id: 1 }] });
	});

	test('a next that is always there ends with the count', async () => {
		const { fetchPage } = serviceWith({ count: 250, cap: 100 });
		for (const past of [[], [{ id: 249 }]]) {
			const outcome = await read(async (number, size) => {
				const came = await fetchPage(number, size);
				if (!('page' in came)) return came;
				const results = came.page.results.length ? came.page.results : past;
				return { page: { ...came.page, next: 'more', results } };
			});
			expect(idsOf(outcome)).toHaveLength(250);
		}
	});

	test('a count that is too high is an error', async () => {
		const { fetchPage } = serviceWith({ count: 250, cap: 100 });
		const withCount = (count: number) => async (number: number, size?: number) => {
			const came = await fetchPage(number, size);
			return 'page' in came ? { page: { ...came.page, count } } : came;
		};
		expect(await read(withCount(100_000))).toHaveProperty(
			'failure.reason',
			'there should be 100000 results, but the pages end after 250',
		);
		expect(await readAll([pageOf([{ id: 1 }], null)])).toHaveProperty('failure');
	});

	test.each([0, 1, 100, 120])('a count that is too low (%p) loses nothing', async (count) => {
		const { fetchPage } = serviceWith({ count: 250, cap: 100 });
		const outcome = await read(async (number, size) => {
			const came = await fetchPage(number, size);
			return 'page' in came ? { page: { ...came.page, count } } : came;
		});
		expect(idsOf(outcome)).toHaveLength(250);
	});

	test('a service that counts results twice: fewer than it counts are no success', async () => {
		const outcome = await readAll([
			pageOf([{ id: 1 }, { id: 2 }], 'more', 4),
			pageOf([{ id: 2 }, { id: 3 }], null, 4),
		]);
		expect(outcome).toHaveProperty(
			'failure.reason',
			expect.stringContaining('counts 4 results, but only 3 different ones were found'),
		);
	});

	test.each(['', {}, [], null, undefined, false])(
		'results with the ID %p are told apart by all that they hold, and two that are the same are both there',
		async (id) => {
			const same = { id, total: '1' };
			const page = pageOf([same, { id, total: '2' }, { ...same }], null, 3);
			expect(await readAll([page])).toMatchObject({ results: page.results });
		},
	);

	test('a service that refuses sizes that were not its idea is read in its own pages', async () => {
		const { fetchPage } = serviceWith({ count: 250, cap: 50 });
		const outcome = await read(async (number, size) =>
			size === undefined ? await fetchPage(number) : { failure: { ...notFound, status: 422 } },
		);
		expect(idsOf(outcome)).toHaveLength(250);
	});

	test('a 404 is the end of the list, but not in its middle', async () => {
		expect(await readAll([{ ...pageOf([{ id: 1 }]), count: 1 }])).toMatchObject({
			results: [{ id: 1 }],
		});
		expect(await readAll([pageOf([{ id: 1 }])])).toHaveProperty(
			'failure.reason',
			'there should be 100 results, but the pages end after 1',
		);
	});

	test('a 404 on a later page to begin with is the end only if there is a first page', async () => {
		expect(await readAll([pageOf([{ id: 1 }], null, 1)], 9)).toMatchObject({ results: [] });
		expect(await readAll([], 9)).toHaveProperty('failure.status', 404);
	});
});

test('a count of a thousand million costs no more than the pages that are there', async () => {
	// Results that come twice make the list look shorter than it counts, so its seams are looked at again.
	const ids = ['a', 'a', 'a', 'a', 'a'];
	let requests = 0;
	const outcome = await read(async (number) => {
		requests += 1;
		const count = number === 2 ? 999_999_999 : ids.length;
		const next = number < ids.length ? 'more' : null;
		return { page: { count, next, results: [{ id: ids[number - 1] }] } };
	});
	expect(outcome).toHaveProperty('failure');
	expect(requests).toBeLessThan(1000);
});
