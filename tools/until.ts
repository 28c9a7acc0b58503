import { delay } from './node';

/** Milliseconds. */
const limit = 240_000;

/**
 * Repeats `look` every `pause` milliseconds until it returns neither `false` nor `undefined`. Throws an Error with `missing`
 * after four minutes.
 */
export async function until<T>(
	look: () => T | Promise<T>,
	missing: () => string,
	pause = 100,
): Promise<Exclude<T, false | undefined>> {
	const deadline = Date.now() + limit;
	for (;;) {
		const found = await look();
		if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
		if (Date.now() > deadline) throw new Error(`${missing()} (after ${limit / 1000} s)`);
		await delay(pause);
	}
}
