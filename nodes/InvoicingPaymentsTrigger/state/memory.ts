import type { Cursor } from '../watch/cursor';

/** What the trigger remembers from one poll to the next, in n8n's static data. */
export interface Memory {
	version: 1;
	/** Whether n8n keeps it together with the execution. */
	isDurable: boolean;
	/** ID and name of the node: n8n keys static data by the name, which can change and pass to another node. */
	node: string;
	name: string;
	/** How often it was saved: what is newer has a higher number. */
	saves: number;
	/** Hashes of what the user asks for: which event and where to begin, of which service, with which filters. */
	start: string;
	service: string;
	filters: string;
	/** A hash of the API key, for events of which only the list tells what is new. */
	account?: string;
	/** When the list was last read, by this machine's clock. */
	lookedAt: number;
	cursor: Cursor;
	/** Tells whether the cursor is as it was saved. */
	check?: string;
}

/** What a memory is good for. */
export type Scope = Pick<Memory, 'start' | 'service' | 'filters' | 'account'>;

/** What tells one state of a memory from another. */
export type Saved = Pick<Memory, 'saves' | 'lookedAt'>;

/** Whether both are what one poll has left. */
export function isSame(one: Saved | undefined, other: Saved | undefined): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}
