import type { Page } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Cursor } from './cursor';
import { cursorFrom, timeToJson, timeFromJson } from './cursor';
import { newestAtEnd } from './order';
import type { Pages, PageWithIds } from './pages';
import { UnreadablePageError } from './errors';
import type { SortedList } from './window';
import { restartIfDisordered, timesOf, Window } from './window';
import type { Outcome, Poll, TimedList } from './task';
import { newestSeen, savedFields } from './task';

/** Notes what is listed within the look-back as not new. What shows up there later is new. */
export async function baselineSorted(
	poll: Poll,
	timed: SortedList,
	pages: Pages,
	first: PageWithIds,
): Promise<Outcome> {
	const { cursor, begin, search } = poll;
	const isNewestFirst = timed.order.direction === 'newestFirst';
	const whole = new Window(poll, timed, pages, first, { boundary: -Infinity, isDeep: true });
	if (!isNewestFirst) {
		const { lastPage } = whole;
		const end = lastPage ?? (await whole.findBoundary(({ results }) => results.length > 0, 1)).low;
		await pages.peek(end);
		if (pages.refusal) throw new UnreadablePageError(pages.refusal.failure);
	}
	const listed = newestSeen(pages, begin);
	const after = cursor.after ?? Infinity;
	const floor = Math.min(listed, after) - timed.lookBack;
	const deep = new Window(poll, timed, pages, first, { boundary: floor + 1, isDeep: true });
	let last: Page = first;
	const isLast = (page: Page) => {
		last = page;
		return isNewestFirst ? deep.isBelow(page) || search.budget.left <= 1 : false;
	};
	const begins = (page: PageWithRange) => deep.beginsBelow(page);
	const isFromFirst = isNewestFirst || !begins(first);
	const { low, isFound } = isFromFirst
		? { low: 1, isFound: true }
		: await deep.findBoundary(begins, 1, deep.lastPage);
	const read = isFound ? await deep.read(low, isLast) : undefined;
	if (!read) return { entries: [], cursor: withoutBaseline(poll, timed) };
	if (read.missingFrom !== undefined) return { entries: [], cursor };
	const lessSorted = restartIfDisordered(poll, timed, read);
	if (lessSorted) return lessSorted;
	const isReached = !isNewestFirst || deep.isBelow(last);
	const reached = isReached ? floor : (newestAtEnd(timesOf(last)) ?? floor) + timed.order.slack;
	const { miscounts } = cursor;
	const fields: Cursor = {
		kind: 'entries',
		known: '',
		...(miscounts && { miscounts }),
		...(pages.count !== undefined && { seen: pages.count }),
	};
	return baselineByTime(poll, timed, pages, { fields, listed, floor: reached });
}

/** Out of time. After a second such poll, everything created since the first one is new. */
function withoutBaseline({ cursor }: Poll, { known, position, order }: SortedList): Cursor {
	const { after } = cursor;
	if (typeof after !== 'number') return cursor;
	const { times, ...fresh } = cursorFrom(after + 1);
	const listed = timeToJson(position.listed);
	return { ...fresh, ...(times && { times: { ...times, ...known.save(), listed, order } }) };
}

/** If a list was empty by mistake, its older results are not new when they show up (milliseconds). */
const maxAgeAfterEmpty = 24 * 3_600_000;

/** Notes what is listed as not new, except if created after `cursor.after`. `listed`: latest creation time. */
export function baselineByTime(
	poll: Poll,
	timed: TimedList,
	pages: Pages,
	{ fields, listed, floor = -Infinity }: { fields: Cursor; listed: number; floor?: number },
): Outcome {
	const { known, position, lookBack } = timed;
	const { cursor, begin } = poll;
	const after = cursor.after === undefined ? Infinity : timeFromJson(cursor.after);
	known.add([...pages.seenNow].filter(([, time = -Infinity]) => time <= after && time > floor));
	const newest = Math.min(listed, after);
	position.listed = listed;
	position.newest = newest;
	position.floor = Math.max(
		floor,
		listed > -Infinity ? newest - lookBack : begin - Math.max(maxAgeAfterEmpty, lookBack),
	);
	position.deep = newest > -Infinity ? { at: begin, listed: newest } : undefined;
	const next = { ...fields, ...savedFields(poll, {}) };
	return cursor.after === undefined ? { entries: [], cursor: next } : { again: next };
}
