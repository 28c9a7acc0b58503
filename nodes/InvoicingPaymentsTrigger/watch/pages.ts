import { readAll } from '../../shared/pagination/readAll';
import type { WindowRequest } from '../../shared/pagination/readWindow';
import { readWindow } from '../../shared/pagination/readWindow';
import type { FetchPage, Page, PageOutcome } from '../../shared/pagination/page';
import { emptyPage, isPastTheEnd, isUsableId } from '../../shared/pagination/page';
import type { PlacedPage } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import type { Failure } from '../../shared/transport/failure';
import type { Budget } from './budget';
import type { StoredPage } from './cursor';
import type { IdHash } from './ids';
import { idHash, packIds, unpackIds } from './ids';
import { isOfDepth, leastDepth } from './limits';
import { Unreadable, WrongCount } from './problems';

export type Entry = Page['results'][number];

/** A new result, how many results of the list come before it, and when it was made (milliseconds since 1970). */
export interface FoundEntry {
	entry: Entry;
	place: number;
	time: number | undefined;
}

/** What a reading is to look for, and how far it may go. */
export interface Search {
	fetchPage: FetchPage;
	budget: Budget;
	/** How many results are asked for in one request. */
	pageSize: number;
	/** Whether a result belongs to the event, whatever filter the service was given. */
	isEntry: (result: Entry) => boolean;
	/** What tells a result from others. */
	keyOf: (result: Entry) => string;
	/** When a result was made, where that counts. */
	timeOf: (result: Entry) => number | undefined;
	isNew: (id: IdHash, time: number | undefined, result: Entry) => boolean;
	/** Whether the service's count is left aside. */
	ignoresCount: boolean;
	/** Whether a list of which the service refuses deep pages is taken as far as it goes. */
	mayBeCut: boolean;
	/** How many pages may be read at a time. */
	concurrency: number;
}

/** How a reading of the whole list ended. `all`: its results as they stand. `paused`: it can go on in the next poll. */
type Ending =
	| { end: 'whole'; isSure: boolean; all: Page['results'] }
	| { end: 'paused' }
	| { failure: Failure };

const paused: PageOutcome = { failure: { kind: 'stopped', method: 'GET', path: '' } };

/** A page as it is kept, whether an earlier poll has read it, and when its results were made, as far as this poll knows. */
interface ReadPage {
	stored: StoredPage;
	isEarlier: boolean;
	times: Array<number | undefined>;
}

const placeOf = (page: number, size?: number) => `${page} ${size ?? ''}`;

/**
 * The pages of a list in one poll. What was read is kept by its place, so that a reading that does not fit into one poll goes on in
 * the next: where two pages share a result nothing can have slipped between them, whenever each of them was read. What is given out
 * of a result is its ID and when it was made.
 */
export class Pages {
	/** Entries that this reading of the whole list has seen. */
	readonly present = new Set<IdHash>();
	/** The other results that it has seen. */
	private readonly others = new Set<IdHash>();
	/** Entries that this poll has seen, on whichever page, and when they were made. */
	readonly seenNow = new Map<IdHash, number | undefined>();
	/** New entries by their ID. */
	readonly found = new Map<IdHash, FoundEntry>();
	/** Whether this poll has read anything besides page 1. */
	hasProgress = false;
	/** From where on the service refuses pages, and why. */
	refusal: { from: number; failure: Failure } | undefined;
	/** What the service counted last, where that is believed. */
	count: number | undefined;
	/** How many results a full page holds. */
	private size: number;
	private readonly pages = new Map<string, ReadPage>();
	/** Places whose page has not been asked for yet in this reading. */
	private readonly unused = new Set<string>();
	private isPaused = false;
	/** How many new entries are enough. */
	private enough = Infinity;
	/** What the service counted, in this poll. */
	private readonly counts = new Set<number | undefined>();

	constructor(
		private readonly search: Search,
		stored: StoredPage[] = [],
	) {
		this.size = search.pageSize;
		for (const page of stored) {
			const place = placeOf(page.page, page.size);
			this.pages.set(place, { stored: page, isEarlier: true, times: [] });
			this.unused.add(place);
		}
	}

	/** Page 1 as it is now, with which a reading begins that does not go on with an earlier one. Throws {@link Unreadable} and {@link WrongCount}. */
	async first(): Promise<{ page: Page; ids: IdHash[] }> {
		const place = placeOf(1);
		const earlier = this.pages.get(place);
		const outcome = await this.fetch(1);
		if ('failure' in outcome) throw new Unreadable(outcome.failure);
		const fresh = this.pages.get(place) as ReadPage;
		this.hasProgress = false;
		const { results, next } = outcome.page;
		if (next) this.size = Math.max(1, results.length);
		const ids = unpackIds(fresh.stored.ids);
		const isOther = earlier && !isMostlyInOrder(unpackIds(earlier.stored.ids), ids);
		if (isOther || !next) this.forgetStored();
		else if (earlier) {
			// The pages that follow fit to it as it was; what is on it now was seen as well.
			this.restore(fresh);
			this.pages.set(place, earlier);
		}
		this.unused.add(place);
		return { page: { ...outcome.page, results: resultsOf(fresh) }, ids };
	}

	/**
	 * Pages of a list that is ordered anew for each request do not go together with those of another poll, and of a list that fits on
	 * one page no others are needed.
	 */
	private forgetStored(): void {
		for (const [place, { isEarlier }] of this.pages) if (isEarlier) this.pages.delete(place);
		this.unused.clear();
	}

	/** Any page, besides the reading; past the end of the list it is empty. Throws {@link Unreadable}. */
	async look(number: number): Promise<PlacedPage & { ids: IdHash[] }> {
		const outcome = await this.fetch(number, undefined, true);
		const range = rangeOf(number, this.size);
		this.unused.delete(placeOf(number));
		if (isPastTheEnd(outcome)) return { ...emptyPage, ...range, ids: [] };
		if ('failure' in outcome) throw new Unreadable(outcome.failure);
		const read = this.pages.get(placeOf(number));
		const ids = unpackIds(read?.stored.ids ?? '');
		return { ...outcome.page, ...range, ids, results: read ? resultsOf(read) : [] };
	}

	/** Pages from `number` on to one that is enough, or to the end of the list. */
	async window(
		number: number,
		window: Omit<WindowRequest, 'fetchPage' | 'startPage' | 'pageLength'>,
	) {
		this.enough = Infinity;
		const begin = placeOf(number);
		// The pages that follow are to be read after it.
		if (this.pages.get(begin)?.isEarlier === false) this.unused.add(begin);
		const fetchPage = async (page: number, size?: number) => await this.next(page, size);
		return await readWindow({ ...window, fetchPage, startPage: number, pageLength: this.size });
	}

	/**
	 * Whether the list ends on a page that says that more follow. The pages are read again then: `mistake`: there is more, or there was
	 * more when an earlier poll read it; `cutOff`: there is not.
	 */
	async endOfList(): Promise<'right' | 'mistake' | 'cutOff'> {
		const last = this.last();
		if (!last?.stored.hasNext || this.refusal) return 'right';
		if (last.isEarlier) return 'mistake';
		const { page, size } = last.stored;
		// In this order a list that only shrinks does not look as if it was cut off.
		const after = await this.search.fetchPage(page + 1, size);
		const again = await this.search.fetchPage(page, size);
		const isEmpty = isPastTheEnd(after) || ('page' in after && after.page.results.length === 0);
		if (!isEmpty) return 'mistake';
		if ('failure' in again || again.page.next === null) return 'right';
		const end = (page - 1) * (size ?? this.size) + again.page.results.length;
		// If the count agrees with the page, it is `next` that is wrong.
		return [end, end + 1].includes(again.page.count ?? -1) ? 'right' : 'cutOff';
	}

	/**
	 * Whether a full page far back says that it is the last one, and counts results behind it. Only a single answer proves that:
	 * counts of other answers differ from the page when the list changes in between. One more than there are is a common mistake.
	 */
	get isCutShort(): boolean {
		const last = this.last();
		if (!last) return false;
		const { page, size = this.size, count = 0, hasNext, ids } = last.stored;
		const isFull = unpackIds(ids).length === size;
		return !hasNext && isFull && page * size >= leastDepth && count > page * size + 1;
	}

	/** Whether nothing follows on the page that goes furthest. Throws {@link Unreadable}. */
	async isEndReal(): Promise<boolean> {
		const { page = 0, size = this.size } = this.last()?.stored ?? {};
		const beyond = await this.look(Math.ceil((page * size) / this.size) + 1);
		return beyond.results.length === 0;
	}

	/** The page that goes furthest, of those that hold anything. */
	private last(): ReadPage | undefined {
		const endOf = ({ stored: { page, size = this.size } }: ReadPage) => page * size;
		const read = [...this.pages.values()].filter(({ stored }) => stored.ids);
		return read.sort((a, b) => endOf(b) - endOf(a))[0];
	}

	/** How many results a page has that is not the last one. */
	get pageLength(): number {
		return this.size;
	}

	/** Whether this reading has seen results that do not belong to the event. */
	get hasOthers(): boolean {
		return this.others.size > 0;
	}

	/** How many results this reading has seen, whether they belong to the event or not. */
	get seenCount(): number {
		return this.present.size + this.others.size;
	}

	/** What the service counted on all pages, where it always counted the same. */
	get steadyCount(): number | undefined {
		return this.counts.size === 1 ? [...this.counts][0] : undefined;
	}

	/** Reads all that is not read yet, until `enough` new entries were found. Failures are those of `readAll`, and of the network. */
	async readWhole(enough: number): Promise<Ending> {
		this.enough = enough;
		const fetchPage = async (page: number, size?: number) => await this.next(page, size);
		const { concurrency } = this.search;
		const read = await readAll({ fetchPage, startPage: 1, limit: Infinity, concurrency });
		if ('results' in read) return { end: 'whole', isSure: read.isSure, all: read.results };
		return this.isPaused ? { end: 'paused' } : read;
	}

	/** What the next poll need not read again, if these entries are still to be delivered. */
	toStore(waiting: Set<IdHash>): StoredPage[] {
		const isDone = ({ ids }: StoredPage) => !unpackIds(ids).some((id) => waiting.has(id));
		return [...this.pages.values()].map(({ stored }) => stored).filter(isDone);
	}

	/** A page that an earlier poll has read, or that is read now while there is time and room. */
	private async next(page: number, size?: number): Promise<PageOutcome> {
		const place = placeOf(page, size);
		const known = this.pages.get(place);
		if (known && this.unused.delete(place)) return { page: this.restore(known) };
		if (this.search.budget.left <= 0 || this.found.size >= this.enough) {
			this.isPaused = true;
			return paused;
		}
		const outcome = await this.fetch(page, size);
		const read = this.pages.get(place);
		return 'page' in outcome && read ? { page: this.restore(read) } : outcome;
	}

	private async fetch(page: number, size?: number, isProbe = false): Promise<PageOutcome> {
		const { budget, fetchPage, isEntry, isNew, keyOf, timeOf } = this.search;
		const start = (page - 1) * (size ?? this.size);
		const ask = async (mayFail = isProbe) =>
			start >= (this.refusal?.from ?? Infinity)
				? { page: emptyPage }
				: await budget.spend(
						async () => await fetchPage(page, size, mayFail && start >= leastDepth),
					);
		let outcome = await ask();
		if ('page' in outcome && this.contradicts(outcome.page, start, size)) {
			// The list may have changed just then.
			outcome = await ask();
			if ('page' in outcome && this.contradicts(outcome.page, start, size)) throw new WrongCount();
		}
		// One failure far back says nothing of the depth.
		for (let tries = 1; this.isRefusedAt(outcome, start) && tries < triesOf(outcome); tries++)
			outcome = await ask(false);
		if ('failure' in outcome) return this.afterFailure(outcome, start);
		this.hasProgress = true;
		const { results, next } = outcome.page;
		const count = this.countOf(outcome.page);
		const ids = keysOf(results, keyOf).map(idHash);
		const times = results.map(timeOf);
		const others = ids.filter((_, at) => !isEntry(results[at]));
		const out = new Set(others);
		ids.forEach((id, at) => {
			if (out.has(id)) return;
			const [entry, time] = [results[at], times[at]];
			this.seenNow.set(id, time);
			if (isNew(id, time, entry)) this.found.set(id, { entry, place: start + at, time });
		});
		const stored = {
			page,
			...(size !== undefined && { size }),
			...(count !== undefined && { count }),
			hasNext: next !== null,
			ids: packIds(ids),
			...(others.length > 0 && { others: packIds(others) }),
		};
		this.pages.set(placeOf(page, size), { stored, isEarlier: false, times });
		return { page: { ...outcome.page, count } };
	}

	/** Whether more results are there than a page counts, or one less: many less, and the page may have been cut off. */
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

	/** Whether the list may end here because the service refuses deep pages. */
	private isRefusedAt(outcome: PageOutcome, start: number): outcome is { failure: Failure } {
		return 'failure' in outcome && this.search.mayBeCut && isOfDepth(outcome.failure, start);
	}

	/** Where deep pages are refused, the list ends there, if it may. */
	private afterFailure(outcome: { failure: Failure }, start: number): PageOutcome {
		const { failure } = outcome;
		if (!this.isRefusedAt(outcome, start)) return outcome;
		if (start < (this.refusal?.from ?? Infinity)) this.refusal = { from: start, failure };
		return { page: emptyPage };
	}

	/** A page as it is given out. */
	private restore(read: ReadPage): Page {
		const { ids, others = '', count, hasNext } = read.stored;
		const out = new Set(unpackIds(others));
		for (const id of unpackIds(ids)) (out.has(id) ? this.others : this.present).add(id);
		const told = this.refusal ? undefined : count;
		return { count: told, next: hasNext ? 'next' : null, results: resultsOf(read) };
	}
}

/** How often a deep page is asked for before its failure counts as a refusal: what fails may be given the next time. */
const triesOf = (outcome: PageOutcome) =>
	'failure' in outcome && (outcome.failure.status ?? 0) >= 500 ? 4 : 2;

/** The IDs of a page, and when each of its results was made. */
const resultsOf = ({ stored, times }: ReadPage) =>
	unpackIds(stored.ids).map((id, at) => ({ id, time: times[at] }));

/** Whether most of what two lists of IDs have in common stands in the same order: single ones may have moved. */
function isMostlyInOrder(one: IdHash[], other: IdHash[]): boolean {
	const places = new Map(one.map((id, place) => [id, place]));
	const shared = other.flatMap((id) => places.get(id) ?? []);
	// The longest row that rises, by the smallest ends of rows of each length.
	const ends: number[] = [];
	for (const place of shared) {
		const at = ends.findIndex((end) => end >= place);
		ends[at < 0 ? ends.length : at] = place;
	}
	return ends.length >= shared.length * 0.6;
}

/** What tells results from others. Those without an ID that are alike to the letter count each: a page gives none twice. */
function keysOf(results: Entry[], keyOf: Search['keyOf']): string[] {
	const seen = new Map<string, number>();
	return results.map((result) => {
		const key = keyOf(result);
		if (isUsableId(result.id)) return key;
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key} ${count}`;
	});
}
