const locks = new Map<string, Promise<unknown>>();

/** Runs work after all earlier work under the same key in this process. Stops waiting when the signal is aborted. */
export async function withLock<T>(
	key: string,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	const before = locks.get(key);
	const mine = (async () => {
		if (before) await unlessAborted(before, signal);
		return await work();
	})();
	// Later work waits for all earlier work, even if this one stopped waiting.
	const ended = Promise.all([before, mine.catch(() => undefined)]);
	locks.set(key, ended);
	void ended.then(() => {
		if (locks.get(key) === ended) locks.delete(key);
	});
	return await mine;
}

async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => {
		const goOn = () => {
			signal.removeEventListener('abort', goOn);
			resolve();
		};
		signal.addEventListener('abort', goOn);
		void before.then(goOn);
	});
}
