import { dayMs } from '../../shared/clock';
import { freshCursor, freshTimes, isCursor } from '../watch/cursor';
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
	/** The trigger's counters then, because other polls may change them meanwhile. */
	activations: number;
	saves: number;
}

const isAlwaysSaved = ({ isDurable, isScheduled }: PollContextInfo) => isDurable || !isScheduled;

/** At activation, only the state that n8n has saved counts. */
export function recall(context: IPollFunctions, info: PollContextInfo, trigger: Trigger): Recalled {
	const stored = readStaticData(context, info);
	if (info.isActivation) {
		trigger.activations++;
		trigger.unsaved = undefined;
		resetCopy(context, stored);
	}
	const { activations, saves, lastEmptyAt, unsaved } = trigger;
	const isUnsavedNewer = !isAlwaysSaved(info) && unsaved && isSameVersion(unsaved.stored, stored);
	const memory = isUnsavedNewer ? unsaved.memory : stored;
	return {
		memory,
		lookedAt: Math.max(lastEmptyAt, memory?.lookedAt ?? 0),
		stored,
		activations,
		saves,
	};
}

/** Gives the state to n8n, which saves it unless the poll fails. */
export function remember(
	{ context, info, trigger }: { context: IPollFunctions; info: PollContextInfo; trigger: Trigger },
	{ memory: before, stored, activations, saves: savesBefore }: Recalled,
	news: Scope & Pick<Memory, 'lookedAt' | 'cursor'>,
	hasItems: boolean,
): Memory {
	const { id: nodeId, name: nodeName } = context.getNode();
	const saves = Math.max(before?.saves ?? 0, savesBefore) + 1;
	const { isDurable } = info;
	const memory: Memory = { version: 1, isDurable, nodeId, nodeName, saves, ...news };
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
): Memory | undefined {
	const own = validMemory(context, context.getWorkflowStaticData('node').memory);
	const { id } = context.getNode();
	// n8n may not have saved the state of the activation yet.
	const unsavedCopy = isActivation || own ? undefined : workflowOf(context).latest[id];
	const copy = validMemory(context, copiesOf(context)[id] ?? unsavedCopy);
	const memory = mayUseCopy(context, { own, copy, isDurable }) ? copy : own;
	// A copy, because n8n observes changes of static data.
	return memory && (JSON.parse(JSON.stringify(memory)) as Memory);
}

/** Whether the workflow's copy counts, rather than what n8n keeps for the node. */
function mayUseCopy(
	context: IPollFunctions,
	{ own, copy, isDurable }: { own?: Memory; copy?: Memory; isDurable: boolean },
): boolean {
	if (!own || !copy) return !own;
	const hasChanged = copy.nodeName !== context.getNode().name || !isSameScope(copy, own);
	const isCommitted = isDurable && own.isDurable;
	return copy.saves > own.saves && (hasChanged || !isCommitted);
}

function validMemory(context: IPollFunctions, value: unknown): Memory | undefined {
	const { id, name } = context.getNode();
	const memory = value as Memory | undefined;
	if (memory?.version !== 1 || memory.nodeId !== id) return undefined;
	if (isCursor(memory.cursor)) return memory;
	context.logger.warn(`${name}: ${damagedNote}`);
	return { ...memory, cursor: memory.account ? freshCursor(true) : freshTimes(true) };
}

const damagedNote =
	'The state saved by earlier polls is damaged. The trigger begins anew, with what is new from now on.';

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
	workflow.latest = { ...workflow.latest, [context.getNode().id]: copy };
}

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[stateKey] ?? {}) as IDataObject;
}
