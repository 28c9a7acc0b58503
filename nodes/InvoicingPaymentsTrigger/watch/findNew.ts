import { rangeOf } from '../../shared/pagination/overlap';
import { failed } from '../../shared/result';
import { Budget, reservedRequests } from './budget';
import type { Cursor } from './cursor';
import { timeFromJson } from './cursor';
import { searchEnds } from './ends';
import {
	isDepthRefusal,
	listTooLong,
	maxListLength,
	minRefusedDepth,
	PagingError,
	UnreadablePageError,
	WrongCountError,
} from './errors';
import type { Order } from './order';
import { orderOf } from './order';
import { maxMissedPolls } from './finish';
import type { ListPage } from './poll';
import { Poll, timesOf } from './poll';
import { noOrderNote, searchSorted } from './newest';
import { ignoredCountNote, maxSmallPages, sweep } from './sweep';
import type { SearchOutcome, PollResult, WatchTask } from './task';

const maxAttempts = 6;
/** The clocks of this machine and the service may differ by this much (milliseconds). */
export const clockMargin = 5 * 60_000;

/**
 * One poll: finds what is new in a list. The service has no "changed since", does not say how a list is sorted, and may count wrongly. So
 * a poll compares the list with what it knows, in four steps:
 *
 * 1. **Look where new results enter.** Page 1 is read in every poll. A list that is sorted by creation time (New Charge; order.ts proves
 *    it) has them at its newest end (newest.ts): the poll reads what is newer than the last one saw, and four times in each Look Back all
 *    that was made after the floor, where late ones are. If more is new than Max per Run, it reads from the oldest new one on. Other lists
 *    have them anywhere (ends.ts): if the list has grown by more than page 1 shows, the poll reads the last page, and wherever known
 *    results have moved.
 * 2. **Sweep** (sweep.ts): read the whole list, over several polls if it is long. That happens in each poll if the list is short, every
 *    15 minutes if it has no order, and whenever the growth stays unexplained. A sweep also shows what has left, how the list is sorted,
 *    and whether the service counts wrongly.
 * 3. **Deliver** (finish.ts) what is new, oldest first or in the order of the list, up to Max per Run.
 * 4. **Remember** (finish.ts, cursor.ts): IDs in known.ts, or with creation times the IDs above the floor in creationTimes.ts. When the
 *    workflow is published, all that is listed is known, and nothing is delivered.
 *
 * reading.ts reads consecutive pages so that nothing slips between two of them, boundary.ts searches for a page, and poll.ts holds what a
 * poll knows and has seen. If the list is not what the cursor says, for example less sorted or counted wrongly, the poll starts over with
 * a better cursor.
 *
 * Finds up to `maxEntries` new results. Throws UnreadablePageError, PagingError, MissingFieldError and ListTooLongError.
 */
export async function findNew(task: WatchTask, cursor: Cursor): Promise<PollResult> {
	const notes: string[] = [];
	const budget = new Budget(task.left);
	const begin = task.now();
	let from: Cursor = cursor;
	let isSecond = false;
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const tried: Cursor = from;
		const poll: Poll = new Poll(task, tried, budget, { notes, isSecond });
		const outcome: SearchOutcome = await search(poll).catch((error: Error): SearchOutcome => {
			if (!(error instanceof WrongCountError)) throw error;
			notes.push(ignoredCountNote);
			const reset = { reading: undefined, seen: undefined, ignoresCount: true };
			return failed({ from: { ...tried, ...reset } });
		});
		if (outcome.ok) {
			const found = outcome.value;
			noteRefusedPages(poll);
			const next = withAfter(found.cursor, begin);
			const isSame = JSON.stringify(next) === JSON.stringify(cursor);
			return {
				entries: found.entries,
				cursor: isSame ? cursor : next,
				notes: [...new Set([...notes, ...(task.notes ?? [])])],
			};
		}
		from = outcome.failure.from;
		isSecond ||= outcome.failure.isSecond === true;
	}
	throw new PagingError(`The list of ${task.noun} changes faster than it can be read`);
}

function noteRefusedPages({ notes, task: { noun }, refusal }: Poll): void {
	if (!refusal) return;
	const { from, failure } = refusal;
	const why = [failure.status, failure.reason].filter((text) => text !== undefined).join(': ');
	notes.push(
		`The service refuses to list ${noun} beyond the first ${from} (status ${why}). The trigger only watches those ${from}.`,
	);
}

/** Even if the list cannot be read yet, results created after this poll began count as new. */
function withAfter(next: Cursor, begin: number): Cursor {
	if (!next.times || !next.isBaseline || next.after !== undefined) return next;
	return { ...next, after: Math.max(begin - clockMargin, timeFromJson(next.times.listed)) };
}

/**
 * Where a poll looks. The first line that applies:
 *
 *   the list has few pages, or a reading of it goes on           all of it (sweep)
 *   its creation times show that it is sorted                    its newest end (searchSorted)
 *   it was read before, and nothing waits                        page 1, the last page, and where results have moved (searchEnds),
 *                                                                if that explains its growth
 *   otherwise                                                    all of it (sweep)
 */
async function search(poll: Poll): Promise<SearchOutcome> {
	const { cursor, task, isBaseline, notes } = poll;
	const { reading, times } = cursor;
	const first = await poll.readFirst();
	if (!times) await checkLength(poll);
	const length = poll.count ?? cursor.seen ?? poll.whole.size;
	const pageCount = first.next ? Math.ceil(length / poll.pageLength) : 1;
	const isLengthKnown = poll.count !== undefined || !times;
	const isSmall = !first.next || (pageCount <= maxSmallPages && isLengthKnown);
	// Go on only on the same day: at midnight a result may start to match the event, e.g. become overdue.
	const isSameReading = reading?.pageSize === task.settings.pageSize && reading.day === task.today;
	const isResumed = isSameReading && reading.reach > 0 && first.next !== null;
	if (isSmall || isResumed) return await sweep(poll, isResumed ? reading : undefined);
	if (times && !mustReadWhole(poll)) {
		const order = times.order ?? (await learnOrder(poll, first));
		if (order.direction !== 'none') return await searchSorted(poll, order, first);
		if (!times.order) notes.push(noOrderNote);
		if (length > maxListLength) throw listTooLong(task.noun, length);
	}
	const isReadWhole = isBaseline || cursor.hasMore;
	return (
		(!isReadWhole && (await searchEnds(poll, first, pageCount))) || (await sweep(poll, undefined))
	);
}

/** Lists of up to this many pages are read completely until there is a count to compare with. */
const maxPagesWithoutCount = 50;

/** Whether results were missed, or no earlier count can confirm that the order was learned correctly. */
function mustReadWhole({ cursor, isBaseline, task, count = Infinity }: Poll): boolean {
	const { seen, missed = 0, hasMore } = cursor;
	if (missed > maxMissedPolls && count <= maxListLength) return true;
	const maxLength = Math.max(minRefusedDepth, maxPagesWithoutCount * task.settings.pageSize);
	return !isBaseline && seen === undefined && !hasMore && count <= maxLength;
}

const sampleFractions = [0.25, 0.5, 0.75, 1];
const samplePages = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

async function learnOrder(poll: Poll, first: ListPage): Promise<Order> {
	const { count, lastPage: last } = poll;
	const numbers =
		last !== undefined && count
			? sampleFractions.map((fraction) => Math.max(2, Math.ceil(last * fraction)))
			: samplePages;
	const sampled = [first];
	const seen = new Set(first.ids);
	for (const number of new Set(numbers)) {
		if (poll.budget.left <= reservedRequests && sampled.length > 2) break;
		const page = await poll.peek(number);
		// Far back, a service may return nothing or repeat a page.
		if (page.ids.every((id) => seen.has(id))) break;
		for (const id of page.ids) seen.add(id);
		sampled.push(page);
	}
	return orderOf(sampled.map(timesOf), poll.task.settings.lookBack);
}

/** Throws ListTooLongError if the list is as long as its count, or the service refuses the page that would show it. */
async function checkLength(poll: Poll): Promise<void> {
	const { task, count = 0, pageLength } = poll;
	if (count <= maxListLength) return;
	const number = Math.floor(maxListLength / pageLength) + 1;
	const beyond = await poll.peek(number).catch((error: Error) => {
		const { start } = rangeOf(number, pageLength);
		if (!(error instanceof UnreadablePageError && isDepthRefusal(error.failure, start)))
			throw error;
	});
	if (!beyond || beyond.ids.length > 0) throw listTooLong(task.noun, count);
}
