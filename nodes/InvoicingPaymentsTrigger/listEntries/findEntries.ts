import type { FetchPage, Page } from '../../shared/pagination/page';
import type { Failure } from '../../shared/transport/failure';
import { Budget } from '../common/budget';
import { Inconsistent, Unreadable } from '../common/problems';
import type { EntryCursor } from './cursor';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import { KnownEntries } from './known';
import type { SeenPage } from './between';
import { searchBetween } from './between';
import type { Entry, EntrySearch } from './pages';
import { EntryPages } from './pages';

export interface EntrySettings {
	/** How many entries one poll delivers at most. */
	maxEntries: number;
	/** How many results to ask for in one request. */
	pageSize: number;
}

export interface EntryTask {
	fetchPage: FetchPage;
	/** Whether a result belongs to the event: the service decides what its filters match. */
	isEntry: (result: Entry) => boolean;
	/** What the list holds, as errors call it: "invoices". */
	noun: string;
	settings: EntrySettings;
	/** How many pages may be read at a time. */
	concurrency: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** When the poll is to be over; it makes a few requests in any case. */
	until: number;
	/** How long ago the last poll was, in milliseconds, as far as it is known. */
	interval?: number;
}

export interface FoundEntries {
	/** In the order of the list. */
	entries: Entry[];
	cursor: EntryCursor;
	/** What the administrator of n8n should know. */
	notes: string[];
}

/** It cannot tell what is new. */
export class TooLong extends Error {}

/** Longer lists are not watched: what is remembered of them would be too much for n8n's database. */
export const longestList = 50_000;
/** Lists of so few pages are read whole in every poll. */
const smallPages = 5;
/** How often (milliseconds) other lists are read whole, although nothing seems to have changed. */
export const wholeEvery = 15 * 60_000;
/** The share of the pages that may be read to find single new entries: beyond it the whole list tells more. */
const searchedShare = 1 / 3;
/** What is not urgent waits for so long (milliseconds) for each page that the list has. */
const waitPerPage = 6_000;
/** After so many miscounts in a row the count is not believed. */
const mostMiscounts = 3;
/** A list that begins so deep may be refused for its depth. */
const leastDepth = 1000;

/**
 * One poll: finds what entered the list since the cursor, at most {@link EntrySettings} `maxEntries` of it. What is not delivered stays
 * new. Nothing changes until the cursor that it gives is saved, which is the same object where there is nothing to save.
 *
 * Page 1 and the count tell at the price of one request that nothing has changed; otherwise the new entries are looked for on page
 * 1, on the last page, where pages in between have moved, and then in the whole list. What entered while as much left is found by the whole reading every 15 minutes.
 *
 * Throws {@link Unreadable}, {@link Inconsistent} and {@link TooLong}.
 */
export async function findEntries(task: EntryTask, cursor: EntryCursor): Promise<FoundEntries> {
	return await new EntryPoll(task, cursor).run();
}

class EntryPoll {
	private readonly known: KnownEntries;
	private readonly search: EntrySearch;
	private readonly begin: number;
	private readonly notes: string[] = [];
	private readonly isBaseline: boolean;

	constructor(
		private readonly task: EntryTask,
		private readonly cursor: EntryCursor,
		/** Whether the list is read for a second time, because a first reading may have missed something. */
		private readonly isConfirmed = false,
	) {
		const { now, until, settings, fetchPage, isEntry, concurrency } = task;
		this.begin = now();
		this.known = new KnownEntries(cursor);
		this.isBaseline = cursor.isBaseline === true;
		this.search = {
			fetchPage,
			budget: new Budget(now, until),
			pageSize: settings.pageSize,
			isEntry,
			isNew: (id) => !this.isBaseline && !this.known.has(id),
			mostEntries: settings.maxEntries,
			ignoresCount: this.ignoresCount,
			concurrency,
		};
	}

	async run(): Promise<FoundEntries> {
		const { cursor } = this;
		const { reading } = cursor;
		const isResumed = reading?.pageSize === this.search.pageSize;
		const pages = new EntryPages(this.search, isResumed ? reading.pages : []);
		const first = await pages.first();
		if ('failure' in first) throw new Unreadable(first.failure);
		const { count, next } = first.page;
		if (next && !this.ignoresCount && (count ?? 0) > longestList)
			await this.checkLength(pages, count);
		const length = (this.ignoresCount ? undefined : count) ?? cursor.seen ?? this.known.size;
		const pageCount = next ? Math.ceil(length / pages.pageLength) : 1;
		const isLong = pageCount > smallPages;
		const isReading = this.isBaseline || isResumed || cursor.hasMore === true;
		if (isLong && !isReading) {
			const quick = await this.lookQuickly(pages, first, pageCount);
			if (quick) return quick;
		}
		return await this.readWhole(pages, packSet(first.ids));
	}

	private get ignoresCount(): boolean {
		return (this.cursor.miscounts ?? 0) >= mostMiscounts;
	}

	/** What page 1 tells, and then single other pages. `undefined`: the whole list has to be read. */
	private async lookQuickly(
		pages: EntryPages,
		{ page: { count }, ids }: { page: Page; ids: IdHash[] },
		pageCount: number,
	): Promise<FoundEntries | undefined> {
		const { cursor, ignoresCount, notes } = this;
		const first = packSet(ids);
		const age = Math.abs(this.begin - (cursor.wholeAt ?? -Infinity));
		if (age + (this.task.interval ?? 0) > wholeEvery || cursor.seen === undefined) return undefined;
		const isCounted = count !== undefined && !ignoresCount;
		const grown = isCounted ? count - cursor.seen : pages.found.size;
		const isUrgent = grown > 0 || pages.found.size > 0;
		if (!isUrgent) {
			const isChanged = grown < 0 || cursor.isStale === true || first !== cursor.first;
			if (isChanged && age >= pageCount * waitPerPage) return undefined;
			const isShorter = grown < 0;
			const noted = isShorter ? { ...cursor, seen: count, isStale: true } : cursor;
			return { entries: [], cursor: noted, notes };
		}
		const start = { page: 1, start: 0, ids };
		if (!(await this.findWithin(pages, start, pageCount, { grown, count }))) return undefined;
		this.noteOrder(pages, cursor.isStale !== true && isCounted);
		const { entries, waiting } = this.deliver(pages);
		const kept: EntryCursor = {
			...cursor,
			ordered: undefined,
			...this.known.save(),
			seen: isCounted ? count : cursor.seen + pages.found.size,
			first,
			...(waiting.size > 0 && { hasMore: true }),
		};
		return { entries, cursor: kept, notes };
	}

	/** Whether as many new entries as the list has grown by are found on page 1, the last page, and where the pages in between have moved. */
	private async findWithin(
		pages: EntryPages,
		first: SeenPage,
		pageCount: number,
		{ grown, count }: { grown: number; count: number | undefined },
	): Promise<boolean> {
		const isFound = () => pages.found.size === grown;
		if (isFound()) return true;
		const read = async (page: number) => {
			const seen = await pages.look(page);
			return 'failure' in seen || seen.count !== count ? undefined : seen;
		};
		const last = await read(pageCount);
		if (!last || isFound()) return last !== undefined;
		const most = Math.min(this.search.budget.left, Math.ceil(pageCount * searchedShare));
		return (await searchBetween(this.known.order, [first, last], read, most)) && isFound();
	}

	/** Where new entries stand in the list now; `isExact`: nothing else has changed in it. */
	private noteOrder({ found }: EntryPages, isExact: boolean): void {
		const { order } = this.known;
		if (!isExact || order.length === 0) {
			this.known.order = [];
			return;
		}
		for (const [id, { place }] of [...found].sort(([, a], [, b]) => a.place - b.place))
			order.splice(place, 0, id);
	}

	/** `first`: the IDs of page 1, which can tell later that nothing has changed. */
	private async readWhole(pages: EntryPages, first: string): Promise<FoundEntries> {
		const ending = await pages.readWhole();
		if ('failure' in ending) return await this.afterFailure(pages, ending.failure);
		if (this.known.size + pages.present.size > 2 * longestList) throw this.tooLong(undefined);
		if (ending.end === 'paused') return this.pause(pages);
		const { present, steadyCount, seenCount } = pages;
		if (present.size > longestList) throw this.tooLong(present.size);
		const end = await pages.endOfList();
		if (end === 'mistake') return this.pause(pages, true);
		if (end === 'cutOff' && seenCount >= leastDepth) throw this.tooDeep(seenCount);
		const isMiscounted = steadyCount !== undefined && steadyCount !== seenCount;
		const missed = Math.min(mostMiscounts, (this.cursor.miscounts ?? 0) + 1);
		const isUncounted = this.ignoresCount && steadyCount === undefined;
		const miscounts = isMiscounted || isUncounted ? missed : 0;
		const isTold = miscounts === 0 || miscounts === mostMiscounts;
		const isLong = seenCount > smallPages * pages.pageLength;
		const common: EntryCursor = {
			kind: 'entries',
			known: '',
			...(miscounts > 0 && { miscounts }),
			...(isLong && {
				first,
				wholeAt: this.begin,
				...(isTold && { seen: seenCount }),
			}),
		};
		if (miscounts === mostMiscounts && !this.ignoresCount) this.notes.push(wrongCount);
		this.keepOrder(ending.order, pages, isLong);
		if (this.isBaseline) return await this.noteBaseline(present, ending.isSure, common);
		const { entries, waiting } = this.deliver(pages);
		// Pages that do not overlap, read minutes apart, may have missed something.
		const isInParts = (this.cursor.reading?.pages.length ?? 0) > 0;
		const certainty = ending.isSure ? 'sure' : isInParts ? 'inParts' : 'unsure';
		this.known.settle(present, this.begin, certainty);
		const cursor: EntryCursor = {
			...common,
			...this.known.save(),
			...(waiting.size > 0 && { hasMore: true, seen: undefined }),
		};
		return { entries, cursor: this.unlessSame(cursor), notes: this.notes };
	}

	/**
	 * What is in the list is not new. Where pages did not overlap, or there were none, it is read once more: what was missed would
	 * be taken for new.
	 */
	private async noteBaseline(
		present: Set<IdHash>,
		isSure: boolean,
		common: EntryCursor,
	): Promise<FoundEntries> {
		const { cursor, notes } = this;
		const isSecond = this.known.size > 0 || this.isConfirmed;
		this.known.add(present);
		const before = new Set(unpackIds(cursor.before ?? ''));
		if (!isSecond && (!isSure || present.size === 0)) {
			const noted = { ...cursor, ...this.known.save(), reading: undefined };
			return await new EntryPoll(this.task, noted, true).run();
		}
		const shared = [...before].filter((id) => present.has(id)).length;
		// Another key of the same account: what was not known is new.
		if (before.size > 0 && shared >= before.size / 2) {
			const known = packSet(before);
			return { entries: [], cursor: { ...common, known, hasMore: true, seen: undefined }, notes };
		}
		// What was known may be there again when the list is read right.
		this.known.addMissing(before, this.begin);
		return { entries: [], cursor: { ...common, ...this.known.save() }, notes };
	}

	/** Keeps how a list stands of which everything was seen. */
	private keepOrder(order: IdHash[], { seenCount, hasOthers }: EntryPages, isLong: boolean): void {
		this.known.order = isLong && !hasOthers && order.length === seenCount ? order : [];
	}

	/** The time or the room of this poll is used up: the next one goes on, or `isAnew` reads everything again. */
	private pause(pages: EntryPages, isAnew = false): FoundEntries {
		const { entries, waiting } = this.deliver(pages);
		const { cursor } = this;
		const stored = isAnew ? [] : pages.toStore(waiting);
		return {
			entries,
			cursor: {
				...cursor,
				...this.known.save(),
				reading: { pageSize: this.search.pageSize, pages: stored },
			},
			notes: this.notes,
		};
	}

	/** What was read until then counts; where that is nothing, or the list does not go together, it is an error. */
	private async afterFailure(pages: EntryPages, failure: Failure): Promise<FoundEntries> {
		const isInconsistent = failure.kind === 'unexpected' && failure.path === '';
		// What earlier polls have read may not go together with what the list is now.
		if (isInconsistent && this.cursor.reading)
			return await findEntries(this.task, { ...this.cursor, reading: undefined });
		if (isInconsistent && !this.ignoresCount) {
			const again = await this.readWithoutCount();
			if (again === 'paused') return this.doubtCount(pages);
			if (again) return again;
		}
		if (isOfDepth(failure, this.search.pageSize)) throw this.tooDeep(pages.seenCount);
		if (isInconsistent && pages.found.size === 0)
			throw new Inconsistent(`The list of ${this.task.noun} cannot be read: ${failure.reason}`);
		if (pages.found.size === 0 && !pages.hasProgress) throw new Unreadable(failure);
		return this.pause(pages, isInconsistent);
	}

	/** There is no time to read the list without its count: after some polls the count is not believed any more. */
	private doubtCount(pages: EntryPages): FoundEntries {
		const { cursor, notes } = this;
		const { entries } = this.deliver(pages);
		const miscounts = (cursor.miscounts ?? 0) + 1;
		return { entries, cursor: { ...cursor, ...this.known.save(), miscounts }, notes };
	}

	/** The count may be too high: read without it, the list has to end where it ended, with nothing behind. */
	private async readWithoutCount(): Promise<FoundEntries | 'paused' | undefined> {
		const pages = new EntryPages({ ...this.search, ignoresCount: true });
		const first = await pages.first();
		if ('failure' in first) throw new Unreadable(first.failure);
		const ending = await pages.readWhole();
		if ('failure' in ending && ending.failure.path) throw new Unreadable(ending.failure);
		if ('failure' in ending) return undefined;
		if (ending.end === 'paused') return 'paused';
		const { seenCount } = pages;
		const end = await pages.endOfList();
		if (end === 'cutOff' && seenCount >= leastDepth) throw this.tooDeep(seenCount);
		const isFull = seenCount >= leastDepth && seenCount % pages.pageLength === 0;
		if (isFull && pages.mostCounted > seenCount + 1) throw this.tooDeep(seenCount);
		const beyond = await pages.look(Math.ceil(seenCount / pages.pageLength) + 1);
		if ('failure' in beyond) throw new Unreadable(beyond.failure);
		if (beyond.ids.length > 0) return undefined;
		const ignoring = new EntryPoll(this.task, { ...this.cursor, miscounts: mostMiscounts });
		const found = await ignoring.run();
		return { ...found, notes: [...found.notes, wrongCount] };
	}

	/** Takes what is delivered out of what was found: `waiting` is what is left. */
	private deliver({ found, seenNow }: EntryPages): { entries: Entry[]; waiting: Set<IdHash> } {
		const sorted = [...found].sort(([, a], [, b]) => a.place - b.place);
		const { maxEntries } = this.task.settings;
		const taken = sorted.slice(0, maxEntries);
		this.known.see(seenNow);
		this.known.add(taken.map(([id]) => id));
		return {
			entries: taken.map(([, { entry }]) => entry),
			waiting: new Set(sorted.slice(maxEntries).map(([id]) => id)),
		};
	}

	/** n8n need not save what has not changed. */
	private unlessSame(cursor: EntryCursor): EntryCursor {
		return JSON.stringify(cursor) === JSON.stringify(this.cursor) ? this.cursor : cursor;
	}

	/** Throws {@link TooLong} where there are results as far back as the count says. */
	private async checkLength(pages: EntryPages, count: number | undefined): Promise<void> {
		const beyond = await pages.look(Math.floor(longestList / pages.pageLength) + 1);
		if ('failure' in beyond || beyond.ids.length > 0) throw this.tooLong(count);
	}

	private tooDeep(seen: number): TooLong {
		const { noun } = this.task;
		return new TooLong(
			`The service refuses to list more than about ${seen} ${noun}, so new ones cannot be told from old ones. Narrow the filters`,
		);
	}

	private tooLong(count: number | undefined): TooLong {
		const { noun } = this.task;
		const most = longestList.toLocaleString('en');
		const has = count === undefined ? `more than ${most} ${noun}` : `${count} ${noun}`;
		return new TooLong(
			`The list has ${has}; the trigger can watch up to ${most}. Narrow the filters`,
		);
	}
}

/** Whether a failure is that of a service that refuses deep pages. */
const isOfDepth = ({ kind, status = 0, page = 1 }: Failure, size: number) =>
	kind === 'status' &&
	[400, 413, 416, 422, 501].includes(status) &&
	(page - 1) * size >= leastDepth;

const wrongCount =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";
