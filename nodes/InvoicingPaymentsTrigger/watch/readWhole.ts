import type { Failure } from '../../shared/transport/failure';
import type { Page } from '../../shared/pagination/page';
import { isPastTheEnd } from '../../shared/pagination/page';
import type { Cursor } from './cursor';
import { fromJson, toJson } from './cursor';
import { packSet, unpackIds } from './ids';
import {
	isDepthRefusal,
	minRefusedDepth,
	maxListLength,
	lengthWarnings,
	listTooDeep,
	listTooLong,
	pagingError,
	isPagingFailure,
	UnreadablePageError,
} from './errors';
import { orderOf } from './order';
import type { Pages } from './pages';
import { baselineByTime } from './baseline';
import { noOrderNote, timesOf } from './window';
import type { Outcome, Poll, Timed } from './task';
import {
	agesOf,
	deliver,
	maxMiscounts,
	newestSeen,
	updateListed,
	savedFields,
	maxSmallPages,
	keepIfUnchanged,
	wrongCountNote,
} from './task';

/** Reads the list as far as the budget allows. `first`: IDs of page 1. Throws the same errors as `findNew`. */
export async function readWhole(poll: Poll, pages: Pages, first: string): Promise<Outcome> {
	const { timed, whole, task, isBaseline, notes } = poll;
	// To deliver the oldest first, all of them have to be found.
	const ending = await pages.readWhole(timed ? Infinity : task.settings.maxEntries);
	if ('failure' in ending) return recoverReading(poll, pages, ending.failure);
	const known = timed?.known ?? whole;
	if (known.size + (timed ? 0 : pages.present.size) > 2 * maxListLength)
		throw listTooLong(task.noun);
	if (ending.end === 'paused')
		return isHopeless(poll) ? settleForSeen(poll, pages) : pauseReading(poll, pages);
	const { present, seenCount } = pages;
	if (!timed && present.size > maxListLength) throw listTooLong(task.noun, present.size);
	if (!timed) notes.push(...lengthWarnings(task.noun, present.size));
	const end = await checkEnd(poll, pages);
	if (end === 'mistake') return pauseReading(poll, pages, { startOver: true });
	if (end === 'cutOff' && seenCount >= minRefusedDepth && !timed)
		throw listTooDeep(task.noun, seenCount);
	const common = commonFields(poll, pages, first);
	if (timed) return settleTimed(poll, timed, pages, ending, common);
	const isOrdered =
		common.first !== undefined && !pages.hasOthers && ending.all.length === seenCount;
	whole.order = isOrdered ? ending.all.map(({ id }) => id as number) : [];
	return isBaseline
		? baselineWhole(poll, pages, ending.isSure, common)
		: settleWhole(poll, pages, ending.isSure, common);
}

/** Reads the end of the list again. `mistake`: there is more. `cutOff`: there is not, despite `next`. */
async function checkEnd({ search }: Poll, pages: Pages): Promise<'right' | 'mistake' | 'cutOff'> {
	const last = pages.lastPage;
	if (!last?.stored.hasNext || pages.refusal) return 'right';
	if (last.isEarlier) return 'mistake';
	const { page, size } = last.stored;
	// In this order, a list that only shrinks does not look cut off.
	const after = await search.fetchPage(page + 1, size);
	const again = await search.fetchPage(page, size);
	const isEmpty = isPastTheEnd(after) || ('page' in after && after.page.results.length === 0);
	if (!isEmpty) return 'mistake';
	if ('failure' in again || again.page.next === null) return 'right';
	const end = (page - 1) * (size ?? pages.pageLength) + again.page.results.length;
	// If the count agrees with the page, `next` is wrong.
	return [end, end + 1].includes(again.page.count ?? -1) ? 'right' : 'cutOff';
}

/**
 * Whether a full page far back says that it is the last, but counts more results. A single answer proves that;
 * counts of different answers may differ because the list changes. One too many is a common mistake.
 */
function isCutShort({ lastPage, pageLength }: Pages): boolean {
	if (!lastPage) return false;
	const { page, size = pageLength, count = 0, hasNext, ids } = lastPage.stored;
	const isFull = unpackIds(ids).length === size;
	return !hasNext && isFull && page * size >= minRefusedDepth && count > page * size + 1;
}

/** Whether the list can never be noted completely. */
const isHopeless = ({ cursor, isBaseline, ignoresCount, timed }: Poll) =>
	isBaseline && ignoresCount && !timed && (cursor.reading?.stalled ?? 0) >= maxStalledPolls;

/** Makes do with what was seen of a list that cannot be read to its end. */
function settleForSeen(poll: Poll, pages: Pages): Outcome {
	poll.notes.push(incompleteBaselineNote);
	poll.whole.add([...pages.present].map((id) => [id, undefined]));
	const { entries } = deliver(poll, pages);
	const cursor: Cursor = { kind: 'entries', known: '', miscounts: maxMiscounts };
	return { entries, cursor: { ...cursor, ...poll.whole.save() } };
}

const incompleteBaselineNote =
	'The list orders equal results anew for each page, or changes faster than it can be read: some of what was there when the workflow was published may start it.';

function commonFields(poll: Poll, pages: Pages, first: string): Cursor {
	const { task, begin, timed } = poll;
	const miscounts = miscountsOf(poll, pages);
	const { seenCount, refusal, count } = pages;
	const isLong = seenCount > maxSmallPages * pages.pageLength;
	// Refused pages count as seen, because nobody will ever see more of them.
	const seen = refusal ? count : seenCount;
	const isCounted = [0, maxMiscounts].includes(miscounts) && seen !== undefined;
	return {
		kind: 'entries',
		known: '',
		...(miscounts > 0 && { miscounts }),
		...((isLong || timed) && isCounted && { seen }),
		...(isLong && {
			first,
			wholeAt: begin,
			...(task.today !== undefined && { day: task.today }),
		}),
	};
}

/** Consecutive complete readings, with this one, that did not match the service's count. */
function miscountsOf(
	{ cursor, ignoresCount, notes }: Poll,
	{ steadyCount, seenCount, refusal }: Pages,
): number {
	const isMiscounted =
		steadyCount === undefined || refusal ? ignoresCount : steadyCount !== seenCount;
	if (!isMiscounted) return 0;
	const miscounts = Math.min(maxMiscounts, (cursor.miscounts ?? 0) + 1);
	if (miscounts === maxMiscounts && !ignoresCount) notes.push(wrongCountNote);
	return miscounts;
}

/** Saves a reading, if creation times do not matter. */
function settleWhole(poll: Poll, pages: Pages, isSure: boolean, common: Cursor): Outcome {
	const { whole, cursor, begin } = poll;
	const { entries, waiting } = deliver(poll, pages);
	// Pages read minutes apart may have missed something, if they do not overlap.
	const isInParts = (cursor.reading?.pages.length ?? 0) > 0;
	whole.settle(pages.present, begin, isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	const kept: Cursor = {
		...common,
		...whole.save(),
		...(waiting.size > 0 && { hasMore: true, seen: undefined }),
	};
	return { entries, cursor: keepIfUnchanged(kept, poll) };
}

/** Saves a reading, if creation times show what is new. */
function settleTimed(
	poll: Poll,
	timed: Timed,
	pages: Pages,
	{ all, isSure }: { all: Page['results']; isSure: boolean },
	common: Cursor,
): Outcome {
	const { known, position, lookBack } = timed;
	const { cursor, begin, isBaseline, notes } = poll;
	// Pages of earlier polls come without creation times.
	const isAtOnce = cursor.reading === undefined || cursor.reading.pages.length === 0;
	const listed = newestSeen(pages, begin);
	const before = isAtOnce ? position.listed : fromJson(cursor.reading?.listed);
	if (isAtOnce) {
		const order = orderOf([timesOf({ results: all })], lookBack);
		const isNew = order.direction === 'none' && timed.order?.direction !== 'none';
		if (isNew && common.first !== undefined) notes.push(noOrderNote);
		timed.order = order;
	} else timed.order = common.seen === undefined ? { direction: 'none' } : undefined;
	if (!known.knowsUndated) {
		known.add([...pages.seenNow].filter(([, time]) => time === undefined));
		known.knowsUndated = isAtOnce;
	}
	if (isBaseline) return baselineByTime(poll, timed, pages, { common, listed });
	const ages = isAtOnce ? agesOf(all, timed.order?.direction) : undefined;
	const { entries, times, waiting } = deliver(poll, pages, ages);
	const isAll = waiting.size === 0;
	if (isSure || isAtOnce) {
		position.settle(
			{
				delivered: times,
				isAll,
				isDeep: true,
				reached: before,
				horizon: before,
				slack: 0,
				upTo: Infinity,
			},
			begin,
		);
		position.floor = position.depth(lookBack);
	}
	updateListed(poll, pages);
	const kept = {
		...common,
		...savedFields(poll, {}),
		...(!isAll && { hasMore: true }),
		...(common.seen !== undefined && { seen: common.seen - waiting.size }),
	};
	return { entries, cursor: keepIfUnchanged(kept, poll) };
}

/** Notes the list as not new. Without overlap, or if empty, it is read twice: missed entries would look new. */
function baselineWhole(poll: Poll, pages: Pages, isSure: boolean, common: Cursor): Outcome {
	const { whole, cursor, begin, isConfirmed } = poll;
	const { present } = pages;
	const isSecond = whole.size > 0 || isConfirmed;
	whole.add([...present].filter((id) => !pages.found.has(id)).map((id) => [id, undefined]));
	if (!isSecond && (!isSure || present.size === 0))
		return { again: { ...cursor, ...whole.save(), reading: undefined }, isConfirmed: true };
	const { entries, waiting } = deliver(poll, pages);
	const before = new Set(unpackIds(cursor.before ?? ''));
	const shared = [...before].filter((id) => present.has(id)).length;
	// Another key of the same account: entries that were not known are new.
	if (before.size > 0 && shared >= before.size / 2) {
		const kept = { ...common, known: packSet(before), hasMore: true, seen: undefined };
		return { entries, cursor: kept };
	}
	// They may be listed again at the next correct reading.
	whole.addMissing(before, begin);
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...common, ...whole.save(), ...hasMore } };
}

/** Makes use of what was read before a failure. If there is nothing, throws an error that says why. */
function recoverReading(poll: Poll, pages: Pages, failure: Failure): Outcome {
	const { task, cursor, search, notes } = poll;
	const isPaging = isPagingFailure(failure);
	// Pages of earlier polls may no longer fit.
	if (isPaging && cursor.reading) return { again: { ...cursor, reading: undefined } };
	if (isPaging && isCutShort(pages) && !search.mayBeCut)
		throw listTooDeep(task.noun, pages.seenCount);
	if (failure.counted !== undefined && !poll.ignoresCount) {
		const miscounts = (cursor.miscounts ?? 0) + 1;
		if (miscounts >= maxMiscounts) {
			notes.push(wrongCountNote);
			return { again: { ...cursor, miscounts } };
		}
		const { entries } = deliver(poll, pages);
		return { entries, cursor: { ...cursor, ...savedFields(poll), miscounts } };
	}
	const start = ((failure.page ?? 1) - 1) * search.pageSize;
	if (isDepthRefusal(failure, start) && failure.status !== 500)
		throw listTooDeep(task.noun, pages.seenCount);
	// A sorted list can do without a complete reading.
	if (isPaging && poll.timed?.order && poll.timed.order.direction !== 'none' && cursor.missed) {
		const { entries } = deliver(poll, pages);
		const kept = { ...cursor, ...savedFields(poll), seen: pages.count, missed: undefined };
		return { entries, cursor: kept };
	}
	if (isPaging && pages.found.size === 0) throw pagingError(task.noun, failure);
	if (pages.found.size === 0 && !pages.hasProgress) throw new UnreadablePageError(failure);
	return pauseReading(poll, pages, { startOver: isPaging, hasFailed: !isPaging });
}

/** Polls without progress after which a reading is given up, while the count is trusted. */
const maxStalledPolls = 3;

/** Ends a poll without budget or after a failure. The next one continues, or starts over with `startOver`. */
function pauseReading(
	poll: Poll,
	pages: Pages,
	{ startOver = false, hasFailed = false } = {},
): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timed, isBaseline } = poll;
	// Those older than the floor are forgotten at the end of the reading.
	if (timed && isBaseline) timed.known.add(pages.seenNow);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? toJson(timed?.position.listed ?? -Infinity);
	updateListed(poll, pages);
	const stored = startOver ? [] : pages.pagesToStore(waiting);
	const before = cursor.reading?.pages.length ?? 0;
	const isStalled = entries.length === 0 && before > 0 && stored.length <= before;
	const { stalled: times = 0 } = cursor.reading ?? {};
	// A failure of the service says nothing about its count.
	const stalled = isStalled ? times + Number(!hasFailed) : 0;
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		...(timed && { listed }),
		...(stalled > 0 && { stalled }),
		pages: stored,
	};
	if (stalled >= maxStalledPolls && !poll.ignoresCount) {
		poll.notes.push(wrongCountNote);
		const kept = { ...cursor, ...savedFields(poll), reading: undefined, miscounts: maxMiscounts };
		return { entries, cursor: kept };
	}
	return { entries, cursor: { ...cursor, ...savedFields(poll), reading } };
}
