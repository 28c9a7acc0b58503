/** Every poll may make this many requests, however slow they are, to make progress. */
const minRequests = 4;
const maxRequests = 300;

/** A search leaves this many requests for reading what it has found. */
export const reserve = 2;

/** How many requests still fit into a poll, judging by the slowest one. */
export class Budget {
	requests = 0;
	private slowest = 0;

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
