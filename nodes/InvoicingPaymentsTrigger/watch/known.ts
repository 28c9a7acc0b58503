import type { Cursor } from './cursor';
import type { IdHash } from './ids';
import { packIds, packSet, unpackIds } from './ids';

/** Time after which a missing entry is forgotten (milliseconds). Before that, readings may just have missed it. */
const forgetAfter = { sure: 15 * 60_000, unsure: 60 * 60_000, inParts: 24 * 3_600_000 };
type Certainty = keyof typeof forgetAfter;
/** If most entries leave at once, the service has probably made a mistake. */
const massForgetAfter = 24 * 3_600_000;
/** This many may leave at once without being most of the list. */
const maxDepartures = 10;

type KeptEntries = Pick<Cursor, 'known' | 'ordered' | 'missing'>;

export type SeenResults = Iterable<[id: IdHash, time: number | undefined]>;

export interface Known {
	readonly size: number;
	has(id: IdHash): boolean;
	add(results: SeenResults): void;
	see(results: SeenResults): void;
}

/** An entry that leaves the list and returns is new again. But a list may lag, so entries are not forgotten at once. */
export class WholeList implements Known {
	private readonly ids: Set<IdHash>;
	/** Entries that have left the list. `since`: milliseconds since 1970. */
	private readonly missing = new Map<IdHash, { since: number; isMass: boolean }>();
	/** The list when it was last read; empty if unknown. */
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

	addMissing(ids: Iterable<IdHash>, now: number): void {
		for (const id of ids) {
			if (!this.ids.has(id)) this.missing.set(id, { since: now, isMass: true });
			this.ids.add(id);
		}
	}

	/** Call it after a complete reading. */
	updateMissing(
		present: Pick<Set<IdHash>, 'has' | 'size'>,
		now: number,
		certainty: Certainty,
	): void {
		for (const id of this.ids) {
			const gone = this.missing.get(id);
			if (present.has(id)) this.missing.delete(id);
			// A clock that was set back must not prolong the wait.
			else
				this.missing.set(id, {
					since: Math.min(gone?.since ?? now, now),
					isMass: gone?.isMass ?? false,
				});
		}
		// `isMass` stays true if the list comes back slowly, or fills with other entries.
		if (present.size === 0 || this.missing.size > Math.max(maxDepartures, this.ids.size / 2))
			for (const gone of this.missing.values()) gone.isMass = true;
		for (const [id, { since, isMass }] of this.missing) {
			if (now - since < (isMass ? massForgetAfter : forgetAfter[certainty])) continue;
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
		// An entry that was not delivered yet is in the list, but not known.
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
