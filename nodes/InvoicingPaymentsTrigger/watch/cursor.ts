import type { Order } from './order';

/** State between polls, as plain JSON. Times are milliseconds since 1970, IDs are packed by `packIds`. */
export interface Cursor {
	kind: 'entries';
	/** Results that are not new. Empty if `times` has them. */
	known: string;
	/** How many of them, from the first, are in list order. */
	ordered?: number;
	/** Those that left the list, by when that was noticed. `isMass`: most of the list left with them. */
	missing?: Array<{ since: number; isMass?: boolean; ids: string }>;
	/** The list must be read once, and its entries are not new. */
	isBaseline?: boolean;
	/** If so, results created after this are new nevertheless (`null`: all are). */
	after?: number | null;
	/** Known results of another API key. Reading the list shows whether it is the same account. */
	before?: string;
	/** Length of the list at the last complete reading, if known. */
	seen?: number;
	/** Consecutive polls that found fewer new results than the list had grown by. */
	missed?: number;
	/** IDs on page 1 when the list was last read. */
	first?: string;
	/** Last complete reading (this machine's clock), if not every poll makes one. */
	wholeAt?: number;
	/** The day of that reading, if the event depends on the day. */
	day?: string;
	/** The list has shrunk since. A new reading is not urgent. */
	isStale?: boolean;
	/** Consecutive complete readings that did not match the service's count. */
	miscounts?: number;
	/** New results were left for the next poll. */
	hasMore?: boolean;
	/** A complete reading that the next poll continues. */
	reading?: StoredReading;
	/** If creation times show what is new. */
	times?: Times;
}

/** State of a list whose results have creation times (the service's clock). `null`: before all times. */
export interface Times {
	/** Nothing created up to this time is new. */
	floor: number | null;
	/** Everything listed that was created before this time is known. */
	newest: number | null;
	/** Latest creation time seen by any poll. */
	listed: number | null;
	/** Known results created after the floor, by quarter-hour: its end, and the IDs. */
	known: Array<[until: number, ids: string]>;
	/** Known results without a time. `undefined`: the next complete reading finds them. */
	undated?: string;
	/** `undefined`: unknown. */
	order?: Order;
	/** Last reading down to the floor (this machine's clock), and the latest creation time by then. */
	deep?: { at: number; listed: number };
	/** Last reading of the newest end (this machine's clock), if that is not page 1. */
	endAt?: number;
	/** Since when, and in how many polls, results with the same time could not all be seen. */
	unsettled?: { since: number; polls: number };
	/** Position of the previous poll, if it could not deliver everything. */
	backlog?: Backlog;
}

export interface Backlog {
	/** The boundary in question. It lies after page `low`, and not after page `high`. */
	boundary: number | null;
	low: number;
	high?: number;
	/** Number of results before it, if it was found. */
	place?: number;
}

export interface StoredReading {
	pageSize: number;
	/** The day on which it began, if the event depends on the day. */
	day?: string;
	/** Consecutive polls without progress. */
	stalled?: number;
	listed?: number | null;
	pages: StoredPage[];
}

/** A page without undelivered results. */
export interface StoredPage {
	page: number;
	/** `undefined`: the default size. */
	size?: number;
	count?: number;
	hasNext: boolean;
	/** In list order, eight characters each. */
	ids: string;
	/** Those that do not belong to the event. The service may ignore a filter. */
	others?: string;
}

/** For a list that was not read yet. `isBaseline`: its entries are not new. */
export const freshCursor = (isBaseline: boolean): Cursor => ({
	kind: 'entries',
	known: '',
	...(isBaseline && { isBaseline }),
});

/** The same for a list with creation times. */
export const freshTimes = (isBaseline: boolean): Cursor => ({
	...freshCursor(isBaseline),
	times: { floor: null, newest: null, listed: null, known: [] },
});

/** Everything created at `from` or later is new (milliseconds since 1970). `null`: everything is. */
export const cursorFrom = (from: number | null): Cursor => ({
	...freshCursor(false),
	...(from === null && { seen: 0 }),
	times: {
		floor: from === null ? null : from - 1,
		newest: from,
		listed: null,
		known: [],
		...(from === null && { undated: '' }),
	},
});

export const fromJson = (time: number | null | undefined) => time ?? -Infinity;
export const toJson = (time: number) => (time === -Infinity ? null : time);

/** Checks the shape of saved state. */
export function isCursor(value: unknown): value is Cursor {
	if (typeof value !== 'object' || value === null) return false;
	const { kind, known, missing = [], reading, times } = value as Partial<Cursor>;
	return (
		kind === 'entries' &&
		typeof known === 'string' &&
		Array.isArray(missing) &&
		(reading === undefined || Array.isArray(reading.pages)) &&
		(times === undefined || Array.isArray(times.known))
	);
}
