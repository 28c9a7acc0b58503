import type { IExecuteFunctions } from 'n8n-workflow';
import { inputDataOf, runIndexOf } from '../../shared/n8nInternals';

export type ItemOutcome =
	| { results: Array<Record<string, unknown>> }
	| { error: Error; mayBeDone: boolean };

/** By the index of the unit's first item. Only units that were sent. */
export type Outcomes = Map<number, ItemOutcome>;

export interface RetryMemory {
	runIndex?: number;
	/** Outcomes of creates that were done, or may have been done. */
	creates: Outcomes;
}

const memories = new WeakMap<object, RetryMemory>();

/** The execute data of a tool is that of its agent. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/**
 * An object that only the attempts of one run share. With "Execute Once", n8n copies the input for each attempt, but not the
 * input's source. A tool gets a new context and run index for each attempt, but the same arguments.
 */
function keyOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	if (isTool(context)) return context.getInputData()[0]?.json ?? executeData;
	if (executeData.node.executeOnce) return executeData.data;
	return inputDataOf(context) ?? executeData;
}

/** "Retry On Fail" runs all items again, but no create may be sent twice. */
export function retryMemoryOf(
	wrapped: IExecuteFunctions & { original?: IExecuteFunctions },
): RetryMemory {
	const context = wrapped.original ?? wrapped;
	const runIndex = isTool(context) ? undefined : runIndexOf(context);
	const earlier = memories.get(keyOf(context));
	if (earlier?.runIndex === runIndex && earlier) return earlier;
	const memory = { runIndex, creates: new Map() };
	memories.set(keyOf(context), memory);
	return memory;
}
