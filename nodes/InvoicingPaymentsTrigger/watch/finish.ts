import type { Cursor, Times } from './cursor';
import { timeToJson } from './cursor';
import { maxListLength } from './errors';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { Order } from './order';
import type { Delivery, Poll } from './poll';
import type { Reading } from './reading';
import type { Outcome } from './task';

/** An empty list may be a mistake of the service. Results older than this are not new if they show up later (milliseconds). */
const maxAgeAfterEmpty = 24 * 3_600_000;
/** If more polls in a row than this find less than the list has grown by, the whole list is read. */
export const maxMissedPolls = 2;
/** Polls in a row that may not see everything. After that, the rest is given up. */
const maxGaps = 10;
const maxRemembered = 10_000;

const gapNote =
	'Some may be missing: the service orders those of the same moment anew for each page, lists some twice, or changes its list all the time.';

/** What a poll saves of a reading of the whole list. `seen`: its length. */
type WholeFields = Pick<Cursor, 'seen' | 'ignoresCount' | 'wholeAt' | 'day'>;

/** A reading of a list with creation times. */
export interface FoundByTime {
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
export function finishByTime(poll: Poll, found: FoundByTime): Outcome {
	const { cursor, begin, count, notes, isBaseline } = poll;
	const { order, fields, coversAllNew, isDeep, isGap } = found;
	const { missed = 0, times, ignoresCount } = cursor;
	const isBegun = isBaseline && !fields;
	if (isBaseline) beginByTime(poll);
	const delivery = poll.deliver(order?.direction, found.newIds);
	const { entries, waiting } = delivery;
	const gaps = isGap && !isBaseline ? (times?.gaps ?? 0) + 1 : 0;
	const isGivenUp = gaps >= maxGaps;
	if (isGivenUp) notes.push(gapNote);
	const isComplete = gaps === 0 || isGivenUp;
	const isAll = coversAllNew && waiting.size === 0 && isComplete;
	const seen = isBegun && count !== undefined ? count - poll.newEntries.size : cursor.seen;
	const expected = seen === undefined ? undefined : seen + entries.length;
	const unfound = count === undefined || expected === undefined ? 0 : count - expected;
	// The whole of a longer list cannot be read, so its count must be wrong.
	const isTooLong = count !== undefined && count > maxListLength;
	const isCountWrong = isAll && unfound > 0 && missed >= maxMissedPolls && isTooLong;
	if (isCountWrong) notes.push(`The service's count is ${unfound} too high, which is ignored.`);
	const isExplained = fields !== undefined || unfound <= 0 || isCountWrong;
	const mayRaiseFloor = isDeep && isComplete;
	if (mayRaiseFloor && !isBaseline) raiseFloor(poll, found, delivery, { isAll, isExplained });
	forgetTooMany(poll, isAll);
	// Otherwise the bottom stays: an unfound result may be older, and the floor of a long list is too far for one poll.
	if (fields || (isAll && isExplained)) poll.bottom = poll.floor;
	const begun = isBegun ? Math.min(poll.listed, cursor.after ?? Infinity) : times?.begun;
	const change: Partial<Times> = {
		order,
		deepAt: fields || (mayRaiseFloor && isAll) ? begin : times?.deepAt,
		bracket: undefined,
		gaps: gaps || undefined,
		begun: fields ? undefined : begun,
	};
	const left = isAll && isExplained ? count : expected;
	const next: Cursor = {
		ignoresCount,
		seen: count === undefined ? undefined : left,
		missed: isAll ? (isExplained ? undefined : missed + 1) : missed || undefined,
		hasMore: isAll ? undefined : true,
		...fields,
		...saved(poll, change),
	};
	const undelivered = poll.newEntries.size - entries.length;
	if (fields?.seen !== undefined) next.seen = fields.seen - undelivered;
	return { entries, cursor: next };
}

/** What is listed when the workflow is published is not new, but what shows up later within Look Back of it is. */
function beginByTime(poll: Poll): void {
	const { cursor, task, begin, listed } = poll;
	const { lookBack } = task.settings;
	poll.knowListed();
	const newest = Math.min(listed, cursor.after ?? Infinity);
	const lowest = begin - Math.max(maxAgeAfterEmpty, lookBack);
	poll.floor = Math.max(poll.floor, listed > -Infinity ? newest - lookBack : lowest);
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
export function finishById(poll: Poll, found: FoundById): Outcome {
	const { begin, whole, entryIds } = poll;
	const { isSure, isInParts, isLong, fields, results } = found;
	const isOrdered = isLong && !isInParts && results.length === entryIds.size;
	whole.order = isOrdered && !fields.ignoresCount ? results.map(({ id }) => id as IdHash) : [];
	if (poll.isBaseline) return beginById(poll, found);
	const { entries, waiting } = poll.deliver();
	whole.updateMissing(entryIds, begin, isSure ? 'sure' : isInParts ? 'inParts' : 'unsure');
	return { entries, cursor: { ...fields, ...saved(poll), ...rest(waiting) } };
}

/** Marks all listed entries as not new. Reads the list twice if it may have missed entries, because they would look new later. */
function beginById(poll: Poll, { isSure, fields }: FoundById): Outcome {
	const { cursor, whole, begin, entryIds, isSecond } = poll;
	const isReadTwice = whole.size > 0 || isSecond;
	whole.add([...entryIds].filter((id) => !poll.newEntries.has(id)).map((id) => [id, 0]));
	if (!isReadTwice && (!isSure || entryIds.size === 0))
		return { retryFrom: { ...cursor, ...saved(poll), reading: undefined }, isSecond: true };
	const before = new Set(unpackIds(cursor.before ?? ''));
	const sharedCount = [...before].filter((id) => entryIds.has(id)).length;
	// The API key has changed, but not the account: entries that the trigger did not know are new.
	if (before.size > 0 && sharedCount >= before.size / 2) {
		const next = { ...fields, known: packSet(before), hasMore: true, seen: undefined };
		return { entries: [], cursor: next };
	}
	whole.addMissing(before, begin);
	const { entries, waiting } = poll.deliver();
	return { entries, cursor: { ...fields, ...saved(poll), ...rest(waiting) } };
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
