import type { Times } from './cursor';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { Known, SeenResults } from './known';

/** Remembered results are grouped by creation time, in steps of this (milliseconds). */
const step = 15 * 60_000;

/** Known results created after the floor. */
export class Recent implements Known {
	/** Latest possible creation time of each; NaN if it has none. */
	private readonly until = new Map<IdHash, number>();
	knowsUndated: boolean;

	constructor({ known, undated }: Pick<Times, 'known' | 'undated'>) {
		for (const [until, ids] of known) for (const id of unpackIds(ids)) this.until.set(id, until);
		for (const id of unpackIds(undated ?? '')) this.until.set(id, NaN);
		this.knowsUndated = undated !== undefined;
	}

	get size(): number {
		return this.until.size;
	}

	get ids(): IdHash[] {
		return [...this.until.keys()];
	}

	has(id: IdHash): boolean {
		return this.until.has(id);
	}

	add(results: SeenResults): void {
		for (const [id, time] of results) this.until.set(id, untilOf(time));
	}

	/** If a result gets a later date, it is remembered for longer. */
	see(results: SeenResults): void {
		for (const [id, time] of results) {
			const until = untilOf(time);
			if (until > (this.until.get(id) ?? Infinity)) this.until.set(id, until);
		}
	}

	countFrom(time: number): number {
		return [...this.until.values()].filter((until) => until > time).length;
	}

	forget(floor: number): void {
		for (const [id, until] of this.until) if (until <= floor) this.until.delete(id);
	}

	/** The floor above which `maxResults` results remain. -Infinity: there is room, or it would be above `newest`. */
	makeRoom(maxResults: number, newest: number): number {
		if (this.until.size <= maxResults) return -Infinity;
		const all = [...this.until.values()]
			.filter((until) => !Number.isNaN(until))
			.sort((a, b) => a - b);
		const floor = all.slice(0, Math.max(0, this.until.size - maxResults)).pop() ?? -Infinity;
		return floor <= newest ? floor : -Infinity;
	}

	save(): Pick<Times, 'known' | 'undated'> {
		const groups = new Map<number, IdHash[]>();
		for (const [id, until] of this.until) {
			const ids = groups.get(until) ?? [];
			groups.set(until, ids);
			ids.push(id);
		}
		const undated = groups.get(NaN) ?? [];
		groups.delete(NaN);
		const sorted = [...groups].sort(([a], [b]) => a - b);
		return {
			known: sorted.map(([until, ids]) => [until, packSet(ids)]),
			...(this.knowsUndated && { undated: packSet(undated) }),
		};
	}
}

const untilOf = (time = NaN) => (Math.floor(time / step) + 1) * step;
