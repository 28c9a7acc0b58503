import type { IExecuteFunctions } from 'n8n-workflow';
import { inputDataOf, runIndexOf } from '../../shared/n8nInternals';
import { Owner } from '../../shared/owner';
import type { Outcome } from '../../shared/result';

export type ItemOutcome = Outcome<
	Array<Record<string, unknown>>,
	{ error: Error; mayBeDone: boolean }
>;

/** By the index of the unit's first item. Units that were not reached have none. */
export type Outcomes = Map<number, ItemOutcome>;

/**
 * One run of the node with all its attempts: n8n's "Retry On Fail" runs all items again, but no create may be sent twice. Its parts
 * are what all attempts know.
 */
export class Run extends Owner {
	/** Outcomes of creates that are not sent again: they were done, may have been done, or were refused. */
	readonly creates: Outcomes = new Map();

	constructor(readonly runIndex?: number) {
		super();
	}
}

/** Keyed by an object of n8n, and forgotten with it. */
const runs = new WeakMap<object, Run>();

/** Begins an attempt of a run, which may be the first. */
export function runOf(context: IExecuteFunctions): Run {
	const runIndex = isTool(context) ? undefined : runIndexOf(context);
	const key = keyOf(context);
	const earlier = runs.get(key);
	const run = earlier && earlier.runIndex === runIndex ? earlier : new Run(runIndex);
	runs.set(key, run);
	return run;
}

/** The execute data of a tool is that of its agent. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** Whether an AI agent called the node, which n8n runs as a node of its own type, or, with an older agent, in place of the agent. */
export const isCalledByAgent = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool') || isTool(context);

/** An object that only the attempts of one run share (N1). */
function keyOf(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	if (isTool(context)) return context.getInputData()[0]?.json ?? executeData;
	if (executeData.node.executeOnce) return executeData.data;
	return inputDataOf(context) ?? executeData;
}
