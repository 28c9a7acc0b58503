import type { PlacedPage } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
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
	{ pages, isUnstable }: ReadWindow,
): Outcome | undefined {
	const { direction, slack: before } = timed.order;
	const shown = timesOnce(pages);
	const slack = slackOf(shown, direction);
	// Of what has no date it cannot be told whether all was seen, where each page has another order.
	const isVague = isUnstable && shown.flat().some((time) => time === undefined);
	if (slack <= before && !isVague) return undefined;
	const { times } = cursor;
	if (!times) return undefined;
	if (!isVague && slack <= timed.lookBack) {
		const sorted = { ...times, order: { direction, slack }, backlog: undefined };
		return { again: { ...cursor, times: sorted } };
	}
	notes.push(noOrder);
	// What is known below the newest was known by the order.
	const unknown = { newest: times.floor, deep: undefined, backlog: undefined };
	return { again: { ...cursor, times: { ...times, ...unknown, order: { direction: 'none' } } } };
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
