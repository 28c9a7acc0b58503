import type { Page } from './page';
import { isUsableId } from './page';

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
