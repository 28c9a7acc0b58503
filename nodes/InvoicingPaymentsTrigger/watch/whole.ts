import { minOverlapping } from '../../shared/pagination/overlap';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Result } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { readAll } from '../../shared/pagination/readAll';
import type { Failure } from '../../shared/transport/failure';
import { baselineByTime, baselineWhole, knowListed } from './begin';
import type { Cursor, ReadingInParts } from './cursor';
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
import type { ListPage } from './list';
import { isOutOfTime, timesOf } from './list';
import { orderOf } from './order';
import type { Search } from './search';
import { noOrderNote } from './sorted';
import { reachOf } from './stretch';
import type { Outcome, PollResult } from './task';

/** Lists of up to this many pages are read completely in each poll, which is cheap and reliable. */
export const maxSmallPages = 5;

/** A reading of the whole list, or of the rest of it. */
interface WholeReading {
	all: Result[];
	/** No entry can be missing, because pages overlapped. */
	isSure: boolean;
	isInParts: boolean;
	/** The last page is full, so the service may refuse to list more. */
	endsFull: boolean;
}

/** Reads the whole list, or as much as fits into the poll. Throws the same errors as `findNew`. */
export async function readWhole(
	search: Search,
	first: ListPage,
	reading: ReadingInParts | undefined,
): Promise<Outcome> {
	const { list, task, cursor } = search;
	for (const id of unpackIds(reading?.ids ?? '')) list.entryIds.add(id);
	for (const id of unpackIds(reading?.others ?? '')) list.otherIds.add(id);
	const startPage = reading ? await findPlace(search, reading) : 1;
	let pages: PageWithRange[] = [];
	let isOrdered = true;
	let isSizeIgnored = cursor.reading?.ignoresSize === true;
	const read = await readAll({
		fetchPage: list.fetcherFrom(startPage),
		startPage,
		pageLength: list.pageLength,
		limit: Infinity,
		concurrency: task.concurrency,
		ignoresSize: isSizeIgnored,
		onRound: (reader, ignoresSize) => {
			isSizeIgnored ||= ignoresSize;
			pages = reader.pages;
			// A service that orders the list anew for each page cannot be read in parts.
			isOrdered &&= ignoresSize || !reader.isUnstable;
		},
	});
	const end = pages[pages.length - 1];
	if (list.entryIds.size > maxListLength) throw listTooLong(task.noun, list.entryIds.size);
	const isInParts = startPage > 1;
	// The count says that something is missing, but reading the list again and again does not show it.
	const isMiscounted = 'failure' in read && read.failure.counted !== undefined && isEnd(end);
	if ('failure' in read && !isMiscounted)
		return pause(search, isOrdered ? pages : [], read.failure, isSizeIgnored);
	search.notes.push(...lengthWarnings(task.noun, list.entryIds.size));
	const sure = 'results' in read && read.isSure;
	// Pages of earlier polls do not overlap with these, unless the service allows it.
	const isSure = sure && (!isInParts || list.pageLength >= minOverlapping);
	const all = 'results' in read ? read.results : onceEach(pages);
	const { results = [], size = 1 } = pages.filter((page) => page.results.length > 0).pop() ?? {};
	return finish(search, first, { all, isSure, isInParts, endsFull: results.length >= size });
}

const onceEach = (pages: PageWithRange[]): Result[] => [
	...new Map(pages.flatMap(({ results }) => results.map((one) => [one.id, one] as const))).values(),
];

/** The page where the reading goes on: it begins with results that an earlier poll has read. */
async function findPlace(
	{ list }: Search,
	{ reach, ids, others }: ReadingInParts,
): Promise<number> {
	const read = new Set([...unpackIds(ids), ...unpackIds(others ?? '')]);
	let start = Math.floor((reach - 1) / list.pageLength) + 1;
	for (let back = 1; start > 1; back *= 2) {
		const page = await list.peek(start);
		if (page.ids.slice(0, joiningResults).some((id) => read.has(id))) break;
		start = Math.max(1, start - back);
	}
	return start;
}

/** One of them may have just entered the list. */
const joiningResults = 3;

/** After this many polls without progress, the count is ignored, the workflow begins with what was read, or the reading starts over. */
const maxStalledPolls = 3;
const incompleteBaselineNote =
	'The list orders equal results anew for each page, or changes faster than it can be read: some of what was there when the workflow was published may start it.';

type Paused = Pick<PollResult, 'entries' | 'cursor'>;

/** Delivers what was found. The next poll goes on where this one ends. Throws an error if it found nothing. */
function pause(
	search: Search,
	pages: PageWithRange[],
	failure: Failure,
	ignoresSize = false,
): Paused {
	const { cursor, task, isBaseline, list, whole, notes } = search;
	const { reading, times } = cursor;
	const start = ((failure.page ?? 1) - 1) * list.pageLength;
	if (!times && isDepthRefusal(failure, start) && failure.status !== 500)
		throw listTooDeep(task.noun, list.seenCount);
	const isPaging = isPagingFailure(failure);
	const reach = isPaging ? 0 : reachOf(pages);
	const { stalled: stalledBefore = 0 } = reading ?? {};
	const isStalled = list.newEntries.size === 0 && reach <= (reading?.reach ?? 0);
	if (isStalled && !isOutOfTime(failure)) {
		if (!isPaging) throw new UnreadablePageError(failure);
		if (!isBaseline && cursor.ignoresCount && stalledBefore >= maxStalledPolls - 1)
			throw pagingError(task.noun, failure);
	}
	const { entries, waiting } = search.deliver();
	const stalled = isStalled && entries.length === 0 ? stalledBefore + 1 : 0;
	const isStuck = stalled >= maxStalledPolls;
	if (isStuck && isPaging && !cursor.ignoresCount) {
		notes.push(ignoredCountNote);
		const next = { ...cursor, ...search.saved(), reading: undefined, ignoresCount: true };
		return { entries, cursor: next };
	}
	if (isStuck && isBaseline && !times) {
		notes.push(incompleteBaselineNote);
		whole.add([...list.entryIds].map((id) => [id, 0]));
		return { entries, cursor: { ...search.saved(), ignoresCount: true } };
	}
	if (isBaseline && times) knowListed(search);
	const places = [...waiting].map((id) => list.indexes.get(id) ?? 0);
	const end = isStuck ? 0 : Math.min(reach, ...places);
	const next: ReadingInParts = {
		pageSize: task.settings.pageSize,
		...(task.today !== undefined && { day: task.today }),
		reach: end,
		ids: end > 0 ? packSet([...list.entryIds].filter((id) => !waiting.has(id))) : '',
		...(end > 0 && list.otherIds.size > 0 && { others: packSet(list.otherIds) }),
		...(ignoresSize && { ignoresSize }),
		...(stalled > 0 && { stalled }),
		...(times && { listed: reading ? reading.listed : timeToJson(search.listedBefore) }),
	};
	return { entries, cursor: { ...cursor, ...search.saved(), reading: next } };
}

function finish(search: Search, first: ListPage, reading: WholeReading): Outcome {
	const { cursor, task, isBaseline, begin, whole, list } = search;
	const ignoresCount = isCountWrong(search, reading);
	const isLong = list.seenCount > maxSmallPages * list.pageLength;
	// Results that the service refuses to list count as seen.
	const seen = list.refusal ? [...list.counts][0] : list.seenCount;
	const fields: Omit<Cursor, 'known'> = {
		...(ignoresCount && { ignoresCount }),
		...((isLong || cursor.times) && seen !== undefined && { seen }),
		...(isLong && {
			first: packSet(first.ids),
			wholeAt: begin,
			...(task.today !== undefined && { day: task.today }),
		}),
	};
	if (cursor.times) return finishByTime(search, fields, reading);
	const { all, isSure, isInParts } = reading;
	const isOrdered = isLong && !isInParts && all.length === list.entryIds.size;
	whole.order = isOrdered && !ignoresCount ? all.map(({ id }) => id as IdHash) : [];
	if (isBaseline) return baselineWhole(search, fields, isSure);
	const { entries, waiting } = search.deliver();
	whole.updateMissing(list.entryIds, begin, isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...fields, ...search.saved(), ...hasMore } };
}

export const ignoredCountNote =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";

/** Whether the count contradicts what is listed. Throws ListTooLongError if the list seems to be cut off. */
function isCountWrong({ cursor, list, notes, task }: Search, { endsFull }: WholeReading): boolean {
	const { ignoresCount = false } = cursor;
	const [count] = list.counts;
	const isSteady = list.counts.size === 1;
	if (list.refusal || count === undefined) return ignoresCount;
	if (ignoresCount) return !isSteady || count !== list.seenCount;
	// While the list changes, its count proves nothing.
	if (!isSteady || count === list.seenCount) return false;
	const isDeep = endsFull && list.seenCount >= minRefusedDepth;
	if (count - list.seenCount > list.pageLength && isDeep && !cursor.times)
		throw listTooDeep(task.noun, list.seenCount);
	notes.push(ignoredCountNote);
	return true;
}

function finishByTime(
	search: Search,
	fields: Omit<Cursor, 'known'>,
	{ all, isSure, isInParts }: WholeReading,
): Outcome {
	const { cursor, task, isBaseline, notes } = search;
	const { lookBack } = task.settings;
	const { times, reading } = cursor;
	// Pages of earlier polls have no creation times.
	const order = isInParts ? undefined : orderOf([timesOf({ results: all })], lookBack);
	const hasLostOrder = order?.direction === 'none' && times?.order?.direction !== 'none';
	if (hasLostOrder && fields.first !== undefined) notes.push(noOrderNote);
	// Without a count, a list that only looks sorted would not be noticed, so it is read whole.
	const nextOrder = fields.ignoresCount ? ({ direction: 'none' } as const) : order;
	if (isBaseline) return baselineByTime(search, fields, { order: nextOrder });
	if (order?.direction !== 'oldestFirst' && order?.direction !== 'newestFirst')
		search.knowOlderThan(times?.begun);
	const { entries, waiting } = search.deliver(order?.direction);
	const horizon = isInParts ? timeFromJson(reading?.listed) : search.listedBefore;
	if ((isSure || !isInParts) && horizon > -Infinity)
		search.floor = Math.max(search.floor, Math.min(horizon - lookBack, search.oldest(waiting, 0)));
	search.bottom = search.floor;
	const next: Cursor = {
		...fields,
		...search.saved({
			bracket: undefined,
			gaps: undefined,
			begun: undefined,
			order: nextOrder,
			deepAt: search.begin,
		}),
		...(waiting.size > 0 && { hasMore: true }),
		...(fields.seen !== undefined && { seen: fields.seen - waiting.size }),
	};
	return { entries, cursor: next };
}
