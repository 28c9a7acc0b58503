/** Runs at most `size` tasks at a time, in the order in which they came. */
export class Queue {
	private running = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly size: number) {}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running >= this.size) await new Promise<void>((resolve) => this.waiting.push(resolve));
		else this.running += 1;
		try {
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}
