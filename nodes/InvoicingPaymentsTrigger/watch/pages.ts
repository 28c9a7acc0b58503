import { readAll } from '../../shared/pagination/readAll';
import type { WindowRequest } from '../../shared/pagination/readWindow';
import { readWindow } from '../../shared/pagination/readWindow';
import type { FetchPage, Page, PageOutcome, Result } from '../../shared/pagination/page';
import { emptyPage, isPastTheEnd, numberedKeys } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import type { Failure } from '../../shared/transport/failure';
import type { Budget } from './budget';
import type { StoredPage } from './cursor';
import type { IdHash } from './ids';
import { idHash, isMostlyInOrder, packIds, unpackIds } from './ids';
import { isDepthRefusal, minRefusedDepth, UnreadablePageError, WrongCountError } from './errors';

export interface NewEntry {
	entry: Result;
	index: number;
	time: number | undefined;
}

export interface Search {
	fetchPage: FetchPage;
	budget: Budget;
	pageSize: number;
	isEntry: (result: Result) => boolean;
	keyOf: (result: Result) => string;
	timeOf: (result: Result) => number | undefined;
	isNew: (id: IdHash, time: number | undefined, result: Result) => boolean;
	ignoresCount: boolean;
	/** If the service refuses deep pages, the pages before them are enough. */
	toleratesRefusals: boolean;
	concurrency: number;
}

/** `paused`: the next poll can continue. */
type WholeReading =
	| { end: 'whole'; isSure: boolean; all: Result[] }
	| { end: 'paused' }
	| { failure: Failure };

const paused: PageOutcome = { failure: { kind: 'stopped', method: 'GET', path: '' } };

interface ReadPage {
	stored: StoredPage;
	/** Then `times` is empty. */
	isFromEarlierPoll: boolean;
	times: Array<number | undefined>;
}

export type PageWithIds = PageWithRange & { ids: IdHash[] };

const pageKey = (page: number, size?: number) => `${page} ${size ?? ''}`;

/** Reads pages and stores them, so that the next poll can continue. Their results only have a hashed ID and a time. */
export class Pages {
	/** Entries that this reading of the whole list has seen, also in earlier polls. */
	readonly entryIds = new Set<IdHash>();
	private readonly otherIds = new Set<IdHash>();
	/** Entries that this poll has seen, with their creation times. */
	readonly seenEntries = new Map<IdHash, number | undefined>();
	readonly newEntries = new Map<IdHash, NewEntry>();
	hasProgress = false;
	/** The service refuses pages that begin after `from` results. */
	refusal: { from: number; failure: Failure } | undefined;
	/** Latest count from the service, unless counts are ignored. */
	count: number | undefined;
	pageLength: number;
	private readonly pages = new Map<string, ReadPage>();
	private readonly reusableKeys = new Set<string>();
	private isPaused = false;
	private maxNewEntries = Infinity;
	private readonly counts = new Set<number | undefined>();

	constructor(
		private readonly search: Search,
		stored: StoredPage[] = [],
	) {
		this.pageLength = search.pageSize;
		for (const page of stored) {
			const key = pageKey(page.page, page.size);
			this.pages.set(key, { stored: page, isFromEarlierPoll: true, times: [] });
			this.reusableKeys.add(key);
		}
	}

	/** Reads page 1, and drops stored pages that no longer fit to it. Throws UnreadablePageError and WrongCountError. */
	async readFirst(): Promise<{ page: Page; ids: IdHash[] }> {
		const key = pageKey(1);
		const storedFirst = this.pages.get(key);
		const outcome = await this.fetch(1);
		if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
		const read = this.pages.get(key) as ReadPage;
		this.hasProgress = false;
		const { results, next } = outcome.page;
		if (next) this.pageLength = Math.max(1, results.length);
		const ids = unpackIds(read.stored.ids);
		const isReordered = storedFirst && !isMostlyInOrder(unpackIds(storedFirst.stored.ids), ids);
		if (isReordered || !next) this.forgetStored();
		else if (storedFirst) {
			// Stored pages fit the stored page 1, so keep that. Entries on the new page 1 count as seen, too.
			this.markSeen(read);
			this.pages.set(key, storedFirst);
		}
		this.reusableKeys.add(key);
		return { page: { ...outcome.page, results: resultsOf(read) }, ids };
	}

	/** Stored pages are useless if the service reorders the list for each request, or if the list fits on one page. */
	private forgetStored(): void {
		for (const [key, { isFromEarlierPoll }] of this.pages)
			if (isFromEarlierPoll) this.pages.delete(key);
		this.reusableKeys.clear();
	}

	/** Reads a single page; past the end, it is empty. Throws UnreadablePageError. */
	async peek(number: number): Promise<PageWithIds> {
		const outcome = await this.fetch(number, undefined, true);
		const pageRange = rangeOf(number, this.pageLength);
		this.reusableKeys.delete(pageKey(number));
		if (isPastTheEnd(outcome)) return { ...emptyPage, ...pageRange, ids: [] };
		if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
		const read = this.pages.get(pageKey(number));
		const ids = unpackIds(read?.stored.ids ?? '');
		return { ...outcome.page, ...pageRange, ids, results: read ? resultsOf(read) : [] };
	}

	async readWindow(
		number: number,
		window: Omit<WindowRequest, 'fetchPage' | 'startPage' | 'pageLength'>,
	) {
		this.maxNewEntries = Infinity;
		const begin = pageKey(number);
		// Reuse the page if this poll has read it. All pages after it are requested later.
		if (this.pages.get(begin)?.isFromEarlierPoll === false) this.reusableKeys.add(begin);
		const fetchPage = async (page: number, size?: number) => await this.nextPage(page, size);
		return await readWindow({
			...window,
			fetchPage,
			startPage: number,
			pageLength: this.pageLength,
		});
	}

	async isEndReal(): Promise<boolean> {
		const { page = 0, size = this.pageLength } = this.lastPage?.stored ?? {};
		const beyond = await this.peek(Math.ceil((page * size) / this.pageLength) + 1);
		return beyond.results.length === 0;
	}

	get lastPage(): ReadPage | undefined {
		const endOf = ({ stored: { page, size = this.pageLength } }: ReadPage) => page * size;
		const read = [...this.pages.values()].filter(({ stored }) => stored.ids);
		return read.sort((a, b) => endOf(b) - endOf(a))[0];
	}

	get hasOtherResults(): boolean {
		return this.otherIds.size > 0;
	}

	get seenCount(): number {
		return this.entryIds.size + this.otherIds.size;
	}

	get steadyCount(): number | undefined {
		return this.counts.size === 1 ? [...this.counts][0] : undefined;
	}

	async readWhole(maxNewEntries: number): Promise<WholeReading> {
		this.maxNewEntries = maxNewEntries;
		const fetchPage = async (page: number, size?: number) => await this.nextPage(page, size);
		const { concurrency } = this.search;
		const read = await readAll({ fetchPage, startPage: 1, limit: Infinity, concurrency });
		if ('results' in read) return { end: 'whole', isSure: read.isSure, all: read.results };
		return this.isPaused ? { end: 'paused' } : read;
	}

	/** Pages that the next poll does not have to read again. `waiting`: entries that were not delivered. */
	pagesToStore(waiting: Set<IdHash>): StoredPage[] {
		const isDelivered = ({ ids }: StoredPage) => !unpackIds(ids).some((id) => waiting.has(id));
		return [...this.pages.values()].map(({ stored }) => stored).filter(isDelivered);
	}

	private async nextPage(page: number, size?: number): Promise<PageOutcome> {
		const key = pageKey(page, size);
		const stored = this.pages.get(key);
		if (stored && this.reusableKeys.delete(key)) return { page: this.markSeen(stored) };
		if (this.search.budget.left <= 0 || this.newEntries.size >= this.maxNewEntries) {
			this.isPaused = true;
			return paused;
		}
		const outcome = await this.fetch(page, size);
		const read = this.pages.get(key);
		return 'page' in outcome && read ? { page: this.markSeen(read) } : outcome;
	}

	private async fetch(page: number, size?: number, isProbe = false): Promise<PageOutcome> {
		const { budget, fetchPage, isEntry, isNew, keyOf, timeOf } = this.search;
		const start = (page - 1) * (size ?? this.pageLength);
		const request = async (mayFail = isProbe) =>
			start >= (this.refusal?.from ?? Infinity)
				? { page: emptyPage }
				: await budget.spend(
						async () => await fetchPage(page, size, mayFail && start >= minRefusedDepth),
					);
		let outcome = await request();
		if ('page' in outcome && this.contradictsCount(outcome.page, start, size)) {
			// The list may have changed during the request.
			outcome = await request();
			if ('page' in outcome && this.contradictsCount(outcome.page, start, size))
				throw new WrongCountError();
		}
		// One failure does not mean that the service refuses deep pages.
		for (
			let attempt = 1;
			this.isRefusedAt(outcome, start) && attempt < maxAttemptsAt(outcome);
			attempt++
		)
			outcome = await request(false);
		if ('failure' in outcome) return this.endIfRefused(outcome, start);
		this.hasProgress = true;
		const { results, next } = outcome.page;
		const count = this.countOf(outcome.page);
		const ids = numberedKeys(results, keyOf).map(idHash);
		const times = results.map(timeOf);
		const others = new Set(ids.filter((_, at) => !isEntry(results[at])));
		ids.forEach((id, at) => {
			if (others.has(id)) return;
			const [entry, time] = [results[at], times[at]];
			this.seenEntries.set(id, time);
			if (isNew(id, time, entry)) this.newEntries.set(id, { entry, index: start + at, time });
		});
		const stored = {
			page,
			...(size !== undefined && { size }),
			...(count !== undefined && { count }),
			hasNext: next !== null,
			ids: packIds(ids),
			...(others.size > 0 && { others: packIds([...others]) }),
		};
		this.pages.set(pageKey(page, size), { stored, isFromEarlierPoll: false, times });
		return { page: { ...outcome.page, count } };
	}

	/** Whether a page ends beyond its own count, or is the last and one short. If more are missing, the list may be cut off. */
	private contradictsCount(
		{ results: { length }, next, count }: Page,
		start: number,
		size?: number,
	): boolean {
		if (this.search.ignoresCount || count === undefined || length === 0) return false;
		const reach = start + length;
		return reach > count || (!next && reach === count - 1 && size === undefined);
	}

	private countOf({ count }: Page): number | undefined {
		this.counts.add(count);
		const { ignoresCount } = this.search;
		this.count = ignoresCount ? undefined : count;
		return this.refusal ? undefined : this.count;
	}

	private isRefusedAt(outcome: PageOutcome, start: number): outcome is { failure: Failure } {
		return (
			'failure' in outcome &&
			this.search.toleratesRefusals &&
			isDepthRefusal(outcome.failure, start)
		);
	}

	private endIfRefused(outcome: { failure: Failure }, start: number): PageOutcome {
		const { failure } = outcome;
		if (!this.isRefusedAt(outcome, start)) return outcome;
		if (start < (this.refusal?.from ?? Infinity)) this.refusal = { from: start, failure };
		return { page: emptyPage };
	}

	private markSeen(read: ReadPage): Page {
		const { ids, others = '', count, hasNext } = read.stored;
		const pageOthers = new Set(unpackIds(others));
		for (const id of unpackIds(ids)) (pageOthers.has(id) ? this.otherIds : this.entryIds).add(id);
		const visibleCount = this.refusal ? undefined : count;
		return { count: visibleCount, next: hasNext ? 'next' : null, results: resultsOf(read) };
	}
}

/** A deep page counts as refused after this many attempts. Server errors (5xx) may be temporary, so they get more. */
const maxAttemptsAt = (outcome: PageOutcome) =>
	'failure' in outcome && (outcome.failure.status ?? 0) >= 500 ? 4 : 2;

const resultsOf = ({ stored, times }: ReadPage) =>
	unpackIds(stored.ids).map((id, at) => ({ id, time: times[at] }));
