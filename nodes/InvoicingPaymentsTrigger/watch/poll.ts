import type { FetchPage, Page, PageOutcome, Result } from '../../shared/pagination/page';
import { emptyPage, isPastTheEnd, isUsableId } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import { failed, ok } from '../../shared/result';
import type { FailedAnswer, Failure } from '../../shared/transport/failure';
import type { Budget } from './budget';
import { RecentResults, requiredTimeOf } from './creationTimes';
import type { Cursor, Times } from './cursor';
import { timeFromJson } from './cursor';
import {
	isDepthRefusal,
	minRefusedDepth,
	MissingFieldError,
	UnreadablePageError,
	WrongCountError,
} from './errors';
import type { IdHash } from './ids';
import { idHash } from './ids';
import type { KnownResults } from './known';
import { WholeList } from './known';
import type { Direction } from './order';
import type { WatchTask } from './task';

interface NewEntry {
	entry: Result;
	/** Number of results before it in the list. */
	index: number;
	/** 0 if the list has no creation times. */
	time: number;
}

/** Its results only have a hashed ID and a time. */
export type ListPage = PageWithRange & { ids: IdHash[] };

export interface Delivery {
	entries: Result[];
	/** New entries that are left for the next poll. */
	waiting: Set<IdHash>;
	/** Creation time of the oldest new entry that this reading has seen and not delivered, also if it was left out, or in an earlier part. */
	oldestLeft: number;
}

const stopped: PageOutcome = failed({ kind: 'stopped', method: 'GET', path: '' });
/** The poll has no time left for another page. */
export const isOutOfTime = ({ kind, path }: Failure) => kind === 'stopped' && path === '';

export const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number);

const idOf = ({ id }: Result) => String(id);

/** What a poll knows before it reads the list, and what it has seen of it: fetches pages, and tells what is new on them. */
export class Poll {
	/** Times are milliseconds since 1970. */
	readonly begin: number;
	/** The workflow was just published: what is listed is not new, unless it was created after `cursor.after`. */
	readonly isBaseline: boolean;
	readonly recent: RecentResults;
	readonly whole: WholeList;
	/** Results created up to the floor are not new. */
	floor: number;
	/** A pass has come this far: everything created up to this time was delivered or is known, as far as it was found. At least the floor. */
	bottom: number;
	/** Latest creation time that an earlier poll has seen. */
	readonly listedBefore: number;
	/** Number of results on a full page. */
	pageLength: number;
	sizes: Times['sizes'];
	/** Latest count of the service. `undefined`: there is none that can be used. */
	count: number | undefined;
	/** All counts of this poll, as the service gave them. */
	readonly counts = new Set<number | undefined>();
	readonly newEntries = new Map<IdHash, NewEntry>();
	/** Entries that this poll has seen, with their creation times. */
	readonly shown = new Map<IdHash, number>();
	/** Entries that this reading of the whole list has seen, also in earlier polls. */
	readonly entryIds = new Set<IdHash>();
	readonly notes: string[];
	/** The list is read a second time, because the first reading may have missed something. */
	readonly isSecond: boolean;
	/** Results that are no entries. */
	readonly otherIds = new Set<IdHash>();
	/** The service refuses pages that begin after `from` results. Lists with creation times can do without them. */
	refusal: { from: number; failure: Failure } | undefined;
	private readonly peeked = new Map<number, ListPage>();

	constructor(
		readonly task: WatchTask,
		readonly cursor: Cursor,
		readonly budget: Budget,
		{ notes, isSecond }: Pick<Poll, 'notes' | 'isSecond'> = { notes: [], isSecond: false },
	) {
		this.notes = notes;
		this.isSecond = isSecond;
		const { times } = cursor;
		this.begin = task.now();
		this.isBaseline = cursor.isBaseline === true;
		this.recent = new RecentResults(times ?? { known: [] });
		this.whole = new WholeList(cursor);
		this.floor = timeFromJson(times?.floor);
		this.bottom = Math.max(this.floor, timeFromJson(times?.bottom));
		this.listedBefore = timeFromJson(times?.listed);
		this.pageLength = task.settings.pageSize;
		this.sizes = times?.sizes;
	}

	private get known(): KnownResults {
		return this.cursor.times ? this.recent : this.whole;
	}

	private isNew(id: IdHash, time: number, entry: Result): boolean {
		const { isBaseline, floor } = this;
		const { times, after = Infinity } = this.cursor;
		if (this.known.has(id) || (times && time <= floor)) return false;
		if (!isBaseline) return true;
		return after < Infinity && (times ? time : requiredTimeOf(entry)) > after;
	}

	/** By how much the list is longer than what is explained. `undefined` without a count. */
	get growth(): number | undefined {
		const { seen } = this.cursor;
		return this.count === undefined || seen === undefined ? undefined : this.count - seen;
	}

	/** Number of different results that this reading of the whole list has seen. */
	get seenCount(): number {
		// A result may have changed since an earlier poll.
		const others = [...this.otherIds].filter((id) => !this.entryIds.has(id));
		return this.entryIds.size + others.length;
	}

	get lastPage(): number | undefined {
		const { count, pageLength } = this;
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / pageLength));
	}

	/** Latest creation time that any poll has seen. One in the future would make every later result look old. */
	get listed(): number {
		let latest = this.listedBefore;
		for (const time of this.shown.values()) if (time <= this.begin && time > latest) latest = time;
		return latest;
	}

	/** Latest creation time of what is not new when the workflow is published. */
	get newestKnown(): number {
		return Math.min(this.listed, this.cursor.after ?? Infinity);
	}

	/** Throws UnreadablePageError and WrongCountError. */
	async readFirst(): Promise<ListPage> {
		const first = await this.peek(1);
		const { length } = first.results;
		this.pageLength = Math.max(first.next ? 1 : this.pageLength, length);
		return { ...first, ...rangeOf(1, this.pageLength) };
	}

	/** A single page, read once. Past the end, it is empty. Throws UnreadablePageError and WrongCountError. */
	async peek(number: number): Promise<ListPage> {
		const known = this.peeked.get(number);
		if (known) return known;
		const outcome = await this.fetch(number, undefined, true);
		if (!outcome.ok && !isPastTheEnd(outcome)) throw new UnreadablePageError(outcome.failure);
		const read = outcome.ok ? outcome.value : emptyPage;
		const ids = read.results.map(({ id }) => id as IdHash);
		const page = { ...read, ...rangeOf(number, this.pageLength), ids };
		this.peeked.set(number, page);
		return page;
	}

	/** For one reading from page `start` on. It may begin with a page that was read before. Later ones must be newer than the one before. */
	fetcherFrom(start: number): FetchPage {
		let first = this.peeked.get(start);
		this.peeked.delete(start);
		return async (number, size) => {
			if (first && number === start && size === undefined) {
				const page = first;
				first = undefined;
				return ok(page);
			}
			const isEnough = !this.cursor.times && this.newEntries.size >= this.task.settings.maxEntries;
			return isEnough || this.budget.left <= 0 ? stopped : await this.fetch(number, size);
		};
	}

	private async fetch(number: number, size?: number, isProbe = false): Promise<PageOutcome> {
		const start = (number - 1) * (size ?? this.pageLength);
		if (start >= (this.refusal?.from ?? Infinity)) return ok(emptyPage);
		const request = async (mayFail = isProbe && start >= minRefusedDepth) =>
			await this.budget.spend(async () => await this.task.fetchPage(number, size, mayFail));
		let outcome = await request();
		// The list may have changed during the request.
		if (this.contradictsCount(outcome, start)) outcome = await request();
		if (this.contradictsCount(outcome, start)) throw new WrongCountError();
		// One failure does not mean that the service refuses deep pages.
		if (this.isRefused(outcome, start)) outcome = await request(false);
		if (this.isRefused(outcome, start)) {
			const { failure } = outcome;
			if (start < (this.refusal?.from ?? Infinity)) this.refusal = { from: start, failure };
			return ok(emptyPage);
		}
		return outcome.ok ? ok(this.remember(outcome.value, start)) : outcome;
	}

	/** Whether a page says that more results follow than the service counts. */
	private contradictsCount(outcome: PageOutcome, start: number): boolean {
		if (!outcome.ok || this.cursor.ignoresCount) return false;
		const { results, next, count } = outcome.value;
		return count !== undefined && next !== null && start + results.length > count;
	}

	private isRefused(outcome: PageOutcome, start: number): outcome is FailedAnswer {
		return this.cursor.times !== undefined && !outcome.ok && isDepthRefusal(outcome.failure, start);
	}

	private remember(page: Page, start: number): Page {
		const { isEntry, keyOf = idOf, noun } = this.task;
		const { times, ignoresCount } = this.cursor;
		this.count = ignoresCount ? undefined : page.count;
		this.counts.add(page.count);
		if (!page.results.every(({ id }) => isUsableId(id)))
			throw new MissingFieldError(
				`The service lists ${noun} without an id, so the trigger cannot tell new ones from old ones`,
			);
		const results = page.results.map((entry, at) => {
			const id = idHash(keyOf(entry));
			const time = times ? requiredTimeOf(entry) : 0;
			if (!isEntry(entry)) this.otherIds.add(id);
			else {
				this.entryIds.add(id);
				this.shown.set(id, time);
				if (this.isNew(id, time, entry))
					this.newEntries.set(id, { entry, index: start + at, time });
			}
			return { id, time };
		});
		return { ...page, count: this.refusal ? undefined : this.count, results };
	}

	/** What is listed when the workflow is published is not new. */
	knowListed(): void {
		const isOld = ([id, time]: [IdHash, number]) => time > this.floor && !this.newEntries.has(id);
		this.known.add([...this.shown].filter(isOld));
	}

	/** In a list that only looked sorted when the workflow was published, these were there already. */
	knowOlderThan(begun = -Infinity): void {
		for (const [id, { time }] of this.newEntries)
			if (time <= begun && this.newEntries.delete(id)) this.recent.add([[id, time]]);
	}

	/** Marks up to Max per Run of the new entries as known. `direction`: of a sorted list. `only`: leaves out the others. */
	deliver(direction?: Direction, only?: ReadonlySet<IdHash>): Delivery {
		const { newEntries, known } = this;
		const sign = direction === 'newestFirst' ? -1 : 1;
		// Without creation times, all have the time 0.
		const all = [...newEntries]
			.filter(([id]) => !only || only.has(id))
			.sort(([, a], [, b]) => a.time - b.time || sign * (a.index - b.index));
		const { maxEntries } = this.task.settings;
		const delivered = all.slice(0, maxEntries);
		const deliveredIds = new Set(delivered.map(([id]) => id));
		let oldestLeft = this.cursor.reading?.oldestLeft ?? Infinity;
		for (const [id, { time }] of newEntries)
			if (!deliveredIds.has(id)) oldestLeft = Math.min(oldestLeft, time);
		known.markSeen(this.shown);
		known.add(delivered.map(([id, { time }]) => [id, time]));
		return {
			entries: delivered.map(([, { entry }]) => entry),
			waiting: new Set(all.slice(maxEntries).map(([id]) => id)),
			oldestLeft,
		};
	}
}
