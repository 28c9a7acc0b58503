import type { Failure } from '../transport/failure';
import { Found, keysOf } from './found';
import type { Page } from './page';
import type { PlacedPage } from './overlap';
import type { ListRequest, PassOptions } from './pass';
import { Pass, unreadable } from './pass';

type Result = Page['results'][number];

export interface WindowRequest {
	fetchPage: ListRequest['fetchPage'];
	startPage: number;
	pageLength: number;
	/** Whether to stop after this page. Called in list order, so it may count. */
	isLast: (page: PlacedPage) => boolean;
	/**
	 * The sort key of a result. The service may reorder results with the same key for each page. `undefined`: the key
	 * is out of range, or some results with this key may lie outside of the pages.
	 */
	momentOf: (result: Result, pages: PlacedPage[]) => number | undefined;
}

/** `short`: the lowest key of which results are missing; -Infinity if the pages do not fit together. */
export interface ReadWindow {
	results: Result[];
	pages: PlacedPage[];
	short?: number;
	/** Pages show the same part of the list in different orders. */
	isUnstable: boolean;
}

const maxPasses = 20;
const maxBarren = 5;
/** Attempts if pages do not fit together: the list changes, or an answer is outdated. */
const maxMoves = 3;
/** Without a count, a growing list looks shifted. This many such readings in a row are proof enough. */
const enoughShifts = 3;

/**
 * Reads pages until one is the last, with the same checks as `readAll`. If the service reorders results with the same
 * key, the window is read again with other page sizes, until every place is accounted for. Never throws.
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
			// Try the usual page size once, then give up.
			if (!way.mayOverlap) break;
			way = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return extent ? done(extent) : outcome;
		// If the list has changed, what was seen before is worthless.
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

/** A window as it was first read, and what was seen of it since. */
class Extent {
	readonly pages: PlacedPage[];
	/** Number of results up to its end. */
	reach = 0;
	private readonly places = new Map<number, number>();
	private readonly seen = new Map<number, Set<unknown>>();
	/** How much the list may have grown during the reading: as many results show up twice. */
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
		// If the order varies, new results must not make up for missed ones.
		const isKnown = !isUnstable && first !== undefined && last !== undefined;
		this.grown = isKnown ? Math.max(0, last - first) : 0;
		this.count = first === last ? first : NaN;
	}

	isOf({ pages }: Pass): boolean {
		return pages.every(({ count }) => count === this.count);
	}

	/** Returns whether anything was new. */
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

/** Whether there is no count, and each repeated result is at the end of one page and the start of the next. */
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
