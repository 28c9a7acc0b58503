import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { PollContextInfo } from './engine';
import type { Memory } from './memory';
import { readCursor } from './convert';

/** Static data of the whole workflow holds a copy for each trigger under this name. */
const copies = 'newCharges';

/**
 * The same by workflow, as long as n8n runs. Triggers that were published one after the other each have their own copy of the
 * static data, and n8n saves it whole: whichever of them is saved has to hold what the others remember.
 */
const latest = new Map<string, IDataObject>();

/**
 * What n8n has kept of a trigger. It loses the node's static data when the node is renamed, and with durable cursors it does not
 * keep what the poll at activation left there. So there is a copy by the ID of the node in the static data of the workflow, which
 * counts where it is newer. Durable cursors are committed together with the execution that they belong to, and the copy is not:
 * where one was committed, the copy only counts if the poll at activation began anew.
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
		if (cursor) return { ...memory, cursor };
		context.logger.warn(`${name}: the state saved by earlier polls is damaged and was ignored`);
		return undefined;
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

/**
 * Leaves what is remembered to n8n. With durable cursors the copy is only made at activation, and where there is nothing else; and
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
	data.memory = memory as unknown as IDataObject;
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
