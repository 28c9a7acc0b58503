import { findBoundary } from './boundary';
import type { Cursor, Times } from './cursor';
import { timeToJson } from './cursor';
import { UnreadablePageError } from './errors';
import { packSet, unpackIds } from './ids';
import type { ListPage } from './list';
import { readNewest } from './newestEnd';
import type { SortedOrder } from './order';
import type { Search } from './search';
import { restartIfDisordered } from './sorted';
import type { Outcome } from './task';

/** An empty list may be a mistake of the service. Results older than this are not new if they show up later (milliseconds). */
const maxAgeAfterEmpty = 24 * 3_600_000;

type Fields = Omit<Cursor, 'known'>;

/** Marks all listed entries as not new. Reads the list twice if it may have missed entries, because they would look new later. */
export function baselineWhole(search: Search, fields: Fields, isSure: boolean): Outcome {
	const { cursor, whole, begin, list, isSecond } = search;
	const { entryIds, newEntries } = list;
	const isReadTwice = whole.size > 0 || isSecond;
	whole.add([...entryIds].filter((id) => !newEntries.has(id)).map((id) => [id, 0]));
	if (!isReadTwice && (!isSure || entryIds.size === 0))
		return { retryFrom: { ...cursor, ...search.saved(), reading: undefined }, isSecond: true };
	const { entries, waiting } = search.deliver();
	const before = new Set(unpackIds(cursor.before ?? ''));
	const sharedCount = [...before].filter((id) => entryIds.has(id)).length;
	// The API key has changed, but not the account: entries that the trigger did not know are new.
	if (before.size > 0 && sharedCount >= before.size / 2) {
		const next = { ...fields, known: packSet(before), hasMore: true, seen: undefined };
		return { entries, cursor: next };
	}
	whole.addMissing(before, begin);
	const hasMore = waiting.size > 0 && { hasMore: true, seen: undefined };
	return { entries, cursor: { ...fields, ...search.saved(), ...hasMore } };
}

/** Marks the results listed within Look Back as not new. Results that show up there later are new. */
export async function beginSorted(
	search: Search,
	order: SortedOrder,
	first: ListPage,
): Promise<Outcome> {
	const { cursor, task, list, recent } = search;
	if (order.direction === 'oldestFirst') {
		const isListed = ({ results }: ListPage) => results.length > 0;
		const { lastPage } = list;
		await list.peek(lastPage ?? (await findBoundary(list, isListed, { low: 1 })).bracket.low);
		if (list.refusal) throw new UnreadablePageError(list.refusal.failure);
	}
	const { listed } = search;
	const { after = Infinity } = cursor;
	search.floor = search.bottom = Math.min(listed, after) - task.settings.lookBack;
	const read = await readNewest(search, order, first, { isEarly: false, growth: undefined });
	if (!('pages' in read) || !read.coversAllNew) {
		// If the next poll runs out of time, too, everything created since this one is new.
		if (after === Infinity) return { entries: [], cursor };
		const times: Times = { floor: after, listed: timeToJson(listed), ...recent.save(), order };
		return { entries: [], cursor: { known: '', times } };
	}
	// Pages that do not fit together show nothing; what is missing between them may be a wrong count.
	if (read.isMisfit) return { entries: [], cursor };
	const restart = restartIfDisordered(search, order, read);
	if (restart) return restart;
	const { ignoresCount } = cursor;
	const { count } = list;
	const fields = {
		...(ignoresCount && { ignoresCount }),
		...(count !== undefined && { seen: count }),
	};
	return baselineByTime(search, fields, { order, begun: Math.min(listed, after) });
}

/** What is listed is not new, except what was created after `cursor.after`. */
export function knowListed({ cursor, recent, list, floor }: Search): void {
	const { after = Infinity } = cursor;
	const isOld = (time: number) => time <= after && time > floor;
	recent.add([...list.shown].filter(([, time]) => isOld(time)));
}

/** Marks the listed results as not new, except those created after `cursor.after`. */
export function baselineByTime(
	search: Search,
	fields: Fields,
	change: Pick<Times, 'order' | 'begun'>,
): Outcome {
	const { cursor, task, begin, listed, floor } = search;
	const { lookBack } = task.settings;
	const { after = Infinity } = cursor;
	knowListed(search);
	const newest = Math.min(listed, after);
	const lowest = begin - Math.max(maxAgeAfterEmpty, lookBack);
	search.floor = search.bottom = Math.max(floor, listed > -Infinity ? newest - lookBack : lowest);
	if (cursor.after === undefined)
		return { entries: [], cursor: { ...fields, ...search.saved({ ...change, deepAt: begin }) } };
	return { retryFrom: { ...fields, ...search.saved(change) } };
}
