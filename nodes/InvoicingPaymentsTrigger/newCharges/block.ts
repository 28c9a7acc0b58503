import { keysOf } from '../../shared/found';
import type { Page } from '../../shared/page';
import type { Place } from '../../shared/places';
import { timeOf } from './charge';

/** A page that was read, and its place in the list. */
export interface Block extends Place, Page {}

/** Whether a page has as many results as it was asked for, or those that are left. */
export function hasSizeOf(
	{ size, start }: Place,
	{ results: { length }, next, count }: Page,
): boolean {
	// Where a service ignores sizes, a smaller page lies beyond the end of its list.
	if (length === 0) return count !== undefined && start >= count;
	if (next) return length === size;
	return length <= size && start + length === (count ?? start + length);
}

/** Whether a page holds more than there should be, or says so. */
export function isBeyondCount({ start, results: { length }, next, count }: Block): boolean {
	if (count === undefined || length === 0) return false;
	return start + length > count || (next !== null && start + length >= count);
}

/** How many results of the list there are up to the end of a page. */
export const reachOf = ({ start, size }: Place) => start + size;

/** Whether two charges were made at the same moment. */
export const isSameMoment = (a: Page['results'][number], b: Page['results'][number] | undefined) =>
	b !== undefined && timeOf(a) === timeOf(b);

/** Whether two pages have a charge in common. */
export function shares(a: Page, b: Page): boolean {
	const own = new Set(keysOf(a.results));
	return keysOf(b.results).some((key) => own.has(key));
}

/** Whether a page holds nothing but what another one holds. */
export function isWithin(b: Page, a: Page): boolean {
	const keys = new Set(keysOf(a.results));
	return b.results.length > 0 && keysOf(b.results).every((key) => keys.has(key));
}
