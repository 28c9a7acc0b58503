import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { PollContextInfo } from './engine';
import type { Memory } from './memory';
import { hashOf } from '../../shared/hash';
import { ExpiringMap } from '../../shared/expiringMap';
import { freshCursor, freshTimes } from '../watch/cursor';
import { readCursor } from './convert';

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
