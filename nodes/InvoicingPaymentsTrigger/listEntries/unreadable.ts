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
	const { seenCount, mostCounted, pageLength } = pages;
	const isDeep = seenCount >= leastDepth;
	if (isDeep && (await pages.endOfList()) === 'cutOff') throw tooDeep(task.noun, seenCount);
	const isFull = seenCount % pageLength === 0;
	if (isDeep && isFull && mostCounted > seenCount + 1) throw tooDeep(task.noun, seenCount);
	const beyond = await pages.look(Math.ceil(seenCount / pageLength) + 1);
	if ('failure' in beyond) throw new Unreadable(beyond.failure);
	return beyond.ids.length === 0;
}
