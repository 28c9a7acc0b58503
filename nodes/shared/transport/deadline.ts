import { clock } from '../clock';

/** The work took longer than it may. */
export class TimeIsUp extends Error {}

/**
 * Does work that has to end within `ms` milliseconds. The signal that it is given is aborted
 * then, and when `outer` is. Throws {@link TimeIsUp}, also where the work does not heed the signal, and whatever the work throws.
 */
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
		throw new TimeIsUp();
	};
	try {
		return await Promise.race([work(stop.signal), timeUp()]);
	} finally {
		ended.abort();
		outer?.removeEventListener('abort', stopNow);
	}
}
