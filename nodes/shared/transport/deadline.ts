import { clock } from '../clock';

export class DeadlineError extends Error {}

/** Aborts the signal of `work` after `ms` milliseconds or with `outer`. Throws {@link DeadlineError} even if it is ignored. */
export async function withDeadline<T>(
	ms: number,
	outer: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const stop = new AbortController();
	const ended = new AbortController();
	const stopNow = () => stop.abort();
	if (outer?.aborted) stopNow();
	outer?.addEventListener('abort', stopNow);
	const timeUp = async (): Promise<never> => {
		await clock.deadline(ms, ended.signal);
		stopNow();
		throw new DeadlineError();
	};
	try {
		return await Promise.race([work(stop.signal), timeUp()]);
	} finally {
		ended.abort();
		outer?.removeEventListener('abort', stopNow);
	}
}
