import { sleep } from 'n8n-workflow';

/** All time passes here: tests replace this object by a clock that jumps. */
export const clock = {
	/** Milliseconds since 1970. The system clock may be set back or forward. */
	now: (): number => Date.now(),

	/** Milliseconds since the process began. Monotonic, but stands still while the computer sleeps. */
	elapsed: (): number => performance.now(),

	sleep: async (ms: number): Promise<void> => await sleep(ms),

	/** Sleeps `ms`, or until the signal is aborted. Polls every 100 ms, because n8n has no timer that can be cancelled. */
	pause: async (ms: number, signal: AbortSignal): Promise<void> => {
		const until = clock.now() + ms;
		for (let left = ms; left > 0 && !signal.aborted; left = until - clock.now()) {
			await clock.sleep(Math.min(left, 100));
		}
	},

	/** The time-out of a request. Separate from `pause`, so that a clock that jumps does not cut requests short. */
	deadline: async (ms: number, ended: AbortSignal): Promise<void> => await clock.pause(ms, ended),
};

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
