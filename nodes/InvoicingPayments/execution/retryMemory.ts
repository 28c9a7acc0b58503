import type { IExecuteFunctions } from 'n8n-workflow';
import { inputDataOf, runIndexOf } from '../../shared/n8nInternals';

export type ItemOutcome =
	| { results: Array<Record<string, unknown>> }
	| { error: Error; mayBeDone: boolean };

/** Outcomes by the index of the unit's first item. Units that were not sent are missing. */
export type Outcomes = Map<number, ItemOutcome>;

export interface RetryMemory {
	/** The run of the node within the execution; all tries of a run share it. */
	runIndex?: number;
	/** Creates that were done, or may have been. They are not sent again. */
	creates: Outcomes;
}

const memories = new WeakMap<object, RetryMemory>();

/** Tools of an AI agent get the agent's execute data. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/**
 * An object that all tries of a run share, and no other run. With "Execute Once" n8n copies the input for every try, but not
 * its source. Each try of a tool gets a new context and run index, but the same arguments.
 */
function keyOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	if (isTool(context)) return context.getInputData()[0]?.json ?? executeData;
	if (executeData.node.executeOnce) return executeData.data;
	return inputDataOf(context) ?? executeData;
}

/** The memory of a run and its earlier tries. "Retry On Fail" runs all items again, but no create may be sent twice. */
export function retryMemoryOf(
	given: IExecuteFunctions & { retried?: IExecuteFunctions },
): RetryMemory {
	const context = given.retried ?? given;
	const runIndex = isTool(context) ? undefined : runIndexOf(context);
	const before = memories.get(keyOf(context));
	if (before?.runIndex === runIndex && before) return before;
	const memory = { runIndex, creates: new Map() };
	memories.set(keyOf(context), memory);
	return memory;
}
