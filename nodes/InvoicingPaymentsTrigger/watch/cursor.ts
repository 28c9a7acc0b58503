import type { Order } from './order';

/** Saved between polls. Times are milliseconds since 1970. Texts with IDs come from `packIds`. */
export interface Cursor {
	/** IDs of entries that are not new. Empty with `times`, which has its own. */
	known: string;
	/** This many IDs at the beginning of `known` are in list order. */
	ordered?: number;
	/** Entries that left the list. `isBatch`: many left at once. */
	missing?: Array<{ since: number; isBatch?: boolean; ids: string }>;
	/** The list was not read yet, so the results in it are not new. */
	isBaseline?: boolean;
	/** With `isBaseline`: results created after this time are new all the same. */
	after?: number;
	/** `known` of the previous API key. The list will show whether both keys have the same account. */
	before?: string;
	/** Number of results up to which all is explained: later growth must be new results. */
	seen?: number;
	/** Consecutive polls that found fewer new results than the growth of the list. */
	missed?: number;
	/** Time of the last reading of the whole list (this machine's clock), if the list is too long to read it in each poll. */
	wholeAt?: number;
	/** Day of that reading, if the event depends on the day. */
	day?: string;
	/** A reading of the whole list has contradicted the service's count, which is ignored until it is right again. */
	ignoresCount?: boolean;
	/** More new results are waiting for the next poll. */
	hasMore?: boolean;
	reading?: ReadingInParts;
	/** Only if creation times show what is new. */
	times?: Times;
}

/** For lists whose creation times show what is new (the service's clock). `null`: earlier than all times. */
export interface Times {
	/** Results created up to this time are not new. */
	floor: number | null;
	/** Later than the floor: a pass has come this far (newest.ts). */
	bottom?: number | null;
	/** Latest creation time that was seen before the pass began, if it goes on in the next poll. */
	seenBeforePass?: number | null;
	/** Latest creation time that a poll has seen. */
	listed: number | null;
	/** Results created after the floor that are not new, grouped by quarter of an hour. `until`: end of the quarter. */
	known: Array<[until: number, ids: string]>;
	order?: Order;
	/** When the last pass came to its end (this machine's clock). */
	passedAt?: number;
	/** If the page of the bottom is still searched for: pages before and after it. */
	bracket?: Bracket;
	/** Consecutive polls that have come no further with a pass. */
	stuck?: number;
	/** The last poll had no time for a pass that is due, so the next one only goes on with it. */
	isPassNext?: boolean;
	/** Page of a list sorted oldest first that begins before what is new. */
	nearEnd?: number;
	/** The service decides on the size of its pages: too long ones have shown it, or too short ones and those that do not fit look like it. */
	sizes?: 'ignored' | 'seemIgnored';
	/** Consecutive polls whose pages showed fewer different results than they have places, and nothing new. */
	gaps?: number;
	/** Latest creation time when the workflow was published, if only a part of the list was read then. */
	begun?: number;
}

/** Pages between which a boundary of the list is searched for. */
export interface Bracket {
	/** A page before the boundary. */
	low: number;
	/** A page that is not before the boundary. */
	high?: number;
}

/** A reading of the whole list that takes several polls. */
export interface ReadingInParts {
	pageSize: number;
	day?: string;
	/** Number of results that were read. */
	reach: number;
	ids: string;
	/** IDs of results that do not match the event, because the service ignores a filter. */
	others?: string;
	/** How many different results should be seen: those before `reach` (`expectedIn`), and what only other pages have shown. */
	expected: number;
	/** Creation time of the oldest new result that was seen and had to wait. It may have moved to a place that was read. */
	oldestLeft?: number;
	/** The service decides on the size of its pages. */
	ignoresSize?: boolean;
	/** Consecutive polls without progress. */
	stalled?: number;
	/** The service's count, and `listed`, when the reading began. */
	count?: number;
	listed?: number | null;
	/** The service's count at the time of the page that ends at `reach`. `undefined`: none that can be used. */
	countAtReach?: number;
}

export const freshCursor = (isBaseline: boolean): Cursor => ({
	known: '',
	...(isBaseline && { isBaseline }),
});

export const freshTimes = (isBaseline: boolean): Cursor => ({
	...freshCursor(isBaseline),
	times: { floor: null, listed: null, known: [] },
});

/** Results created at `from` or later are new (milliseconds since 1970). `null`: all are new. */
export const cursorFrom = (from: number | null): Cursor => ({
	...freshCursor(false),
	...(from === null && { seen: 0 }),
	times: { floor: from === null ? null : from - 1, listed: null, known: [] },
});

export const timeFromJson = (time: number | null | undefined) => time ?? -Infinity;
export const timeToJson = (time: number) => (time === -Infinity ? null : time);
