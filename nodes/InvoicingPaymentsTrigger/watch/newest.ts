import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { Outcome } from '../../shared/result';
import { failed, ok } from '../../shared/result';
import { findBoundary } from './boundary';
import { reservedRequests } from './budget';
import type { Bracket, Times } from './cursor';
import { timeToJson } from './cursor';
import { isPagingFailure, pagingError, UnreadablePageError } from './errors';
import { finishByTime, saved } from './finish';
import type { IdHash } from './ids';
import type { Order } from './order';
import { newestAtEnd, newestAtStart, noOrder, slackOf } from './order';
import type { ListPage, Poll } from './poll';
import { isOutOfTime, timesOf } from './poll';
import type { Reading } from './reading';
import { readPages } from './reading';
import type { SearchOutcome } from './task';

/** If this many results at the end of a page are known, they are not just out of place. */
const endLength = 5;
/** Pages that are read beyond those that hold Max per Run. */
const spare = 3;

export const noOrderNote =
	'The service lists charges in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';

/**
 * Finds what is new in a list that is sorted by creation time. Mostly reads what explains the growth of the list. If that is too little, or
 * four times in each Look Back, reads down to the bottom, where late ones are found. Starts over if the list is less sorted than expected.
 */
export async function searchSorted(
	poll: Poll,
	order: Order,
	first: ListPage,
): Promise<SearchOutcome> {
	const { cursor, isBaseline, begin, task } = poll;
	const { missed = 0, hasMore, times } = cursor;
	const readNewest = async (isEarly: boolean) =>
		await new NewestEndReader(poll, order, isEarly).read(first);
	if (isBaseline) await beginAtNewest(poll, order);
	const sinceDeep = Math.abs(begin - (times?.deepAt ?? -Infinity));
	const isDue = isBaseline || hasMore || missed > 0 || sinceDeep >= task.settings.lookBack / 4;
	let read = await readNewest(!isDue);
	if (!isDue && leavesGrowth(poll, read)) read = await readNewest(false);
	if (!read.ok) return isBaseline ? beginLater(poll, order) : goOn(poll, order, read.failure);
	const found = read.value;
	// Pages that do not fit together show nothing; what is missing between them may be a wrong count.
	if (isBaseline && (!found.isRead || !found.coversAllNew)) return beginLater(poll, order);
	const { listedBefore } = poll;
	return restarted(poll, order, found) ?? finishByTime(poll, { ...found, order, listedBefore });
}

function leavesGrowth({ growth = 0 }: Poll, found: NewestRead): boolean {
	return found.ok && !found.value.isDeep && growth > found.value.newIds.size;
}

/** Sets the floor to Look Back before the newest result: what is listed after it is known then. Reads the page that has the newest. */
async function beginAtNewest(poll: Poll, { direction }: Order): Promise<void> {
	const { task, lastPage } = poll;
	if (direction === 'oldestFirst') {
		const isListed = ({ results }: ListPage) => results.length > 0;
		await poll.peek(lastPage ?? (await findBoundary(poll, isListed, { low: 1 })).bracket.low);
		if (poll.refusal) throw new UnreadablePageError(poll.refusal.failure);
	}
	poll.floor = poll.bottom = poll.newestKnown - task.settings.lookBack;
}

/** If the next poll runs out of time, too, everything created since this one is new. */
function beginLater({ cursor, listed, recent }: Poll, order: Order): SearchOutcome {
	const { after } = cursor;
	if (after === undefined) return ok({ entries: [], cursor });
	const times: Times = { floor: after, listed: timeToJson(listed), ...recent.save(), order };
	return ok({ entries: [], cursor: { known: '', times } });
}

/** The next poll searches on. */
const goOn = (poll: Poll, order: Order, { bracket }: OutOfTime): SearchOutcome =>
	ok({
		entries: [],
		cursor: { ...poll.cursor, ...saved(poll, { order, bracket }), hasMore: true },
	});

/** If results are further out of order than expected, the search starts over. */
function restarted(
	{ cursor, notes, task }: Poll,
	{ direction, slack: expected }: Order,
	found: NewestEnd,
): SearchOutcome | undefined {
	const slack = slackOf([timesOf(found)], direction);
	if (slack <= expected) return undefined;
	const isSorted = slack <= task.settings.lookBack;
	if (!isSorted) notes.push(noOrderNote);
	const change: Partial<Times> = isSorted
		? { order: { direction, slack } }
		: { order: noOrder, deepAt: undefined, bottom: undefined };
	const next = { ...(cursor.times as Times), ...change, bracket: undefined };
	return failed({ from: { ...cursor, times: next } });
}

/** The newest end of a sorted list, or in a backlog the oldest new part of it. */
interface NewestEnd extends Reading {
	newIds: Set<IdHash>;
	/** No new result lies outside it; in an early reading, none but those that were listed late. */
	coversAllNew: boolean;
	/** It goes back to the floor, or in a backlog to the bottom. */
	isDeep: boolean;
}

/** `bracket`: where the next poll goes on. */
interface OutOfTime {
	bracket: Bracket | undefined;
}

type NewestRead = Outcome<NewestEnd, OutOfTime>;

/**
 * Reads what a sorted list shows after a time: mostly what is newer than an earlier poll has seen (`isEarly`), otherwise all after the
 * bottom, with what was listed late. Searches for the page where that time is, and reads from there towards the newest results, until Max
 * per Run is reached. By creation time: floor ≤ bottom ≤ the newest result that an earlier poll saw ≤ the newest result now.
 */
class NewestEndReader {
	/** Results older than this are known, or not looked for. */
	private readonly from: number;
	private readonly isNewestFirst: boolean;
	private newIds = new Set<IdHash>();

	constructor(
		private readonly poll: Poll,
		private readonly order: Order,
		private readonly isEarly: boolean,
	) {
		const { bottom, listedBefore } = poll;
		this.from = (isEarly ? Math.max(bottom, listedBefore) : bottom) - order.slack;
		this.isNewestFirst = order.direction === 'newestFirst';
	}

	/** If there is no time to find the page, the next poll goes on. Throws UnreadablePageError and PagingError. */
	async read(first: ListPage): Promise<NewestRead> {
		const { cursor, growth = 0, task, isBaseline } = this.poll;
		const isBacklog = !isBaseline && (cursor.hasMore || growth > task.settings.maxEntries);
		if (this.isNewestFirst && !isBacklog) {
			const read = await this.readFromNewest();
			if (read) return ok(read);
		}
		const { isFound, bracket } = await this.findPage(first);
		if (!isFound) return failed({ bracket });
		const { low } = bracket;
		const read = await (this.isNewestFirst ? this.readBackTo(low) : this.readOn(low));
		// If an earlier poll has found the page, it has moved since.
		const wasFound = cursor.times?.bracket?.high === low + 1;
		return read ? ok(read) : failed({ bracket: wasFound ? undefined : bracket });
	}

	/** Finds the last page before the time: of a list sorted oldest first, what is new begins there; otherwise, it ends on the next. */
	private async findPage(first: ListPage): Promise<{ bracket: Bracket; isFound: boolean }> {
		const { poll, isNewestFirst } = this;
		const { cursor, lastPage, pageLength, growth = 0 } = poll;
		const isBefore = (page: ListPage) =>
			isNewestFirst ? !this.endsBelow(page) : this.beginsBelow(page);
		if (!isBefore(first)) return { bracket: { low: isNewestFirst ? 0 : 1 }, isFound: true };
		const given = cursor.times?.bracket;
		// Removals may have moved it to an earlier page.
		if (given && (isNewestFirst || isBefore(await poll.peek(given.low))))
			return await findBoundary(poll, isBefore, given);
		const pages = Math.max(0, Math.floor(growth / pageLength));
		const guess = isNewestFirst ? Math.max(2, pages) : lastPage && lastPage - pages;
		const high = lastPage && lastPage + 1;
		return await findBoundary(poll, isBefore, { low: 1, high, guess });
	}

	/** Of a list sorted newest first: from its newest end, until enough is found or too little time is left. */
	private async readFromNewest(): Promise<NewestEnd | undefined> {
		const { budget } = this.poll;
		const isShort = () => budget.left <= 2 * reservedRequests;
		return await this.readBack(1, {
			mayBeLast: () => true,
			isEnough: () => this.hasEnough || isShort(),
		});
	}

	/** Of a backlog in a list sorted newest first: back to the page `low` where it was found to end, from as late as Max per Run allows. */
	private async readBackTo(low: number): Promise<NewestEnd | undefined> {
		const { budget, recent, bottom, task, pageLength } = this.poll;
		// Known results between new ones have to be read, too.
		const results = recent.countFrom(bottom) + task.settings.maxEntries;
		for (let wanted = Math.ceil(results / pageLength) + spare; ; wanted *= 2) {
			const affordable = Math.max(2, Math.floor(budget.left * 0.9) - 1);
			const start = Math.max(1, low + 2 - Math.min(wanted, affordable));
			const read = await this.readBack(start, {
				// A page before the one that was found is not the last, unless the list is not sorted, which must be seen.
				mayBeLast: (page) => isEnd(page) || page.start >= low * pageLength,
				isEnough: () => false,
			});
			// What is older than the bottom by up to the slack is forgotten, and may fill these pages.
			if (read || start === 1 || wanted >= affordable) return read;
		}
	}

	/**
	 * Reads pages until one ends below what is searched for, or the growth is found. `undefined`: it has ended before, or has found nothing of
	 * a backlog.
	 */
	private async readBack(
		start: number,
		until: { mayBeLast(page: PageWithRange): boolean; isEnough(): boolean },
	): Promise<NewestEnd | undefined> {
		let isOver = false;
		const read = await this.readStretch(start, (page) => {
			isOver = (until.mayBeLast(page) && this.endsBelow(page)) || this.showsGrowth(page);
			return isOver || until.isEnough();
		});
		const coversAllNew = isOver && start === 1;
		if (!read || !(isOver || read.isGap)) return undefined;
		if (read.newIds.size === 0 && !coversAllNew) return undefined;
		const last = read.pages[read.pages.length - 1];
		const isDeep = this.endsBelow(last, this.poll.bottom - this.order.slack);
		return { ...read, coversAllNew, isDeep };
	}

	/** Of a list sorted oldest first. */
	private async readOn(start: number): Promise<NewestEnd | undefined> {
		const { poll } = this;
		let isLastPage = false;
		const read = await this.readStretch(start, (page) => {
			isLastPage = isEnd(page);
			return this.hasEnough || (poll.budget.left <= 1 && this.newIds.size > 0);
		});
		// The newest results are on the last pages, so the poll needs them.
		if (poll.refusal && !this.hasEnough) throw new UnreadablePageError(poll.refusal.failure);
		return read && { ...read, coversAllNew: isLastPage, isDeep: !this.isEarly || start === 1 };
	}

	/** Reads pages, and notes what is new on them. `undefined`: out of time. */
	private async readStretch(
		startPage: number,
		isLast: (page: PageWithRange) => boolean,
	): Promise<(Reading & Pick<NewestEnd, 'newIds'>) | undefined> {
		const newIds = (this.newIds = new Set());
		const read = await readPages(this.poll, {
			startPage,
			isLast: (page) => {
				this.note(page);
				return isLast(page);
			},
			isWithin: (time, pages) => this.isWithin(time, pages),
		});
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
	private beginsBelow(page: Page): boolean {
		return page.results.length > 0 && newestAtStart(timesOf(page)) < this.from;
	}

	/** For lists sorted newest first: whether as many new results are found as the list has grown by, and known ones follow. */
	private showsGrowth({ results }: Page): boolean {
		const { growth, newEntries } = this.poll;
		const end = results.slice(-endLength);
		const isKnown = end.every(({ id }) => !newEntries.has(id as IdHash));
		return this.isEarly && isKnown && this.newIds.size === growth;
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
