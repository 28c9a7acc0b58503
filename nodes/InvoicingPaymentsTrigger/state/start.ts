import type { INode } from 'n8n-workflow';
import type { Client } from '../../shared/transport/client';
import type { TriggerSettings } from '../settings';
import { isTimed } from '../settings';
import type { Memory, Scope } from './memory';
import { hashOf } from '../../shared/hash';
import type { EntryCursor } from '../listEntries/cursor';
import { freshCursor, isEntryCursor } from '../listEntries/cursor';
import type { Cursor } from '../newCharges/cursor';
import { cursorFrom, pack, unpack } from '../newCharges/cursor';
import { maxKnown } from '../newCharges/position';
import { packSet, unpackIds } from '../listEntries/ids';
import type { Baseline } from '../newCharges/baseline';
import { everything } from '../newCharges/baseline';

/** Where New Charge is to go on. */
export interface ChargeStart {
	cursor: Cursor;
	/** Charges to note as not new first; without them the cursor is good enough. */
	baseline?: Baseline;
}

/** Where this machine's clock decides what is new, it begins a little earlier: clocks differ. */
const margin = 5 * 60_000;
/** Other filters go on from the last look, but not where it was so long ago that it would be a flood. */
const longestGap = 24 * 3_600_000;

/** Since counts as it is written: what an expression gives for it may be another moment in every poll. */
export function scopeOf(
	{ id, parameters }: INode,
	settings: TriggerSettings,
	{ baseURL, credential }: Pick<Client, 'baseURL' | 'credential'>,
): Scope {
	const { event, startWith, filters } = settings;
	const isNewCharge = event.value === 'newCharge';
	const since = startWith === 'since' && parameters.since;
	const days = settings.days ? [settings.days.count] : [];
	return {
		start: hashOf(
			JSON.stringify(isNewCharge ? [startWith, since] : [event.value, startWith, ...days]),
		),
		service: hashOf(baseURL),
		filters: hashOf(JSON.stringify(Object.entries(filters).sort())),
		...(!isTimed(settings) && { account: hashOf(`${id} ${String(credential.apiKey).trim()}`) }),
	};
}

/**
 * Where an event is to go on that shows by what is in a list. Whoever changes the event or Start With begins anew; another service
 * and other filters give another list, and what is in it is not new. Under another API key it may be another account, which shows
 * when the list has been read. New Charge with a Status filter goes on from what it remembers by date (`lookedAt`: when the list
 * was last read).
 */
export function entryStart(
	memory: Memory | undefined,
	scope: Scope,
	{ startWith, since, event }: TriggerSettings,
	lookedAt: number,
): EntryCursor {
	const isSame = memory?.start === scope.start;
	if (isSame && !isEntryCursor(memory.cursor)) {
		return memory.service === scope.service && event.value === 'newCharge'
			? fromDates(memory.cursor, memory.filters === scope.filters ? undefined : lookedAt - margin)
			: freshCursor(true);
	}
	if (!isSame || !isEntryCursor(memory.cursor)) {
		const start = freshCursor(startWith !== 'all');
		return startWith === 'since' ? { ...start, after: (since ?? 0) - 1 } : start;
	}
	const { cursor } = memory;
	if (memory.service !== scope.service || memory.filters !== scope.filters)
		return freshCursor(true);
	if (memory.account === undefined || memory.account === scope.account) return cursor;
	return { ...freshCursor(true), before: cursor.before ?? cursor.known };
}

/** What a trigger that went by dates goes on with: charges made after its floor that it does not know are new. */
function fromDates({ floor, known }: Cursor, after: number | null = floor): EntryCursor {
	const ids = [...unpack(known).keys()].map((hash) => parseInt(hash, 36));
	return { ...freshCursor(true), known: packSet(ids), after };
}

/** The same in the other direction: what was delivered by its status is not new. */
function fromEntries({ known }: EntryCursor, now: number): string {
	const ids = unpackIds(known);
	return ids.length > maxKnown ? '' : pack(new Map(ids.map((id) => [id.toString(36), now])));
}

/**
 * Where New Charge is to go on. Whoever changes Start With begins anew; another service begins with what is new there; other filters go on from
 * when the list was last read (`lookedAt`, milliseconds since 1970), or from where a backlog is.
 */
export function chargeStart(
	memory: Memory | undefined,
	scope: Scope,
	{ startWith, since }: TriggerSettings,
	{ now, lookedAt }: { now: number; lookedAt: number },
): ChargeStart {
	const onlyNew: ChargeStart = { cursor: cursorFrom(now - margin), baseline: everything };
	if (!memory || memory.start !== scope.start) {
		if (startWith === 'newOnly') return onlyNew;
		return { cursor: cursorFrom(startWith === 'all' ? null : (since ?? now)) };
	}
	if (memory.service !== scope.service) return onlyNew;
	const { cursor } = memory;
	if (isEntryCursor(cursor)) {
		const before = lookedAt - margin;
		const kept = fromEntries(cursor, now);
		return { cursor: { ...cursorFrom(before), known: kept }, baseline: { before, known: kept } };
	}
	if (memory.filters === scope.filters) return { cursor };
	if (cursor.hasMore) return { cursor: { ...cursor, backlog: undefined, scan: undefined } };
	if (now - lookedAt > longestGap) return onlyNew;
	const { known } = cursor;
	// What was delivered is remembered down to the floor.
	const before = Math.max(lookedAt - margin, (cursor.floor ?? -Infinity) + 1);
	return { cursor: { ...cursorFrom(before), known }, baseline: { before, known } };
}
