import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';

/** What a poll has left open. Judges read the state of a watch here alone, so that it may keep it otherwise. */
export interface Progress {
	/** What was there when the workflow was published is known. */
	isBegun: boolean;
	/** The list, or what is new in it, was read in part, and the next poll goes on. */
	isOpen: boolean;
	/** When the whole list was last read (this machine's clock). `undefined`: each poll reads it. */
	wholeAt?: number;
	/** So much has left at once that it may be a mistake of the service. */
	mayBeMistaken: boolean;
	/** Polls find what is new by its creation time, so that it comes oldest first. */
	isOldestFirst: boolean;
}

export function progressOf(cursor: Cursor): Progress {
	const { isBaseline, reading, hasMore, wholeAt, missing = [], ignoresCount, times } = cursor;
	return {
		isBegun: !isBaseline,
		isOpen: reading !== undefined || hasMore === true,
		wholeAt,
		mayBeMistaken: missing.some(({ isBatch }) => isBatch),
		isOldestFirst: !reading && !ignoresCount && times?.order?.direction !== 'none' && !times?.gaps,
	};
}
