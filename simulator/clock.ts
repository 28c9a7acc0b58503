import { delay } from '../tools/node';

/** Tests replace this clock. */
export const serviceClock = {
	/** Milliseconds since 1970. */
	now: (): number => Date.now(),
	sleep: async (ms: number): Promise<void> => await delay(ms, undefined, { ref: false }),
	/** Requests in progress, and those of them that only wait for time to pass. */
	inFlight: 0,
	waiting: new Set<symbol>(),
};

/** Marks a request as waiting for time to pass. */
export async function waitFor<T>(time: Promise<T>): Promise<T> {
	const one = Symbol();
	serviceClock.waiting.add(one);
	return await time.finally(() => serviceClock.waiting.delete(one));
}
