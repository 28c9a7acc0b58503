import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { createInvoice } from './createInvoice';
import { cancelledError, invalidUnitsError, toNodeError, withStory } from './errors';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import { notesOn } from './notes';
import { operationOf } from './operation';
import type { Performed, Task } from './perform';
import { perform } from './perform';
import type { InvalidUnit, Plan, Unit } from './plan';
import { planItems } from './plan';
import { inOrder } from './pool';
import { Progress } from './progress';
import type { Service } from './service';
import { openService, standardManner } from './service';
import { toOutput } from './simplify';
import type { ItemOutcome, Outcomes, Tries } from './tries';
import { triesOf } from './tries';
import { pause } from './wait';

/** A unit that is to be sent, or of which is known how it ended. */
type Ready = Unit & { ready: { task: Task } | ItemOutcome };

/**
 * Runs the node, of which `properties` holds the operations and their fields: the fields of all items are checked before the
 * first is sent, items are sent in order and a bounded number at a time, results are paired with their items, and after one that
 * failed no further one is sent. With Continue every item gets its results or its error.
 *
 * Throws a NodeApiError that tells what failed and what had been done before, or what n8n throws for an expression that cannot be
 * evaluated.
 */
export async function execute(
	context: IExecuteFunctions,
	properties: INodeProperties[],
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const tries = triesOf(context);
	const { creates } = tries;
	const outcomes: Outcomes = new Map();
	const told = (error: Error, plan?: Plan, unit?: Unit) =>
		withStory(node, error, unit, { plan, outcomes: new Map([...creates, ...outcomes]) });

	const plan = await planOf(context, properties, creates).catch((error: Error) => error);
	// What an earlier try did must not be lost over an expression of this one.
	if (plan instanceof Error) throw creates.size ? told(plan) : plan;
	const invalid = plan.units.filter(isInvalid);
	if (invalid.length && !context.continueOnFail()) {
		throw told(invalidUnitsError(node, invalid), plan, invalid[0]);
	}
	const units = plan.units.map((unit): Ready => {
		const before = creates.get(unit.items[0]);
		if (before) return { ...unit, ready: before };
		if (!isInvalid(unit)) return unit as Ready;
		const error = invalidUnitsError(node, [unit]);
		return { ...unit, ready: { error, mayBeDone: false } };
	});
	const firstFailed = await sendAll(context, { ...plan, units }, tries, outcomes);
	if (context.getExecutionCancelSignal()?.aborted) {
		const error = told(cancelledError(node), plan);
		// n8n keeps neither items nor error of a node that was cancelled, so its log is the place for what was done.
		context.logger.warn(`${node.name}: ${[error.message, error.description].join('\n')}`);
		throw error;
	}
	if (firstFailed && !context.continueOnFail()) {
		throw told(firstFailed.error, plan, firstFailed.unit);
	}
	context.addExecutionHints(...plan.notes, ...notesOn(plan, outcomes));
	return [units.flatMap((unit) => toItems(context, unit, outcomes.get(unit.items[0])))];
}

async function planOf(
	context: IExecuteFunctions,
	properties: INodeProperties[],
	creates: Outcomes,
): Promise<Plan> {
	const operation = operationOf(context, properties);
	const { plan } = operation.routing;
	return plan ? await plan(context, operation) : await planItems(context, operation, creates);
}

const isInvalid = (unit: Unit): unit is InvalidUnit => 'problems' in unit.ready;

/**
 * Sends the units, notes in `outcomes` how each ended, and in the tries those that are not to be sent again. Returns the error
 * that came first. Without Continue none is sent after one that failed, and none after the execution was cancelled.
 */
async function sendAll(
	context: IExecuteFunctions,
	{ units, noun }: Pick<Plan, 'noun'> & { units: Ready[] },
	{ creates, numbers }: Tries,
	outcomes: Outcomes,
): Promise<{ error: Error; unit: Unit } | undefined> {
	const cancel = context.getExecutionCancelSignal();
	const tasks = units.flatMap(({ ready }) => ('task' in ready ? [ready.task] : []));
	if (cancel?.aborted) return undefined;
	const stop = new AbortController();
	const stopAll = () => stop.abort();
	cancel?.addEventListener('abort', stopAll);
	const service = tasks.length ? await openService(context, stop.signal, cancel) : undefined;
	if (service && 'account' in service && !context.continueOnFail()) service.hold = { count: 0 };
	const { maxRequestsInFlight } = tasks[0]?.manner ?? standardManner;
	const { size, interval } = tasks[0]?.settings.batching ?? { size: 1, interval: 0 };
	const progress = new Progress(context, units.length, noun);
	const begin = Date.now();
	let firstFailed: { error: Error; unit: Unit } | undefined;
	await inOrder(units.length, maxRequestsInFlight, async (index) => {
		await pause(begin + Math.floor(index / size) * interval - Date.now(), stop.signal);
		if (stop.signal.aborted) return false;
		const { ready, ...unit } = units[index];
		const [key] = unit.items;
		const sent =
			service && 'task' in ready
				? await send(context, service, ready.task, unit, numbers)
				: (ready as ItemOutcome);
		// It was told to stop before it was sent.
		if (!sent) return false;
		outcomes.set(key, sent);
		progress.step();
		const isFailed = 'error' in sent;
		const isCreate = 'task' in ready && ready.task.request.method === 'POST';
		if (isCreate && (!isFailed || sent.mayBeDone)) creates.set(key, sent);
		if (isFailed) firstFailed ??= { error: sent.error, unit: units[index] };
		if (isFailed && !context.continueOnFail()) stopAll();
		return true;
	});
	cancel?.removeEventListener('abort', stopAll);
	return firstFailed;
}

/** Sends one unit. `undefined`: it was told to stop before. Never throws: what was sent must not be forgotten. */
async function send(
	context: IExecuteFunctions,
	service: Service | { problem: string },
	task: Task,
	unit: Pick<Unit, 'items' | 'name' | 'fields'>,
	numbers: Tries['numbers'],
): Promise<ItemOutcome | undefined> {
	const { method, path } = task.request;
	const failed = (kind: Failure['kind'], reason: string) => ({
		failure: { kind, method, path, reason },
	});
	const { simple, settings } = task;
	const work = async (open: Service): Promise<Performed> => {
		const isInvoice = task.answer === 'invoice';
		const performed = await (isInvoice ? createInvoice(open, task, numbers) : perform(open, task));
		if ('failure' in performed) return performed;
		return { results: performed.results.map((result) => toOutput(result, simple, settings)) };
	};
	const performed =
		'problem' in service
			? failed('configuration', service.problem)
			: await work(service).catch((error: Error) => failed('unexpected', error.message));
	if ('results' in performed) return performed;
	const { failure } = performed;
	if (failure.kind === 'stopped') return undefined;
	const error = toNodeError(context.getNode(), failure, unit);
	return { error, mayBeDone: mayHaveBeenDone(failure) };
}

function toItems(
	context: IExecuteFunctions,
	{ items, fields }: Unit,
	outcome: ItemOutcome | undefined,
): INodeExecutionData[] {
	if (!outcome) return [];
	const pairs = items.map((item) => ({ item }));
	const pairedItem = pairs.length === 1 ? pairs[0] : pairs;
	if ('results' in outcome) {
		return outcome.results.map((result) => ({
			json: fields ? inFront(fields, result) : (result as IDataObject),
			pairedItem,
		}));
	}
	const input = context.getInputData();
	const error = outcome.error.message;
	// n8n routes an item that holds nothing but `error` and `details` to the error output and adds the input's fields itself.
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	if (!fields) return [{ json: { ...(isRouted ? {} : input[items[0]].json), error }, pairedItem }];
	const details = { outcome: 'failed', ...fields, input: items.map((item) => input[item].json) };
	return [{ json: isRouted ? { error, details } : { ...details, error }, pairedItem }];
}

/** The outcome first, then what is known of the rows, then the result. */
function inFront(fields: IDataObject, result: Record<string, unknown>): IDataObject {
	const { outcome, ...rest } = result as IDataObject;
	return { outcome, ...fields, ...rest };
}
