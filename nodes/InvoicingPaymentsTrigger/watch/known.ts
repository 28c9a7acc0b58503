import type { Cursor } from './cursor';
import type { IdHash } from './ids';
import { packIds, packSet, unpackIds } from './ids';

/**
 * For how long an entry has to be out of the list before it counts as one that left (milliseconds), by how certain it is that a
 * reading has seen everything: pages that do not overlap may miss something, all the more if they are read minutes apart.
 */
const patience = { sure: 15 * 60_000, unsure: 60 * 60_000, inParts: 24 * 3_600_000 };
export type Certainty = keyof typeof patience;
/** The same where most entries are gone at once, which is more likely the service's mistake. */
const longPatience = 24 * 3_600_000;
/** So few may leave at once, as long as others stay. */
const few = 10;

type KeptEntries = Pick<Cursor, 'known' | 'ordered' | 'missing'>;

/** Results by what they are remembered by, and when they were made (milliseconds since 1970), where they say so. */
export type SeenResults = Iterable<[id: IdHash, time: number | undefined]>;

/** Which results are not new. */
export interface Known {
	readonly size: number;
	has(id: IdHash): boolean;
	/** Notes what is not new. */
	add(results: SeenResults): void;
	/** Notes what is in the list, of whatever part of it was read. */
	see(results: SeenResults): void;
}

/**
 * Which results are not new, where only their being in the list tells. One that left the list is forgotten, so that it starts the workflow again when it comes back; but not
 * at once: a list may lag, or be empty by mistake.
 */
export class WholeList implements Known {
	private readonly ids: Set<IdHash>;
	/** What is not in the list, since when (milliseconds since 1970), and whether most of the list was gone with it. */
	private readonly missing = new Map<IdHash, { since: number; isMass: boolean }>();
	/** The list as it was last seen; empty where that is not known. */
	order: IdHash[];

	constructor({ known, ordered = 0, missing = [] }: KeptEntries) {
		const ids = unpackIds(known);
		this.ids = new Set(ids);
		this.order = ids.slice(0, ordered);
		for (const { since, isMass = false, ids: gone } of missing)
			for (const id of unpackIds(gone)) this.missing.set(id, { since, isMass });
	}

	get size(): number {
		return this.ids.size;
	}

	has(id: IdHash): boolean {
		return this.ids.has(id);
	}

	add(results: SeenResults): void {
		for (const [id] of results) this.ids.add(id);
	}

	see(results: SeenResults): void {
		for (const [id] of results) this.missing.delete(id);
	}

	/** Adds what is not in the list, and may be when it is read right. `now`: milliseconds since 1970. */
	addMissing(ids: Iterable<IdHash>, now: number): void {
		for (const id of ids) {
			if (!this.ids.has(id)) this.missing.set(id, { since: now, isMass: true });
			this.ids.add(id);
		}
	}

	/** Notes what a whole reading has found. `now`: milliseconds since 1970. */
	settle(present: Pick<Set<IdHash>, 'has' | 'size'>, now: number, certainty: Certainty): void {
		for (const id of this.ids) {
			const gone = this.missing.get(id);
			if (present.has(id)) this.missing.delete(id);
			// A clock that was set back must not make them wait for longer.
			else
				this.missing.set(id, {
					since: Math.min(gone?.since ?? now, now),
					isMass: gone?.isMass ?? false,
				});
		}
		// It stays one when the list comes back little by little, or fills with others.
		if (present.size === 0 || this.missing.size > Math.max(few, this.ids.size / 2))
			for (const gone of this.missing.values()) gone.isMass = true;
		for (const [id, { since, isMass }] of this.missing) {
			if (now - since < (isMass ? longPatience : patience[certainty])) continue;
			this.missing.delete(id);
			this.ids.delete(id);
		}
	}

	save(): KeptEntries {
		const groups = new Map<string, { since: number; isMass: boolean; ids: IdHash[] }>();
		for (const [id, { since, isMass }] of this.missing) {
			const key = `${since} ${isMass}`;
			const group = groups.get(key) ?? { since, isMass, ids: [] };
			group.ids.push(id);
			groups.set(key, group);
		}
		const missing = [...groups.values()].map(({ since, isMass, ids }) => ({
			since,
			...(isMass && { isMass }),
			ids: packSet(ids),
		}));
		// What waits for the next poll stands in the list and is not known.
		const order = this.order.every((id) => this.ids.has(id)) ? this.order : [];
		const { length: ordered } = order;
		const others = new Set(this.ids);
		for (const id of order) others.delete(id);
		return {
			known: packIds([...order, ...[...others].sort((a, b) => a - b)]),
			...(ordered > 0 && { ordered }),
			...(missing.length > 0 && { missing }),
		};
	}
}
