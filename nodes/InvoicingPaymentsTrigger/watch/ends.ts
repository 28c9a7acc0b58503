import { ok } from '../../shared/result';
import { saved } from './finish';
import type { IdHash } from './ids';
import type { ListPage, Poll } from './poll';
import type { SearchOutcome } from './task';

/** A long list without an order is read whole this often (milliseconds). */
const wholeInterval = 15 * 60_000;

/**
 * Looks for new entries on page 1 of a list without a known order, and if it has grown by more, on the last page and where results have
 * moved. `undefined`: read the whole list.
 */
export async function searchEnds(
	poll: Poll,
	first: ListPage,
	pageCount: number,
): Promise<SearchOutcome | undefined> {
	const { cursor, whole, task, begin, newEntries, count } = poll;
	const { seen, wholeAt = -Infinity } = cursor;
	const isDue = Math.abs(begin - wholeAt) + (task.interval ?? 0) > wholeInterval;
	if (isDue || seen === undefined || task.today !== cursor.day) return undefined;
	// Without a count, only page 1 shows what is new.
	const growth = poll.growth ?? newEntries.size;
	const isFound = () => newEntries.size >= growth;
	if (isFound() && newEntries.size === 0)
		return ok({ entries: [], cursor: growth < 0 ? { ...cursor, seen: count } : cursor });
	if (!isFound()) await readShifted(poll, first, pageCount, { isFound });
	if (!isFound()) return undefined;
	whole.order = newEntries.size === growth ? orderWith(poll) : [];
	const { entries, waiting } = poll.deliver();
	const next = {
		seen: (count ?? seen + newEntries.size) - waiting.size,
		hasMore: waiting.size > 0 || undefined,
	};
	return ok({ entries, cursor: { ...cursor, ...saved(poll), ...next } });
}

/** Reads the last page, and wherever results have moved further back than those before them: a new one is between. */
async function readShifted(
	poll: Poll,
	first: ListPage,
	pageCount: number,
	{ isFound }: { isFound: () => boolean },
): Promise<void> {
	const places = new Map(poll.whole.order.map((id, place) => [id, place]));
	const shiftOf = ({ start, ids }: ListPage, inOrder: IdHash[]) => {
		const id = inOrder.find((one) => places.has(one)) ?? NaN;
		return start + ids.indexOf(id) - (places.get(id) ?? NaN);
	};
	// The rest is for reading the whole list, if this finds too little.
	const reserved = poll.budget.left / 2;
	const read = async (number: number) => {
		const page = await poll.peek(number).catch(() => undefined);
		return page?.count === first.count ? page : undefined;
	};
	const readBetween = async (before: ListPage, after: ListPage): Promise<void> => {
		const isShifted = shiftOf(after, after.ids) > shiftOf(before, [...before.ids].reverse());
		const number = Math.floor((before.number + after.number) / 2);
		if (!isShifted || number === before.number || poll.budget.left < reserved) return;
		const middle = await read(number);
		if (!middle) return;
		await readBetween(before, middle);
		await readBetween(middle, after);
	};
	const last = await read(pageCount);
	if (last && !isFound()) await readBetween(first, last);
}

/** The known order with the new entries. */
function orderWith({ whole, newEntries }: Poll): IdHash[] {
	const order = [...whole.order];
	if (order.length === 0) return order;
	const byIndex = [...newEntries].sort(([, a], [, b]) => a.index - b.index);
	for (const [id, { index }] of byIndex) order.splice(index, 0, id);
	return order;
}
