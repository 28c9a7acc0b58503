import type { INode } from 'n8n-workflow';
import type { TriggerSettings } from '../settings';
import type { Memory } from './memory';
import { hashOf } from '../newCharges/charge';
import type { Cursor } from '../newCharges/cursor';
import { cursorFrom } from '../newCharges/cursor';
import type { Baseline } from '../newCharges/baseline';
import { everything } from '../newCharges/baseline';

/** What a cursor is good for. */
export type Scope = Pick<Memory, 'start' | 'service' | 'filters'>;

/** Where to go on. */
export interface Start {
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
	{ parameters }: INode,
	{ startWith, filters }: TriggerSettings,
	baseURL: string,
): Scope {
	return {
		start: hashOf(JSON.stringify([startWith, startWith === 'since' && parameters.since])),
		service: hashOf(baseURL),
		filters: hashOf(JSON.stringify(Object.entries(filters).sort())),
	};
}

/**
 * Where to go on. Whoever changes Start With begins anew; another service begins with what is new there; other filters go on from
 * when the list was last read (`lookedAt`, milliseconds since 1970), or from where a backlog is.
 */
export function startOf(
	memory: Memory | undefined,
	scope: Scope,
	{ startWith, since }: TriggerSettings,
	{ now, lookedAt }: { now: number; lookedAt: number },
): Start {
	const onlyNew: Start = { cursor: cursorFrom(now - margin), baseline: everything };
	if (!memory || memory.start !== scope.start) {
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
