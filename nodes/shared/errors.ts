import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import { adviceOf, messageOf } from './messages';
import type { ItemOutcome, Run } from './run';

/** n8n shows descriptions as HTML. */
const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

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

/** So many lines, and how many more there are. */
function list(lines: string[], most = 50): string[] {
	const rest = lines.length - most;
	const listed = lines.slice(0, most).map((line) => `• ${escapeHtml(line)}`);
	return rest > 0 ? [...listed, `… and ${rest} more`] : listed;
}

/**
 * The error of an item with bad fields: its problems in the message, those of all items of the run in the description. It was
 * not sent.
 */
export function invalidItemError(
	node: INode,
	itemIndex: number,
	own: string[],
	ofAllItems: string[],
): NodeApiError {
	const message = own.slice(0, maxInMessage).join('; ');
	const more = own.length > maxInMessage ? `; and ${own.length - maxInMessage} more` : '';
	const others = ofAllItems.length - own.length;
	const inOthers = others > 0 ? ` (and ${others} more in other items)` : '';
	return nodeError(node, {
		message: `${message}${more}${inItem(itemIndex)}${inOthers}`,
		description: (ofAllItems.length > 1 ? list(ofAllItems) : []).join('<br>'),
		itemIndex,
	});
}

/**
 * The error with which a run ends, with what became of the other items: other failures, what was done and its ids (by a try
 * before this one as well), and how many were not sent.
 */
export async function withStory(
	error: NodeApiError,
	itemIndex: number,
	run: Run,
	node: INode,
): Promise<NodeApiError> {
	const settled = new Map([...(await settledCreates(run)), ...run.outcomes]);
	const isSent = settled.has(itemIndex);
	settled.delete(itemIndex);
	const others = [...settled.entries()].sort(([a], [b]) => a - b);
	const failures = others.flatMap(([, outcome]) =>
		'error' in outcome ? [outcome.error.message] : [],
	);
	const done = others.flatMap(([item, outcome]) => {
		if ('error' in outcome) return [];
		const [result] = outcome.results;
		const id = outcome.results.length === 1 ? result.id : undefined;
		return [`item ${item}${id ? `: ${String(id)}` : ''}`];
	});
	const notSent = run.plan.total - settled.size - (isSent ? 1 : 0);
	const isFirst = !isSent && !settled.size;
	const counts = [
		done.length && `${done.length} other items were done`,
		failures.length && `${failures.length} others failed as well`,
		!isFirst && notSent && `${notSent} were not sent`,
	].filter(Boolean);
	return nodeError(node, {
		message: counts.length ? `${error.message} (${counts.join(', ')})` : error.message,
		description: [
			isFirst && 'Nothing was sent.',
			error.description,
			...(failures.length ? ['Failed as well:', ...list(failures)] : []),
			// The output of the node is lost with the error, so this is where the ids are.
			...(done.length ? ['Done:', ...list(done, 1000)] : []),
			notSent && !isFirst && `Not sent: ${notSent} items.`,
		]
			.filter(Boolean)
			.join('<br>'),
		...(error.httpCode && { httpCode: error.httpCode }),
		itemIndex,
	});
}

async function settledCreates(run: Run): Promise<Array<[number, ItemOutcome]>> {
	return await Promise.all(
		[...run.creates].map(
			async ([item, outcome]): Promise<[number, ItemOutcome]> => [item, await outcome],
		),
	);
}
