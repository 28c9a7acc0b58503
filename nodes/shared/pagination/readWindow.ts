import type { Failure } from '../transport/failure';
import type { Page } from './page';
import { UniqueResults, keysOf, pagingFailure } from './page';
import type { PageWithRange } from './overlap';
import type { ListRequest, ReadOptions } from './listReader';
import { ListReader } from './listReader';

type Result = Page['results'][number];

export interface WindowRequest {
	fetchPage: ListRequest['fetchPage'];
	startPage: number;
	pageLength: number;
	/** Whether to stop after this page. Called in list order, so it may count. */
	isLast: (page: PageWithRange) => boolean;
	/**
	 * The sort key of a result. The service may reorder results with the same key for each page. `undefined`: the key
	 * is out of range, or some results with this key may lie outside of the pages.
	 */
	sortKeyOf: (result: Result, pages: PageWithRange[]) => number | undefined;
}

/** `short`: the lowest key of which results are missing; -Infinity if the pages do not fit together. */
export interface ReadWindow {
	results: Result[];
	pages: PageWithRange[];
	short?: number;
	/** Pages show the same part of the list in different orders. */
	isUnstable: boolean;
}

const maxRounds = 20;
const maxRoundsWithoutProgress = 5;
/** Attempts if pages do not fit together: the list changes, or an answer is outdated. */
const maxMisfits = 3;
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
	const found = new UniqueResults();
	let coverage: Coverage | undefined;
	let isUnstable = false;
	let options: ReadOptions = { mayOverlap: true };
	for (
		let round = 0, roundsWithoutProgress = 0, shifts = 0, misfits = 0;
		round < maxRounds && roundsWithoutProgress < maxRoundsWithoutProgress;
		round++
	) {
		const { size = pageLength } = options;
		const reach = coverage?.reach;
		const isFar = ({ start, results }: PageWithRange) =>
			start + results.length >= (reach ?? Infinity);
		const reader = new ListReader(
			{
				...window,
				limit: Infinity,
				concurrency: 1,
				startPage: Math.floor(((startPage - 1) * pageLength) / size) + 1,
				isLast: coverage ? isFar : isLast,
			},
			found,
			options,
		);
		const outcome = await reader.read();
		isUnstable ||= reader.isUnstable;
		if (outcome === 'moved') {
			misfits += 1;
			if (misfits < maxMisfits) continue;
			return coverage
				? done(coverage)
				: { pages: reader.pages, results: found.inOrder(), short: -Infinity, isUnstable };
		}
		if (outcome === 'otherSizes' || outcome === 'otherOrder') {
			// Try the usual page size once, then give up.
			if (!options.mayOverlap) break;
			options = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return coverage ? done(coverage) : outcome;
		// If the list has changed, what was seen before is worthless.
		if (!coverage?.hasSameLength(reader)) coverage = new Coverage(reader, window);
		roundsWithoutProgress = coverage.add(reader) ? 0 : roundsWithoutProgress + 1;
		shifts = isShifted(reader) ? shifts + 1 : 0;
		if (coverage.short === undefined || shifts === enoughShifts) return done(coverage, shifts);
		options = { mayOverlap: false, size: Math.max(1, size - 1) };
	}
	return coverage
		? done(coverage)
		: pagingFailure(
				'the list changes faster than it can be read. Narrow the filters, or try again',
			);

	function done({ pages, short }: Coverage, shifts = 0): ReadWindow {
		const isShort = short !== undefined && shifts < enoughShifts;
		return { pages, results: found.inOrder(), isUnstable, ...(isShort && { short }) };
	}
}

/** A window as it was first read, and what was seen of it since. */
class Coverage {
	readonly pages: PageWithRange[];
	/** Number of results up to its end. */
	reach = 0;
	private readonly placesByKey = new Map<number, number>();
	private readonly seenByKey = new Map<number, Set<unknown>>();
	/** How much the list may have grown during the reading: as many results show up twice. */
	private readonly growth: number;
	private readonly count: number | undefined;

	constructor(
		{ pages, isUnstable }: ListReader,
		private readonly window: Pick<WindowRequest, 'sortKeyOf'>,
	) {
		this.pages = pages;
		for (const { start, results } of pages) {
			results.slice(Math.max(0, this.reach - start)).forEach((one) => {
				const key = window.sortKeyOf(one, pages);
				if (key !== undefined) this.placesByKey.set(key, (this.placesByKey.get(key) ?? 0) + 1);
			});
			this.reach = Math.max(this.reach, start + results.length);
		}
		const [first, last] = [pages[0].count, pages[pages.length - 1].count];
		// If the order varies, new results must not make up for missed ones.
		const isKnown = !isUnstable && first !== undefined && last !== undefined;
		this.growth = isKnown ? Math.max(0, last - first) : 0;
		this.count = first === last ? first : NaN;
	}

	hasSameLength({ pages }: ListReader): boolean {
		return pages.every(({ count }) => count === this.count);
	}

	/** Returns whether anything was new. */
	add({ pages }: ListReader): boolean {
		let isNew = false;
		for (const { results } of pages)
			keysOf(results).forEach((id, at) => {
				const key = this.window.sortKeyOf(results[at], this.pages);
				if (key === undefined) return;
				const seen = this.seenByKey.get(key) ?? new Set();
				isNew ||= !seen.has(id);
				this.seenByKey.set(key, seen.add(id));
			});
		return isNew;
	}

	get short(): number | undefined {
		const missing = [...this.placesByKey].flatMap(([key, places]) => {
			const count = places - (this.seenByKey.get(key)?.size ?? 0);
			return count > 0 ? [{ key, count }] : [];
		});
		const total = missing.reduce((sum, { count }) => sum + count, 0);
		return total > this.growth ? Math.min(...missing.map(({ key }) => key)) : undefined;
	}
}

/** Whether there is no count, and each repeated result is at the end of one page and the start of the next. */
function isShifted({ pages }: ListReader): boolean {
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
