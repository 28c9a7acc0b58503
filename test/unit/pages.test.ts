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
