/**
 * Runs `task` for 0 … `count` - 1 in this order, at most `width` at a time, and starts no more once one resolves to `false`.
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
