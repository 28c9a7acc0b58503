import { clearInterval, setInterval } from '../../scripts/node';

const sinceStart = performance.now.bind(performance);
let passed = 0;
performance.now = () => sinceStart() + passed;

/** Lets time pass for all that the nodes look at, but for timers. `jest.useRealTimers()` brings the time of day back. */
export const moveClock = (milliseconds: number) => {
	passed += milliseconds;
	putForward(milliseconds);
};

/** Moves the time of day alone, as when the machine's clock is set. `jest.useRealTimers()` ends it. */
export const putForward = (milliseconds: number) => {
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
