import type { IExecuteFunctions } from 'n8n-workflow';
import { inputDataOf, runIndexOf } from '../../shared/n8nInternals';

/** How an item ended: what came back, or why nothing did. */
export type ItemOutcome =
	| { results: Array<Record<string, unknown>> }
	| { error: Error; mayBeDone: boolean };

/** How items, or the invoices of rows, ended, by their index; what was not sent is not in it. */
export type Outcomes = Map<number, ItemOutcome>;

export interface RetryMemory {
	/** Which run of the node within the execution this is; the tries of one run share it. */
	runIndex?: number;
	/** The creates that were done, or may have been: not to be sent again. */
	creates: Outcomes;
}

const known = new WeakMap<object, RetryMemory>();

/** All tools of an AI agent are called with the execute data of the agent. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/**
 * What the tries of a run share and no other run has. For a node that is its input; with "Execute Once" n8n cuts the input anew
 * for every try, but not its source. For a tool it is what the agent called it with: each try gets a context and a number of its
 * own.
 */
function keyOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	if (isTool(context)) return context.getInputData()[0]?.json ?? executeData;
	if (executeData.node.executeOnce) return executeData.data;
	return inputDataOf(context) ?? executeData;
}

/**
 * What earlier tries of this run did or may have done, to be added to: "Retry On Fail" runs all items again with the same input,
 * and none of them is to be sent twice.
 */
export function retryMemoryOf(
	given: IExecuteFunctions & { retried?: IExecuteFunctions },
): RetryMemory {
	const context = given.retried ?? given;
	const runIndex = isTool(context) ? undefined : runIndexOf(context);
	const before = known.get(keyOf(context));
	if (before?.runIndex === runIndex && before) return before;
	const memory = { runIndex, creates: new Map() };
	known.set(keyOf(context), memory);
	return memory;
}
