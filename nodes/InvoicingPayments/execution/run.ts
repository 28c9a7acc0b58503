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
 * Checks all items before sending any, and sends none after a failure. With Continue, every item gets its results or its error.
 * Throws a NodeApiError that lists what was already done. n8n's RoutingNode does none of this, and repeats creates that may have
 * been processed.
 */
export async function run(
	original: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const ownItems = operation.items?.(original);
	if (!ownItems) return await runItems(original, operation);
	const context = Object.create(original, {
		getInputData: { value: () => ownItems.map((json) => ({ json })) },
		original: { value: original },
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
	const summarized = (error: Error, plan?: Plan, unit?: Unit) =>
		withSummary(node, error, unit, { plan, outcomes: new Map([...creates, ...outcomes]) });

	const plan = await planOf(context, operation, creates).catch((error: Error) => error);
	// Report what earlier attempts created, even if this one cannot evaluate an expression.
	if (plan instanceof Error) throw creates.size ? summarized(plan) : plan;
	const invalid = plan.units.filter(isInvalid);
	if (invalid.length && !context.continueOnFail()) {
		throw summarized(invalidUnitsError(node, invalid, plan), plan, invalid[0]);
	}
	const units = plan.units.map((unit): ReadyUnit => {
		const earlier = creates.get(unit.items[0]);
		if (earlier) return { ...unit, prepared: earlier };
		if (!isInvalid(unit)) return unit as ReadyUnit;
		const error = invalidUnitsError(node, [unit]);
		return { ...unit, prepared: { error, mayBeDone: false } };
	});
	const firstFailed = await sendUnits({ context, operation, memory }, { ...plan, units }, outcomes);
	if (context.getExecutionCancelSignal()?.aborted) {
		const error = summarized(cancelledError(node), plan);
		// n8n discards the output and the error of a cancelled node.
		context.logger.warn(`${node.name}: ${[error.message, error.description].join('\n')}`);
		throw error;
	}
	if (firstFailed && !context.continueOnFail()) {
		throw summarized(firstFailed.error, plan, firstFailed.unit);
	}
	context.addExecutionHints(...groupHints(operation.hints?.(plan, outcomes) ?? [], plan.hints));
	const output = plan.output?.(outcomes);
	return [output ?? units.flatMap((unit) => toItems(context, unit, outcomes.get(unit.items[0])))];
}

/** Shows at most three boxes in the editor: warnings, the outcome, and other notes on the plan. */
function groupHints(
	ofOutcome: NodeExecutionHint[],
	ofPlan: NodeExecutionHint[],
): NodeExecutionHint[] {
	const isWarning = ({ type }: NodeExecutionHint) => type === 'warning';
	const isInfo = (one: NodeExecutionHint) => !isWarning(one);
	const boxes = [
		[...ofPlan, ...ofOutcome].filter(isWarning),
		ofOutcome.filter(isInfo),
		ofPlan.filter(isInfo),
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
	earlierCreates: Outcomes,
): Promise<Plan> {
	return operation.plan
		? await operation.plan(context, operation)
		: await planItems(context, operation, earlierCreates);
}

const isInvalid = (unit: Unit): unit is InvalidUnit => 'problems' in unit.prepared;
