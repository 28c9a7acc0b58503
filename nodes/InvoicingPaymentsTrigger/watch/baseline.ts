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

/** Marks the results listed within the look-back as not new. Results that show up there later are new. */
export async function baselineSorted(
	poll: Poll,
	timedList: SortedList,
	pages: Pages,
	first: PageWithIds,
): Promise<Outcome> {
	const { cursor, begin, search } = poll;
	const isNewestFirst = timedList.order.direction === 'newestFirst';
	const wholeWindow = new Window(poll, timedList, pages, first, {
		boundary: -Infinity,
		isDeep: true,
	});
	if (!isNewestFirst) {
		const { lastPage } = wholeWindow;
		const endPage =
			lastPage ?? (await wholeWindow.findBoundary(({ results }) => results.length > 0, 1)).low;
		await pages.peek(endPage);
		if (pages.refusal) throw new UnreadablePageError(pages.refusal.failure);
	}
	const latest = newestSeen(pages, begin);
	const after = cursor.after ?? Infinity;
	const floor = Math.min(latest, after) - timedList.lookBack;
	const lookBackWindow = new Window(poll, timedList, pages, first, {
		boundary: floor + 1,
		isDeep: true,
	});
	let lastRead: Page = first;
	const isLast = (page: Page) => {
		lastRead = page;
		return isNewestFirst ? lookBackWindow.isBelow(page) || search.budget.left <= 1 : false;
	};
	const beginsBelow = (page: PageWithRange) => lookBackWindow.beginsBelow(page);
	const startsOnFirstPage = isNewestFirst || !beginsBelow(first);
	const { low, isFound } = startsOnFirstPage
		? { low: 1, isFound: true }
		: await lookBackWindow.findBoundary(beginsBelow, 1, lookBackWindow.lastPage);
	const read = isFound ? await lookBackWindow.read(low, isLast) : undefined;
	if (!read) return { entries: [], cursor: withoutBaseline(poll, timedList) };
	if (read.missingFrom !== undefined) return { entries: [], cursor };
	const restart = restartIfDisordered(poll, timedList, read);
	if (restart) return restart;
	const reachesFloor = !isNewestFirst || lookBackWindow.isBelow(lastRead);
	const reachedFloor = reachesFloor
		? floor
		: (newestAtEnd(timesOf(lastRead)) ?? floor) + timedList.order.slack;
	const { miscounts } = cursor;
	const fields: Cursor = {
		kind: 'entries',
		known: '',
		...(miscounts && { miscounts }),
		...(pages.count !== undefined && { seen: pages.count }),
	};
	return baselineByTime(poll, timedList, pages, { fields, latest, floor: reachedFloor });
}

/** For a poll that ran out of time. If the next one does, too, everything created since the first one is new. */
function withoutBaseline({ cursor }: Poll, { known, position, order }: SortedList): Cursor {
	const { after } = cursor;
	if (typeof after !== 'number') return cursor;
	const { times, ...fresh } = cursorFrom(after + 1);
	const listed = timeToJson(position.listed);
	return { ...fresh, ...(times && { times: { ...times, ...known.save(), listed, order } }) };
}

/** An empty list may be a mistake of the service. Results older than this are not new if they show up later (milliseconds). */
const maxAgeAfterEmpty = 24 * 3_600_000;

/** Marks the listed results as not new, except those created after `cursor.after`. `latest`: latest creation time. */
export function baselineByTime(
	poll: Poll,
	timedList: TimedList,
	pages: Pages,
	{ fields, latest, floor = -Infinity }: { fields: Cursor; latest: number; floor?: number },
): Outcome {
	const { known, position, lookBack } = timedList;
	const { cursor, begin } = poll;
	const after = cursor.after === undefined ? Infinity : timeFromJson(cursor.after);
	known.add([...pages.seenEntries].filter(([, time = -Infinity]) => time <= after && time > floor));
	const newest = Math.min(latest, after);
	position.listed = latest;
	position.newest = newest;
	position.floor = Math.max(
		floor,
		latest > -Infinity ? newest - lookBack : begin - Math.max(maxAgeAfterEmpty, lookBack),
	);
	position.deep = newest > -Infinity ? { at: begin, listed: newest } : undefined;
	const next = { ...fields, ...savedFields(poll, {}) };
	return cursor.after === undefined ? { entries: [], cursor: next } : { retryFrom: next };
}
