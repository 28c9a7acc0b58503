import type { Failure } from '../transport/failure';
import type { UniqueResults, Page, PageOutcome } from './page';
import { isEnd, isPastTheEnd, isRefusal, emptyPage, isOtherSize, pagingFailure } from './page';
import type { PageRequest, PageWithRange } from './overlap';
import { fits, isReordered, pageAfter } from './overlap';
import { runConcurrently } from '../transport/concurrency';

export interface ListRequest {
	/** Pages count from 1. Without `size`, they have the default size. */
	fetchPage: (page: number, size?: number) => Promise<PageOutcome>;
	startPage: number;
	/** Infinity: read everything. */
	limit: number;
	/** Only these results are returned and count towards the limit. */
	isWanted?: (result: Page['results'][number]) => boolean;
	concurrency: number;
	maxPages?: number;
	/** Whether to stop after this page. Pages are then read one at a time. */
	isLast?: (page: PageWithRange) => boolean;
	/** Results per full page, if known. */
	pageLength?: number;
}

export interface ReadOptions {
	/** Pages vary a little in size, so that each shares results with the one before. */
	mayOverlap: boolean;
	/** Fixed page size. Without it, the service decides. */
	size?: number;
}

interface ListPage extends PageRequest, Page {}

const defaultMaxPages = 20_000;
/** Pages planned ahead. If the count is wrong, most of them are empty. */
const maxPlanned = 20;
const maxRepairs = 5;
/** Consecutive pages without new results. In a growing list there may be some, but not this many. */
const maxPagesWithoutProgress = 20;

/**
 * `moved`: the list changed too much, so it must be read again. `otherSizes`: the service ignores page sizes.
 * `otherOrder`: it reorders the results for each page.
 */
type ReadProblem = { failure: Failure } | 'moved' | 'otherSizes' | 'otherOrder';

interface ListEnd {
	/** Nothing that was listed throughout was missed. */
	isComplete: boolean;
	/** Highest count of the service. */
	maxCount: number;
	/** The same without the results before the start page. */
	expected: number;
}

/** Reads a list once, from its start page to its end. */
export class ListReader {
	private pagesRead: ListPage[] = [];
	/** How many of them, from the first, are known to fit together. */
	private fittingCount = 1;
	/** Results per full page. */
	size = 0;
	private readonly seen = new Set<unknown>();
	private wantedCount = 0;
	/** Two pages show the same part of the list in different orders, although the count is the same. */
	isUnstable = false;
	private pagesWithoutProgress: ListPage[] = [];

	constructor(
		private readonly request: ListRequest,
		private readonly found: UniqueResults,
		private readonly options: ReadOptions,
	) {}

	async read(): Promise<ListEnd | ReadProblem> {
		const first = await this.readFirst();
		if ('failure' in first) return first;
		const { startPage, pageLength } = this.request;
		const { size } = this.options;
		const { length } = first.page.results;
		if (size && isOtherSize(size, first.page)) return 'otherSizes';
		this.size = size ?? pageLength ?? length;
		const range = { number: startPage, size, start: (startPage - 1) * this.size };
		this.add([{ ...first.page, ...range }]);
		while (!this.isEnough && !isEnd(this.last)) {
			const problem = (await this.extend()) ?? (await this.repair()) ?? this.reasonToStop();
			if (problem) return problem;
			if (this.pagesWithoutProgress.length && this.isAllSeen) break;
		}
		return this.isEnough ? { expected: 0, maxCount: 0, isComplete: true } : this.end();
	}

	private get isEnough(): boolean {
		const { limit, isLast } = this.request;
		// If the page also ends the list, that has to be verified.
		const isWindowRead = isLast?.(this.withSize(this.last)) === true && !isEnd(this.last);
		return this.wantedCount >= limit || isWindowRead;
	}

	get pages(): PageWithRange[] {
		return this.pagesRead.map((page) => this.withSize(page));
	}

	get isOnePage(): boolean {
		const { length } = this.last.results;
		return this.pagesRead.length === 1 && isEnd(this.last) && this.found.size === length;
	}

	/** Number of results up to the end of the last page. */
	get reach(): number {
		return this.last.start + this.last.results.length;
	}

	private get last(): ListPage {
		return this.pagesRead[this.pagesRead.length - 1];
	}

	/** Whether as many results were seen as the service counts. If there are many more, the count is wrong. */
	private get isAllSeen(): boolean {
		const more = this.seen.size - (this.last.count ?? Infinity);
		return more >= 0 && more < this.size;
	}

	/** If a later start page gives a 404, page 1 shows whether the list is short or the address wrong. */
	private async readFirst(): Promise<PageOutcome> {
		const { fetchPage, startPage } = this.request;
		const outcome = await fetchPage(startPage, this.options.size);
		if (startPage === 1 || !isPastTheEnd(outcome)) return outcome;
		const first = await fetchPage(1);
		return 'failure' in first ? outcome : { page: emptyPage };
	}

	private async extend(): Promise<ReadProblem | undefined> {
		const read = await this.readPages(this.plan());
		if (!Array.isArray(read)) return read;
		this.add(read);
		return undefined;
	}

	private add(pages: ListPage[]): void {
		for (const page of pages) {
			const before = this.seen.size;
			this.addResults(page);
			if (this.seen.size > before) this.pagesWithoutProgress = [];
			else this.pagesWithoutProgress.push(page);
		}
		this.pagesRead.push(...pages);
		this.dropAfterEnd();
	}

	private addResults(page: ListPage): void {
		const { isWanted = () => true } = this.request;
		this.found.add(page).forEach((key, index) => {
			if (!this.seen.has(key) && isWanted(page.results[index])) this.wantedCount += 1;
			this.seen.add(key);
		});
	}

	private dropAfterEnd(): void {
		const end = this.pagesRead.findIndex(isEnd);
		if (end >= 0) this.pagesRead.length = end + 1;
	}

	private plan(): PageRequest[] {
		const { limit, isWanted, concurrency, isLast } = this.request;
		const { mayOverlap } = this.options;
		// If results are filtered, the number of pages needed is unknown.
		const unplanned = isWanted ? Math.min(concurrency, maxPlanned) : maxPlanned;
		const maxRequests = isLast ? 1 : unplanned;
		const needed = isWanted ? Infinity : this.pagesRead[0].start + limit;
		const until = Math.min(this.last.count ?? 0, needed);
		const requests: PageRequest[] = [];
		let request: PageRequest = this.last;
		do {
			request = pageAfter(request, this.size, { mayOverlap, isPart: isLast !== undefined });
			requests.push(request);
		} while (request.start + (request.size ?? this.size) < until && requests.length < maxRequests);
		return requests;
	}

	/** Reads pages in parallel. Returns them in order, up to the first one past the end. */
	private async readPages(requests: PageRequest[]): Promise<ListPage[] | ReadProblem> {
		const pages: ListPage[] = [];
		let problem: ReadProblem | undefined;
		await runConcurrently(requests.length, this.request.concurrency, async (index) => {
			const page = await this.readPage(requests[index]);
			if (typeof page === 'object' && 'results' in page) pages[index] = page;
			else problem ??= page;
			return !problem && pages[index].results.length > 0;
		});
		if (problem) return problem;
		const end = pages.findIndex(({ results }) => results.length === 0);
		return end < 0 ? pages : pages.slice(0, end + 1);
	}

	private async readPage({ number, size, start }: PageRequest): Promise<ListPage | ReadProblem> {
		const outcome = await this.request.fetchPage(number, size);
		const range = { number, size, start };
		if (isPastTheEnd(outcome)) return { ...emptyPage, ...range };
		if ('failure' in outcome) return size && isRefusal(outcome.failure) ? 'otherSizes' : outcome;
		return size && isOtherSize(size, outcome.page) ? 'otherSizes' : { ...outcome.page, ...range };
	}

	/** Reads misfits again and inserts them. Each overlaps with its earlier version, so the rest still fits. */
	private async repair(): Promise<ReadProblem | undefined> {
		for (let round = 0; ; round++) {
			const broken = this.misfitIndexes();
			if (broken.length === 0) return undefined;
			const pairs = broken.flatMap((index) => [this.pagesRead[index - 1], this.pagesRead[index]]);
			if (round > 0 && this.isSteady) {
				if (this.options.mayOverlap) return this.isUnstable ? 'otherOrder' : 'otherSizes';
				const end = this.end();
				if (this.last.results.length === 0 && typeof end === 'object' && 'failure' in end)
					return end;
			}
			if (round === maxRepairs) return 'moved';
			const read = await this.readPages(pairs);
			if (!Array.isArray(read)) return read;
			for (let at = broken.length - 1; at >= 0; at--) {
				this.pagesRead.splice(broken[at], 0, ...read.slice(2 * at, 2 * at + 2));
			}
			read.forEach((page) => this.addResults(page));
			this.dropAfterEnd();
		}
	}

	private misfitIndexes(): number[] {
		const broken: number[] = [];
		for (let index = this.fittingCount; index < this.pagesRead.length; index++) {
			if (!this.fitsBefore(this.pagesRead[index - 1], this.pagesRead[index])) broken.push(index);
		}
		this.fittingCount = broken[0] ?? this.pagesRead.length;
		return broken;
	}

	private get isSteady(): boolean {
		const [first] = this.pagesRead;
		return this.pagesRead.every(({ count = first.count }) => count === first.count);
	}

	/** Whether no result can be missing between two pages. Also sets `isUnstable`. */
	private fitsBefore(before: ListPage, after: ListPage): boolean {
		const [a, b] = [this.withSize(before), this.withSize(after)];
		this.isUnstable ||= isReordered(a, b);
		return fits(a, b);
	}

	private withSize(page: ListPage): PageWithRange {
		return { ...page, size: page.size ?? this.size };
	}

	private reasonToStop(): ReadProblem | undefined {
		if (this.pagesWithoutProgress.length >= maxPagesWithoutProgress && !this.isAllSeen) {
			const [{ number }] = this.pagesWithoutProgress;
			return pagingFailure(
				`page ${number} of the list repeats earlier pages and claims that more follow`,
			);
		}
		const { maxPages = defaultMaxPages } = this.request;
		if (this.pagesRead.length <= maxPages) return undefined;
		return pagingFailure(`the list did not end after ${maxPages} pages`);
	}

	/** The end of the list, or a problem if it comes too early. */
	private end(): ListEnd | ReadProblem {
		const { reach } = this;
		// A page past the end may be a 404, without a count.
		const count = this.last.count ?? this.pagesRead[this.pagesRead.length - 2]?.count ?? 0;
		// If a later start page is the only one, its size is unknown, and so is its position.
		const isPositionKnown = this.request.startPage === 1 || this.pagesRead.length > 1;
		if (isPositionKnown && isEnd(this.last) && reach < count) {
			// If sizes are ignored, pages begin elsewhere.
			if (this.options.mayOverlap) return 'otherSizes';
			return pagingFailure(
				`there should be ${count} results, but the pages end after ${reach}`,
				count,
			);
		}
		if (this.options.mayOverlap && this.startsBeyondEnd(this.last)) return 'otherSizes';
		if (!isPositionKnown) return { isComplete: true, expected: 0, maxCount: 0 };
		const skipped = this.pagesRead[0].start;
		const givenCounts = this.pagesRead.flatMap(({ count: given }) => given ?? []);
		const counts = givenCounts.length ? givenCounts : [this.lengthWithoutCount(reach)];
		const [minCount, maxCount] = [Math.min(...counts), Math.max(...counts)];
		// If the order varies, new results must not make up for missed ones.
		const isComplete = this.seen.size >= (this.isUnstable ? maxCount : minCount) - skipped;
		return { isComplete, expected: maxCount - skipped, maxCount };
	}

	/** Whether a page is empty that should overlap with the one before: the service ignores sizes. */
	private startsBeyondEnd({ results, start }: ListPage): boolean {
		const before = this.pagesRead[this.pagesRead.length - 2];
		return results.length === 0 && before && start < before.start + before.results.length;
	}

	/** Number of results if the service gives no count. Pages that do not overlap must not repeat any. */
	private lengthWithoutCount(reach: number): number {
		return this.options.mayOverlap && !this.isUnstable ? 0 : reach;
	}
}
