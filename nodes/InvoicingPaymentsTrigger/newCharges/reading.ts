import type { FetchPage, Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { reserve } from '../common/budget';
import { timeOf } from './charge';
import type { Backlog, Cursor, Scan } from './cursor';
import type { Delivery, Position } from './position';
import { toJson } from './cursor';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { List } from './list';
import { OldestBuffer } from './oldestBuffer';

export interface PollSettings {
	/** How many charges one poll delivers at most. */
	maxCharges: number;
	/** How much later than it was made a charge may be listed, in milliseconds. */
	lookBack: number;
	/** How many charges to ask for in one request. */
	pageSize: number;
}

export interface PollTask {
	fetchPage: FetchPage;
	settings: PollSettings;
	/** Milliseconds since 1970. */
	now: () => number;
	/** When the poll is to be over; it makes a few requests in any case. */
	until: number;
}

/** How the list is read. `learning`: not at all, the time went into getting to know its order. */
export type Mode = 'newestFirst' | 'oldestFirst' | 'whole' | 'learning';

/** What one poll works with. */
export interface Reading {
	settings: PollSettings;
	cursor: Cursor;
	list: List;
	position: Position;
	/** Page 1, which every poll reads. */
	first: PlacedPage;
	/** When the poll began. */
	now: number;
}

/** Down to where the list is to be read. */
export interface Depth {
	/** Charges made before this are not looked for. */
	boundary: number;
	/** Whether that is the floor, so that late charges are found. */
	isDeep: boolean;
}

/** How a reading ended, and what the next poll has to know of it. */
export interface Read extends Delivery {
	isDeep: boolean;
	backlog?: Backlog;
	scan?: Scan;
}

/** When the last charge of a page that is sorted newest first was made. */
export const oldestOf = ({ results }: Page) =>
	Math.min(...results.map((charge) => timeOf(charge) ?? -Infinity));

/** Whether a list that is sorted newest first holds nothing made at `time` or later after this page. */
export const reachesBelow = (block: PlacedPage, time: number) =>
	isEnd(block) || oldestOf(block) < time;

/** A collection of new charges, as many as one poll delivers. */
export const collect = ({ settings, list }: Reading) =>
	new OldestBuffer(settings.maxCharges, list.watch.direction === 'newestFirst');

/** What is delivered of what was collected. */
export function deliver(
	oldest: OldestBuffer,
	{ hasMore = false, ...read }: { isDeep: boolean; readFrom?: number; hasMore?: boolean },
): Read {
	const delivered = oldest.charges;
	return { delivered, isAll: !hasMore && !oldest.hasLeftOut, ...read };
}

/** Nothing can be delivered yet: the next poll goes on searching. */
export const goOnAt = (backlog?: Backlog): Read => ({
	delivered: [],
	isAll: false,
	isPart: true,
	isDeep: false,
	backlog,
});

/** Where to search for the boundary: where the last poll was, or between `low` and the end of the list. */
export function searchFrom({ cursor, list, first }: Reading, boundary: number, low: number) {
	const { backlog } = cursor;
	const last = list.lastPage(first);
	const end = last !== undefined && last >= low ? last + 1 : undefined;
	const isSame = backlog?.boundary === toJson(boundary);
	if (backlog && isSame && (backlog.high ?? Infinity) > Math.max(low, backlog.low)) {
		const from = Math.max(low, backlog.low);
		if (backlog.high !== undefined) return { low: from, high: backlog.high, reserve };
		if (from + 1 < (end ?? Infinity)) return { low: from, high: end, reserve, guess: from + 1 };
	}
	const isSensible = backlog && backlog.low > low && backlog.low < (end ?? Infinity);
	return { low, high: end, reserve, guess: isSensible ? backlog.low : undefined };
}

/** The number of the full page on which a page ends. */
export const pageAt = ({ start, results }: PlacedPage, { size }: List) =>
	Math.max(1, Math.ceil((start + results.length) / size));
