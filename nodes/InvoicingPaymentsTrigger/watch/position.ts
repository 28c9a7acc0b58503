import type { Times } from './cursor';
import { fromJson, toJson } from './cursor';

interface ReadingResult {
	/** Creation times of the delivered results. */
	delivered: Array<number | undefined>;
	/** Nothing was left for the next poll. */
	isAll: boolean;
	/** The reading went down to the depth that late results need. */
	isDeep: boolean;
	/** The new start value if `isAll`. */
	reached: number;
	/** Latest creation time known to be listed when the reading began. What was listed later is at most the look-back older. */
	horizon: number;
	/** How far creation times may be out of order (milliseconds). */
	slack: number;
	/** Results created at this time or later may not have been seen. */
	upTo: number;
}

/**
 * How far a list was read, by creation time (milliseconds since 1970): see {@link Times}. `newest` is the start value.
 */
export class Position {
	floor: number;
	newest: number;
	/** Latest creation time seen by any poll. Future times are left out, or everything else would look old. */
	listed: number;
	deep: Times['deep'];

	constructor({ floor, newest, listed, deep }: Times) {
		this.floor = fromJson(floor);
		this.newest = fromJson(newest);
		this.listed = fromJson(listed);
		this.deep = deep;
	}

	/** Advances the start value after a reading, but not past a gap. `now`: this machine's clock. */
	settle(
		{ delivered, isAll, isDeep, reached, horizon, slack, upTo }: ReadingResult,
		now: number,
	): void {
		const before = this.newest;
		const last = Math.max(...delivered.map((time = -Infinity) => (time > now ? -Infinity : time)));
		if (isAll) this.newest = Math.max(this.newest, reached);
		else if (last > -Infinity) this.newest = last - slack;
		this.newest = Math.min(this.newest, Math.max(before, upTo));
		if (isDeep && horizon > -Infinity) this.deep = { at: now, listed: horizon };
	}

	/** Nothing created up to this time can be listed late. */
	depth(lookBack: number): number {
		const { listed = -Infinity } = this.deep ?? {};
		return Math.max(this.floor, Math.min(this.newest - 1, listed - lookBack));
	}

	/** Whether the start value is older than any result that can still be listed late. */
	isFarBack(lookBack: number): boolean {
		return this.newest < (this.deep?.listed ?? -Infinity) - lookBack;
	}

	save(): Pick<Times, 'floor' | 'newest' | 'listed' | 'deep'> {
		return {
			floor: toJson(this.floor),
			newest: toJson(this.newest),
			listed: toJson(this.listed),
			...(this.deep && { deep: this.deep }),
		};
	}
}
