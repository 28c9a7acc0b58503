import { keysOf } from './found';
import type { Page } from './page';

/** Where a page lies in a list: its number, its size, and how many results come before it. */
export interface PageRange {
	number: number;
	size: number;
	start: number;
}

/** Smaller pages overlap at too high a price. */
export const minOverlapping = 10;

/** Page `number`, counted from 1, in pages of `size` results. */
export const rangeOf = (number: number, size: number): PageRange => ({
	number,
	size,
	start: (number - 1) * size,
});

/**
 * The page that comes after `reach` results and overlaps with what comes before, where pages hold up to `size`: of those that
 * begin before `reach` the one that goes furthest. `undefined` where there is none.
 */
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

/** The page of up to `size` results that has a place of the list as near to its middle as can be. */
export function centredRange(at: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let best: PageRange | undefined;
	const distance = ({ start, size: own }: PageRange) => Math.abs(start + own / 2 - at);
	for (let each = size; each >= size / 2; each--) {
		const place = rangeOf(Math.floor(at / each) + 1, each);
		// A larger page reaches further where both lie as well.
		if (!best || distance(place) - each / 4 < distance(best) - best.size / 4) best = place;
	}
	return best;
}

/** A page that was read, and its place in the list. */
export interface PlacedPage extends PageRange, Page {}

/** How many results of the list there are up to the end of a page. */
const reachOf = ({ start, size }: PageRange) => start + size;

/** Whether two pages have a result in common. */
function shares(a: Page, b: Page): boolean {
	const own = new Set(keysOf(a.results));
	return keysOf(b.results).some((key) => own.has(key));
}

/** Whether nothing can have slipped between two pages: they share a result, or lie side by side in a list that is as long as it was. */
export function fits(a: PlacedPage, b: PlacedPage): boolean {
	if (b.results.length === 0) return reachOf(a) >= (a.count ?? 0);
	return shares(a, b) || (a.count === b.count && b.start >= a.start + a.results.length);
}
