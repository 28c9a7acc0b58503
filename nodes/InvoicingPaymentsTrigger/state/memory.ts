import type { Cursor } from '../watch/cursor';
import { freshCursor, freshTimes } from '../watch/cursor';
import type { IPollFunctions, IDataObject } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import type { PollContextInfo } from './pollContext';
import { hashOf } from '../../shared/hash';
import { readCursor } from './convert';

/** Hashes of the settings that a trigger's state belongs to. */
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
	/** n8n saves it together with the execution. */
	isDurable: boolean;
	node: string;
	/** Node name. n8n keys static data by it, but it can change or pass to another node. */
	name: string;
	saves: number;
	/** When the list was last read (this machine's clock). */
	lookedAt: number;
	cursor: Cursor;
	check?: string;
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
	/** n8n did not save `memory`, because the poll found nothing. So the next poll gets `stored` again. */
	unsaved?: { memory: Memory; stored: MemoryVersion | undefined };
}

const triggers = new ExpiringMap<TriggerState>();

export interface PollMemory {
	memory: Memory | undefined;
	lookedAt: number;
	/** Gives the state to n8n, which saves it unless the poll fails. */
	remember(news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>, hasItems: boolean): Memory;
}

/** At activation, only what n8n has saved counts. */
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
	// Copied, because other polls may change them meanwhile.
	const { activations, saves, lookedAt, unsaved } = state;
	const isAlwaysSaved = isDurable || !isScheduled;
	const isUnsavedNewer = !isAlwaysSaved && unsaved && isSameVersion(unsaved.stored, stored);
	const current = isUnsavedNewer ? unsaved.memory : stored;
	return {
		memory: current,
		lookedAt: Math.max(lookedAt, current?.lookedAt ?? 0),
		remember(news, hasItems) {
			const next = Math.max(current?.saves ?? 0, saves) + 1;
			const check = checkOf(news.cursor);
			const memory: Memory = { version: 1, isDurable, node, name, saves: next, check, ...news };
			// n8n may drop the items, and this reading with them.
			state.saves = next;
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

/** A poll that starts before n8n has saved would deliver items again. Times are monotonic: a computer asleep saves nothing. */
export class PendingCommits {
	private readonly pending = new ExpiringMap<PendingState>();

	expect(key: string, { saves, lookedAt }: MemoryVersion, hasItems: boolean, now: number): void {
		const before = this.pending.get(key)?.until ?? now;
		const until = Math.max(before, now + (hasItems ? maxSaveTime : lease));
		this.pending.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether a poll got older state than the last poll left, and n8n may still save that. */
	isBehind(key: string, memory: MemoryVersion | undefined, now: number): boolean {
		const state = this.pending.get(key);
		if (!state || now >= state.until) return false;
		return (memory?.saves ?? 0) <= state.saves && !isSameVersion(memory, state);
	}

	/** If the workflow was deactivated meanwhile, n8n drops the poll. So wait a lease at most. */
	activated(key: string, memory: MemoryVersion | undefined): void {
		const state = this.pending.get(key);
		if (!memory) this.pending.delete(key);
		else if (state) state.until = Math.min(state.until, state.at + lease);
	}
}

/** In the workflow's static data. The value has the state of each trigger by node ID. */
const stateKey = 'newCharges';

/** By workflow. Each trigger gets a copy of the static data, which n8n saves whole. So each copy needs the state of all triggers. */
const latest = new ExpiringMap<IDataObject>();

/**
 * Without durable cursors, the state is in the workflow's static data, because a node loses its own if it is renamed. Durable cursors
 * are in the node's. But n8n does not save those at activation, so there is also a copy in the workflow's. It counts until n8n has
 * committed a cursor, or if the trigger has started over.
 */
function readStaticData(
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
	// n8n may not have saved the state of the activation yet.
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

/** Version 0.1 saved no checksum. */
const isAsSaved = ({ check, cursor }: Memory) => check === undefined || check === checkOf(cursor);

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

/** With durable cursors, the workflow's copy must not count items as delivered: n8n saves it even if it cannot commit them. */
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
	const all = { ...latest.get(workflow), [memory.node]: memory as unknown as IDataObject };
	if (isCurrent) latest.set(workflow, all);
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

/** From now on, other triggers save what n8n has saved of this one, not what later polls found. */
function resetCopy(context: IPollFunctions, saved: Memory | undefined): void {
	const workflow = workflowOf(context);
	const copy = saved as unknown as IDataObject | undefined;
	latest.set(workflow, { ...latest.get(workflow), [context.getNode().id]: copy });
}

const workflowOf = (context: IPollFunctions) => String(context.getWorkflow().id);

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[stateKey] ?? {}) as IDataObject;
}
