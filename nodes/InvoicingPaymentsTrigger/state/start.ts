import type { INode } from 'n8n-workflow';
import type { Client } from '../../shared/transport/client';
import type { TriggerSettings } from '../settings';
import type { Memory, Scope } from './memory';
import { hashOf } from '../common/identity';
import type { EntryCursor } from '../listEntries/cursor';
import { freshCursor, isEntryCursor } from '../listEntries/cursor';
import type { Cursor } from '../newCharges/cursor';
import { cursorFrom } from '../newCharges/cursor';
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
	{ event, startWith, filters }: TriggerSettings,
	{ baseURL, credential }: Pick<Client, 'baseURL' | 'credential'>,
): Scope {
	const isNewCharge = event.value === 'newCharge';
	const since = startWith === 'since' && parameters.since;
	return {
		start: hashOf(JSON.stringify(isNewCharge ? [startWith, since] : [event.value, startWith])),
		service: hashOf(baseURL),
		filters: hashOf(JSON.stringify(Object.entries(filters).sort())),
		...(!isNewCharge && { account: hashOf(`${id} ${String(credential.apiKey).trim()}`) }),
	};
}

/**
 * Where an event other than New Charge is to go on. Whoever changes the event or Start With begins anew; another service and other
 * filters give another list, and what is in it is not new. Under another API key it may be another account, which shows when
 * the list has been read.
 */
export function entryStart(
	memory: Memory | undefined,
	scope: Scope,
	{ startWith }: TriggerSettings,
): EntryCursor {
	if (!memory || memory.start !== scope.start || !isEntryCursor(memory.cursor))
		return freshCursor(startWith !== 'all');
	const { cursor } = memory;
	if (memory.service !== scope.service || memory.filters !== scope.filters)
		return freshCursor(true);
	if (memory.account === scope.account) return cursor;
	return { ...freshCursor(true), before: cursor.before ?? cursor.known };
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
	if (!memory || memory.start !== scope.start || isEntryCursor(memory.cursor)) {
		if (startWith === 'newOnly') return onlyNew;
		return { cursor: cursorFrom(startWith === 'all' ? null : (since ?? now)) };
	}
	if (memory.service !== scope.service) return onlyNew;
	const { cursor } = memory;
	if (memory.filters === scope.filters) return { cursor };
	if (cursor.hasMore) return { cursor: { ...cursor, backlog: undefined, scan: undefined } };
	if (now - lookedAt > longestGap) return onlyNew;
	const { known } = cursor;
	// What was delivered is remembered down to the floor.
	const before = Math.max(lookedAt - margin, (cursor.floor ?? -Infinity) + 1);
	return { cursor: { ...cursorFrom(before), known }, baseline: { before, known } };
}
