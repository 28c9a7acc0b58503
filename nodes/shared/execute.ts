import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { cancelledError, invalidItemsError, toNodeError, withStory } from './errors';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import type { Operation, Prepared } from './operation';
import { operationOf, prepare } from './operation';
import type { Task } from './perform';
import { perform } from './perform';
import { inOrder } from './pool';
import type { Service } from './service';
import { openService, standardManner } from './service';
import type { ItemOutcome, Outcomes } from './tries';
import { createsOf } from './tries';
import { pause } from './wait';

/** An item that is to be sent, or of which is known how it ended. */
type Ready = { task: Task } | ItemOutcome;

/**
 * Runs the node, of which `properties` holds the operations and their fields: the fields of all items are checked before the
 * first is sent, items are sent in order and a bounded number at a time, results are paired with their item, and after an item
 * that failed no further one is sent. With Continue every item gets its results or its error.
 *
 * Throws a NodeApiError that tells what failed and what had been done before, or what n8n throws for an expression that cannot be
 * evaluated.
 */
export async function execute(
	context: IExecuteFunctions,
	properties: INodeProperties[],
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const total = context.getInputData().length;
	const creates = createsOf(context);
	const outcomes: Outcomes = new Map();
	const told = (error: Error, itemIndex?: number) =>
		withStory(node, error, itemIndex, { total, outcomes: new Map([...creates, ...outcomes]) });

	const operation = operationOf(context, properties);
	const prepared = await prepareAll(context, operation, creates).catch((error: Error) => error);
	// What an earlier try did must not be lost over an expression of this one.
	if (prepared instanceof Error) throw creates.size ? told(prepared) : prepared;
	const invalid = prepared.flatMap((item, index) =>
		'problems' in item ? [{ index, problems: item.problems }] : [],
	);
	if (invalid.length && !context.continueOnFail()) {
		throw told(invalidItemsError(node, invalid), invalid[0].index);
	}
	const ready = prepared.map((item, index): Ready => {
		if (!('problems' in item)) return item;
		return { error: invalidItemsError(node, [{ index, ...item }]), mayBeDone: false };
	});
	const firstFailed = await sendAll(context, ready, creates, outcomes);
	if (context.getExecutionCancelSignal()?.aborted) {
		const error = told(cancelledError(node));
		// n8n keeps neither items nor error of a node that was cancelled, so its log is the place for what was done.
		context.logger.warn(`${node.name}: ${[error.message, error.description].join('\n')}`);
		throw error;
	}
	if (firstFailed && !context.continueOnFail()) throw told(firstFailed.error, firstFailed.index);
	return [toItems(context, outcomes)];
}

/** Reads the fields of all items but those that an earlier try created, or may have: they are not sent again. */
async function prepareAll(
	context: IExecuteFunctions,
	operation: Operation,
	creates: Outcomes,
): Promise<Array<Prepared | ItemOutcome>> {
	const prepared: Array<Prepared | ItemOutcome> = [];
	const { length } = context.getInputData();
	const prepareOne = context.continueOnFail() ? prepareOrNot : prepare;
	let pausedAt = Date.now();
	for (let index = 0; index < length; index++) {
		prepared.push(creates.get(index) ?? prepareOne(context, operation, index));
		// Evaluating the expressions of many items takes seconds, and n8n has other things to do meanwhile.
		if (Date.now() - pausedAt < 50) continue;
		await sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) break;
		pausedAt = Date.now();
	}
	return prepared;
}

function prepareOrNot(...args: Parameters<typeof prepare>): Prepared | ItemOutcome {
	try {
		return prepare(...args);
	} catch (error) {
		return { error: error as Error, mayBeDone: false };
	}
}

/**
 * Sends the items, notes in `outcomes` how each ended, and in `creates` those that are not to be sent again. Returns the error
 * that came first. Without Continue no item is sent after one that failed, and none after the execution was cancelled.
 */
async function sendAll(
	context: IExecuteFunctions,
	ready: Ready[],
	creates: Outcomes,
	outcomes: Outcomes,
): Promise<{ error: Error; index: number } | undefined> {
	const cancel = context.getExecutionCancelSignal();
	if (cancel?.aborted) return undefined;
	const stop = new AbortController();
	const stopAll = () => stop.abort();
	cancel?.addEventListener('abort', stopAll);
	const service = await openService(context, stop.signal);
	const first = ready.find((item): item is { task: Task } => 'task' in item)?.task;
	const { maxRequestsInFlight } = first?.manner ?? standardManner;
	const { size, interval } = first?.settings.batching ?? { size: 1, interval: 0 };
	const begin = Date.now();
	let firstFailed: { error: Error; index: number } | undefined;
	await inOrder(ready.length, maxRequestsInFlight, async (index) => {
		await pause(begin + Math.floor(index / size) * interval - Date.now(), stop.signal);
		if (stop.signal.aborted) return false;
		const item = ready[index];
		const outcome = 'task' in item ? await send(context, service, item.task, index) : item;
		// It was told to stop before it was sent.
		if (!outcome) return false;
		outcomes.set(index, outcome);
		const isFailed = 'error' in outcome;
		const isCreate = 'task' in item && item.task.request.method === 'POST';
		if (isCreate && (!isFailed || outcome.mayBeDone)) creates.set(index, outcome);
		if (isFailed) firstFailed ??= { error: outcome.error, index };
		if (isFailed && !context.continueOnFail()) stopAll();
		return true;
	});
	cancel?.removeEventListener('abort', stopAll);
	return firstFailed;
}

/** Sends one item. `undefined`: it was told to stop before. Never throws: what was sent must not be forgotten. */
async function send(
	context: IExecuteFunctions,
	service: Service | { problem: string },
	task: Task,
	index: number,
): Promise<ItemOutcome | undefined> {
	const { method, path } = task.request;
	const failed = (kind: Failure['kind'], reason: string) => ({
		failure: { kind, method, path, reason },
	});
	const performed =
		'problem' in service
			? failed('configuration', service.problem)
			: await perform(service, task).catch((error: Error) => failed('unexpected', error.message));
	if ('results' in performed) return performed;
	const { failure } = performed;
	if (failure.kind === 'stopped') return undefined;
	const error = toNodeError(context.getNode(), failure, index);
	return { error, mayBeDone: mayHaveBeenDone(failure) };
}

function toItems(context: IExecuteFunctions, outcomes: Outcomes): INodeExecutionData[] {
	const input = context.getInputData();
	return input.flatMap(({ json }, item): INodeExecutionData[] => {
		const outcome = outcomes.get(item);
		const pairedItem = { item };
		if (!outcome) return [];
		if ('results' in outcome) {
			return outcome.results.map((result) => ({ json: result as IDataObject, pairedItem }));
		}
		// n8n routes an item that holds nothing but `error` to the error output and puts the input's fields back itself.
		const fields = context.getNode().onError === 'continueErrorOutput' ? {} : json;
		return [{ json: { ...fields, error: outcome.error.message }, pairedItem }];
	});
}
