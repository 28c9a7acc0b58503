import type { FetchPage } from '../../shared/pagination/page';
import { Budget } from '../common/budget';
import { keyOf } from '../common/identity';
import type { EntryCursor } from './cursor';
import type { IdHash } from './ids';
import { timeOf } from '../newCharges/charge';
import { KnownEntries } from './known';
import type { Entry, EntryPages, EntrySearch } from './pages';

export interface EntrySettings {
	/** How many entries one poll delivers at most. */
	maxEntries: number;
	/** How many results to ask for in one request. */
	pageSize: number;
}

export interface EntryTask {
	fetchPage: FetchPage;
	/** Whether a result belongs to the event: the service decides what its filters match. */
	isEntry: (result: Entry) => boolean;
	/** What tells a result from others, where that is more than its identity. */
	keyOf?: (result: Entry) => string;
	/** The day that it is, where `isEntry` goes by it. */
	today?: string;
	/** What the administrator of n8n should know of the results. */
	notes?: string[];
	/** What the list holds, as errors call it: "invoices". */
	noun: string;
	settings: EntrySettings;
	/** How many pages may be read at a time. */
	concurrency: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** When the poll is to be over; it makes a few requests in any case. */
	until: number;
	/** How long ago the last poll was, in milliseconds, as far as it is known. */
	interval?: number;
}

export interface FoundEntries {
	/** In the order of the list. */
	entries: Entry[];
	cursor: EntryCursor;
	/** What the administrator of n8n should know. */
	notes: string[];
}

/** How a poll ended, or with which cursor everything is to be read anew. */
export type Outcome =
	| Pick<FoundEntries, 'entries' | 'cursor'>
	| { again: EntryCursor; isConfirmed?: boolean };

/** What one poll works with. */
export interface EntryPoll {
	task: EntryTask;
	cursor: EntryCursor;
	known: KnownEntries;
	search: EntrySearch;
	/** When it began (milliseconds since 1970). */
	begin: number;
	/** {@link FoundEntries.notes} */
	notes: string[];
	/** Whether what is in the list is not new. */
	isBaseline: boolean;
	/** Whether the list is read for a second time, because a first reading may have missed something. */
	isConfirmed: boolean;
	/** Whether the service's count has been wrong too often. */
	ignoresCount: boolean;
}

/** Lists of so few pages are read whole in every poll. */
export const smallPages = 5;
/** After so many miscounts in a row the count is not believed. */
export const mostMiscounts = 3;

export const wrongCount =
	"The service's count does not match its list, so the count is ignored from now on: what enters in the middle of a long list is found within 15 minutes.";

export function openPoll(
	task: EntryTask,
	cursor: EntryCursor,
	{ notes, isConfirmed }: Pick<EntryPoll, 'notes' | 'isConfirmed'>,
): EntryPoll {
	const { now, until, settings, fetchPage, isEntry, concurrency } = task;
	const known = new KnownEntries(cursor);
	const isBaseline = cursor.isBaseline === true;
	const { after } = cursor;
	const isAfter = (result: Entry) =>
		after !== undefined && (timeOf(result) ?? -Infinity) > (after ?? -Infinity);
	const ignoresCount = (cursor.miscounts ?? 0) >= mostMiscounts;
	const search: EntrySearch = {
		fetchPage,
		budget: new Budget(now, until),
		pageSize: settings.pageSize,
		isEntry,
		keyOf: task.keyOf ?? keyOf,
		isNew: (id, result) => !known.has(id) && (!isBaseline || isAfter(result)),
		mostEntries: settings.maxEntries,
		ignoresCount,
		concurrency,
	};
	const begin = now();
	return { task, cursor, known, search, begin, notes, isBaseline, isConfirmed, ignoresCount };
}

/** Takes what is delivered out of what was found: `waiting` is what is left. */
export function deliver(
	{ known, task }: EntryPoll,
	{ found, seenNow }: EntryPages,
): { entries: Entry[]; waiting: Set<IdHash> } {
	const sorted = [...found].sort(([, a], [, b]) => a.place - b.place);
	const { maxEntries } = task.settings;
	const taken = sorted.slice(0, maxEntries);
	known.see(seenNow);
	known.add(taken.map(([id]) => id));
	return {
		entries: taken.map(([, { entry }]) => entry),
		waiting: new Set(sorted.slice(maxEntries).map(([id]) => id)),
	};
}
