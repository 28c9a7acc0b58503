import { dayMs } from '../../shared/clock';
import { hexOf } from '../../shared/hash';
import { nodesOf } from '../../shared/n8nInternals';
import type { IPollFunctions, IDataObject } from 'n8n-workflow';
import type { PollContextInfo } from './pollContext';
import type { Memory, Scope, Trigger } from './trigger';
import { isSameScope, isSameVersion, workflowOf } from './trigger';

/** What a poll starts from. */
export interface Recalled {
	memory: Memory | undefined;
	lookedAt: number;
	/** `memory` as n8n has saved it. */
	stored: Memory | undefined;
	/** What n8n has saved is no state of this trigger, which begins anew. */
	isDamaged: boolean;
	/** The trigger's counters then, because other polls may change them meanwhile. */
	activations: number;
	saves: number;
}

const isAlwaysSaved = ({ isDurable, isScheduled }: PollContextInfo) => isDurable || !isScheduled;

/** At activation, only the state that n8n has saved counts. */
export function recall(context: IPollFunctions, info: PollContextInfo, trigger: Trigger): Recalled {
	const { memory: stored, damaged } = readStaticData(context, info);
	if (info.isActivation) {
		trigger.activations++;
		trigger.unsaved = undefined;
		resetCopy(context, stored ?? damaged);
	}
	const { activations, saves, lastEmptyAt, unsaved } = trigger;
	const isUnsavedNewer = !isAlwaysSaved(info) && unsaved && isSameVersion(unsaved.stored, stored);
	const memory = isUnsavedNewer ? unsaved.memory : stored;
	const isDamaged = !memory && damaged !== undefined;
	if (isDamaged) reportOnce(context, trigger, damaged);
	const lookedAt = Math.max(lastEmptyAt, memory?.lookedAt ?? 0);
	return { memory, lookedAt, stored, isDamaged, activations, saves };
}

/** n8n saves the new state only with the next items, so that the next polls may find the damaged one again. */
function reportOnce(context: IPollFunctions, trigger: Trigger, damaged: unknown): void {
	const text = hexOf(JSON.stringify(damaged));
	if (trigger.reported !== text) context.logger.warn(`${context.getNode().name}: ${damagedNote}`);
	trigger.reported = text;
}

/** Gives the state to n8n, which saves it unless the poll fails. */
export function remember(
	{ context, info, trigger }: { context: IPollFunctions; info: PollContextInfo; trigger: Trigger },
	{ memory: before, stored, activations, saves: savesBefore }: Recalled,
	news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>,
	{ hasItems }: { hasItems: boolean },
): Memory {
	const { id: nodeId, name: nodeName } = context.getNode();
	const saves = Math.max(before?.saves ?? 0, savesBefore) + 1;
	const { isDurable } = info;
	const state = { version: 1 as const, isDurable, nodeId, nodeName, saves, ...news };
	const memory: Memory = { ...state, check: checkOf(state) };
	trigger.saves = saves;
	// n8n may drop the items of this poll, so its reading does not count yet.
	if (!hasItems) trigger.lastEmptyAt = memory.lookedAt;
	if (!isAlwaysSaved(info) && !hasItems) trigger.unsaved = { memory, stored };
	const isCurrent = activations === trigger.activations;
	writeStaticData(context, memory, info, { hasItems, isCurrent });
	return memory;
}

/** In the workflow's static data. Its value holds the state of each trigger, by node ID. */
const stateKey = 'invoicingPaymentsTriggers';

/**
 * (N6) Without durable cursors, the state is in the workflow's static data, because a node loses its static data if it is renamed. Durable
 * cursors are in the node's static data. But n8n does not save that at activation, so the workflow's has a copy. The copy counts until
 * n8n has committed a cursor, or if the settings have changed since.
 */
function readStaticData(
	context: IPollFunctions,
	{ isActivation, isDurable }: PollContextInfo,
): Saved {
	const own = savedForName(context, context.getWorkflowStaticData('node').memory);
	// An older copy must not stand in for a damaged state: it would deliver again what came since.
	if (own.damaged !== undefined) return own;
	const { id } = context.getNode();
	// n8n may not have saved the state of the activation yet.
	const unsavedCopy = isActivation || own.memory ? undefined : workflowOf(context).latest[id];
	const copies = copiesOf(context);
	const copy = savedForId(context, id in copies ? copies[id] : unsavedCopy);
	return mayUseCopy(context, own.memory, copy.memory, { isDurable }) ? copy : own;
}

/** Whether the workflow's copy counts, rather than what n8n keeps for the node. */
function mayUseCopy(
	context: IPollFunctions,
	own: Memory | undefined,
	copy: Memory | undefined,
	{ isDurable }: { isDurable: boolean },
): boolean {
	if (!own || !copy) return !own;
	const hasChanged = copy.nodeName !== context.getNode().name || !isSameScope(copy, own);
	const isCommitted = isDurable && own.isDurable;
	return copy.saves > own.saves && (hasChanged || !isCommitted);
}

/** What n8n has saved for a trigger: a state, or something that is none. Neither: nothing. */
interface Saved {
	memory?: Memory;
	damaged?: unknown;
}

/** A state under the ID of this trigger. */
function savedForId(context: IPollFunctions, value: unknown): Saved {
	if (value === undefined) return {};
	// A copy, because n8n observes changes of static data.
	const saved: unknown = JSON.parse(JSON.stringify(value));
	return isState(saved) && saved.nodeId === context.getNode().id
		? { memory: saved }
		: { damaged: saved };
}

/** A state under the name of this trigger. That of a node that had this name before counts as nothing. */
function savedForName(context: IPollFunctions, value: unknown): Saved {
	const saved = savedForId(context, value);
	const { name } = context.getNode();
	return isState(saved.damaged) && saved.damaged.nodeName === name ? {} : saved;
}

/** Nothing of a state may be used if its check fails. */
function isState(value: unknown): value is Memory {
	if (!isObject(value)) return false;
	const { check, ...state } = value;
	return check === checkOf(state) && state.version === 1;
}

/** Databases may change the order of the fields. States that differ in anything else have different texts. */
const checkOf = (state: object): string => hexOf(JSON.stringify(state, sortFields), 16);

/** A replacer for JSON.stringify. */
const sortFields = (_: string, value: unknown): unknown =>
	isObject(value)
		? Object.fromEntries(
				Object.keys(value)
					.sort()
					.map((name) => [name, value[name]]),
			)
		: value;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const damagedNote =
	'The state saved by earlier polls is damaged. The trigger begins anew: only what is new counts.';

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
	const all = { ...workflow.latest, [memory.nodeId]: memory as unknown as IDataObject };
	if (isCurrent) workflow.latest = all;
	context.getWorkflowStaticData('global')[stateKey] = { ...copiesInUse(context, memory), ...all };
}

/** A trigger without polls for this long may have been deleted (milliseconds). */
const maxCopyAge = 90 * dayMs;

/** Keeps damage: its own trigger has to report it. */
function copiesInUse(context: IPollFunctions, { lookedAt }: Memory): IDataObject {
	const isUnused = (copy: unknown) => isState(copy) && lookedAt - copy.lookedAt >= maxCopyAge;
	return Object.fromEntries(
		Object.entries(copiesOf(context)).filter(([, copy]) => !isUnused(copy)),
	);
}

/** From now on, other triggers save the state of this one that n8n has saved, not that of later polls. */
function resetCopy(context: IPollFunctions, saved: unknown): void {
	const workflow = workflowOf(context);
	const { id } = context.getNode();
	workflow.latest = { ...workflow.latest, [id]: saved as IDataObject | undefined };
}

/** By node ID. If the whole value is damaged, so is the state of each trigger of the workflow. */
function copiesOf(context: IPollFunctions): IDataObject {
	const saved = context.getWorkflowStaticData('global')[stateKey];
	if (saved === undefined) return {};
	if (isObject(saved)) return saved as IDataObject;
	const own = context.getNode();
	const triggers = nodesOf(context).filter(({ type }) => type === own.type);
	return Object.fromEntries([own, ...triggers].map(({ id }) => [id, saved]));
}
