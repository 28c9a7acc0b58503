import { toJson } from './cursor';
import type { Pages } from './pages';
import type { Outcome, Poll } from './task';
import { deliver, newestSeen, saved } from './task';

/** The time or the room of this poll is used up: the next one goes on where it ended, or `isAnew` reads everything again. */
export function goOnLater(poll: Poll, pages: Pages, isAnew = false): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, search, timed, isBaseline } = poll;
	// What will be older than the floor when all is read is forgotten then.
	if (timed && isBaseline) timed.known.add(pages.seenNow);
	const { today: day } = poll.task;
	const listed = cursor.reading?.listed ?? toJson(timed?.position.listed ?? -Infinity);
	if (timed) timed.position.listed = Math.max(timed.position.listed, newestSeen(pages, poll.begin));
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		...(timed && { listed }),
		pages: isAnew ? [] : pages.toStore(waiting),
	};
	return { entries, cursor: { ...cursor, ...saved(poll), reading } };
}
