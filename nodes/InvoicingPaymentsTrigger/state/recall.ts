import type { IPollFunctions } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import type { PollContextInfo } from './engine';
import type { Memory, Saved, Scope } from './memory';
import { isSame } from './memory';
import { checkOf, readStaticData, resetCopy, writeStaticData } from './staticData';

/** What is known of a trigger as long as n8n runs. */
interface TriggerState {
	activations: number;
	/** How often what it remembers was saved. */
	saves: number;
	/** When it last read the list without finding anything. */
	lookedAt: number;
	/**
	 * What its polls that find nothing remember: where n8n's scheduler keeps no cursors, it begins the next poll with what was saved
	 * (`after`) before them.
	 */
	unsaved?: { memory: Memory; after: Saved | undefined };
}

const triggers = new ExpiringMap<TriggerState>();

/** What the trigger remembers, as one poll finds and leaves it. */
export interface PollMemory {
	memory: Memory | undefined;
	/** When the list was last read: n8n does not keep what every poll remembers. */
	lookedAt: number;
	/** n8n sees what is remembered at once, and keeps it if the poll does not fail. */
	remember(news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>, hasItems: boolean): Memory;
}

/**
 * What was remembered last. `key`: of the trigger. At activation nothing counts but what n8n has kept: it drops what comes of the
 * polls before.
 */
export function recall(context: IPollFunctions, info: PollContextInfo, key: string): PollMemory {
	const { id: node, name } = context.getNode();
	const { isActivation, isScheduled, isDurable } = info;
	const after = readStaticData(context, info);
	const known = triggers.get(key) ?? { activations: 0, saves: 0, lookedAt: 0 };
	triggers.set(key, known);
	if (isActivation) {
		known.activations++;
		known.unsaved = undefined;
		resetCopy(context, after);
	}
	// Other polls can change what is known while this one runs.
	const { activations, saves, lookedAt, unsaved } = known;
	const isKept = isDurable || !isScheduled;
	const isQuiet = !isKept && unsaved && isSame(unsaved.after, after);
	const found = isQuiet ? unsaved.memory : after;
	return {
		memory: found,
		lookedAt: Math.max(lookedAt, found?.lookedAt ?? 0),
		remember(news, hasItems) {
			// What is live, or on its way, can have been saved more often than what this poll began with.
			const next = Math.max(found?.saves ?? 0, saves) + 1;
			const check = checkOf(news.cursor);
			const memory: Memory = { version: 1, isDurable, node, name, saves: next, check, ...news };
			// n8n may drop what was found; then the last look is that of before.
			known.saves = next;
			known.lookedAt = hasItems ? lookedAt : memory.lookedAt;
			if (!isKept && !hasItems) known.unsaved = { memory, after };
			const isCurrent = activations === known.activations;
			writeStaticData(context, memory, info, { hasItems, isCurrent });
			return memory;
		},
	};
}
