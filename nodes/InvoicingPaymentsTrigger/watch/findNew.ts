import type { PageWithRange } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import { Budget, reservedRequests } from './budget';
import type { Cursor } from './cursor';
import { timeFromJson } from './cursor';
import { packSet } from './ids';
import {
	isDepthRefusal,
	minRefusedDepth,
	maxListLength,
	listTooLong,
	PagingError,
	UnreadablePageError,
	WrongCountError,
} from './errors';
import { orderOf } from './order';
import type { PageWithIds } from './pages';
import { Pages } from './pages';
import { checkFirstPage } from './checkFirstPage';
import { maxMissedPolls, readSorted } from './readSorted';
import type { SortedList } from './window';
import { timesOf, noOrderNote } from './window';
import { readWhole } from './readWhole';
import type { PollResult, Outcome, Poll, TimedList, WatchTask } from './task';
import { maxMiscounts, openPoll, maxSmallPages, wrongCountNote } from './task';

const maxAttempts = 5;
/** The clocks of this machine and the service may differ by this much (milliseconds). */
export const clockMargin = 5 * 60_000;

/**
 * Finds up to `maxEntries` new results. Returns the same cursor object if there is nothing to save. Throws UnreadablePageError,
 * PagingError and ListTooLongError.
 *
 * - A short list is read completely.
 * - A long list that is sorted by creation time is read from the newest result back to the first known one.
 * - Other long lists are searched for new results, and read completely every 15 minutes.
 */
export async function findNew(task: WatchTask, cursor: Cursor): Promise<PollResult> {
	const notes: string[] = [];
	const budget = new Budget(task.now, task.until);
	let nextCursor = cursor;
	let isSecondReading = false;
	const begin = task.now();
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const poll = openPoll(task, nextCursor, { notes, isSecondReading, budget });
		const outcome = await attemptPoll(poll).catch((error: Error) =>
			restartWithoutCount(error, poll),
		);
		if ('entries' in outcome) {
			const { entries } = outcome;
			return {
				entries,
				cursor: withAfter(outcome.cursor),
				notes: [...new Set([...notes, ...(task.notes ?? [])])],
			};
		}
		nextCursor = outcome.retryFrom;
		isSecondReading ||= outcome.isSecondReading === true;
	}
	throw new PagingError(`The list of ${task.noun} changes faster than it can be read`);

	/** Even if the list cannot be read yet, results created after this poll began count as new. */
	function withAfter(next: Cursor): Cursor {
		if (!next.times || !next.isBaseline || next.after !== undefined) return next;
		return { ...next, after: Math.max(begin - clockMargin, timeFromJson(next.times.listed)) };
	}
}

function restartWithoutCount(error: Error, { cursor, notes }: Poll): Outcome {
	if (!(error instanceof WrongCountError)) throw error;
	notes.push(wrongCountNote);
	return { retryFrom: { ...cursor, reading: undefined, seen: undefined, miscounts: maxMiscounts } };
}

async function attemptPoll(poll: Poll): Promise<Outcome> {
	const { cursor, search, task, timedList } = poll;
	const { reading } = cursor;
	// Resume only on the same day: at midnight a result may start to match the event, e.g. become overdue.
	const isResumed = reading?.pageSize === search.pageSize && reading.day === task.today;
	const pages = new Pages(search, isResumed ? reading.pages : []);
	const { page, ids } = await pages.readFirst();
	const knownCount = poll.ignoresCount ? undefined : pages.count;
	const first: PageWithIds = { ...page, ...rangeOf(1, pages.pageLength), count: knownCount, ids };
	if (!timedList && page.next && knownCount !== undefined && knownCount > maxListLength)
		await checkLength(poll, pages, knownCount);
	const listLength = knownCount ?? cursor.seen ?? poll.wholeList.size;
	const pageCount = page.next ? Math.ceil(listLength / pages.pageLength) : 1;
	const isSmall =
		!page.next || (pageCount <= maxSmallPages && (knownCount !== undefined || !timedList));
	const partialOutcome = isSmall
		? undefined
		: await readPartly(poll, pages, first, { pageCount, isResumed });
	const outcome = partialOutcome ?? (await readWhole(poll, pages, packSet(ids)));
	noteRefusedPages(poll, pages);
	return outcome;
}

/** `undefined`: the list must be read completely. */
async function readPartly(
	poll: Poll,
	pages: Pages,
	first: PageWithIds,
	{ pageCount, isResumed }: { pageCount: number; isResumed: boolean },
): Promise<Outcome | undefined> {
	const { cursor, timedList, isBaseline } = poll;
	if (isResumed) return undefined;
	if (timedList && !mustReadWhole(poll, first)) {
		timedList.order ??= await learnOrder(poll, timedList, pages, first);
		if (timedList.order?.direction === 'none' && !cursor.times?.order) poll.notes.push(noOrderNote);
		const { order } = timedList;
		if (order && order.direction !== 'none')
			return await readSorted(poll, timedList as SortedList, pages, first);
	}
	if (isBaseline || cursor.hasMore === true) return undefined;
	return await checkFirstPage(poll, pages, first, pageCount);
}

/** Lists of up to this many pages are read completely until there is a count to compare with. */
const maxPagesWithoutCount = 50;

/** Whether results were missed, or no earlier count can confirm that the order was learned correctly. */
function mustReadWhole(
	{ cursor, isBaseline, search }: Poll,
	{ count = Infinity }: PageWithIds,
): boolean {
	if ((cursor.missed ?? 0) > maxMissedPolls) return true;
	const hasNoEarlierCount = !isBaseline && cursor.seen === undefined && !cursor.hasMore;
	const maxLength = Math.max(minRefusedDepth, maxPagesWithoutCount * search.pageSize);
	return hasNoEarlierCount && count <= maxLength;
}

const sampleFractions = [0.25, 0.5, 0.75, 1];
const samplePages = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

async function learnOrder(
	{ search }: Poll,
	{ known, lookBack }: TimedList,
	pages: Pages,
	first: PageWithIds,
): Promise<TimedList['order']> {
	const { count } = first;
	const last = count === undefined ? undefined : Math.ceil(count / pages.pageLength);
	const numbers = last
		? sampleFractions.map((fraction) => Math.max(2, Math.ceil(last * fraction)))
		: samplePages;
	const sampled: PageWithRange[] = [first];
	const sampledIds = new Set(first.ids);
	for (const number of new Set(numbers)) {
		if (search.budget.left <= reservedRequests && sampled.length > 2) break;
		const page = await pages.peek(number);
		// Far back, a service may return nothing or repeat a page.
		if (page.ids.every((id) => sampledIds.has(id))) break;
		for (const id of page.ids) sampledIds.add(id);
		sampled.push(page);
	}
	const times = sampled.map(timesOf);
	const isDated = times.every((page) => page.every((time) => time !== undefined));
	// Which undated results are new is only clear after a complete reading.
	if (!isDated && !known.knowsUndated) return { direction: 'none' };
	const order = orderOf(times, lookBack);
	known.knowsUndated ||= order.direction !== 'none';
	return order;
}

/** Throws ListTooLongError if the list is as long as its count, or the service refuses the page that would show it. */
async function checkLength({ task }: Poll, pages: Pages, count: number): Promise<void> {
	const number = Math.floor(maxListLength / pages.pageLength) + 1;
	const beyond = await pages.peek(number).catch((error: Error) => {
		const { start } = rangeOf(number, pages.pageLength);
		const isRefused = error instanceof UnreadablePageError && isDepthRefusal(error.failure, start);
		if (!isRefused) throw error;
	});
	if (!beyond || beyond.ids.length > 0) throw listTooLong(task.noun, count);
}

function noteRefusedPages({ notes, task: { noun } }: Poll, { refusal }: Pages): void {
	if (!refusal) return;
	const { from, failure } = refusal;
	const why = [failure.status, failure.reason].filter((text) => text !== undefined).join(': ');
	notes.push(
		`The service refuses to list ${noun} beyond the first ${from} (status ${why}). The trigger only watches those ${from}.`,
	);
}
