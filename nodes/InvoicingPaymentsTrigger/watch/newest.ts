import { ok, failed } from '../../shared/result';
import { findBoundary } from './boundary';
import { reservedRequests } from './budget';
import type { Times } from './cursor';
import { timeToJson } from './cursor';
import { UnreadablePageError } from './errors';
import type { GoOn } from './finish';
import { finishByTime, saved } from './finish';
import type { Order } from './order';
import { noOrder, slackOf } from './order';
import type { ListPage, Poll } from './poll';
import { timesOf } from './poll';
import type { Stretch, StretchOutcome } from './stretch';
import { placeOf, StretchReader } from './stretch';
import type { SearchOutcome } from './task';

/** If more polls than this come no further with a pass that is needed, the whole list is read. Of other passes, only the first few count. */
const maxStuckPolls = 5;
const idleStuckPolls = 3;

export const noOrderNote =
	'The service lists charges in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';

/** What a poll has read of a sorted list. */
interface Reads {
	/** `undefined`: only the pass goes on. */
	newest?: StretchOutcome;
	/** `undefined`: no pass is due, or there is no time for it. */
	passed?: StretchOutcome;
	/** There was no time for a pass that is due, so the next poll has all its time for it. */
	isPassNext?: true;
}

/**
 * Finds what is new in a list that is sorted by creation time, in two ways:
 *
 * - **The newest end**: what is newer than earlier polls have seen, or at least what explains the growth of the list.
 * - **A pass** from the floor up to the newest end, where late ones are found: four times in each Look Back, and whenever the newest end
 *   leaves something open. A poll reads as far as it can, and the next one goes on there, at the bottom. Meanwhile, the newest end is read
 *   in each poll, or in every other one if there is no time for both. Only if more is new than a poll can deliver of a list sorted newest
 *   first, the pass goes on alone, so that the oldest come first.
 *
 * Starts over if the list is less sorted than expected.
 */
export async function searchSorted(
	poll: Poll,
	order: Order,
	first: ListPage,
): Promise<SearchOutcome> {
	const { cursor, isBaseline, listedBefore } = poll;
	if (isBaseline) await beginAtNewest(poll, order);
	const reader = new StretchReader(poll, order, first);
	const reads = await readBoth(poll, reader);
	const stretches = stretchesOf(reads);
	const hasNewest = stretches.some((stretch) => stretch.hasNewest);
	// Pages that do not fit together show nothing; what is missing between them may be a wrong count.
	if (isBaseline && !(hasNewest && stretches[0].isRead)) return beginLater(poll, order);
	const goOn = whereToGoOn(poll, order, reads, reader.nearEnd);
	const { stuck, isPassNext } = goOn;
	if (stuck > maxStuckPolls) return unsorted(poll);
	const hasMore = reads.newest ? true : cursor.hasMore;
	if (stretches.length === 0) {
		const places = { bracket: goOn.bracketAt(poll.bottom), nearEnd: goOn.nearEndAt(poll.listed) };
		const next = saved(poll, { order, stuck: stuck || undefined, isPassNext, ...places });
		return ok({ entries: [], cursor: { ...cursor, ...next, hasMore } });
	}
	return (
		restarted(poll, order, stretches) ??
		finishByTime(poll, {
			order,
			listedBefore,
			newIds: new Set(stretches.flatMap(({ newIds }) => [...newIds])),
			coversAllNew: hasNewest,
			hasMore,
			passedTo: stretches[stretches.length - 1].passedTo,
			isGap: stretches.some(({ isGap }) => isGap),
			goOn,
		})
	);
}

const stretchesOf = ({ newest, passed }: Reads): Stretch[] =>
	[newest, passed].flatMap((read) => (read?.ok ? [read.value] : []));

async function readBoth(poll: Poll, reader: StretchReader): Promise<Reads> {
	const { cursor, isBaseline, budget } = poll;
	if (isBaseline || cursor.times?.isPassNext) return { passed: await reader.readPass(false) };
	const newest = await reader.readNewest();
	if (!isPassDue(poll, newest)) return { newest };
	if (newest.ok && budget.left <= reservedRequests) return { newest, isPassNext: true };
	return { newest, passed: await reader.readPass(!newest.ok) };
}

function isPassDue(poll: Poll, newest: StretchOutcome): boolean {
	if (!newest.ok || needsPass(poll, newest)) return true;
	const { hasNewest, passedTo } = newest.value;
	const { missed = 0, times } = poll.cursor;
	const sincePass = Math.abs(poll.begin - (times?.passedAt ?? -Infinity));
	// What the newest end leaves waits for the next poll.
	const isOpen = hasNewest && passedTo !== Infinity;
	return isOpen && (missed > 0 || sincePass >= poll.task.settings.lookBack / 4);
}

/** Whether new results are known to lie outside of the newest end. */
function needsPass({ growth = 0 }: Poll, newest: StretchOutcome): boolean {
	if (!newest.ok) return true;
	const { hasNewest, passedTo, newIds } = newest.value;
	return hasNewest && passedTo !== Infinity && growth > newIds.size;
}

/** `nearEnd`: the page where the newest end began, if it is still there. */
function whereToGoOn(poll: Poll, order: Order, reads: Reads, nearEnd: number | undefined): GoOn {
	const { newest, passed, isPassNext } = reads;
	const { times } = poll.cursor;
	const bracket = passed?.ok === false ? passed.failure.bracket : times?.bracket;
	const ends = stretchesOf(reads).filter(({ hasNewest }) => newest || hasNewest);
	const [end] = order.direction === 'oldestFirst' ? ends : [];
	return {
		stuck: stuckPolls(poll, reads),
		isPassNext,
		bracketAt: (bottom) => (passed?.ok ? placeOf(passed.value, poll, order, bottom) : bracket),
		nearEndAt: (time) => (end && placeOf(end, poll, order, time)?.low) ?? nearEnd,
	};
}

/** Consecutive polls that have come no further with a pass. */
function stuckPolls(poll: Poll, reads: Reads): number {
	const { newest, passed } = reads;
	const { stuck: before = 0 } = poll.cursor.times ?? {};
	const isSearching = passed?.ok === false && passed.failure.isCloser;
	let stuck = before;
	if (passed && !isSearching) stuck = isFurther(poll, reads) ? 0 : before + 1;
	return newest && needsPass(poll, newest) ? stuck : Math.min(stuck, idleStuckPolls);
}

/** Whether a pass has come further, or shows what is new and was found nowhere else. */
function isFurther({ bottom }: Poll, { newest, passed }: Reads): boolean {
	if (!passed?.ok) return false;
	const { passedTo = Infinity, newIds } = passed.value;
	return passedTo > bottom || (newest?.ok === false && newIds.size > 0);
}

/** Sets the floor to Look Back before the newest result: what is listed after it is known then. Reads the page that has the newest. */
async function beginAtNewest(poll: Poll, { direction }: Order): Promise<void> {
	const { task, lastPage } = poll;
	if (direction === 'oldestFirst') {
		const isListed = ({ results }: ListPage) => results.length > 0;
		await poll.peek(lastPage ?? (await findBoundary(poll, isListed, { low: 1 })).bracket.low);
		if (poll.refusal) throw new UnreadablePageError(poll.refusal.failure);
	}
	poll.floor = poll.bottom = poll.newestKnown - task.settings.lookBack;
}

/** If the next poll runs out of time, too, everything created since this one is new. */
function beginLater({ cursor, listed, recent }: Poll, order: Order): SearchOutcome {
	const { after } = cursor;
	if (after === undefined) return ok({ entries: [], cursor });
	const times: Times = { floor: after, listed: timeToJson(listed), ...recent.save(), order };
	return ok({ entries: [], cursor: { known: '', times } });
}

/** If results are further out of order than expected, the search starts over. */
function restarted(
	poll: Poll,
	{ direction, slack: expected }: Order,
	reads: Stretch[],
): SearchOutcome | undefined {
	const slack = Math.max(...reads.map((read) => slackOf([timesOf(read)], direction)));
	if (slack <= expected) return undefined;
	if (slack > poll.task.settings.lookBack) return unsorted(poll);
	return startedOver(poll, { order: { direction, slack } });
}

/** From now on, the list counts as one without an order, which can be read in parts, from page to page. */
function unsorted(poll: Poll): SearchOutcome {
	poll.notes.push(noOrderNote);
	const unknown = { passedAt: undefined, bottom: undefined, seenBeforePass: undefined };
	return startedOver(poll, { order: noOrder, ...unknown });
}

function startedOver({ cursor }: Poll, change: Partial<Times>): SearchOutcome {
	const times = { ...(cursor.times as Times), ...change, bracket: undefined, stuck: undefined };
	return failed({ from: { ...cursor, times } });
}
