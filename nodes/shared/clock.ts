import { sleep } from 'n8n-workflow';
import { onAbort } from './onAbort';

/** Milliseconds of a day. */
export const dayMs = 24 * 3_600_000;

/** All code reads the time and waits with this object. Tests replace its methods with a clock that jumps. */
export const clock = {
	/** Milliseconds since 1970. The system clock can be set back or forward. */
	now: (): number => Date.now(),

	/** Monotonic milliseconds. Does not advance while the computer sleeps. */
	elapsed: (): number => performance.now(),

	sleep: async (ms: number): Promise<void> => await sleep(ms),

	/** Sleeps until the signal is aborted, at most `ms`. Checks every 100 ms, because n8n's sleep cannot be cancelled (N13). */
	pause: async (ms: number, signal: AbortSignal): Promise<void> => {
		const until = clock.elapsed() + ms;
		for (let left = ms; left > 0 && !signal.aborted; left = until - clock.elapsed()) {
			await clock.sleep(Math.min(left, 100));
		}
	},

	/** Timeout of a request. Separate from `pause`, because a test clock must not jump while a request is running. */
	deadline: async (ms: number, ended: AbortSignal): Promise<void> => await clock.pause(ms, ended),
};

/** Lets the other work of n8n run every 50 milliseconds. Await it often in a long loop: it mostly returns at once. */
export function turns(longest = 50): () => Promise<void> | undefined {
	let since = performance.now();
	return () => {
		if (performance.now() - since < longest) return undefined;
		return clock.sleep(0).then(() => {
			since = performance.now();
		});
	};
}

export class DeadlineError extends Error {}

const late = Symbol('late');

/** Aborts `work` after `ms` milliseconds or with `outer`. Throws DeadlineError even if `work` ignores its signal. */
export async function withDeadline<T>(
	ms: number,
	outer: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const stop = new AbortController();
	const ended = new AbortController();
	const stopNow = () => stop.abort();
	if (outer?.aborted) stopNow();
	const release = outer && onAbort(outer, stopNow);
	try {
		const inTime = await Promise.race([
			work(stop.signal),
			clock.deadline(ms, ended.signal).then((): typeof late => late),
		]);
		if (inTime !== late) return inTime;
		stopNow();
		throw new DeadlineError();
	} finally {
		// Without a reason, Node makes an error with a stack, for each request.
		ended.abort(null);
		release?.();
	}
}
