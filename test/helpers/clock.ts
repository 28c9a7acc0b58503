import { clearInterval, setInterval } from '../../scripts/node';

/** Moves the clock that the nodes look at, and no timers. `jest.useRealTimers()` ends it. */
export const moveClock = (milliseconds: number) => {
	jest.useFakeTimers({
		now: Date.now() + milliseconds,
		// It goes on from there.
		advanceTimers: true,
		doNotFake: [
			'nextTick',
			'setImmediate',
			'setTimeout',
			'setInterval',
			'clearTimeout',
			'clearInterval',
			'queueMicrotask',
			'performance',
		],
	});
};

/**
 * Lets time pass twenty times as fast while work is done: what waits looks at the clock now and then. `jest.useRealTimers()` ends
 * what is left of it.
 */
export async function inFastTime<T>(work: () => Promise<T>): Promise<T> {
	moveClock(0);
	const timer = setInterval(() => jest.setSystemTime(Date.now() + 200), 10);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
