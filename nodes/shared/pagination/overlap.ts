import { keysOf } from './found';
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
	for (let each = size; each >= size / 2; each--) {
		const place = rangeOf(Math.floor((reach - 1) / each) + 1, each);
		const end = place.start + each;
		if (end > (furthest ? furthest.start + furthest.size : reach)) furthest = place;
	}
	return furthest;
}

/** The page of up to `size` results whose middle is closest to position `at`. */
export function centredRange(at: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let best: PageRange | undefined;
	const distance = ({ start, size: own }: PageRange) => Math.abs(start + own / 2 - at);
	for (let each = size; each >= size / 2; each--) {
		const place = rangeOf(Math.floor(at / each) + 1, each);
		// A larger page is better if both are about as close.
		if (!best || distance(place) - each / 4 < distance(best) - best.size / 4) best = place;
	}
	return best;
}

export interface PlacedPage extends PageRange, Page {}

const reachOf = ({ start, size }: PageRange) => start + size;

function shares(a: Page, b: Page): boolean {
	const own = new Set(keysOf(a.results));
	return keysOf(b.results).some((key) => own.has(key));
}

/** Whether no result can be missing between two pages: they share one, or adjoin in a list of the same length. */
export function fits(a: PlacedPage, b: PlacedPage): boolean {
	if (b.results.length === 0) return reachOf(a) >= (a.count ?? 0);
	return shares(a, b) || (a.count === b.count && b.start >= a.start + a.results.length);
}
