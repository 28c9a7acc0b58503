import type { Failure } from '../transport/failure';
import { Found, keysOf } from './found';
import type { Page } from './page';
import type { PlacedPage } from './overlap';
import type { ListRequest, PassOptions } from './pass';
import { Pass, unreadable } from './pass';

type Result = Page['results'][number];

/** A part of a list that is to be read. */
export interface WindowRequest {
	fetchPage: ListRequest['fetchPage'];
	startPage: number;
	/** How many results a full page holds. */
	pageLength: number;
	/** Whether no page after this one is wanted. Is asked of each page in the order of the list, and may count. */
	isLast: (page: PlacedPage) => boolean;
	/**
	 * What a sorted list is sorted by; the service may order results that are equal in it anew for each page. `undefined`: the result
	 * lies outside of what is wanted, or others that are equal lie outside of the pages.
	 */
	momentOf: (result: Result, pages: PlacedPage[]) => number | undefined;
}

/**
 * What was read of a window. `short`: the first moment of which fewer results were seen than have places in the list; -Infinity: the
 * pages did not go together.
 */
export interface ReadWindow {
	results: Result[];
	pages: PlacedPage[];
	short?: number;
	/** Whether pages show the same part of the list in another order. */
	isUnstable: boolean;
}

/** How often a window is read, and how many readings in a row may show nothing new. */
const maxPasses = 20;
const maxBarren = 5;
/** How often pages may not go together, where the list changes or an answer comes from an old copy of it. */
const maxMoves = 3;
/** Where nobody counts, a list that grows looks in so many readings as if each page began a little earlier. */
const enoughShifts = 3;

/**
 * Reads pages from one on until one is enough, as `readAll` reads a whole list: they overlap, and where two do not go together they
 * are read again. Where equal results are in another order on each page, the window is read again, in pages of other sizes, until as
 * many different ones of each moment were seen as there are places for them. Never throws.
 */
export async function readWindow(
	window: WindowRequest,
): Promise<ReadWindow | { failure: Failure }> {
	const { pageLength, startPage, isLast } = window;
	const found = new Found();
	let extent: Extent | undefined;
	let isUnstable = false;
	let way: PassOptions = { mayOverlap: true };
	for (
		let round = 0, barren = 0, shifts = 0, moves = 0;
		round < maxPasses && barren < maxBarren;
		round++
	) {
		const { size = pageLength } = way;
		const reach = extent?.reach;
		const isFar = ({ start, results }: PlacedPage) => start + results.length >= (reach ?? Infinity);
		const pass = new Pass(
			{
				...window,
				limit: Infinity,
				concurrency: 1,
				startPage: Math.floor(((startPage - 1) * pageLength) / size) + 1,
				isLast: extent ? isFar : isLast,
			},
			found,
			way,
		);
		const outcome = await pass.read();
		isUnstable ||= pass.isUnstable;
		if (outcome === 'moved') {
			moves += 1;
			if (moves < maxMoves) continue;
			return extent
				? done(extent)
				: { pages: pass.pages, results: found.inOrder(), short: -Infinity, isUnstable };
		}
		if (outcome === 'otherSizes' || outcome === 'otherOrder') {
			// Once more in pages of the usual size, and that is all where the service decides on it.
			if (!way.mayOverlap) break;
			way = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return extent ? done(extent) : outcome;
		// Of a list that has changed meanwhile, what was seen of it before says nothing.
		if (!extent?.isOf(pass)) extent = new Extent(pass, window);
		barren = extent.add(pass) ? 0 : barren + 1;
		shifts = isShifted(pass) ? shifts + 1 : 0;
		if (extent.short === undefined || shifts === enoughShifts) return done(extent, shifts);
		way = { mayOverlap: false, size: Math.max(1, size - 1) };
	}
	return extent
		? done(extent)
		: unreadable('the list changes faster than it can be read. Narrow the filters, or try again');

	function done({ pages, short }: Extent, shifts = 0): ReadWindow {
		const isShort = short !== undefined && shifts < enoughShifts;
		return { pages, results: found.inOrder(), isUnstable, ...(isShort && { short }) };
	}
}

/** What a window was when it was first read, and what of it was seen. */
class Extent {
	readonly pages: PlacedPage[];
	/** How many places of the list come before its end. */
	reach = 0;
	/** How many places the results of each moment take up. */
	private readonly places = new Map<number, number>();
	private readonly seen = new Map<number, Set<unknown>>();
	/** By how many results the list may have grown, which shows as many twice. */
	private readonly grown: number;
	private readonly count: number | undefined;

	constructor(
		{ pages, isUnstable }: Pass,
		private readonly window: Pick<WindowRequest, 'momentOf'>,
	) {
		this.pages = pages;
		for (const { start, results } of pages) {
			results.slice(Math.max(0, this.reach - start)).forEach((one) => {
				const moment = window.momentOf(one, pages);
				if (moment !== undefined) this.places.set(moment, (this.places.get(moment) ?? 0) + 1);
			});
			this.reach = Math.max(this.reach, start + results.length);
		}
		const [first, last] = [pages[0].count, pages[pages.length - 1].count];
		// Where the order cannot be relied on, what came in must not make up for what was not seen.
		const isKnown = !isUnstable && first !== undefined && last !== undefined;
		this.grown = isKnown ? Math.max(0, last - first) : 0;
		this.count = first === last ? first : NaN;
	}

	/** Whether the list was as long as it was. */
	isOf({ pages }: Pass): boolean {
		return pages.every(({ count }) => count === this.count);
	}

	/** Notes what a reading has shown. Whether anything was new. */
	add({ pages }: Pass): boolean {
		let isNew = false;
		for (const { results } of pages)
			keysOf(results).forEach((key, at) => {
				const moment = this.window.momentOf(results[at], this.pages);
				if (moment === undefined) return;
				const seen = this.seen.get(moment) ?? new Set();
				isNew ||= !seen.has(key);
				this.seen.set(moment, seen.add(key));
			});
		return isNew;
	}

	get short(): number | undefined {
		const missing = [...this.places].flatMap(([moment, places]) => {
			const count = places - (this.seen.get(moment)?.size ?? 0);
			return count > 0 ? [{ moment, count }] : [];
		});
		const total = missing.reduce((sum, { count }) => sum + count, 0);
		return total > this.grown ? Math.min(...missing.map(({ moment }) => moment)) : undefined;
	}
}

/** Whether nobody counts, and each result that is shown twice stands at the end of one page and the beginning of the next. */
function isShifted({ pages }: Pass): boolean {
	return pages.every(({ count, results, start }, at) => {
		if (count !== undefined) return false;
		if (at === 0) return true;
		const before = keysOf(pages[at - 1].results);
		const own = keysOf(results);
		const twice = own.filter((key) => before.includes(key)).length;
		const overlap = pages[at - 1].start + before.length - start;
		const isInRow = own.slice(0, twice).join() === before.slice(before.length - twice).join();
		return twice >= overlap && isInRow;
	});
}
