import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { invalidItemError, toNodeError } from './errors';
import { perform } from './perform';
import { Queue } from './queue';
import type { Run } from './run';
import { expectedPrepared, notePrepared, runOf } from './run';
import { credentialName } from './service';

/**
 * The first property of the node. With `requestOperations.pagination` set to {@link requestHook}, it makes n8n hand every
 * request of every operation to the hook. Its preSend runs first, while n8n still prepares the items one after the other.
 */
export const requestHookProperty: INodeProperties = {
	displayName: 'Request Hook',
	name: 'requestHook',
	type: 'hidden',
	default: '',
	routing: {
		send: {
			paginate: true,
			preSend: [
				async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
					notePrepared(this);
					return request;
				},
			],
		},
	},
};

/** All items of all workflows of this n8n process share the queue of their base URL. */
const queues = new Map<string, Queue>();
const maxInFlight = 5;

type Outcome =
	| { results: Array<Record<string, unknown>> }
	| { error: NodeApiError | NodeOperationError };

/**
 * Wraps every request of the node: all items are checked before the first request, pages are read, results are paired with
 * their item, errors get words, and after the first item that failed nothing more is sent.
 */
export async function requestHook(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const itemIndex = this.getItemIndex();
	const pairedItem = { item: itemIndex };
	// The fields of all items are checked in micro-tasks; the next timer comes after the last of them.
	await sleep(0);
	const run = runOf(this);
	const outcome = checked(this, run) ?? (await sendInTurn(this, run, requestData));
	if ('results' in outcome) {
		return outcome.results.map((json) => ({ json: json as IDataObject, pairedItem }));
	}
	if (!this.continueOnFail()) throw outcome.error;
	return [{ json: failedItem(this, outcome.error), pairedItem }];
}

/** What there is to say before anything is sent; `undefined`: go on. */
function checked(context: IExecuteSingleFunctions, run: Run): Outcome | undefined {
	const itemIndex = context.getItemIndex();
	const own = run.problemsOf(itemIndex);
	if (own.length) {
		const told = context.continueOnFail() ? own : run.allProblems();
		return { error: invalidItemError(context.getNode(), itemIndex, own, told) };
	}
	if (context.continueOnFail()) return undefined;
	// Another item is not valid: that one tells, this one is not sent.
	const givenUp = run.prepared < expectedPrepared(context, itemIndex);
	return run.hasProblems || givenUp ? { results: [] } : undefined;
}

async function sendInTurn(
	context: IExecuteSingleFunctions,
	run: Run,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
): Promise<Outcome> {
	const itemIndex = context.getItemIndex();
	run.queue ??= queueFor(String((await context.getCredentials(credentialName)).baseUrl));
	return await run.queue.run(async () => {
		if (run.failed && !context.continueOnFail()) return { results: [] };
		const outcome = await perform(context, options, run.settingsOf(itemIndex));
		if ('results' in outcome) return outcome;
		run.failed = true;
		return { error: toNodeError(context.getNode(), outcome.failure, itemIndex) };
	});
}

function queueFor(baseUrl: string): Queue {
	const queue = queues.get(baseUrl) ?? new Queue(maxInFlight);
	queues.set(baseUrl, queue);
	return queue;
}

/**
 * The item of a request that failed. n8n routes an item that holds nothing but `error` to the error output and puts the
 * input's fields back itself; with "Continue" the input's fields have to be kept here.
 */
function failedItem(context: IExecuteSingleFunctions, error: Error): IDataObject {
	const fields =
		context.getNode().onError === 'continueErrorOutput' ? {} : context.getInputData().json;
	return { ...fields, error: error.message };
}
