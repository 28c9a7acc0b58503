import type { FetchPage, Result } from '../../shared/pagination/page';
import type { Outcome } from '../../shared/result';
import type { Cursor } from './cursor';

export interface WatchTask {
	fetchPage: FetchPage;
	/** Whether a result matches the event. The service may ignore a filter, and list others. */
	isEntry: (result: Result) => boolean;
	/** Only if the ID is not enough to identify a result. */
	keyOf?: (result: Result) => string;
	/** Only if `isEntry` depends on the day. */
	today?: string;
	notes?: string[];
	/** E.g. "invoices". */
	noun: string;
	settings: WatchSettings;
	concurrency: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Milliseconds until the poll should end. Every poll makes a few requests, even after that. */
	left: () => number;
	/** Milliseconds since the last poll, if known. */
	interval?: number;
}

interface WatchSettings {
	maxEntries: number;
	pageSize: number;
	/** How late a result may be listed (milliseconds), if creation times show what is new. */
	lookBack: number;
}

export interface PollResult {
	/** Oldest first if creation times show what is new, otherwise in list order. */
	entries: Result[];
	/** The same object as before if there is nothing to save. */
	cursor: Cursor;
	/** For n8n's log. */
	notes: string[];
}

/** New entries to deliver, and what to remember. */
export interface Found {
	entries: Result[];
	cursor: Cursor;
}

/** The list is not what the cursor says: search once more with another one. */
interface StartOver {
	from: Cursor;
	/** To see what a first reading may have missed. */
	isSecond?: boolean;
}

export type SearchOutcome = Outcome<Found, StartOver>;
