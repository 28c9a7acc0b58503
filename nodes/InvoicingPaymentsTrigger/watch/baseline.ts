import type { Page } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Cursor } from './cursor';
import { cursorFrom, toJson, fromJson } from './cursor';
import { newestAtEnd } from './order';
import type { Pages, PageWithIds } from './pages';
import { UnreadablePageError } from './errors';
import type { Sorted } from './window';
import { restartIfDisordered, timesOf, Window } from './window';
import type { Outcome, Poll, Timed } from './task';
import { newestSeen, savedFields } from './task';

/** Notes results within the look-back as not new, so that late ones can be recognized. */
export async function baselineSorted(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: PageWithIds,
): Promise<Outcome> {
	const { cursor, begin, search } = poll;
	const isNewestFirst = timed.order.direction === 'newestFirst';
	const wide = new Window(poll, timed, pages, first, { boundary: -Infinity, isDeep: true });
	// The newest are on the last page.
	if (!isNewestFirst) {
		const { lastPage } = wide;
		const end = lastPage ?? (await wide.findBoundary(({ results }) => results.length > 0, 1)).low;
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
	// Whatever follows is even older.
	const reached = isReached ? floor : (newestAtEnd(timesOf(last)) ?? floor) + timed.order.slack;
	const { miscounts } = cursor;
	const common: Cursor = {
		kind: 'entries',
		known: '',
		...(miscounts && { miscounts }),
		...(pages.count !== undefined && { seen: pages.count }),
	};
	return baselineByTime(poll, timed, pages, { common, listed, floor: reached });
}

/** Out of time. After a second such poll, everything created after the first one is new. */
function withoutBaseline({ cursor }: Poll, { known, position, order }: Sorted): Cursor {
	const { after } = cursor;
	if (typeof after !== 'number') return cursor;
	const { times, ...fresh } = cursorFrom(after + 1);
	const listed = toJson(position.listed);
	return { ...fresh, ...(times && { times: { ...times, ...known.save(), listed, order } }) };
}

/** An empty list may be a mistake, so what is older than this is not new when it shows up. */
const maxAge = 24 * 3_600_000;

/** Notes listed results as not new, but for those created after `cursor.after`. `listed`: latest creation time. */
export function baselineByTime(
	poll: Poll,
	timed: Timed,
	pages: Pages,
	{ common, listed, floor = -Infinity }: { common: Cursor; listed: number; floor?: number },
): Outcome {
	const { known, position, lookBack } = timed;
	const { cursor, begin } = poll;
	const after = cursor.after === undefined ? Infinity : fromJson(cursor.after);
	known.add([...pages.seenNow].filter(([, time = -Infinity]) => time <= after && time > floor));
	const newest = Math.min(listed, after);
	position.listed = listed;
	position.newest = newest;
	position.floor = Math.max(
		floor,
		listed > -Infinity ? newest - lookBack : begin - Math.max(maxAge, lookBack),
	);
	position.deep = newest > -Infinity ? { at: begin, listed: newest } : undefined;
	const kept = { ...common, ...savedFields(poll, {}) };
	return cursor.after === undefined ? { entries: [], cursor: kept } : { again: kept };
}
