import type { Cursor } from '../watch/cursor';

/** State of a trigger between polls, in n8n's static data. */
export interface Memory {
	version: 1;
	/** n8n saves it together with the execution. */
	isDurable: boolean;
	/** Node ID and name. n8n keys static data by name, which can change or pass to another node. */
	node: string;
	name: string;
	saves: number;
	/** Hashes of settings: event and start, service, filters. */
	start: string;
	service: string;
	filters: string;
	/** Hash of the API key, if only the list shows what is new. */
	account?: string;
	/** When the list was last read, by this machine's clock. */
	lookedAt: number;
	cursor: Cursor;
	/** Checksum of the cursor. */
	check?: string;
}

/** Settings that the state belongs to. */
export type Scope = Pick<Memory, 'start' | 'service' | 'filters' | 'account'>;

/** Identifies one version of the state. */
export type MemoryVersion = Pick<Memory, 'saves' | 'lookedAt'>;

/** Whether both were left by the same poll. */
export function isSameVersion(
	one: MemoryVersion | undefined,
	other: MemoryVersion | undefined,
): boolean {
	return one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;
}
