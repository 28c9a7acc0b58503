import type { ListRequest } from '../../shared/pagination/listReader';
import { ListReader } from '../../shared/pagination/listReader';
import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Result } from '../../shared/pagination/page';
import { UniqueResults } from '../../shared/pagination/page';
import { isPagingFailure, pagingError, UnreadablePageError } from './errors';
import type { List } from './list';
import { isOutOfTime } from './list';
import type { WatchTask } from './task';

/** Consecutive pages of a list. */
export interface Stretch {
	pages: PageWithRange[];
	/** Also of pages that were read again. */
	results: Result[];
	/** Results may be missing. */
	isGap: boolean;
	/** Pages do not fit together. */
	isMisfit?: boolean;
}

interface StretchRequest {
	startPage: number;
	/** Whether to stop after this page. Called in list order. */
	isLast: (page: PageWithRange) => boolean;
	/** Called for each page, also if it is read again. */
	onPage: (page: PageWithRange) => void;
	/** Whether the stretch shows all results of this time, so that none of them may be missing. */
	isWithin: (time: number, pages: PageWithRange[]) => boolean;
	/** This many polls before this one could not see everything. */
	gaps?: number;
}

const maxMisfits = 3;
/** Readings with other page sizes. If they do not show everything, the next poll goes on. */
const maxRereads = 5;

/**
 * Reads pages until `isLast`. They overlap, so that nothing slips between two. `undefined`: out of time. Throws UnreadablePageError,
 * PagingError and WrongCountError.
 *
 * A service may show results of the same moment in another order on each page, and so show some twice and others never. If the pages show
 * fewer different results than they have places, they are read again with other borders, until none is missing.
 */
export async function readStretch(
	{ noun }: WatchTask,
	list: List,
	{ startPage, isLast, onPage, isWithin, gaps = 0 }: StretchRequest,
): Promise<Stretch | undefined> {
	const { pageLength } = list;
	const unique = new UniqueResults();
	let best: Stretch | undefined;
	let expectedCount = 0;
	let isUnstable = false;
	let options = { mayOverlap: true, size: undefined as number | undefined };
	for (let rereads = 0, misfits = 0; ; ) {
		const { size = pageLength } = options;
		const from = Math.floor(((startPage - 1) * pageLength) / size) + 1;
		const end = best && reachOf(best.pages);
		const request: ListRequest = {
			fetchPage: list.fetcherFrom(from),
			startPage: from,
			pageLength,
			limit: Infinity,
			concurrency: 1,
			isLast: (page) => {
				onPage(page);
				return end === undefined ? isLast(page) : reachOf([page]) >= end;
			},
		};
		const reader = new ListReader(request, unique, options);
		const outcome = await reader.read();
		isUnstable ||= reader.isUnstable;
		const failed = typeof outcome === 'object' && 'failure' in outcome && outcome.failure;
		const endsBeforeCount = failed && failed.counted !== undefined;
		const isCountTooHigh = endsBeforeCount && (await isAtEnd(list, reader.pages));
		if (outcome === 'changed' || (endsBeforeCount && !isCountTooHigh)) {
			misfits += 1;
			if (misfits < maxMisfits) continue;
		}
		if (outcome === 'changed')
			return (
				best ?? {
					pages: reader.pages,
					results: unique.inOrder(),
					isGap: true,
					isMisfit: true,
				}
			);
		if (outcome === 'ignoresSize' || outcome === 'reorders') {
			if (!options.mayOverlap) return best;
			options = { ...options, mayOverlap: false };
			continue;
		}
		if (failed && !isCountTooHigh) {
			if (best || isOutOfTime(failed)) return best;
			throw isPagingFailure(failed) ? pagingError(noun, failed) : new UnreadablePageError(failed);
		}
		const { pages } = reader;
		const isSameList = [...(best?.pages ?? []), ...pages].every(
			({ count }) => count === pages[0].count,
		);
		// If the list has changed, count again.
		if (!best || !isSameList) {
			best = { pages, results: [], isGap: false };
			expectedCount = expectedIn(pages, isUnstable, (time) => isWithin(time, pages));
		}
		const results = unique.inOrder();
		const { pages: shown } = best;
		const found = results.filter(({ time }) => isWithin(Number(time), shown));
		const isGap = list.count !== undefined && found.length < expectedCount;
		best = { pages: shown, results, isGap };
		if (!isGap || rereads === maxRereads) return best;
		// Each reading and each poll has other pages.
		const shorter = (gaps * maxRereads + rereads) % Math.ceil(pageLength / 2);
		options = { mayOverlap: false, size: Math.max(1, pageLength - 1 - shorter) };
		rereads += 1;
	}
}

/** Whether no page follows. Then a count that says so is wrong. */
async function isAtEnd(list: List, pages: PageWithRange[]): Promise<boolean> {
	const beyond = await list.peek(Math.ceil(reachOf(pages) / list.pageLength) + 1);
	return beyond.results.length === 0;
}

/** Number of results up to the end of these pages. */
export const reachOf = (pages: PageWithRange[]) =>
	Math.max(0, ...pages.map(({ start, results }) => start + results.length));

/** How many different results the pages should show. Those that a growing list has moved to the next page count once. */
function expectedIn(
	pages: PageWithRange[],
	isUnstable: boolean,
	isWithin: (time: number) => boolean,
): number {
	let expected = 0;
	let reach = 0;
	for (const { start, results } of pages) {
		const own = results.slice(Math.max(0, reach - start));
		// A result that is listed twice on one page counts once.
		const within = own.filter(({ time }) => isWithin(Number(time)));
		expected += new Set(within.map(({ id }) => id)).size;
		reach = Math.max(reach, start + results.length);
	}
	const [from, to] = [pages[0].count ?? 0, pages[pages.length - 1].count ?? 0];
	// If the order varies, a new result must not hide that another one is missing.
	return isUnstable ? expected : expected - Math.max(0, to - from);
}
