import { isEnd } from '../../shared/pagination/page';
import type { Page } from '../../shared/pagination/page';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import { findBoundary } from './boundary';
import { reserve } from './budget';
import type { Backlog, Cursor } from './cursor';
import { toJson } from './cursor';
import type { IdHash } from './ids';
import type { Direction } from './order';
import { newestAtEnd, newestAtStart, slackOf } from './order';
import type { Pages } from './pages';
import { Inconsistent, Unreadable } from './problems';
import { noOrder, noteTimed } from './readWhole';
import type { Outcome, Poll, Timed } from './task';
import { agesOf, deliver, newestSeen, saved } from './task';

/** A list whose order is known. */
export interface Sorted extends Timed {
	order: { direction: Direction; slack: number };
}

export type FirstPage = PlacedPage & { ids: IdHash[] };

/** Down to where the list is to be read. */
interface Depth {
	/** What was made before this is not looked for (milliseconds since 1970). */
	boundary: number;
	/** Whether that is the floor, so that what is listed late is found. */
	isDeep: boolean;
}

/** A part of the list down to the boundary, and what of it is new, by when it was made. `isFromNewest`: nothing that is newer was left out. */
interface Part extends ReadWindow {
	fresh: Map<IdHash, number>;
	isFromNewest: boolean;
}

/** How a search ended that did not come as far as the boundary. */
interface Unfinished {
	backlog: Backlog;
}

const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number | undefined);

/** When the results of pages were made, those on two pages once. */
function timesOnce(pages: PlacedPage[]): Array<Array<number | undefined>> {
	const seen = new Set<unknown>();
	return pages.map((page) => {
		const results = page.results.filter(({ id }) => !seen.has(id));
		for (const { id } of results) seen.add(id);
		return timesOf({ ...page, results });
	});
}

/** In so many polls in a row something may be missing before the whole list is read: its count may be ahead of it. */
export const mostMissed = 2;

/**
 * Reads a sorted list from its newest end down to where everything is known, or of more than one poll delivers the part that is
 * oldest. `undefined`: it has to be read whole.
 */
export async function readSorted(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: FirstPage,
): Promise<Outcome | undefined> {
	const { cursor, isBaseline } = poll;
	if (isBaseline) return await noteSorted(poll, timed, pages, first);
	const { position, lookBack } = timed;
	const deep = { boundary: position.depth(lookBack) + 1, isDeep: true };
	const depth = isDeepDue(poll, timed, pages) ? deep : { boundary: position.newest, isDeep: false };
	let part = await readPart(poll, timed, pages, first, depth);
	let isDeep = depth.isDeep;
	// It has grown by more than was found: that may lie further back.
	if (!isDeep && !('backlog' in part) && isShort(poll, pages, part)) {
		const further = await readPart(poll, timed, pages, first, deep);
		isDeep = !('backlog' in further);
		if (isDeep) part = further;
	}
	if ('backlog' in part) {
		position.listed = Math.max(position.listed, newestSeen(pages, poll.begin));
		const { backlog } = part;
		const { unsettled } = cursor.times ?? {};
		const kept = { ...cursor, ...saved(poll, { unsettled, backlog }), hasMore: true };
		return { entries: [], cursor: kept };
	}
	const slack = slackOf(timesOnce(part.pages), timed.order.direction);
	if (slack > timed.order.slack) return withSlack(poll, timed, slack);
	return settle(poll, timed, pages, { part, isDeep });
}

/** It is less sorted than it seemed: what was read by that is worth nothing. */
function withSlack({ cursor, notes }: Poll, timed: Timed, slack: number): Outcome {
	const isSorted = slack <= timed.lookBack && timed.order?.direction !== 'none';
	if (!isSorted) notes.push(noOrder);
	const order = isSorted ? { ...(timed as Sorted).order, slack } : { direction: 'none' as const };
	const { times } = cursor;
	return { again: { ...cursor, ...(times && { times: { ...times, order, backlog: undefined } }) } };
}

/**
 * Whether to look for what is listed late: now and then, and not where the service is too slow for it. What is known lies in between
 * and has to be read.
 */
function isDeepDue(
	{ cursor, begin, search }: Poll,
	{ position, known, lookBack }: Timed,
	pages: Pages,
): boolean {
	if (position.newest <= position.depth(lookBack) + 1) return true;
	if (cursor.hasMore && position.isFarBack(lookBack)) return false;
	const isDue =
		(cursor.missed ?? 0) > 0 || Math.abs(begin - (position.deep?.at ?? -Infinity)) >= lookBack / 4;
	return isDue && Math.ceil(known.size / pages.pageLength) + 2 * reserve <= search.budget.left;
}

/** Whether the list has grown by more than was found. */
function isShort({ cursor }: Poll, { count }: Pages, { fresh, isFromNewest }: Part): boolean {
	const { seen, missed = 0 } = cursor;
	const isComparable = isFromNewest && missed === 0 && count !== undefined && seen !== undefined;
	return isComparable && count - seen > fresh.size;
}

async function readPart(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: FirstPage,
	depth: Depth,
): Promise<Part | Unfinished> {
	const read = timed.order.direction === 'newestFirst' ? readNewestFirst : readOldestFirst;
	return await read(new Search(poll, timed, pages, first, depth));
}

/** What is looked for in one part of a list. */
class Search {
	/** What was found in it. */
	fresh = new Map<IdHash, number>();
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

	/** Notes what is new on a page. */
	take({ results }: Pick<Page, 'results'>): void {
		// What does not say when it was made is as new as its neighbours.
		for (const [id, age] of agesOf(results, this.timed.order.direction))
			if (this.pages.found.has(id) && age > this.timed.position.floor) this.fresh.set(id, age);
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
	async window(number: number, isLast: (page: Page) => boolean): Promise<ReadWindow | undefined> {
		this.fresh = new Map();
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
			const isInconsistent = failure.kind === 'unexpected' && failure.path === '';
			if (!isInconsistent) throw new Unreadable(failure);
			throw new Inconsistent(
				`The list of ${this.poll.task.noun} cannot be read: ${failure.reason}`,
			);
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
		const cut = direction === 'newestFirst' ? timesOf(first)[0] : timesOf(last).pop();
		return time >= this.depth.boundary && (!isCut || time < (cut ?? Infinity) - slack);
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

/** From the first page on to one that reaches below the boundary; of a backlog the part around it. */
async function readNewestFirst(search: Search): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = search;
	const { backlog } = poll.cursor.times ?? {};
	let low = 1;
	if (backlog === undefined || search.isBelow(first)) {
		let isReached = false;
		const read = await search.window(1, (page) => {
			isReached = search.isBelow(page) || search.isCounted(page);
			return isReached || search.isFull || budget.left <= 2 * reserve;
		});
		if (read && isReached) return search.part(read, true);
		if (read) low = Math.max(1, Math.floor(reachOfAll(read) / pages.pageLength));
	}
	return await readBacklog(search, low);
}

const reachOfAll = ({ pages }: ReadWindow) =>
	Math.max(...pages.map(({ start, results }) => start + results.length));

/** How much further a page that overlaps with the one before it reaches, more or less. */
const overlapping = 0.8;

/** More than one poll delivers: the oldest part lies around the last page that holds any of it. */
async function readBacklog(search: Search, low: number): Promise<Part | Unfinished> {
	const { poll, timed, pages, budget, depth, most } = search;
	const { pageLength } = pages;
	const { place } = poll.cursor.times?.backlog ?? {};
	if (place !== undefined && depth.boundary >= timed.position.newest) {
		const affordable = Math.max(pageLength, (budget.left - 2) * overlapping * pageLength);
		const begin = search.pageAt(place - Math.min(most, affordable));
		const part = await readToBoundary(search, begin, place + 2 * pageLength);
		if (part && (part.fresh.size > 0 || part.isFromNewest)) return part;
	}
	const spent = budget.requests;
	const bracket = await search.findBoundary((page) => !search.isBelow(page), low);
	// What is known already lies in between, and has to be read all the same.
	const least = Math.ceil(timed.known.countFrom(depth.boundary) / pageLength) + 2;
	const isTimeUp = budget.requests > spent && budget.left <= least;
	if (!bracket.isFound || isTimeUp) return search.goOnAt(bracket);
	const enough = least + Math.ceil(most / pageLength);
	const count = Math.max(least, Math.min(enough, budget.left - 1));
	const start = Math.max(1, bracket.low + 2 - count);
	const part = await readToBoundary(search, start, (start + 2 * count) * pageLength);
	if (!part) return search.goOnAt({ low: bracket.low });
	// So much was removed meanwhile that the boundary is further to the front.
	return part.fresh.size > 0 || part.isFromNewest
		? part
		: search.goOnAt({ low: 1, high: start + 1 });
}

/** Pages from one on to the boundary. `undefined`: there was no time, or so much was added that it lies far beyond `upTo` results. */
async function readToBoundary(
	search: Search,
	begin: number,
	upTo: number,
): Promise<Part | undefined> {
	let isReached = false;
	const read = await search.window(begin, (page) => {
		isReached = search.isBelow(page);
		return isReached || ((page as PlacedPage).start > upTo && search.budget.left <= reserve);
	});
	return read && isReached ? search.part(read, begin === 1) : undefined;
}

/** From the last page that begins before the boundary on to the end of the list, or as far as one poll delivers. */
async function readOldestFirst(search: Search): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = search;
	const begins = (page: Page) => search.beginsBelow(page);
	let start = 1;
	if (begins(first)) {
		const { place } = poll.cursor.times?.backlog ?? {};
		const near = place === undefined ? undefined : search.pageAt(place);
		const isNear = near !== undefined && near > 1 && begins(await pages.look(near));
		if (isNear) start = near;
		else {
			const found = await search.findBoundary(begins, 1, search.lastPage);
			if (!found.isFound) return search.goOnAt(found);
			start = found.low;
		}
	}
	let end = first as Page;
	const read = await search.window(start, (page) => {
		end = page;
		return search.isFull || (budget.left <= 1 && search.fresh.size > 0);
	});
	// The newest are on the last pages: without them nothing can be said of what is new.
	if (pages.refusal && !search.isFull) throw new Unreadable(pages.refusal.failure);
	if (!read) return search.goOnAt({ low: start, high: start + 1 });
	return search.part(read, isEnd(end));
}

/** What is delivered of a part, and what is kept. */
function settle(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	{ part, isDeep }: { part: Part; isDeep: boolean },
): Outcome {
	const { position, order, lookBack } = timed;
	const { cursor, begin, task } = poll;
	const { short } = part;
	const { unsettled: before = { since: begin, polls: 0 } } = cursor.times ?? {};
	const unsettled = short === undefined ? undefined : { ...before, polls: before.polls + 1 };
	const isGivenUp = unsettled !== undefined && isTooLong(unsettled, begin);
	if (isGivenUp) poll.notes.push(notAllSeen);
	const upTo = short === undefined || isGivenUp ? Infinity : short;
	const { entries, times, waiting } = deliver(poll, pages, part.fresh);
	const isAll = part.isFromNewest && waiting.size === 0;
	const listed = newestSeen(pages, begin);
	const horizon = position.listed > -Infinity ? position.listed : listed - (task.now() - begin);
	position.settle(
		{ delivered: times, isAll, isDeep, reached: listed, horizon, slack: order.slack, upTo },
		begin,
	);
	position.listed = Math.max(position.listed, listed);
	const { count } = pages;
	const accounted = cursor.seen === undefined ? undefined : cursor.seen + entries.length;
	const missing = count !== undefined && accounted !== undefined ? count - accounted : 0;
	const { miscounts, missed } = cursor;
	// As long as the count tells that something was not seen, it may stand anywhere, and be of any age.
	if (missing <= 0) position.floor = position.depth(lookBack);
	const forgotten = timed.known.makeRoom(
		mostKept,
		Math.max(position.newest, position.depth(lookBack)),
	);
	if (forgotten > position.floor) {
		position.floor = forgotten;
		if (isAll) poll.notes.push(shortened(position));
	}
	const next: Cursor = {
		kind: 'entries',
		...(miscounts && { miscounts }),
		known: '',
		...saved(poll, {
			...(unsettled && !isGivenUp && { unsettled }),
			...(!isAll && { backlog: backlogOf(part, position.newest, order.direction) }),
		}),
		...(count !== undefined && { seen: isAll && missing <= 0 ? count : accounted }),
		...(isAll && missing > 0 && { missed: (missed ?? 0) + 1 }),
		...(!isAll && { hasMore: true }),
	};
	const isSame = JSON.stringify(next) === JSON.stringify(cursor);
	return { entries, cursor: isSame ? cursor : next };
}

/** So many are remembered, whatever the look-back is. */
const mostKept = 10_000;

function shortened({ newest, floor }: Timed['position']): string {
	const minutes = Math.max(0, Math.round((newest - floor) / 60_000));
	return `Too many new charges: late ones are only looked for ${minutes} minutes back.`;
}

/** Where the next poll goes on, by the place of the first result that is older than what it looks for, or the last. */
function backlogOf({ pages }: Part, newest: number, direction: Direction): Backlog {
	const places = pages.flatMap((page) =>
		timesOf(page).flatMap((time, at) =>
			time !== undefined && time < newest ? page.start + at : [],
		),
	);
	const isNewestFirst = direction === 'newestFirst';
	const ends = pages.map(({ start, results }) => start + results.length);
	const place = isNewestFirst
		? Math.min(...places, Math.max(...ends))
		: Math.max(...places, pages[0].start);
	return { boundary: null, low: 1, place };
}

/** How long (in milliseconds), and in how many polls at least, results of one moment are looked for before reading goes on. */
const longestSearch = 24 * 3_600_000;
const leastPolls = 5;

const isTooLong = ({ since, polls }: { since: number; polls: number }, now: number) =>
	polls > leastPolls && Math.abs(now - since) > longestSearch;

const notAllSeen =
	'Some may be missing: the service orders those of the same moment anew for each page, and there are more of them than one page holds.';

/** What is listed is not new: notes what was made within the look-back, so that what is listed late can be told from it. */
async function noteSorted(
	poll: Poll,
	timed: Sorted,
	pages: Pages,
	first: FirstPage,
): Promise<Outcome> {
	const { cursor, begin, search } = poll;
	const isNewestFirst = timed.order.direction === 'newestFirst';
	const wide = new Search(poll, timed, pages, first, { boundary: -Infinity, isDeep: true });
	// The newest is on the last page.
	if (!isNewestFirst) {
		const { lastPage } = wide;
		const end = lastPage ?? (await wide.findBoundary(({ results }) => results.length > 0, 1)).low;
		await pages.look(end);
		if (pages.refusal) throw new Unreadable(pages.refusal.failure);
	}
	const listed = newestSeen(pages, begin);
	const after = cursor.after ?? Infinity;
	const floor = Math.min(listed, after) - timed.lookBack;
	const deep = new Search(poll, timed, pages, first, { boundary: floor + 1, isDeep: true });
	let last: Page = first;
	const isLast = (page: Page) => {
		last = page;
		return isNewestFirst ? deep.isBelow(page) || search.budget.left <= 1 : false;
	};
	const found = isNewestFirst
		? { low: 1, isFound: true }
		: deep.beginsBelow(first)
			? await deep.findBoundary((page) => deep.beginsBelow(page), 1, deep.lastPage)
			: { low: 1, isFound: true };
	const read = found.isFound ? await deep.window(found.low, isLast) : undefined;
	if (!read || read.short !== undefined) return { entries: [], cursor };
	const slack = slackOf(timesOnce(read.pages), timed.order.direction);
	if (slack > timed.order.slack) return withSlack(poll, timed, slack);
	const isReached = !isNewestFirst || deep.isBelow(last);
	// What comes after it is older still.
	const reached = isReached ? floor : (newestAtEnd(timesOf(last)) ?? floor) + timed.order.slack;
	const { miscounts } = cursor;
	const common: Cursor = {
		kind: 'entries',
		known: '',
		...(miscounts && { miscounts }),
		...(pages.count !== undefined && { seen: pages.count }),
	};
	return noteTimed(poll, timed, pages, { common, listed, floor: reached });
}
