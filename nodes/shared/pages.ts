import type { Failure } from './failure';

/** One page of a list (spec 4.2). */
export interface Page {
	count: number;
	next: string | null;
	results: Array<Record<string, unknown>>;
}

/** What a page gave: the page, its end (`undefined`), or why it could not be read. */
export type PageOutcome = { page: Page | undefined } | { failure: Failure };

export type ReadOutcome = { results: Page['results'] } | { failure: Failure };

/**
 * Reads pages from `startPage` on until `limit` results are there or the list ends: `next` is null, or a page is empty or past
 * the end. `next` itself is never requested. A result that is seen again, because the list moved while it was read, is left
 * out. A page that holds only what was seen before is an error: the list would never end.
 */
export async function readPages(
	fetchPage: (page: number) => Promise<PageOutcome>,
	{ startPage, limit }: { startPage: number; limit: number },
): Promise<ReadOutcome> {
	const results: Page['results'] = [];
	const seen = new Set<unknown>();
	for (let number = startPage; results.length < limit; number++) {
		const outcome = await fetchPage(number);
		if ('failure' in outcome) return outcome;
		const { page } = outcome;
		if (!page || page.results.length === 0) break;
		const fresh = page.results.filter(({ id }) => id === undefined || !seen.has(id));
		if (fresh.length === 0) return { failure: endless(number) };
		fresh.forEach(({ id }) => seen.add(id));
		results.push(...fresh);
		if (page.next === null || page.next === undefined) break;
	}
	return { results: results.slice(0, limit) };
}

function endless(page: number): Failure {
	return {
		kind: 'unexpected',
		method: 'GET',
		path: '',
		reason: `page ${page} of the list holds only what earlier pages held, and says that more follows`,
	};
}

/** Reads an answer as a page (spec 4.2, 4.3), or tells what it is instead. */
export function toPage(body: unknown): Page | string {
	if (Array.isArray(body)) return 'a bare list instead of a page with "results"';
	const { results, next, count } = (body ?? {}) as Partial<Page>;
	if (!Array.isArray(results)) return 'no page with "results"';
	if (!isListOfObjects(results)) return 'a page with results that are no objects';
	return { results, next: next ?? null, count: Number(count ?? 0) };
}

/** Whether a value is a list of which every element is an object. */
export function isListOfObjects(value: unknown): value is Array<Record<string, unknown>> {
	return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
}
