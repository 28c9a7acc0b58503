import type { Times } from './cursor';
import { fromJson, toJson } from './cursor';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { Known, SeenResults } from './known';

type Result = Record<string, unknown>;

const isoFormat =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Creation time in milliseconds since 1970; `undefined` if there is none. Any date and time of ISO 8601, extended
 * (2026-06-01T09:00:00Z) or basic (20260601T090000Z), with any offset and precision. Without an offset it is UTC
 * (spec 2.1).
 */
export function timeOf(result: Result): number | undefined {
	if (!times.has(result)) times.set(result, readTime(result));
	return times.get(result);
}

/** Cached, because results are compared with many others. */
const times = new WeakMap<Result, number | undefined>();

function readTime({ created }: Result): number | undefined {
	const match = typeof created === 'string' ? isoFormat.exec(created.trim()) : null;
	if (!match) return undefined;
	const [year, month, day, hours, minutes, seconds] = match
		.slice(1, 7)
		.map((part) => Number(part ?? 0));
	const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
	// A day that does not exist moves to the next month.
	const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
	const isMidnight = hours === 24 && minutes + seconds + milliseconds === 0;
	const isTime = (hours < 24 || isMidnight) && minutes < 60 && seconds <= 60;
	if (!isDay || !isTime) return undefined;
	const time = Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds);
	return time - offsetOf(match[8] ?? 'Z');
}

/** Milliseconds ahead of UTC, e.g. of +05:30. */
function offsetOf(offset: string): number {
	const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	if (!sign) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

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
