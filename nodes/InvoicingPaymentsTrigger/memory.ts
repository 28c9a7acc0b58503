import type { IPollFunctions } from 'n8n-workflow';
import type { Occasion } from './engine';
import type { Cursor } from './newCharges/cursor';
import { readStaticData, resetCopy, writeStaticData } from './staticData';

/** What the trigger remembers from one poll to the next, in n8n's static data. */
export interface Memory {
	version: 1;
	/** Whether n8n keeps it together with the execution. */
	isDurable: boolean;
	/** ID and name of the node: n8n keys static data by the name, which can change and pass to another node. */
	node: string;
	name: string;
	/** How often it was saved: what is newer has a higher number. */
	saves: number;
	/** Hashes of what the user asks for: where to begin, of which service, which charges. */
	start: string;
	service: string;
	filters: string;
	/** When the list was last read, by this machine's clock. */
	lookedAt: number;
	cursor: Cursor;
}

/** What tells one state of a memory from another. */
export type Saved = Pick<Memory, 'saves' | 'lookedAt'>;

/** What is known of a trigger as long as n8n runs. */
interface Known {
	activations: number;
	/** How often what it remembers was saved. */
	saves: number;
	/** When it last read the list without finding anything. */
	lookedAt: number;
	/**
	 * What its polls without charges remember: where n8n's scheduler keeps no cursors, it begins the next poll with what was saved
	 * (`after`) before them.
	 */
	unsaved?: { memory: Memory; after: Saved | undefined };
}

const triggers = new Map<string, Known>();

/** What the trigger remembers, as one poll finds and leaves it. */
export interface Recollection {
	memory: Memory | undefined;
	/** When the list was last read: n8n does not keep what every poll remembers. */
	lookedAt: number;
	/** n8n sees what is remembered at once, and keeps it if the poll does not fail. */
	remember(
		news: Pick<Memory, 'start' | 'service' | 'filters' | 'lookedAt' | 'cursor'>,
		hasCharges: boolean,
	): Memory;
}

/**
 * What was remembered last. `key`: of the trigger. At activation nothing counts but what n8n has kept: it drops what comes of the
 * polls before.
 */
export function recall(context: IPollFunctions, occasion: Occasion, key: string): Recollection {
	const { id: node, name } = context.getNode();
	const { isActivation, isScheduled, isDurable } = occasion;
	const after = readStaticData(context, occasion);
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
		remember(news, hasCharges) {
			// What is live, or on its way, can have been saved more often than what this poll began with.
			const next = Math.max(found?.saves ?? 0, saves) + 1;
			const memory: Memory = { version: 1, isDurable, node, name, saves: next, ...news };
			// n8n may drop the charges; then the last look is that of before.
			known.saves = next;
			known.lookedAt = hasCharges ? lookedAt : memory.lookedAt;
			if (!isKept && !hasCharges) known.unsaved = { memory, after };
			const isCurrent = activations === known.activations;
			writeStaticData(context, memory, occasion, { hasCharges, isCurrent });
			return memory;
		},
	};
}

/** Whether both are what one poll has left. */
export function isSame(one: Saved | undefined, other: Saved | undefined): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}
