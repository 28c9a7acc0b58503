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
 * Runs the selected operation. The description is n8n's declarative style, but n8n's RoutingNode would evaluate expressions
 * several times, check an item only before it is sent, send all items at once, repeat creates that may have been processed,
 * and not pair results with items. A test compares the requests with RoutingNode's.
 *
 * All items are checked before the first is sent. Items are sent in order, a limited number at a time, and none after a
 * failure. With Continue every item gets its results or its error. Throws a NodeApiError with the failure and what was done
 * before, or n8n's error of an expression.
 */
export async function run(
	original: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const given = operation.items?.(original);
	if (!given) return await runItems(original, operation);
	const context = Object.create(original, {
		getInputData: { value: () => given.map((json) => ({ json })) },
		// All tries of a run share its input.
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
	const summarized = (error: Error, plan?: Plan, unit?: Unit) =>
		withSummary(node, error, unit, { plan, outcomes: new Map([...creates, ...outcomes]) });

	const plan = await planOf(context, operation, creates).catch((error: Error) => error);
	// Earlier tries are reported even if an expression fails in this one.
	if (plan instanceof Error) throw creates.size ? summarized(plan) : plan;
	const invalid = plan.units.filter(isInvalid);
	if (invalid.length && !context.continueOnFail()) {
		throw summarized(invalidUnitsError(node, invalid, plan), plan, invalid[0]);
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
		const error = summarized(cancelledError(node), plan);
		// n8n drops items and error of a cancelled node, so report in its log what was done.
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

/** One box in the editor for warnings, one for the outcome, one for the rest. */
function groupHints(
	outcome: NodeExecutionHint[],
	planned: NodeExecutionHint[],
): NodeExecutionHint[] {
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
