import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { Outcome } from '../../shared/result';
import { failed, ok } from '../../shared/result';
import { findBoundary } from './boundary';
import { reservedRequests } from './budget';
import type { Bracket, Times } from './cursor';
import { isPagingFailure, pagingError, UnreadablePageError } from './errors';
import type { IdHash } from './ids';
import type { Order } from './order';
import { newestAtEnd, newestAtStart, newestOfFirst } from './order';
import type { ListPage, Poll } from './poll';
import { isOutOfTime, timesOf } from './poll';
import type { Reading } from './reading';
import { readPages } from './reading';

/** If this many results at the end of a page are known, they are not just out of place. */
const endLength = 5;
/** Pages that are read beyond those that hold Max per Run. */
const spare = 3;

/** Consecutive pages of a sorted list, and what is new on them. */
export interface Stretch extends Reading {
	newIds: Set<IdHash>;
	/** It ends with the newest results: no new one lies outside it, or none but those that were listed late. */
	hasNewest: boolean;
	/**
	 * If it begins at the bottom, it shows everything up to this time. Infinity: up to the newest. Others of the same moment may lie outside
	 * it. What is further out of order is still found from there.
	 */
	passedTo?: number;
}

/** Where the next poll goes on with a pass. `isCloser`: the search for its page has come closer. */
type OutOfTime = Pick<Times, 'bracket'> & { isCloser?: boolean };

export type StretchOutcome = Outcome<Stretch, OutOfTime>;

/** Where to go on from this time. New results move the pages of a list that is sorted newest first. */
export function placeOf(
	{ pages, passedTo = Infinity }: Stretch,
	{ pageLength }: Poll,
	{ direction, slack }: Order,
	time: number,
): Bracket | undefined {
	const from = Math.min(time, passedTo) - slack;
	const isNewestFirst = direction === 'newestFirst';
	const isBefore = (page: PageWithRange) =>
		isNewestFirst ? newestAtEnd(timesOf(page)) >= from : newestOfFirst(timesOf(page)) < from;
	const [place] = pages.filter(isBefore).slice(-1);
	const numberOf = ({ start }: PageWithRange) => Math.floor(start / pageLength) + 1;
	if (!isNewestFirst) return place && { low: numberOf(place), high: numberOf(place) + 1 };
	return { low: Math.max(1, place ? numberOf(place) : numberOf(pages[0]) - 1) };
}

/** Reads what a sorted list shows from a time on. By creation time: floor ≤ bottom ≤ the newest result that an earlier poll saw. */
export class StretchReader {
	private readonly isNewestFirst: boolean;
	/** Results older than this are known, or not looked for. */
	private from = -Infinity;
	private isPass = false;
	private newIds = new Set<IdHash>();
	/** `undefined` if removals have moved the page. */
	nearEnd: number | undefined;

	constructor(
		private readonly poll: Poll,
		private readonly order: Order,
		private readonly first: ListPage,
	) {
		this.isNewestFirst = order.direction === 'newestFirst';
		this.nearEnd = poll.cursor.times?.nearEnd;
	}

	/**
	 * What is newer than earlier polls have seen. Of a list sorted newest first all of it or nothing, so in a backlog nothing. Throws
	 * UnreadablePageError and PagingError.
	 */
	async readNewest(): Promise<StretchOutcome> {
		const { poll, nearEnd } = this;
		const { floor, listedBefore, growth = 0, task, cursor } = poll;
		this.from = Math.max(floor, listedBefore) - this.order.slack;
		const isBacklog = cursor.hasMore === true || growth > task.settings.maxEntries;
		if (this.isNewestFirst) {
			const read = isBacklog ? undefined : await this.readFromNewest();
			return read ? ok(read) : failed({});
		}
		const near = nearEnd === undefined ? undefined : await this.readOn(nearEnd);
		if (near && this.leadsOn(near, nearEnd)) return ok(near);
		// What is left of a backlog is for a pass.
		if (near || this.nearEnd !== undefined || cursor.hasMore) return failed({});
		const { isFound, bracket } = await this.findPage();
		const read = isFound ? await this.readOn(bracket.low) : undefined;
		return read && this.leadsOn(read) ? ok(read) : failed({});
	}

	/** Whether the next poll does not read the same pages again in vain. */
	private leadsOn(read: Stretch, nearEnd = Infinity): boolean {
		const { poll, order } = this;
		if (read.hasNewest || read.newIds.size > 0) return true;
		return Number(placeOf(read, poll, order, poll.listed)?.low) > nearEnd;
	}

	/**
	 * From the bottom on, as far as the poll can. `isAlone`: nothing else was read. If there is no time to find the page of the bottom, the
	 * next poll goes on. Throws UnreadablePageError and PagingError.
	 */
	async readPass(isAlone: boolean): Promise<StretchOutcome> {
		const { bottom, cursor, isBaseline } = this.poll;
		const given = cursor.times?.bracket;
		this.isPass = true;
		this.from = bottom - this.order.slack;
		const isShort = !isAlone && !given && this.wanted <= this.affordable;
		if (this.isNewestFirst && (isBaseline || isShort)) {
			const read = await this.readFromNewest();
			if (read) return ok(read);
		}
		const { isFound, bracket } = await this.findPage(given);
		const isSame = bracket.low === given?.low && bracket.high === given.high;
		if (!isFound) return failed({ bracket, isCloser: !isSame });
		const { low } = bracket;
		const read = await (this.isNewestFirst ? this.readBackTo(low) : this.readOn(low));
		if (read && (Number(read.passedTo) > bottom || read.newIds.size > 0)) return ok(read);
		// If an earlier poll has found the page, it has moved since.
		const isThere = read?.pages.some((page) => !this.isNewestFirst || !this.endsBelow(page));
		const hasMoved = !isThere && given?.high === low + 1;
		return failed({ bracket: hasMoved ? undefined : bracket });
	}

	/** Pages that hold Max per Run. Known results between new ones have to be read, too. */
	private get wanted(): number {
		const { recent, bottom, task, pageLength } = this.poll;
		return Math.ceil((recent.countFrom(bottom) + task.settings.maxEntries) / pageLength) + spare;
	}

	/** Fewer if it was too much for the last poll, because small pages overlap by more. */
	private get affordable(): number {
		const { budget, cursor } = this.poll;
		const pages = Math.floor(budget.left * 0.9) - 1;
		return Math.max(2, pages - (cursor.times?.stuck ?? 0));
	}

	/** Finds the last page before the time: of a list sorted oldest first, what is new begins there; otherwise, it ends on the next. */
	private async findPage(given?: Bracket): Promise<{ bracket: Bracket; isFound: boolean }> {
		const { poll, isNewestFirst, first } = this;
		const { lastPage, pageLength, growth = 0, cursor } = poll;
		const isBefore = (page: ListPage) =>
			isNewestFirst ? !this.endsBelow(page) : this.beginsBelow(page);
		if (!isBefore(first)) return { bracket: { low: isNewestFirst ? 0 : 1 }, isFound: true };
		if (given) return await findBoundary(poll, isBefore, given);
		const pages = Math.max(0, Math.floor(growth / pageLength));
		const guess = isNewestFirst
			? Math.max(2, pages)
			: lastPage === undefined
				? cursor.times?.nearEnd
				: lastPage - pages;
		const high = lastPage && lastPage + 1;
		return await findBoundary(poll, isBefore, { low: 1, high, guess });
	}

	/** Of a list sorted newest first: from its newest end, until enough is found or too little time is left. */
	private async readFromNewest(): Promise<Stretch | undefined> {
		const { budget } = this.poll;
		const isShort = () => budget.left <= 2 * reservedRequests;
		return await this.readBack(1, {
			mayBeLast: () => true,
			isEnough: () => this.hasEnough || isShort(),
		});
	}

	/** Of a list sorted newest first: back to the page `low` where a pass goes on, from as late as Max per Run and the time allow. */
	private async readBackTo(low: number): Promise<Stretch | undefined> {
		const { pageLength } = this.poll;
		const start = Math.max(1, low + 2 - Math.min(this.wanted, this.affordable));
		return await this.readBack(start, {
			// A page before the one that was found is not the last, unless the list is not sorted, which must be seen.
			mayBeLast: (page) => isEnd(page) || page.start >= low * pageLength,
			isEnough: () => false,
		});
	}

	/** Reads pages until one ends below what is searched for, or the growth is found. `undefined`: it has ended before. */
	private async readBack(
		start: number,
		until: { mayBeLast(page: PageWithRange): boolean; isEnough(): boolean },
	): Promise<Stretch | undefined> {
		let isOver = false;
		const read = await this.readStretch(start, (page) => {
			isOver = (until.mayBeLast(page) && this.endsBelow(page)) || this.showsGrowth(page);
			return isOver || until.isEnough();
		});
		if (!read || !(isOver || (read.isGap && (this.isPass || read.newIds.size > 0))))
			return undefined;
		const { pages } = read;
		const hasNewest = isOver && start === 1;
		const last = pages[pages.length - 1];
		const isPass = this.isPass || this.endsBelow(last, this.poll.bottom - this.order.slack);
		const edge = hasNewest ? Infinity : newestAtStart(timesOf(pages[0])) - 1;
		return { ...read, hasNewest, passedTo: isPass ? edge : undefined };
	}

	/** Of a list sorted oldest first: until enough is found or no time is left. `undefined`: removals have moved the page. */
	private async readOn(start: number): Promise<Stretch | undefined> {
		const { poll, order } = this;
		let isThere: boolean | undefined;
		let hasNewest = false;
		const read = await this.readStretch(start, (page) => {
			isThere ??= start === 1 || this.beginsBelow(page);
			hasNewest = isEnd(page);
			return !isThere || this.hasEnough || poll.budget.left === 0;
		});
		// The newest results are on the last pages, so the poll needs them.
		if (poll.refusal && !this.hasEnough) throw new UnreadablePageError(poll.refusal.failure);
		if (isThere === false && start === this.nearEnd) this.nearEnd = undefined;
		if (!read || !isThere) return undefined;
		const [last] = read.pages.slice(-1);
		const isPass = start === 1 || this.beginsBelow(read.pages[0], poll.bottom - order.slack);
		const edge = hasNewest ? Infinity : newestAtEnd(timesOf(last)) - 1;
		return { ...read, hasNewest, passedTo: isPass ? edge : undefined };
	}

	/** Reads pages, and notes what is new on them. `undefined`: out of time. */
	private async readStretch(
		startPage: number,
		isLast: (page: PageWithRange) => boolean,
	): Promise<(Reading & Pick<Stretch, 'newIds'>) | undefined> {
		const newIds = (this.newIds = new Set());
		const { poll, isPass } = this;
		// If pages that do not overlap hide a result, the next pass finds it. One that is stuck cannot afford to see that pages do not fit.
		const isStuck = (poll.cursor.times?.stuck ?? 0) > 0;
		const ignoresSize = (isStuck || !isPass) && poll.sizes === 'seemIgnored';
		const read = await readPages(poll, {
			startPage,
			ignoresSize,
			isLast: (page) => {
				this.note(page);
				return isLast(page);
			},
			isWithin: (time, pages) => this.isWithin(time, pages),
		});
		if (read.ignoresSize) poll.sizes ??= 'seemIgnored';
		else if (isPass && read.pages.length > 1 && poll.sizes === 'seemIgnored')
			poll.sizes = undefined;
		const failure = read.isRead ? undefined : read.failure;
		if (failure && isOutOfTime(failure)) return undefined;
		if (failure && !isPagingFailure(failure)) throw new UnreadablePageError(failure);
		if (failure?.counted !== undefined) throw pagingError(this.poll.task.noun, failure);
		this.note(read);
		return { ...read, newIds };
	}

	private get hasEnough(): boolean {
		return this.newIds.size > this.poll.task.settings.maxEntries;
	}

	private note({ results }: Pick<Page, 'results'>): void {
		for (const { id } of results)
			if (this.poll.newEntries.has(id as IdHash)) this.newIds.add(id as IdHash);
	}

	/** For lists sorted newest first: whether everything that follows is older. */
	private endsBelow(page: Page, time = this.from): boolean {
		return isEnd(page) || newestAtEnd(timesOf(page)) < time;
	}

	/** For lists sorted oldest first: whether everything before the page is too old. */
	private beginsBelow(page: Page, time = this.from): boolean {
		return page.results.length > 0 && newestAtStart(timesOf(page)) < time;
	}

	/** For lists sorted newest first: whether as many new results are found as the list has grown by, and known ones follow. */
	private showsGrowth({ results }: Page): boolean {
		const { growth, newEntries } = this.poll;
		const end = results.slice(-endLength);
		const isKnown = end.every(({ id }) => !newEntries.has(id as IdHash));
		return !this.isPass && isKnown && this.newIds.size === growth;
	}

	/** At the edges of the pages, results of the same moment may be outside. */
	private isWithin(time: number, pages: PageWithRange[]): boolean {
		const { slack } = this.order;
		const [first, last] = [pages[0], pages[pages.length - 1]];
		const edges = [
			first.start === 0 ? undefined : first.results[0]?.time,
			isEnd(last) ? undefined : last.results[last.results.length - 1]?.time,
		].map((edge) => edge as number | undefined);
		const [newest = Infinity, oldest = -Infinity] = this.isNewestFirst ? edges : edges.reverse();
		return time > Math.max(this.poll.bottom, oldest + slack) && time < newest - slack;
	}
}
