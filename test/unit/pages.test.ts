import fc from 'fast-check';
import type { Page } from '../../nodes/shared/pages';
import { readPages } from '../../nodes/shared/pages';

/** A list of `count` results in pages of `size`, and how often a page was asked for. */
function listOf(count: number, size: number) {
	const asked: number[] = [];
	const fetchPage = async (number: number) => {
		asked.push(number);
		const results = Array.from({ length: count }, (_, id) => ({ id })).slice(
			(number - 1) * size,
			number * size,
		);
		const page: Page = { count, next: number * size < count ? 'more' : null, results };
		return { page };
	};
	return { asked, fetchPage };
}

test('reads what is asked for and no page more, whatever the page size', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat(120),
			fc.integer({ min: 1, max: 40 }),
			fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 150 })),
			fc.integer({ min: 1, max: 5 }),
			async (count, size, limit, startPage) => {
				const { asked, fetchPage } = listOf(count, size);
				const outcome = await readPages(fetchPage, { startPage, limit });
				const first = (startPage - 1) * size;
				const wanted = Math.max(0, Math.min(limit, count - first));
				expect(outcome).toEqual({
					results: Array.from({ length: wanted }, (_, index) => ({ id: first + index })),
				});
				expect(asked.length).toBe(Math.max(1, Math.ceil(wanted / size)));
			},
		),
	);
});

test('a result that a later page repeats is given once', async () => {
	const pages: Page[] = [
		{ count: 3, next: 'more', results: [{ id: 1 }, { id: 2 }] },
		{ count: 3, next: null, results: [{ id: 2 }, { id: 3 }] },
	];
	const outcome = await readPages(async (number) => ({ page: pages[number - 1] }), {
		startPage: 1,
		limit: 10,
	});
	expect(outcome).toEqual({ results: [{ id: 1 }, { id: 2 }, { id: 3 }] });
});

test('a list that repeats its page for ever is an error', async () => {
	const page: Page = { count: 100, next: 'more', results: [{ id: 1 }] };
	const outcome = await readPages(async () => ({ page }), { startPage: 1, limit: Infinity });
	expect(outcome).toMatchObject({ failure: { kind: 'unexpected' } });
});

test('a failure on any page is the outcome', async () => {
	const failure = { kind: 'status', status: 500, method: 'GET', path: '/v1/charges' } as const;
	const { fetchPage } = listOf(10, 2);
	const outcome = await readPages(
		async (number) => (number === 3 ? { failure } : await fetchPage(number)),
		{
			startPage: 1,
			limit: Infinity,
		},
	);
	expect(outcome).toEqual({ failure });
});

describe('odd lists', () => {
	const pageOf = (results: Page['results'], next: unknown = 'more'): Page => ({
		count: 100,
		next: next as string,
		results,
	});
	const read = async (pages: Page[], startPage = 1) => {
		const notFound = { kind: 'status', status: 404, method: 'GET', path: '/v1/charges' } as const;
		return await readPages(
			async (number) => (pages[number - 1] ? { page: pages[number - 1] } : { failure: notFound }),
			{ startPage, limit: Infinity },
		);
	};

	test('results without an id are told apart by what they say, and do not go round for ever', async () => {
		const page = pageOf([{ total: '1' }, { total: '2', id: null }]);
		expect(
			await readPages(async () => ({ page }), { startPage: 1, limit: Infinity }),
		).toHaveProperty('failure');
		const rows = [pageOf([{ total: '1', id: null }]), pageOf([{ total: '2', id: null }], null)];
		expect(await read(rows)).toEqual({ results: [...rows[0].results, ...rows[1].results] });
	});

	test.each([null, '', false])('next: %p is the end', async (next) => {
		expect(await read([pageOf([{ id: 1 }], next)])).toEqual({ results: [{ id: 1 }] });
	});

	test('a 404 in the middle of a list is a failure, at its end it is not', async () => {
		expect(await read([pageOf([{ id: 1 }])])).toHaveProperty('failure.status', 404);
		expect(await read([{ ...pageOf([{ id: 1 }]), count: 1 }])).toEqual({ results: [{ id: 1 }] });
	});

	test('a 404 on a later page to begin with is the end only if there is a first page', async () => {
		expect(await read([pageOf([{ id: 1 }], null)], 9)).toEqual({ results: [] });
		expect(await read([], 9)).toHaveProperty('failure.status', 404);
	});
});
