const locks = new Map<string, Promise<unknown>>();

/**
 * Does work when all earlier work under the same key has ended, in this n8n process; when the signal is aborted it does not wait
 * any longer. Resolves or rejects as the work does.
 */
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
	// Whoever comes later waits for all that came before, even where this one did not.
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
