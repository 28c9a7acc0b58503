import type { FetchPage, Result } from '../../shared/pagination/page';
import type { IdHash } from './ids';
import { resultKey } from './ids';
import { creationTimeOf, Position, Recent } from './timed';
import { Budget } from './budget';
import type { Cursor, Times } from './cursor';
import { timeFromJson } from './cursor';
import { WholeList } from './known';
import type { Direction, Order } from './order';
import type { NewEntry, Pages, Search } from './pages';

export interface WatchTask {
	fetchPage: FetchPage;
	/** Whether a result belongs to the event: the service may ignore a filter. */
	isEntry: (result: Result) => boolean;
	/** If the ID is not enough to identify a result. */
	keyOf?: (result: Result) => string;
	/** If `isEntry` depends on the day. */
	today?: string;
	notes?: string[];
	/** E.g. "invoices". */
	noun: string;
	settings: WatchSettings;
	concurrency: number;
	now: () => number;
	/** Deadline (milliseconds since 1970). A poll makes a few requests regardless. */
	until: number;
	/** Milliseconds since the last poll, if known. */
	interval?: number;
}

interface WatchSettings {
	maxEntries: number;
	pageSize: number;
	/** How late a result may be listed (milliseconds), if creation times show what is new. */
	lookBack: number;
}

export interface PollResult {
	/** Oldest first if creation times show what is new, otherwise in list order. */
	entries: Result[];
	cursor: Cursor;
	notes: string[];
}

/** `again`: the poll starts over with this cursor. */
export type Outcome =
	| Pick<PollResult, 'entries' | 'cursor'>
	| { again: Cursor; isConfirmed?: boolean };

export interface TimedList {
	known: Recent;
	position: Position;
	order: Order | undefined;
	lookBack: number;
}

export interface Poll {
	task: WatchTask;
	cursor: Cursor;
	/** Only if creation times show what is new. Otherwise `whole` knows. */
	timed: TimedList | undefined;
	whole: WholeList;
	search: Search;
	begin: number;
	notes: string[];
	isBaseline: boolean;
	/** The second reading, because the first may have missed something. */
	isConfirmed: boolean;
	ignoresCount: boolean;
}

/** Lists of up to this many pages are read completely in each poll, which is cheap and reliable. */
export const maxSmallPages = 5;
/** Consecutive miscounts after which the count is ignored. */
export const maxMiscounts = 3;

export const wrongCountNote =
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
	const ignoresCount = (cursor.miscounts ?? 0) >= maxMiscounts;
	const isNewEntry = (id: IdHash, result: Result) =>
		!whole.has(id) &&
		(!isBaseline ||
			(after !== undefined && (creationTimeOf(result) ?? -Infinity) > timeFromJson(after)));
	const isNewByTime = ({ known, position }: TimedList, id: IdHash, time: number | undefined) =>
		!isBaseline &&
		!known.has(id) &&
		(time === undefined ? known.knowsUndated : time > position.floor);
	const search: Search = {
		fetchPage,
		budget,
		pageSize: settings.pageSize,
		isEntry,
		keyOf: task.keyOf ?? resultKey,
		timeOf: times ? creationTimeOf : () => undefined,
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

/** `waiting`: what the next poll delivers. `ages` (milliseconds since 1970): deliver only these. */
export function deliver(
	{ timed, whole, task }: Poll,
	{ newEntries, seenNow }: Pages,
	ages?: ReadonlyMap<IdHash, number>,
): { entries: Result[]; times: Array<number | undefined>; waiting: Set<IdHash> } {
	type Candidate = [IdHash, NewEntry];
	const all = [...newEntries].filter(([id]) => !ages || ages.has(id));
	const sign = timed?.order?.direction === 'newestFirst' ? -1 : 1;
	const byIndex = ([, a]: Candidate, [, b]: Candidate) => sign * (a.index - b.index);
	const ageOf = ([id, { time }]: Candidate) => ages?.get(id) ?? time ?? Infinity;
	const byAge = (a: Candidate, b: Candidate) => ageOf(a) - ageOf(b) || byIndex(a, b);
	const byTime = ([, a]: Candidate, [, b]: Candidate) =>
		(a.time ?? Infinity) - (b.time ?? Infinity) || 0;
	const sorted = all.sort(timed ? byAge : byIndex);
	const { maxEntries } = task.settings;
	// Undated ones come last.
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

/** Creation times (milliseconds since 1970). An undated result gets that of its older neighbour, or `otherwise`. */
export function agesOf(
	results: Result[],
	direction?: Direction | 'none',
	otherwise = -Infinity,
): Map<IdHash, number> {
	const pairs = results.map(({ id, time }) => [id as IdHash, time] as [IdHash, number?]);
	const oldestFirst = direction === 'newestFirst' ? pairs.reverse() : pairs;
	let older = oldestFirst.find(([, time]) => time !== undefined)?.[1] ?? otherwise;
	return new Map(oldestFirst.map(([id, time = older]) => [id, (older = time)]));
}

/** Latest creation time of this poll. Times in the future do not count, or everything else would look old. */
export function newestSeen({ seenNow }: Pages, now: number): number {
	let newest = -Infinity;
	for (const time of seenNow.values())
		if (time !== undefined && time <= now && time > newest) newest = time;
	return newest;
}

export function updateListed({ timed, begin }: Poll, pages: Pages): void {
	if (!timed) return;
	const { position } = timed;
	position.listed = Math.max(position.listed, newestSeen(pages, begin));
}

/** The same object tells n8n that there is nothing to save. */
export const keepIfUnchanged = (next: Cursor, { cursor }: Poll): Cursor =>
	JSON.stringify(next) === JSON.stringify(cursor) ? cursor : next;

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
