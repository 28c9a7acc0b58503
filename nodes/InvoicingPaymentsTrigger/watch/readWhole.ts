import type { Failure } from '../../shared/transport/failure';
import type { Page } from '../../shared/pagination/page';
import { isPastTheEnd } from '../../shared/pagination/page';
import type { Cursor } from './cursor';
import { timeFromJson, timeToJson } from './cursor';
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
import type { Outcome, Poll, TimedList } from './task';
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

/** Reads as far as the budget allows. Throws the same errors as `findNew`. */
export async function readWhole(poll: Poll, pages: Pages, firstIds: string): Promise<Outcome> {
	const { timed, whole, task, isBaseline, notes } = poll;
	// To deliver the oldest first, it must find all.
	const ending = await pages.readWhole(timed ? Infinity : task.settings.maxEntries);
	if ('failure' in ending) return recoverReading(poll, pages, ending.failure);
	const known = timed?.known ?? whole;
	if (known.size + (timed ? 0 : pages.present.size) > 2 * maxListLength)
		throw listTooLong(task.noun);
	if (ending.end === 'paused')
		return isHopeless(poll) ? finishIncomplete(poll, pages) : pauseReading(poll, pages);
	const { present, seenCount } = pages;
	if (!timed && present.size > maxListLength) throw listTooLong(task.noun, present.size);
	if (!timed) notes.push(...lengthWarnings(task.noun, present.size));
	const end = await checkEnd(poll, pages);
	if (end === 'mistake') return pauseReading(poll, pages, { startOver: true });
	if (end === 'cutOff' && seenCount >= minRefusedDepth && !timed)
		throw listTooDeep(task.noun, seenCount);
	const fields = readingFields(poll, pages, firstIds);
	if (timed) return finishTimed(poll, timed, pages, ending, fields);
	const isOrdered =
		fields.first !== undefined && !pages.hasOthers && ending.all.length === seenCount;
	whole.order = isOrdered ? ending.all.map(({ id }) => id as number) : [];
	return isBaseline
		? baselineWhole(poll, pages, ending.isSure, fields)
		: finishUntimed(poll, pages, ending.isSure, fields);
}

/** If `next` of the last page promises more, looks again. `cutOff`: the service does not deliver it. */
async function checkEnd({ search }: Poll, pages: Pages): Promise<'right' | 'mistake' | 'cutOff'> {
	const last = pages.lastPage;
	if (!last?.stored.hasNext || pages.refusal) return 'right';
	if (last.isEarlier) return 'mistake';
	const { page, size } = last.stored;
	// In this order, a list that is shrinking does not look cut off.
	const after = await search.fetchPage(page + 1, size);
	const again = await search.fetchPage(page, size);
	const isEmpty = isPastTheEnd(after) || ('page' in after && after.page.results.length === 0);
	if (!isEmpty) return 'mistake';
	if ('failure' in again || again.page.next === null) return 'right';
	const end = (page - 1) * (size ?? pages.pageLength) + again.page.results.length;
	// If the count agrees with this page, `next` is wrong.
	return [end, end + 1].includes(again.page.count ?? -1) ? 'right' : 'cutOff';
}

/** Whether a page claims to be the last, although its own count is higher. One too many is a common mistake. */
function isCutShort({ lastPage, pageLength }: Pages): boolean {
	if (!lastPage) return false;
	const { page, size = pageLength, count = 0, hasNext, ids } = lastPage.stored;
	const isFull = unpackIds(ids).length === size;
	return !hasNext && isFull && page * size >= minRefusedDepth && count > page * size + 1;
}

const isHopeless = ({ cursor, isBaseline, ignoresCount, timed }: Poll) =>
	isBaseline && ignoresCount && !timed && (cursor.reading?.stalled ?? 0) >= maxStalledPolls;

function finishIncomplete(poll: Poll, pages: Pages): Outcome {
	poll.notes.push(incompleteBaselineNote);
	poll.whole.add([...pages.present].map((id) => [id, undefined]));
	const { entries } = deliver(poll, pages);
	const cursor: Cursor = { kind: 'entries', known: '', miscounts: maxMiscounts };
	return { entries, cursor: { ...cursor, ...poll.whole.save() } };
}

const incompleteBaselineNote =
	'The list orders equal results anew for each page, or changes faster than it can be read: some of what was there when the workflow was published may start it.';

function readingFields(poll: Poll, pages: Pages, firstIds: string): Cursor {
	const { task, begin, timed } = poll;
	const miscounts = miscountsOf(poll, pages);
	const { seenCount, refusal, count } = pages;
	const isLong = seenCount > maxSmallPages * pages.pageLength;
	// Pages that the service refuses count as seen.
	const seen = refusal ? count : seenCount;
	const isCounted = [0, maxMiscounts].includes(miscounts) && seen !== undefined;
	return {
		kind: 'entries',
		known: '',
		...(miscounts > 0 && { miscounts }),
		...((isLong || timed) && isCounted && { seen }),
		...(isLong && {
			first: firstIds,
			wholeAt: begin,
			...(task.today !== undefined && { day: task.today }),
		}),
	};
}

/** Consecutive complete readings that contradict the service's count, including this one. */
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

function finishUntimed(poll: Poll, pages: Pages, isSure: boolean, fields: Cursor): Outcome {
	const { whole, cursor, begin } = poll;
	const { entries, waiting } = deliver(poll, pages);
	// Pages that were read minutes apart without overlap may have missed something.
	const isInParts = (cursor.reading?.pages.length ?? 0) > 0;
	whole.updateMissing(pages.present, begin, isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	const next: Cursor = {
		...fields,
		...whole.save(),
		...(waiting.size > 0 && { hasMore: true, seen: undefined }),
	};
	return { entries, cursor: keepIfUnchanged(next, poll) };
}

function finishTimed(
	poll: Poll,
	timed: TimedList,
	pages: Pages,
	{ all, isSure }: { all: Page['results']; isSure: boolean },
	fields: Cursor,
): Outcome {
	const { known, position, lookBack } = timed;
	const { cursor, begin, isBaseline, notes } = poll;
	// Pages of earlier polls have no creation times.
	const isAtOnce = cursor.reading === undefined || cursor.reading.pages.length === 0;
	const listed = newestSeen(pages, begin);
	const before = isAtOnce ? position.listed : timeFromJson(cursor.reading?.listed);
	if (isAtOnce) {
		const order = orderOf([timesOf({ results: all })], lookBack);
		const isNew = order.direction === 'none' && timed.order?.direction !== 'none';
		if (isNew && fields.first !== undefined) notes.push(noOrderNote);
		timed.order = order;
	} else timed.order = fields.seen === undefined ? { direction: 'none' } : undefined;
	if (!known.knowsUndated) {
		known.add([...pages.seenNow].filter(([, time]) => time === undefined));
		known.knowsUndated = isAtOnce;
	}
	if (isBaseline) return baselineByTime(poll, timed, pages, { fields, listed });
	const ages = isAtOnce ? agesOf(all, timed.order?.direction) : undefined;
	const { entries, times, waiting } = deliver(poll, pages, ages);
	const isAll = waiting.size === 0;
	if (isSure || isAtOnce) {
		position.advance(
			{
				delivered: times,
				isAll,
				isDeep: true,
				reached: before,
				horizon: before,
				slack: 0,
				missingFrom: Infinity,
			},
			begin,
		);
		position.floor = position.depth(lookBack);
	}
	updateListed(poll, pages);
	const next = {
		...fields,
		...savedFields(poll, {}),
		...(!isAll && { hasMore: true }),
		...(fields.seen !== undefined && { seen: fields.seen - waiting.size }),
	};
	return { entries, cursor: keepIfUnchanged(next, poll) };
}

/** Notes what is listed as not new. Reads it twice if entries may have been missed, because they would look new. */
function baselineWhole(poll: Poll, pages: Pages, isSure: boolean, fields: Cursor): Outcome {
	const { whole, cursor, begin, isConfirmed } = poll;
	const { present } = pages;
	const isSecond = whole.size > 0 || isConfirmed;
	whole.add([...present].filter((id) => !pages.newEntries.has(id)).map((id) => [id, undefined]));
	if (!isSecond && (!isSure || present.size === 0))
		return { again: { ...cursor, ...whole.save(), reading: undefined }, isConfirmed: true };
	const { entries, waiting } = deliver(poll, pages);
	const before = new Set(unpackIds(cursor.before ?? ''));
	const shared = [...before].filter((id) => present.has(id)).length;
	// Another key of the same account: entries that it did not know are new.
	if (before.size > 0 && shared >= before.size / 2) {
		const next = { ...fields, known: packSet(before), hasMore: true, seen: undefined };
		return { entries, cursor: next };
	}
	whole.addMissing(before, begin);
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...fields, ...whole.save(), ...hasMore } };
}

/** Uses what was read before a failure. If that is nothing, throws an error. */
function recoverReading(poll: Poll, pages: Pages, failure: Failure): Outcome {
	const { task, cursor, search, notes } = poll;
	const isPaging = isPagingFailure(failure);
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
		const next = { ...cursor, ...savedFields(poll), seen: pages.count, missed: undefined };
		return { entries, cursor: next };
	}
	if (isPaging && pages.newEntries.size === 0) throw pagingError(task.noun, failure);
	if (pages.newEntries.size === 0 && !pages.hasProgress) throw new UnreadablePageError(failure);
	return pauseReading(poll, pages, { startOver: isPaging, hasFailed: !isPaging });
}

/** A reading that relies on the count is given up after this many polls without progress. */
const maxStalledPolls = 3;

/** The next poll continues the reading, or begins a new one with `startOver`. */
function pauseReading(
	poll: Poll,
	pages: Pages,
	{ startOver = false, hasFailed = false } = {},
): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timed, isBaseline } = poll;
	if (timed && isBaseline) timed.known.add(pages.seenNow);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? timeToJson(timed?.position.listed ?? -Infinity);
	updateListed(poll, pages);
	const stored = startOver ? [] : pages.pagesToStore(waiting);
	const before = cursor.reading?.pages.length ?? 0;
	const isStalled = entries.length === 0 && before > 0 && stored.length <= before;
	const { stalled: times = 0 } = cursor.reading ?? {};
	// A failure does not mean that the count is wrong.
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
		const next = { ...cursor, ...savedFields(poll), reading: undefined, miscounts: maxMiscounts };
		return { entries, cursor: next };
	}
	return { entries, cursor: { ...cursor, ...savedFields(poll), reading } };
}
