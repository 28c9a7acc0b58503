import type { Cursor } from '../watch/cursor';
import { freshCursor, freshTimes, isCursor } from '../watch/cursor';
import type { IPollFunctions, IDataObject } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import type { PollContextInfo } from './pollContext';
import { hashOf } from '../../shared/hash';

/** Hashes of the settings for which a trigger's state is valid. */
export interface Scope {
	/** The event and Start With. If it changes, the trigger starts over. */
	start: string;
	service: string;
	filters: string;
	/** The API key, if creation times do not show what is new. */
	account?: string;
}

/** A trigger's state in n8n's static data. */
export interface Memory extends Scope {
	version: 1;
	/** n8n saves the state together with the execution. */
	isDurable: boolean;
	node: string;
	/** Node name. n8n keys static data by it, but users can change it, or give it to another node. */
	name: string;
	saves: number;
	/** When the list was last read (this machine's clock). */
	lookedAt: number;
	cursor: Cursor;
	check: string;
}

type MemoryVersion = Pick<Memory, 'saves' | 'lookedAt'>;

function isSameVersion(one: MemoryVersion | undefined, other: MemoryVersion | undefined): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}

/** What this process remembers of a trigger. */
interface TriggerState {
	activations: number;
	saves: number;
	/** When a poll last found nothing. */
	lookedAt: number;
	/** `memory` of a poll that found nothing, so n8n did not save it: the next poll gets `stored` again. */
	unsaved?: { memory: Memory; stored: MemoryVersion | undefined };
}

const triggers = new ExpiringMap<TriggerState>();

export interface PollMemory {
	memory: Memory | undefined;
	lookedAt: number;
	/** Gives the state to n8n, which saves it unless the poll fails. */
	remember(news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>, hasItems: boolean): Memory;
}

/** At activation, only the state that n8n has saved counts. */
export function recall(context: IPollFunctions, info: PollContextInfo, key: string): PollMemory {
	const { id: node, name } = context.getNode();
	const { isActivation, isScheduled, isDurable } = info;
	const stored = readStaticData(context, info);
	const state = triggers.get(key) ?? { activations: 0, saves: 0, lookedAt: 0 };
	triggers.set(key, state);
	if (isActivation) {
		state.activations++;
		state.unsaved = undefined;
		resetCopy(context, stored);
	}
	// Copies, because other polls may change the state meanwhile.
	const { activations, saves, lookedAt, unsaved } = state;
	const isAlwaysSaved = isDurable || !isScheduled;
	const isUnsavedNewer = !isAlwaysSaved && unsaved && isSameVersion(unsaved.stored, stored);
	const current = isUnsavedNewer ? unsaved.memory : stored;
	return {
		memory: current,
		lookedAt: Math.max(lookedAt, current?.lookedAt ?? 0),
		remember(news, hasItems) {
			const nextSaves = Math.max(current?.saves ?? 0, saves) + 1;
			const check = checkOf(news.cursor);
			const memory: Memory = {
				version: 1,
				isDurable,
				node,
				name,
				saves: nextSaves,
				check,
				...news,
			};
			// n8n may drop the items of this poll, so its reading does not count yet.
			state.saves = nextSaves;
			state.lookedAt = hasItems ? lookedAt : memory.lookedAt;
			if (!isAlwaysSaved && !hasItems) state.unsaved = { memory, stored };
			const isCurrent = activations === state.activations;
			writeStaticData(context, memory, info, { hasItems, isCurrent });
			return memory;
		},
	};
}

/** Default lease of a task in n8n's scheduler (milliseconds). */
const lease = 60_000;
/** n8n usually saves items within seconds, but under heavy load it can take longer than a lease (milliseconds). */
const maxSaveTime = 3 * lease;

interface PendingState extends MemoryVersion {
	at: number;
	until: number;
}

/** A poll that starts before n8n has saved the last one would deliver items again. Times are monotonic: a computer asleep saves nothing. */
export class PendingCommits {
	private readonly pending = new ExpiringMap<PendingState>();

	expect(key: string, { saves, lookedAt }: MemoryVersion, hasItems: boolean, now: number): void {
		const untilBefore = this.pending.get(key)?.until ?? now;
		const until = Math.max(untilBefore, now + (hasItems ? maxSaveTime : lease));
		this.pending.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether a poll got older state than that of the last poll, which n8n may still save. */
	isBehind(key: string, memory: MemoryVersion | undefined, now: number): boolean {
		const state = this.pending.get(key);
		if (!state || now >= state.until) return false;
		return (memory?.saves ?? 0) <= state.saves && !isSameVersion(memory, state);
	}

	/** If the workflow was deactivated meanwhile, n8n drops the last poll. So wait a lease at most. */
	activated(key: string, memory: MemoryVersion | undefined): void {
		const state = this.pending.get(key);
		if (!memory) this.pending.delete(key);
		else if (state) state.until = Math.min(state.until, state.at + lease);
	}
}

/** In the workflow's static data. Its value holds the state of each trigger, by node ID. */
const stateKey = 'newCharges';

/** Latest state of all triggers, by workflow. n8n saves each trigger's copy of the static data whole, so every copy needs the state of all. */
const latestByWorkflow = new ExpiringMap<IDataObject>();

/**
 * Without durable cursors, the state is in the workflow's static data, because a node loses its static data if it is renamed. Durable
 * cursors are in the node's static data. But n8n does not save that at activation, so the workflow's has a copy. The copy counts until
 * n8n has committed a cursor, or if the trigger has started over.
 */
function readStaticData(
	context: IPollFunctions,
	{ isActivation, isDurable }: PollContextInfo,
): Memory | undefined {
	const { id, name } = context.getNode();
	const readMemory = (value: unknown): Memory | undefined => {
		const memory = value as Memory | undefined;
		if (memory?.version !== 1 || memory.node !== id) return undefined;
		if (isCursor(memory.cursor) && isUndamaged(memory)) return memory;
		context.logger.warn(`${name}: ${damagedNote}`);
		return { ...memory, cursor: memory.account ? freshCursor(true) : freshTimes(true) };
	};
	const ownMemory = readMemory(context.getWorkflowStaticData('node').memory);
	// n8n may not have saved the state of the activation yet.
	const unsavedCopy =
		isActivation || ownMemory ? undefined : latestByWorkflow.get(workflowOf(context))?.[id];
	const copy = readMemory(copiesOf(context)[id]) ?? readMemory(unsavedCopy);
	const hasChanged =
		copy?.name !== name || copy.start !== ownMemory?.start || copy.service !== ownMemory.service;
	const mayUseCopy = !(isDurable && ownMemory?.isDurable) || hasChanged;
	const isCopyNewer = ownMemory && copy && copy.saves > ownMemory.saves;
	const memory = !ownMemory || (isCopyNewer && mayUseCopy) ? copy : ownMemory;
	// A copy, because n8n observes changes of static data.
	return memory && (JSON.parse(JSON.stringify(memory)) as Memory);
}

const damagedNote =
	'The state saved by earlier polls is damaged. The trigger begins anew, with what is new from now on.';

const isUndamaged = ({ check, cursor }: Memory) => check === checkOf(cursor);

const checkOf = (cursor: unknown): string => hashOf(JSON.stringify(withSortedKeys(cursor)));

/** Databases may reorder the fields of an object. */
function withSortedKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withSortedKeys);
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).filter(([, one]) => one !== undefined);
	return fields
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([name, one]) => [name, withSortedKeys(one)]);
}

/** With durable cursors, the workflow's copy must not count items as delivered: n8n saves the copy even if it cannot commit the items. */
function writeStaticData(
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
	const all = {
		...latestByWorkflow.get(workflow),
		[memory.node]: memory as unknown as IDataObject,
	};
	if (isCurrent) latestByWorkflow.set(workflow, all);
	context.getWorkflowStaticData('global')[stateKey] = { ...copiesInUse(context, memory), ...all };
}

/** A trigger without polls for this long may have been deleted (milliseconds). */
const maxCopyAge = 90 * 24 * 3_600_000;

function copiesInUse(context: IPollFunctions, { lookedAt }: Memory): IDataObject {
	const isInUse = (copy: unknown) =>
		lookedAt - Number((copy as Memory | undefined)?.lookedAt) < maxCopyAge;
	return Object.fromEntries(
		Object.entries(copiesOf(context)).filter(([, copy]) => isInUse(copy)),
	) as IDataObject;
}

/** From now on, other triggers save the state of this one that n8n has saved, not that of later polls. */
function resetCopy(context: IPollFunctions, saved: Memory | undefined): void {
	const workflow = workflowOf(context);
	const copy = saved as unknown as IDataObject | undefined;
	latestByWorkflow.set(workflow, {
		...latestByWorkflow.get(workflow),
		[context.getNode().id]: copy,
	});
}

const workflowOf = (context: IPollFunctions) => String(context.getWorkflow().id);

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[stateKey] ?? {}) as IDataObject;
}
