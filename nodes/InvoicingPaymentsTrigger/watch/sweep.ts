import { minOverlapping } from '../../shared/pagination/overlap';
import { ok } from '../../shared/result';
import type { Failure } from '../../shared/transport/failure';
import { finishById, finishByTime, saved } from './finish';
import type { ReadingInParts } from './cursor';
import { timeFromJson, timeToJson } from './cursor';
import {
	isDepthRefusal,
	isPagingFailure,
	lengthWarnings,
	listTooDeep,
	listTooLong,
	maxListLength,
	minRefusedDepth,
	pagingError,
	UnreadablePageError,
} from './errors';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import { noOrder, orderOf } from './order';
import type { Delivery, Poll } from './poll';
import { isOutOfTime, timesOf } from './poll';
import type { Reading } from './reading';
import { expectedIn, pagesUpTo, reachOf, readPages } from './reading';
import { noOrderNote } from './newest';
import type { SearchOutcome } from './task';

/** Lists of up to this many pages are read completely in each poll, which is cheap and reliable. */
export const maxSmallPages = 5;
/** The page where a reading goes on begins with results that were read. One of this many may have just entered the list. */
const joiningResults = 3;
/** After this many polls without progress, the count is ignored, the workflow begins with what was read, or the reading starts over. */
const maxStalledPolls = 3;

const incompleteBaselineNote =
	'The list orders equal results anew for each page, or changes faster than it can be read: some of what was there when the workflow was published may start it.';
export const ignoredCountNote =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";

/** Reads the whole list, or as much as fits into the poll. Throws the same errors as `findNew`, and WrongCountError. */
export async function sweep(poll: Poll, begun: ReadingInParts | undefined): Promise<SearchOutcome> {
	const { task, cursor, entryIds, otherIds, notes } = poll;
	const [ids, others] = [unpackIds(begun?.ids ?? ''), unpackIds(begun?.others ?? '')];
	for (const id of ids) entryIds.add(id);
	for (const id of others) otherIds.add(id);
	const earlier = new Set([...ids, ...others]);
	const startPage = begun ? await findPlace(poll, begun.reach, earlier) : 1;
	const ignoresSize = cursor.reading?.ignoresSize === true;
	const { concurrency } = task;
	const read = await readPages(poll, { startPage, concurrency, ignoresSize });
	const part = startPage > 1 ? begun : undefined;
	const expectedUpTo = expectedOf(poll, read, part, earlier);
	if (entryIds.size > maxListLength) throw listTooLong(task.noun, entryIds.size);
	if (read.failure) return breakOff(poll, read, read.failure, expectedUpTo);
	notes.push(...lengthWarnings(task.noun, entryIds.size));
	const isInParts = part !== undefined;
	return finish(poll, read, {
		isInParts,
		lacksResults: isInParts && partsLackResults(poll, expectedUpTo(Infinity)),
	});
}

/** The page where the reading goes on: it begins with results that an earlier poll has read. */
async function findPlace(poll: Poll, reach: number, ids: ReadonlySet<IdHash>): Promise<number> {
	let start = Math.floor((reach - 1) / poll.pageLength) + 1;
	for (let back = 1; start > 1; back *= 2) {
		const page = await poll.peek(start);
		if (page.ids.slice(0, joiningResults).some((id) => ids.has(id))) break;
		start = Math.max(1, start - back);
	}
	return start;
}

/**
 * How many different results a reading should have seen up to a place of the list: those that its pages show, in all parts, and those that
 * only other pages have shown, such as the first one of a poll. `earlier`: what was seen before `part`.
 */
function expectedOf(
	poll: Poll,
	{ pages, results, isUnstable }: Reading,
	part: ReadingInParts | undefined,
	earlier: ReadonlySet<IdHash>,
): (end: number) => number {
	const { reach = 0, expected = 0, countAtReach: count } = part ?? {};
	const ids: ReadonlySet<IdHash> = part ? earlier : new Set();
	const inPages = new Set([...ids, ...results.map(({ id }) => id as IdHash)]);
	const elsewhere = poll.seenCount - inPages.size;
	return (end) => {
		const now = expectedIn(pagesUpTo(end, pages), { isUnstable, earlier: { reach, ids, count } });
		return elsewhere + expected - Math.max(0, reach - end) + now;
	};
}

/**
 * Whether a reading in parts has seen fewer different results than expected. Then some were moved from one part to another, because others
 * have left, or the service orders those of the same moment anew for each page.
 */
function partsLackResults(
	{ count, refusal, seenCount, pageLength }: Poll,
	expected: number,
): boolean {
	// Without a count, nothing shows how many new ones have moved. Short pages do not overlap.
	const isCounted = count !== undefined && !refusal;
	return isCounted && pageLength >= minOverlapping && seenCount < expected;
}

/**
 * Ends a poll whose reading broke off. What was found is delivered, unless an error is thrown. The first line that applies:
 *
 *   the service refuses the depth of a list without creation times   an error: such a list must be read whole
 *   nothing was found, no further than before, and time is left:
 *     a page cannot be read                                          an error
 *     pages do not fit, although the count is ignored already        an error, if that was so for several polls
 *   several such polls: pages do not fit                             from now on the count is ignored
 *   several such polls: a first reading without creation times       ends; what it has not seen is new later
 *   otherwise                                                        the next poll goes on where this one ends
 */
function breakOff(
	poll: Poll,
	read: Reading,
	failure: Failure,
	expectedUpTo: (end: number) => number,
): SearchOutcome {
	const { cursor, isBaseline, whole, notes, newEntries } = poll;
	const { reading, times, ignoresCount } = cursor;
	const isPaging = isPagingFailure(failure);
	// A service that orders the list anew for each page cannot be read in parts.
	const isOrdered = !read.isUnstable || read.ignoresSize;
	const reach = isPaging || !isOrdered ? 0 : reachOf(read.pages);
	const isStalled = newEntries.size === 0 && reach <= (reading?.reach ?? 0);
	throwIfHopeless(poll, failure, isStalled);
	// Pages of earlier polls have no creation times, so the order of the list is unknown.
	poll.knowOlderThan(times?.begun);
	const { entries, waiting, oldestLeft } = poll.deliver();
	const stalled = isStalled && entries.length === 0 ? (reading?.stalled ?? 0) + 1 : 0;
	const isStuck = stalled >= maxStalledPolls;
	if (isStuck && isPaging && !ignoresCount) {
		notes.push(ignoredCountNote);
		const next = { ...cursor, ...saved(poll), reading: undefined, ignoresCount: true };
		return ok({ entries, cursor: next });
	}
	if (isStuck && isBaseline && !times) {
		notes.push(incompleteBaselineNote);
		whole.add([...poll.entryIds].map((id) => [id, 0]));
		return ok({ entries, cursor: { ...saved(poll), ignoresCount: true } });
	}
	if (isBaseline && times) poll.knowListed();
	const places = [...waiting].map((id) => newEntries.get(id)?.index ?? 0);
	const end = isStuck ? 0 : Math.min(reach, ...places);
	const known = [...poll.entryIds].filter((id) => !waiting.has(id));
	const [last] = pagesUpTo(end, read.pages).slice(-1);
	const next = readingInParts(poll, {
		end,
		known,
		expected: expectedUpTo(end),
		countAtReach: last?.count,
		oldestLeft,
		ignoresSize: read.ignoresSize,
		stalled,
	});
	return ok({ entries, cursor: { ...cursor, ...saved(poll), reading: next } });
}

/** Throws the errors of `breakOff`. */
function throwIfHopeless(poll: Poll, failure: Failure, isStalled: boolean): void {
	const { reading, times, ignoresCount } = poll.cursor;
	const { noun } = poll.task;
	const start = ((failure.page ?? 1) - 1) * poll.pageLength;
	if (!times && isDepthRefusal(failure, start) && failure.status !== 500)
		throw listTooDeep(noun, poll.seenCount);
	if (!isStalled || isOutOfTime(failure)) return;
	if (!isPagingFailure(failure)) throw new UnreadablePageError(failure);
	const isLastTry = (reading?.stalled ?? 0) >= maxStalledPolls - 1;
	if (!poll.isBaseline && ignoresCount && isLastTry) throw pagingError(noun, failure);
}

/** Where the next poll goes on: from `end`, a number of results. `known`: those before it that are delivered or old. */
function readingInParts(
	poll: Poll,
	part: Pick<ReadingInParts, 'expected' | 'countAtReach' | 'ignoresSize'> &
		Pick<Delivery, 'oldestLeft'> & { end: number; known: IdHash[]; stalled: number },
): ReadingInParts {
	const { cursor, task } = poll;
	const { reading, times } = cursor;
	const { end, known, expected, countAtReach, oldestLeft, ignoresSize, stalled } = part;
	return {
		pageSize: task.settings.pageSize,
		day: task.today,
		reach: end,
		ids: end > 0 ? packSet(known) : '',
		others: end > 0 && poll.otherIds.size > 0 ? packSet(poll.otherIds) : undefined,
		expected,
		countAtReach,
		oldestLeft: times && oldestLeft < Infinity ? oldestLeft : undefined,
		ignoresSize: ignoresSize || undefined,
		stalled: stalled || undefined,
		count: reading ? reading.count : [...poll.counts][0],
		listed: times && (reading ? reading.listed : timeToJson(poll.listedBefore)),
	};
}

function finish(
	poll: Poll,
	read: Reading,
	{ isInParts, lacksResults }: { isInParts: boolean; lacksResults: boolean },
): SearchOutcome {
	const { cursor, task, begin, notes } = poll;
	// Pages of earlier polls have not overlapped, unless the service allows it.
	const isPartSure = poll.pageLength >= minOverlapping && !read.ignoresSize && !lacksResults;
	const isSure = read.isSure && !read.isGap && (!isInParts || isPartSure);
	const ignoresCount = isCountWrong(poll, read, lacksResults);
	const isLong = poll.seenCount > maxSmallPages * poll.pageLength;
	// Results that the service refuses to list count as seen.
	const seen = poll.refusal ? [...poll.counts][0] : poll.seenCount;
	const fields = {
		ignoresCount: ignoresCount || undefined,
		seen: isLong || cursor.times ? seen : undefined,
		wholeAt: isLong ? begin : undefined,
		day: isLong ? task.today : undefined,
	};
	if (!cursor.times) return finishById(poll, { ...read, isSure, isInParts, isLong, fields });
	// Pages of earlier polls have no creation times.
	const order = isInParts ? undefined : orderOf([timesOf(read)], task.settings.lookBack);
	const isUnsorted = order?.direction === 'none';
	if (isUnsorted && cursor.times.order?.direction !== 'none' && isLong) notes.push(noOrderNote);
	if (!order || isUnsorted) poll.knowOlderThan(cursor.times.begun);
	// What only a page shows that was read in vain may be newer than some that were not seen.
	const newIds = new Set(read.results.map(({ id }) => id as IdHash));
	const listedBefore = isInParts ? timeFromJson(cursor.reading?.listed) : poll.listedBefore;
	return finishByTime(poll, {
		// Nobody would notice that such a list only looks sorted, so it is read whole from now on.
		order: ignoresCount ? noOrder : order,
		newIds,
		coversAllNew: true,
		passedTo: isSure || !isInParts ? Infinity : undefined,
		// What is missing although it was looked for is in the count, which is ignored.
		isGap: false,
		listedBefore,
		fields,
	});
}

/** Whether the count contradicts what is listed. Throws ListTooLongError if the list seems to be cut off. */
function isCountWrong(poll: Poll, { pages }: Reading, lacksResults: boolean): boolean {
	const { counts, refusal, seenCount, task, cursor, pageLength, notes } = poll;
	const { ignoresCount = false, times, reading } = cursor;
	const [count] = counts;
	const isSteady = counts.size === 1 && (!reading || reading.count === count);
	if (refusal || count === undefined || lacksResults) return ignoresCount;
	if (ignoresCount) return !isSteady || count !== seenCount;
	// While the list changes, its count proves nothing.
	if (!isSteady || count === seenCount) return false;
	const { results = [], size = 1 } = pages.filter((page) => page.results.length > 0).pop() ?? {};
	// If the last page is full, the service may refuse to list more.
	const isCutOff = results.length >= size && seenCount >= minRefusedDepth;
	if (count - seenCount > pageLength && isCutOff && !times) throw listTooDeep(task.noun, seenCount);
	notes.push(ignoredCountNote);
	return true;
}
