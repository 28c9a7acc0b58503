import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Occasion } from './engine';
import type { Cursor } from './newCharges/cursor';
import { isCursor } from './newCharges/cursor';

/** What the trigger remembers from one poll to the next, in n8n's static data. */
export interface Memory {
	version: 1;
	/** Whether n8n keeps it together with the execution. Not in what older versions saved. */
	isDurable?: boolean;
	/** ID and name of the node: n8n keys static data by the name, which can change and pass to another node. */
	node: string;
	name: string;
	/** How often it was saved: what is newer has a higher number. */
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

/** How often what a trigger remembers was saved, and when it last read the list without finding anything, as long as n8n runs. */
const last = new Map<string, Saved>();
/** How often a trigger was activated. */
const activations = new Map<string, number>();

/** What the trigger remembers, as one poll finds and leaves it. */
export interface Recollection {
	memory: Memory | undefined;
	/** When the list was last read: n8n does not keep what every poll remembers. */
	lookedAt: number;
	/** n8n sees what is remembered at once, and keeps it if the poll does not fail. */
	remember(
		news: Pick<Memory, 'start' | 'service' | 'filters' | 'lookedAt' | 'cursor'>,
		hasCharges: boolean,
	): Memory;
}

/** What was remembered last. `key`: of the trigger. */
export function recall(context: IPollFunctions, occasion: Occasion, key: string): Recollection {
	const { id: node, name } = context.getNode();
	const { isScheduled, isDurable } = occasion;
	const after = recallSaved(context, occasion);
	const isKept = isDurable || !isScheduled;
	const quiet = isKept ? undefined : unsaved.get(key);
	const found = quiet && isSame(quiet.after, after) ? quiet.memory : after;
	const activation = activations.get(key);
	const { saves, lookedAt } = last.get(key) ?? { saves: 0, lookedAt: 0 };
	return {
		memory: found,
		lookedAt: Math.max(lookedAt, found?.lookedAt ?? 0),
		remember(news, hasCharges) {
			// What is live, or on its way, can have been saved more often than what this poll began with.
			const next = Math.max(found?.saves ?? 0, saves) + 1;
			const memory: Memory = { version: 1, isDurable, node, name, saves: next, ...news };
			// n8n may drop the charges; then the last look is that of before.
			last.set(key, { saves: next, lookedAt: hasCharges ? lookedAt : memory.lookedAt });
			if (!isKept && !hasCharges) unsaved.set(key, { memory, after });
			const isCurrent = activation === activations.get(key);
			save(context, memory, occasion, { hasCharges, isCurrent });
			return memory;
		},
	};
}

/** At activation nothing counts but what n8n has kept: it drops what comes of the polls before. */
export function forgetUnsaved(context: IPollFunctions, occasion: Occasion, key: string): void {
	activations.set(key, (activations.get(key) ?? 0) + 1);
	unsaved.delete(key);
	const saved = recallSaved(context, occasion) as IDataObject | undefined;
	const workflow = workflowOf(context);
	latest.set(workflow, { ...latest.get(workflow), [context.getNode().id]: saved });
}

/** Whether both are what one poll has left. */
export function isSame(one: Saved | undefined, other: Saved | undefined): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}

/**
 * n8n loses the node's static data when the node is renamed, and with durable cursors it does not keep what the poll at activation
 * left there. So there is a copy by the ID of the node in the static data of the workflow, which counts where it is newer. Durable
 * cursors are committed together with the execution that they belong to, and the copy is not: where one was committed, the copy
 * only counts if the poll at activation began anew.
 */
function recallSaved(
	context: IPollFunctions,
	{ isActivation, isDurable }: Occasion,
): Memory | undefined {
	const { id, name } = context.getNode();
	const read = (value: unknown): Memory | undefined => {
		const memory = value as Memory | undefined;
		if (memory?.version !== 1 || memory.node !== id) return undefined;
		if (isCursor(memory.cursor)) return memory;
		context.logger.warn(`${name}: what was remembered of earlier polls is damaged`);
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
 * With durable cursors the copy is only made at activation, and where there is nothing else; not of charges, for it is saved even
 * where n8n cannot commit them.
 */
function save(
	context: IPollFunctions,
	memory: Memory,
	{ isActivation, isDurable }: Occasion,
	{ hasCharges, isCurrent }: { hasCharges: boolean; isCurrent: boolean },
): void {
	const data = context.getWorkflowStaticData('node');
	const isFirst = isActivation || data.memory === undefined;
	data.memory = memory as unknown as IDataObject;
	if (isDurable && (hasCharges || !isFirst)) return;
	const workflow = workflowOf(context);
	const all = { ...latest.get(workflow), [memory.node]: memory as unknown as IDataObject };
	if (isCurrent) latest.set(workflow, all);
	context.getWorkflowStaticData('global')[copies] = { ...copiesOf(context), ...all };
}

const workflowOf = (context: IPollFunctions) => String(context.getWorkflow().id);

function copiesOf(context: IPollFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[copies] ?? {}) as IDataObject;
}
