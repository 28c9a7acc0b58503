/** Milliseconds since the epoch at which seeded object `index` was made; 0 is the newest, `perMoment` share a whole second. */
export function momentOf(
	newest: number,
	index: number,
	perMoment: number,
	secondsBetween: number,
): number {
	const first = perMoment === 1 ? newest : Math.floor(newest / 1000) * 1000;
	return first - Math.floor(index / perMoment) * secondsBetween * 1000;
}
