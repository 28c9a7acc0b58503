import type { Bracket } from './boundary';
import type { Order } from './order';
import type { PageRange } from '../../shared/pagination/overlap';

/**
 * What is kept from one poll to the next. Plain JSON, a few KB at most. Times are milliseconds since 1970; `null` is before all
 * of them.
 */
export interface Cursor {
	/** Every charge that was listed at the last poll and made before this is delivered, or is not to be. */
	newest: number | null;
	/** No charge made at this time or before is new, whenever it shows up. */
	floor: number | null;
	/** When the newest charge was made that any poll has seen. */
	seen: number | null;
	/** Charges made after the floor that are not new: hashes and times, packed by {@link pack}. */
	known: string;
	/** Charges that do not say when they were made and are not new. `null`: the next reading of the whole list finds out. */
	undated: string[] | null;
	order: Order;
	/** The service decides how long pages are. */
	hasOwnSizes?: boolean;
	/** The service's count does not agree with its pages. */
	hasWrongCount?: boolean;
	/** Charges of this moment were not all seen, in `polls` polls since (by this machine's clock). */
	unsettled?: { time: number; polls: number; since: number };
	/** When it was last read down to the floor, by this machine's clock. */
	deepAt?: number;
	/** When the newest charge was made that was listed then. */
	deepFrom?: number;
	/**
	 * What the service counted at the last poll, and by how much more it has grown than charges were found, in so many polls: in the order
	 * that is trusted, some may stand where nobody looks.
	 */
	counted?: { count: number; unseen?: number; polls?: number };
	/** New charges were left for the next poll. */
	hasMore?: boolean;
	/** Where the last poll that could not deliver everything was in the list. */
	backlog?: Backlog;
	/** How far a reading of the whole list came that did not fit into one poll. */
	scan?: Scan;
}

export interface Backlog extends Bracket {
	boundary: number | null;
	/** About how many charges are listed before the newest one that was delivered, or an older one next to it. */
	place?: number;
}

export interface Scan extends PageRange {
	/** Hashes of what was on the last page. */
	page: string[];
	/** {@link Cursor.seen} when it began. */
	seen: number | null;
}

export const fromJson = (time: number | null) => time ?? -Infinity;
export const toJson = (time: number) => (time === -Infinity ? null : time);

/** Oldest first, each as its hash, and how much later than the one before it was made. */
export function pack(known: Map<string, number>): string {
	let before = 0;
	return [...known]
		.sort(([, a], [, b]) => a - b)
		.map(([hash, time]) => {
			const gap = time - before;
			before = time;
			return `${hash} ${gap.toString(36)}`;
		})
		.join(',');
}

export function unpack(packed: string): Map<string, number> {
	let time = 0;
	const rows = packed ? packed.split(',').map((row) => row.split(' ')) : [];
	return new Map(rows.map(([hash, gap]) => [hash, (time += parseInt(gap, 36))]));
}

/** Whether it was kept as it was saved. */
export function isCursor(value: unknown): value is Cursor {
	const isTime = (time: unknown) => time === null || typeof time === 'number';
	const isObject = (part: unknown) => typeof part === 'object' && part !== null;
	if (!isObject(value)) return false;
	const { newest, floor, seen, known, undated, order, scan } = value as Partial<Cursor>;
	return (
		[newest, floor, seen].every(isTime) &&
		typeof known === 'string' &&
		(undated === null || Array.isArray(undated)) &&
		isObject(order) &&
		(scan === undefined || (isObject(scan) && Array.isArray(scan.page)))
	);
}

/** A cursor for which everything made at `from` or later is new; `null`: everything. */
export function cursorFrom(from: number | null): Cursor {
	return {
		newest: from,
		floor: from === null ? null : from - 1,
		seen: from,
		known: '',
		undated: from === null ? [] : null,
		order: { agreed: 0, isTrusted: false },
		// All that there is has to be found.
		...(from === null && { counted: { count: 0 } }),
	};
}
