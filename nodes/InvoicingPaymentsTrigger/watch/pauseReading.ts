import { toJson } from './cursor';
import type { Pages } from './pages';
import type { Outcome, Poll } from './task';
import { deliver, maxMiscounts, updateListed, savedFields, wrongCountNote } from './task';

/** Polls without progress after which a reading is given up, while the count is trusted. */
export const maxStalledPolls = 3;

/** Ends a poll without budget or after a failure. The next one continues, or starts over with `startOver`. */
export function pauseReading(
	poll: Poll,
	pages: Pages,
	{ startOver = false, hasFailed = false } = {},
): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timed, isBaseline } = poll;
	// Those older than the floor are forgotten at the end of the reading.
	if (timed && isBaseline) timed.known.add(pages.seenNow);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? toJson(timed?.position.listed ?? -Infinity);
	updateListed(poll, pages);
	const stored = startOver ? [] : pages.pagesToStore(waiting);
	const before = cursor.reading?.pages.length ?? 0;
	const isStalled = entries.length === 0 && before > 0 && stored.length <= before;
	const { stalled: times = 0 } = cursor.reading ?? {};
	// A failure of the service says nothing about its count.
	const stalled = isStalled ? times + Number(!hasFailed) : 0;
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		...(timed && { listed }),
		...(stalled > 0 && { stalled }),
		pages: stored,
	};
	if (stalled >= maxStalledPolls && !poll.ignoresCount) {
		poll.notes.push(wrongCountNote);
		const kept = { ...cursor, ...savedFields(poll), reading: undefined, miscounts: maxMiscounts };
		return { entries, cursor: kept };
	}
	return { entries, cursor: { ...cursor, ...savedFields(poll), reading } };
}
