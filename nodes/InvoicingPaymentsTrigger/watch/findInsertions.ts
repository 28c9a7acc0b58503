import type { IdHash } from './ids';

interface SeenPage {
	number: number;
	start: number;
	ids: IdHash[];
}

interface PageGap {
	before: SeenPage;
	after: SeenPage;
}

/**
 * Searches for new results between two pages. `order`: the known results in list order. Results move back by one for
 * each new result before them. If a page moved further than the one before, something new lies in between, and the
 * page in the middle is read, and so on. Reads up to `maxPages` pages. Returns whether everything new was found.
 */
export async function findInsertions(
	order: IdHash[],
	[first, last]: [SeenPage, SeenPage],
	read: (page: number) => Promise<SeenPage | undefined>,
	maxPages: number,
): Promise<boolean> {
	const indexes = new Map(order.map((id, index) => [id, index]));
	const gaps: PageGap[] = [{ before: first, after: last }];
	let left = maxPages;
	for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
		const { before, after } = gap;
		const [from, to] = [shiftAfter(before, indexes), shiftBefore(after, indexes)];
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
function shiftAfter({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.filter((id) => indexes.has(id)).pop() ?? NaN);
	return index === undefined ? undefined : start + ids.length - 1 - index;
}

/** The same for the beginning of a page. */
function shiftBefore({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.find((id) => indexes.has(id)) ?? NaN);
	return index === undefined ? undefined : start - index;
}
