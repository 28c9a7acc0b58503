import type { FetchPage } from '../../shared/pagination/page';
import { keyOf } from './identity';
import { timeOf } from './timeOf';
import { Budget } from './budget';
import type { Cursor, Times } from './cursor';
import { fromJson } from './cursor';
import type { IdHash } from './ids';
import { WholeList } from './known';
import type { Direction, Order } from './order';
import type { Entry, FoundEntry, Pages, Search } from './pages';
import { Position } from './position';
import { Recent } from './recent';

export interface WatchTask {
	fetchPage: FetchPage;
	/** Whether a result belongs to the event: the service decides what its filters match. */
	isEntry: (result: Entry) => boolean;
	/** What tells a result from others, where that is more than its identity. */
	keyOf?: (result: Entry) => string;
	/** The day that it is, where `isEntry` goes by it. */
	today?: string;
	/** What the administrator of n8n should know of the results. */
	notes?: string[];
	/** What the list holds, as errors call it: "invoices". */
	noun: string;
	settings: WatchSettings;
	/** How many pages may be read at a time. */
	concurrency: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** When the poll is to be over; it makes a few requests in any case. */
	until: number;
	/** How long ago the last poll was, in milliseconds, as far as it is known. */
	interval?: number;
}

export interface WatchSettings {
	/** How many new results one poll delivers at most. */
	most: number;
	/** How many results to ask for in one request. */
	pageSize: number;
	/** How much later than it was made a result may be listed, in milliseconds, where that tells what is new. */
	lookBack: number;
}

export interface Found {
	/** Oldest first where they say when they were made and that counts; otherwise in the order of the list. */
	entries: Entry[];
	cursor: Cursor;
	/** What the administrator of n8n should know. */
	notes: string[];
}

/** How a poll ended, or with which cursor everything is to be read anew. */
export type Outcome = Pick<Found, 'entries' | 'cursor'> | { again: Cursor; isConfirmed?: boolean };

/** A list whose results show by when they were made whether they are new. */
export interface Timed {
	known: Recent;
	position: Position;
	order: Order | undefined;
	/** How much later than it was made a result may be listed, in milliseconds. */
	lookBack: number;
}

/** What one poll works with. */
export interface Poll {
	task: WatchTask;
	cursor: Cursor;
	/** What is not new: one of the two. */
	timed: Timed | undefined;
	whole: WholeList;
	search: Search;
	/** When it began (milliseconds since 1970). */
	begin: number;
	/** {@link Found.notes} */
	notes: string[];
	/** Whether what is in the list is not new. */
	isBaseline: boolean;
	/** Whether the list is read for a second time, because a first reading may have missed something. */
	isConfirmed: boolean;
	/** Whether the service's count has been wrong too often. */
	ignoresCount: boolean;
}

/** Lists of so few pages are read whole in every poll: it is cheap, and nothing has to be trusted. */
export const smallPages = 5;
/** After so many miscounts in a row the count is not believed. */
export const mostMiscounts = 3;

export const wrongCount =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";

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
	const ignoresCount = (cursor.miscounts ?? 0) >= mostMiscounts;
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
 * Takes what is delivered out of what was found: `waiting` is what is left. `ages`: only these, and how old each is for the choice
 * (milliseconds since 1970).
 */
export function deliver(
	{ timed, whole, task }: Poll,
	{ found, seenNow }: Pages,
	ages?: ReadonlyMap<IdHash, number>,
): { entries: Entry[]; times: Array<number | undefined>; waiting: Set<IdHash> } {
	type One = [IdHash, FoundEntry];
	const all = [...found].filter(([id]) => !ages || ages.has(id));
	const sign = timed?.order?.direction === 'newestFirst' ? -1 : 1;
	const byPlace = ([, a]: One, [, b]: One) => sign * (a.place - b.place);
	const ageOf = ([id, { time }]: One) => ages?.get(id) ?? time ?? Infinity;
	const byAge = (a: One, b: One) => ageOf(a) - ageOf(b) || byPlace(a, b);
	const byTime = ([, a]: One, [, b]: One) => (a.time ?? Infinity) - (b.time ?? Infinity) || 0;
	const sorted = all.sort(timed ? byAge : byPlace);
	const { most } = task.settings;
	// Those that do not say when they were made come last.
	const taken = sorted.slice(0, most).sort(timed ? byTime : () => 0);
	const known = timed?.known ?? whole;
	known.see(seenNow);
	known.add(taken.map(([id, { time }]) => [id, time]));
	return {
		entries: taken.map(([, { entry }]) => entry),
		times: taken.map(([, { time }]) => time),
		waiting: new Set(sorted.slice(most).map(([id]) => id)),
	};
}

/**
 * How old results are, in the order of the list (milliseconds since 1970). What does not say when it was made is as old as its older
 * neighbour, or as the next one that says it; `otherwise` where none does.
 */
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

/** The newest of what this poll has seen, but for what lies in the future, in milliseconds since 1970. */
export function newestSeen({ seenNow }: Pages, now: number): number {
	let newest = -Infinity;
	for (const time of seenNow.values())
		if (time !== undefined && time <= now && time > newest) newest = time;
	return newest;
}

/** Notes when the newest was made that this poll has seen. */
export function noteListed({ timed, begin }: Poll, pages: Pages): void {
	if (!timed) return;
	const { position } = timed;
	position.listed = Math.max(position.listed, newestSeen(pages, begin));
}

/** What is to be kept: what the poll began with, where that has not changed, so that n8n need not save it. */
export const unlessSame = (kept: Cursor, { cursor }: Poll): Cursor =>
	JSON.stringify(kept) === JSON.stringify(cursor) ? cursor : kept;

/** What is known, as it is kept. */
export function saved(
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
