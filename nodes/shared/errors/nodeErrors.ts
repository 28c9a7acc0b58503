import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../transport/failure';
import { mayHaveBeenDone, outcomeOf } from '../transport/failure';
import { adviceOf, causeOf, messageOf } from './messages';

/** n8n shows descriptions as HTML. */
export const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export interface ErrorParts {
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
export function nodeError(node: INode, { message, ...options }: ErrorParts): NodeApiError {
	const error = new NodeApiError(node, {}, { message, ...options });
	error.message = message;
	return error;
}

/** What is done at a time: what one item asks for, or the invoice that several rows make. */
export interface ItemRef {
	/** Indexes of the input items that it is made of. The first one stands for it, in all tries of a run. */
	items: number[];
	/** As errors call it. */
	name: string;
	/** What its output says besides. */
	fields?: IDataObject;
}

/** n8n adds the index to the message, which says nothing of rows. */
export const itemIndexOf = (ref?: ItemRef) => (ref?.fields ? undefined : ref?.items[0]);

/**
 * The error of a request. Always a new one, without the error that caused it: that one holds the key. Path and status are in
 * the description, with the service's words and what to do. `creates`: what it would have created, e.g. "invoice".
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	ref?: ItemRef,
	creates?: string,
): NodeApiError {
	const { method, path, status, code, text } = failure;
	const advice = adviceOf(failure, creates);
	const outcome = status ?? code ?? outcomeOf(failure);
	const response = text && `The response was: ${escapeHtml(text)}`;
	const warning = mayHaveBeenDone(failure) ? `. ${advice}` : '';
	return nodeError(node, {
		message: `${messageOf(failure)}${warning}${ref ? ` [${ref.name}]` : ''}`,
		description: [warning ? '' : escapeHtml(advice), `${method} ${path}: ${outcome}.`, response]
			.filter(Boolean)
			.join(' '),
		...(status !== undefined && { httpCode: String(status) }),
		failure: causeOf(failure),
		itemIndex: itemIndexOf(ref),
	});
}

const maxInMessage = 5;

/** Up to `most` lines, and how many more there are. */
export function bulletList(lines: string[], most = 50): string[] {
	const rest = lines.length - most;
	const listed = lines.slice(0, most).map((line) => `• ${escapeHtml(line)}`);
	return rest > 0 ? [...listed, `… and ${rest} more`] : listed;
}

/** The error of a node whose fields are not valid, whatever the items are. */
export function invalidFieldsError(node: INode, problems: string[]): NodeApiError {
	return nodeError(node, {
		message: firstOf(problems),
		description: (problems.length > 1 ? bulletList(problems) : []).join('<br>'),
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

/** The first problems, and how many more there are. */
export function firstOf(problems: string[]): string {
	const rest = problems.length - maxInMessage;
	return `${problems.slice(0, maxInMessage).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}
