import { delay } from '../tools/node';

/** How the service tells the time and waits. A soak's clock runs ahead, the clock of a test jumps. */
export const serviceClock = {
	/** Milliseconds since 1970. */
	now: (): number => Date.now(),
	sleep: async (ms: number): Promise<void> => await delay(ms, undefined, { ref: false }),
	/** Requests that are being answered, and how many of them only wait for time to pass. */
	inFlight: 0,
	waiting: new Set<symbol>(),
};

/** Waits for something that only takes time. */
export async function waitFor<T>(time: Promise<T>): Promise<T> {
	const one = Symbol();
	serviceClock.waiting.add(one);
	return await time.finally(() => serviceClock.waiting.delete(one));
}
