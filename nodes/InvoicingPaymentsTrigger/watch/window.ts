import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import { findBoundary } from './boundary';
import { reserve } from './budget';
import type { Backlog } from './cursor';
import { toJson } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import { newestAtEnd, newestAtStart } from './order';
import type { Pages } from './pages';
import { inconsistent, isOfPages, Unreadable, WrongCount } from './problems';
import type { Poll, Timed } from './task';
import { agesOf } from './task';

/** A list whose order is known. */
export interface Sorted extends Timed {
	order: { direction: Direction; slack: number };
}

export type FirstPage = PlacedPage & { ids: IdHash[] };

/** Down to where the list is to be read. */
export interface Depth {
	/** What was made before this is not looked for (milliseconds since 1970). */
	boundary: number;
	/** Whether that is the floor, so that what is listed late is found. */
	isDeep: boolean;
}

/** A part of the list down to the boundary, and what of it is new, by when it was made. `isFromNewest`: nothing that is newer was left out. */
export interface Part extends ReadWindow {
	fresh: Map<IdHash, number>;
	isFromNewest: boolean;
}

/** How a search ended that did not come as far as the boundary. */
export interface Unfinished {
	backlog: Backlog;
}

/** When the results of a page were made. */
export const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number | undefined);

/** A part of a sorted list that is read: from the newest results down to a boundary, or of a backlog what lies above it. */
export class Window {
	/** What was found in it. */
	fresh = new Map<IdHash, number>();
	/** How old the last result of the page before is. */
	private lastAge: number | undefined;
	readonly most: number;
	readonly budget: Poll['search']['budget'];
	/** Results that are older than this are before the boundary, wherever they stand. */
	private readonly edge: number;

	constructor(
		readonly poll: Poll,
		readonly timed: Sorted,
		readonly pages: Pages,
		readonly first: FirstPage,
		readonly depth: Depth,
	) {
		this.most = poll.task.settings.most;
		this.budget = poll.search.budget;
		this.edge = depth.boundary - timed.order.slack;
	}

	/** Whether a list that is sorted newest first holds nothing that is looked for after this page. */
	isBelow(page: Page): boolean {
		return isEnd(page) || (newestAtEnd(timesOf(page)) ?? Infinity) < this.edge;
	}

	/** Whether a list that is sorted oldest first holds nothing that is looked for before this page. */
	beginsBelow(page: Page): boolean {
		return page.results.length > 0 && (newestAtStart(timesOf(page)) ?? Infinity) < this.edge;
	}

	/** Notes what is new on a page. What does not say when it was made is as new as its neighbours. */
	private take({ results }: Pick<Page, 'results'>): void {
		const { order, position } = this.timed;
		const ages = agesOf(results, order.direction, this.lastAge);
		for (const [id, age] of ages)
			if (this.pages.found.has(id) && age > position.floor) this.fresh.set(id, age);
		const { id } = results[results.length - 1] ?? {};
		this.lastAge = ages.get(id as IdHash) ?? this.lastAge;
	}

	get isFull(): boolean {
		return this.fresh.size > this.most;
	}

	/**
	 * Whether as many were found as the list has grown by, and known ones follow: there is nothing else, or it is listed late, which
	 * is looked for now and then.
	 */
	isCounted({ results }: Page): boolean {
		const { pages, poll, depth } = this;
		const { seen } = poll.cursor;
		if (depth.isDeep || seen === undefined || poll.cursor.hasMore) return false;
		const isKnown = results.slice(-5).every(({ id }) => !this.fresh.has(id as IdHash));
		return isKnown && pages.count === seen + this.fresh.size;
	}

	/** Reads pages on from one. Throws {@link Unreadable}. `undefined`: there was no time to read them all. */
	async read(
		number: number,
		isLast: (page: PlacedPage) => boolean,
	): Promise<ReadWindow | undefined> {
		this.fresh = new Map();
		this.lastAge = undefined;
		const read = await this.pages.window(number, {
			isLast: (page) => {
				this.take(page);
				return isLast(page);
			},
			momentOf: ({ time }, shown) =>
				typeof time === 'number' && this.isInside(time, shown) ? time : undefined,
		});
		if ('failure' in read) {
			const { failure } = read;
			if (failure.kind === 'stopped' && failure.path === '') return undefined;
			if (failure.counted !== undefined && (await this.pages.isEndReal())) throw new WrongCount();
			throw isOfPages(failure)
				? inconsistent(this.poll.task.noun, failure)
				: new Unreadable(failure);
		}
		const others = read.results.filter(({ id }) => !this.fresh.has(id as IdHash));
		this.take({ results: others });
		return read;
	}

	/** Whether pages show all that were made at a moment: those of one that is cut are not all shown. */
	private isInside(time: number, shown: PlacedPage[]): boolean {
		const { direction, slack } = this.timed.order;
		const [first, last] = [shown[0], shown[shown.length - 1]];
		const isCut = direction === 'newestFirst' ? first.start > 0 : !isEnd(last);
		const { results } = direction === 'newestFirst' ? first : last;
		const { time: cut = Infinity } =
			results[direction === 'newestFirst' ? 0 : results.length - 1] ?? {};
		return time >= this.depth.boundary && (!isCut || time < Number(cut) - slack);
	}

	/** What was read, as a part of the list. */
	part(read: ReadWindow, isFromNewest: boolean): Part {
		return { ...read, fresh: this.fresh, isFromNewest };
	}

	/** The poll after this one goes on between these pages. */
	goOnAt({ low, high }: { low: number; high?: number }): Unfinished {
		const boundary = toJson(this.depth.boundary);
		return { backlog: { boundary, low, ...(high !== undefined && { high }) } };
	}

	/** Where to look for the boundary: where the last poll was, or between `low` and the end of the list. */
	async findBoundary(isBefore: (page: PlacedPage) => boolean, low: number, guess?: number) {
		const { backlog } = this.poll.cursor.times ?? {};
		const last = this.lastPage;
		const high = last !== undefined && last >= low ? last + 1 : undefined;
		const isSame = backlog?.boundary === toJson(this.depth.boundary);
		const within = { low, high, reserve, guess };
		if (backlog && isSame && (backlog.high ?? Infinity) > Math.max(low, backlog.low)) {
			within.low = Math.max(low, backlog.low);
			within.high = backlog.high ?? within.high;
			within.guess = within.low + 1;
		}
		return await findBoundary(this.pages, this.budget, isBefore, within);
	}

	/** The number of the last page, by the count. */
	get lastPage(): number | undefined {
		const { count } = this.first;
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / this.pages.pageLength));
	}

	pageAt(place: number): number {
		return Math.floor(Math.max(0, place) / this.pages.pageLength) + 1;
	}
}
