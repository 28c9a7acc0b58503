import { delay } from './node';

/** Milliseconds. */
const timeout = 240_000;

/**
 * Calls `check` every `pause` milliseconds until it returns something other than `false` or `undefined`. After four minutes,
 * throws an error with the text of `timeoutMessage`.
 */
export async function until<T>(
	check: () => T | Promise<T>,
	timeoutMessage: () => string,
	pause = 100,
): Promise<Exclude<T, false | undefined>> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const result = await check();
		if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
		if (Date.now() > deadline) throw new Error(`${timeoutMessage()} (after ${timeout / 1000} s)`);
		await delay(pause);
	}
}
