import { failed, ok } from '../../shared/result';
import type { Bracket, Cursor, Times } from './cursor';
import { timeFromJson, timeToJson } from './cursor';
import { maxListLength } from './errors';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { Order } from './order';
import type { Poll } from './poll';
import type { Reading } from './reading';
import type { SearchOutcome } from './task';

/** An empty list may be a mistake of the service. Results older than this are not new if they show up later (milliseconds). */
const maxAgeAfterEmpty = 24 * 3_600_000;
/** If more polls in a row than this find less than the list has grown by, the whole list is read. */
export const maxMissedPolls = 2;
/** Polls in a row that may not see everything, and find nothing. After that, the rest is given up. */
const maxGaps = 10;
const maxRemembered = 10_000;

const gapNote =
	'Some may be missing: the service orders those of the same moment anew for each page, lists some twice, or changes its list all the time.';

/** What a poll saves of a reading of the whole list. `seen`: its length. */
type WholeFields = Pick<Cursor, 'seen' | 'ignoresCount' | 'wholeAt' | 'day'>;

/** Where the next poll goes on with a sorted list. */
export interface GoOn {
	/** With a pass that has come to this bottom, or with the search for its page. */
	bracketAt(bottom: number): Bracket | undefined;
	/** With the newest end of a list sorted oldest first, if all up to this time was delivered. */
	nearEndAt(time: number): number | undefined;
	/** Consecutive polls whose pass has come no further. */
	stuck: number;
	/** The next poll only goes on with the pass. */
	isPassNext?: boolean;
}

/** A reading of a list with creation times. */
interface FoundByTime {
	order: Order | undefined;
	/** Only these new entries count. */
	newIds?: ReadonlySet<IdHash>;
	/** No new result lies outside of it, or none but those that were listed late. */
	coversAllNew: boolean;
	/** If not, more may be new. */
	hasMore?: boolean;
	/** A pass shows everything from the bottom up to this time. Infinity: up to the newest. */
	passedTo?: number;
	goOn?: GoOn;
	/** Some of it may be missing. */
	isGap: boolean;
	/** Latest creation time that was seen before it began. */
	listedBefore: number;
	/** Of a reading of the whole list. */
	fields?: WholeFields;
}

/** A reading of a whole list without creation times. */
interface FoundById extends Reading {
	/** It begins on a later page, because earlier polls have read those before. */
	isInParts: boolean;
	isLong: boolean;
	fields: WholeFields;
}

/** Delivers what is new by its creation time, and moves the bottom up, or at the end of a pass the floor. */
export function finishByTime(poll: Poll, found: FoundByTime): SearchOutcome {
	const { cursor, begin, notes, isBaseline } = poll;
	const { order, fields, newIds, passedTo, goOn } = found;
	const { times } = cursor;
	if (isBaseline) beginByTime(poll);
	const { entries, waiting, oldestLeft } = poll.deliver(order?.direction, newIds);
	const before = entries.length > 0 ? 0 : (times?.gaps ?? 0);
	const gaps = found.isGap && !isBaseline ? before + 1 : 0;
	const isGivenUp = gaps >= maxGaps;
	if (isGivenUp) notes.push(gapNote);
	const isComplete = gaps === 0 || isGivenUp;
	const isAll = found.coversAllNew && waiting.size === 0 && isComplete;
	const isPassed = fields !== undefined || (isAll && passedTo === Infinity);
	const growth = explainGrowth(poll, entries.length, { isAll, isPassed, fields });
	const seenBefore = seenBeforePass(poll, found);
	if (!isBaseline && isComplete && passedTo !== undefined) {
		const { isExplained } = growth;
		moveUp(poll, { upTo: Math.min(passedTo, oldestLeft - 1), seenBefore, isPassed, isExplained });
	}
	forgetTooMany(poll, { isAll, order, seenBefore });
	const isUnderWay = !isPassed && (passedTo ?? times?.seenBeforePass) !== undefined;
	const nearEnd =
		isComplete && goOn ? goOn.nearEndAt(Math.min(poll.listed, oldestLeft) - 1) : times?.nearEnd;
	const begun = isBaseline ? poll.newestKnown : times?.begun;
	const known = saved(poll, {
		order,
		passedAt: isPassed ? begin : times?.passedAt,
		seenBeforePass: isUnderWay ? timeToJson(seenBefore) : undefined,
		bracket: isPassed ? undefined : goOn?.bracketAt(poll.bottom),
		nearEnd,
		stuck: goOn?.stuck || undefined,
		isPassNext: goOn?.isPassNext,
		gaps: gaps || undefined,
		begun: fields ? undefined : begun,
	});
	const next: Cursor = {
		ignoresCount: cursor.ignoresCount,
		...fields,
		seen: growth.seen,
		missed: growth.missed,
		hasMore: isAll ? undefined : waiting.size > 0 || !isComplete || found.hasMore,
		...known,
	};
	return ok({ entries, cursor: next });
}

/**
 * Whether as many new results were found as the list has grown by, and the count to compare with next time:
 *
 * | All that was found is delivered | Growth is explained | `seen` | `missed` |
 * |---|---|---|---|
 * | The whole list was read | if it is as long as its count | its length without what waits | none |
 * | yes | yes | the count | none |
 * | yes, by a pass | no | what it was, and what is delivered | one more |
 * | no: a backlog, a gap, or a pass that goes on | that cannot be said | what it was, and what is delivered | as before |
 */
function explainGrowth(
	{ cursor, count, newEntries, isBaseline, notes }: Poll,
	delivered: number,
	{ isAll, isPassed, fields }: { isAll: boolean; isPassed: boolean; fields?: WholeFields },
): { isExplained: boolean; seen?: number; missed?: number } {
	const { missed = 0 } = cursor;
	if (fields) {
		const left = newEntries.size - delivered;
		// What came meanwhile can be new, or hidden among others of its moment.
		const isExplained = fields.ignoresCount === true || (count ?? 0) <= (fields.seen ?? Infinity);
		return { isExplained, seen: fields.seen && fields.seen - left };
	}
	if (count === undefined) return { isExplained: true, missed: isAll ? undefined : missed };
	const before = isBaseline ? count - newEntries.size : cursor.seen;
	const seen = before === undefined ? undefined : before + delivered;
	const unfound = seen === undefined ? 0 : count - seen;
	if (isAll && unfound <= 0) return { isExplained: true, seen: count };
	if (!isPassed) return { isExplained: false, seen, missed: missed || undefined };
	// The whole of a longer list cannot be read, so its count must be wrong.
	const isCountWrong = missed >= maxMissedPolls && count > maxListLength;
	if (!isCountWrong) return { isExplained: false, seen, missed: missed + 1 };
	notes.push(`The service's count is ${unfound} too high, which is ignored.`);
	return { isExplained: true, seen: count };
}

/** What is listed when the workflow is published is not new, but what shows up later within Look Back of it is. */
function beginByTime(poll: Poll): void {
	const { task, begin, listed, newestKnown } = poll;
	const { lookBack } = task.settings;
	poll.knowListed();
	const lowest = begin - Math.max(maxAgeAfterEmpty, lookBack);
	poll.floor = Math.max(poll.floor, listed > -Infinity ? newestKnown - lookBack : lowest);
	poll.bottom = poll.floor;
}

/** Latest creation time that was seen before the pass began: what is listed late from then on is at most Look Back older. */
function seenBeforePass(poll: Poll, { fields, listedBefore }: FoundByTime): number {
	const { task, begin, listed, cursor } = poll;
	if (fields) return listedBefore;
	const { seenBeforePass: before } = cursor.times ?? {};
	if (before !== undefined) return timeFromJson(before);
	return listedBefore === -Infinity ? listed - (task.now() - begin) : listedBefore;
}

/**
 * The bottom moves up as far as a pass has come, but not above what waits. At the end of a pass, everything is known that was created Look
 * Back before it began or earlier, and the next pass begins there.
 */
function moveUp(
	poll: Poll,
	step: { upTo: number; seenBefore: number; isPassed: boolean; isExplained: boolean },
): void {
	const { upTo, seenBefore, isPassed, isExplained } = step;
	const knownUntil = isPassed ? Math.min(seenBefore - poll.task.settings.lookBack, upTo) : upTo;
	// Unfound results can be of any age.
	if (isPassed && isExplained) poll.floor = Math.max(poll.floor, knownUntil);
	poll.bottom = Math.max(isPassed ? poll.floor : poll.bottom, knownUntil);
}

/** Raises the floor so far that few enough results are remembered. In a backlog, what is newer than the bottom was not delivered. */
function forgetTooMany(
	poll: Poll,
	{ isAll, order, seenBefore }: { isAll: boolean; order?: Order; seenBefore: number },
): void {
	const { recent, bottom, listedBefore, listed, notes, task } = poll;
	const newest = isAll ? listedBefore : bottom - (order?.slack ?? 0);
	const raised = recent.floorFor(maxRemembered, newest);
	if (raised <= poll.floor) return;
	poll.floor = raised;
	if (raised <= seenBefore - task.settings.lookBack) return;
	const minutes = Math.max(0, Math.round((listed - raised) / 60_000));
	notes.push(`Too many new charges: late ones are only looked for ${minutes} minutes back.`);
}

/** Delivers what is new by its ID, and notes what has left the list. */
export function finishById(poll: Poll, found: FoundById): SearchOutcome {
	const { begin, whole, entryIds } = poll;
	const { isSure, isInParts, isLong, fields, results } = found;
	const isOrdered = isLong && !isInParts && results.length === entryIds.size;
	whole.order = isOrdered && !fields.ignoresCount ? results.map(({ id }) => id as IdHash) : [];
	if (poll.isBaseline) return beginById(poll, found);
	const { entries, waiting } = poll.deliver();
	whole.updateMissing(entryIds, begin, isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	return ok({ entries, cursor: { ...fields, ...saved(poll), ...rest(waiting) } });
}

/** Marks all listed entries as not new. Reads the list twice if it may have missed entries, because they would look new later. */
function beginById(poll: Poll, { isSure, fields }: FoundById): SearchOutcome {
	const { cursor, whole, begin, entryIds, isSecond } = poll;
	const isReadTwice = whole.size > 0 || isSecond;
	whole.add([...entryIds].filter((id) => !poll.newEntries.has(id)).map((id) => [id, 0]));
	if (!isReadTwice && (!isSure || entryIds.size === 0))
		return failed({ from: { ...cursor, ...saved(poll), reading: undefined }, isSecond: true });
	const before = new Set(unpackIds(cursor.before ?? ''));
	const sharedCount = [...before].filter((id) => entryIds.has(id)).length;
	// The API key has changed, but not the account: entries that the trigger did not know are new.
	if (before.size > 0 && sharedCount >= before.size / 2) {
		const next = { ...fields, known: packSet(before), hasMore: true, seen: undefined };
		return ok({ entries: [], cursor: next });
	}
	whole.addMissing(before, begin);
	const { entries, waiting } = poll.deliver();
	return ok({ entries, cursor: { ...fields, ...saved(poll), ...rest(waiting) } });
}

/** If new entries wait, the next poll reads the whole list again. */
const rest = ({ size }: ReadonlySet<IdHash>): Partial<Cursor> =>
	size > 0 ? { hasMore: true, seen: undefined } : {};

/** The part of the cursor that says what is known. */
export function saved(poll: Poll, change: Partial<Times> = {}) {
	const { cursor, recent, floor, bottom, listed, whole } = poll;
	if (!cursor.times) return { ordered: undefined, missing: undefined, ...whole.save() };
	recent.forget(floor);
	const { begun = -Infinity, ...others } = { ...cursor.times, ...change };
	const times: Times = {
		...others,
		sizes: poll.sizes,
		floor: timeToJson(floor),
		bottom: bottom > floor ? bottom : undefined,
		listed: timeToJson(listed),
		...recent.save(),
		begun: begun > floor ? begun : undefined,
	};
	return { known: '', times };
}
