import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './newCharges/cursor';

/** What the trigger remembers from one poll to the next, in n8n's static data. */
export interface Memory {
	version: 1;
	/** ID and name of the node: n8n keys static data by the name, which can change and pass to another node. */
	node: string;
	name: string;
	/** How often it was saved. */
	saves: number;
	/** Hashes of what the user asks for: where to begin, of which service, which charges. */
	start: string;
	service: string;
	filters: string;
	/** When the list was last read, by this machine's clock. */
	lookedAt: number;
	cursor: Cursor;
}

/** Static data of the whole workflow holds a copy for each trigger under this name. */
const copies = 'newCharges';

/**
 * What was remembered last. n8n loses the node's static data when the node is renamed, and with durable cursors it does not keep
 * what the poll at activation left there. So there is a copy by the ID of the node in the static data of the workflow, which
 * counts where the node has none of its own, or was renamed since.
 */
export function recall(context: IPollFunctions): Memory | undefined {
	const { id, name } = context.getNode();
	const isOwn = (memory: Memory | undefined): memory is Memory =>
		memory?.version === 1 && memory.node === id;
	const own = context.getWorkflowStaticData('node').memory as unknown as Memory | undefined;
	const copy = copiesOf(context)[id] as unknown as Memory | undefined;
	if (!isOwn(copy)) return isOwn(own) ? plain(own) : undefined;
	if (!isOwn(own)) return plain(copy);
	const wasRenamed = copy.name !== name;
	return plain(wasRenamed && copy.saves > own.saves ? copy : own);
}

/**
 * Remembers. Durable cursors are committed together with the execution that they belong to, and the copy is not, so with them it
 * is only made where there is nothing else.
 */
export function remember(context: IPollFunctions, memory: Memory, isDurable: boolean): void {
	const data = context.getWorkflowStaticData('node');
	const needsCopy = !isDurable || data.memory === undefined;
	data.memory = memory as unknown as IDataObject;
	if (!needsCopy) return;
	const all = { ...copiesOf(context), [memory.node]: memory as unknown as IDataObject };
	context.getWorkflowStaticData('global')[copies] = all;
}

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[copies] ?? {}) as IDataObject;
}

/** Static data is observed by n8n: what is read from it must not be changed in place. */
const plain = (memory: Memory): Memory => JSON.parse(JSON.stringify(memory)) as Memory;
