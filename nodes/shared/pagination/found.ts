import type { Page } from './page';
import { isUsableId } from './page';

type Result = Page['results'][number];

/** Results by what tells them apart, each once, in the order of the list. */
export class Found {
	private readonly results = new Map<unknown, { result: Result; place: number }>();

	get size(): number {
		return this.results.size;
	}

	/** Whether a result is there, by what tells it from others. */
	has(result: Result): boolean {
		return this.results.has(keysOf([result])[0]);
	}

	/** Adds what a page holds that begins after `start` results of the list. Gives what tells each from others. */
	add({ results, start }: { results: Result[]; start: number }): unknown[] {
		const keys = keysOf(results);
		// Where it was seen last counts: a look that was given up may have had its places wrong.
		keys.forEach((key, index) => {
			this.results.set(key, { result: results[index], place: start + index });
		});
		return keys;
	}

	/** What was found by a later look stands where it belongs, as far as can be told. */
	inOrder(): Result[] {
		return [...this.results.values()].sort((a, b) => a.place - b.place).map(({ result }) => result);
	}
}

/**
 * What tells the results of a page from others: the ID, or without a usable one all that the result holds. Of those that are the
 * same to the letter a page counts each: it never gives one twice.
 */
export function keysOf(results: Result[]): unknown[] {
	const known = keysByPage.get(results);
	if (known) return known;
	const seen = new Map<string, number>();
	const keys = results.map((result) => {
		if (isUsableId(result.id)) return String(result.id);
		const text = JSON.stringify(result);
		const count = (seen.get(text) ?? 0) + 1;
		seen.set(text, count);
		return `${text} ${count}`;
	});
	keysByPage.set(results, keys);
	return keys;
}

/** A page is compared with several others. */
const keysByPage = new WeakMap<Result[], unknown[]>();
