import type { EntryCursor } from './cursor';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';

/** For how long an entry has to be out of the list before it counts as one that left (milliseconds). */
export const patience = 15 * 60_000;
/** The same where pages of the list do not overlap, so that a reading may have missed it. */
export const unsurePatience = 60 * 60_000;
/** The same where most entries are gone at once, which is more likely the service's mistake. */
export const longPatience = 24 * 3_600_000;
/** So few may leave at once in any case. */
const few = 10;

/**
 * Which entries are not new. One that left the list is forgotten, so that it starts the workflow again when it comes back; but not
 * at once: a list may lag, or be empty by mistake.
 */
export class KnownEntries {
	private readonly ids: Set<IdHash>;
	private readonly missing: Map<IdHash, number>;

	constructor({ known, missing = [] }: Pick<EntryCursor, 'known' | 'missing'>) {
		this.ids = new Set(unpackIds(known));
		this.missing = new Map(
			missing.flatMap(({ since, ids }) => unpackIds(ids).map((id) => [id, since])),
		);
	}

	get size(): number {
		return this.ids.size;
	}

	has(id: IdHash): boolean {
		return this.ids.has(id);
	}

	add(ids: Iterable<IdHash>): void {
		for (const id of ids) this.ids.add(id);
	}

	/** Notes what a whole reading has found. `now`: milliseconds since 1970; `isSure`: it cannot have missed anything. */
	settle(present: Set<IdHash>, now: number, isSure: boolean): void {
		for (const id of this.ids) {
			if (present.has(id)) this.missing.delete(id);
			// A clock that was set back must not make them wait for longer.
			else this.missing.set(id, Math.min(this.missing.get(id) ?? now, now));
		}
		const isMass = this.missing.size > Math.max(few, this.ids.size / 2);
		const least = isMass ? longPatience : isSure ? patience : unsurePatience;
		for (const [id, since] of this.missing) {
			if (now - since < least) continue;
			this.missing.delete(id);
			this.ids.delete(id);
		}
	}

	save(): Pick<EntryCursor, 'known' | 'missing'> {
		const groups = new Map<number, IdHash[]>();
		for (const [id, since] of this.missing) {
			if (!groups.has(since)) groups.set(since, []);
			groups.get(since)?.push(id);
		}
		const missing = [...groups].map(([since, ids]) => ({ since, ids: packSet(ids) }));
		return { known: packSet(this.ids), ...(missing.length > 0 && { missing }) };
	}
}
