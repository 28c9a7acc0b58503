import { minOverlapping } from '../../shared/pagination/overlap';
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
import type { Poll } from './poll';
import { isOutOfTime, timesOf } from './poll';
import type { Reading } from './reading';
import { reachOf, readPages } from './reading';
import { noOrderNote } from './newest';
import type { Outcome } from './task';

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
export async function sweep(poll: Poll, begun: ReadingInParts | undefined): Promise<Outcome> {
	const { task, cursor, entryIds, otherIds, notes } = poll;
	for (const id of unpackIds(begun?.ids ?? '')) entryIds.add(id);
	for (const id of unpackIds(begun?.others ?? '')) otherIds.add(id);
	const startPage = begun ? await findPlace(poll, begun) : 1;
	const ignoresSize = cursor.reading?.ignoresSize === true;
	const { concurrency } = task;
	const read = await readPages(poll, { startPage, concurrency, ignoresSize });
	if (entryIds.size > maxListLength) throw listTooLong(task.noun, entryIds.size);
	if (read.failure) return pause(poll, read, read.failure);
	notes.push(...lengthWarnings(task.noun, entryIds.size));
	return finish(poll, read, startPage > 1);
}

/** The page where the reading goes on: it begins with results that an earlier poll has read. */
async function findPlace(poll: Poll, { reach, ids, others }: ReadingInParts): Promise<number> {
	const read = new Set([...unpackIds(ids), ...unpackIds(others ?? '')]);
	let start = Math.floor((reach - 1) / poll.pageLength) + 1;
	for (let back = 1; start > 1; back *= 2) {
		const page = await poll.peek(start);
		if (page.ids.slice(0, joiningResults).some((id) => read.has(id))) break;
		start = Math.max(1, start - back);
	}
	return start;
}

/** Delivers what was found. The next poll goes on where this one ends. Throws an error if it found nothing. */
function pause(poll: Poll, read: Reading, failure: Failure): Outcome {
	const { cursor, task, isBaseline, whole, notes, newEntries } = poll;
	const { reading, times, ignoresCount } = cursor;
	const start = ((failure.page ?? 1) - 1) * poll.pageLength;
	if (!times && isDepthRefusal(failure, start) && failure.status !== 500)
		throw listTooDeep(task.noun, poll.seenCount);
	const isPaging = isPagingFailure(failure);
	// A service that orders the list anew for each page cannot be read in parts.
	const isOrdered = !read.isUnstable || read.ignoresSize;
	const reach = isPaging || !isOrdered ? 0 : reachOf(read.pages);
	const { stalled: stalledBefore = 0 } = reading ?? {};
	const isStalled = newEntries.size === 0 && reach <= (reading?.reach ?? 0);
	if (isStalled && !isOutOfTime(failure)) {
		if (!isPaging) throw new UnreadablePageError(failure);
		if (!isBaseline && ignoresCount && stalledBefore >= maxStalledPolls - 1)
			throw pagingError(task.noun, failure);
	}
	// Pages of earlier polls have no creation times, so the order of the list is unknown.
	poll.knowOlderThan(times?.begun);
	const { entries, waiting } = poll.deliver();
	const stalled = isStalled && entries.length === 0 ? stalledBefore + 1 : 0;
	const isStuck = stalled >= maxStalledPolls;
	if (isStuck && isPaging && !ignoresCount) {
		notes.push(ignoredCountNote);
		const next = { ...cursor, ...saved(poll), reading: undefined, ignoresCount: true };
		return { entries, cursor: next };
	}
	if (isStuck && isBaseline && !times) {
		notes.push(incompleteBaselineNote);
		whole.add([...poll.entryIds].map((id) => [id, 0]));
		return { entries, cursor: { ...saved(poll), ignoresCount: true } };
	}
	if (isBaseline && times) poll.knowListed();
	const places = [...waiting].map((id) => newEntries.get(id)?.index ?? 0);
	const end = isStuck ? 0 : Math.min(reach, ...places);
	const next: ReadingInParts = {
		pageSize: task.settings.pageSize,
		day: task.today,
		reach: end,
		ids: end > 0 ? packSet([...poll.entryIds].filter((id) => !waiting.has(id))) : '',
		others: end > 0 && poll.otherIds.size > 0 ? packSet(poll.otherIds) : undefined,
		ignoresSize: read.ignoresSize || undefined,
		stalled: stalled || undefined,
		count: reading ? reading.count : [...poll.counts][0],
		listed: times && (reading ? reading.listed : timeToJson(poll.listedBefore)),
	};
	return { entries, cursor: { ...cursor, ...saved(poll), reading: next } };
}

function finish(poll: Poll, read: Reading, isInParts: boolean): Outcome {
	const { cursor, task, begin, notes } = poll;
	// Pages of earlier polls do not overlap with these, unless the service allows it.
	const isSure = read.isSure && !read.isGap && (!isInParts || poll.pageLength >= minOverlapping);
	const ignoresCount = isCountWrong(poll, read, isInParts);
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
		isDeep: isSure || !isInParts,
		// What is missing although it was looked for is in the count, which is ignored.
		isGap: false,
		listedBefore,
		fields,
	});
}

/** Whether the count contradicts what is listed. Throws ListTooLongError if the list seems to be cut off. */
function isCountWrong(poll: Poll, { pages }: Reading, isInParts: boolean): boolean {
	const { counts, refusal, seenCount, task, cursor, pageLength, notes } = poll;
	const { ignoresCount = false, times, reading } = cursor;
	const [count] = counts;
	const isSteady = counts.size === 1 && (!isInParts || reading?.count === count);
	if (refusal || count === undefined) return ignoresCount;
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
