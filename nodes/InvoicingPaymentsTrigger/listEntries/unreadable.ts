import type { Page } from '../../shared/pagination/page';
import { isPastTheEnd } from '../../shared/pagination/page';
import type { Failure } from '../../shared/transport/failure';
import { Inconsistent, Unreadable } from '../common/problems';
import type { EntryPoll, Outcome } from './entryPoll';
import { deliver, mostMiscounts, wrongCount } from './entryPoll';
import { goOnLater } from './goOnLater';
import { EntryPages } from './pages';
import { isOfDepth, leastDepth, tooDeep } from './tooLong';

/**
 * What is made of a list that could not be read to its end: what was read until then counts. Where that is nothing, or the list does not
 * go together, it throws Unreadable, Inconsistent or TooLong.
 */
export async function afterFailure(
	poll: EntryPoll,
	pages: EntryPages,
	failure: Failure,
): Promise<Outcome> {
	const { task, cursor, search } = poll;
	const isInconsistent = failure.kind === 'unexpected' && failure.path === '';
	// What earlier polls have read may not go together with what the list is now.
	if (isInconsistent && cursor.reading) return { again: { ...cursor, reading: undefined } };
	if (isInconsistent && !poll.ignoresCount) {
		const is = await isCountWrong(poll);
		if (is === 'unknown') return doubtCount(poll, pages);
		if (is) {
			poll.notes.push(wrongCount);
			return { again: { ...cursor, miscounts: mostMiscounts } };
		}
	}
	if (isOfDepth(failure, search.pageSize)) throw tooDeep(task.noun, pages.seenCount);
	if (isInconsistent && pages.found.size === 0)
		throw new Inconsistent(`The list of ${task.noun} cannot be read: ${failure.reason}`);
	if (pages.found.size === 0 && !pages.hasProgress) throw new Unreadable(failure);
	return goOnLater(poll, pages, isInconsistent);
}

/** There is no time to read the list without its count: after some polls the count is not believed any more. */
function doubtCount(poll: EntryPoll, pages: EntryPages): Outcome {
	const { cursor, known } = poll;
	const { entries } = deliver(poll, pages);
	const miscounts = (cursor.miscounts ?? 0) + 1;
	return { entries, cursor: { ...cursor, ...known.save(), miscounts } };
}

/**
 * Whether the count is too high: read without it, the list ends with nothing behind. `unknown`: there is no time to read it. Throws
 * Unreadable, and TooLong where the service gives no more of it.
 */
async function isCountWrong({ task, search }: EntryPoll): Promise<boolean | 'unknown'> {
	const pages = new EntryPages({ ...search, ignoresCount: true });
	const first = await pages.first();
	if ('failure' in first) throw new Unreadable(first.failure);
	const ending = await pages.readWhole();
	if ('failure' in ending && ending.failure.path) throw new Unreadable(ending.failure);
	if ('failure' in ending) return false;
	if (ending.end === 'paused') return 'unknown';
	const { seenCount, pageLength } = pages;
	const isDeep = seenCount >= leastDepth;
	if (isDeep && (await pages.endOfList()) === 'cutOff') throw tooDeep(task.noun, seenCount);
	const lastPage = Math.ceil(seenCount / pageLength);
	const beyond = await pages.look(lastPage + 1);
	if ('failure' in beyond) throw new Unreadable(beyond.failure);
	if (beyond.ids.length > 0) return false;
	if (!isDeep) return true;
	const last = await search.fetchPage(lastPage);
	if ('page' in last && isCutShort(last.page, lastPage, pageLength))
		throw tooDeep(task.noun, seenCount);
	if ('failure' in last && !isPastTheEnd(last)) throw new Unreadable(last.failure);
	return true;
}

/**
 * Whether a full page says that it is the last one, and counts results behind it. Only a single answer proves that: counts of other
 * answers differ from the page when the list changes in between. One more than there are is a common mistake in counting.
 */
function isCutShort({ results, next, count = 0 }: Page, page: number, pageLength: number): boolean {
	return next === null && results.length === pageLength && count > page * pageLength + 1;
}
