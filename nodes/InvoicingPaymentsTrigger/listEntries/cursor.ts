/**
 * What is kept from one poll to the next. Plain JSON: eight characters for each entry of the list, and little more. Times are
 * milliseconds since 1970, by this machine's clock. IDs are packed by `packIds`.
 */
export interface EntryCursor {
	/** Tells it from the cursor of New Charge. */
	kind: 'entries';
	/** What was in the list when it was last read, was delivered, or is not to be. */
	known: string;
	/** So many of them, from the first, stand as they stand in the list. */
	ordered?: number;
	/** Those of them that are not in the list any more, by when that was first seen. `isMass`: most of the list was gone with them. */
	missing?: Array<{ since: number; isMass?: boolean; ids: string }>;
	/** The list has not been read whole yet: what is in it is not new. */
	isBaseline?: boolean;
	/** Then, what was made after this is new all the same (milliseconds since 1970; `null`: everything). */
	after?: number | null;
	/** What was known under another API key: whether it is the same account shows when the list has been read. */
	before?: string;
	/** How many results the list had when it was as it is known; `undefined`: unknown. */
	seen?: number;
	/** The IDs on page 1 at that time. */
	first?: string;
	/** When the list was last read whole, where that is not done in every poll. */
	wholeAt?: number;
	/** The day on which that was, where what belongs to the event goes by the day. */
	day?: string;
	/** The list has become shorter since, which it is not urgent to look into. */
	isStale?: boolean;
	/** How many whole readings in a row did not find as many results as the service counts. */
	miscounts?: number;
	/** New entries were left for the next poll. */
	hasMore?: boolean;
	/** How far a whole reading came that did not fit into one poll. */
	reading?: StoredReading;
}

export interface StoredReading {
	/** How many results were asked for in one request. */
	pageSize: number;
	/** The day on which it began, where what belongs to the event goes by the day. */
	day?: string;
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
export const freshCursor = (isBaseline: boolean): EntryCursor => ({
	kind: 'entries',
	known: '',
	...(isBaseline && { isBaseline }),
});

/** Whether it was kept as it was saved. */
export function isEntryCursor(value: unknown): value is EntryCursor {
	if (typeof value !== 'object' || value === null) return false;
	const { kind, known, missing = [], reading } = value as Partial<EntryCursor>;
	return (
		kind === 'entries' &&
		typeof known === 'string' &&
		Array.isArray(missing) &&
		(reading === undefined || Array.isArray(reading.pages))
	);
}
