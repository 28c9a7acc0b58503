import type { Order } from './order';

/**
 * What is kept from one poll to the next. Plain JSON: eight characters for each result that is remembered, and little more. Times
 * are milliseconds since 1970. IDs are packed by `packIds`.
 */
export interface Cursor {
	kind: 'entries';
	/** What was in the list when it was last read, was delivered, or is not to be. Empty where `times` says it. */
	known: string;
	/** So many of them, from the first, stand as they stand in the list. */
	ordered?: number;
	/** Those of them that are not in the list any more, by when that was first seen. `isMass`: most of the list was gone with them. */
	missing?: Array<{ since: number; isMass?: boolean; ids: string }>;
	/** What is listed is not new: it has not been noted yet. */
	isBaseline?: boolean;
	/** Then, what was made after this is new all the same (`null`: everything). */
	after?: number | null;
	/** What was known under another API key: whether it is the same account shows when the list has been read. */
	before?: string;
	/** How many results the list had when it was as it is known; `undefined`: unknown. */
	seen?: number;
	/** In how many polls in a row fewer new results were found than the list had grown by. */
	missed?: number;
	/** The IDs on page 1 when it was as it is known. */
	first?: string;
	/** When the list was last read whole, where that is not done in every poll (by this machine's clock). */
	wholeAt?: number;
	/** The day on which that was, where what belongs to the event goes by the day. */
	day?: string;
	/** The list has become shorter since, which it is not urgent to look into. */
	isStale?: boolean;
	/** How many whole readings in a row did not find as many results as the service counts. */
	miscounts?: number;
	/** New results were left for the next poll. */
	hasMore?: boolean;
	/** How far a whole reading came that did not fit into one poll. */
	reading?: StoredReading;
	/** Where new results show by when they were made. */
	times?: Times;
}

/** What is known of a list whose results say when they were made, by the service's clock. `null`: before all times. */
export interface Times {
	/** Nothing made at this time or before is new, whenever it shows up. */
	floor: number | null;
	/** Everything that was listed and made before this is known. */
	newest: number | null;
	/** When the newest result was made that any poll has seen. */
	listed: number | null;
	/** What was made after the floor and is not new, by quarters of an hour: until when, and the IDs. */
	known: Array<[until: number, ids: string]>;
	/** What does not say when it was made and is not new. `undefined`: the next reading of the whole list finds out. */
	undated?: string;
	/** How the list is sorted. `undefined`: unknown. */
	order?: Order;
	/** When the list was last read down to the floor (by this machine's clock), and what was listed by then. */
	deep?: { at: number; listed: number };
	/** When its newest end was last read (by this machine's clock), where that is not on page 1. */
	endAt?: number;
	/** Since when, and in how many polls, results of the same moment could not all be seen. */
	unsettled?: { since: number; polls: number };
	/** Where the poll before was, if it could not deliver everything. */
	backlog?: Backlog;
}

export interface Backlog {
	/** The boundary that was looked for: it lies after page `low`, and not after page `high`. */
	boundary: number | null;
	low: number;
	high?: number;
	/** How many results come before it, where it was found. */
	place?: number;
}

export interface StoredReading {
	/** How many results were asked for in one request. */
	pageSize: number;
	/** The day on which it began, where what belongs to the event goes by the day. */
	day?: string;
	/** In how many polls in a row it came no further. */
	stalled?: number;
	/** {@link Times.listed} when it began. */
	listed?: number | null;
	pages: StoredPage[];
}

/** A page that was read and holds nothing that is still to be delivered. */
export interface StoredPage {
	page: number;
	/** `undefined`: the size that is asked for at first. */
	size?: number;
	count?: number;
	hasNext: boolean;
	/** In the order of the list, eight characters each. */
	ids: string;
	/** Those that do not belong to the event, whatever filter the service was given. */
	others?: string;
}

/** A list that has not been looked at. `isBaseline`: what is in it is not new. */
export const freshCursor = (isBaseline: boolean): Cursor => ({
	kind: 'entries',
	known: '',
	...(isBaseline && { isBaseline }),
});

/** The same of a list whose results say when they were made. */
export const freshTimes = (isBaseline: boolean): Cursor => ({
	...freshCursor(isBaseline),
	times: { floor: null, newest: null, listed: null, known: [] },
});

/** A cursor for which everything made at `from` or later is new (milliseconds since 1970); `null`: everything. */
export const cursorFrom = (from: number | null): Cursor => ({
	...freshCursor(false),
	// All that there is has to be found.
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

/** Whether it was kept as it was saved. */
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
