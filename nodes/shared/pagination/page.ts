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
