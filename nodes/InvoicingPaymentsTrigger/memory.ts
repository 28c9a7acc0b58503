import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Occasion } from './engine';
import type { Cursor } from './newCharges/cursor';
import { isCursor } from './newCharges/cursor';

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

/** What tells one state of a memory from another. */
export type Saved = Pick<Memory, 'saves' | 'lookedAt'>;

/** Static data of the whole workflow holds a copy for each trigger under this name. */
const copies = 'newCharges';

/**
 * The same by workflow, as long as n8n runs. Triggers that were published one after the other each have their own copy of the
 * static data, and n8n saves it whole: whichever of them is saved has to hold what the others remember.
 */
const latest = new Map<string, IDataObject>();

/**
 * What polls without charges remember, by trigger, as long as n8n runs: where its scheduler keeps no cursors, it begins the next
 * poll with what was saved (`after`) before them.
 */
const unsaved = new Map<string, { memory: Memory; after: Memory | undefined }>();

/** What the trigger remembers, as one poll finds and leaves it. */
export interface Recollection {
	memory: Memory | undefined;
	/** To be called last: n8n sees what is remembered at once. */
	remember(memory: Memory, hasCharges: boolean): void;
}

/** What was remembered last. `key`: of the trigger. */
export function recall(context: IPollFunctions, occasion: Occasion, key: string): Recollection {
	const { isActivation, isScheduled, isDurable } = occasion;
	if (isActivation) unsaved.delete(key);
	const after = recallSaved(context, occasion);
	const isKept = isDurable || !isScheduled;
	const quiet = isKept ? undefined : unsaved.get(key);
	return {
		memory: quiet && isSame(quiet.after, after) ? quiet.memory : after,
		remember(memory, hasCharges) {
			if (!isKept && !hasCharges) unsaved.set(key, { memory, after });
			save(context, memory, occasion);
		},
	};
}

/** Whether both are what one poll has left. */
export function isSame(one: Saved | undefined, other: Saved | undefined): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}

/**
 * n8n loses the node's static data when the node is renamed, and with durable cursors it does not keep what the poll at activation
 * left there. So there is a copy by the ID of the node in the static data of the workflow, which counts where it is newer. Durable
 * cursors are committed together with the execution that they belong to, and the copy is not: with them it only counts where there
 * is nothing else, or where the poll at activation began anew.
 */
function recallSaved(context: IPollFunctions, { isDurable }: Occasion): Memory | undefined {
	const { id, name } = context.getNode();
	const read = (value: unknown): Memory | undefined => {
		const memory = value as Memory | undefined;
		if (memory?.version !== 1 || memory.node !== id) return undefined;
		if (isCursor(memory.cursor)) return memory;
		context.logger.warn(`${name}: what was remembered of earlier polls is damaged`);
		return undefined;
	};
	const own = read(context.getWorkflowStaticData('node').memory);
	const copy = read(copiesOf(context)[id]);
	const isOther = copy?.name !== name || copy.start !== own?.start || copy.service !== own.service;
	const isNewer = own && copy && copy.saves > own.saves;
	const memory = !own || (isNewer && (!isDurable || isOther)) ? copy : own;
	// Static data is observed by n8n: what is read from it must not be changed in place.
	return memory && (JSON.parse(JSON.stringify(memory)) as Memory);
}

/** With durable cursors the copy is only made at activation, and where there is nothing else. */
function save(
	context: IPollFunctions,
	memory: Memory,
	{ isActivation, isDurable }: Occasion,
): void {
	const data = context.getWorkflowStaticData('node');
	const needsCopy = isActivation || !isDurable || data.memory === undefined;
	data.memory = memory as unknown as IDataObject;
	if (!needsCopy) return;
	const workflow = String(context.getWorkflow().id);
	const all = { ...latest.get(workflow), [memory.node]: memory as unknown as IDataObject };
	latest.set(workflow, all);
	context.getWorkflowStaticData('global')[copies] = { ...copiesOf(context), ...all };
}

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[copies] ?? {}) as IDataObject;
}
