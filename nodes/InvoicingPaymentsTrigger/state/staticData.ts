import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { PollContextInfo } from './engine';
import type { Memory } from './memory';
import { hashOf } from '../../shared/hash';
import { ExpiringMap } from '../../shared/expiringMap';
import { freshCursor, freshTimes } from '../watch/cursor';
import { readCursor } from './convert';

/** Static data of the whole workflow holds what each of its triggers remembers under this name, by the IDs of the nodes. */
const copies = 'newCharges';

/**
 * The same by workflow, as long as n8n runs. Triggers that were published one after the other each have their own copy of the
 * static data, and n8n saves it whole: whichever of them is saved has to hold what the others remember.
 */
const latest = new ExpiringMap<IDataObject>();

/**
 * What n8n has kept of a trigger: in the static data of the workflow, by the ID of the node, for n8n loses the node's own when the node
 * is renamed. Durable cursors are the node's own, and are committed together with the execution that they belong to; with them there
 * is a copy in the workflow's that is made at activation, for n8n does not keep what the poll at activation left. Where a cursor was
 * committed, the copy only counts if that poll began anew.
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
		context.logger.warn(`${name}: ${damaged}`);
		return { ...memory, cursor: memory.account ? freshCursor(true) : freshTimes(true) };
	};
	const own = read(context.getWorkflowStaticData('node').memory);
	// n8n may begin a poll before it has saved what the one at activation left.
	const unsavedCopy = isActivation || own ? undefined : latest.get(workflowOf(context))?.[id];
	const copy = read(copiesOf(context)[id]) ?? read(unsavedCopy);
	const isOther = copy?.name !== name || copy.start !== own?.start || copy.service !== own.service;
	const mayCount = !(isDurable && own?.isDurable) || isOther;
	const isNewer = own && copy && copy.saves > own.saves;
	const memory = !own || (isNewer && mayCount) ? copy : own;
	// Static data is observed by n8n: what is read from it must not be changed in place.
	return memory && (JSON.parse(JSON.stringify(memory)) as Memory);
}

const damaged =
	'The state saved by earlier polls is damaged. The trigger begins anew, with what is new from now on.';

/** Whether it was kept as it was saved; up to version 0.1 nothing tells. */
const isAsSaved = ({ check, cursor }: Memory) => check === undefined || check === checkOf(cursor);

/** Tells whether a cursor was changed by anyone but the trigger. Databases may keep fields in another order. */
export const checkOf = (cursor: unknown): string => hashOf(JSON.stringify(sorted(cursor)));

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).filter(([, one]) => one !== undefined);
	return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]);
}

/**
 * Leaves what is remembered to n8n, once. With durable cursors the copy is only made at activation, and where there is nothing else; and
 * not of items, for it is saved even where n8n cannot commit them.
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
	context.getWorkflowStaticData('global')[copies] = { ...copiesInUse(context, memory), ...all };
}

/** For how long the copy of a trigger is kept that is not heard of any more, in milliseconds: it may have been deleted. */
const longestKept = 90 * 24 * 3_600_000;

function copiesInUse(context: IPollFunctions, { lookedAt }: Memory): IDataObject {
	const isInUse = (copy: unknown) =>
		lookedAt - Number((copy as Memory | undefined)?.lookedAt) < longestKept;
	return Object.fromEntries(
		Object.entries(copiesOf(context)).filter(([, copy]) => isInUse(copy)),
	) as IDataObject;
}

/** Other triggers are to save of this one what n8n has kept of it, and nothing that came of its polls since. */
export function resetCopy(context: IPollFunctions, kept: Memory | undefined): void {
	const workflow = workflowOf(context);
	const copy = kept as unknown as IDataObject | undefined;
	latest.set(workflow, { ...latest.get(workflow), [context.getNode().id]: copy });
}

const workflowOf = (context: IPollFunctions) => String(context.getWorkflow().id);

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[copies] ?? {}) as IDataObject;
}
