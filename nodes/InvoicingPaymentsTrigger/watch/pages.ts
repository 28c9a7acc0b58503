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
	/** If the service refuses deep pages, the others are enough. */
	mayBeCut: boolean;
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
	/** An earlier poll has read it, so `times` is empty. */
	isEarlier: boolean;
	times: Array<number | undefined>;
}

export type PageWithIds = PageWithRange & { ids: IdHash[] };

const pageKey = (page: number, size?: number) => `${page} ${size ?? ''}`;

/** Pages that share a result fit together, so the next poll can continue a reading. Callers only see hashed IDs and times. */
export class Pages {
	/** Entries seen in this complete reading. */
	readonly present = new Set<IdHash>();
	private readonly others = new Set<IdHash>();
	/** Entries that this poll has seen, with creation times. */
	readonly seenNow = new Map<IdHash, number | undefined>();
	readonly newEntries = new Map<IdHash, NewEntry>();
	hasProgress = false;
	/** The service refuses pages after `from` results. */
	refusal: { from: number; failure: Failure } | undefined;
	/** Latest count that the service gave, unless counts are ignored. */
	count: number | undefined;
	pageLength: number;
	private readonly pages = new Map<string, ReadPage>();
	private readonly unrequested = new Set<string>();
	private isPaused = false;
	private enough = Infinity;
	private readonly counts = new Set<number | undefined>();

	constructor(
		private readonly search: Search,
		stored: StoredPage[] = [],
	) {
		this.pageLength = search.pageSize;
		for (const page of stored) {
			const key = pageKey(page.page, page.size);
			this.pages.set(key, { stored: page, isEarlier: true, times: [] });
			this.unrequested.add(key);
		}
	}

	/** Reads page 1, and drops stored pages that no longer fit. Throws UnreadablePageError and WrongCountError. */
	async first(): Promise<{ page: Page; ids: IdHash[] }> {
		const key = pageKey(1);
		const earlier = this.pages.get(key);
		const outcome = await this.fetch(1);
		if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
		const read = this.pages.get(key) as ReadPage;
		this.hasProgress = false;
		const { results, next } = outcome.page;
		if (next) this.pageLength = Math.max(1, results.length);
		const ids = unpackIds(read.stored.ids);
		const isOther = earlier && !isMostlyInOrder(unpackIds(earlier.stored.ids), ids);
		if (isOther || !next) this.forgetStored();
		else if (earlier) {
			// Stored pages fit the earlier page 1. Entries on the new one still count as seen.
			this.markSeen(read);
			this.pages.set(key, earlier);
		}
		this.unrequested.add(key);
		return { page: { ...outcome.page, results: resultsOf(read) }, ids };
	}

	/** Stored pages are useless if the service reorders the list for each request, or if it fits on one page. */
	private forgetStored(): void {
		for (const [key, { isEarlier }] of this.pages) if (isEarlier) this.pages.delete(key);
		this.unrequested.clear();
	}

	/** Reads a single page; past the end, it is empty. Throws UnreadablePageError. */
	async peek(number: number): Promise<PageWithIds> {
		const outcome = await this.fetch(number, undefined, true);
		const pageRange = rangeOf(number, this.pageLength);
		this.unrequested.delete(pageKey(number));
		if (isPastTheEnd(outcome)) return { ...emptyPage, ...pageRange, ids: [] };
		if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
		const read = this.pages.get(pageKey(number));
		const ids = unpackIds(read?.stored.ids ?? '');
		return { ...outcome.page, ...pageRange, ids, results: read ? resultsOf(read) : [] };
	}

	async window(
		number: number,
		window: Omit<WindowRequest, 'fetchPage' | 'startPage' | 'pageLength'>,
	) {
		this.enough = Infinity;
		const begin = pageKey(number);
		// Use the page that was just read: later pages must not be older.
		if (this.pages.get(begin)?.isEarlier === false) this.unrequested.add(begin);
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

	get hasOthers(): boolean {
		return this.others.size > 0;
	}

	get seenCount(): number {
		return this.present.size + this.others.size;
	}

	get steadyCount(): number | undefined {
		return this.counts.size === 1 ? [...this.counts][0] : undefined;
	}

	async readWhole(enough: number): Promise<WholeReading> {
		this.enough = enough;
		const fetchPage = async (page: number, size?: number) => await this.nextPage(page, size);
		const { concurrency } = this.search;
		const read = await readAll({ fetchPage, startPage: 1, limit: Infinity, concurrency });
		if ('results' in read) return { end: 'whole', isSure: read.isSure, all: read.results };
		return this.isPaused ? { end: 'paused' } : read;
	}

	/** Pages that the next poll need not read again. `waiting`: entries that were not delivered. */
	pagesToStore(waiting: Set<IdHash>): StoredPage[] {
		const isDone = ({ ids }: StoredPage) => !unpackIds(ids).some((id) => waiting.has(id));
		return [...this.pages.values()].map(({ stored }) => stored).filter(isDone);
	}

	private async nextPage(page: number, size?: number): Promise<PageOutcome> {
		const key = pageKey(page, size);
		const stored = this.pages.get(key);
		if (stored && this.unrequested.delete(key)) return { page: this.markSeen(stored) };
		if (this.search.budget.left <= 0 || this.newEntries.size >= this.enough) {
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
		const ask = async (mayFail = isProbe) =>
			start >= (this.refusal?.from ?? Infinity)
				? { page: emptyPage }
				: await budget.spend(
						async () => await fetchPage(page, size, mayFail && start >= minRefusedDepth),
					);
		let outcome = await ask();
		if ('page' in outcome && this.contradicts(outcome.page, start, size)) {
			// The list may have changed just then.
			outcome = await ask();
			if ('page' in outcome && this.contradicts(outcome.page, start, size))
				throw new WrongCountError();
		}
		// A single failure does not mean that deep pages are refused.
		for (let tries = 1; this.isRefusedAt(outcome, start) && tries < triesOf(outcome); tries++)
			outcome = await ask(false);
		if ('failure' in outcome) return this.endIfRefused(outcome, start);
		this.hasProgress = true;
		const { results, next } = outcome.page;
		const count = this.countOf(outcome.page);
		const ids = numberedKeys(results, keyOf).map(idHash);
		const times = results.map(timeOf);
		const others = ids.filter((_, at) => !isEntry(results[at]));
		const out = new Set(others);
		ids.forEach((id, at) => {
			if (out.has(id)) return;
			const [entry, time] = [results[at], times[at]];
			this.seenNow.set(id, time);
			if (isNew(id, time, entry)) this.newEntries.set(id, { entry, index: start + at, time });
		});
		const stored = {
			page,
			...(size !== undefined && { size }),
			...(count !== undefined && { count }),
			hasNext: next !== null,
			ids: packIds(ids),
			...(others.length > 0 && { others: packIds(others) }),
		};
		this.pages.set(pageKey(page, size), { stored, isEarlier: false, times });
		return { page: { ...outcome.page, count } };
	}

	/** Whether a page reaches beyond its count, or ends one result early. If more are missing, it may be cut off. */
	private contradicts(
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
		return 'failure' in outcome && this.search.mayBeCut && isDepthRefusal(outcome.failure, start);
	}

	private endIfRefused(outcome: { failure: Failure }, start: number): PageOutcome {
		const { failure } = outcome;
		if (!this.isRefusedAt(outcome, start)) return outcome;
		if (start < (this.refusal?.from ?? Infinity)) this.refusal = { from: start, failure };
		return { page: emptyPage };
	}

	private markSeen(read: ReadPage): Page {
		const { ids, others = '', count, hasNext } = read.stored;
		const out = new Set(unpackIds(others));
		for (const id of unpackIds(ids)) (out.has(id) ? this.others : this.present).add(id);
		const visibleCount = this.refusal ? undefined : count;
		return { count: visibleCount, next: hasNext ? 'next' : null, results: resultsOf(read) };
	}
}

/** A deep page counts as refused after this many attempts: server errors may be temporary. */
const triesOf = (outcome: PageOutcome) =>
	'failure' in outcome && (outcome.failure.status ?? 0) >= 500 ? 4 : 2;

const resultsOf = ({ stored, times }: ReadPage) =>
	unpackIds(stored.ids).map((id, at) => ({ id, time: times[at] }));
