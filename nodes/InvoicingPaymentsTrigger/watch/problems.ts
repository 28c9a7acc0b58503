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
