import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import type { Run } from './run';

/** n8n shows descriptions as HTML. */
const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** What happened and why, in one sentence: AI agents see nothing but this. */
export function messageOf(failure: Failure): string {
	const { kind, reason, status = 0, baseURL = '' } = failure;
	const because = reason ? `: ${reason}` : '';
	switch (kind) {
		case 'configuration':
			return reason ?? 'The credential is not complete';
		case 'network':
			return networkMessage(failure);
		case 'redirect':
			return `The service answered with a redirect to ${reason}. It was not followed, so that the API key goes nowhere else: check the Base URL in the credential`;
		case 'notJson':
			return `${baseURL} did not answer as the service does: it sent ${reason ? `"${reason}"` : 'nothing'} instead of JSON. Check the Base URL in the credential`;
		case 'unexpected':
			return `The service answered something else than expected${because}`;
		case 'status':
			break;
	}
	if (status === 401) return `The service did not accept the API key${because}`;
	if (status === 403) return `The service does not allow this for the API key${because}`;
	if (status === 404) return `The service found nothing at ${failure.path}${because}`;
	if (status === 429) return `The service is receiving too many requests${because}`;
	if (status >= 500) return `The service failed (status ${status})${because}`;
	return `The service refused the request (status ${status})${because}`;
}

function networkMessage({ code = '', reason, baseURL = '' }: Failure): string {
	const host = baseURL.replace(/^https?:\/\//, '').split('/')[0];
	if (code === 'ECONNREFUSED') return `Nothing answers at ${host}: the connection was refused`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host ${host} was not found`;
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return `${host} did not answer in time`;
	if (code === 'ECONNRESET') return `The connection to ${host} was closed before an answer came`;
	if (code === 'ERR_CANCELED') return 'The request was cancelled';
	return `The connection to ${host} failed: ${reason || code || 'no reason given'}`;
}

/** What the user can do. */
function adviceOf(failure: Failure): string {
	const { kind, method, status = 0 } = failure;
	if (method === 'POST' && mayHaveBeenDone(failure)) {
		const what = failure.path.endsWith('/members') ? 'team member' : 'invoice';
		return `The ${what} may have been created all the same. Look for it in the service before you run this item again.`;
	}
	if (kind === 'configuration' || status === 401)
		return 'Open the credential and check the API key and the Base URL.';
	if (kind === 'network')
		return 'Check the Base URL in the credential and whether the service can be reached from n8n.';
	if (status === 429) return 'Wait a little, or send fewer items at a time.';
	return '';
}

interface Telling {
	message: string;
	description: string;
	itemIndex?: number;
	httpCode?: string;
}

/**
 * An error that says what it is told to. NodeApiError puts words of its own in place of a message in which it finds the code of
 * a network error, be it in the service's words, so the message is set afterwards.
 */
function nodeError(node: INode, { message, ...options }: Telling): NodeApiError {
	const error = new NodeApiError(node, {}, { message, ...options });
	error.message = message;
	return error;
}

const inItem = (itemIndex?: number) => (itemIndex === undefined ? '' : ` [item ${itemIndex}]`);

/**
 * The error of a request. Always a new one, without the error that caused it: that one holds the key. Path and status are in
 * the description, with the service's words and what to do.
 */
export function toNodeError(node: INode, failure: Failure, itemIndex?: number): NodeApiError {
	const { method, path, status, code, text } = failure;
	const advice = adviceOf(failure);
	const outcome = status ?? code ?? 'not sent';
	const answer = text && `The answer was: ${escapeHtml(text)}`;
	const warning = method === 'POST' && mayHaveBeenDone(failure) ? `. ${advice}` : '';
	return nodeError(node, {
		message: `${messageOf(failure)}${warning}${inItem(itemIndex)}`,
		description: [advice, `${method} ${path}: ${outcome}.`, answer].filter(Boolean).join(' '),
		...(status !== undefined && { httpCode: String(status) }),
		itemIndex,
	});
}

const maxInMessage = 5;
const maxListed = 50;

/** Up to fifty lines, and how many more there are. */
function list(lines: string[]): string[] {
	const rest = lines.length - maxListed;
	const listed = lines.slice(0, maxListed).map((line) => `• ${escapeHtml(line)}`);
	return rest > 0 ? [...listed, `… and ${rest} more`] : listed;
}

/**
 * The error of an item with bad fields: its problems in the message, those of all items of the run in the description. `sent`
 * says how many items went out before: none, unless n8n's batching is on.
 */
export function invalidItemError(
	node: INode,
	itemIndex: number,
	own: string[],
	ofAllItems: string[],
	sent: number,
): NodeApiError {
	const message = own.slice(0, maxInMessage).join('; ');
	const more = own.length > maxInMessage ? `; and ${own.length - maxInMessage} more` : '';
	const others = ofAllItems.length - own.length;
	const inOthers = others > 0 ? ` (and ${others} more in other items)` : '';
	const before = sent ? `${sent} items were sent before.` : 'Nothing was sent.';
	return nodeError(node, {
		message: `${message}${more}${inItem(itemIndex)}${inOthers}`,
		description: [before, ...(ofAllItems.length > 1 ? list(ofAllItems) : [])].join('<br>'),
		itemIndex,
	});
}

/**
 * The error of the first item that failed, with what became of the others: other failures, what was done and its ids, and how
 * many items were not sent.
 */
export function withStory(
	error: NodeApiError,
	itemIndex: number,
	run: Run,
	node: INode,
): NodeApiError {
	const outcomes = [...run.outcomes.entries()].sort(([a], [b]) => a - b);
	const failures = outcomes.flatMap(([item, outcome]) =>
		'error' in outcome && item !== itemIndex ? [outcome.error.message] : [],
	);
	const done = outcomes.flatMap(([item, outcome]) => {
		if ('error' in outcome) return [];
		const [result] = outcome.results;
		return `item ${item}${outcome.results.length === 1 && result.id ? `: ${String(result.id)}` : ''}`;
	});
	const notSent = run.prepared - run.outcomes.size;
	if (!failures.length && !done.length && !notSent) return error;
	const counts = [
		done.length && `${done.length} other items were done`,
		failures.length && `${failures.length} others failed as well`,
		notSent && `${notSent} were not sent`,
	];
	return nodeError(node, {
		message: `${error.message} (${counts.filter(Boolean).join(', ')})`,
		description: [
			error.description ?? '',
			...(failures.length ? ['Failed as well:', ...list(failures)] : []),
			...(done.length ? ['Done:', ...list(done)] : []),
			...(notSent ? [`Not sent: ${notSent} items.`] : []),
		].join('<br>'),
		...(error.httpCode && { httpCode: error.httpCode }),
		itemIndex,
	});
}
