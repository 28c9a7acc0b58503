import type { IdHash } from './ids';

interface SeenPage {
	number: number;
	start: number;
	ids: IdHash[];
}

interface Gap {
	before: SeenPage;
	after: SeenPage;
}

/**
 * Searches for new results between two pages. `order`: the known results in list order. Results move back by one for
 * each new result before them. If a page moved further than the one before, something new lies in between, and the
 * page in the middle is read, and so on. Reads up to `most` pages. Returns whether everything new was found.
 */
export async function searchBetween(
	order: IdHash[],
	[first, last]: [SeenPage, SeenPage],
	read: (page: number) => Promise<SeenPage | undefined>,
	most: number,
): Promise<boolean> {
	const places = new Map(order.map((id, place) => [id, place]));
	const gaps: Gap[] = [{ before: first, after: last }];
	let left = most;
	for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
		const { before, after } = gap;
		const [from, to] = [shiftAfter(before, places), shiftBefore(after, places)];
		if (from === undefined || to === undefined) return false;
		if (to <= from || after.number - before.number < 2) continue;
		if (left === 0) return false;
		left -= 1;
		const middle = await read(Math.floor((before.number + after.number) / 2));
		if (!middle) return false;
		gaps.push({ before, after: middle }, { before: middle, after });
	}
	return true;
}

/** How far results after a page moved back: the number of new results up to its end. */
function shiftAfter({ start, ids }: SeenPage, places: Map<IdHash, number>): number | undefined {
	const place = places.get(ids.filter((id) => places.has(id)).pop() ?? NaN);
	return place === undefined ? undefined : start + ids.length - 1 - place;
}

/** The same for the beginning of a page. */
function shiftBefore({ start, ids }: SeenPage, places: Map<IdHash, number>): number | undefined {
	const place = places.get(ids.find((id) => places.has(id)) ?? NaN);
	return place === undefined ? undefined : start - place;
}
