import type { Times } from './cursor';
import { fromJson, toJson } from './cursor';

interface ReadingResult {
	/** Creation times. */
	delivered: Array<number | undefined>;
	isAll: boolean;
	isDeep: boolean;
	/** If nothing was left, everything listed and created up to this time is known. */
	reached: number;
	/** Latest creation time listed for certain at the start. What is listed later is at most the look-back older. */
	horizon: number;
	slack: number;
	/** Results created at this time or later may not have been seen. */
	upTo: number;
}

/**
 * How far a list was read, by creation time (milliseconds since 1970). Everything listed before `newest` is known,
 * and nothing up to `floor` is new. Elsewhere `newest` is called the start value, and the range between the two the
 * look-back window.
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

	/** Updates after a reading without gaps. `now`: this machine's clock. */
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

	/** Whether what is new is so far back that nothing can be listed late there. */
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
