import type { Order } from './order';

/** Saved between polls, so fields must keep their meaning. Times are milliseconds since 1970, `packIds` packs IDs into text. */
export interface Cursor {
	kind: 'entries';
	/** Entries that are not new. Empty if `times` has them. */
	known: string;
	/** `known` begins with this many entries in list order. */
	ordered?: number;
	/** Entries that left the list. `isMass`: most entries left at once. */
	missing?: Array<{ since: number; isMass?: boolean; ids: string }>;
	/** The list was not read yet. What it contains is not new. */
	isBaseline?: boolean;
	/** With `isBaseline`: results created after this are new nevertheless (`null`: all are). */
	after?: number | null;
	/** What was known with another API key. The list will show whether it is the same account. */
	before?: string;
	/** Length of the list at the last complete reading, if known. */
	seen?: number;
	/** Consecutive polls that found fewer new results than the list had grown by. */
	missed?: number;
	/** IDs on page 1. */
	first?: string;
	/** Last complete reading (this machine's clock), if the list is too long for one in each poll. */
	wholeAt?: number;
	/** Day of that reading, if the event depends on the day. */
	day?: string;
	/** The list has shrunk since then. A new reading is not urgent. */
	isStale?: boolean;
	/** Consecutive complete readings that contradict the service's count. */
	miscounts?: number;
	/** More new results are waiting for the next poll. */
	hasMore?: boolean;
	reading?: StoredReading;
	/** Only if creation times show what is new. */
	times?: Times;
}

/** For lists whose creation times show what is new (the service's clock). `null`: before all times. */
export interface Times {
	/** What was created up to this time is not new. */
	floor: number | null;
	/** Everything created before this time is known, except what is listed late. */
	newest: number | null;
	/** Latest creation time that a poll has seen. */
	listed: number | null;
	/** Results created after the floor that are not new, by quarter of an hour. `until`: its end. */
	known: Array<[until: number, ids: string]>;
	/** Results without creation time that are not new. `undefined`: a complete reading must find them first. */
	undated?: string;
	order?: Order;
	/** Last reading down to the floor. `at`: this machine's clock. `listed`: latest creation time by then. */
	deep?: { at: number; listed: number };
	/** Last reading of the list's end, if the newest results are there (this machine's clock). */
	endAt?: number;
	/** Polls cannot see all results of one time, because the service reorders them. */
	unsettled?: { since: number; polls: number };
	/** Where to continue, if the previous poll could not deliver everything. */
	backlog?: Backlog;
}

export interface Backlog {
	/** Creation time of the oldest new results. In the list, this boundary is after page `low`, and not after page `high`. */
	boundary: number | null;
	low: number;
	high?: number;
	/** Number of results before the boundary, if known. */
	place?: number;
}

interface StoredReading {
	pageSize: number;
	day?: string;
	/** Consecutive polls without progress. */
	stalled?: number;
	listed?: number | null;
	pages: StoredPage[];
}

/** A page whose results need not be read again. */
export interface StoredPage {
	page: number;
	size?: number;
	count?: number;
	hasNext: boolean;
	ids: string;
	/** Results that do not belong to the event, because the service ignores a filter. */
	others?: string;
}

export const freshCursor = (isBaseline: boolean): Cursor => ({
	kind: 'entries',
	known: '',
	...(isBaseline && { isBaseline }),
});

export const freshTimes = (isBaseline: boolean): Cursor => ({
	...freshCursor(isBaseline),
	times: { floor: null, newest: null, listed: null, known: [] },
});

/** What was created at `from` or later is new (milliseconds since 1970). `null`: everything is new. */
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

export const timeFromJson = (time: number | null | undefined) => time ?? -Infinity;
export const timeToJson = (time: number) => (time === -Infinity ? null : time);

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
