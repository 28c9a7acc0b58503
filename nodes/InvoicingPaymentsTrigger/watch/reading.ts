import type { ListRequest, ReadOptions } from '../../shared/pagination/listReader';
import { ListReader } from '../../shared/pagination/listReader';
import type { PageWithRange } from '../../shared/pagination/overlap';
import { minOverlapping } from '../../shared/pagination/overlap';
import type { Result } from '../../shared/pagination/page';
import { pagingFailure, UniqueResults } from '../../shared/pagination/page';
import type { Failure } from '../../shared/transport/failure';
import type { Poll } from './poll';

/** Consecutive pages of a list. */
export interface Reading {
	pages: PageWithRange[];
	/** Each once, also those of pages that were read again. */
	results: Result[];
	/** The pages have shown fewer different results than they have places, or do not fit together. */
	isGap: boolean;
	/** Nothing can be missing, because pages overlapped. */
	isSure: boolean;
	/** Pages contradict each other on the order. */
	isUnstable: boolean;
	/** The service decides on the size of its pages. */
	ignoresSize: boolean;
	/** Why it ends although some may be missing. */
	failure?: Failure;
	/** All pages were read at least once. */
	isRead: boolean;
}

interface ReadingRequest {
	startPage: number;
	concurrency?: number;
	ignoresSize?: boolean;
	/** Whether to stop after this page. Called in list order. Without it, the reading goes to the end of the list. */
	isLast?: (page: PageWithRange) => boolean;
	/** Whether the pages show all results of this time, so that none of them may be missing. */
	isWithin?: (time: number, pages: PageWithRange[]) => boolean;
}

/** Readings of pages that do not fit together, because the list changes all the time. */
const maxMisfits = 3;
/** Readings with other page sizes, and how many of them in a row may find nothing. The next poll goes on with other sizes. */
const maxRereads = 20;
const maxIdleRereads = 5;

const { failure: changed } = pagingFailure('the list changes faster than it can be read');

/**
 * Reads pages from `startPage` to `isLast` or the end of the list. They overlap, so that nothing slips between two. Throws
 * UnreadablePageError and WrongCountError.
 *
 * A service may show results of the same moment in another order on each page, and so show some twice and others never. If the pages show
 * fewer different results than they have places, they are read again with other borders, until none is missing.
 */
export async function readPages(poll: Poll, request: ReadingRequest): Promise<Reading> {
	return await new PagesReader(poll, request).read();
}

class PagesReader {
	private readonly unique = new UniqueResults();
	private options: ReadOptions;
	private ignoresSize: boolean;
	private isUnstable = false;
	/** Number of different results that `pages` must show. */
	private expected = 0;
	private pages: PageWithRange[] = [];
	private isSure = false;
	private isRead = false;

	constructor(
		private readonly poll: Poll,
		private readonly request: ReadingRequest,
	) {
		this.ignoresSize = request.ignoresSize === true || poll.sizes === 'ignored';
		this.options = { mayOverlap: !this.ignoresSize };
	}

	async read(): Promise<Reading> {
		for (let misfits = 0, rereads = 0, idle = 0; ; ) {
			const sizeBefore = this.unique.size;
			const { reader, outcome, failure } = await this.readOnce();
			if (outcome === 'ignoresSize' || outcome === 'reorders') {
				this.ignoresSize ||= outcome === 'ignoresSize';
				// A service that ignores sizes shows the same pages again.
				if (!this.options.mayOverlap) return this.result(true);
				this.options = { mayOverlap: false };
				continue;
			}
			if (outcome === 'changed') {
				misfits += 1;
				if (misfits < maxMisfits) continue;
				return this.result(true, failure ?? changed);
			}
			if (outcome === 'failed') return this.result(true, failure);
			this.compare(reader, outcome.isComplete);
			const isGap = !outcome.isComplete || this.lacksResults;
			idle = this.unique.size > sizeBefore ? 0 : idle + 1;
			if (!isGap || rereads === maxRereads || idle === maxIdleRereads) return this.result(isGap);
			this.options = { mayOverlap: false, size: this.otherSize(rereads) };
			rereads += 1;
		}
	}

	private async readOnce() {
		const { poll, request, options, unique } = this;
		const { startPage, isLast, concurrency = 1 } = request;
		const { pageLength } = poll;
		const { size = pageLength } = options;
		const from = Math.floor(((startPage - 1) * pageLength) / size) + 1;
		const end = this.isRead && reachOf(this.pages);
		const list: ListRequest = {
			fetchPage: poll.fetcherFrom(from),
			startPage: from,
			pageLength,
			concurrency,
			limit: Infinity,
			isLast: isLast && (end === false ? isLast : (page) => reachOf([page]) >= end),
		};
		const reader = new ListReader(list, unique, options);
		const read = await reader.read();
		this.isUnstable ||= reader.isUnstable;
		if (reader.isSizeIgnored) poll.sizes = 'ignored';
		if (!this.isRead) this.pages = reader.pages;
		if (read.ok) return { reader, outcome: read.value };
		if (typeof read.failure !== 'object') return { reader, outcome: read.failure };
		const { failure } = read;
		if (failure.counted === undefined) return { reader, outcome: 'failed' as const, failure };
		// If no page follows, the count is too high. Otherwise, a page was cut off.
		const isAtEnd = await this.isAtEnd(reader.pages);
		return { reader, outcome: isAtEnd ? { isComplete: true } : ('changed' as const), failure };
	}

	private async isAtEnd(pages: PageWithRange[]): Promise<boolean> {
		const beyond = await this.poll.peek(Math.ceil(reachOf(pages) / this.poll.pageLength) + 1);
		return beyond.results.length === 0;
	}

	/** Notes what a first reading shows, or a later one if the list has changed. */
	private compare({ pages, isOnePage }: ListReader, isComplete: boolean): void {
		const isSameList = [...this.pages, ...pages].every(({ count }) => count === pages[0].count);
		if (this.isRead && isSameList) return;
		const doOverlap = this.options.mayOverlap && this.poll.pageLength >= minOverlapping;
		this.isSure = isOnePage || (doOverlap && isComplete);
		this.pages = pages;
		this.isRead = true;
		this.expected = expectedIn(pages, {
			isUnstable: this.isUnstable,
			isWithin: (time) => this.isWithin(time),
		});
	}

	private isWithin(time: number): boolean {
		return this.request.isWithin?.(time, this.pages) ?? true;
	}

	private get lacksResults(): boolean {
		const { poll, unique, request, expected } = this;
		// Only a count shows how many results new ones have moved. One that is ignored shows at least whether the list has changed.
		const hasChanged = poll.counts.size > 1 || poll.counts.has(undefined);
		if (poll.count === undefined && hasChanged) return false;
		if (!request.isWithin) return unique.size < expected;
		return unique.inOrder().filter(({ time }) => this.isWithin(Number(time))).length < expected;
	}

	/** Each reading and each poll has other pages. */
	private otherSize(rereads: number): number {
		const { pageLength, cursor } = this.poll;
		const turn = (cursor.times?.gaps ?? 0) * (maxIdleRereads + 1) + rereads;
		return Math.max(1, pageLength - 1 - (turn % Math.ceil(pageLength / 2)));
	}

	private result(isGap: boolean, failure?: Failure): Reading {
		const { pages, unique, isSure, isRead, isUnstable, ignoresSize } = this;
		const results = unique.inOrder();
		return { pages, results, isGap, isSure, isRead, isUnstable, ignoresSize, failure };
	}
}

/** Number of results up to the end of these pages. */
export const reachOf = (pages: PageWithRange[]) =>
	Math.max(0, ...pages.map(({ start, results }) => start + results.length));

/** What earlier pages have shown. */
interface EarlierPages {
	/** Number of results up to the end of them. */
	reach: number;
	ids: ReadonlySet<unknown>;
	/** The service's, at the time of the last one. `undefined`: none that can be used. */
	count?: number;
}

interface ExpectedIn extends Pick<Reading, 'isUnstable'> {
	/** Only these times count. */
	isWithin?: (time: number) => boolean;
	earlier?: EarlierPages;
}

const noPages: EarlierPages = { reach: 0, ids: new Set() };

/** How many different results the pages should show after `earlier`. Those that new ones have moved there from before count once. */
export function expectedIn(
	pages: PageWithRange[],
	{ isUnstable, isWithin = () => true, earlier = noPages }: ExpectedIn,
): number {
	let expected = 0;
	let { reach, ids, count: before } = earlier;
	for (const { start, results, count } of pages) {
		const growth = count === undefined || before === undefined ? 0 : count - before;
		const places = results.slice(Math.max(0, reach - start));
		const repeated = places.findIndex(({ id }) => !ids.has(id));
		// If the order varies, a new result must not hide that another one is missing.
		const moved = isUnstable
			? 0
			: Math.min(Math.max(0, growth), repeated < 0 ? places.length : repeated);
		// A result that is listed twice on one page counts once.
		const within = places.slice(moved).filter(({ time }) => isWithin(Number(time)));
		// What has left may have moved others to the page before, where they were not seen.
		expected += new Set(within.map(({ id }) => id)).size + Math.max(0, -growth);
		reach = Math.max(reach, start + results.length);
		ids = new Set(results.map(({ id }) => id));
		before = count;
	}
	return expected;
}

/** The part of these pages before a place of the list. */
export const pagesUpTo = (end: number, pages: PageWithRange[]): PageWithRange[] =>
	pages
		.filter(({ start }) => start < end)
		.map((page) => ({ ...page, results: page.results.slice(0, end - page.start) }));
