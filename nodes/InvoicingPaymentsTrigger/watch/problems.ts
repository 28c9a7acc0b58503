import type { Failure } from '../../shared/transport/failure';

export class Unreadable extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** The pages of a list do not fit together. */
export class Inconsistent extends Error {}

/** A page contradicted its own count twice. */
export class WrongCount extends Error {}

/** Whether a failure concerns several pages, rather than a single answer. */
export const isOfPages = ({ kind, path }: Failure) => kind === 'unexpected' && path === '';

export const inconsistent = (noun: string, { reason }: Failure) =>
	new Inconsistent(`The list of ${noun} cannot be read: ${reason}`);
