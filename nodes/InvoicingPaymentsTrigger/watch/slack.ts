import type { PlacedPage } from '../../shared/pagination/overlap';
import { slackOf } from './order';
import type { Outcome, Poll } from './task';
import type { Sorted } from './window';
import { timesOf } from './window';

/**
 * Where pages show that a list is less sorted than it seemed, how to begin anew: what was read by that is worth nothing. Disorder that
 * is smaller than the look-back is order.
 */
export function isLessSorted(
	{ cursor, notes }: Poll,
	timed: Sorted,
	pages: PlacedPage[],
): Outcome | undefined {
	const { direction, slack: before } = timed.order;
	const slack = slackOf(timesOnce(pages), direction);
	if (slack <= before) return undefined;
	const { times } = cursor;
	if (times && slack <= timed.lookBack)
		return {
			again: { ...cursor, times: { ...times, order: { direction, slack }, backlog: undefined } },
		};
	notes.push(noOrder);
	// What is known below the newest was known by the order.
	const kept = times && { ...times, newest: times.floor, deep: undefined, backlog: undefined };
	return {
		again: { ...cursor, ...(kept && { times: { ...kept, order: { direction: 'none' } } }) },
	};
}

/** When the results of pages were made, those on two pages once. */
function timesOnce(pages: PlacedPage[]): Array<Array<number | undefined>> {
	const seen = new Set<unknown>();
	return pages.map((page) => {
		const results = page.results.filter(({ id }) => !seen.has(id));
		for (const { id } of results) seen.add(id);
		return timesOf({ ...page, results });
	});
}

export const noOrder =
	'The service lists them in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';
