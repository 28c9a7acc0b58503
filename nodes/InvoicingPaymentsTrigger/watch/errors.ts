import type { Failure } from '../../shared/transport/failure';

export class UnreadablePageError extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** Pages do not fit together. */
export class PagingError extends Error {}

/** A page contradicted its own count twice. */
export class WrongCountError extends Error {}

/** Whether pages contradict each other, rather than a single answer being wrong. */
export const isPagingFailure = ({ kind, path }: Failure) => kind === 'unexpected' && path === '';

export const pagingError = (noun: string, { reason }: Failure) =>
	new PagingError(`The list of ${noun} cannot be read: ${reason}`);

export class ListTooLongError extends Error {}

/** The state of a longer list would be too large for n8n's database. */
export const maxListLength = 250_000;
const warningLength = 0.8 * maxListLength;
/** Services may refuse pages from this many results on. */
export const minRefusedDepth = 1000;

const maxText = maxListLength.toLocaleString('en');

/** `noun`: e.g. "invoices". */
export function listTooLong(noun: string, count?: number): ListTooLongError {
	const has = count === undefined ? `more than ${maxText} ${noun}` : `${count} ${noun}`;
	return new ListTooLongError(
		`The list has ${has}; the trigger can watch up to ${maxText}. Narrow the filters`,
	);
}

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

/** Whether the service seems to refuse deep pages. `start`: number of results before the page. */
export const isDepthRefusal = ({ kind, status = 0 }: Failure, start: number): boolean =>
	kind === 'status' && [400, 413, 416, 422, 500, 501].includes(status) && start >= minRefusedDepth;
