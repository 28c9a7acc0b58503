import { readNewestFirst } from './newestFirst';
import { noteSorted } from './noteSorted';
import { readOldestFirst } from './oldestFirst';
import type { Backlog, Cursor } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import type { Pages } from './pages';
import { isLessSorted } from './slack';
import type { Outcome, Poll, Timed } from './task';
import { deliver, newestSeen, noteListed, saved, unlessSame } from './task';
import type { Depth, FirstPage, Part, Sorted, Unfinished } from './window';
import { reserve } from './budget';
import { Window } from './window';

/** In so many polls in a row something may be missing before the whole list is read: its count may be ahead of it. */
export const mostMissed = 2;

/**
 * Reads a sorted list from its newest end down to where everything is known, or of more than one poll delivers the part that is
 * oldest.
 */
export async function readSorted(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: FirstPage,
): Promise<Outcome> {
	const { cursor, isBaseline } = poll;
	if (isBaseline) return await noteSorted(poll, timed, pages, first);
	const { position, lookBack } = timed;
	const deep = { boundary: position.depth(lookBack) + 1, isDeep: true };
	const isDue = isDeepDue(poll, timed, pages);
	if (!isDue && isQuiet(poll, timed, pages)) return { entries: [], cursor };
	const depth = isDue ? deep : { boundary: position.newest, isDeep: false };
	let part = await readPart(poll, timed, pages, first, depth);
	let isDeep = depth.isDeep;
	// Where so much does not go together, what is new shall not wait for it.
	if (isDeep && isUnfit(part) && position.newest > deep.boundary && !cursor.hasMore) {
		const boundary = position.newest;
		part = await readPart(poll, timed, pages, first, { boundary, isDeep: false });
		isDeep = false;
		if (position.deep) position.deep = { ...position.deep, at: poll.begin };
	}
	// It has grown by more than was found: that may lie further back.
	if (!isDeep && !('backlog' in part) && isShort(poll, pages, part)) {
		const further = await readPart(poll, timed, pages, first, deep);
		isDeep = !('backlog' in further);
		if (isDeep) part = further;
	}
	if ('backlog' in part) {
		noteListed(poll, pages);
		const { backlog } = part;
		const { unsettled } = cursor.times ?? {};
		const kept = { ...cursor, ...saved(poll, { unsettled, backlog }), hasMore: true };
		return { entries: [], cursor: kept };
	}
	return isLessSorted(poll, timed, part) ?? settle(poll, timed, pages, { part, isDeep });
}

/**
 * Whether to look for what is listed late: now and then, and not where the service is too slow for it. What is known lies in between
 * and has to be read.
 */
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

const isUnfit = (part: Part | Unfinished) => 'backlog' in part || part.short === -Infinity;

/** What the count hides, because as many left as came, is found after this time (milliseconds). */
const longestQuiet = 15 * 60_000;

/** Whether the count tells that nothing is new on the last page, where new ones are. */
function isQuiet({ cursor, begin, task }: Poll, { order }: Sorted, { count }: Pages): boolean {
	const { seen, hasMore, times } = cursor;
	const age = Math.abs(begin - (times?.endAt ?? -Infinity)) + (task.interval ?? 0);
	const isSame = count !== undefined && count === seen && !hasMore && !times?.unsettled;
	return order.direction === 'oldestFirst' && isSame && age < longestQuiet;
}

/** Whether the list has grown by more than was found. */
function isShort({ cursor }: Poll, { count }: Pages, { fresh, isFromNewest }: Part): boolean {
	const { seen, missed = 0 } = cursor;
	const isComparable = isFromNewest && missed === 0 && count !== undefined && seen !== undefined;
	return isComparable && count - seen > fresh.size;
}

async function readPart(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: FirstPage,
	depth: Depth,
): Promise<Part | Unfinished> {
	const read = timed.order.direction === 'newestFirst' ? readNewestFirst : readOldestFirst;
	return await read(new Window(poll, timed, pages, first, depth));
}

/** What is delivered of a part, and what is kept. */
function settle(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	{ part, isDeep }: { part: Part; isDeep: boolean },
): Outcome {
	const { position, order, lookBack } = timed;
	const { cursor, begin, task } = poll;
	const { short } = part;
	const { unsettled: before = { since: begin, polls: 0 } } = cursor.times ?? {};
	const unsettled = short === undefined ? undefined : { ...before, polls: before.polls + 1 };
	const isGivenUp = unsettled !== undefined && isTooLong(unsettled, begin);
	if (isGivenUp) poll.notes.push(notAllSeen);
	const upTo = short === undefined || isGivenUp ? Infinity : short;
	const { entries, times, waiting } = deliver(poll, pages, part.fresh);
	const isAll = part.isFromNewest && waiting.size === 0 && upTo > -Infinity;
	const listed = newestSeen(pages, begin);
	const horizon = position.listed > -Infinity ? position.listed : listed - (task.now() - begin);
	position.settle(
		{ delivered: times, isAll, isDeep, reached: listed, horizon, slack: order.slack, upTo },
		begin,
	);
	noteListed(poll, pages);
	const { count } = pages;
	const accounted = cursor.seen === undefined ? undefined : cursor.seen + entries.length;
	const missing = count !== undefined && accounted !== undefined ? count - accounted : 0;
	const { miscounts, missed } = cursor;
	// As long as the count tells that something was not seen, it may stand anywhere, and be of any age.
	if (missing <= 0) position.floor = position.depth(lookBack);
	const forgotten = timed.known.makeRoom(
		mostKept,
		Math.max(position.newest, position.depth(lookBack)),
	);
	if (forgotten > position.floor) {
		position.floor = forgotten;
		if (isAll) poll.notes.push(shortened(position));
	}
	const next: Cursor = {
		kind: 'entries',
		...(miscounts && { miscounts }),
		known: '',
		...saved(poll, {
			...(order.direction === 'oldestFirst' && { endAt: begin }),
			...(unsettled && !isGivenUp && { unsettled }),
			...(!isAll && { backlog: backlogOf(part, position.newest, order.direction, waiting) }),
		}),
		...(count !== undefined && { seen: isAll && missing <= 0 ? count : accounted }),
		...(isAll && missing > 0 && { missed: (missed ?? 0) + 1 }),
		...(!isAll && { hasMore: true }),
	};
	return { entries, cursor: unlessSame(next, poll) };
}

/** So many are remembered, whatever the look-back is. */
const mostKept = 10_000;

function shortened({ newest, floor }: Timed['position']): string {
	const minutes = Math.max(0, Math.round((newest - floor) / 60_000));
	return `Too many new charges: late ones are only looked for ${minutes} minutes back.`;
}

/**
 * Where the next poll goes on: in a list that is sorted newest first, behind the last result that is still new; otherwise at the last
 * one that is older than what it looks for.
 */
function backlogOf(
	{ pages }: Part,
	newest: number,
	direction: Direction,
	waiting: ReadonlySet<IdHash>,
): Backlog {
	const places = new Map<unknown, { place: number; isNew: boolean; isOlder: boolean }>();
	for (const { results, start } of pages)
		results.forEach(({ id, time }, at) => {
			const isOlder = typeof time === 'number' && time < newest;
			places.set(id, { place: start + at, isNew: waiting.has(id as IdHash), isOlder });
		});
	const all = [...places.values()];
	const older = all.filter(({ isOlder }) => isOlder).map(({ place }) => place);
	if (direction === 'oldestFirst')
		return { boundary: null, low: 1, place: Math.max(...older, pages[0].start) };
	const end = Math.max(...pages.map(({ start, results }) => start + results.length));
	// Those of the boundary's moment that are known already lie in between.
	const between = all.filter(({ isNew, isOlder }) => !isNew && !isOlder).length;
	return { boundary: null, low: 1, place: Math.max(0, Math.min(...older, end) - between) };
}

/** How long (in milliseconds), and in how many polls at least, results of one moment are looked for before reading goes on. */
const longestSearch = 24 * 3_600_000;
const leastPolls = 5;

const isTooLong = ({ since, polls }: { since: number; polls: number }, now: number) =>
	polls > leastPolls && Math.abs(now - since) > longestSearch;

const notAllSeen =
	'Some may be missing: the service orders those of the same moment anew for each page, and there are more of them than one page holds.';
