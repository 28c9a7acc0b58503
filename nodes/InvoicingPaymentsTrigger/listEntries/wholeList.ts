import type { EntryCursor } from './cursor';
import type { EntryPoll, Outcome } from './entryPoll';
import { deliver, mostMiscounts, smallPages, wrongCount } from './entryPoll';
import { packSet, unpackIds } from './ids';
import type { EntryPages } from './pages';
import { leastDepth, longestList, tooDeep, tooLong } from './tooLong';
import { afterFailure } from './unreadable';
import { goOnLater } from './goOnLater';

/**
 * Reads the whole list, or as much of it as the poll has time and room for. `first`: the IDs of page 1, which can tell later that nothing
 * has changed. Throws Unreadable, Inconsistent and TooLong.
 */
export async function readWhole(
	poll: EntryPoll,
	pages: EntryPages,
	first: string,
): Promise<Outcome> {
	const { known, cursor, begin, task } = poll;
	const ending = await pages.readWhole();
	if ('failure' in ending) return await afterFailure(poll, pages, ending.failure);
	if (known.size + pages.present.size > 2 * longestList) throw tooLong(task.noun);
	if (ending.end === 'paused') return goOnLater(poll, pages);
	const { present, seenCount, hasOthers } = pages;
	if (present.size > longestList) throw tooLong(task.noun, present.size);
	const end = await pages.endOfList();
	if (end === 'mistake') return goOnLater(poll, pages, true);
	if (end === 'cutOff' && seenCount >= leastDepth) throw tooDeep(task.noun, seenCount);
	const miscounts = miscountsOf(poll, pages);
	const isLong = seenCount > smallPages * pages.pageLength;
	const common: EntryCursor = {
		kind: 'entries',
		known: '',
		...(miscounts > 0 && { miscounts }),
		...(isLong && {
			first,
			wholeAt: begin,
			...(task.today !== undefined && { day: task.today }),
			...([0, mostMiscounts].includes(miscounts) && { seen: seenCount }),
		}),
	};
	const isOrdered = isLong && !hasOthers && ending.order.length === seenCount;
	known.order = isOrdered ? ending.order : [];
	if (poll.isBaseline) return noteBaseline(poll, pages, ending.isSure, common);
	const { entries, waiting } = deliver(poll, pages);
	// Pages that do not overlap, read minutes apart, may have missed something.
	const isInParts = (cursor.reading?.pages.length ?? 0) > 0;
	known.settle(present, begin, ending.isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	const kept: EntryCursor = {
		...common,
		...known.save(),
		...(waiting.size > 0 && { hasMore: true, seen: undefined }),
	};
	// n8n need not save what has not changed.
	const isSame = JSON.stringify(kept) === JSON.stringify(cursor);
	return { entries, cursor: isSame ? cursor : kept };
}

/** How many readings in a row, with this one, did not find as many results as the service counts. */
function miscountsOf(
	{ cursor, ignoresCount, notes }: EntryPoll,
	{ steadyCount, seenCount }: EntryPages,
): number {
	const isMiscounted = steadyCount === undefined ? ignoresCount : steadyCount !== seenCount;
	if (!isMiscounted) return 0;
	const miscounts = Math.min(mostMiscounts, (cursor.miscounts ?? 0) + 1);
	if (miscounts === mostMiscounts && !ignoresCount) notes.push(wrongCount);
	return miscounts;
}

/**
 * What is in the list is not new, but for what the cursor says. Where pages did not overlap, or there were none, it is read once more:
 * what was missed would be taken for new.
 */
function noteBaseline(
	poll: EntryPoll,
	pages: EntryPages,
	isSure: boolean,
	common: EntryCursor,
): Outcome {
	const { known, cursor, begin, isConfirmed } = poll;
	const { present } = pages;
	const isSecond = known.size > 0 || isConfirmed;
	known.add([...present].filter((id) => !pages.found.has(id)));
	if (!isSecond && (!isSure || present.size === 0))
		return { again: { ...cursor, ...known.save(), reading: undefined }, isConfirmed: true };
	const { entries, waiting } = deliver(poll, pages);
	const before = new Set(unpackIds(cursor.before ?? ''));
	const shared = [...before].filter((id) => present.has(id)).length;
	// Another key of the same account: what was not known is new.
	if (before.size > 0 && shared >= before.size / 2) {
		const kept = { ...common, known: packSet(before), hasMore: true, seen: undefined };
		return { entries, cursor: kept };
	}
	// What was known may be there again when the list is read right.
	known.addMissing(before, begin);
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...common, ...known.save(), ...hasMore } };
}
