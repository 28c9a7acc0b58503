import { Inconsistent, Unreadable } from '../common/problems';
import type { EntryCursor } from './cursor';
import type { EntryPoll, EntryTask, FoundEntries, Outcome } from './entryPoll';
import { openPoll, smallPages } from './entryPoll';
import { packSet } from './ids';
import { EntryPages } from './pages';
import { lookQuickly } from './quickLook';
import { longestList, tooLong } from './tooLong';
import { readWhole } from './wholeList';

/** How often a poll begins anew, with what it has learnt about the list. */
const mostAttempts = 5;

/**
 * One poll: finds what entered the list since the cursor, at most `maxEntries` of the task's settings. What is not delivered stays
 * new. Nothing changes until the cursor that it gives is saved, which is the same object where there is nothing to save.
 *
 * Page 1 and the count tell at the price of one request that nothing has changed; otherwise the new entries are looked for on page
 * 1, on the last page, where pages in between have moved, and then in the whole list. What entered while as much left is found by
 * the reading of the whole list every 15 minutes.
 *
 * Throws {@link Unreadable}, {@link Inconsistent} and TooLong.
 */
export async function findEntries(task: EntryTask, cursor: EntryCursor): Promise<FoundEntries> {
	const notes: string[] = [];
	let from = cursor;
	let isConfirmed = false;
	for (let attempt = 0; attempt < mostAttempts; attempt++) {
		const outcome = await findOnce(openPoll(task, from, { notes, isConfirmed }));
		if ('entries' in outcome) return { ...outcome, notes: [...notes, ...(task.notes ?? [])] };
		from = outcome.again;
		isConfirmed ||= outcome.isConfirmed === true;
	}
	throw new Inconsistent(`The list of ${task.noun} changes faster than it can be read`);
}

async function findOnce(poll: EntryPoll): Promise<Outcome> {
	const { cursor, search, ignoresCount, known } = poll;
	const { reading } = cursor;
	// What did not belong to the event yesterday may do so today.
	const isResumed = reading?.pageSize === search.pageSize && reading.day === poll.task.today;
	const pages = new EntryPages(search, isResumed ? reading.pages : []);
	const first = await pages.first();
	if ('failure' in first) throw new Unreadable(first.failure);
	const { count, next } = first.page;
	const told = ignoresCount ? undefined : count;
	if (next && told !== undefined && told > longestList) await checkLength(poll, pages, told);
	const length = told ?? cursor.seen ?? known.size;
	const pageCount = next ? Math.ceil(length / pages.pageLength) : 1;
	const isReading = poll.isBaseline || isResumed || cursor.hasMore === true;
	const quick =
		pageCount > smallPages && !isReading
			? await lookQuickly(poll, pages, first, pageCount)
			: undefined;
	return quick ?? (await readWhole(poll, pages, packSet(first.ids)));
}

/** Throws TooLong where there are results as far back as the count says. */
async function checkLength({ task }: EntryPoll, pages: EntryPages, count: number): Promise<void> {
	const beyond = await pages.look(Math.floor(longestList / pages.pageLength) + 1);
	if ('failure' in beyond || beyond.ids.length > 0) throw tooLong(task.noun, count);
}
