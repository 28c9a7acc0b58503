import { readAll } from '../../shared/pagination/readAll';
import type { FetchPage, Page, PageOutcome } from '../../shared/pagination/page';
import { isPastTheEnd, isUsableId } from '../../shared/pagination/page';
import type { Failure } from '../../shared/transport/failure';
import type { Budget } from '../common/budget';
import type { StoredPage } from './cursor';
import type { SeenPage } from './between';
import type { IdHash } from './ids';
import { idHash, packIds, unpackIds } from './ids';

export type Entry = Page['results'][number];

/** A new entry, and how many results of the list come before it. */
export interface FoundEntry {
	entry: Entry;
	place: number;
}

/** What a reading is to look for, and how far it may go. */
export interface EntrySearch {
	fetchPage: FetchPage;
	budget: Budget;
	/** How many results are asked for in one request. */
	pageSize: number;
	/** Whether a result belongs to the event, whatever filter the service was given. */
	isEntry: (result: Entry) => boolean;
	/** What tells a result from others. */
	keyOf: (result: Entry) => string;
	isNew: (id: IdHash, result: Entry) => boolean;
	/** How many new entries are enough. */
	mostEntries: number;
	/** Whether the service's count is left aside. */
	ignoresCount: boolean;
	/** How many pages may be read at a time. */
	concurrency: number;
}

/** How a reading of the whole list ended. `order`: all IDs as they stand. `paused`: it can go on in the next poll. */
type Ending =
	| { end: 'whole'; isSure: boolean; order: IdHash[] }
	| { end: 'paused' }
	| { failure: Failure };

const paused: PageOutcome = { failure: { kind: 'stopped', method: 'GET', path: '' } };

/** A page as it is kept, and whether an earlier poll has read it. */
interface ReadPage {
	stored: StoredPage;
	isEarlier: boolean;
}

const placeOf = (page: number, size?: number) => `${page} ${size ?? ''}`;

/**
 * The pages of a list in one poll. What was read is kept by its place, so that a reading that does not fit into one poll goes on in
 * the next: where two pages share a result nothing can have slipped between them, whenever each of them was read.
 */
export class EntryPages {
	/** Entries that this reading has seen. */
	readonly present = new Set<IdHash>();
	/** The other results that it has seen. */
	private readonly others = new Set<IdHash>();
	/** Entries that this poll has seen, on whichever page. */
	readonly seenNow = new Set<IdHash>();
	/** New entries by their ID. */
	readonly found = new Map<IdHash, FoundEntry>();
	/** Whether this poll has read anything besides page 1. */
	hasProgress = false;
	/** How many results a full page holds. */
	private size: number;
	private readonly pages = new Map<string, ReadPage>();
	/** Places whose page has not been asked for yet in this reading. */
	private readonly unused = new Set<string>();
	private isPaused = false;
	/** What the service counted, in this poll. */
	private readonly counts = new Set<number | undefined>();

	constructor(
		private readonly search: EntrySearch,
		stored: StoredPage[] = [],
	) {
		this.size = search.pageSize;
		for (const page of stored) {
			const place = placeOf(page.page, page.size);
			this.pages.set(place, { stored: page, isEarlier: true });
			this.unused.add(place);
		}
	}

	/** Page 1 as it is now, with which a reading begins that does not go on with an earlier one. Or why it could not be read. */
	async first(): Promise<{ page: Page; ids: IdHash[] } | { failure: Failure }> {
		const place = placeOf(1);
		const earlier = this.pages.get(place);
		const outcome = await this.fetch(1);
		const fresh = this.pages.get(place);
		if ('failure' in outcome || !fresh) return outcome as { failure: Failure };
		this.hasProgress = false;
		const { results, next } = outcome.page;
		if (next) this.size = Math.max(1, results.length);
		const ids = unpackIds(fresh.stored.ids);
		const isOther = earlier && !isMostlyInOrder(unpackIds(earlier.stored.ids), ids);
		if (isOther || !next) this.forgetStored();
		else if (earlier) {
			// The pages that follow fit to it as it was; what is on it now was seen as well.
			this.restore(fresh.stored);
			this.pages.set(place, earlier);
		}
		this.unused.add(place);
		return { page: outcome.page, ids };
	}

	/**
	 * Pages of a list that is ordered anew for each request do not go together with those of another poll, and of a list that fits on
	 * one page no others are needed.
	 */
	private forgetStored(): void {
		for (const [place, { isEarlier }] of this.pages) if (isEarlier) this.pages.delete(place);
		this.unused.clear();
	}

	private idsOn(page: number): IdHash[] {
		return unpackIds(this.pages.get(placeOf(page))?.stored.ids ?? '');
	}

	/** Any page, besides the reading. Past the end of the list it is empty. */
	async look(page: number): Promise<(SeenPage & { count?: number }) | { failure: Failure }> {
		const outcome = await this.fetch(page);
		this.unused.delete(placeOf(page));
		const start = (page - 1) * this.size;
		if (isPastTheEnd(outcome)) return { page, start, ids: [] };
		if ('failure' in outcome) return outcome;
		return { page, start, ids: this.idsOn(page), count: outcome.page.count };
	}

	/**
	 * Whether the list ends on a page that says that more follow. The pages are read again then: `mistake`: there is more, or there was
	 * more when an earlier poll read it; `cutOff`: there is not.
	 */
	async endOfList(): Promise<'right' | 'mistake' | 'cutOff'> {
		const endOf = ({ stored: { page, size = this.size } }: ReadPage) => page * size;
		const read = [...this.pages.values()].filter(({ stored }) => stored.ids);
		const [last] = read.sort((a, b) => endOf(b) - endOf(a));
		if (!last?.stored.hasNext) return 'right';
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
		return again.page.count === end || again.page.count === end + 1 ? 'right' : 'cutOff';
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

	/** Reads all that is not read yet. Failures are those of `readAll`, and of the network. */
	async readWhole(): Promise<Ending> {
		const fetchPage = async (page: number, size?: number) => await this.next(page, size);
		const { concurrency } = this.search;
		const read = await readAll({ fetchPage, startPage: 1, limit: Infinity, concurrency });
		if ('results' in read) {
			const order = read.results.map(({ id }) => id as IdHash);
			return { end: 'whole', isSure: read.isSure, order };
		}
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
		if (known && this.unused.delete(place)) return { page: this.restore(known.stored) };
		const { budget, mostEntries } = this.search;
		if (budget.left <= 0 || this.found.size >= mostEntries) {
			this.isPaused = true;
			return paused;
		}
		const outcome = await this.fetch(page, size);
		const read = this.pages.get(place);
		return 'page' in outcome && read ? { page: this.restore(read.stored) } : outcome;
	}

	private async fetch(page: number, size?: number): Promise<PageOutcome> {
		const { budget, fetchPage, isEntry, isNew, ignoresCount } = this.search;
		const outcome = await budget.spend(async () => await fetchPage(page, size));
		if ('failure' in outcome) return outcome;
		this.hasProgress = true;
		const { results, next } = outcome.page;
		const count = ignoresCount ? undefined : outcome.page.count;
		this.counts.add(outcome.page.count);
		const keys = keysOf(results, this.search.keyOf);
		const ids = keys.map(idHash);
		const others = ids.filter((_, at) => !isEntry(results[at]));
		const start = (page - 1) * (size ?? this.size);
		const out = new Set(others);
		ids.forEach((id, at) => {
			if (out.has(id)) return;
			this.seenNow.add(id);
			if (!isNew(id, results[at])) return;
			this.found.set(id, { entry: results[at], place: start + at });
		});
		const stored = {
			page,
			...(size !== undefined && { size }),
			...(count !== undefined && { count }),
			hasNext: next !== null,
			ids: packIds(ids),
			...(others.length > 0 && { others: packIds(others) }),
		};
		this.pages.set(placeOf(page, size), { stored, isEarlier: false });
		return { page: { ...outcome.page, count } };
	}

	/** A page as `readAll` takes it: of its results nothing counts but what tells them apart. */
	private restore({ ids, others = '', count, hasNext }: StoredPage): Page {
		const out = new Set(unpackIds(others));
		const all = unpackIds(ids);
		for (const id of all) (out.has(id) ? this.others : this.present).add(id);
		return { count, next: hasNext ? 'next' : null, results: all.map((id) => ({ id })) };
	}
}

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
function keysOf(results: Entry[], keyOf: EntrySearch['keyOf']): string[] {
	const seen = new Map<string, number>();
	return results.map((result) => {
		const key = keyOf(result);
		if (isUsableId(result.id)) return key;
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key} ${count}`;
	});
}
