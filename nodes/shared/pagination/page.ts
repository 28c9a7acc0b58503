import type { Parsed } from '../result';
import { failed, notRead, ok } from '../result';
import type { Answer, FailedAnswer, Failure } from '../transport/failure';
import { errorIn } from '../transport/response';

export type Result = Record<string, unknown>;

/** Spec 4.2 */
export interface Page {
	/** `undefined` if the service gives no usable number. */
	count: number | undefined;
	next: string | null;
	results: Result[];
	/** `count` is something else than a number of results, such as -1. */
	hasBadCount?: true;
}

export type PageOutcome = Answer<Page>;

/** The first page is 1. `size` undefined: the default size. A probe is not retried. */
export type FetchPage = (page: number, size?: number, isProbe?: boolean) => Promise<PageOutcome>;

export const emptyPage: Page = { count: undefined, next: null, results: [] };

export const isEnd = ({ results, next }: Page) => results.length === 0 || !next;

/** Past the end, services answer with a 404 or an empty page. */
export const isPastTheEnd = (outcome: PageOutcome): boolean =>
	!outcome.ok && outcome.failure.kind === 'status' && outcome.failure.status === 404;

export const isRefusal = ({ kind, status }: Failure) =>
	kind === 'status' && (status === 400 || status === 422);

export const isUsableId = (id: unknown): id is string | number =>
	(typeof id === 'string' && id !== '') || typeof id === 'number';

/** Reads a page (spec 4.2, 4.3). The problem describes what came instead. */
export function toPage(body: unknown): Parsed<Page> {
	if (Array.isArray(body)) return notRead('a bare list instead of a page with "results"');
	const { results, next, count } = (body ?? {}) as Record<keyof Page, unknown>;
	const error = errorIn(body);
	if (error !== undefined) return notRead(`a page that reports an error: ${error}`);
	if (!Array.isArray(results)) return notRead('no page with "results"');
	if (!isListOfObjects(results)) return notRead('a page with results that are no objects');
	const number = Number(count ?? NaN);
	const isCount = Number.isInteger(number) && number >= 0;
	return ok({
		results,
		next: next ? String(next) : null,
		count: isCount ? number : undefined,
		...(!isCount && count !== undefined && count !== null && { hasBadCount: true }),
	});
}

/** Why "there is nothing" cannot be believed of a page that contradicts itself. `page`: its number. */
export function contradictionIn({ results, next, count = 0, hasBadCount }: Page, page: number) {
	if (hasBadCount) return 'a page whose count is no number of results';
	if (results.length > 0) return undefined;
	if (next) return 'a page without results that says more follow';
	return page === 1 && count > 0 ? `a page without results that counts ${count}` : undefined;
}

export function isListOfObjects(value: unknown): value is Result[] {
	return (
		Array.isArray(value) &&
		value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
	);
}

/** A page may lack a few results, because some services leave out deleted ones after they have cut the page. */
export function ignoresSize(size: number, { results: { length }, next }: Page): boolean {
	return length > size || (length < 0.9 * size && next !== null);
}

export function pagingFailure(reason: string, counted?: number): FailedAnswer {
	return failed({
		kind: 'unexpected',
		method: 'GET',
		path: '',
		reason,
		...(counted !== undefined && { counted }),
	});
}

export class UniqueResults {
	private readonly results = new Map<unknown, { result: Result; index: number }>();

	get size(): number {
		return this.results.size;
	}

	has(result: Result): boolean {
		return this.results.has(keyOf(result));
	}

	/** Adds a page with `start` results before it. Returns the keys of its results. */
	add({ results, start }: { results: Result[]; start: number }): unknown[] {
		const keys = keysOf(results);
		// The last index counts, because an abandoned reading may have had wrong indexes.
		keys.forEach((key, index) => {
			this.results.set(key, { result: results[index], index: start + index });
		});
		return keys;
	}

	inOrder(): Result[] {
		return [...this.results.values()].sort((a, b) => a.index - b.index).map(({ result }) => result);
	}
}

export const keysOf = (results: Result[]): string[] => results.map(keyOf);

/** Results without an ID are compared whole. */
const keyOf = (result: Result): string =>
	isUsableId(result.id) ? String(result.id) : JSON.stringify(result);
