import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Operation } from './operation';
import { prepare } from './operation';
import type { Task } from './perform';
import type { ItemOutcome, Outcomes } from './tries';

/** What is done at a time: what one item asks for, or the invoice that several rows make. */
export interface Unit {
	/** Indexes of the input items that it is made of. The first one stands for the unit, in all tries of a run. */
	items: number[];
	/** As errors call it. */
	name: string;
	/** A request that is to be sent, or what is wrong with the fields, or how it ended already. */
	ready: { task: Task } | { problems: string[] } | ItemOutcome;
	/** What its output says besides. */
	fields?: IDataObject;
}

/** A unit that cannot be sent. */
export type InvalidUnit = Unit & { ready: { problems: string[] } };

/** All that a run of the node is to do, in order. */
export interface Plan {
	units: Unit[];
	/** What units are called. */
	noun: 'item' | 'invoice';
	/** What the user should know although nothing failed. */
	notes: NodeExecutionHint[];
}

/** Reads what the node is to do. Throws what n8n throws for an expression that cannot be evaluated. */
export type Planner = (context: IExecuteFunctions, operation: Operation) => Promise<Plan>;

/** One unit for each item, without reading those that an earlier try created, or may have: they are not sent again. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	creates: Outcomes,
): Promise<Plan> {
	const prepareOne = context.continueOnFail() ? prepareOrNot : prepare;
	const { length } = context.getInputData();
	const units = await inSlices(context, length, (index) => ({
		items: [index],
		name: `item ${index}`,
		ready: creates.get(index) ?? prepareOne(context, operation, index),
	}));
	return { units, noun: 'item', notes: [] };
}

function prepareOrNot(...args: Parameters<typeof prepare>): Unit['ready'] {
	try {
		return prepare(...args);
	} catch (error) {
		return { error: error as Error, mayBeDone: false };
	}
}

/**
 * Does something for 0, 1, … `count` - 1 and gives the results: evaluating the expressions of many items takes seconds, and n8n
 * has other things to do meanwhile. Ends early when the execution is cancelled.
 */
export async function inSlices<T>(
	context: IExecuteFunctions,
	count: number,
	work: (index: number) => T,
): Promise<T[]> {
	const results: T[] = [];
	let pausedAt = Date.now();
	for (let index = 0; index < count; index++) {
		results.push(work(index));
		if (Date.now() - pausedAt < 50) continue;
		await sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) break;
		pausedAt = Date.now();
	}
	return results;
}
