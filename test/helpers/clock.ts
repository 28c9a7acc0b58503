/** Moves what the nodes take for the time, and no timers. `jest.useRealTimers()` ends it. */
export const moveClock = (milliseconds: number) => {
	jest.useFakeTimers({
		now: Date.now() + milliseconds,
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
