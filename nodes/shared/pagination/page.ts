import type { Failure } from '../transport/failure';

/** One page of a list (spec 4.2). `count` is `undefined` if the service gives no usable number. */
export interface Page {
	count: number | undefined;
	next: string | null;
	results: Array<Record<string, unknown>>;
}

export type PageOutcome = { page: Page } | { failure: Failure };

/** Reads a page, counted from 1. Without `size`, it has the default size. A probe is not retried. */
export type FetchPage = (page: number, size?: number, isProbe?: boolean) => Promise<PageOutcome>;

export const emptyPage: Page = { count: undefined, next: null, results: [] };

/** Whether no page follows. */
export const isEnd = ({ results, next }: Page) => results.length === 0 || !next;

/** Services answer a page past the end with an empty page or a 404. */
export const isPastTheEnd = (outcome: PageOutcome): boolean =>
	'failure' in outcome && outcome.failure.kind === 'status' && outcome.failure.status === 404;

/** Whether the service may have rejected the page size. */
export const isRefusal = ({ kind, status }: Failure) =>
	kind === 'status' && (status === 400 || status === 422);

/** Whether an ID can identify a result. */
export const isUsableId = (id: unknown): id is string | number =>
	(typeof id === 'string' && id !== '') || typeof id === 'number';

/** Parses a page (spec 4.2, 4.3), or says what the answer is instead. */
export function toPage(body: unknown): Page | string {
	if (Array.isArray(body)) return 'a bare list instead of a page with "results"';
	const { results, next, count } = (body ?? {}) as Record<keyof Page, unknown>;
	if (!Array.isArray(results)) return 'no page with "results"';
	if (!isListOfObjects(results)) return 'a page with results that are no objects';
	const number = Number(count ?? NaN);
	return {
		results,
		next: next ? String(next) : null,
		count: Number.isInteger(number) && number >= 0 ? number : undefined,
	};
}

/** Whether a value is an array of objects only. */
export function isListOfObjects(value: unknown): value is Array<Record<string, unknown>> {
	return (
		Array.isArray(value) &&
		value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
	);
}

/** Whether the service ignored the page size. */
export function isOtherSize(size: number, { results: { length }, next }: Page): boolean {
	return length > size || (length < size && next !== null);
}

/** `counted`: the service's count, if fewer results were found. */
export function pagingFailure(reason: string, counted?: number): { failure: Failure } {
	return {
		failure: {
			kind: 'unexpected',
			method: 'GET',
			path: '',
			reason,
			...(counted !== undefined && { counted }),
		},
	};
}

type Result = Page['results'][number];

/** Results without duplicates, in list order. */
export class UniqueResults {
	private readonly results = new Map<unknown, { result: Result; index: number }>();

	get size(): number {
		return this.results.size;
	}

	has(result: Result): boolean {
		return this.results.has(keysOf([result])[0]);
	}

	/** Adds a page with `start` results before it. Returns the keys of its results. */
	add({ results, start }: { results: Result[]; start: number }): unknown[] {
		const keys = keysOf(results);
		// The last position counts: a reading that was given up may have had wrong ones.
		keys.forEach((key, index) => {
			this.results.set(key, { result: results[index], index: start + index });
		});
		return keys;
	}

	inOrder(): Result[] {
		return [...this.results.values()].sort((a, b) => a.index - b.index).map(({ result }) => result);
	}
}

/** Keys of results: the ID, or else the content. */
export function keysOf(results: Result[]): unknown[] {
	const known = keysByPage.get(results);
	if (known) return known;
	const keys = numberedKeys(results, (result) =>
		isUsableId(result.id) ? String(result.id) : JSON.stringify(result),
	);
	keysByPage.set(results, keys);
	return keys;
}

/** Cached, because a page is compared with several others. */
const keysByPage = new WeakMap<Result[], unknown[]>();

/** Keys of a page. Identical results without ID are numbered, because a page never repeats a result. */
export function numberedKeys(results: Result[], keyOf: (result: Result) => string): string[] {
	const seen = new Map<string, number>();
	return results.map((result) => {
		const key = keyOf(result);
		if (isUsableId(result.id)) return key;
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key} ${count}`;
	});
}
