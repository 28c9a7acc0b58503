/** Work in steps of some milliseconds, between which other work can run. */
export type Steps<T> = Generator<void, T>;

/** Milliseconds. */
const longestStep = 10;

/** Asked again and again by a long loop: whether it has lasted so long that it should yield. */
export function stepTimer(): () => boolean {
	let since = performance.now();
	return () => {
		const now = performance.now();
		const isLong = now - since >= longestStep;
		if (isLong) since = now;
		return isLong;
	};
}

/** Maps in steps. */
export function* mapInSteps<T, R>(all: Iterable<T>, work: (one: T) => R): Steps<R[]> {
	const results: R[] = [];
	const isLong = stepTimer();
	for (const one of all) {
		results.push(work(one));
		if (isLong()) yield;
	}
	return results;
}
