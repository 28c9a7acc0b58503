/** How many requests every poll makes, however slow they are: fewer may not get it any further. */
const least = 4;
/** No poll makes more, whatever the reason: the next one goes on. */
const most = 300;

/** Requests that must be left to read what was found. */
export const reserve = 2;

/** How long a poll may take: counts its requests, and measures how long the slowest took. */
export class Budget {
	requests = 0;
	private slowest = 0;

	/** `now`: milliseconds since 1970; `until`: when the poll has to be over. */
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

	/** How many further requests can be made in time. */
	get left(): number {
		const promised = Math.max(0, least - this.requests);
		const time = this.until - this.now();
		if (time <= 0) return promised;
		const inTime = Math.floor(time / Math.max(this.slowest, 1));
		return Math.max(promised, Math.min(inTime, most - this.requests));
	}
}
