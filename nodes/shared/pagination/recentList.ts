import type { Client } from '../transport/client';
import type { Failure } from '../transport/failure';
import type { ResultsRequest } from './fetchResults';
import { clock } from '../clock';

const maxAgeMs = 30_000;

interface Reading<T> {
	readAt: number;
	read: Promise<T | { failure: Failure }>;
}

/** Reads a list once for many look-ups. */
export class RecentList<T extends object> {
	private last: Reading<T> | undefined;

	constructor(
		private readonly read: (
			client: Client,
			task: ResultsRequest,
		) => Promise<T | { failure: Failure }>,
	) {}

	/** `since`: earliest start of the reading (milliseconds since 1970). */
	get(client: Client, task: ResultsRequest, since = clock.now() - maxAgeMs): Reading<T> {
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
