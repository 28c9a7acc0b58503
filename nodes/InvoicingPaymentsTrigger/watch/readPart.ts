import { reservedRequests } from './budget';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import type { Pages, PageWithIds } from './pages';
import type { Poll } from './task';
import type { Depth, Part, SortedList, Unfinished } from './window';
import { Window } from './window';
import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { UnreadablePageError } from './errors';

/** Reads all results that are newer than the boundary, or with a backlog only the oldest of them. */
export async function readPart(
	poll: Poll,
	timedList: SortedList,
	pages: Pages,
	first: PageWithIds,
	depth: Depth,
): Promise<Part | Unfinished> {
	const read = timedList.order.direction === 'newestFirst' ? readNewestFirst : readOldestFirst;
	return await read(new Window(poll, timedList, pages, first, depth));
}

async function readNewestFirst(window: Window): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = window;
	const { backlog } = poll.cursor.times ?? {};
	let low = 1;
	if (backlog === undefined || window.isBelow(first)) {
		let isReached = false;
		const read = await window.read(1, (page) => {
			isReached = window.isBelow(page) || window.hasFoundGrowth(page);
			return isReached || window.hasEnough || budget.left <= 2 * reservedRequests;
		});
		if (read && isReached) return window.asPart(read, true);
		// Deliver new results, even if their pages do not fit together.
		if (read?.missingFrom === -Infinity) return window.asPart(read, false);
		if (read) low = Math.max(1, Math.floor(endOfPages(read) / pages.pageLength));
	}
	return await readBacklog(window, low);
}

const endOfPages = ({ pages }: ReadWindow) =>
	Math.max(...pages.map(({ start, results }) => start + results.length));

/** About this share of a page does not overlap with the page before. */
const progressPerPage = 0.8;

/** A backlog has more new results than one poll can deliver. Reads the oldest of them. */
async function readBacklog(window: Window, low: number): Promise<Part | Unfinished> {
	const { poll, timedList, pages, budget, depth, maxEntries } = window;
	const { pageLength } = pages;
	const { place } = poll.cursor.times?.backlog ?? {};
	if (place !== undefined && depth.boundary >= timedList.position.newest) {
		const affordable = Math.max(pageLength, (budget.left - 2) * progressPerPage * pageLength);
		const begin = window.pageAt(place - Math.min(maxEntries, affordable));
		const part = await readToBoundary(window, begin, place + 2 * pageLength);
		if (part && (part.newTimes.size > 0 || part.isFromNewest)) return part;
	}
	const requestsBefore = budget.requests;
	const bracket = await window.findBoundary((page) => !window.isBelow(page), low);
	// Known results between new ones have to be read, too.
	const minPages = Math.ceil(timedList.known.countFrom(depth.boundary) / pageLength) + 2;
	const isTimeUp = budget.requests > requestsBefore && budget.left <= minPages;
	if (!bracket.isFound || isTimeUp) return window.resumeAt(bracket);
	const wantedPages = minPages + Math.ceil(maxEntries / pageLength);
	const pageCount = Math.max(minPages, Math.min(wantedPages, budget.left - 1));
	const start = Math.max(1, bracket.low + 2 - pageCount);
	const part = await readToBoundary(window, start, (start + 2 * pageCount) * pageLength);
	if (!part) return window.resumeAt({ low: bracket.low });
	// If no result is new, removals have moved the boundary to an earlier page.
	return part.newTimes.size > 0 || part.isFromNewest
		? part
		: window.resumeAt({ low: 1, high: start + 1 });
}

/** `undefined`: out of time, or the boundary is far beyond `upTo` results. */
async function readToBoundary(
	window: Window,
	begin: number,
	upTo: number,
): Promise<Part | undefined> {
	let isReached = false;
	const read = await window.read(begin, (page) => {
		isReached = window.isBelow(page);
		return isReached || (page.start > upTo && window.budget.left <= reservedRequests);
	});
	return read && isReached ? window.asPart(read, begin === 1) : undefined;
}

async function readOldestFirst(window: Window): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = window;
	const begins = (page: Page) => window.beginsBelow(page);
	let start = 1;
	if (begins(first)) {
		const { place } = poll.cursor.times?.backlog ?? {};
		const nearPage = place === undefined ? undefined : window.pageAt(place);
		const isNear = nearPage !== undefined && nearPage > 1 && begins(await pages.peek(nearPage));
		if (isNear) start = nearPage;
		else {
			const bracket = await window.findBoundary(begins, 1, window.lastPage);
			if (!bracket.isFound) return window.resumeAt(bracket);
			start = bracket.low;
		}
	}
	let lastRead = first as Page;
	const read = await window.read(start, (page) => {
		lastRead = page;
		return window.hasEnough || (budget.left <= 1 && window.newTimes.size > 0);
	});
	// The newest results are on the last pages, so the poll needs them.
	if (pages.refusal && !window.hasEnough) throw new UnreadablePageError(pages.refusal.failure);
	if (!read) return window.resumeAt({ low: start, high: start + 1 });
	return window.asPart(read, isEnd(lastRead));
}
