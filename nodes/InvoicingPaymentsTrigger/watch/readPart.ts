import { reserve } from './budget';
import type { ReadWindow } from '../../shared/pagination/readWindow';
import type { Pages, PageWithIds } from './pages';
import type { Poll } from './task';
import type { Depth, Part, SortedList, Unfinished } from './window';
import { Window } from './window';
import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { UnreadablePageError } from './errors';

/** Reads everything that is newer than the boundary. In a backlog, reads only the oldest part of that. */
export async function readPart(
	poll: Poll,
	timed: SortedList,
	pages: Pages,
	first: PageWithIds,
	depth: Depth,
): Promise<Part | Unfinished> {
	const read = timed.order.direction === 'newestFirst' ? readNewestFirst : readOldestFirst;
	return await read(new Window(poll, timed, pages, first, depth));
}

async function readNewestFirst(window: Window): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = window;
	const { backlog } = poll.cursor.times ?? {};
	let low = 1;
	if (backlog === undefined || window.isBelow(first)) {
		let isReached = false;
		const read = await window.read(1, (page) => {
			isReached = window.isBelow(page) || window.isCounted(page);
			return isReached || window.isFull || budget.left <= 2 * reserve;
		});
		if (read && isReached) return window.asPart(read, true);
		// Deliver what is new on the pages, even if they do not fit together.
		if (read?.missingFrom === -Infinity) return window.asPart(read, false);
		if (read) low = Math.max(1, Math.floor(reachOfAll(read) / pages.pageLength));
	}
	return await readBacklog(window, low);
}

const reachOfAll = ({ pages }: ReadWindow) =>
	Math.max(...pages.map(({ start, results }) => start + results.length));

/** Roughly, this share of a page does not overlap with the one before. */
const progressPerPage = 0.8;

/** A backlog is more than one poll can deliver. Reads its oldest part, around the last page with new results. */
async function readBacklog(window: Window, low: number): Promise<Part | Unfinished> {
	const { poll, timed, pages, budget, depth, maxEntries } = window;
	const { pageLength } = pages;
	const { place } = poll.cursor.times?.backlog ?? {};
	if (place !== undefined && depth.boundary >= timed.position.newest) {
		const affordable = Math.max(pageLength, (budget.left - 2) * progressPerPage * pageLength);
		const begin = window.pageAt(place - Math.min(maxEntries, affordable));
		const part = await readToBoundary(window, begin, place + 2 * pageLength);
		if (part && (part.newAges.size > 0 || part.isFromNewest)) return part;
	}
	const spent = budget.requests;
	const bracket = await window.findBoundary((page) => !window.isBelow(page), low);
	// Known results between the new ones have to be read, too.
	const least = Math.ceil(timed.known.countFrom(depth.boundary) / pageLength) + 2;
	const isTimeUp = budget.requests > spent && budget.left <= least;
	if (!bracket.isFound || isTimeUp) return window.resumeAt(bracket);
	const enough = least + Math.ceil(maxEntries / pageLength);
	const count = Math.max(least, Math.min(enough, budget.left - 1));
	const start = Math.max(1, bracket.low + 2 - count);
	const part = await readToBoundary(window, start, (start + 2 * count) * pageLength);
	if (!part) return window.resumeAt({ low: bracket.low });
	// If nothing is new, removals have moved the boundary forward.
	return part.newAges.size > 0 || part.isFromNewest
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
		return isReached || (page.start > upTo && window.budget.left <= reserve);
	});
	return read && isReached ? window.asPart(read, begin === 1) : undefined;
}

async function readOldestFirst(window: Window): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = window;
	const begins = (page: Page) => window.beginsBelow(page);
	let start = 1;
	if (begins(first)) {
		const { place } = poll.cursor.times?.backlog ?? {};
		const near = place === undefined ? undefined : window.pageAt(place);
		const isNear = near !== undefined && near > 1 && begins(await pages.peek(near));
		if (isNear) start = near;
		else {
			const bracket = await window.findBoundary(begins, 1, window.lastPage);
			if (!bracket.isFound) return window.resumeAt(bracket);
			start = bracket.low;
		}
	}
	let end = first as Page;
	const read = await window.read(start, (page) => {
		end = page;
		return window.isFull || (budget.left <= 1 && window.newAges.size > 0);
	});
	// The newest results are on the last pages, so these must not be missing.
	if (pages.refusal && !window.isFull) throw new UnreadablePageError(pages.refusal.failure);
	if (!read) return window.resumeAt({ low: start, high: start + 1 });
	return window.asPart(read, isEnd(end));
}
