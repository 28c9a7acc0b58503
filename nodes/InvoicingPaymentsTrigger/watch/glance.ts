import type { Cursor } from './cursor';
import type { IdHash } from './ids';
import { packSet } from './ids';
import type { ListPage } from './list';
import type { Search } from './search';
import type { Outcome } from './task';

/** A long list without an order is read whole this often (milliseconds). */
export const wholeInterval = 15 * 60_000;
/** A reading of the whole list that is not urgent waits this long for each page (milliseconds). */
const waitPerPage = 6_000;

/** Looks for new entries on the first page, the last one, and where results have moved. `undefined`: read the whole list. */
export async function glance(
	search: Search,
	first: ListPage,
	pageCount: number,
): Promise<Outcome | undefined> {
	const { cursor, whole, task, list, begin } = search;
	const { seen, isStale = false } = cursor;
	const { newEntries, count } = list;
	const age = Math.abs(begin - (cursor.wholeAt ?? -Infinity));
	if (age + (task.interval ?? 0) > wholeInterval || seen === undefined) return undefined;
	if (task.today !== cursor.day) return undefined;
	const packed = packSet(first.ids);
	const growth = count === undefined ? newEntries.size : count - seen;
	if (growth <= 0 && newEntries.size === 0) {
		const isChanged = growth < 0 || isStale || packed !== cursor.first;
		if (isChanged && age >= pageCount * waitPerPage) return undefined;
		return { entries: [], cursor: growth < 0 ? { ...cursor, seen: count, isStale: true } : cursor };
	}
	if (!(await findGrowth(search, first, pageCount, growth))) return undefined;
	const hasShrunk = isStale || newEntries.size > growth;
	whole.order = hasShrunk || count === undefined ? [] : orderWith(search);
	const { entries, waiting } = search.deliver();
	const next: Cursor = {
		...cursor,
		...search.saved(),
		seen: count ?? seen + newEntries.size,
		first: packed,
		...(hasShrunk && { isStale: true }),
		...(waiting.size > 0 && { hasMore: true }),
	};
	return { entries, cursor: next };
}

async function findGrowth(
	{ list, whole }: Search,
	first: ListPage,
	pageCount: number,
	growth: number,
): Promise<boolean> {
	const isFound = () => list.newEntries.size >= growth;
	if (isFound()) return true;
	const read = async (number: number) => {
		const page = await list.peek(number).catch(() => undefined);
		return page?.count === first.count ? page : undefined;
	};
	const last = await read(pageCount);
	if (!last || isFound()) return last !== undefined;
	// If that fails, the list is read whole with the other half, over several polls if it is long.
	const maxPages = Math.floor(list.budget.left / 2);
	return (await findInsertions(whole.order, [first, last], read, maxPages)) && isFound();
}

/** The known order with the new entries. */
function orderWith({ whole, list }: Search): IdHash[] {
	const order = [...whole.order];
	if (order.length === 0) return order;
	const byIndex = [...list.newEntries].sort(([, a], [, b]) => a.index - b.index);
	for (const [id, { index }] of byIndex) order.splice(index, 0, id);
	return order;
}

/** If results on a page have moved further back than those on an earlier page, a new result is between: reads the page in the middle. */
async function findInsertions(
	knownOrder: IdHash[],
	[first, last]: [ListPage, ListPage],
	read: (page: number) => Promise<ListPage | undefined>,
	maxPages: number,
): Promise<boolean> {
	const indexes = new Map(knownOrder.map((id, index) => [id, index]));
	const gaps = [{ before: first, after: last }];
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
function shiftAfter({ start, ids }: ListPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.filter((id) => indexes.has(id)).pop() ?? NaN);
	return index === undefined ? undefined : start + ids.length - 1 - index;
}

function shiftBefore({ start, ids }: ListPage, indexes: Map<IdHash, number>): number | undefined {
	const index = indexes.get(ids.find((id) => indexes.has(id)) ?? NaN);
	return index === undefined ? undefined : start - index;
}
