import type { EntryPoll, Outcome } from './entryPoll';
import { deliver } from './entryPoll';
import type { EntryPages } from './pages';

/** The time or the room of this poll is used up: the next one goes on where it ended, or `isAnew` reads everything again. */
export function goOnLater(poll: EntryPoll, pages: EntryPages, isAnew = false): Outcome {
	const { entries, waiting } = deliver(poll, pages);
	const { cursor, known, search } = poll;
	const { today: day } = poll.task;
	const reading = {
		pageSize: search.pageSize,
		...(day !== undefined && { day }),
		pages: isAnew ? [] : pages.toStore(waiting),
	};
	return { entries, cursor: { ...cursor, ...known.save(), reading } };
}
