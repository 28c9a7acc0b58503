import { sleep } from 'n8n-workflow';

/** The one place where time passes: the nodes read every clock and wait here, so that tests can bring a clock that jumps. */
export const clock = {
	/** Milliseconds since 1970. The machine's clock may be set back or forward. */
	now: (): number => Date.now(),

	/** Milliseconds since the process began. Never set; stands still while the computer sleeps. */
	elapsed: (): number => performance.now(),

	/** Waits that many milliseconds. */
	sleep: async (ms: number): Promise<void> => await sleep(ms),

	/** The same, but ends soon after the signal is aborted. It looks now and then: n8n has no timer that could be cancelled. */
	pause: async (ms: number, signal: AbortSignal): Promise<void> => {
		const until = clock.now() + ms;
		for (let left = ms; left > 0 && !signal.aborted; left = until - clock.now()) {
			await clock.sleep(Math.min(left, 100));
		}
	},

	/** Waits for as long as a request may take. Apart from `pause`, because a clock that jumps must not cut a request short. */
	deadline: async (ms: number, ended: AbortSignal): Promise<void> => await clock.pause(ms, ended),
};
