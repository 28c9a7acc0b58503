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
	const run = runOf(this);
	// The fields of all items are checked in micro-tasks; the next timer comes after the last of them.
	await sleep(0);
	const outcome = (await checked(this, run)) ?? (await sendInTurn(this, run, requestData));
	if ('results' in outcome) return outcome.results.map((json) => ({ json, pairedItem }));
	if (this.continueOnFail()) return [{ json: failedItem(this, outcome.error), pairedItem }];
	await run.allPrepared();
	throw outcome.error;
}

const nothing: ItemOutcome = { results: [] };

/** What there is to say before an item is sent; `undefined`: go on. */
async function checked(
	context: IExecuteSingleFunctions,
	run: Run,
): Promise<ItemOutcome | undefined> {
	const itemIndex = context.getItemIndex();
	const own = run.problemsOf(itemIndex);
	if (context.continueOnFail()) {
		return own.length
			? { error: invalidItemError(context.getNode(), itemIndex, own, own) }
			: undefined;
	}
	if (own.length && run.firstWithProblems === itemIndex) {
		await run.idle();
		const error = invalidItemError(context.getNode(), itemIndex, own, run.allProblems());
		return { error: await withStory(error, itemIndex, run, context.getNode()) };
	}
	// Another item is not valid: that one tells, this one is not sent.
	const hasGivenUp = run.prepared < run.plan.expected(itemIndex);
	return run.hasProblems || hasGivenUp ? nothing : undefined;
}

async function sendInTurn(
	context: IExecuteSingleFunctions,
	run: Run,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<ItemOutcome> {
	const itemIndex = context.getItemIndex();
	const stopsAtFailure = !context.continueOnFail();
	run.queue ??= queueOf(context);
	const queue = await run.queue;
	const outcome = await queue.run(async () => {
		// With batching, a bad field may show itself while this item waited.
		if (stopsAtFailure && (run.failedItems.length || run.hasProblems)) return nothing;
		return await run.track(itemIndex, async () => await sendOnce(context, run, requestData));
	});
	if ('results' in outcome || !stopsAtFailure) return outcome;
	// What else was under way belongs into the story, and one item tells it.
	await run.idle();
	if (run.hasProblems || run.failedItems[0] !== itemIndex) return nothing;
	return { error: await withStory(outcome.error, itemIndex, run, context.getNode()) };
}

/** A create is noted before it is sent, and forgotten only when it was certainly not done: another try does not repeat it. */
async function sendOnce(
	context: IExecuteSingleFunctions,
	run: Run,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
): Promise<ItemOutcome> {
	const itemIndex = context.getItemIndex();
	const send = async (): Promise<ItemOutcome> => {
		const performed = await perform(context, options, run.settingsOf(itemIndex));
		if ('results' in performed) return { results: performed.results as IDataObject[] };
		if (!mayHaveBeenDone(performed.failure)) run.creates.delete(itemIndex);
		return { error: toNodeError(context.getNode(), performed.failure, itemIndex) };
	};
	if (options.method !== 'POST') return await send();
	const sent = run.creates.get(itemIndex) ?? send();
	run.creates.set(itemIndex, sent);
	return await sent;
}

async function queueOf(context: IExecuteSingleFunctions): Promise<Queue> {
	const key = await baseUrlKey(context);
	const queue = queues.get(key) ?? new Queue(maxInFlight);
	queues.set(key, queue);
	return queue;
}

/** Tells services apart. A credential that cannot be read is told of when the request is made. */
async function baseUrlKey(context: IExecuteSingleFunctions): Promise<string> {
	const credential = await context.getCredentials(credentialName).catch(() => ({ baseUrl: '' }));
	return String(credential.baseUrl);
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
