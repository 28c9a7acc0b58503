import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../transport/failure';
import { mayHaveBeenDone, outcomeOf } from '../transport/failure';
import { toHtml } from './html';
import { adviceOf, causeOf, messageOf } from './messages';

interface ErrorParts {
	message: string;
	description: string;
	itemIndex?: number;
	httpCode?: string;
	failure?: NodeApiError['failure'];
}

/** Sets the message last, because NodeApiError replaces messages that contain the code of a network error (N9). */
export function nodeError(node: INode, { message, ...options }: ErrorParts): NodeApiError {
	const error = new NodeApiError(node, {}, { message, ...options });
	error.message = message;
	return error;
}

/** The item, or the rows of one invoice, that an error or result belongs to. */
export interface ItemRef {
	/** Input indexes. The first one is the same in all attempts of a run. */
	items: number[];
	name: string;
	fields?: IDataObject;
}

/** n8n adds the index to the message. For rows, an index would mislead. */
export const itemIndexOf = (ref?: ItemRef) => (ref?.fields ? undefined : ref?.items[0]);

/** The error of a request. Never contains the original error, which holds the key. `creates`: e.g. "invoice". */
export function toNodeError(
	node: INode,
	failure: Failure,
	ref?: ItemRef,
	{ creates }: { creates?: string } = {},
): NodeApiError {
	const { method, path, status, code, text } = failure;
	const advice = adviceOf(failure, creates);
	const outcome = status ?? code ?? outcomeOf(failure);
	const response = text && `The response was: ${toHtml(text)}`;
	const warning = mayHaveBeenDone(failure) ? `. ${advice}` : '';
	return nodeError(node, {
		message: `${messageOf(failure)}${warning}${inBrackets(ref?.name)}`,
		description: [warning ? '' : toHtml(advice), `${method} ${path}: ${outcome}.`, response]
			.filter(Boolean)
			.join(' '),
		...(status !== undefined && { httpCode: String(status) }),
		failure: causeOf(failure),
		itemIndex: itemIndexOf(ref),
	});
}

/** The end of a message: the item it is about. Empty for the only item. */
export const inBrackets = (name = '') => (name === '' ? '' : ` [${name}]`);

/** More problems than that hide what to do. */
export const maxProblems = 5;

/** The first lines, and how many are left. */
export const firstLines = (
	lines: string[],
	max = maxProblems,
	left = (count: number) => `… and ${count} more`,
): string[] => (lines.length > max ? [...lines.slice(0, max), left(lines.length - max)] : lines);

export const bulletList = (lines: string[], max?: number): string[] =>
	firstLines(
		lines.map((line) => `• ${toHtml(line)}`),
		max,
	);

/** A headline: the first text, and how many are below. */
export const headline = (texts: string[]): string =>
	`${texts[0]}${texts.length > 1 ? ` (and ${texts.length - 1} more below)` : ''}`;

export function plainError(
	node: INode,
	message: string,
	description: string,
	{ cause }: { cause?: 'configuration-invalid' | 'temporarily-unavailable' } = {},
): NodeApiError {
	return nodeError(node, { message, description, ...(cause && { failure: { cause } }) });
}

export const cancelledError = (node: INode): NodeApiError =>
	plainError(node, 'The execution was cancelled', '');

export const firstProblems = (problems: string[]): string =>
	firstLines(problems, maxProblems, (count) => `and ${count} more`).join('; ');

export const invalidFieldsError = (node: INode, problems: string[]): NodeApiError =>
	plainError(node, firstProblems(problems), '', { cause: 'configuration-invalid' });
