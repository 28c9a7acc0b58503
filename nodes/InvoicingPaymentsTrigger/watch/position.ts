import type { Times } from './cursor';
import { fromJson, toJson } from './cursor';

/** How a reading ended. */
interface Ending {
	/** When what was delivered was made. */
	delivered: Array<number | undefined>;
	/** Nothing that is new was left. */
	isAll: boolean;
	/** It went down to the floor. */
	isDeep: boolean;
	/** Everything that was made up to this and was listed is known now, if nothing was left. */
	reached: number;
	/** What had been listed for certain when it began: whatever is listed later is at most the look-back older. */
	horizon: number;
	/** How far single results stand from where they belong, in milliseconds. */
	slack: number;
	/** What was made at this moment or later may not have been seen. */
	upTo: number;
}

/**
 * How far a list has been read, by when its results were made (milliseconds since 1970). Everything that was listed and made before
 * `newest` is known, and nothing made up to `floor` is new. The field calls the first the start value, and what lies between the
 * two the look-back window.
 */
export class Position {
	floor: number;
	newest: number;
	/** When the newest result was made that any poll has seen. One in the future must not make everything else look old. */
	listed: number;
	deep: Times['deep'];

	constructor({ floor, newest, listed, deep }: Times) {
		this.floor = fromJson(floor);
		this.newest = fromJson(newest);
		this.listed = fromJson(listed);
		this.deep = deep;
	}

	/** Notes a reading in which no page was missed. `now`: of this machine's clock. */
	settle({ delivered, isAll, isDeep, reached, horizon, slack, upTo }: Ending, now: number): void {
		const before = this.newest;
		const last = Math.max(...delivered.map((time = -Infinity) => (time > now ? -Infinity : time)));
		if (isAll) this.newest = Math.max(this.newest, reached);
		else if (last > -Infinity) this.newest = last - slack;
		this.newest = Math.min(this.newest, Math.max(before, upTo));
		if (isDeep && horizon > -Infinity) this.deep = { at: now, listed: horizon };
	}

	/** Nothing new can be listed late that was made up to this, as far as what was read can be relied on. */
	depth(lookBack: number): number {
		const { listed = -Infinity } = this.deep ?? {};
		return Math.max(this.floor, Math.min(this.newest - 1, listed - lookBack));
	}

	/** Whether what is new lies so far back that nothing which is listed late can lie there. */
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
