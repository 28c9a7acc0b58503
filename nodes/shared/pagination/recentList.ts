import type { Client } from '../transport/client';
import type { Failure } from '../transport/failure';
import type { ResultsRequest } from './fetchResults';
import { clock } from '../clock';

/** In milliseconds. */
const maxAge = 30_000;

type ReadList<T> = (client: Client, task: ResultsRequest) => Promise<T | { failure: Failure }>;

/** `readAt`: start of the reading (milliseconds since 1970). */
interface Reading<T> {
	readAt: number;
	read: Promise<T | { failure: Failure }>;
}

/** A list that is read once for many look-ups. Kept for half a minute, unless it failed. */
export class RecentList<T extends object> {
	private last: Reading<T> | undefined;

	constructor(private readonly read: ReadList<T>) {}

	/** `since`: the reading must not have started earlier (milliseconds since 1970). */
	get(client: Client, task: ResultsRequest, since = clock.now() - maxAge): Reading<T> {
		const now = clock.now();
		if (!this.last || this.last.readAt < since) {
			const reading = { readAt: now, read: this.read(client, task) };
			this.last = reading;
			void reading.read.then((list) => {
				if ('failure' in list && this.last === reading) this.last = undefined;
			});
		}
		return this.last;
	}
}
