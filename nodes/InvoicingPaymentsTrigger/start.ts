import type { Wishes } from './wishes';
import type { Memory } from './memory';
import { hashOf } from './newCharges/charge';
import type { Cursor } from './newCharges/cursor';
import { cursorFrom } from './newCharges/cursor';

/** What a cursor is good for. */
export type Scope = Pick<Memory, 'start' | 'service' | 'filters'>;

/** After a change of the filters the list is taken up a little earlier than it was left: clocks differ. */
const margin = 60_000;
/** … but not where that was so long ago that it would be a flood. */
const longestGap = 24 * 3_600_000;

export function scopeOf({ startWith, since, filters }: Wishes, baseURL: string): Scope {
	return {
		start: hashOf(JSON.stringify([startWith, since])),
		service: hashOf(baseURL),
		filters: hashOf(JSON.stringify(Object.entries(filters).sort())),
	};
}

/**
 * Where to go on. `undefined`: everything that is listed now is not new. Whoever changes Start With begins anew; another service
 * begins with what is new there; other filters go on from when the list was last read (`lookedAt`, milliseconds since 1970).
 */
export function cursorFor(
	memory: Memory | undefined,
	scope: Scope,
	{ startWith, since }: Wishes,
	{ now, lookedAt = memory?.lookedAt ?? 0 }: { now: number; lookedAt?: number },
): Cursor | undefined {
	if (!memory || memory.start !== scope.start) {
		if (startWith === 'newOnly') return undefined;
		return cursorFrom(startWith === 'all' ? null : (since ?? now));
	}
	if (memory.service !== scope.service) return undefined;
	if (memory.filters === scope.filters) return memory.cursor;
	if (now - lookedAt > longestGap) return undefined;
	return { ...cursorFrom(lookedAt - margin), known: memory.cursor.known };
}
