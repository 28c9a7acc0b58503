import { failed, ok } from '../../shared/result';
import type { Cursor, Times } from './cursor';
import { timeToJson } from './cursor';
import { maxListLength } from './errors';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { Order } from './order';
import type { Delivery, Poll } from './poll';
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

/** A reading of a list with creation times. */
interface FoundByTime {
	order: Order | undefined;
	/** Only these new entries count. */
	newIds?: ReadonlySet<IdHash>;
	/** No new result lies outside of it. */
	coversAllNew: boolean;
	/** It shows everything down to the bottom. */
	isDeep: boolean;
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

/** Delivers what is new by its creation time, and moves the floor up. */
export function finishByTime(poll: Poll, found: FoundByTime): SearchOutcome {
	const { cursor, begin, notes, isBaseline } = poll;
	const { order, fields, newIds, isDeep } = found;
	const { times } = cursor;
	if (isBaseline) beginByTime(poll);
	const delivery = poll.deliver(order?.direction, newIds);
	const { entries, waiting } = delivery;
	const before = entries.length > 0 ? 0 : (times?.gaps ?? 0);
	const gaps = found.isGap && !isBaseline ? before + 1 : 0;
	const isGivenUp = gaps >= maxGaps;
	if (isGivenUp) notes.push(gapNote);
	const isComplete = gaps === 0 || isGivenUp;
	const isAll = found.coversAllNew && waiting.size === 0 && isComplete;
	const growth = explainGrowth(poll, entries.length, isAll, fields);
	const mayRaiseFloor = isDeep && isComplete;
	if (mayRaiseFloor && !isBaseline)
		raiseFloor(poll, found, delivery, { isAll, isExplained: growth.isExplained });
	forgetTooMany(poll, isAll);
	// The bottom goes back to the floor only if nothing new can be left above it. A result that was not found may be older than the bottom, and
	// the floor of a long list is too far away for one poll.
	if (fields || (isAll && growth.isExplained)) poll.bottom = poll.floor;
	const begun = isBaseline ? poll.newestKnown : times?.begun;
	const known = saved(poll, {
		order,
		deepAt: fields || (mayRaiseFloor && isAll) ? begin : times?.deepAt,
		bracket: undefined,
		gaps: gaps || undefined,
		begun: fields ? undefined : begun,
	});
	const next: Cursor = {
		ignoresCount: cursor.ignoresCount,
		...fields,
		seen: growth.seen,
		missed: growth.missed,
		hasMore: isAll ? undefined : true,
		...known,
	};
	return ok({ entries, cursor: next });
}

/**
 * Whether as many new results were found as the list has grown by, and the count to compare with next time:
 *
 * | All that was found is delivered | Growth is explained | `seen` | `missed` |
 * |---|---|---|---|
 * | The whole list was read | yes | its length without what waits | none |
 * | yes | yes | the count | none |
 * | yes | no | what it was, and what is delivered | one more |
 * | no: a backlog, or a gap | as far as that can be said | what it was, and what is delivered | as before |
 */
function explainGrowth(
	{ cursor, count, newEntries, isBaseline, notes }: Poll,
	delivered: number,
	isAll: boolean,
	fields: WholeFields | undefined,
): { isExplained: boolean; seen?: number; missed?: number } {
	const { missed = 0 } = cursor;
	if (fields) {
		const left = newEntries.size - delivered;
		return { isExplained: true, seen: fields.seen && fields.seen - left };
	}
	if (count === undefined) return { isExplained: true, missed: isAll ? undefined : missed };
	const before = isBaseline ? count - newEntries.size : cursor.seen;
	const seen = before === undefined ? undefined : before + delivered;
	const unfound = seen === undefined ? 0 : count - seen;
	if (!isAll) return { isExplained: unfound <= 0, seen, missed: missed || undefined };
	// The whole of a longer list cannot be read, so its count must be wrong.
	const isCountWrong = unfound > 0 && missed >= maxMissedPolls && count > maxListLength;
	if (isCountWrong) notes.push(`The service's count is ${unfound} too high, which is ignored.`);
	if (unfound <= 0 || isCountWrong) return { isExplained: true, seen: count };
	return { isExplained: false, seen, missed: missed + 1 };
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

/**
 * After a deep reading, everything created up to `knownUntil` is known: Look Back before the newest result that was seen earlier, because
 * what is listed late from now on is newer. In a backlog, it also ends before the oldest result that waits.
 */
function raiseFloor(
	poll: Poll,
	{ order, fields, listedBefore }: FoundByTime,
	{ waiting, last }: Delivery,
	{ isAll, isExplained }: { isAll: boolean; isExplained: boolean },
): void {
	const { task, begin, newEntries } = poll;
	const slack = fields ? 0 : (order?.slack ?? 0);
	const isFirst = listedBefore === -Infinity && !fields;
	const seenBefore = isFirst ? poll.listed - (task.now() - begin) : listedBefore;
	if (seenBefore === -Infinity) return;
	const left = [...waiting].map((id) => newEntries.get(id)?.time ?? Infinity);
	if (!isAll && !fields) left.push(last);
	const oldest = left.reduce((least, time) => Math.min(least, time), Infinity);
	const knownUntil = Math.min(seenBefore - task.settings.lookBack, oldest - slack - 1);
	// Unfound results can be of any age.
	if (isExplained) poll.floor = Math.max(poll.floor, knownUntil);
	poll.bottom = Math.max(poll.bottom, poll.floor, knownUntil);
}

/** Raises the floor so far that few enough results are remembered. In a backlog, what is newer than the bottom was not delivered. */
function forgetTooMany(poll: Poll, isAll: boolean): void {
	const { recent, bottom, listedBefore, listed, notes } = poll;
	const raised = recent.floorFor(maxRemembered, isAll ? listedBefore : bottom);
	if (raised <= poll.floor) return;
	poll.floor = raised;
	const minutes = Math.max(0, Math.round((listed - raised) / 60_000));
	if (isAll)
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
	const { order, deepAt, bracket, gaps, begun = -Infinity } = { ...cursor.times, ...change };
	const times: Times = {
		floor: timeToJson(floor),
		bottom: bottom > floor ? bottom : undefined,
		listed: timeToJson(listed),
		...recent.save(),
		order,
		deepAt,
		bracket,
		gaps,
		begun: begun > floor ? begun : undefined,
	};
	return { known: '', times };
}
