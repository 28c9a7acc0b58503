import type { Failure } from '../../shared/transport/failure';
import type { PageRange, PlacedPage } from '../../shared/pagination/overlap';
import type { Page } from '../../shared/pagination/page';

/** Whether a page has as many results as it was asked for, or those that are left. */
export function hasSizeOf(
	{ size, start }: PageRange,
	{ results: { length }, next, count }: Page,
): boolean {
	// Where a service ignores sizes, a smaller page lies beyond the end of its list.
	if (length === 0) return count !== undefined && start >= count;
	if (next) return length === size;
	return length <= size && start + length === (count ?? start + length);
}

/** Whether a page holds more than there should be, or says so. */
export function isBeyondCount({ start, results: { length }, next, count }: PlacedPage): boolean {
	if (count === undefined || length === 0) return false;
	return start + length > count || (next !== null && start + length >= count);
}

/** Whether a failure is that of a service that refuses deep pages. */
export const isOfDepth = ({ kind, status = 0 }: Failure) =>
	kind === 'status' && [400, 413, 416, 422, 500, 501].includes(status);
