import { keysOf } from './uniqueResults';
import type { Page } from './page';

/** Position of a page in a list. `start`: number of results before it. */
export interface PageRange {
	number: number;
	size: number;
	start: number;
}

/** Smaller pages cost too many requests if they overlap. */
export const minOverlapping = 10;

export const rangeOf = (number: number, size: number): PageRange => ({
	number,
	size,
	start: (number - 1) * size,
});

/** The page that overlaps the first `reach` results and goes furthest; at least half of `size`. */
export function overlappingRange(reach: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let furthest: PageRange | undefined;
	for (let candidate = size; candidate >= size / 2; candidate--) {
		const range = rangeOf(Math.floor((reach - 1) / candidate) + 1, candidate);
		const end = range.start + candidate;
		if (end > (furthest ? furthest.start + furthest.size : reach)) furthest = range;
	}
	return furthest;
}

/** The page of up to `size` results whose middle is closest to `position`. */
export function centredRange(position: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let best: PageRange | undefined;
	const distance = ({ start, size: pageSize }: PageRange) =>
		Math.abs(start + pageSize / 2 - position);
	for (let candidate = size; candidate >= size / 2; candidate--) {
		const range = rangeOf(Math.floor(position / candidate) + 1, candidate);
		// A larger page is better if both are about as close.
		if (!best || distance(range) - candidate / 4 < distance(best) - best.size / 4) best = range;
	}
	return best;
}

export interface PageWithRange extends PageRange, Page {}

const reachOf = ({ start, size }: PageRange) => start + size;

function shares(a: Page, b: Page): boolean {
	const own = new Set(keysOf(a.results));
	return keysOf(b.results).some((key) => own.has(key));
}

/** Whether no result can be missing between two pages: they share one, or adjoin in a list of the same length. */
export function fits(a: PageWithRange, b: PageWithRange): boolean {
	if (b.results.length === 0) return reachOf(a) >= (a.count ?? 0);
	return shares(a, b) || (a.count === b.count && b.start >= a.start + a.results.length);
}
