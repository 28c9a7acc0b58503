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
	assumedTimes,
	deliver,
	maxMiscounts,
	newestSeen,
	updateListed,
	savedFields,
	maxSmallPages,
	keepIfUnchanged,
	wrongCountNote,
} from './task';

/** Reads the whole list, or as much as the budget allows. Throws the same errors as `findNew`. */
export async function readWhole(poll: Poll, pages: Pages, firstIds: string): Promise<Outcome> {
	const { timedList, wholeList, task, isBaseline, notes } = poll;
	// With creation times, the oldest results come first, so all new results must be found.
	const reading = await pages.readWhole(timedList ? Infinity : task.settings.maxEntries);
	if ('failure' in reading) return recoverReading(poll, pages, reading.failure);
	const known = timedList?.known ?? wholeList;
	if (known.size + (timedList ? 0 : pages.entryIds.size) > 2 * maxListLength)
		throw listTooLong(task.noun);
	if (reading.end === 'paused')
		return isBaselineStuck(poll) ? finishIncomplete(poll, pages) : pauseReading(poll, pages);
	const { entryIds, seenCount } = pages;
	if (!timedList && entryIds.size > maxListLength) throw listTooLong(task.noun, entryIds.size);
	if (!timedList) notes.push(...lengthWarnings(task.noun, entryIds.size));
	const end = await checkEnd(poll, pages);
	if (end === 'changed') return pauseReading(poll, pages, { startOver: true });
	if (end === 'cutOff' && seenCount >= minRefusedDepth && !timedList)
		throw listTooDeep(task.noun, seenCount);
	const fields = readingFields(poll, pages, firstIds);
	if (timedList) return finishByTime(poll, timedList, pages, reading, fields);
	const isOrdered =
		fields.first !== undefined && !pages.hasOtherResults && reading.all.length === seenCount;
	wholeList.order = isOrdered ? reading.all.map(({ id }) => id as number) : [];
	return isBaseline
		? baselineWhole(poll, pages, reading.isSure, fields)
		: finishByIds(poll, pages, reading.isSure, fields);
}

/** If the last page claims that more follow, requests the next one. `cutOff`: the service lists no more than this. */
async function checkEnd({ search }: Poll, pages: Pages): Promise<'right' | 'changed' | 'cutOff'> {
	const last = pages.lastPage;
	if (!last?.stored.hasNext || pages.refusal) return 'right';
	if (last.isFromEarlierPoll) return 'changed';
	const { page, size } = last.stored;
	// If the last page is read second, a list that is shrinking does not look cut off.
	const nextPage = await search.fetchPage(page + 1, size);
	const lastPage = await search.fetchPage(page, size);
	const isEmpty =
		isPastTheEnd(nextPage) || ('page' in nextPage && nextPage.page.results.length === 0);
	if (!isEmpty) return 'changed';
	if ('failure' in lastPage || lastPage.page.next === null) return 'right';
	const end = (page - 1) * (size ?? pages.pageLength) + lastPage.page.results.length;
	// If the count confirms that this page is the last, only `next` is wrong.
	return [end, end + 1].includes(lastPage.page.count ?? -1) ? 'right' : 'cutOff';
}

/** Whether a page claims to be the last, although its own count is higher. Services often count one too many. */
function isCutShort({ lastPage, pageLength }: Pages): boolean {
	if (!lastPage) return false;
	const { page, size = pageLength, count = 0, hasNext, ids } = lastPage.stored;
	const isFull = unpackIds(ids).length === size;
	return !hasNext && isFull && page * size >= minRefusedDepth && count > page * size + 1;
}

const isBaselineStuck = ({ cursor, isBaseline, ignoresCount, timedList }: Poll) =>
	isBaseline && ignoresCount && !timedList && (cursor.reading?.stalled ?? 0) >= maxStalledPolls;

function finishIncomplete(poll: Poll, pages: Pages): Outcome {
	poll.notes.push(incompleteBaselineNote);
	poll.wholeList.add([...pages.entryIds].map((id) => [id, undefined]));
	const { entries } = deliver(poll, pages);
	const cursor: Cursor = { kind: 'entries', known: '', miscounts: maxMiscounts };
	return { entries, cursor: { ...cursor, ...poll.wholeList.save() } };
}

const incompleteBaselineNote =
	'The list orders equal results anew for each page, or changes faster than it can be read: some of what was there when the workflow was published may start it.';

function readingFields(poll: Poll, pages: Pages, firstIds: string): Cursor {
	const { task, begin, timedList } = poll;
	const miscounts = miscountsOf(poll, pages);
	const { seenCount, refusal, count } = pages;
	const isLong = seenCount > maxSmallPages * pages.pageLength;
	// Pages that the service refuses count as seen.
	const seen = refusal ? count : seenCount;
	const isCountTrusted = [0, maxMiscounts].includes(miscounts) && seen !== undefined;
	return {
		kind: 'entries',
		known: '',
		...(miscounts > 0 && { miscounts }),
		...((isLong || timedList) && isCountTrusted && { seen }),
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

function finishByIds(poll: Poll, pages: Pages, isSure: boolean, fields: Cursor): Outcome {
	const { wholeList, cursor, begin } = poll;
	const { entries, waiting } = deliver(poll, pages);
	// Without overlap, pages that were read minutes apart may have missed something.
	const isInParts = (cursor.reading?.pages.length ?? 0) > 0;
	wholeList.updateMissing(
		pages.entryIds,
		begin,
		isSure ? 'sure' : isInParts ? 'inParts' : 'unsure',
	);
	const next: Cursor = {
		...fields,
		...wholeList.save(),
		...(waiting.size > 0 && { hasMore: true, seen: undefined }),
	};
	return { entries, cursor: keepIfUnchanged(next, poll) };
}

function finishByTime(
	poll: Poll,
	timedList: TimedList,
	pages: Pages,
	{ all, isSure }: { all: Page['results']; isSure: boolean },
	fields: Cursor,
): Outcome {
	const { known, position, lookBack } = timedList;
	const { cursor, begin, isBaseline, notes } = poll;
	// Pages of earlier polls have no creation times.
	const isInOnePoll = cursor.reading === undefined || cursor.reading.pages.length === 0;
	const latest = newestSeen(pages, begin);
	const latestBefore = isInOnePoll ? position.listed : timeFromJson(cursor.reading?.listed);
	if (isInOnePoll) {
		const order = orderOf([timesOf({ results: all })], lookBack);
		const hasLostOrder = order.direction === 'none' && timedList.order?.direction !== 'none';
		if (hasLostOrder && fields.first !== undefined) notes.push(noOrderNote);
		timedList.order = order;
	} else timedList.order = fields.seen === undefined ? { direction: 'none' } : undefined;
	if (!known.knowsUndated) {
		known.add([...pages.seenEntries].filter(([, time]) => time === undefined));
		known.knowsUndated = isInOnePoll;
	}
	if (isBaseline) return baselineByTime(poll, timedList, pages, { fields, latest });
	const timesById = isInOnePoll ? assumedTimes(all, timedList.order?.direction) : undefined;
	const { entries, times, waiting } = deliver(poll, pages, timesById);
	const isAll = waiting.size === 0;
	if (isSure || isInOnePoll) {
		position.advance(
			{
				delivered: times,
				isAll,
				isDeep: true,
				reached: latestBefore,
				horizon: latestBefore,
				slack: 0,
				missingFrom: Infinity,
			},
			begin,
		);
		position.floor = position.lookBackFloor(lookBack);
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

/** Marks all listed entries as not new. Reads the list twice if it may have missed entries, because they would look new later. */
function baselineWhole(poll: Poll, pages: Pages, isSure: boolean, fields: Cursor): Outcome {
	const { wholeList, cursor, begin, isSecondReading } = poll;
	const { entryIds } = pages;
	const isReadTwice = wholeList.size > 0 || isSecondReading;
	wholeList.add(
		[...entryIds].filter((id) => !pages.newEntries.has(id)).map((id) => [id, undefined]),
	);
	if (!isReadTwice && (!isSure || entryIds.size === 0))
		return {
			retryFrom: { ...cursor, ...wholeList.save(), reading: undefined },
			isSecondReading: true,
		};
	const { entries, waiting } = deliver(poll, pages);
	const earlierIds = new Set(unpackIds(cursor.before ?? ''));
	const sharedCount = [...earlierIds].filter((id) => entryIds.has(id)).length;
	// The API key has changed, but not the account: entries that the trigger did not know are new.
	if (earlierIds.size > 0 && sharedCount >= earlierIds.size / 2) {
		const next = { ...fields, known: packSet(earlierIds), hasMore: true, seen: undefined };
		return { entries, cursor: next };
	}
	wholeList.addMissing(earlierIds, begin);
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...fields, ...wholeList.save(), ...hasMore } };
}

/** Delivers what was read before the failure. Throws an error if nothing was. */
function recoverReading(poll: Poll, pages: Pages, failure: Failure): Outcome {
	const { task, cursor, search, notes } = poll;
	const isPaging = isPagingFailure(failure);
	if (isPaging && cursor.reading) return { retryFrom: { ...cursor, reading: undefined } };
	if (isPaging && isCutShort(pages) && !search.toleratesRefusals)
		throw listTooDeep(task.noun, pages.seenCount);
	if (failure.counted !== undefined && !poll.ignoresCount) {
		const miscounts = (cursor.miscounts ?? 0) + 1;
		if (miscounts >= maxMiscounts) {
			notes.push(wrongCountNote);
			return { retryFrom: { ...cursor, miscounts } };
		}
		const { entries } = deliver(poll, pages);
		return { entries, cursor: { ...cursor, ...savedFields(poll), miscounts } };
	}
	const start = ((failure.page ?? 1) - 1) * search.pageSize;
	if (isDepthRefusal(failure, start) && failure.status !== 500)
		throw listTooDeep(task.noun, pages.seenCount);
	// A sorted list can do without a complete reading.
	if (
		isPaging &&
		poll.timedList?.order &&
		poll.timedList.order.direction !== 'none' &&
		cursor.missed
	) {
		const { entries } = deliver(poll, pages);
		const next = { ...cursor, ...savedFields(poll), seen: pages.count, missed: undefined };
		return { entries, cursor: next };
	}
	if (isPaging && pages.newEntries.size === 0) throw pagingError(task.noun, failure);
	if (pages.newEntries.size === 0 && !pages.hasProgress) throw new UnreadablePageError(failure);
	return pauseReading(poll, pages, { startOver: isPaging, hasFailed: !isPaging });
}

/** After this many polls without progress, the count is taken as wrong. */
const maxStalledPolls = 3;

/** The next poll continues the reading, or begins a new one with `startOver`. */
function pauseReading(
	poll: Poll,
	pages: Pages,
	{ startOver = false, hasFailed = false } = {},
): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timedList, isBaseline } = poll;
	if (timedList && isBaseline) timedList.known.add(pages.seenEntries);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? timeToJson(timedList?.position.listed ?? -Infinity);
	updateListed(poll, pages);
	const stored = startOver ? [] : pages.pagesToStore(waiting);
	const storedBefore = cursor.reading?.pages.length ?? 0;
	const isStalled = entries.length === 0 && storedBefore > 0 && stored.length <= storedBefore;
	const { stalled: stalledBefore = 0 } = cursor.reading ?? {};
	// A poll that has failed does not prove that the count is wrong.
	const stalled = isStalled ? stalledBefore + Number(!hasFailed) : 0;
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		...(timedList && { listed }),
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
