import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { invalidItemError, toNodeError, withStory } from './errors';
import { mayHaveBeenDone } from './failure';
import { perform } from './perform';
import { Queue } from './queue';
import type { ItemOutcome, Run } from './run';
import { notePrepared, runOf } from './run';
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

/**
 * Wraps every request of the node: the fields of all items that n8n has prepared are checked before any of them is sent, pages
 * are read, results are paired with their item, errors get words, and after an item that failed nothing more is sent.
 */
export async function requestHook(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: this.getItemIndex() };
	// The fields of all items are checked in micro-tasks; the next timer comes after the last of them.
	await sleep(0);
	const run = runOf(this);
	const outcome = checked(this, run) ?? (await sendInTurn(this, run, requestData));
	if ('results' in outcome) return outcome.results.map((json) => ({ json, pairedItem }));
	if (!this.continueOnFail()) throw outcome.error;
	return [{ json: failedItem(this, outcome.error), pairedItem }];
}

/** What there is to say before an item is sent; `undefined`: go on. */
function checked(context: IExecuteSingleFunctions, run: Run): ItemOutcome | undefined {
	const itemIndex = context.getItemIndex();
	const own = run.problemsOf(itemIndex);
	if (own.length) {
		const told = context.continueOnFail() ? own : run.allProblems();
		return { error: invalidItemError(context.getNode(), itemIndex, own, told, run.outcomes.size) };
	}
	if (context.continueOnFail()) return undefined;
	// Another item is not valid: that one tells, this one is not sent.
	return run.hasProblems || run.prepared < run.expected(itemIndex) ? { results: [] } : undefined;
}

async function sendInTurn(
	context: IExecuteSingleFunctions,
	run: Run,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<ItemOutcome> {
	const itemIndex = context.getItemIndex();
	const stopsAtFailure = !context.continueOnFail();
	run.queue ??= queueFor(await baseUrlKey(context));
	const outcome = await run.queue.run(async (): Promise<ItemOutcome> => {
		if (stopsAtFailure && run.failedItems.length) return { results: [] };
		return await run.track(
			itemIndex,
			async () => run.creates.get(itemIndex) ?? (await sendItem(context, run, requestData)),
		);
	});
	if ('results' in outcome || !stopsAtFailure) return outcome;
	// What else was under way belongs into the story, and one item tells it.
	await run.idle();
	if (run.failedItems[0] !== itemIndex) return { results: [] };
	return { error: withStory(outcome.error, itemIndex, run, context.getNode()) };
}

async function sendItem(
	context: IExecuteSingleFunctions,
	run: Run,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
): Promise<ItemOutcome> {
	const itemIndex = context.getItemIndex();
	const performed = await perform(context, options, run.settingsOf(itemIndex));
	const outcome: ItemOutcome =
		'failure' in performed
			? { error: toNodeError(context.getNode(), performed.failure, itemIndex) }
			: { results: performed.results as IDataObject[] };
	const mayBeDone = 'failure' in performed ? mayHaveBeenDone(performed.failure) : true;
	if (options.method === 'POST' && mayBeDone) run.creates.set(itemIndex, outcome);
	return outcome;
}

/** Tells services apart. A credential that cannot be read is told of when the request is made. */
async function baseUrlKey(context: IExecuteSingleFunctions): Promise<string> {
	const credential = await context.getCredentials(credentialName).catch(() => ({ baseUrl: '' }));
	return String(credential.baseUrl);
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
