import type { Failure } from '../../shared/transport/failure';

/** A page could not be read. */
export class Unreadable extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** The pages of the list do not go together. */
export class Inconsistent extends Error {}

/** A page contradicts the count that it gives, twice. */
export class WrongCount extends Error {}

/** Whether a failure is that of pages which do not go together, and of no single answer. */
export const isOfPages = ({ kind, path }: Failure) => kind === 'unexpected' && path === '';

export const inconsistent = (noun: string, { reason }: Failure) =>
	new Inconsistent(`The list of ${noun} cannot be read: ${reason}`);
