import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import type { Budget } from './budget';
import { reserve } from './budget';
import type { Backlog } from './cursor';
import { timeToJson } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import { newestAtEnd, newestAtStart, slackOf } from './order';
import type { Pages, PageWithIds } from './pages';
import { pagingError, isPagingFailure, UnreadablePageError, WrongCountError } from './errors';
import type { Poll, TimedList, Outcome } from './task';
import { agesOf } from './task';

export interface SortedList extends TimedList {
	order: { direction: Direction; slack: number };
}

export interface Depth {
	/** Older results are not searched for (milliseconds since 1970). */
	boundary: number;
	/** The boundary is low enough to find late results. */
	isDeep: boolean;
}

export interface Part extends ReadWindow {
	/** Creation times of new results. */
	newAges: Map<IdHash, number>;
	isFromNewest: boolean;
}

export interface Unfinished {
	backlog: Backlog;
}

export const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number | undefined);

/** A part of a sorted list, newer than a boundary. In a backlog it need not contain the newest results. */
export class Window {
	newAges = new Map<IdHash, number>();
	private lastAge: number | undefined;
	readonly maxEntries: number;
	readonly budget: Poll['search']['budget'];
	/** Results that are older are certainly below the boundary. */
	private readonly lowerLimit: number;

	constructor(
		readonly poll: Poll,
		readonly timed: SortedList,
		readonly pages: Pages,
		readonly first: PageWithIds,
		readonly depth: Depth,
	) {
		this.maxEntries = poll.task.settings.maxEntries;
		this.budget = poll.search.budget;
		this.lowerLimit = depth.boundary - timed.order.slack;
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
		const { order, position } = this.timed;
		const ages = agesOf(results, order.direction, this.lastAge);
		for (const [id, age] of ages)
			if (this.pages.newEntries.has(id) && age > position.floor) this.newAges.set(id, age);
		const { id } = results[results.length - 1] ?? {};
		this.lastAge = ages.get(id as IdHash) ?? this.lastAge;
	}

	get isFull(): boolean {
		return this.newAges.size > this.maxEntries;
	}

	/** Whether as many new results were found as the list has grown by, and then known ones. */
	isCounted({ results }: Page): boolean {
		const { pages, poll, depth } = this;
		const { seen } = poll.cursor;
		if (depth.isDeep || seen === undefined || poll.cursor.hasMore) return false;
		const isKnown = results.slice(-5).every(({ id }) => !this.newAges.has(id as IdHash));
		return isKnown && pages.count === seen + this.newAges.size;
	}

	/** `undefined`: out of time. Throws UnreadablePageError. */
	async read(
		number: number,
		isLast: (page: PageWithRange) => boolean,
	): Promise<ReadWindow | undefined> {
		this.newAges = new Map();
		this.lastAge = undefined;
		const read = await this.pages.window(number, {
			isLast: (page) => {
				this.addNew(page);
				return isLast(page);
			},
			sortKeyOf: ({ time }, shown) =>
				typeof time === 'number' && this.isInside(time, shown) ? time : undefined,
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
		const others = read.results.filter(({ id }) => !this.newAges.has(id as IdHash));
		this.addNew({ results: others });
		return read;
	}

	/** Whether pages show all results of this time: where the part ends, some may be outside. */
	private isInside(time: number, shown: PageWithRange[]): boolean {
		const { direction, slack } = this.timed.order;
		const [first, last] = [shown[0], shown[shown.length - 1]];
		const isCut = direction === 'newestFirst' ? first.start > 0 : !isEnd(last);
		const { results } = direction === 'newestFirst' ? first : last;
		const { time: cut = Infinity } =
			results[direction === 'newestFirst' ? 0 : results.length - 1] ?? {};
		return time >= this.depth.boundary && (!isCut || time < Number(cut) - slack);
	}

	asPart(read: ReadWindow, isFromNewest: boolean): Part {
		return { ...read, newAges: this.newAges, isFromNewest };
	}

	resumeAt({ low, high }: { low: number; high?: number }): Unfinished {
		const boundary = timeToJson(this.depth.boundary);
		return { backlog: { boundary, low, ...(high !== undefined && { high }) } };
	}

	/** Continues the search of the last poll, or searches between `low` and the end of the list. */
	async findBoundary(isBefore: (page: PageWithRange) => boolean, low: number, guess?: number) {
		const { backlog } = this.poll.cursor.times ?? {};
		const last = this.lastPage;
		const high = last !== undefined && last >= low ? last + 1 : undefined;
		const isSameBoundary = backlog?.boundary === timeToJson(this.depth.boundary);
		const within = { low, high, reserve, guess };
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
	/** Before the boundary; 0 if no page is. */
	low: number;
	/** Not before the boundary. */
	high?: number;
}

interface BoundarySearch extends Bracket {
	guess?: number;
	reserve: number;
}

/** Finds the last page for which `isBefore` is true. If the budget runs out, the bracket stays wide. */
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
		const at = candidate as number;
		const answer = isBefore(await pages.peek(at));
		if (answer) low = at;
		else high = at;
		// Make growing steps until the answer changes, then halve the bracket.
		const isGalloping =
			high === undefined || (guess !== undefined && (lastAnswer ?? answer) === answer);
		if (!isGalloping) guess = undefined;
		candidate = isGalloping ? at + (answer ? step : -step) : undefined;
		step *= 2;
		lastAnswer = answer;
	}
	return { low, high, isFound: isFound() };
}

/** If results are further out of order than expected, the poll starts over. */
export function restartIfDisordered(
	{ cursor, notes }: Poll,
	timed: SortedList,
	{ pages, isUnstable }: ReadWindow,
): Outcome | undefined {
	const { direction, slack: before } = timed.order;
	const shown = timesOnce(pages);
	const slack = slackOf(shown, direction);
	// If undated results change places, some may be missing.
	const isVague = isUnstable && shown.flat().some((time) => time === undefined);
	if (slack <= before && !isVague) return undefined;
	const { times } = cursor;
	if (!times) return undefined;
	if (!isVague && slack <= timed.lookBack) {
		const sorted = { ...times, order: { direction, slack }, backlog: undefined };
		return { again: { ...cursor, times: sorted } };
	}
	notes.push(noOrderNote);
	// Without an order, nobody knows whether everything before `newest` is known.
	const unknown = { newest: times.floor, deep: undefined, backlog: undefined };
	return { again: { ...cursor, times: { ...times, ...unknown, order: { direction: 'none' } } } };
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
