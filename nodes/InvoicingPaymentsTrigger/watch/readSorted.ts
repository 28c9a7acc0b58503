import { readPart } from './readPart';
import { baselineSorted } from './baseline';
import type { Backlog, Cursor } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import type { Pages, PageWithIds } from './pages';
import type { Part, Sorted, Unfinished } from './window';
import { restartIfDisordered } from './window';
import type { Outcome, Poll, Timed } from './task';
import { deliver, newestSeen, updateListed, savedFields, keepIfUnchanged } from './task';
import { reserve } from './budget';

/** Consecutive polls with missing results before a complete reading: the count may be ahead of the list. */
export const maxMissedPolls = 2;

/** Reads a sorted list from its newest end to known results, or just the oldest part one poll can deliver. */
export async function readSorted(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: PageWithIds,
): Promise<Outcome> {
	const { cursor, isBaseline } = poll;
	if (isBaseline) return await baselineSorted(poll, timed, pages, first);
	const { position, lookBack } = timed;
	const deep = { boundary: position.depth(lookBack) + 1, isDeep: true };
	const isDue = isDeepDue(poll, timed, pages);
	if (!isDue && isQuiet(poll, timed, pages)) return { entries: [], cursor };
	const depth = isDue ? deep : { boundary: position.newest, isDeep: false };
	let part = await readPart(poll, timed, pages, first, depth);
	let isDeep = depth.isDeep;
	// If deep pages do not fit together, new results must not wait for them.
	if (isDeep && hasMisfits(part) && position.newest > deep.boundary && !cursor.hasMore) {
		const boundary = position.newest;
		part = await readPart(poll, timed, pages, first, { boundary, isDeep: false });
		isDeep = false;
		if (position.deep) position.deep = { ...position.deep, at: poll.begin };
	}
	// The list has grown by more than was found: the rest may be further back.
	if (!isDeep && !('backlog' in part) && isShort(poll, pages, part)) {
		const further = await readPart(poll, timed, pages, first, deep);
		isDeep = !('backlog' in further);
		if (isDeep) part = further;
	}
	if ('backlog' in part) {
		updateListed(poll, pages);
		const { backlog } = part;
		const { unsettled } = cursor.times ?? {};
		const kept = { ...cursor, ...savedFields(poll, { unsettled, backlog }), hasMore: true };
		return { entries: [], cursor: kept };
	}
	return restartIfDisordered(poll, timed, part) ?? settle(poll, timed, pages, { part, isDeep });
}

/** Whether to look for late results: now and then, if there is budget for the known results in between. */
function isDeepDue(
	{ cursor, begin, search }: Poll,
	{ position, known, lookBack }: Timed,
	pages: Pages,
): boolean {
	if (position.newest <= position.depth(lookBack) + 1) return true;
	if (cursor.hasMore && position.isFarBack(lookBack)) return false;
	const isDue =
		(cursor.missed ?? 0) > 0 || Math.abs(begin - (position.deep?.at ?? -Infinity)) >= lookBack / 4;
	return isDue && Math.ceil(known.size / pages.pageLength) + 2 * reserve <= search.budget.left;
}

const hasMisfits = (part: Part | Unfinished) => 'backlog' in part || part.missingFrom === -Infinity;

/** Departures can hide arrivals in the count, but not for longer than this (milliseconds). */
const maxQuietTime = 15 * 60_000;

/** Whether the count shows that nothing was added to the end of the list. */
function isQuiet({ cursor, begin, task }: Poll, { order }: Sorted, { count }: Pages): boolean {
	const { seen, hasMore, times } = cursor;
	const age = Math.abs(begin - (times?.endAt ?? -Infinity)) + (task.interval ?? 0);
	const isUnchanged = count !== undefined && count === seen && !hasMore && !times?.unsettled;
	return order.direction === 'oldestFirst' && isUnchanged && age < maxQuietTime;
}

function isShort({ cursor }: Poll, { count }: Pages, { fresh, isFromNewest }: Part): boolean {
	const { seen, missed = 0 } = cursor;
	const isComparable = isFromNewest && missed === 0 && count !== undefined && seen !== undefined;
	return isComparable && count - seen > fresh.size;
}

function settle(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	{ part, isDeep }: { part: Part; isDeep: boolean },
): Outcome {
	const { position, order, lookBack } = timed;
	const { cursor, begin, task } = poll;
	const { missingFrom } = part;
	const { unsettled: before = { since: begin, polls: 0 } } = cursor.times ?? {};
	const unsettled = missingFrom === undefined ? undefined : { ...before, polls: before.polls + 1 };
	const isGivenUp = unsettled !== undefined && hasSearchedEnough(unsettled, begin);
	if (isGivenUp) poll.notes.push(missedNote);
	const upTo = missingFrom === undefined || isGivenUp ? Infinity : missingFrom;
	const { entries, times, waiting } = deliver(poll, pages, part.fresh);
	const isAll = part.isFromNewest && waiting.size === 0 && upTo > -Infinity;
	const listed = newestSeen(pages, begin);
	const horizon = position.listed > -Infinity ? position.listed : listed - (task.now() - begin);
	position.settle(
		{ delivered: times, isAll, isDeep, reached: listed, horizon, slack: order.slack, upTo },
		begin,
	);
	updateListed(poll, pages);
	const { count } = pages;
	const accounted = cursor.seen === undefined ? undefined : cursor.seen + entries.length;
	const missing = count !== undefined && accounted !== undefined ? count - accounted : 0;
	const { miscounts, missed } = cursor;
	// While the count shows that results are missing, they may be anywhere, and of any age.
	if (missing <= 0) position.floor = position.depth(lookBack);
	const forgotten = timed.known.makeRoom(
		maxRemembered,
		Math.max(position.newest, position.depth(lookBack)),
	);
	if (forgotten > position.floor) {
		position.floor = forgotten;
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
		...(count !== undefined && { seen: isAll && missing <= 0 ? count : accounted }),
		...(isAll && missing > 0 && { missed: (missed ?? 0) + 1 }),
		...(!isAll && { hasMore: true }),
	};
	return { entries, cursor: keepIfUnchanged(next, poll) };
}

/** Maximum number of remembered results, whatever the look-back. */
const maxRemembered = 10_000;

function shortLookBackNote({ newest, floor }: Timed['position']): string {
	const minutes = Math.max(0, Math.round((newest - floor) / 60_000));
	return `Too many new charges: late ones are only looked for ${minutes} minutes back.`;
}

/** Where the next poll continues: after the last new result, or at the last one older than `newest`. */
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
	// Known results with the same time as the boundary lie in between.
	const between = all.filter(({ isNew, isOlder }) => !isNew && !isOlder).length;
	return { boundary: null, low: 1, place: Math.max(0, Math.min(...older, end) - between) };
}

/** How long (milliseconds), and in how many polls at least, to search for results of one time. */
const minSearchTime = 24 * 3_600_000;
const minSearchPolls = 5;

const hasSearchedEnough = ({ since, polls }: { since: number; polls: number }, now: number) =>
	polls > minSearchPolls && Math.abs(now - since) > minSearchTime;

const missedNote =
	'Some may be missing: the service orders those of the same moment anew for each page, and there are more of them than one page holds.';
