import type { Cursor } from './cursor';
import type { IdHash } from './ids';
import { packSet } from './ids';
import type { Pages, PageWithIds } from './pages';
import type { Outcome, Poll } from './task';
import { deliver, updateListed, savedFields } from './task';

/** Long lists are read completely this often (milliseconds). */
export const fullReadInterval = 15 * 60_000;
/** A complete reading that is not urgent waits this long for each page of the list (milliseconds). */
const waitPerPage = 6_000;
/** A search that would need more of the pages than this gives way to a complete reading. */
const maxSearchedShare = 1 / 3;

/** Looks for new entries on page 1 and some other pages. `undefined`: the list must be read completely. */
export async function checkFirstPage(
	poll: Poll,
	pages: Pages,
	{ count, ids, ...first }: PageWithIds,
	pageCount: number,
): Promise<Outcome | undefined> {
	const { cursor, wholeList, task } = poll;
	const { seen } = cursor;
	const age = Math.abs(poll.begin - (cursor.wholeAt ?? -Infinity));
	if (age + (task.interval ?? 0) > fullReadInterval || seen === undefined) return undefined;
	if (task.today !== cursor.day) return undefined;
	const packed = packSet(ids);
	const growth = count === undefined ? pages.newEntries.size : count - seen;
	if (growth <= 0 && pages.newEntries.size === 0) {
		const isChanged = growth < 0 || cursor.isStale === true || packed !== cursor.first;
		if (isChanged && age >= pageCount * waitPerPage) return undefined;
		return { entries: [], cursor: growth < 0 ? { ...cursor, seen: count, isStale: true } : cursor };
	}
	const firstPage = { ...first, count, ids };
	if (!(await findAllNew(poll, pages, firstPage, { pageCount, growth }))) return undefined;
	const isStale = cursor.isStale === true || pages.newEntries.size > growth;
	const isOrderKnown = !isStale && count !== undefined;
	wholeList.order = isOrderKnown ? orderWith(wholeList.order, pages) : [];
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
	{ wholeList, search }: Poll,
	pages: Pages,
	first: PageWithIds,
	{ pageCount, growth }: { pageCount: number; growth: number },
): Promise<boolean> {
	const hasFoundAll = () => pages.newEntries.size >= growth;
	if (hasFoundAll()) return true;
	const read = async (number: number) => {
		const page = await pages.peek(number).catch(() => undefined);
		return page?.count === first.count ? page : undefined;
	};
	const last = await read(pageCount);
	if (!last || hasFoundAll()) return last !== undefined;
	const maxReads = Math.min(search.budget.left, Math.ceil(pageCount * maxSearchedShare));
	return (await findInsertions(wholeList.order, [first, last], read, maxReads)) && hasFoundAll();
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

/** If results on a page have moved further back than those on an earlier page, a new result is between: reads the page in the middle. */
async function findInsertions(
	knownOrder: IdHash[],
	[first, last]: [SeenPage, SeenPage],
	read: (page: number) => Promise<SeenPage | undefined>,
	maxPages: number,
): Promise<boolean> {
	const indexes = new Map(knownOrder.map((id, index) => [id, index]));
	const gaps: PageGap[] = [{ before: first, after: last }];
	let remainingPages = maxPages;
	for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
		const { before, after } = gap;
		const [from, to] = [shiftAfter(before, indexes), shiftBefore(after, indexes)];
		if (from === undefined || to === undefined) return false;
		if (to <= from || after.number - before.number < 2) continue;
		if (remainingPages === 0) return false;
		remainingPages -= 1;
		const middle = await read(Math.floor((before.number + after.number) / 2));
		if (!middle) return false;
		gaps.push({ before, after: middle }, { before: middle, after });
	}
	return true;
}

/** How many places the results after a page have moved back in the list. */
function shiftAfter({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.filter((id) => indexes.has(id)).pop() ?? NaN);
	return index === undefined ? undefined : start + ids.length - 1 - index;
}

function shiftBefore({ start, ids }: SeenPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.find((id) => indexes.has(id)) ?? NaN);
	return index === undefined ? undefined : start - index;
}
