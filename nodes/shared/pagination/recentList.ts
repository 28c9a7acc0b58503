import type { Client } from '../transport/client';
import type { Failure } from '../transport/failure';
import type { ResultsRequest } from './fetchResults';
import { clock } from '../clock';

/** For how many milliseconds a list counts that was read for something else. */
const maxAge = 30_000;

type Read<T> = (client: Client, task: ResultsRequest) => Promise<T | { failure: Failure }>;

/** A list, and the moment at which its reading began (milliseconds since 1970). */
interface Reading<T> {
	readAt: number;
	read: Promise<T | { failure: Failure }>;
}

/** A whole list that is read once for many look-ups, and again when it is half a minute old. A failure is not kept. */
export class RecentList<T extends object> {
	private last: Reading<T> | undefined;

	constructor(private readonly read: Read<T>) {}

	/** `since`: it counts only if its reading began at that moment or later (milliseconds since 1970). */
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
