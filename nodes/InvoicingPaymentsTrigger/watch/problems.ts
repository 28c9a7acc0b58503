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
