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
