import type { PageWithRange } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import { slackOf } from './order';
import type { Outcome, Poll } from './task';
import type { Sorted } from './window';
import { timesOf } from './window';

/** If pages show more disorder than the order allows, returns how to start over. */
export function restartIfDisordered(
	{ cursor, notes }: Poll,
	timed: Sorted,
	{ pages, isUnstable }: ReadWindow,
): Outcome | undefined {
	const { direction, slack: before } = timed.order;
	const shown = timesOnce(pages);
	const slack = slackOf(shown, direction);
	// If undated results change places, nobody knows whether all were seen.
	const isVague = isUnstable && shown.flat().some((time) => time === undefined);
	if (slack <= before && !isVague) return undefined;
	const { times } = cursor;
	if (!times) return undefined;
	if (!isVague && slack <= timed.lookBack) {
		const sorted = { ...times, order: { direction, slack }, backlog: undefined };
		return { again: { ...cursor, times: sorted } };
	}
	notes.push(noOrderNote);
	// Results below `newest` were known by the order.
	const unknown = { newest: times.floor, deep: undefined, backlog: undefined };
	return { again: { ...cursor, times: { ...times, ...unknown, order: { direction: 'none' } } } };
}

/** Creation times per page, without the repeats of overlapping pages. */
function timesOnce(pages: PageWithRange[]): Array<Array<number | undefined>> {
	const seen = new Set<unknown>();
	return pages.map((page) => {
		const results = page.results.filter(({ id }) => !seen.has(id));
		for (const { id } of results) seen.add(id);
		return timesOf({ ...page, results });
	});
}

export const noOrderNote =
	'The service lists them in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';
