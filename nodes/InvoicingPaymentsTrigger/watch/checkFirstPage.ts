import type { Cursor } from './cursor';
import type { IdHash } from './ids';
import { packSet } from './ids';
import type { Pages, PageWithIds } from './pages';
import type { Outcome, Poll } from './task';
import { deliver, updateListed, savedFields } from './task';

/** Long lists are read completely this often (milliseconds). */
export const fullReadInterval = 15 * 60_000;
/** A reading that is not urgent waits this long per page (milliseconds). */
const waitPerPage = 6_000;
/** Beyond this share of the pages, a complete reading is better than a search. */
const searchedShare = 1 / 3;

/** Looks for new entries on page 1 and some others. `undefined`: the list must be read completely. */
export async function checkFirstPage(
	poll: Poll,
	pages: Pages,
	{ count, ids, ...first }: PageWithIds,
	pageCount: number,
): Promise<Outcome | undefined> {
	const { cursor, whole, task } = poll;
	const { seen } = cursor;
	const age = Math.abs(poll.begin - (cursor.wholeAt ?? -Infinity));
	if (age + (task.interval ?? 0) > fullReadInterval || seen === undefined) return undefined;
	if (task.today !== cursor.day) return undefined;
	const packed = packSet(ids);
	const grown = count === undefined ? pages.newEntries.size : count - seen;
	if (grown <= 0 && pages.newEntries.size === 0) {
		const isChanged = grown < 0 || cursor.isStale === true || packed !== cursor.first;
		if (isChanged && age >= pageCount * waitPerPage) return undefined;
		return { entries: [], cursor: grown < 0 ? { ...cursor, seen: count, isStale: true } : cursor };
	}
	const firstPage = { ...first, count, ids };
	if (!(await findAllNew(poll, pages, firstPage, { pageCount, grown }))) return undefined;
	const isStale = cursor.isStale === true || pages.newEntries.size > grown;
	const isOrderKnown = !isStale && count !== undefined;
	whole.order = isOrderKnown ? orderWith(whole.order, pages) : [];
	const { entries, waiting } = deliver(poll, pages);
	updateListed(poll, pages);
	const next: Cursor = {
		...cursor,
		ordered: undefined,
		...savedFields(poll),
		seen: count ?? seen + pages.newEntries.size,
		first: packed,
		...(isStale && { isStale }),
		...(waiting.size > 0 && { hasMore: true }),
	};
	return { entries, cursor: next };
}

async function findAllNew(
	{ whole, search }: Poll,
	pages: Pages,
	first: PageWithIds,
	{ pageCount, grown }: { pageCount: number; grown: number },
): Promise<boolean> {
	const isFound = () => pages.newEntries.size >= grown;
	if (isFound()) return true;
	const read = async (number: number) => {
		const page = await pages.peek(number).catch(() => undefined);
		return page?.count === first.count ? page : undefined;
	};
	const last = await read(pageCount);
	if (!last || isFound()) return last !== undefined;
	const maxReads = Math.min(search.budget.left, Math.ceil(pageCount * searchedShare));
	return (await findInsertions(whole.order, [first, last], read, maxReads)) && isFound();
}

function orderWith(order: IdHash[], { newEntries }: Pages): IdHash[] {
	const all = [...order];
	if (all.length === 0) return all;
	for (const [id, { index }] of [...newEntries].sort(([, a], [, b]) => a.index - b.index))
		all.splice(index, 0, id);
	return all;
}

interface SeenPage {
	number: number;
	start: number;
	ids: IdHash[];
}

interface PageGap {
	before: SeenPage;
	after: SeenPage;
}

/** If a page has moved further back than an earlier one, something new is between them: read the page in the middle. */
async function findInsertions(
	knownOrder: IdHash[],
	[first, last]: [SeenPage, SeenPage],
	read: (page: number) => Promise<SeenPage | undefined>,
	maxPages: number,
): Promise<boolean> {
	const indexes = new Map(knownOrder.map((id, index) => [id, index]));
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

/** How far results after a page have moved back. */
function shiftAfter({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.filter((id) => indexes.has(id)).pop() ?? NaN);
	return index === undefined ? undefined : start + ids.length - 1 - index;
}

function shiftBefore({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.find((id) => indexes.has(id)) ?? NaN);
	return index === undefined ? undefined : start - index;
}
