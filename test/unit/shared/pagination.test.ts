import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Page, PageOutcome } from '../../../nodes/shared/pagination/page';
import type { ListRequest } from '../../../nodes/shared/pagination/listReader';
import { pageAfter } from '../../../nodes/shared/pagination/overlap';
import { readAll } from '../../../nodes/shared/pagination/readAll';
import { failed, ok } from '../../../nodes/shared/result';
import { isNight } from '../../helpers/someOf';

type FetchPage = ListRequest['fetchPage'];

/** A result that appears or disappears just before a request. `at`: its place, from 0 (start) to 1. */
interface Change {
	request: number;
	at: number;
	isRemoval: boolean;
}

interface ServiceOptions {
	count: number;
	/** Largest page, and length of every page if the service ignores sizes. */
	cap: number;
	ignoresSize?: boolean;
	/** Length of pages for which another size than `cap` was asked. */
	fallback?: number;
	changes?: Change[];
	/** Duration of each request in turns of the event loop, used in rotation. */
	delays?: number[];
	hasCount?: boolean;
}

/** A service and a reading of its list. */
interface Run extends Required<ServiceOptions> {
	limit: number;
	startPage: number;
	concurrency: number;
	/** The result to look for, or n: every n-th is wanted. */
	which: number;
}

type AnyRun = { [Key in keyof Run]: fc.Arbitrary<Run[Key]> };

/** A list that changes while it is read. */
function serviceWith(options: ServiceOptions) {
	const { count, cap, changes = [], delays = [0], hasCount = true } = options;
	const { ignoresSize = false, fallback = 0 } = options;
	const list = Array.from({ length: count }, (_, id) => ({ id }));
	const everThere = new Set(list.map(({ id }) => id));
	const alwaysThere = new Set(everThere);
	let asked = 0;
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
		const turns = delays[(asked += 1) % delays.length];
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		answered += 1;
		changes.filter(({ request }) => request === answered).forEach(change);
		const given = fallback && wanted && wanted !== cap ? fallback : Math.min(wanted ?? cap, cap);
		const size = ignoresSize ? cap : given;
		const results = list.slice((number - 1) * size, number * size);
		const next = number * size < list.length ? 'more' : null;
		return ok({ count: hasCount ? list.length : undefined, next, results });
	};
	return { asked: () => asked, fetchPage, everThere, alwaysThere };
}

const firstGoes = (request: number): Change => ({ request, at: 0, isRemoval: true });
const lastGoes = (request: number): Change => ({ request, at: 0.999, isRemoval: true });
const firstComes = (request: number): Change => ({ request, at: 0, isRemoval: false });
const lastComes = (request: number): Change => ({ request, at: 1, isRemoval: false });
/** The list moves up by one, and keeps its length. */
const movesUp = (request: number) => [firstGoes(request), lastComes(request)];
const movesDown = (request: number) => [lastGoes(request), firstComes(request)];

/** Changes some fields of each page. */
const pagesWith =
	(fetchPage: FetchPage, change: (page: Page, number: number) => object): FetchPage =>
	async (number, size) => {
		const outcome = await fetchPage(number, size);
		return outcome.ok ? ok({ ...outcome.value, ...change(outcome.value, number) }) : outcome;
	};

const read = async (
	fetchPage: FetchPage,
	{ startPage = 1, limit = Infinity, isWanted, concurrency = 5 }: Partial<ListRequest> = {},
) => await readAll({ fetchPage, startPage, limit, isWanted, concurrency });

const idsOf = (outcome: Awaited<ReturnType<typeof readAll>>) => {
	if (!outcome.ok) throw new Error(outcome.failure.reason);
	return outcome.value.map(({ id }) => id as number);
};
const failure = (reason: string) => ({
	failure: { reason: expect.stringMatching(reason) as string },
});

const range = (min: number, max: number) => fc.integer({ min, max });
const anyCap = range(1, 60);
const oneOrMore = range(1, 150);
const changesOf = (isRemoval: fc.Arbitrary<boolean>) => {
	const at = fc.double({ min: 0, max: 0.999, noNaN: true });
	return fc.array(fc.record({ request: range(2, 40), at, isRemoval }), { maxLength: 12 });
};
const anyChanges = changesOf(fc.boolean());
const anyRun: AnyRun = {
	count: fc.nat(300),
	cap: anyCap,
	ignoresSize: fc.constant(false),
	fallback: fc.constant(0),
	hasCount: fc.constant(true),
	changes: fc.constant([]),
	limit: fc.constant(Infinity),
	startPage: fc.constant(1),
	concurrency: range(1, 8),
	delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 7 }),
	which: range(1, 50),
};
type Property = (run: Run, service: ReturnType<typeof serviceWith>) => Promise<void>;

const numRuns = isNight ? 2000 : 120;

/** Checks random runs, with the parts of `own` instead of the usual ones. */
const check = async (own: Partial<AnyRun>, property: Property, examples: Run[] = []) =>
	await fc.assert(
		fc.asyncProperty(
			fc.record<Run>({ ...anyRun, ...own }),
			async (run) => await property(run, serviceWith(run)),
		),
		{ numRuns, examples: examples.map((example) => [example]) },
	);

describe('a list that does not change', () => {
	const either = { ignoresSize: fc.boolean(), limit: fc.oneof(fc.constant(Infinity), oneOrMore) };
	// The page that should overlap with the first one is past the end.
	const pastTheEnd: Run = {
		...{
			count: 116,
			cap: 23,
			ignoresSize: true,
			hasCount: false,
			fallback: 0,
			changes: [],
			delays: [0],
		},
		...{ limit: Infinity, startPage: 5, concurrency: 1, which: 1 },
	};

	test('gives the wanted results in order, up to the limit, for any page size', async () => {
		const which = fc.oneof(fc.constant(1), range(1, 50));
		const own = { ...either, which, hasCount: fc.boolean(), startPage: range(1, 5) };
		const property: Property = async (run, { asked, fetchPage }) => {
			const first = (run.startPage - 1) * run.cap;
			const isWanted = ({ id }: Record<string, unknown>) =>
				Number(id) % run.which === run.which - 1;
			const all = Array.from({ length: Math.max(0, run.count - first) }, (_, at) => first + at);
			const wanted = all.filter((id) => isWanted({ id })).slice(0, run.limit);
			const filter = run.which > 1 && { isWanted };
			expect(idsOf(await read(fetchPage, { ...run, ...filter }))).toEqual(wanted);
			if (wanted.length === run.limit && !run.ignoresSize) {
				const needed = Math.ceil(((wanted.at(-1) ?? 0) - first + 1) / run.cap);
				expect(asked()).toBeLessThanOrEqual(2 * needed + run.concurrency);
			}
		};
		await check(own, property, [pastTheEnd]);
	});

	test('reads no more pages than the limit needs', async () => {
		await check({ limit: range(1, 300) }, async (run, { asked, fetchPage }) => {
			await read(fetchPage, run);
			const needed = Math.ceil(Math.min(run.limit, run.count) / run.cap);
			expect(asked()).toBe(Math.max(1, needed));
		});
	});

	test('reads few pages twice if there is no limit', async () => {
		const { asked, fetchPage } = serviceWith({ count: 10_000, cap: 100 });
		expect(idsOf(await read(fetchPage))).toHaveLength(10_000);
		expect(asked()).toBeLessThan(120);
	});

	test('reads pages side by side', async () => {
		const { fetchPage } = serviceWith({ count: 1000, cap: 100, delays: [3] });
		let [inFlight, most] = [0, 0];
		await read(async (number, size) => {
			most = Math.max(most, (inFlight += 1));
			return await fetchPage(number, size).finally(() => (inFlight -= 1));
		});
		expect(most).toBe(5);
	});
});

describe('a list that changes during the reading', () => {
	const large = { count: fc.nat(400), cap: range(20, 60), changes: anyChanges };
	const expectWhole = (
		ids: number[],
		{ alwaysThere, everThere }: ReturnType<typeof serviceWith>,
	) => {
		expect(new Set(ids).size).toBe(ids.length);
		expect([...alwaysThere].filter((id) => !ids.includes(id))).toEqual([]);
		expect(ids.filter((id) => !everThere.has(id))).toEqual([]);
	};

	test('[R9] gives everything exactly once, whatever appears and disappears', async () => {
		await check(large, async (run, service) => {
			expectWhole(idsOf(await read(service.fetchPage, run)), service);
		});
	});

	// The results after the first page move up into its place. Pages without an overlap would skip them.
	test.each<[string, ServiceOptions, number?]>([
		['one goes and one comes, so the count stays', { count: 11, cap: 10, changes: movesUp(2) }],
		['more go and come than two pages share', { count: 12, cap: 10, changes: [...movesUp(2), ...movesUp(2)] }],
		['one goes from a list without a count', { count: 11, cap: 10, changes: [firstGoes(2)], hasCount: false }],
		['one goes and one comes while five pages are read at once', { count: 60, cap: 10, changes: movesUp(4) }, 5],
		['results go before and after the place that is read', { count: 20, cap: 10, changes: [firstGoes(2), lastGoes(3)] }],
		['the list ends earlier with each page', { count: 20, cap: 10, changes: [lastGoes(2), lastGoes(2), lastGoes(3), lastGoes(3)] }],
		['results go while pages are read again', { count: 20, cap: 10, changes: [firstGoes(2), firstGoes(5)] }],
		['results move up and down again', { count: 12, cap: 10, changes: [...movesUp(2), ...movesDown(3)] }],
		['one comes to a list without a count', { count: 20, cap: 10, changes: [firstComes(2)], hasCount: false }],
	])('[R9] loses nothing, and is sure of it, if %s', async (_name, options, concurrency = 1) => {
		const service = serviceWith(options);
		const outcome = await read(service.fetchPage, { concurrency });
		expectWhole(idsOf(outcome), service);
		expect(outcome).toHaveProperty('isSure', true);
	}); // prettier-ignore

	test('[R9] finds the wanted result if one goes and one comes', async () => {
		const { fetchPage } = serviceWith({ count: 11, cap: 10, changes: movesUp(2) });
		const isWanted = ({ id }: Record<string, unknown>) => id === 10;
		expect(idsOf(await read(fetchPage, { limit: 1, isWanted, concurrency: 1 }))).toEqual([10]);
	});

	test('reads few pages again if one result goes, and another while these pages are read again', async () => {
		const service = serviceWith({ count: 1000, cap: 100, changes: [firstGoes(2), firstGoes(13)] });
		expectWhole(idsOf(await read(service.fetchPage, { concurrency: 1 })), service);
		expect(service.asked()).toBeLessThan(18);
	});

	test.each([
		['small pages, removals', { cap: range(2, 9) }, true],
		['small pages, additions', { cap: range(2, 9) }, false],
		['sizes ignored, removals', { cap: range(2, 30), ignoresSize: fc.constant(true) }, true],
		['sizes ignored, additions', { cap: range(2, 30), ignoresSize: fc.constant(true) }, false],
	])(
		'gives everything exactly once if pages cannot overlap, but the count changes (%s)',
		async (_, own, isRemoval) => {
			const changes = changesOf(fc.constant(isRemoval));
			await check({ count: fc.nat(80), changes, ...own }, async (run, service) => {
				expectWhole(idsOf(await read(service.fetchPage, run)), service);
			});
		},
	);

	test('gives everything exactly once if the service falls back to another page size', async () => {
		const sizes = { cap: fc.constant(100), fallback: fc.constantFrom(10, 25, 50, 80) };
		const own = { ...sizes, count: fc.nat(900), changes: anyChanges };
		const inTheMiddle: Run = {
			...{ count: 162, cap: 100, ignoresSize: false, fallback: 80, hasCount: true, delays: [0] },
			...{ changes: movesUp(3), limit: Infinity, startPage: 1, concurrency: 1, which: 1 },
		};
		const property: Property = async (run, service) =>
			expectWhole(idsOf(await read(service.fetchPage, run)), service);
		await check(own, property, [inTheMiddle]);
	});

	test('gives as many as the limit says, all different and real, if the count changes', async () => {
		const changes = fc.boolean().chain((isRemoval) => changesOf(fc.constant(isRemoval)));
		const own = { count: fc.nat(200), limit: oneOrMore, changes, concurrency: fc.constant(5) };
		await check(own, async ({ limit }, { fetchPage, alwaysThere, everThere }) => {
			const ids = idsOf(await read(fetchPage, { limit }));
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBeGreaterThanOrEqual(Math.min(limit, alwaysThere.size));
			expect(ids.length).toBeLessThanOrEqual(limit);
			expect(ids.filter((id) => !everThere.has(id))).toEqual([]);
		});
	});

	test('finds the wanted result, whatever appears and disappears', async () => {
		const own = { ...large, count: range(1, 400), which: fc.nat(399) };
		await check(own, async ({ count, which, concurrency }, { fetchPage, alwaysThere }) => {
			const wanted = which % count;
			const isWanted = ({ id }: Record<string, unknown>) => id === wanted;
			const ids = idsOf(await read(fetchPage, { limit: 1, isWanted, concurrency }));
			if (alwaysThere.has(wanted)) expect(ids).toEqual([wanted]);
		});
	});

	test.each([
		['numbers', Number],
		['text', String],
	] as const)('gives a result that changes itself once, if IDs are %s', async (_, idOf) => {
		const { fetchPage } = serviceWith({ count: 250, cap: 50 });
		let request = 0;
		const outcome = await read(
			pagesWith(fetchPage, ({ results }) => {
				request += 1;
				return { results: results.map(({ id }) => ({ id: idOf(id), request })) };
			}),
		);
		expect(idsOf(outcome)).toEqual(Array.from({ length: 250 }, (_, id) => idOf(id)));
	});

	test('reads the end of a page again if only a part of the list is read, so that nothing is missed if results go', () => {
		const next = pageAfter({ number: 1, start: 0 }, 100, { mayOverlap: true, isPart: true });
		expect(next.start).toBeLessThanOrEqual(98);
		expect(next.start + (next.size ?? 0)).toBeGreaterThan(100);
	});

	test('fails if the list never stops changing', async () => {
		let seed = 0;
		const fetchPage = async (number: number, size = 20): Promise<PageOutcome> => {
			seed += 1000;
			const results = Array.from({ length: size }, (_, index) => ({ id: seed + index }));
			return ok({ count: 60 + seed, next: number < 3 ? 'more' : null, results });
		};
		expect(await read(fetchPage)).toMatchObject(
			failure('faster than it can be read|pages end after'),
		);
	});
});

describe('a service that shuffles equal results', () => {
	type Draw = (page: number, size: number) => number;
	/** A list of groups of equal results. `draw` gives the seed of their order. */
	const sortedBy = (count: number, group: number, draw: Draw, cap = 100) => {
		let asked = 0;
		const fetchPage = async (page: number, size = cap): Promise<PageOutcome> => {
			asked += 1;
			const random = xoroshiro128plus(Math.imul(draw(page, size), 0x9e3779b1));
			for (let warm = 0; warm < 8; warm++) random.next();
			const own = Math.min(size, cap);
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
			return ok({ count, next: page * own < count ? 'more' : null, results });
		};
		return { fetchPage, asked: () => asked };
	};
	let requests = 0;
	beforeEach(() => void (requests = 0));
	const ways: Record<string, Draw> = {
		'for each page and size': (page, size) => page * 1000 + size,
		'for each size': (_page, size) => size,
		'for each request': () => (requests += 1),
	};

	test.each(
		Object.keys(ways).flatMap((way) => [20, 25, 49, 300].map((group) => [way, group] as const)),
	)('gives all 3,000 results if it shuffles %s, in groups of %i', async (way, group) => {
		const { fetchPage, asked } = sortedBy(3000, group, ways[way]);
		const ids = idsOf(await read(fetchPage));
		expect([ids.length, new Set(ids).size]).toEqual([3000, 3000]);
		// Results that were found later stand among their neighbours.
		const places = ids.map((id, at) => Math.abs(at - Math.floor(id / group) * group));
		expect(Math.max(...places)).toBeLessThan(2 * group);
		if (group < 50) expect(asked()).toBeLessThan(250);
	});

	test('gives all results even if all are equal', async () => {
		const { fetchPage } = sortedBy(100, 100, ways['for each request'], 25);
		const ids = idsOf(await read(fetchPage)).sort((a, b) => a - b);
		expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
	});

	test('never gives only a part of the list', async () => {
		const sizes = fc.record({ count: range(1, 200), group: range(1, 200), cap: anyCap });
		await fc.assert(
			fc.asyncProperty(sizes, fc.boolean(), fc.nat(), async (of, ignoresSize, seed) => {
				let draws = seed;
				const { fetchPage } = sortedBy(of.count, of.group, () => (draws += 1));
				const outcome = await read(
					async (page, size = of.cap) =>
						await fetchPage(page, ignoresSize ? of.cap : Math.min(size, of.cap)),
				);
				const isWhole = outcome.ok && outcome.value.length === of.count;
				if (!isWhole) expect(outcome).toHaveProperty('failure');
			}),
			{ numRuns },
		);
	});

	/** Shows `other` in the place of the result that `missing` names: the two have changed places for this page. */
	const swapping = (
		fetchPage: FetchPage,
		other: number,
		missing: (request: number, length: number) => number | undefined,
	): FetchPage => {
		let request = 0;
		return pagesWith(fetchPage, ({ results }) => {
			const id = missing((request += 1), results.length);
			return { results: results.map((one) => (one.id === id ? { id: other } : one)) };
		});
	};
	const two = { count: 20, cap: 10 };
	const three = { count: 30, cap: 10 };

	test.each<[string, ServiceOptions, (request: number, length: number) => number | undefined, number?]>([
		['only a page across a border shows one of them', two, (_request, length) => (length === 7 ? undefined : 10)],
		['one is missing, and another that was seen is removed', { ...two, changes: [lastGoes(5)] }, (request) => (request > 7 ? undefined : 10)],
		['no reading shows all', three, (request) => (Math.ceil(request / 3) % 2 ? 20 : 25), 2],
		['the second reading shows nothing new', three, (request) => (request > 6 ? undefined : 20), 2],
	])('gives all results if %s', async (_name, options, missing, startPage = 1) => {
		const service = serviceWith(options);
		const first = (startPage - 1) * options.cap;
		const fetchPage = swapping(service.fetchPage, first, missing);
		const all = Array.from({ length: options.count - first }, (_, at) => first + at);
		const ids = idsOf(await read(fetchPage, { startPage, concurrency: 1 }));
		expect(ids.sort((a, b) => a - b)).toEqual(all);
	}); // prettier-ignore

	test('keeps the order if the service ignores sizes', async () => {
		const { fetchPage } = serviceWith({ ...two, ignoresSize: true });
		const shuffled = swapping(fetchPage, 0, (request) => (request > 4 ? undefined : 10));
		const all = Array.from({ length: two.count }, (_, id) => id);
		expect(idsOf(await read(shuffled, { concurrency: 1 }))).toEqual(all);
	});

	test('asks for no more pages than needed to find the missing result', async () => {
		const { fetchPage, asked } = serviceWith(two);
		await read(swapping(fetchPage, 0, (_request, length) => (length === 7 ? undefined : 10)));
		expect(asked()).toBe(4);
	});

	test.each([true, false])(
		'finds what one page left out if others contradict it, count: %p',
		async (hasCount) => {
			const changes = hasCount ? [lastComes(2)] : [];
			const service = serviceWith({ ...two, hasCount, changes });
			const fetchPage = swapping(service.fetchPage, 8, (request) =>
				request === 2 ? 10 : undefined,
			);
			const outcome = await read(
				pagesWith(fetchPage, ({ results }, number) => {
					const [first, second, ...others] = results;
					return { results: number === 3 ? [second, first, ...others] : results };
				}),
				{ concurrency: 1 },
			);
			expect(idsOf(outcome)).toHaveLength(service.everThere.size);
		},
	);

	test.each([
		[500, 'fails'],
		[404, 'reads on, because the list may have become shorter'],
	])('if a page across a border gives status %i, it %s', async (status) => {
		const { fetchPage } = serviceWith(two);
		const shuffled = swapping(fetchPage, 0, (request) => (request > 3 ? undefined : 10));
		const refusal = failed({ kind: 'status', status, method: 'GET', path: '' } as const);
		const outcome = await read(async (number, size) =>
			size === 7 ? refusal : await shuffled(number, size),
		);
		if (status === 404) expect(idsOf(outcome)).toHaveLength(two.count);
		else expect(outcome).toEqual(refusal);
	});

	test('gives all results or fails without a count, because repeated results reveal missing ones', async () => {
		const { fetchPage } = sortedBy(200, 200, ways['for each request']);
		const outcome = await read(pagesWith(fetchPage, () => ({ count: undefined })));
		if (outcome.ok) expect(idsOf(outcome)).toHaveLength(200);
		else expect(outcome.failure.reason).toContain('different ones were found');
	});
});

describe('a strange list', () => {
	const pageOf = (results: Page['results'], next: unknown = 'more', count = 100): Page => ({
		count,
		next: next as string,
		results,
	});
	const one = [{ id: 1 }];
	const status = (code: number) =>
		({ kind: 'status', status: code, method: 'GET', path: '/v1/charges' }) as const;
	const withoutId = [
		{ total: '1', id: null },
		{ total: '2', id: null },
	];
	const sameTwice = (id: unknown) => [
		{ id, total: '1' },
		{ id, total: '2' },
		{ id, total: '1' },
	];
	const twice = 'counts 4 results, but only 3 different ones were found';

	test.each<[string, Page[], object, number?]>([
		...[null, '', false].map(
			(next): [string, Page[], object] => [`ends at next: ${next}`, [pageOf(one, next, 1)], ok(one)],
		),
		...['', {}, [], null, undefined, false].map((id): [string, Page[], object] => [
			`fails rather than give fewer results with the ID ${JSON.stringify(id)}, if two are the same`,
			[pageOf(sameTwice(id), null, 3)],
			failure('counts 3 results, but only 2 different ones were found'),
		]),
		['gives results without an ID from several pages', withoutId.map((result, at) => pageOf([result], at ? null : 'more', 2)), ok(withoutId)],
		['fails if there are fewer results than the count says', [pageOf(one, null)], failure('')],
		['fails if the service counts results twice', [pageOf([{ id: 1 }, { id: 2 }], 'more', 4), pageOf([{ id: 2 }, { id: 3 }], null, 4)], failure(twice)],
		['ends at a 404 if the count is reached', [pageOf(one, 'more', 1)], ok(one)],
		['fails at a 404 in the middle', [pageOf(one)], failure('there should be 100 results, but the pages end after 1')],
		['gives nothing if the start page is past the end', [pageOf(one, null, 1)], ok([]), 9],
		['fails if every page is a 404', [], { failure: { status: 404 } }, 9],
	])('%s', async (_name, pages, outcome, startPage = 1) => {
		const fetchPage: FetchPage = async (number) =>
			pages[number - 1] ? ok(pages[number - 1]) : failed(status(404));
		expect(await read(fetchPage, { startPage })).toMatchObject(outcome);
	}); // prettier-ignore

	test('stops at the first page that fails', async () => {
		const { fetchPage, asked } = serviceWith({ count: 1000, cap: 20 });
		const refusal = failed(status(500));
		const outcome = await read(
			async (number, size) => (number === 3 ? refusal : await fetchPage(number, size)),
			{ concurrency: 2 },
		);
		expect(outcome).toEqual(refusal);
		expect(asked()).toBeLessThan(8);
	});

	test.each([
		[9, failure('page 2 of the')],
		[1, ok(one)],
		[undefined, failure('page 2 of the')],
		[1_000_000, failure('page 2 of the')],
	])('notices a page that repeats forever, count %p', async (count, expected) => {
		let asked = 0;
		const outcome = await read(async () => {
			asked += 1;
			return ok({ ...pageOf(one), count });
		});
		expect(outcome).toMatchObject(expected);
		expect(asked).toBeLessThan(30);
	});

	test.each<[string, (page: Page) => object]>([
		['there is always a next', () => ({ next: 'more' })],
		['pages past the end have a next and repeat a result', ({ results }) => ({ next: 'more', results: results.length ? results : [{ id: 249 }] })],
		...[0, 1, 100, 120].map((count): [string, () => object] => [`the count is ${count}, which is too low`, () => ({ count })]),
	])('loses nothing if %s', async (_name, change) => {
		const { fetchPage } = serviceWith({ count: 250, cap: 100 });
		expect(idsOf(await read(pagesWith(fetchPage, change)))).toHaveLength(250);
	}); // prettier-ignore

	test('fails if the count is too high', async () => {
		const { fetchPage } = serviceWith({ count: 250, cap: 100 });
		const outcome = await read(pagesWith(fetchPage, () => ({ count: 100_000 })));
		expect(outcome).toMatchObject(
			failure('^there should be 100000 results, but the pages end after 250$'),
		);
		// The trigger tells a wrong count from other failures.
		expect(outcome).toHaveProperty('failure.counted', 100_000);
	});

	test('keeps the pages that were read before time is up', async () => {
		const { fetchPage } = serviceWith({ count: 1000, cap: 100 });
		const stopped = failed({ kind: 'stopped', method: 'GET', path: '' } as const);
		let kept: number[] = [];
		const outcome = await readAll({
			fetchPage: async (number, size) => (number > 4 ? stopped : await fetchPage(number, size)),
			...{ startPage: 1, limit: Infinity, concurrency: 5 },
			onRound: ({ pages }) => (kept = pages.map(({ number }) => number)),
		});
		expect(outcome).toEqual(stopped);
		expect(kept).toEqual([1, 2, 3, 4]);
	});

	test('reads pages of the default size if the service refuses other sizes', async () => {
		const { fetchPage } = serviceWith({ count: 250, cap: 50 });
		const outcome = await read(async (number, size) =>
			size === undefined ? await fetchPage(number) : failed(status(422)),
		);
		expect(idsOf(outcome)).toHaveLength(250);
	});

	test('makes few requests if the count is a billion by mistake', async () => {
		// Repeated results make the list look shorter than its count, so the reader checks the borders of pages again.
		let requests = 0;
		const outcome = await read(async (number) => {
			requests += 1;
			const results = number <= 5 ? [{ id: 'a' }] : [{ id: undefined }];
			return ok(pageOf(results, number < 5 ? 'more' : null, number === 2 ? 999_999_999 : 5));
		});
		expect(outcome).toHaveProperty('failure');
		expect(requests).toBeLessThan(1000);
	});
});
