import type { Result } from '../../shared/pagination/page';
import type { Budget } from './budget';
import { RecentResults, requiredTimeOf } from './creationTimes';
import type { Cursor, Times } from './cursor';
import { timeFromJson, timeToJson } from './cursor';
import type { IdHash } from './ids';
import { WholeList } from './known';
import type { NewEntry } from './list';
import { List } from './list';
import type { Direction } from './order';
import type { WatchTask } from './task';

type Candidate = [IdHash, NewEntry];
export interface Delivery {
	entries: Result[];
	/** New entries that are left for the next poll. */
	waiting: Set<IdHash>;
	/** Latest creation time of what is delivered, unless it is in the future. */
	last: number;
}

/** What a poll knows before it reads the list, and what it has seen. */
export class Search {
	readonly begin: number;
	readonly isBaseline: boolean;
	readonly list: List;
	readonly recent: RecentResults;
	readonly whole: WholeList;
	/** Times are milliseconds since 1970. Results created up to the floor are not new. */
	floor: number;
	/** In a backlog, everything created up to this time was delivered. Otherwise, the floor. */
	bottom: number;
	/** Latest creation time that an earlier poll has seen. */
	readonly listedBefore: number;

	constructor(
		readonly task: WatchTask,
		readonly cursor: Cursor,
		readonly budget: Budget,
		readonly notes: string[],
		/** The list is read a second time, because the first reading may have missed something. */
		readonly isSecond: boolean,
	) {
		const { times, ignoresCount = false } = cursor;
		const { maxEntries } = task.settings;
		this.begin = task.now();
		this.isBaseline = cursor.isBaseline === true;
		this.recent = new RecentResults(times ?? { known: [] });
		this.whole = new WholeList(cursor);
		this.floor = timeFromJson(times?.floor);
		this.bottom = Math.max(this.floor, timeFromJson(times?.bottom));
		this.listedBefore = timeFromJson(times?.listed);
		this.list = new List(task, budget, {
			isTimed: times !== undefined,
			isNew: times ? this.isNewByTime : this.isNewById,
			ignoresCount,
			// With creation times, the oldest results come first, so all new ones must be found.
			maxNew: times ? Infinity : maxEntries,
		});
	}

	private readonly isNewByTime = (id: IdHash, time: number): boolean =>
		!this.isBaseline && !this.recent.has(id) && time > this.floor;

	private readonly isNewById = (id: IdHash, _: number, entry: Result): boolean => {
		const { after } = this.cursor;
		if (this.whole.has(id)) return false;
		if (!this.isBaseline) return true;
		return after !== undefined && requiredTimeOf(entry) > after;
	};

	/** Latest creation time of this poll. One in the future would make every later result look old. */
	get listed(): number {
		let latest = -Infinity;
		for (const time of this.list.shown.values())
			if (time <= this.begin && time > latest) latest = time;
		return latest;
	}

	/** In a list that only looked sorted when the workflow was published, these were there already. */
	knowOlderThan(begun = -Infinity): void {
		for (const [id, { time }] of this.list.newEntries)
			if (time <= begun && this.list.newEntries.delete(id)) this.recent.add([[id, time]]);
	}

	/** The time before the oldest of these new entries, at most `latest`. */
	oldest(ids: Iterable<IdHash>, slack: number, latest = Infinity): number {
		let before = latest;
		for (const id of ids)
			before = Math.min(before, (this.list.newEntries.get(id)?.time ?? Infinity) - slack - 1);
		return before;
	}

	/** Marks up to Max per Run of the new entries as known. `only`: leaves out the others. `direction`: of a sorted list. */
	deliver(direction?: Direction | 'none', only?: ReadonlySet<IdHash>): Delivery {
		const { list, task, begin, cursor } = this;
		const isTimed = cursor.times !== undefined;
		const sign = direction === 'newestFirst' ? -1 : 1;
		const byIndex = ([, a]: Candidate, [, b]: Candidate) => sign * (a.index - b.index);
		const all = [...list.newEntries].filter(([id]) => !only || only.has(id)).sort(byIndex);
		if (isTimed) all.sort(byTime);
		const { maxEntries } = task.settings;
		const delivered = all.slice(0, maxEntries);
		const known = isTimed ? this.recent : this.whole;
		known.markSeen(list.shown);
		known.add(delivered.map(([id, { time }]) => [id, time]));
		const past = delivered.map(([, { time }]) => time).filter((time) => time <= begin);
		return {
			entries: delivered.map(([, { entry }]) => entry),
			waiting: new Set(all.slice(maxEntries).map(([id]) => id)),
			last: past.reduce((latest, time) => Math.max(latest, time), -Infinity),
		};
	}

	/** The part of the cursor that says what is known. */
	saved(change: Partial<Times> = {}): Pick<Cursor, 'known' | 'ordered' | 'missing' | 'times'> {
		const { cursor, recent, floor, bottom } = this;
		if (!cursor.times) return { ordered: undefined, missing: undefined, ...this.whole.save() };
		recent.forget(floor);
		const { order, deepAt, bracket, gaps, begun } = { ...cursor.times, ...change };
		const times: Times = {
			floor: timeToJson(floor),
			...(bottom > floor && { bottom }),
			listed: timeToJson(Math.max(this.listedBefore, this.listed)),
			...recent.save(),
			...(order && { order }),
			...(deepAt !== undefined && { deepAt }),
			...(bracket && { bracket }),
			...(gaps !== undefined && { gaps }),
			...(begun !== undefined && begun > floor && { begun }),
		};
		return { known: '', times };
	}
}

const byTime = ([, a]: Candidate, [, b]: Candidate) => a.time - b.time;
