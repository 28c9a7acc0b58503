import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import { adviceOf, causeOf, messageOf } from './messages';
import type { Outcomes } from './tries';

/** n8n shows descriptions as HTML. */
const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

interface Telling {
	message: string;
	description: string;
	itemIndex?: number;
	httpCode?: string;
	failure?: NodeApiError['failure'];
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
		failure: causeOf(failure),
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

/** An item with bad fields, by its index. */
interface InvalidItem {
	index: number;
	problems: string[];
}

/** The error of items with bad fields: the problems of the first in the message, all of them in the description. */
export function invalidItemsError(node: INode, [first, ...others]: InvalidItem[]): NodeApiError {
	const { index: itemIndex, problems } = first;
	const message = problems.slice(0, maxInMessage).join('; ');
	const more = problems.length > maxInMessage ? `; and ${problems.length - maxInMessage} more` : '';
	const all = [first, ...others].flatMap(({ index, problems: own }) =>
		own.map((problem) => `${problem}${inItem(index)}`),
	);
	const rest = all.length - problems.length;
	const inOthers = rest > 0 ? ` (and ${rest} more in other items)` : '';
	return nodeError(node, {
		message: `${message}${more}${inItem(itemIndex)}${inOthers}`,
		description: (all.length > 1 ? list(all) : []).join('<br>'),
		itemIndex,
		failure: { cause: 'configuration-invalid' },
	});
}

/** The error of a node whose fields do not do, whatever the items are. */
export function invalidFieldsError(node: INode, problems: string[]): NodeApiError {
	return nodeError(node, {
		message: problems.slice(0, maxInMessage).join('; '),
		description: (problems.length > 1 ? list(problems) : []).join('<br>'),
		failure: { cause: 'configuration-invalid' },
	});
}

/** An error in words of the node's own. */
export function plainError(
	node: INode,
	message: string,
	description: string,
	cause?: 'configuration-invalid' | 'temporarily-unavailable',
): NodeApiError {
	return nodeError(node, { message, description, ...(cause && { failure: { cause } }) });
}

export function cancelledError(node: INode): NodeApiError {
	return nodeError(node, { message: 'The execution was cancelled', description: '' });
}

/** What became of the items of a run, in all tries of it. */
export interface Story {
	total: number;
	outcomes: Outcomes;
}

/**
 * The error with which a run ends, with what became of the other items: other failures, what was done and its ids (by a try
 * before this one as well), how many were not sent, and which is the first of them.
 */
export function withStory(
	node: INode,
	error: Error & {
		description?: string | null;
		httpCode?: string | null;
		failure?: NodeApiError['failure'];
	},
	itemIndex: number | undefined,
	{ total, outcomes }: Story,
): NodeApiError {
	const others = [...outcomes].filter(([item]) => item !== itemIndex).sort(([a], [b]) => a - b);
	const failures = others.flatMap(([, outcome]) =>
		'error' in outcome ? [outcome.error.message] : [],
	);
	const done = others.flatMap(([item, outcome]) => {
		if ('error' in outcome) return [];
		const [result] = outcome.results;
		const id = outcome.results.length === 1 ? result.id : undefined;
		return [`item ${item}${id ? `: ${String(id)}` : ''}`];
	});
	const isNothingSent = outcomes.size === 0;
	const notSent = total - outcomes.size;
	const firstNotSent = Array.from({ length: total }, (_, item) => item).find(
		(item) => !outcomes.has(item),
	);
	const isOfOne = itemIndex !== undefined;
	const were = (count: number) => (count === 1 ? 'was' : 'were');
	const items = (count: number) =>
		`${count} ${isOfOne ? 'other ' : ''}${count === 1 ? 'item' : 'items'}`;
	const counts = [
		done.length && `${items(done.length)} ${were(done.length)} done`,
		failures.length && `${items(failures.length)} failed${isOfOne ? ' as well' : ''}`,
		!isNothingSent && notSent && `${notSent} ${were(notSent)} not sent`,
	].filter(Boolean);
	return nodeError(node, {
		message: counts.length ? `${error.message} (${counts.join(', ')})` : error.message,
		description: [
			isNothingSent && 'Nothing was sent.',
			error.description,
			...(failures.length ? [isOfOne ? 'Failed as well:' : 'Failed:', ...list(failures)] : []),
			// The output of the node is lost with the error, so this is where the ids are.
			...(done.length ? ['Done:', ...list(done, 1000)] : []),
			!isNothingSent &&
				notSent &&
				`Not sent: ${notSent === 1 ? '' : `${notSent} items, the first of them `}item ${firstNotSent}.`,
		]
			.filter(Boolean)
			.join('<br>'),
		...(error.httpCode && { httpCode: error.httpCode }),
		...(error.failure && { failure: error.failure }),
		itemIndex,
	});
}
