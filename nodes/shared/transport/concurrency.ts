/**
 * Runs `task` for 0, 1, … `count` - 1, begun in this order and at most `width` at a time, until one resolves to `false`: then no
 * further one is begun. Resolves when all that were begun have ended; rejects as the first that rejects.
 */
export async function runConcurrently(
	count: number,
	width: number,
	task: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const work = async () => {
		while (next < count) {
			const goesOn = await task(next++);
			if (!goesOn) next = count;
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, work));
}
