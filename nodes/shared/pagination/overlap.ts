import type { Page } from './page';
import { keysOf } from './page';

export interface PageRequest {
	number: number;
	/** `undefined`: the default size. */
	size?: number;
	/** Number of results before the page. */
	start: number;
}

interface PageRange extends PageRequest {
	size: number;
}

/** Smaller pages never overlap, because that would cost too many requests. */
export const minOverlapping = 10;

export const rangeOf = (number: number, size: number): PageRange => ({
	number,
	size,
	start: (number - 1) * size,
});

/** Of the pages that overlap the first `reach` results, the one that goes furthest. Its size is from `size` / 2 to `size`. */
function overlappingRange(reach: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let furthest: PageRange | undefined;
	for (let candidate = size; candidate >= size / 2; candidate--) {
		const range = rangeOf(Math.floor((reach - 1) / candidate) + 1, candidate);
		const end = range.start + candidate;
		if (end > (furthest ? furthest.start + furthest.size : reach)) furthest = range;
	}
	return furthest;
}

export function pageAfter(
	previous: PageRequest,
	size: number,
	{ mayOverlap, isPart }: { mayOverlap: boolean; isPart: boolean },
): PageRequest {
	const reach = previous.start + (previous.size ?? size);
	const next = mayOverlap ? overlappingPage(reach, size, isPart) : undefined;
	if (next) return next;
	// No size overlaps, so `reach` is a multiple of all of them.
	const number = previous.size ? reach / size + 1 : previous.number + 1;
	return { number, start: reach, ...(previous.size && { size }) };
}

/** A part of a list needs a wider overlap, because results may be removed during the reading. */
function overlappingPage(reach: number, size: number, isPart: boolean): PageRange | undefined {
	const margin = isPart ? Math.ceil(size / 50) : 0;
	const wide = overlappingRange(reach - margin, size);
	const isFurther = wide && wide.start + wide.size > reach;
	return isFurther ? wide : overlappingRange(reach, size);
}

export function centredRange(position: number, size: number): PageRange | undefined {
	if (size < minOverlapping) return undefined;
	let best: PageRange | undefined;
	const distance = ({ start, size: pageSize }: PageRange) =>
		Math.abs(start + pageSize / 2 - position);
	for (let candidate = size; candidate >= size / 2; candidate--) {
		const range = rangeOf(Math.floor(position / candidate) + 1, candidate);
		// If two pages are about as close, take the larger one.
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

/** Whether nothing is missing between two pages: they share a result, or adjoin and have the same count. */
export function fits(a: PageWithRange, b: PageWithRange): boolean {
	if (b.results.length === 0) return reachOf(a) >= (a.count ?? 0);
	// A page may be shorter than the others, so its successor counts more than places.
	const adjoins =
		b.start >= a.start + a.results.length || (b.number === a.number + 1 && b.size === a.size);
	return shares(a, b) || (a.count === b.count && adjoins);
}

/** Whether two pages with the same count contradict each other on the order. */
export function isReordered(a: PageWithRange, b: PageWithRange): boolean {
	const [before, after] = [keysOf(a.results), keysOf(b.results)];
	const expectedShared = before.slice(b.start - a.start);
	const indexes = new Map(after.map((key, index) => [key, index]));
	const shared = expectedShared.flatMap((key) => indexes.get(key) ?? []);
	// A change of the list moves results together.
	const isSameOrder = shared.every((index, at) => at === 0 || index > shared[at - 1]);
	const isContradiction = !isSameOrder || (shared.length === 0 && expectedShared.length > 0);
	return isContradiction && a.count === b.count && after.length > 0;
}
