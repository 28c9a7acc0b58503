import type { Failure } from '../../shared/transport/failure';

export class UnreadablePageError extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** The pages of a list do not fit together. */
export class PagingError extends Error {}

/** A page contradicted its own count twice. */
export class WrongCountError extends Error {}

/** Whether a failure concerns several pages, rather than a single answer. */
export const isPagingFailure = ({ kind, path }: Failure) => kind === 'unexpected' && path === '';

export const pagingError = (noun: string, { reason }: Failure) =>
	new PagingError(`The list of ${noun} cannot be read: ${reason}`);

/** The list is too long to find what is new. */
export class ListTooLongError extends Error {}

/** Longer lists are not watched: their state would be too large for n8n's database. */
export const maxListLength = 250_000;
const warningLength = 0.8 * maxListLength;
/** Services may refuse pages with this many results before them. */
export const minRefusedDepth = 1000;

const maxText = maxListLength.toLocaleString('en');

/** `count`: length of the list, if known. `noun`: e.g. "invoices". */
export function listTooLong(noun: string, count?: number): ListTooLongError {
	const has = count === undefined ? `more than ${maxText} ${noun}` : `${count} ${noun}`;
	return new ListTooLongError(
		`The list has ${has}; the trigger can watch up to ${maxText}. Narrow the filters`,
	);
}

/** Warnings for n8n's log, from 80% of the limit on. */
export const lengthWarnings = (noun: string, count: number): string[] =>
	count < warningLength
		? []
		: [
				`The list has more than ${warningLength.toLocaleString('en')} ${noun}; the trigger can watch up to ${maxText}. Narrow its filters in time.`,
			];

/** `seen`: how many results the service listed. */
export const listTooDeep = (noun: string, seen: number): ListTooLongError =>
	new ListTooLongError(
		`The service refuses to list more than about ${seen} ${noun}, so new ones cannot be told from old ones. Narrow the filters`,
	);

/** Whether a service seems to refuse deep pages. `start`: number of results before the page. */
export const isDepthRefusal = ({ kind, status = 0 }: Failure, start: number): boolean =>
	kind === 'status' && [400, 413, 416, 422, 500, 501].includes(status) && start >= minRefusedDepth;
