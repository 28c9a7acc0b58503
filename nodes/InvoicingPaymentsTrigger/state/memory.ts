import type { Cursor } from '../watch/cursor';
import { freshCursor, freshTimes } from '../watch/cursor';
import type { IPollFunctions, IDataObject } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import type { PollContextInfo } from './engine';
import { hashOf } from '../../shared/hash';
import { readCursor } from './convert';

/** State of a trigger between polls, in n8n's static data. */
export interface Memory {
	version: 1;
	/** n8n saves it together with the execution. */
	isDurable: boolean;
	/** Node ID and name. n8n keys static data by name, which can change or pass to another node. */
	node: string;
	name: string;
	saves: number;
	/** Hashes of settings: event and start, service, filters. */
	start: string;
	service: string;
	filters: string;
	/** Hash of the API key, if only the list shows what is new. */
	account?: string;
	/** When the list was last read, by this machine's clock. */
	lookedAt: number;
	cursor: Cursor;
	/** Checksum of the cursor. */
	check?: string;
}

/** Settings that the state belongs to. */
export type Scope = Pick<Memory, 'start' | 'service' | 'filters' | 'account'>;

/** Identifies one version of the state. */
export type MemoryVersion = Pick<Memory, 'saves' | 'lookedAt'>;

/** Whether both were left by the same poll. */
export function isSameVersion(
	one: MemoryVersion | undefined,
	other: MemoryVersion | undefined,
): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}

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

/** Default lease of tasks in n8n's scheduler, in milliseconds. */
const lease = 60_000;
/** How long n8n may take to save items, in milliseconds. Usually seconds; more than a lease under heavy load. */
const maxSaveTime = 3 * lease;

interface PendingState extends MemoryVersion {
	at: number;
	until: number;
}

/**
 * State that n8n may not have saved yet. Its scheduler reads the state before a poll and saves it afterwards. A poll
 * that starts from older state would deliver items again, and n8n could save both states in either order. Times are
 * of the monotonic clock (`performance.now()`): a computer that wakes up has saved nothing meanwhile.
 */
export class PendingCommits {
	private readonly pending = new ExpiringMap<PendingState>();

	/** A poll has ended. `isGiven`: it gave items to n8n's scheduler. */
	expect(key: string, { saves, lookedAt }: MemoryVersion, isGiven: boolean, now: number): void {
		const before = this.pending.get(key)?.until ?? now;
		const until = Math.max(before, now + (isGiven ? maxSaveTime : lease));
		this.pending.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether a poll starts from older state than the last poll left, and n8n may still save that. */
	isBehind(key: string, memory: MemoryVersion | undefined, now: number): boolean {
		const state = this.pending.get(key);
		if (!state || now >= state.until) return false;
		return (memory?.saves ?? 0) <= state.saves && !isSameVersion(memory, state);
	}

	/** The workflow was activated. Wait a lease at most: n8n drops polls during which a workflow is deactivated. */
	activated(key: string, memory: MemoryVersion | undefined): void {
		const state = this.pending.get(key);
		if (!memory) this.pending.delete(key);
		else if (state) state.until = Math.min(state.until, state.at + lease);
	}
}

/** Key in the workflow's static data: the state of each trigger by node ID. */
const stateKey = 'newCharges';

/**
 * The same by workflow, while n8n runs. Triggers that were published one after the other have separate copies of the
 * static data, and n8n saves a copy whole. So each copy must hold the state of all triggers.
 */
const latest = new ExpiringMap<IDataObject>();

/**
 * Reads the state of a trigger. The workflow's static data holds it by node ID, because a node loses its own when it
 * is renamed. Durable cursors belong to the node, and are committed with the execution. Then the workflow's copy is
 * only made at activation, where n8n would not keep the node's. Once a cursor was committed, the copy only counts if
 * the trigger started over at activation.
 */
export function readStaticData(
	context: IPollFunctions,
	{ isActivation, isDurable }: PollContextInfo,
): Memory | undefined {
	const { id, name } = context.getNode();
	const read = (value: unknown): Memory | undefined => {
		const memory = value as Memory | undefined;
		if (memory?.version !== 1 || memory.node !== id) return undefined;
		const cursor = readCursor(memory.cursor);
		if (cursor && isAsSaved(memory)) return { ...memory, cursor };
		context.logger.warn(`${name}: ${damagedNote}`);
		return { ...memory, cursor: memory.account ? freshCursor(true) : freshTimes(true) };
	};
	const own = read(context.getWorkflowStaticData('node').memory);
	// n8n may start a poll before it has saved the state from activation.
	const unsavedCopy = isActivation || own ? undefined : latest.get(workflowOf(context))?.[id];
	const copy = read(copiesOf(context)[id]) ?? read(unsavedCopy);
	const isOther = copy?.name !== name || copy.start !== own?.start || copy.service !== own.service;
	const mayCount = !(isDurable && own?.isDurable) || isOther;
	const isNewer = own && copy && copy.saves > own.saves;
	const memory = !own || (isNewer && mayCount) ? copy : own;
	// Copied, because n8n observes changes of static data.
	return memory && (JSON.parse(JSON.stringify(memory)) as Memory);
}

const damagedNote =
	'The state saved by earlier polls is damaged. The trigger begins anew, with what is new from now on.';

/** Up to version 0.1 there was no checksum. */
const isAsSaved = ({ check, cursor }: Memory) => check === undefined || check === checkOf(cursor);

/** Checksum of a cursor. Databases may reorder fields. */
export const checkOf = (cursor: unknown): string => hashOf(JSON.stringify(sorted(cursor)));

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).filter(([, one]) => one !== undefined);
	return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]);
}

/**
 * Gives the state to n8n. With durable cursors, the workflow's copy is only made at activation or if there is no
 * state yet. It must not cover items, because n8n saves it even if it cannot commit them.
 */
export function writeStaticData(
	context: IPollFunctions,
	memory: Memory,
	{ isActivation, isDurable }: PollContextInfo,
	{ hasItems, isCurrent }: { hasItems: boolean; isCurrent: boolean },
): void {
	const data = context.getWorkflowStaticData('node');
	const isFirst = isActivation || data.memory === undefined;
	if (isDurable) data.memory = memory as unknown as IDataObject;
	else delete data.memory;
	if (isDurable && (hasItems || !isFirst)) return;
	const workflow = workflowOf(context);
	const all = { ...latest.get(workflow), [memory.node]: memory as unknown as IDataObject };
	if (isCurrent) latest.set(workflow, all);
	context.getWorkflowStaticData('global')[stateKey] = { ...copiesInUse(context, memory), ...all };
}

/** How long to keep the copy of a silent trigger, in milliseconds. It may have been deleted. */
const maxCopyAge = 90 * 24 * 3_600_000;

function copiesInUse(context: IPollFunctions, { lookedAt }: Memory): IDataObject {
	const isInUse = (copy: unknown) =>
		lookedAt - Number((copy as Memory | undefined)?.lookedAt) < maxCopyAge;
	return Object.fromEntries(
		Object.entries(copiesOf(context)).filter(([, copy]) => isInUse(copy)),
	) as IDataObject;
}

/** Makes other triggers save what n8n has kept of this one, without the results of later polls. */
export function resetCopy(context: IPollFunctions, kept: Memory | undefined): void {
	const workflow = workflowOf(context);
	const copy = kept as unknown as IDataObject | undefined;
	latest.set(workflow, { ...latest.get(workflow), [context.getNode().id]: copy });
}

const workflowOf = (context: IPollFunctions) => String(context.getWorkflow().id);

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[stateKey] ?? {}) as IDataObject;
}
