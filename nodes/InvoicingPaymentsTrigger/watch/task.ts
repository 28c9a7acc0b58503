import type { FetchPage } from '../../shared/pagination/page';
import type { IdHash } from './ids';
import { keyOf } from './ids';
import { timeOf, Position, Recent } from './timed';
import { Budget } from './budget';
import type { Cursor, Times } from './cursor';
import { fromJson } from './cursor';
import { WholeList } from './known';
import type { Direction, Order } from './order';
import type { Entry, FoundEntry, Pages, Search } from './pages';

export interface WatchTask {
	fetchPage: FetchPage;
	/** Whether a result belongs to the event. The service may ignore a filter. */
	isEntry: (result: Entry) => boolean;
	/** Identifies a result, if its ID is not enough. */
	keyOf?: (result: Entry) => string;
	/** The current day, if `isEntry` depends on it. */
	today?: string;
	/** Warnings for n8n's log. */
	notes?: string[];
	/** What the list holds, for messages: "invoices". */
	noun: string;
	settings: WatchSettings;
	concurrency: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Deadline of the poll. A few requests are made regardless. */
	until: number;
	/** Milliseconds since the last poll, if known. */
	interval?: number;
}

export interface WatchSettings {
	maxEntries: number;
	pageSize: number;
	/** How late a result may be listed, in milliseconds, if creation times show what is new. */
	lookBack: number;
}

export interface PollResult {
	/** Oldest first if creation times show what is new, otherwise in list order. */
	entries: Entry[];
	cursor: Cursor;
	notes: string[];
}

/** Result of a poll, or the cursor to start over with. */
export type Outcome =
	| Pick<PollResult, 'entries' | 'cursor'>
	| { again: Cursor; isConfirmed?: boolean };

/** A list whose creation times show what is new. */
export interface Timed {
	known: Recent;
	position: Position;
	order: Order | undefined;
	lookBack: number;
}

export interface Poll {
	task: WatchTask;
	cursor: Cursor;
	/** If set, it knows what is not new; otherwise `whole` does. */
	timed: Timed | undefined;
	whole: WholeList;
	search: Search;
	/** Milliseconds since 1970. */
	begin: number;
	notes: string[];
	/** What is listed is not new. */
	isBaseline: boolean;
	/** This is the second reading, because the first may have missed something. */
	isConfirmed: boolean;
	/** The service's count was wrong too often. */
	ignoresCount: boolean;
}

/** Lists of up to this many pages are read completely in each poll: it is cheap, and relies on nothing. */
export const maxSmallPages = 5;
/** Consecutive miscounts after which the count is ignored. */
export const maxMiscounts = 3;

export const wrongCountNote =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";

/** Collects what one poll works with. */
export function openPoll(
	task: WatchTask,
	cursor: Cursor,
	{ notes, isConfirmed, budget }: Pick<Poll, 'notes' | 'isConfirmed'> & { budget: Budget },
): Poll {
	const { now, settings, fetchPage, isEntry, concurrency } = task;
	const { times, after } = cursor;
	const whole = new WholeList(cursor);
	const timed = times && {
		known: new Recent(times),
		position: new Position(times),
		order: times.order,
		lookBack: settings.lookBack,
	};
	const isBaseline = cursor.isBaseline === true;
	const ignoresCount = (cursor.miscounts ?? 0) >= maxMiscounts;
	const isNewEntry = (id: IdHash, result: Entry) =>
		!whole.has(id) &&
		(!isBaseline || (after !== undefined && (timeOf(result) ?? -Infinity) > fromJson(after)));
	const isNewByTime = ({ known, position }: Timed, id: IdHash, time: number | undefined) =>
		!isBaseline &&
		!known.has(id) &&
		(time === undefined ? known.knowsUndated : time > position.floor);
	const search: Search = {
		fetchPage,
		budget,
		pageSize: settings.pageSize,
		isEntry,
		keyOf: task.keyOf ?? keyOf,
		timeOf: times ? timeOf : () => undefined,
		isNew: (id, time, result) => (timed ? isNewByTime(timed, id, time) : isNewEntry(id, result)),
		ignoresCount,
		mayBeCut: times !== undefined,
		concurrency,
	};
	const begin = now();
	return {
		task,
		cursor,
		timed,
		whole,
		search,
		begin,
		notes,
		isBaseline,
		isConfirmed,
		ignoresCount,
	};
}

/**
 * Chooses what to deliver. `waiting`: the rest. `ages` (milliseconds since 1970): choose from these, oldest first.
 */
export function deliver(
	{ timed, whole, task }: Poll,
	{ found, seenNow }: Pages,
	ages?: ReadonlyMap<IdHash, number>,
): { entries: Entry[]; times: Array<number | undefined>; waiting: Set<IdHash> } {
	type Candidate = [IdHash, FoundEntry];
	const all = [...found].filter(([id]) => !ages || ages.has(id));
	const sign = timed?.order?.direction === 'newestFirst' ? -1 : 1;
	const byPlace = ([, a]: Candidate, [, b]: Candidate) => sign * (a.index - b.index);
	const ageOf = ([id, { time }]: Candidate) => ages?.get(id) ?? time ?? Infinity;
	const byAge = (a: Candidate, b: Candidate) => ageOf(a) - ageOf(b) || byPlace(a, b);
	const byTime = ([, a]: Candidate, [, b]: Candidate) =>
		(a.time ?? Infinity) - (b.time ?? Infinity) || 0;
	const sorted = all.sort(timed ? byAge : byPlace);
	const { maxEntries } = task.settings;
	// Undated results come last.
	const taken = sorted.slice(0, maxEntries).sort(timed ? byTime : () => 0);
	const known = timed?.known ?? whole;
	known.see(seenNow);
	known.add(taken.map(([id, { time }]) => [id, time]));
	return {
		entries: taken.map(([, { entry }]) => entry),
		times: taken.map(([, { time }]) => time),
		waiting: new Set(sorted.slice(maxEntries).map(([id]) => id)),
	};
}

/** Ages of results (milliseconds since 1970). Undated ones are as old as their older neighbour, or `otherwise`. */
export function agesOf(
	results: Entry[],
	direction?: Direction | 'none',
	otherwise = -Infinity,
): Map<IdHash, number> {
	const pairs = results.map(({ id, time }) => [id as IdHash, time] as [IdHash, number?]);
	const oldestFirst = direction === 'newestFirst' ? pairs.reverse() : pairs;
	let older = oldestFirst.find(([, time]) => time !== undefined)?.[1] ?? otherwise;
	return new Map(oldestFirst.map(([id, time = older]) => [id, (older = time)]));
}

/** Latest creation time seen in this poll, leaving out the future (milliseconds since 1970). */
export function newestSeen({ seenNow }: Pages, now: number): number {
	let newest = -Infinity;
	for (const time of seenNow.values())
		if (time !== undefined && time <= now && time > newest) newest = time;
	return newest;
}

/** Updates {@link Position.listed}. */
export function updateListed({ timed, begin }: Poll, pages: Pages): void {
	if (!timed) return;
	const { position } = timed;
	position.listed = Math.max(position.listed, newestSeen(pages, begin));
}

/** Returns the same object if nothing has changed, so that n8n need not save it. */
export const keepIfUnchanged = (kept: Cursor, { cursor }: Poll): Cursor =>
	JSON.stringify(kept) === JSON.stringify(cursor) ? cursor : kept;

/** The known results, as fields of the cursor. */
export function savedFields(
	{ timed, whole, cursor }: Poll,
	{ unsettled, backlog, endAt }: Pick<Times, 'unsettled' | 'backlog' | 'endAt'> = cursor.times ??
		{},
): Partial<Cursor> {
	if (!timed) return whole.save();
	const { known, position, order } = timed;
	known.forget(position.floor);
	const times: Times = {
		...position.save(),
		...known.save(),
		...(order && { order }),
		...(endAt !== undefined && { endAt }),
		...(unsettled && { unsettled }),
		...(backlog && { backlog }),
	};
	return { known: '', times };
}
