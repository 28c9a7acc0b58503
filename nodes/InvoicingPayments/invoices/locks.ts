/** Runs work with the same key one after the other. A part of an account. */
export class Locks {
	private readonly lastByKey = new Map<string, Promise<unknown>>();

	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const own = (this.lastByKey.get(key) ?? Promise.resolve()).then(work);
		const ended = own.catch(() => undefined);
		this.lastByKey.set(key, ended);
		void ended.then(() => {
			if (this.lastByKey.get(key) === ended) this.lastByKey.delete(key);
		});
		return await own;
	}
}
