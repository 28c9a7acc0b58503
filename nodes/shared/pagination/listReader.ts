import type { FetchPage, Page, PageOutcome, Result, UniqueResults } from './page';
import { emptyPage, ignoresSize, isEnd, isPastTheEnd, isRefusal, pagingFailure } from './page';
import type { PageRequest, PageWithRange } from './overlap';
import { fits, isReordered, minOverlapping, pageAfter } from './overlap';
import type { Failed, Outcome } from '../result';
import { failed, ok } from '../result';
import { runConcurrently } from '../transport/concurrency';
import type { Failure, FailedAnswer } from '../transport/failure';

export interface ListRequest {
	fetchPage: FetchPage;
	startPage: number;
	limit: number;
	/** Only wanted results count towards the limit. */
	isWanted?: (result: Result) => boolean;
	concurrency: number;
	maxPages?: number;
	/** Whether to stop after this page, which fits the one before it. With `isLast`, pages are read one at a time. */
	isLast?: (page: PageWithRange) => boolean;
	pageLength?: number;
}

export interface ReadOptions {
	/** Varies the page size a little, so that each page shares results with the one before. */
	mayOverlap: boolean;
	size?: number;
}

interface ListPage extends PageRequest, Page {}

const defaultMaxPages = 20_000;
/** Pages planned at once. If the count is too high, most of them are empty. */
const maxPlanned = 20;
const maxRepairs = 5;
/** Consecutive pages without new results. A growing list has some, but not this many. */
const maxPagesWithoutProgress = 20;

/** `changed`: read the list again. `ignoresSize`: the service ignores page sizes. `reorders`: its order varies. */
type ReadFailure = Failure | 'changed' | 'ignoresSize' | 'reorders';
type Read<T> = Outcome<T, ReadFailure>;
const changed = failed('changed' as const);
const sizeIgnored = failed('ignoresSize' as const);
const reordered = failed('reorders' as const);

/** Time was up before a request. What other requests have shown counts more. */
const isStopped = (failure: ReadFailure) =>
	typeof failure === 'object' && failure.kind === 'stopped';

interface ListEnd {
	/** No result that was in the list all the time was missed. */
	isComplete: boolean;
	maxCount: number;
	/** `maxCount`, without the results before the start page. */
	expected: number;
}

/** Of a list that was read only in part. */
const unknownLength: ListEnd = { isComplete: true, maxCount: 0, expected: 0 };

export class ListReader {
	private pagesRead: ListPage[] = [];
	/** The first `fittingCount` pages fit together. */
	private fittingCount = 1;
	pageLength = 0;
	private readonly seen = new Set<unknown>();
	private wantedCount = 0;
	/** Pages contradict each other on the order. */
	isUnstable = false;
	/** A page shows it, which has more results than the request asked for. Too short pages may have other reasons. */
	isSizeIgnored = false;
	private pagesWithoutProgress: ListPage[] = [];

	constructor(
		private readonly request: ListRequest,
		private readonly results: UniqueResults,
		private readonly options: ReadOptions,
	) {}

	async read(): Promise<Read<ListEnd>> {
		const first = await this.readFirst();
		if (!first.ok) return first;
		const { startPage, pageLength } = this.request;
		const { size } = this.options;
		const { length } = first.value.results;
		if (size && this.ignoresSize(size, first.value)) return sizeIgnored;
		this.pageLength = size ?? pageLength ?? length;
		const range = { number: startPage, size, start: (startPage - 1) * this.pageLength };
		this.add([{ ...first.value, ...range }]);
		let isEnough = this.takeLastPage();
		while (!isEnough && !isEnd(this.last)) {
			const failure = (await this.extend()) ?? (await this.repair()) ?? this.reasonToStop();
			if (failure) return failure;
			isEnough = this.takeLastPage();
			if (this.pagesWithoutProgress.length && this.isAllSeen) break;
		}
		return isEnough ? ok(unknownLength) : this.end();
	}

	/** Hands the last page to `isLast`, so call it once for each page. Returns whether to stop. A page that ends the list does not count as the last one that is wanted: `end` checks its claim. */
	private takeLastPage(): boolean {
		const { limit, isLast } = this.request;
		const isLastWanted = isLast?.(this.withSize(this.last)) === true && !isEnd(this.last);
		return this.wantedCount >= limit || isLastWanted;
	}

	get pages(): PageWithRange[] {
		return this.pagesRead.map((page) => this.withSize(page));
	}

	get isOnePage(): boolean {
		const { length } = this.last.results;
		return this.pagesRead.length === 1 && isEnd(this.last) && this.results.size === length;
	}

	/** Number of results up to the last page's end. */
	get reach(): number {
		return this.last.start + this.last.results.length;
	}

	private get last(): ListPage {
		return this.pagesRead[this.pagesRead.length - 1];
	}

	/** Small pages never overlap. */
	private get doOverlap(): boolean {
		return this.options.mayOverlap && this.pageLength >= minOverlapping;
	}

	/** Judged by the service's count. If many more results were seen, the count is wrong. */
	private get isAllSeen(): boolean {
		const more = this.seen.size - (this.last.count ?? Infinity);
		return more >= 0 && more < this.pageLength;
	}

	/** If a start page after page 1 gives a 404, either the list is shorter or the address is wrong. Page 1 shows which. */
	private async readFirst(): Promise<PageOutcome> {
		const { fetchPage, startPage } = this.request;
		const outcome = await fetchPage(startPage, this.options.size);
		if (startPage === 1 || !isPastTheEnd(outcome)) return outcome;
		const first = await fetchPage(1);
		return first.ok ? ok(emptyPage) : outcome;
	}

	private async extend(): Promise<Failed<ReadFailure> | undefined> {
		const read = await this.readPages(this.plan());
		if (!read.ok) return read;
		this.add(read.value);
		return undefined;
	}

	private add(pages: ListPage[]): void {
		for (const page of pages) {
			const seenBefore = this.seen.size;
			this.addResults(page);
			if (this.seen.size > seenBefore) this.pagesWithoutProgress = [];
			else this.pagesWithoutProgress.push(page);
		}
		this.pagesRead.push(...pages);
		this.dropAfterEnd();
	}

	private addResults(page: ListPage): void {
		const { isWanted = () => true } = this.request;
		this.results.add(page).forEach((key, index) => {
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
		// If results are filtered, nobody knows how many pages are needed.
		const maxParallel = isWanted ? Math.min(concurrency, maxPlanned) : maxPlanned;
		const maxRequests = isLast ? 1 : maxParallel;
		const needed = isWanted ? Infinity : this.pagesRead[0].start + limit;
		const until = Math.min(this.last.count ?? 0, needed);
		const requests: PageRequest[] = [];
		let request: PageRequest = this.last;
		do {
			request = pageAfter(request, this.pageLength, { mayOverlap, isPart: isLast !== undefined });
			requests.push(request);
		} while (
			request.start + (request.size ?? this.pageLength) < until &&
			requests.length < maxRequests
		);
		return requests;
	}

	/** Returns the pages in order, up to the first page past the end. */
	private async readPages(requests: PageRequest[]): Promise<Read<ListPage[]>> {
		const pages: ListPage[] = [];
		let first: Failed<ReadFailure> | undefined;
		await runConcurrently(requests.length, this.request.concurrency, async (index) => {
			const page = await this.readPage(requests[index]);
			if (page.ok) pages[index] = page.value;
			else if (!first || isStopped(first.failure)) first = page;
			return !first && pages[index].results.length > 0;
		});
		const isOutOfTime = first && isStopped(first.failure);
		// If time is up, the pages until then are a part of the list. The array has a hole for each page that was not read.
		const hole = Array.from(pages).findIndex((page) => page === undefined);
		const read = hole < 0 ? pages : pages.slice(0, hole);
		if (first && !(isOutOfTime && read.length > 0)) return first;
		const end = read.findIndex(({ results }) => results.length === 0);
		return ok(end < 0 ? read : read.slice(0, end + 1));
	}

	private async readPage({ number, size, start }: PageRequest): Promise<Read<ListPage>> {
		const outcome = await this.request.fetchPage(number, size);
		const range = { number, size, start };
		if (isPastTheEnd(outcome)) return ok({ ...emptyPage, ...range });
		if (!outcome.ok) return size && isRefusal(outcome.failure) ? sizeIgnored : outcome;
		return size && this.ignoresSize(size, outcome.value)
			? sizeIgnored
			: ok({ ...outcome.value, ...range });
	}

	private ignoresSize(size: number, page: Page): boolean {
		this.isSizeIgnored ||= page.results.length > size;
		return ignoresSize(size, page);
	}

	/** If two pages do not fit together, reads both again and inserts them between the earlier versions. */
	private async repair(): Promise<Failed<ReadFailure> | undefined> {
		for (let round = 0; ; round++) {
			const misfits = this.misfitIndexes();
			if (misfits.length === 0) return undefined;
			const pairs = misfits.flatMap((index) => [this.pagesRead[index - 1], this.pagesRead[index]]);
			if (round > 0 && this.isSteady) {
				if (this.options.mayOverlap) return this.isUnstable ? reordered : sizeIgnored;
				const end = this.end();
				if (this.last.results.length === 0 && !end.ok && typeof end.failure === 'object')
					return end;
			}
			if (round === maxRepairs) return changed;
			const read = await this.readPages(pairs);
			if (!read.ok) return read;
			for (let at = misfits.length - 1; at >= 0; at--) {
				this.pagesRead.splice(misfits[at], 0, ...read.value.slice(2 * at, 2 * at + 2));
			}
			read.value.forEach((page) => this.addResults(page));
			this.dropAfterEnd();
		}
	}

	private misfitIndexes(): number[] {
		const misfits: number[] = [];
		for (let index = this.fittingCount; index < this.pagesRead.length; index++) {
			if (!this.fitsBefore(this.pagesRead[index - 1], this.pagesRead[index])) misfits.push(index);
		}
		this.fittingCount = misfits[0] ?? this.pagesRead.length;
		return misfits;
	}

	/** All pages give the same count, so the list has probably not changed meanwhile. */
	private get isSteady(): boolean {
		const [first] = this.pagesRead;
		return this.pagesRead.every(({ count = first.count }) => count === first.count);
	}

	/** Also sets `isUnstable`. */
	private fitsBefore(before: ListPage, after: ListPage): boolean {
		const [a, b] = [this.withSize(before), this.withSize(after)];
		this.isUnstable ||= isReordered(a, b);
		return fits(a, b);
	}

	private withSize(page: ListPage): PageWithRange {
		return { ...page, size: page.size ?? this.pageLength };
	}

	private reasonToStop(): FailedAnswer | undefined {
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

	private end(): Read<ListEnd> {
		const { reach } = this;
		// A page past the end may be a 404, which has no count.
		const count = this.last.count ?? this.pagesRead[this.pagesRead.length - 2]?.count ?? 0;
		// If the only page read is not page 1, the length of pages is unknown, and so is where this page begins.
		const isPositionKnown = this.request.startPage === 1 || this.pagesRead.length > 1;
		if (isPositionKnown && isEnd(this.last) && reach < count) {
			// If the service ignores page sizes, pages begin elsewhere.
			if (this.doOverlap) return sizeIgnored;
			return pagingFailure(
				`there should be ${count} results, but the pages end after ${reach}`,
				count,
			);
		}
		if (this.doOverlap && this.startsBeyondEnd(this.last)) return sizeIgnored;
		if (!isPositionKnown) return ok(unknownLength);
		const skipped = this.pagesRead[0].start;
		const givenCounts = this.pagesRead.flatMap(({ count: given }) => given ?? []);
		// Without a count, pages that do not overlap must not repeat results.
		const lengthWithoutCount = this.options.mayOverlap && !this.isUnstable ? 0 : reach;
		const counts = givenCounts.length ? givenCounts : [lengthWithoutCount];
		const [minCount, maxCount] = [Math.min(...counts), Math.max(...counts)];
		// If the order varies, a new result must not hide that another was missed.
		const isComplete = this.seen.size >= (this.isUnstable ? maxCount : minCount) - skipped;
		return ok({ isComplete, expected: maxCount - skipped, maxCount });
	}

	/** Whether a page is empty although it should overlap. Then the service ignores page sizes. */
	private startsBeyondEnd({ results, start }: ListPage): boolean {
		const before = this.pagesRead[this.pagesRead.length - 2];
		return results.length === 0 && before && start < before.start + before.results.length;
	}
}
