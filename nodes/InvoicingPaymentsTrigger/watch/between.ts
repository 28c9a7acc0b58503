import type { IdHash } from './ids';

/** The IDs on a page, and how many results of the list come before it. */
interface SeenPage {
	number: number;
	start: number;
	ids: IdHash[];
}

/** A part of the list between two pages that were read, in which something is new. */
interface Gap {
	before: SeenPage;
	after: SeenPage;
}

/**
 * Looks for what is new between two pages that were read, in a list of which it is known where everything stood (`order`): where the
 * results of a page stand further back than the page before explains, something lies in between. Reads the page in the middle,
 * and so on; at most `most` pages. Whether it has found all that there is to find.
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

/** By how much what comes after a page stands further back than it did: what is new before the end of the page. */
function shiftAfter({ start, ids }: SeenPage, places: Map<IdHash, number>): number | undefined {
	const place = places.get(ids.filter((id) => places.has(id)).pop() ?? NaN);
	return place === undefined ? undefined : start + ids.length - 1 - place;
}

/** The same of the page itself: what is new before its beginning. */
function shiftBefore({ start, ids }: SeenPage, places: Map<IdHash, number>): number | undefined {
	const place = places.get(ids.find((id) => places.has(id)) ?? NaN);
	return place === undefined ? undefined : start - place;
}
