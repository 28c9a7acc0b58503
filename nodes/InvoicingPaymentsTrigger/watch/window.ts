import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import type { Budget } from './budget';
import { reservedRequests } from './budget';
import type { Backlog } from './cursor';
import { timeToJson } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import { newestAtEnd, newestAtStart, slackOf } from './order';
import type { Pages, PageWithIds } from './pages';
import { pagingError, isPagingFailure, UnreadablePageError, WrongCountError } from './errors';
import type { Poll, TimedList, Outcome } from './task';
import { assumedTimes } from './task';

export interface SortedList extends TimedList {
	order: { direction: Direction; slack: number };
}

export interface Depth {
	/** Results before this creation time are not searched for (milliseconds since 1970). */
	boundary: number;
	/** The boundary is early enough to find results that are listed late. */
	isDeep: boolean;
}

export interface Part extends ReadWindow {
	/** Creation times of new results. */
	newTimes: Map<IdHash, number>;
	isFromNewest: boolean;
}

export interface Unfinished {
	backlog: Backlog;
}

export const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number | undefined);

/** The part of a sorted list that is newer than a boundary. With a backlog, the newest results may be outside. */
export class Window {
	newTimes = new Map<IdHash, number>();
	private lastTime: number | undefined;
	readonly maxEntries: number;
	readonly budget: Poll['search']['budget'];
	/** After results older than this, all others are older than the boundary, even if the order is not exact. */
	private readonly lowerLimit: number;

	constructor(
		readonly poll: Poll,
		readonly timedList: SortedList,
		readonly pages: Pages,
		readonly first: PageWithIds,
		readonly depth: Depth,
	) {
		this.maxEntries = poll.task.settings.maxEntries;
		this.budget = poll.search.budget;
		this.lowerLimit = depth.boundary - timedList.order.slack;
	}

	/** For lists sorted newest first: whether everything that follows is too old. */
	isBelow(page: Page): boolean {
		return isEnd(page) || (newestAtEnd(timesOf(page)) ?? Infinity) < this.lowerLimit;
	}

	/** For lists sorted oldest first: whether everything before the page is too old. */
	beginsBelow(page: Page): boolean {
		return page.results.length > 0 && (newestAtStart(timesOf(page)) ?? Infinity) < this.lowerLimit;
	}

	private addNew({ results }: Pick<Page, 'results'>): void {
		const { order, position } = this.timedList;
		const times = assumedTimes(results, order.direction, this.lastTime);
		for (const [id, time] of times)
			if (this.pages.newEntries.has(id) && time > position.floor) this.newTimes.set(id, time);
		const { id } = results[results.length - 1] ?? {};
		this.lastTime = times.get(id as IdHash) ?? this.lastTime;
	}

	get hasEnough(): boolean {
		return this.newTimes.size > this.maxEntries;
	}

	/** Whether the number of new results equals the growth of the list, and the page ends with known ones. */
	hasFoundGrowth({ results }: Page): boolean {
		const { pages, poll, depth } = this;
		const { seen } = poll.cursor;
		if (depth.isDeep || seen === undefined || poll.cursor.hasMore) return false;
		const isKnown = results.slice(-5).every(({ id }) => !this.newTimes.has(id as IdHash));
		return isKnown && pages.count === seen + this.newTimes.size;
	}

	/** `undefined`: out of time. Throws UnreadablePageError. */
	async read(
		number: number,
		isLast: (page: PageWithRange) => boolean,
	): Promise<ReadWindow | undefined> {
		this.newTimes = new Map();
		this.lastTime = undefined;
		const read = await this.pages.readWindow(number, {
			isLast: (page) => {
				this.addNew(page);
				return isLast(page);
			},
			sortKeyOf: ({ time }, shown) =>
				typeof time === 'number' && this.isInWindow(time, shown) ? time : undefined,
		});
		if ('failure' in read) {
			const { failure } = read;
			if (failure.kind === 'stopped' && failure.path === '') return undefined;
			if (failure.counted !== undefined && (await this.pages.isEndReal()))
				throw new WrongCountError();
			throw isPagingFailure(failure)
				? pagingError(this.poll.task.noun, failure)
				: new UnreadablePageError(failure);
		}
		const known = read.results.filter(({ id }) => !this.newTimes.has(id as IdHash));
		this.addNew({ results: known });
		return read;
	}

	/** Whether the pages show all results of this creation time. At the edge of the window, some may be outside. */
	private isInWindow(time: number, shown: PageWithRange[]): boolean {
		const { direction, slack } = this.timedList.order;
		const [first, last] = [shown[0], shown[shown.length - 1]];
		const isCut = direction === 'newestFirst' ? first.start > 0 : !isEnd(last);
		const { results } = direction === 'newestFirst' ? first : last;
		const { time: cut = Infinity } =
			results[direction === 'newestFirst' ? 0 : results.length - 1] ?? {};
		return time >= this.depth.boundary && (!isCut || time < Number(cut) - slack);
	}

	asPart(read: ReadWindow, isFromNewest: boolean): Part {
		return { ...read, newTimes: this.newTimes, isFromNewest };
	}

	resumeAt({ low, high }: { low: number; high?: number }): Unfinished {
		const boundary = timeToJson(this.depth.boundary);
		return { backlog: { boundary, low, ...(high !== undefined && { high }) } };
	}

	/** Continues the last poll's search, or else searches between page `low` and the end of the list. */
	async findBoundary(isBefore: (page: PageWithRange) => boolean, low: number, guess?: number) {
		const { backlog } = this.poll.cursor.times ?? {};
		const last = this.lastPage;
		const high = last !== undefined && last >= low ? last + 1 : undefined;
		const isSameBoundary = backlog?.boundary === timeToJson(this.depth.boundary);
		const within = { low, high, reserve: reservedRequests, guess };
		if (backlog && isSameBoundary && (backlog.high ?? Infinity) > Math.max(low, backlog.low)) {
			within.low = Math.max(low, backlog.low);
			within.high = backlog.high ?? within.high;
			within.guess = within.low + 1;
		}
		return await findBoundary(this.pages, this.budget, isBefore, within);
	}

	get lastPage(): number | undefined {
		const { count } = this.first;
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / this.pages.pageLength));
	}

	pageAt(index: number): number {
		return Math.floor(Math.max(0, index) / this.pages.pageLength) + 1;
	}
}

interface PageSource {
	peek(page: number): Promise<PageWithRange>;
}

interface Bracket {
	/** A page before the boundary; 0 if there is none. */
	low: number;
	/** A page that is not before the boundary. */
	high?: number;
}

interface BoundarySearch extends Bracket {
	guess?: number;
	reserve: number;
}

/** Finds the last page for which `isBefore` is true: `low`. If the budget runs out, `low` and `high` stay further apart. */
export async function findBoundary(
	pages: PageSource,
	budget: Budget,
	isBefore: (page: PageWithRange) => boolean,
	{ low, high, guess, reserve }: BoundarySearch,
): Promise<Bracket & { isFound: boolean }> {
	let step = 1;
	let candidate = guess;
	let lastAnswer: boolean | undefined;
	const isFound = () => high !== undefined && high - low <= 1;
	while (!isFound() && budget.left > reserve) {
		const isInside = candidate !== undefined && candidate > low && candidate < (high ?? Infinity);
		if (!isInside) candidate = high === undefined ? low + step : Math.floor((low + high) / 2);
		const number = candidate as number;
		const answer = isBefore(await pages.peek(number));
		if (answer) low = number;
		else high = number;
		// Take growing steps until the answer changes, then halve the bracket each time.
		const isGalloping =
			high === undefined || (guess !== undefined && (lastAnswer ?? answer) === answer);
		if (!isGalloping) guess = undefined;
		candidate = isGalloping ? number + (answer ? step : -step) : undefined;
		step *= 2;
		lastAnswer = answer;
	}
	return { low, high, isFound: isFound() };
}

/** If results are further out of order than expected, the poll starts over. */
export function restartIfDisordered(
	{ cursor, notes }: Poll,
	timedList: SortedList,
	{ pages, isUnstable }: ReadWindow,
): Outcome | undefined {
	const { direction, slack: expectedSlack } = timedList.order;
	const timesByPage = timesOnce(pages);
	const slack = slackOf(timesByPage, direction);
	// If undated results change places, some may be missing.
	const mayHaveMissed = isUnstable && timesByPage.flat().some((time) => time === undefined);
	if (slack <= expectedSlack && !mayHaveMissed) return undefined;
	const { times } = cursor;
	if (!times) return undefined;
	if (!mayHaveMissed && slack <= timedList.lookBack) {
		const sorted = { ...times, order: { direction, slack }, backlog: undefined };
		return { retryFrom: { ...cursor, times: sorted } };
	}
	notes.push(noOrderNote);
	// Without an order, results before `newest` may still be unknown.
	const reset = { newest: times.floor, deep: undefined, backlog: undefined };
	return { retryFrom: { ...cursor, times: { ...times, ...reset, order: { direction: 'none' } } } };
}

/** Creation times per page. Overlapping pages repeat results, which count once. */
function timesOnce(pages: PageWithRange[]): Array<Array<number | undefined>> {
	const seen = new Set<unknown>();
	return pages.map((page) => {
		const results = page.results.filter(({ id }) => !seen.has(id));
		for (const { id } of results) seen.add(id);
		return timesOf({ ...page, results });
	});
}

export const noOrderNote =
	'The service lists them in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';
