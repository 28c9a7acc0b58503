/** Where a page lies in a list: its number, its size, and how many results come before it. */
export interface Place {
	number: number;
	size: number;
	start: number;
}

/** Smaller pages overlap at too high a price. */
const minOverlapping = 10;

/** The page of so many results that begins at a multiple of its size. */
export const placeOf = (number: number, size: number): Place => ({
	number,
	size,
	start: (number - 1) * size,
});

/**
 * The page that comes after `reach` results and overlaps with what comes before, where pages hold up to `size`: of those that
 * begin before `reach` the one that goes furthest. `undefined` where there is none.
 */
export function overlappingPlace(reach: number, size: number): Place | undefined {
	if (size < minOverlapping) return undefined;
	let furthest: Place | undefined;
	for (let each = size; each >= size / 2; each--) {
		const place = placeOf(Math.floor((reach - 1) / each) + 1, each);
		const end = place.start + each;
		if (end > (furthest ? furthest.start + furthest.size : reach)) furthest = place;
	}
	return furthest;
}

/** The page of up to `size` results that has a place of the list as near to its middle as can be. */
export function centredPlace(at: number, size: number): Place | undefined {
	if (size < minOverlapping) return undefined;
	let best: Place | undefined;
	const distance = ({ start, size: own }: Place) => Math.abs(start + own / 2 - at);
	for (let each = size; each >= size / 2; each--) {
		const place = placeOf(Math.floor(at / each) + 1, each);
		// A larger page reaches further where both lie as well.
		if (!best || distance(place) - each / 4 < distance(best) - best.size / 4) best = place;
	}
	return best;
}
