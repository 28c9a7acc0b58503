import type { IPollFunctions } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import type { PollContextInfo } from './engine';
import type { Memory, MemoryVersion, Scope } from './memory';
import { isSameVersion } from './memory';
import { checkOf, readStaticData, resetCopy, writeStaticData } from './staticData';

interface TriggerState {
	activations: number;
	saves: number;
	/** When a poll last read the list without finding anything. */
	lookedAt: number;
	/** State of polls without items, if n8n's scheduler starts the next one from the state before (`after`). */
	unsaved?: { memory: Memory; after: MemoryVersion | undefined };
}

const triggers = new ExpiringMap<TriggerState>();

/** State of the trigger at the start and the end of a poll. */
export interface PollMemory {
	memory: Memory | undefined;
	/** When the list was last read. n8n does not save this after every poll. */
	lookedAt: number;
	/** n8n sees the state at once, and keeps it unless the poll fails. */
	remember(news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>, hasItems: boolean): Memory;
}

/** Loads a trigger's state. At activation, only what n8n has kept counts: it drops earlier polls. */
export function recall(context: IPollFunctions, info: PollContextInfo, key: string): PollMemory {
	const { id: node, name } = context.getNode();
	const { isActivation, isScheduled, isDurable } = info;
	const after = readStaticData(context, info);
	const state = triggers.get(key) ?? { activations: 0, saves: 0, lookedAt: 0 };
	triggers.set(key, state);
	if (isActivation) {
		state.activations++;
		state.unsaved = undefined;
		resetCopy(context, after);
	}
	// Other polls may change these while this one runs.
	const { activations, saves, lookedAt, unsaved } = state;
	const isKept = isDurable || !isScheduled;
	const isQuiet = !isKept && unsaved && isSameVersion(unsaved.after, after);
	const found = isQuiet ? unsaved.memory : after;
	return {
		memory: found,
		lookedAt: Math.max(lookedAt, found?.lookedAt ?? 0),
		remember(news, hasItems) {
			// Other polls may have saved more often than the state that this poll started from.
			const next = Math.max(found?.saves ?? 0, saves) + 1;
			const check = checkOf(news.cursor);
			const memory: Memory = { version: 1, isDurable, node, name, saves: next, check, ...news };
			// n8n may drop the items. Then the previous reading was the last.
			state.saves = next;
			state.lookedAt = hasItems ? lookedAt : memory.lookedAt;
			if (!isKept && !hasItems) state.unsaved = { memory, after };
			const isCurrent = activations === state.activations;
			writeStaticData(context, memory, info, { hasItems, isCurrent });
			return memory;
		},
	};
}
