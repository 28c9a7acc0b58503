import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../transport/failure';
import { mayHaveBeenDone, outcomeOf } from '../transport/failure';
import { adviceOf, causeOf, messageOf } from './messages';

/** For descriptions, which n8n shows as HTML. */
export const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

interface ErrorParts {
	message: string;
	description: string;
	itemIndex?: number;
	httpCode?: string;
	failure?: NodeApiError['failure'];
}

/** Sets the message last: NodeApiError replaces messages that contain the code of a network error. */
export function nodeError(node: INode, { message, ...options }: ErrorParts): NodeApiError {
	const error = new NodeApiError(node, {}, { message, ...options });
	error.message = message;
	return error;
}

/** What an error or result refers to: one item, or the invoice of several rows. */
export interface ItemRef {
	/** Indexes of its input items. The first one identifies it in all tries of a run. */
	items: number[];
	/** In errors, e.g. `item 1`. */
	name: string;
	/** Fields that are added to its output. */
	fields?: IDataObject;
}

/** `undefined` for rows: n8n adds the item index to the message, which means nothing to their reader. */
export const itemIndexOf = (ref?: ItemRef) => (ref?.fields ? undefined : ref?.items[0]);

/**
 * The error of a request: path, status, the service's own words and what to do are in the description. Never contains the
 * original error, because that holds the key. `creates`: what the request creates, e.g. "invoice".
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

/** Up to `max` lines, and the number of the others. */
export function bulletList(lines: string[], max = 50): string[] {
	const rest = lines.length - max;
	const listed = lines.slice(0, max).map((line) => `• ${escapeHtml(line)}`);
	return rest > 0 ? [...listed, `… and ${rest} more`] : listed;
}

/** The error of invalid fields that do not depend on an item. */
export function invalidFieldsError(node: INode, problems: string[]): NodeApiError {
	return nodeError(node, {
		message: firstProblems(problems),
		description: (problems.length > 1 ? bulletList(problems) : []).join('<br>'),
		failure: { cause: 'configuration-invalid' },
	});
}

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

/** The first problems, and the number of the others. */
export function firstProblems(problems: string[]): string {
	const rest = problems.length - maxInMessage;
	return `${problems.slice(0, maxInMessage).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}
