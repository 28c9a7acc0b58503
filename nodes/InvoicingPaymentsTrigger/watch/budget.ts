/** Requests that each poll may make, however slow they are. With fewer it might make no progress. */
const minRequests = 4;
/** Maximum requests per poll. The next poll continues. */
const maxRequests = 300;

/** Requests to keep for reading what was found. */
export const reserve = 2;

/** Tells how many requests fit into a poll, judging by its slowest one. */
export class Budget {
	requests = 0;
	private slowest = 0;

	/** `now` and `until`, the deadline, are in milliseconds since 1970. */
	constructor(
		private readonly now: () => number,
		private readonly until: number,
	) {}

	async spend<T>(request: () => Promise<T>): Promise<T> {
		const begin = this.now();
		this.requests += 1;
		const answer = await request();
		this.slowest = Math.max(this.slowest, this.now() - begin);
		return answer;
	}

	get left(): number {
		const promised = Math.max(0, minRequests - this.requests);
		const time = this.until - this.now();
		if (time <= 0) return promised;
		const inTime = Math.floor(time / Math.max(this.slowest, 1));
		return Math.max(promised, Math.min(inTime, maxRequests - this.requests));
	}
}
