import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import { findBoundary } from './boundary';
import { reservedRequests } from './budget';
import type { Bracket } from './cursor';
import { UnreadablePageError } from './errors';
import type { IdHash } from './ids';
import type { ListPage } from './list';
import { timesOf } from './list';
import type { SortedOrder } from './order';
import { newestAtEnd, newestAtStart } from './order';
import type { Search } from './search';
import type { Stretch } from './stretch';
import { reachOf, readStretch } from './stretch';

/** If this many results at the end of a page are known, they are not just out of place. */
const endLength = 5;

/** The newest end of a sorted list, or in a backlog the oldest new part of it. */
export interface NewestStretch extends Stretch {
	newIds: Set<IdHash>;
	/** No new result lies outside it; in an early reading, none but those that were listed late. */
	coversAllNew: boolean;
	/** It goes back to the floor, or in a backlog to the bottom. */
	isDeep: boolean;
}

/** `bracket`: where the next poll goes on. */
export interface OutOfTime {
	bracket: Bracket | undefined;
}

/**
 * Reads the newest end of a sorted list: down to the bottom of the search or, if `isEarly`, only what was not listed late, as far as that
 * explains the growth of the list. With more new results than Max per Run, finds the oldest of them, and reads from there. If there is no
 * time to find it, the next poll goes on at `bracket`. `growth`: `undefined` without a count.
 */
export async function readNewest(
	search: Search,
	order: SortedOrder,
	first: ListPage,
	{ isEarly, growth }: { isEarly: boolean; growth: number | undefined },
): Promise<NewestStretch | OutOfTime> {
	const read = order.direction === 'newestFirst' ? readNewestFirst : readOldestFirst;
	return await read(new NewestReader(search, order, isEarly, growth), first);
}

/**
 * Reads pages from the newest end of a list, as far back as they may show something new. In time: floor ≤ bottom ≤ the newest result that
 * an earlier poll saw ≤ the newest result now.
 */
class NewestReader {
	/** Results older than this are known. */
	private readonly knownBelow: number;
	/** New results older than this were listed late, so an early reading leaves them out. */
	private readonly lateBelow: number;
	private readonly sign: number;
	newIds = new Set<IdHash>();

	constructor(
		readonly search: Search,
		readonly order: SortedOrder,
		readonly isEarly: boolean,
		readonly growth: number | undefined,
	) {
		this.knownBelow = search.bottom - order.slack;
		this.lateBelow = Math.max(search.bottom, search.listedBefore) - order.slack;
		this.sign = order.direction === 'newestFirst' ? 1 : -1;
	}

	get hasEnough(): boolean {
		return this.newIds.size > this.search.task.settings.maxEntries;
	}

	/** For lists sorted newest first: whether everything that follows is too old. */
	isBelow(page: Page): boolean {
		return isEnd(page) || newestAtEnd(timesOf(page)) < this.knownBelow;
	}

	/** For lists sorted oldest first: whether everything before the page is too old. */
	beginsBelow(page: Page): boolean {
		const oldest = this.isEarly ? this.lateBelow : this.knownBelow;
		return page.results.length > 0 && newestAtStart(timesOf(page)) < oldest;
	}

	/** For lists sorted newest first: whether nothing new follows but what was listed late. */
	endsEarlyReading(page: Page): boolean {
		if (!this.isEarly) return false;
		const { newEntries } = this.search.list;
		const endsKnown = page.results
			.slice(-endLength)
			.every(({ id }) => !newEntries.has(id as IdHash));
		if (endsKnown && this.newIds.size === this.growth) return true;
		// Without a count, or if some results have left, only their age shows that they are known.
		return newestAtEnd(timesOf(page)) < this.lateBelow && this.newIds.size >= (this.growth ?? 0);
	}

	private add({ results }: Pick<Page, 'results'>): void {
		const { newEntries } = this.search.list;
		for (const { id } of results) if (newEntries.has(id as IdHash)) this.newIds.add(id as IdHash);
	}

	async read(startPage: number, isLast: (page: PageWithRange) => boolean) {
		this.newIds = new Set();
		const { task, list } = this.search;
		return await readStretch(task, list, {
			startPage,
			isLast,
			onPage: (page) => this.add(page),
			isWithin: (time, pages) => this.isWithin(time, pages),
			gaps: this.search.cursor.times?.gaps,
		});
	}

	/** At the edges of the pages, results of the same moment may be outside. */
	private isWithin(time: number, pages: PageWithRange[]): boolean {
		const { slack } = this.order;
		const [first, last] = [pages[0], pages[pages.length - 1]];
		const edges = [
			first.start === 0 ? undefined : first.results[0]?.time,
			isEnd(last) ? undefined : last.results[last.results.length - 1]?.time,
		].map((edge) => edge as number | undefined);
		const [newest = Infinity, oldest = -Infinity] = this.sign > 0 ? edges : edges.reverse();
		return time > Math.max(this.search.bottom, oldest + slack) && time < newest - slack;
	}

	result(read: Stretch, { coversAllNew, isDeep }: { coversAllNew: boolean; isDeep: boolean }) {
		this.add(read);
		return { ...read, newIds: this.newIds, coversAllNew, isDeep };
	}

	/** The pages after `low`. */
	bracket(low: number): Bracket {
		const { lastPage } = this.search.list;
		return { low, ...(lastPage !== undefined && lastPage >= low && { high: lastPage + 1 }) };
	}
}

async function readNewestFirst(
	reader: NewestReader,
	first: ListPage,
): Promise<NewestStretch | OutOfTime> {
	const { list, budget, cursor, task } = reader.search;
	const { bracket } = cursor.times ?? {};
	const isOnFirstPage = reader.isBelow(first);
	if (bracket && !isOnFirstPage) return await readOldest(reader, bracket);
	const isMuch = !cursor.missed && (reader.growth ?? 0) > 2 * task.settings.maxEntries;
	if (isMuch && !isOnFirstPage) return await readOldest(reader, reader.bracket(1));
	let isDeep = false;
	let isOver = false;
	const read = await reader.read(1, (page) => {
		isDeep = reader.isBelow(page);
		isOver = isDeep || reader.endsEarlyReading(page);
		return isOver || reader.hasEnough || budget.left <= 2 * reservedRequests;
	});
	if (read && (isOver || read.isGap)) return reader.result(read, { coversAllNew: isOver, isDeep });
	const low = Math.max(1, Math.floor(reachOf(read?.pages.slice(-1) ?? []) / list.pageLength));
	return await readOldest(reader, reader.bracket(low));
}

/** Searches for the oldest new results, and reads them. */
async function readOldest(
	reader: NewestReader,
	given: Bracket,
): Promise<NewestStretch | OutOfTime> {
	const { list, budget, recent, bottom, task } = reader.search;
	const isAbove = (page: ListPage) => !reader.isBelow(page);
	const { isFound, bracket } = await findBoundary(list, isAbove, given);
	if (!isFound) return { bracket };
	// Known results between new ones have to be read, too. If only those are found, the new ones are further up.
	const results = recent.countFrom(bottom) + task.settings.maxEntries;
	for (let needed = Math.ceil(results / list.pageLength) + 3; ; needed *= 4) {
		const affordable = Math.floor(budget.left * 0.9) - 1;
		const start = bracket.low + 2 - Math.max(2, Math.min(needed, affordable));
		const found = await readBacklog(reader, start);
		if (found) return found;
		if (needed >= affordable || start <= 1) break;
	}
	// If an earlier poll has found the boundary, it has moved since.
	const wasFound = given.high === given.low + 1;
	return { bracket: wasFound ? undefined : bracket };
}

/** Reads the oldest new results of a list sorted newest first. `undefined`: out of time, or they are elsewhere. */
async function readBacklog(
	reader: NewestReader,
	startPage: number,
): Promise<NewestStretch | undefined> {
	const { list, budget, task } = reader.search;
	const start = Math.max(1, startPage);
	const length = 2 * (task.settings.maxEntries + list.pageLength);
	let isDeep = false;
	const read = await reader.read(start, (page) => {
		isDeep = reader.isBelow(page);
		const isFar = page.start > start * list.pageLength + length;
		return isDeep || (isFar && budget.left <= reservedRequests);
	});
	const coversAllNew = start === 1;
	if (!read || !isDeep || (reader.newIds.size === 0 && !coversAllNew)) return undefined;
	return reader.result(read, { coversAllNew, isDeep });
}

async function readOldestFirst(
	reader: NewestReader,
	first: ListPage,
): Promise<NewestStretch | OutOfTime> {
	const { list, budget, cursor } = reader.search;
	const begins = (page: ListPage) => reader.beginsBelow(page);
	let start = 1;
	if (begins(first)) {
		const { bracket } = cursor.times ?? {};
		// Removals may have moved the boundary to an earlier page.
		const isValid = bracket && begins(await list.peek(bracket.low));
		const given = isValid ? bracket : { ...reader.bracket(1), guess: list.lastPage };
		const boundary = await findBoundary(list, begins, given);
		if (!boundary.isFound) return { bracket: boundary.bracket };
		start = boundary.bracket.low;
	}
	let isLastPage = false;
	const read = await reader.read(start, (page) => {
		isLastPage = isEnd(page);
		return reader.hasEnough || (budget.left <= 1 && reader.newIds.size > 0);
	});
	// The newest results are on the last pages, so the poll needs them.
	if (list.refusal && !reader.hasEnough) throw new UnreadablePageError(list.refusal.failure);
	if (!read) return { bracket: { low: start, high: start + 1 } };
	const isDeep = !reader.isEarly || start === 1;
	return reader.result(read, { coversAllNew: isLastPage, isDeep });
}
