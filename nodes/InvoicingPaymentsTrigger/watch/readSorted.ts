import { readPart } from './readPart';
import { baselineSorted } from './baseline';
import type { Backlog, Cursor } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import type { Pages, PageWithIds } from './pages';
import type { Part, SortedList, Unfinished } from './window';
import { restartIfDisordered } from './window';
import type { Outcome, Poll, TimedList } from './task';
import { deliver, newestSeen, updateListed, savedFields, keepIfUnchanged } from './task';
import { reservedRequests } from './budget';

/** The count may be ahead of the list for this many polls. After that, the list is read completely. */
export const maxMissedPolls = 2;

export async function readSorted(
	poll: Poll,
	timedList: SortedList,
	pages: Pages,
	first: PageWithIds,
): Promise<Outcome> {
	const { cursor, isBaseline } = poll;
	if (isBaseline) return await baselineSorted(poll, timedList, pages, first);
	const { position, lookBack } = timedList;
	const deep = { boundary: position.lookBackFloor(lookBack) + 1, isDeep: true };
	const isDue = isDeepDue(poll, timedList, pages);
	if (!isDue && isUnchanged(poll, timedList, pages)) return { entries: [], cursor };
	const depth = isDue ? deep : { boundary: position.newest, isDeep: false };
	let part = await readPart(poll, timedList, pages, first, depth);
	let isDeep = depth.isDeep;
	// If the deep pages do not fit together, read and deliver at least the newest results.
	if (isDeep && hasGap(part) && position.newest > deep.boundary && !cursor.hasMore) {
		const boundary = position.newest;
		part = await readPart(poll, timedList, pages, first, { boundary, isDeep: false });
		isDeep = false;
		if (position.deep) position.deep = { ...position.deep, at: poll.begin };
	}
	// If the count grew by more than the new results, the others may be further back.
	if (!isDeep && !('backlog' in part) && hasMissedGrowth(poll, pages, part)) {
		const further = await readPart(poll, timedList, pages, first, deep);
		isDeep = !('backlog' in further);
		if (isDeep) part = further;
	}
	if ('backlog' in part) {
		updateListed(poll, pages);
		const { backlog } = part;
		const { unsettled } = cursor.times ?? {};
		const next = { ...cursor, ...savedFields(poll, { unsettled, backlog }), hasMore: true };
		return { entries: [], cursor: next };
	}
	return (
		restartIfDisordered(poll, timedList, part) ??
		finishSorted(poll, timedList, pages, { part, isDeep })
	);
}

/** Whether to look for results that are listed late. This rereads all known results in between. */
function isDeepDue(
	{ cursor, begin, search }: Poll,
	{ position, known, lookBack }: TimedList,
	pages: Pages,
): boolean {
	if (position.newest <= position.lookBackFloor(lookBack) + 1) return true;
	if (cursor.hasMore && position.isFarBack(lookBack)) return false;
	const isDue =
		(cursor.missed ?? 0) > 0 || Math.abs(begin - (position.deep?.at ?? -Infinity)) >= lookBack / 4;
	return (
		isDue && Math.ceil(known.size / pages.pageLength) + 2 * reservedRequests <= search.budget.left
	);
}

const hasGap = (part: Part | Unfinished) => 'backlog' in part || part.missingFrom === -Infinity;

/** An unchanged count is trusted for this long (milliseconds): it also stays the same if one result arrives and another leaves. */
const maxUnchangedTime = 15 * 60_000;

function isUnchanged(
	{ cursor, begin, task }: Poll,
	{ order }: SortedList,
	{ count }: Pages,
): boolean {
	const { seen, hasMore, times } = cursor;
	const age = Math.abs(begin - (times?.endAt ?? -Infinity)) + (task.interval ?? 0);
	const isSameCount = count !== undefined && count === seen && !hasMore && !times?.unsettled;
	return order.direction === 'oldestFirst' && isSameCount && age < maxUnchangedTime;
}

function hasMissedGrowth(
	{ cursor }: Poll,
	{ count }: Pages,
	{ newTimes: newTimes, isFromNewest }: Part,
): boolean {
	const { seen, missed = 0 } = cursor;
	const isComparable = isFromNewest && missed === 0 && count !== undefined && seen !== undefined;
	return isComparable && count - seen > newTimes.size;
}

function finishSorted(
	poll: Poll,
	timedList: SortedList,
	pages: Pages,
	{ part, isDeep }: { part: Part; isDeep: boolean },
): Outcome {
	const { position, order, lookBack } = timedList;
	const { cursor, begin, task } = poll;
	const { missingFrom } = part;
	const { unsettled: unsettledBefore = { since: begin, polls: 0 } } = cursor.times ?? {};
	const unsettled =
		missingFrom === undefined
			? undefined
			: { ...unsettledBefore, polls: unsettledBefore.polls + 1 };
	const isGivenUp = unsettled !== undefined && hasSearchedEnough(unsettled, begin);
	if (isGivenUp) poll.notes.push(missedNote);
	const gapFrom = missingFrom === undefined || isGivenUp ? Infinity : missingFrom;
	const { entries, times, waiting } = deliver(poll, pages, part.newTimes);
	const isAll = part.isFromNewest && waiting.size === 0 && gapFrom > -Infinity;
	const listed = newestSeen(pages, begin);
	const horizon = position.listed > -Infinity ? position.listed : listed - (task.now() - begin);
	position.advance(
		{
			delivered: times,
			isAll,
			isDeep,
			reached: listed,
			horizon,
			slack: order.slack,
			missingFrom: gapFrom,
		},
		begin,
	);
	updateListed(poll, pages);
	const { count } = pages;
	const expectedCount = cursor.seen === undefined ? undefined : cursor.seen + entries.length;
	const missingCount =
		count !== undefined && expectedCount !== undefined ? count - expectedCount : 0;
	const { miscounts, missed } = cursor;
	// Only if the count shows that nothing is missing: missing results can be of any age.
	if (missingCount <= 0) position.floor = position.lookBackFloor(lookBack);
	const raisedFloor = timedList.known.floorFor(
		maxRemembered,
		Math.max(position.newest, position.lookBackFloor(lookBack)),
	);
	if (raisedFloor > position.floor) {
		position.floor = raisedFloor;
		if (isAll) poll.notes.push(shortLookBackNote(position));
	}
	const next: Cursor = {
		kind: 'entries',
		...(miscounts && { miscounts }),
		known: '',
		...savedFields(poll, {
			...(order.direction === 'oldestFirst' && { endAt: begin }),
			...(unsettled && !isGivenUp && { unsettled }),
			...(!isAll && { backlog: backlogOf(part, position.newest, order.direction, waiting) }),
		}),
		...(count !== undefined && { seen: isAll && missingCount <= 0 ? count : expectedCount }),
		...(isAll && missingCount > 0 && { missed: (missed ?? 0) + 1 }),
		...(!isAll && { hasMore: true }),
	};
	return { entries, cursor: keepIfUnchanged(next, poll) };
}

const maxRemembered = 10_000;

function shortLookBackNote({ newest, floor }: TimedList['position']): string {
	const minutes = Math.max(0, Math.round((newest - floor) / 60_000));
	return `Too many new charges: late ones are only looked for ${minutes} minutes back.`;
}

function backlogOf(
	{ pages }: Part,
	newest: number,
	direction: Direction,
	waiting: ReadonlySet<IdHash>,
): Backlog {
	const byId = new Map<unknown, { index: number; isNew: boolean; isOlder: boolean }>();
	for (const { results, start } of pages)
		results.forEach(({ id, time }, at) => {
			const isOlder = typeof time === 'number' && time < newest;
			byId.set(id, { index: start + at, isNew: waiting.has(id as IdHash), isOlder });
		});
	const all = [...byId.values()];
	const older = all.filter(({ isOlder }) => isOlder).map(({ index }) => index);
	if (direction === 'oldestFirst')
		return { boundary: null, low: 1, place: Math.max(...older, pages[0].start) };
	const end = Math.max(...pages.map(({ start, results }) => start + results.length));
	// Do not count known results with the same creation time as the boundary.
	const knownAtBoundary = all.filter(({ isNew, isOlder }) => !isNew && !isOlder).length;
	return { boundary: null, low: 1, place: Math.max(0, Math.min(...older, end) - knownAtBoundary) };
}

/** Give up on results with the same creation time after this long (milliseconds) and this many polls. */
const minSearchTime = 24 * 3_600_000;
const minSearchPolls = 5;

const hasSearchedEnough = ({ since, polls }: { since: number; polls: number }, now: number) =>
	polls > minSearchPolls && Math.abs(now - since) > minSearchTime;

const missedNote =
	'Some may be missing: the service orders those of the same moment anew for each page, and there are more of them than one page holds.';
