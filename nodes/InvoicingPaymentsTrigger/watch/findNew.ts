import type { PageWithRange } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import { Budget, reserve } from './budget';
import type { Cursor } from './cursor';
import { timeFromJson } from './cursor';
import { packSet } from './ids';
import {
	minRefusedDepth,
	maxListLength,
	listTooLong,
	PagingError,
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
 * - A long list that is sorted by creation time is read from its newest end down to known results.
 * - In other long lists, new results are searched for. Every 15 minutes they are read completely.
 */
export async function findNew(task: WatchTask, cursor: Cursor): Promise<PollResult> {
	const notes: string[] = [];
	const budget = new Budget(task.now, task.until);
	let from = cursor;
	let isConfirmed = false;
	const begin = task.now();
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const poll = openPoll(task, from, { notes, isConfirmed, budget });
		const outcome = await attemptPoll(poll).catch((error: Error) =>
			restartWithoutCount(error, poll),
		);
		if ('entries' in outcome) {
			const { entries } = outcome;
			return {
				entries,
				cursor: withStart(outcome.cursor),
				notes: [...notes, ...(task.notes ?? [])],
			};
		}
		from = outcome.again;
		isConfirmed ||= outcome.isConfirmed === true;
	}
	throw new PagingError(`The list of ${task.noun} changes faster than it can be read`);

	/** If the list cannot be read yet, results created from now on are new nevertheless. */
	function withStart(next: Cursor): Cursor {
		if (!next.times || !next.isBaseline || next.after !== undefined) return next;
		return { ...next, after: Math.max(begin - clockMargin, timeFromJson(next.times.listed)) };
	}
}

function restartWithoutCount(error: Error, { cursor, notes }: Poll): Outcome {
	if (!(error instanceof WrongCountError)) throw error;
	notes.push(wrongCountNote);
	return { again: { ...cursor, reading: undefined, seen: undefined, miscounts: maxMiscounts } };
}

async function attemptPoll(poll: Poll): Promise<Outcome> {
	const { cursor, search, task, timed } = poll;
	const { reading } = cursor;
	// A result that did not belong to the event yesterday may do so today.
	const isResumed = reading?.pageSize === search.pageSize && reading.day === task.today;
	const pages = new Pages(search, isResumed ? reading.pages : []);
	const { page, ids } = await pages.first();
	const knownCount = poll.ignoresCount ? undefined : pages.count;
	const first: PageWithIds = { ...page, ...rangeOf(1, pages.pageLength), count: knownCount, ids };
	if (!timed && page.next && knownCount !== undefined && knownCount > maxListLength)
		await checkLength(poll, pages, knownCount);
	const length = knownCount ?? cursor.seen ?? poll.whole.size;
	const pageCount = page.next ? Math.ceil(length / pages.pageLength) : 1;
	const isSmall =
		!page.next || (pageCount <= maxSmallPages && (knownCount !== undefined || !timed));
	const part = isSmall ? undefined : await readPartly(poll, pages, first, { pageCount, isResumed });
	const outcome = part ?? (await readWhole(poll, pages, packSet(ids)));
	addRefusal(poll, pages);
	return outcome;
}

/** `undefined`: the list must be read completely. */
async function readPartly(
	poll: Poll,
	pages: Pages,
	first: PageWithIds,
	{ pageCount, isResumed }: { pageCount: number; isResumed: boolean },
): Promise<Outcome | undefined> {
	const { cursor, timed, isBaseline } = poll;
	if (isResumed) return undefined;
	if (timed && !mustReadWhole(poll, first)) {
		timed.order ??= await learnOrder(poll, timed, pages, first);
		if (timed.order?.direction === 'none' && !cursor.times?.order) poll.notes.push(noOrderNote);
		const { order } = timed;
		if (order && order.direction !== 'none')
			return await readSorted(poll, timed as SortedList, pages, first);
	}
	if (isBaseline || cursor.hasMore === true) return undefined;
	return await checkFirstPage(poll, pages, first, pageCount);
}

/** Whether results were missed, or no earlier count can confirm the order. */
function mustReadWhole(
	{ cursor, isBaseline, search }: Poll,
	{ count = Infinity }: PageWithIds,
): boolean {
	if ((cursor.missed ?? 0) > maxMissedPolls) return true;
	const isUnknown = !isBaseline && cursor.seen === undefined && !cursor.hasMore;
	return isUnknown && count <= Math.max(minRefusedDepth, 50 * search.pageSize);
}

const samplePositions = [0.25, 0.5, 0.75, 1];
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
		? samplePositions.map((part) => Math.max(2, Math.ceil(last * part)))
		: samplePages;
	const sampled: PageWithRange[] = [first];
	const seen = new Set(first.ids);
	for (const number of new Set(numbers)) {
		if (search.budget.left <= reserve && sampled.length > 2) break;
		const page = await pages.peek(number);
		// Far back, a service may return nothing or repeat a page.
		if (page.ids.every((id) => seen.has(id))) break;
		for (const id of page.ids) seen.add(id);
		sampled.push(page);
	}
	const times = sampled.map(timesOf);
	const isDated = times.every((page) => page.every((time) => time !== undefined));
	// An undated result is only new if all earlier ones are known.
	if (!isDated && !known.knowsUndated) return { direction: 'none' };
	const order = orderOf(times, lookBack);
	known.knowsUndated ||= order.direction !== 'none';
	return order;
}

/** Throws ListTooLongError, unless the count is wrong. */
async function checkLength({ task }: Poll, pages: Pages, count: number): Promise<void> {
	const beyond = await pages
		.peek(Math.floor(maxListLength / pages.pageLength) + 1)
		.catch(() => undefined);
	if (!beyond || beyond.ids.length > 0) throw listTooLong(task.noun, count);
}

function addRefusal({ notes }: Poll, { refusal }: Pages): void {
	if (!refusal) return;
	const { from, failure } = refusal;
	const why = [failure.status, failure.reason].filter((part) => part !== undefined).join(': ');
	notes.push(
		`The service refuses to list charges beyond the first ${from} (status ${why}). What lies there cannot be read; the charges before it are.`,
	);
}
