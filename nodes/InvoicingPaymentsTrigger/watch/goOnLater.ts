import { toJson } from './cursor';
import type { Pages } from './pages';
import type { Outcome, Poll } from './task';
import { deliver, mostMiscounts, noteListed, saved, wrongCount } from './task';

/** A reading that comes no further in so many polls never will, as long as the count is believed. */
export const mostStalled = 3;

/**
 * The time or the room of this poll is used up, or the service has failed: the next one goes on where it ended, or `isAnew` reads
 * everything again.
 */
export function goOnLater(
	poll: Poll,
	pages: Pages,
	{ isAnew = false, hasFailed = false } = {},
): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timed, isBaseline } = poll;
	// What will be older than the floor when all is read is forgotten then.
	if (timed && isBaseline) timed.known.add(pages.seenNow);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? toJson(timed?.position.listed ?? -Infinity);
	noteListed(poll, pages);
	const stored = isAnew ? [] : pages.toStore(waiting);
	const before = cursor.reading?.pages.length ?? 0;
	const isStalled = entries.length === 0 && before > 0 && stored.length <= before;
	const { stalled: times = 0 } = cursor.reading ?? {};
	// That the service fails says nothing of its count.
	const stalled = isStalled ? times + Number(!hasFailed) : 0;
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		...(timed && { listed }),
		...(stalled > 0 && { stalled }),
		pages: stored,
	};
	if (stalled >= mostStalled && !poll.ignoresCount) {
		poll.notes.push(wrongCount);
		const kept = { ...cursor, ...saved(poll), reading: undefined, miscounts: mostMiscounts };
		return { entries, cursor: kept };
	}
	return { entries, cursor: { ...cursor, ...saved(poll), reading } };
}
