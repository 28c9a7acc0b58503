import type { Cursor } from './cursor';
import { timeFromJson } from './cursor';
import { beginSorted } from './begin';
import { Budget, reservedRequests } from './budget';
import {
	isDepthRefusal,
	listTooLong,
	maxListLength,
	minRefusedDepth,
	PagingError,
	UnreadablePageError,
	WrongCountError,
} from './errors';
import { rangeOf } from '../../shared/pagination/overlap';
import { glance } from './glance';
import type { ListPage } from './list';
import { timesOf } from './list';
import type { Order } from './order';
import { orderOf } from './order';
import { Search } from './search';
import { maxMissedPolls, noOrderNote, searchSorted } from './sorted';
import { ignoredCountNote, maxSmallPages, readWhole } from './whole';
import type { Outcome, PollResult, WatchTask } from './task';

const maxAttempts = 6;
/** The clocks of this machine and the service may differ by this much (milliseconds). */
export const clockMargin = 5 * 60_000;

/**
 * One search for what is new in a list. The service has no "changed since", does not say how a list is sorted, and may count wrongly. So a
 * poll compares the list with what it knows, and reads as few pages as it can:
 *
 * 1. It reads page 1. A short list (five pages) is read whole.
 * 2. If the last poll could not read the whole list, it goes on where that one ended.
 * 3. If the list has creation times (New Charge), five pages show whether it is sorted (learnOrder). A sorted one (sorted.ts) is read from the
 *    newest end: mostly until as many new results are found as the list has grown, but four times in each Look Back down to the floor. What
 *    was created before the floor is old. If more is new than Max per Run, it looks for the oldest new result and reads from there. What it
 *    has delivered lies below the bottom, which moves up from poll to poll.
 * 4. In lists without creation times, and without an order, it looks at the first page, the last one, and where results have moved
 *    (glance.ts).
 * 5. It reads the whole list (whole.ts) if the growth stays unexplained, if the list turns out to be unsorted, and every 15 minutes if it has
 *    no order. That shows what has left, and whether the service counts wrongly.
 * 6. It delivers what is new, oldest first or in list order, and saves what it knows. When the workflow is published (begin.ts), it delivers
 *    nothing, and only saves.
 *
 * list.ts fetches pages, stretch.ts reads consecutive ones, and search.ts holds what a poll knows and has seen. The state between polls is
 * a Cursor. Finds up to `maxEntries` new results. Throws UnreadablePageError, PagingError and ListTooLongError.
 */
export async function findNew(task: WatchTask, cursor: Cursor): Promise<PollResult> {
	const notes: string[] = [];
	const budget = new Budget(task.left);
	const begin = task.now();
	let from: Cursor = cursor;
	let isSecond = false;
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const tried: Cursor = from;
		const search: Search = new Search(task, tried, budget, notes, isSecond);
		const outcome: Outcome = await searchList(search).catch((error: Error): Outcome => {
			if (!(error instanceof WrongCountError)) throw error;
			notes.push(ignoredCountNote);
			const reset = { reading: undefined, seen: undefined, ignoresCount: true };
			return { retryFrom: { ...tried, ...reset } };
		});
		if ('entries' in outcome) {
			noteRefusedPages(search);
			const next = withAfter(outcome.cursor, begin);
			const isSame = JSON.stringify(next) === JSON.stringify(cursor);
			return {
				entries: outcome.entries,
				cursor: isSame ? cursor : next,
				notes: [...new Set([...notes, ...(task.notes ?? [])])],
			};
		}
		from = outcome.retryFrom;
		isSecond ||= outcome.isSecond === true;
	}
	throw new PagingError(`The list of ${task.noun} changes faster than it can be read`);
}

function noteRefusedPages({ notes, task: { noun }, list: { refusal } }: Search): void {
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

async function searchList(search: Search): Promise<Outcome> {
	const { cursor, task, list, isBaseline, notes } = search;
	const { reading } = cursor;
	const first = await list.readFirst();
	if (!cursor.times) await checkLength(search);
	const length = list.count ?? cursor.seen ?? search.whole.size;
	const pageCount = first.next ? Math.ceil(length / list.pageLength) : 1;
	const isLengthKnown = list.count !== undefined || !cursor.times;
	const isSmall = !first.next || (pageCount <= maxSmallPages && isLengthKnown);
	// Go on only on the same day: at midnight a result may start to match the event, e.g. become overdue.
	const isSameReading = reading?.pageSize === task.settings.pageSize && reading.day === task.today;
	const isResumed = isSameReading && reading.reach > 0 && first.next !== null;
	if (!isSmall && !isResumed) {
		if (cursor.times && !mustReadWhole(search)) {
			const order = cursor.times.order ?? (await learnOrder(search, first));
			if (order.direction !== 'none')
				return await (isBaseline ? beginSorted : searchSorted)(search, order, first);
			if (!cursor.times.order) notes.push(noOrderNote);
			if (length > maxListLength) throw listTooLong(task.noun, length);
		}
		const found = isBaseline || cursor.hasMore ? undefined : await glance(search, first, pageCount);
		if (found) return found;
	}
	return await readWhole(search, first, isResumed ? reading : undefined);
}

/** Lists of up to this many pages are read completely until there is a count to compare with. */
const maxPagesWithoutCount = 50;

/** Whether results were missed, or no earlier count can confirm that the order was learned correctly. */
function mustReadWhole({ cursor, isBaseline, task, list }: Search): boolean {
	const { count = Infinity } = list;
	const { seen, missed = 0, hasMore } = cursor;
	if (missed > maxMissedPolls && count <= maxListLength) return true;
	const maxLength = Math.max(minRefusedDepth, maxPagesWithoutCount * task.settings.pageSize);
	return !isBaseline && seen === undefined && !hasMore && count <= maxLength;
}

const sampleFractions = [0.25, 0.5, 0.75, 1];
const samplePages = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

async function learnOrder({ list, task }: Search, first: ListPage): Promise<Order> {
	const { count } = list;
	const last = count === undefined ? undefined : Math.ceil(count / list.pageLength);
	const numbers = last
		? sampleFractions.map((fraction) => Math.max(2, Math.ceil(last * fraction)))
		: samplePages;
	const sampled = [first];
	const seen = new Set(first.ids);
	for (const number of new Set(numbers)) {
		if (list.budget.left <= reservedRequests && sampled.length > 2) break;
		const page = await list.peek(number);
		// Far back, a service may return nothing or repeat a page.
		if (page.ids.every((id) => seen.has(id))) break;
		for (const id of page.ids) seen.add(id);
		sampled.push(page);
	}
	return orderOf(sampled.map(timesOf), task.settings.lookBack);
}

/** Throws ListTooLongError if the list is as long as its count, or the service refuses the page that would show it. */
async function checkLength({ task, list }: Search): Promise<void> {
	const { count = 0, pageLength } = list;
	if (count <= maxListLength) return;
	const number = Math.floor(maxListLength / pageLength) + 1;
	const beyond = await list.peek(number).catch((error: Error) => {
		const { start } = rangeOf(number, pageLength);
		if (!(error instanceof UnreadablePageError && isDepthRefusal(error.failure, start)))
			throw error;
	});
	if (!beyond || beyond.ids.length > 0) throw listTooLong(task.noun, count);
}
