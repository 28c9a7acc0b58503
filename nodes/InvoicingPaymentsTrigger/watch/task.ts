import type { FetchPage, Result } from '../../shared/pagination/page';
import type { IdHash } from './ids';
import { resultKey } from './ids';
import { creationTimeOf, Position, RecentResults } from './creationTimes';
import { Budget } from './budget';
import type { Cursor, Times } from './cursor';
import { timeFromJson } from './cursor';
import { WholeList } from './known';
import type { Direction, Order } from './order';
import type { NewEntry, Pages, Search } from './pages';

export interface WatchTask {
	fetchPage: FetchPage;
	/** Whether a result matches the event. The service may ignore a filter, and list others. */
	isEntry: (result: Result) => boolean;
	/** Only if the ID is not enough to identify a result. */
	keyOf?: (result: Result) => string;
	/** Only if `isEntry` depends on the day. */
	today?: string;
	notes?: string[];
	/** E.g. "invoices". */
	noun: string;
	settings: WatchSettings;
	concurrency: number;
	now: () => number;
	/** Deadline (milliseconds since 1970). Every poll makes a few requests, even after it. */
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

/** `retryFrom`: start the poll over with this cursor. */
export type Outcome =
	| Pick<PollResult, 'entries' | 'cursor'>
	| { retryFrom: Cursor; isSecondReading?: boolean };

export interface TimedList {
	known: RecentResults;
	position: Position;
	order: Order | undefined;
	lookBack: number;
}

export interface Poll {
	task: WatchTask;
	cursor: Cursor;
	/** Only if creation times show what is new. Otherwise see `wholeList`. */
	timedList: TimedList | undefined;
	wholeList: WholeList;
	search: Search;
	begin: number;
	notes: string[];
	isBaseline: boolean;
	/** The list is read a second time, because the first reading may have missed something. */
	isSecondReading: boolean;
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
	{ notes, isSecondReading, budget }: Pick<Poll, 'notes' | 'isSecondReading'> & { budget: Budget },
): Poll {
	const { now, settings, fetchPage, isEntry, concurrency } = task;
	const { times, after } = cursor;
	const wholeList = new WholeList(cursor);
	const timedList = times && {
		known: new RecentResults(times),
		position: new Position(times),
		order: times.order,
		lookBack: settings.lookBack,
	};
	const isBaseline = cursor.isBaseline === true;
	const ignoresCount = (cursor.miscounts ?? 0) >= maxMiscounts;
	const isNewEntry = (id: IdHash, result: Result) =>
		!wholeList.has(id) &&
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
		isNew: (id, time, result) =>
			timedList ? isNewByTime(timedList, id, time) : isNewEntry(id, result),
		ignoresCount,
		toleratesRefusals: times !== undefined,
		concurrency,
	};
	const begin = now();
	return {
		task,
		cursor,
		timedList,
		wholeList,
		search,
		begin,
		notes,
		isBaseline,
		isSecondReading,
		ignoresCount,
	};
}

/** `waiting`: results for the next poll. `timesById` (milliseconds since 1970): deliver only results that have one. */
export function deliver(
	{ timedList, wholeList, task }: Poll,
	{ newEntries, seenEntries }: Pages,
	timesById?: ReadonlyMap<IdHash, number>,
): { entries: Result[]; times: Array<number | undefined>; waiting: Set<IdHash> } {
	type Candidate = [IdHash, NewEntry];
	const all = [...newEntries].filter(([id]) => !timesById || timesById.has(id));
	const sign = timedList?.order?.direction === 'newestFirst' ? -1 : 1;
	const byIndex = ([, a]: Candidate, [, b]: Candidate) => sign * (a.index - b.index);
	const assumedTimeOf = ([id, { time }]: Candidate) => timesById?.get(id) ?? time ?? Infinity;
	const byAssumedTime = (a: Candidate, b: Candidate) =>
		assumedTimeOf(a) - assumedTimeOf(b) || byIndex(a, b);
	const byTime = ([, a]: Candidate, [, b]: Candidate) =>
		(a.time ?? Infinity) - (b.time ?? Infinity) || 0;
	const sorted = all.sort(timedList ? byAssumedTime : byIndex);
	const { maxEntries } = task.settings;
	const delivered = sorted.slice(0, maxEntries).sort(timedList ? byTime : () => 0);
	const known = timedList?.known ?? wholeList;
	known.markSeen(seenEntries);
	known.add(delivered.map(([id, { time }]) => [id, time]));
	return {
		entries: delivered.map(([, { entry }]) => entry),
		times: delivered.map(([, { time }]) => time),
		waiting: new Set(sorted.slice(maxEntries).map(([id]) => id)),
	};
}

/** Creation times (milliseconds since 1970). An undated result gets the time of its older neighbour, or `defaultTime`. */
export function assumedTimes(
	results: Result[],
	direction?: Direction | 'none',
	defaultTime = -Infinity,
): Map<IdHash, number> {
	const pairs = results.map(({ id, time }) => [id as IdHash, time] as [IdHash, number?]);
	const oldestFirst = direction === 'newestFirst' ? pairs.reverse() : pairs;
	let older = oldestFirst.find(([, time]) => time !== undefined)?.[1] ?? defaultTime;
	return new Map(oldestFirst.map(([id, time = older]) => [id, (older = time)]));
}

/** Latest creation time in this poll. Ignores times in the future: with one, every later result would look old. */
export function newestSeen({ seenEntries }: Pages, now: number): number {
	let newest = -Infinity;
	for (const time of seenEntries.values())
		if (time !== undefined && time <= now && time > newest) newest = time;
	return newest;
}

export function updateListed({ timedList, begin }: Poll, pages: Pages): void {
	if (!timedList) return;
	const { position } = timedList;
	position.listed = Math.max(position.listed, newestSeen(pages, begin));
}

/** The same object tells n8n that there is nothing to save. */
export const keepIfUnchanged = (next: Cursor, { cursor }: Poll): Cursor =>
	JSON.stringify(next) === JSON.stringify(cursor) ? cursor : next;

export function savedFields(
	{ timedList, wholeList, cursor }: Poll,
	{ unsettled, backlog, endAt }: Pick<Times, 'unsettled' | 'backlog' | 'endAt'> = cursor.times ??
		{},
): Partial<Cursor> {
	if (!timedList) return wholeList.save();
	const { known, position, order } = timedList;
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
