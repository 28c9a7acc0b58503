import type { Failure } from './failure';

/** One page of a list (spec 4.2). */
export interface Page {
	count: number;
	next: string | null;
	results: Array<Record<string, unknown>>;
}

/** What a page gave: the page, or why it could not be read. */
export type PageOutcome = { page: Page } | { failure: Failure };

export type ReadOutcome = { results: Page['results'] } | { failure: Failure };

/** What tells a result from others: its id, or without one all that it says. */
const keyOf = (result: Page['results'][number]) => result.id ?? JSON.stringify(result);

/** The service answers a page past the end of a list with nothing, or with a 404. */
const isPastTheEnd = (outcome: PageOutcome): outcome is { failure: Failure } =>
	'failure' in outcome && outcome.failure.kind === 'status' && outcome.failure.status === 404;

/**
 * Reads pages from `startPage` on until `limit` results are there or the list ends: `next` is null, or a page is empty or past
 * the end. `next` itself is never requested. A result that is seen again, because the list moved while it was read, is left
 * out. Failures: a page that holds only what was seen before, for the list would never end; a 404 before all `count` results
 * of the list were there.
 */
export async function readPages(
	fetchPage: (page: number) => Promise<PageOutcome>,
	{ startPage, limit }: { startPage: number; limit: number },
): Promise<ReadOutcome> {
	const results: Page['results'] = [];
	const seen = new Set<unknown>();
	let count = 0;
	for (let number = startPage; results.length < limit; number++) {
		const outcome = await fetchPage(number);
		if (number > 1 && isPastTheEnd(outcome)) {
			if (number === startPage) return await endOrFailure(fetchPage, outcome);
			if (startPage > 1 || results.length >= count) break;
		}
		if ('failure' in outcome) return outcome;
		const { page } = outcome;
		if (page.results.length === 0) break;
		const fresh = page.results.filter((result) => !seen.has(keyOf(result)));
		if (fresh.length === 0) return { failure: endless(number) };
		for (const result of fresh) {
			seen.add(keyOf(result));
			results.push(result);
		}
		count = page.count;
		if (!page.next) break;
	}
	return { results: results.slice(0, limit) };
}

/** A 404 on the page to begin with: the end of a shorter list if there is a first page, else a wrong address. */
async function endOrFailure(
	fetchPage: (page: number) => Promise<PageOutcome>,
	notFound: { failure: Failure },
): Promise<ReadOutcome> {
	const first = await fetchPage(1);
	return 'failure' in first ? notFound : { results: [] };
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
	return (
		Array.isArray(value) &&
		value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
	);
}
