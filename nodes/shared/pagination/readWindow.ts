import type { Failure } from '../transport/failure';
import type { Result } from './page';
import { UniqueResults, keysOf, pagingFailure } from './page';
import type { PageWithRange } from './overlap';
import type { ListRequest, ReadOptions } from './listReader';
import { ListReader } from './listReader';

export interface WindowRequest {
	fetchPage: ListRequest['fetchPage'];
	startPage: number;
	pageLength: number;
	/** Whether to stop after this page. Called in list order. */
	isLast: (page: PageWithRange) => boolean;
	/** Results with the same key may change places. `undefined`: `pages` may not show all results with this key. */
	sortKeyOf: (result: Result, pages: PageWithRange[]) => number | undefined;
}

export interface ReadWindow {
	results: Result[];
	pages: PageWithRange[];
	/** Results from this sort key on may be missing; -Infinity: pages do not fit together. */
	missingFrom?: number;
	isUnstable: boolean;
}

const maxRounds = 20;
const maxRoundsWithoutProgress = 5;
const maxMisfits = 3;
/** Without a count, repeated results may just mean that the list has grown. This many such readings in a row prove that. */
const enoughShifts = 3;

/** Like `readAll`, for a part of a sorted list. Reads the part again if results with the same key change places. Never throws. */
export async function readWindow(
	window: WindowRequest,
): Promise<ReadWindow | { failure: Failure }> {
	const { pageLength, startPage, isLast } = window;
	const unique = new UniqueResults();
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
		const isReached = ({ start, results }: PageWithRange) =>
			start + results.length >= (reach ?? Infinity);
		const reader = new ListReader(
			{
				...window,
				limit: Infinity,
				concurrency: 1,
				startPage: Math.floor(((startPage - 1) * pageLength) / size) + 1,
				isLast: coverage ? isReached : isLast,
			},
			unique,
			options,
		);
		const outcome = await reader.read();
		isUnstable ||= reader.isUnstable;
		if (outcome === 'changed') {
			misfits += 1;
			if (misfits < maxMisfits) continue;
			return coverage
				? done(coverage)
				: { pages: reader.pages, results: unique.inOrder(), missingFrom: -Infinity, isUnstable };
		}
		if (outcome === 'ignoresSize' || outcome === 'reorders') {
			if (!options.mayOverlap) break;
			options = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return coverage ? done(coverage) : outcome;
		// If the list has changed, start counting again.
		if (!coverage?.hasSameLength(reader)) coverage = new Coverage(reader, window);
		roundsWithoutProgress = coverage.add(reader) ? 0 : roundsWithoutProgress + 1;
		shifts = isShifted(reader) ? shifts + 1 : 0;
		if (coverage.missingFrom === undefined || shifts === enoughShifts)
			return done(coverage, shifts);
		options = { mayOverlap: false, size: Math.max(1, size - 1) };
	}
	return coverage
		? done(coverage)
		: pagingFailure(
				'the list changes faster than it can be read. Narrow the filters, or try again',
			);

	function done({ pages, missingFrom }: Coverage, shifts = 0): ReadWindow {
		const isMissingSome = missingFrom !== undefined && shifts < enoughShifts;
		return { pages, results: unique.inOrder(), isUnstable, ...(isMissingSome && { missingFrom }) };
	}
}

/** For each sort key, compares the number of places in the pages of a window with the number of different results seen. */
class Coverage {
	readonly pages: PageWithRange[];
	reach = 0;
	private readonly placesByKey = new Map<number, number>();
	private readonly seenByKey = new Map<number, Set<unknown>>();
	/** Growth of the list during the reading. This many results may show up twice. */
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
		// If the order varies, a new result must not hide that another was missed.
		const isKnown = !isUnstable && first !== undefined && last !== undefined;
		this.growth = isKnown ? Math.max(0, last - first) : 0;
		this.count = first === last ? first : NaN;
	}

	hasSameLength({ pages }: ListReader): boolean {
		return pages.every(({ count }) => count === this.count);
	}

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

	get missingFrom(): number | undefined {
		const missing = [...this.placesByKey].flatMap(([key, places]) => {
			const count = places - (this.seenByKey.get(key)?.size ?? 0);
			return count > 0 ? [{ key, count }] : [];
		});
		const total = missing.reduce((sum, { count }) => sum + count, 0);
		return total > this.growth ? Math.min(...missing.map(({ key }) => key)) : undefined;
	}
}

/** Whether the list seems to have grown: the only repeated results are at the end of one page and the start of the next. */
function isShifted({ pages }: ListReader): boolean {
	return pages.every(({ count, results, start }, at) => {
		if (count !== undefined) return false;
		if (at === 0) return true;
		const before = keysOf(pages[at - 1].results);
		const own = keysOf(results);
		const repeated = own.filter((key) => before.includes(key)).length;
		const overlap = pages[at - 1].start + before.length - start;
		const isSameSequence =
			own.slice(0, repeated).join() === before.slice(before.length - repeated).join();
		return repeated >= overlap && isSameSequence;
	});
}
