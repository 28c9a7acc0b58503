import type { Failure } from '../../shared/transport/failure';

/** A page could not be read. */
export class Unreadable extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** The pages of the list do not go together. */
export class Inconsistent extends Error {}

/** Pages never get any further. */
export const repeats = (page: number) =>
	new Inconsistent(`Page ${page} of the list repeats earlier pages and claims that more follow`);

/** The list changed so much while it was read that it has to be read again. */
export class Moved extends Error {}
