import type { Order } from './order';

/** Saved between polls, so fields must keep their meaning. Times are milliseconds since 1970. Texts with IDs come from `packIds`. */
export interface Cursor {
	kind: 'entries';
	/** IDs of entries that are not new. Empty with `times`, which has its own. */
	known: string;
	/** This many IDs at the beginning of `known` are in list order. */
	ordered?: number;
	/** Entries that left the list. `isMass`: most entries left at once. */
	missing?: Array<{ since: number; isMass?: boolean; ids: string }>;
	/** The list was not read yet, so the results in it are not new. */
	isBaseline?: boolean;
	/** With `isBaseline`: results created after this time are new all the same. `null`: all are new. */
	after?: number | null;
	/** `known` of the previous API key. The list will show whether both keys have the same account. */
	before?: string;
	/** Length of the list at the last complete reading, if known. */
	seen?: number;
	/** Consecutive polls that found fewer new results than the growth of the list. */
	missed?: number;
	/** IDs on page 1. */
	first?: string;
	/** Time of the last complete reading (this machine's clock), if the list is too long to read it in each poll. */
	wholeAt?: number;
	/** Day of that reading, if the event depends on the day. */
	day?: string;
	/** The list has shrunk since the last complete reading. The next one is not urgent. */
	isStale?: boolean;
	/** Consecutive complete readings that contradict the service's count. */
	miscounts?: number;
	/** More new results are waiting for the next poll. */
	hasMore?: boolean;
	reading?: StoredReading;
	/** Only if creation times show what is new. */
	times?: Times;
}

/** For lists whose creation times show what is new (the service's clock). `null`: earlier than all times. */
export interface Times {
	/** Results created up to this time are not new. */
	floor: number | null;
	/** All results created before this time are known, except those that are listed late. */
	newest: number | null;
	/** Latest creation time that a poll has seen. */
	listed: number | null;
	/** Results created after the floor that are not new, grouped by quarter of an hour. `until`: end of the quarter. */
	known: Array<[until: number, ids: string]>;
	/** Results without creation time that are not new. `undefined`: a complete reading must find them first. */
	undated?: string;
	order?: Order;
	/** Last reading that went back to the floor. `at`: this machine's clock. `listed`: latest creation time until then. */
	deep?: { at: number; listed: number };
	/** When the end of the list was last read, if the newest results are there (this machine's clock). */
	endAt?: number;
	/** Polls cannot see all results of one creation time, because the service reorders them. `since`: the first such poll. */
	unsettled?: { since: number; polls: number };
	/** Where to continue, if the previous poll could not deliver everything. */
	backlog?: Backlog;
}

export interface Backlog {
	/** Creation time of the oldest new results. Page `low` is before this boundary, page `high` is not. */
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
	/** IDs of results that do not match the event, because the service ignores a filter. */
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

/** Results created at `from` or later are new (milliseconds since 1970). `null`: all are new. */
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
