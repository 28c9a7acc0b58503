import type { IExecuteFunctions } from 'n8n-workflow';
import { inputDataOf, runIndexOf } from '../../shared/n8nInternals';

export type ItemOutcome =
	| { results: Array<Record<string, unknown>> }
	| { error: Error; mayBeDone: boolean };

/** By the index of the unit's first item. Only units that were sent. */
export type Outcomes = Map<number, ItemOutcome>;

export interface RetryMemory {
	runIndex?: number;
	/** Creates that were done, or may have been. */
	creates: Outcomes;
}

const memories = new WeakMap<object, RetryMemory>();

/** A tool gets the execute data of its agent. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/**
 * An object that only the tries of one run share. With "Execute Once", n8n copies the input for each try, but not its source.
 * Tools get a new context and run index for each try, but the same arguments.
 */
function keyOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	if (isTool(context)) return context.getInputData()[0]?.json ?? executeData;
	if (executeData.node.executeOnce) return executeData.data;
	return inputDataOf(context) ?? executeData;
}

/** "Retry On Fail" runs all items again, but no create may be sent twice. */
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
