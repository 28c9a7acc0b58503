import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { cancelledError } from '../../shared/errors/nodeErrors';
import type { Operation } from './operation';
import type { Plan, Unit } from './plan';
import { planItems } from './planItems';
import type { Outcomes } from './retryMemory';
import { retryMemoryOf } from './retryMemory';
import type { InvalidUnit } from './runErrors';
import { invalidUnitsError, withSummary } from './runErrors';
import type { ReadyUnit } from './sendUnits';
import { sendUnits } from './sendUnits';
import { toItems } from './toItems';

/**
 * Runs the operation that the node is set to. The description is n8n's declarative style and says what is sent; n8n's RoutingNode
 * could send it, but would evaluate each expression several times, check an item only when its turn has come, send all items at
 * the same time, know nothing of creates that may have been processed, and pair no results with items. So the node has this
 * `execute`, and a test compares its requests with RoutingNode's.
 *
 * The fields of all items are checked before the first is sent, items are sent in order and a bounded number at a time, results
 * are paired with their items, and after one that failed no further one is sent. With Continue every item gets its results or its
 * error. Throws a NodeApiError that tells what failed and what had been done before, or what n8n throws for an expression that
 * cannot be evaluated.
 */
export async function run(
	original: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const given = operation.items?.(original);
	if (!given) return await runItems(original, operation);
	const context = Object.create(original, {
		getInputData: { value: () => given.map((json) => ({ json })) },
		// The tries of one run share the input.
		retried: { value: original },
	}) as IExecuteFunctions;
	const [items] = await runItems(context, operation);
	return [items.map((item) => ({ ...item, pairedItem: { item: 0 } }))];
}

async function runItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const memory = retryMemoryOf(context);
	const { creates } = memory;
	const outcomes: Outcomes = new Map();
	const summarised = (error: Error, plan?: Plan, unit?: Unit) =>
		withSummary(node, error, unit, { plan, outcomes: new Map([...creates, ...outcomes]) });

	const plan = await planOf(context, operation, creates).catch((error: Error) => error);
	// What an earlier try did must not be lost over an expression of this one.
	if (plan instanceof Error) throw creates.size ? summarised(plan) : plan;
	const invalid = plan.units.filter(isInvalid);
	if (invalid.length && !context.continueOnFail()) {
		throw summarised(invalidUnitsError(node, invalid, plan), plan, invalid[0]);
	}
	const units = plan.units.map((unit): ReadyUnit => {
		const before = creates.get(unit.items[0]);
		if (before) return { ...unit, ready: before };
		if (!isInvalid(unit)) return unit as ReadyUnit;
		const error = invalidUnitsError(node, [unit]);
		return { ...unit, ready: { error, mayBeDone: false } };
	});
	const firstFailed = await sendUnits({ context, operation, memory }, { ...plan, units }, outcomes);
	if (context.getExecutionCancelSignal()?.aborted) {
		const error = summarised(cancelledError(node), plan);
		// n8n keeps neither items nor error of a node that was cancelled, so its log is the place for what was done.
		context.logger.warn(`${node.name}: ${[error.message, error.description].join('\n')}`);
		throw error;
	}
	if (firstFailed && !context.continueOnFail()) {
		throw summarised(firstFailed.error, plan, firstFailed.unit);
	}
	context.addExecutionHints(...boxesOf(operation.hints?.(plan, outcomes) ?? [], plan.hints));
	const output = plan.output?.(outcomes);
	return [output ?? units.flatMap((unit) => toItems(context, unit, outcomes.get(unit.items[0])))];
}

/** What a person should look at first, then what was done, then what else there is to know: a box of the editor each. */
function boxesOf(outcome: NodeExecutionHint[], planned: NodeExecutionHint[]): NodeExecutionHint[] {
	const isWarning = ({ type }: NodeExecutionHint) => type === 'warning';
	const isInfo = (one: NodeExecutionHint) => !isWarning(one);
	const boxes = [
		[...planned, ...outcome].filter(isWarning),
		outcome.filter(isInfo),
		planned.filter(isInfo),
	];
	return boxes.flatMap((hints) =>
		hints.length
			? [{ ...hints[0], message: hints.map(({ message }) => message).join('<br>') }]
			: [],
	);
}

async function planOf(
	context: IExecuteFunctions,
	operation: Operation,
	creates: Outcomes,
): Promise<Plan> {
	return operation.plan
		? await operation.plan(context, operation)
		: await planItems(context, operation, creates);
}

const isInvalid = (unit: Unit): unit is InvalidUnit => 'problems' in unit.ready;
