/** Runs `task` for 0 to `count` - 1, at most `width` at a time. Starts no more tasks once a task has resolved to `false`. */
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
