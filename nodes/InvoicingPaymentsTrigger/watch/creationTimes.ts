import type { Result } from '../../shared/pagination/page';
import type { Times } from './cursor';
import { timeFromJson, timeToJson } from './cursor';
import type { IdHash } from './ids';
import { packSet, unpackIds } from './ids';
import type { KnownResults, SeenResults } from './known';

const isoFormat =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** In milliseconds since 1970. Reads ISO 8601, also in basic form (20260601T090000Z). A time without an offset is in UTC (spec 2.1). */
export function creationTimeOf(result: Result): number | undefined {
	if (!cachedTimes.has(result)) cachedTimes.set(result, readTime(result));
	return cachedTimes.get(result);
}

const cachedTimes = new WeakMap<Result, number | undefined>();

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

/** Results are remembered in groups, by creation time. A group spans this time (milliseconds). */
const groupLength = 15 * 60_000;

/** Known results created after the floor. */
export class RecentResults implements KnownResults {
	/** End of the result's group; NaN if it has no creation time. */
	private readonly untilById = new Map<IdHash, number>();
	knowsUndated: boolean;

	constructor({ known, undated }: Pick<Times, 'known' | 'undated'>) {
		for (const [until, ids] of known)
			for (const id of unpackIds(ids)) this.untilById.set(id, until);
		for (const id of unpackIds(undated ?? '')) this.untilById.set(id, NaN);
		this.knowsUndated = undated !== undefined;
	}

	get size(): number {
		return this.untilById.size;
	}

	get ids(): IdHash[] {
		return [...this.untilById.keys()];
	}

	has(id: IdHash): boolean {
		return this.untilById.has(id);
	}

	add(results: SeenResults): void {
		for (const [id, time] of results) this.untilById.set(id, groupEndOf(time));
	}

	/** A result whose creation time has become later is remembered for longer. */
	markSeen(results: SeenResults): void {
		for (const [id, time] of results) {
			const until = groupEndOf(time);
			if (until > (this.untilById.get(id) ?? Infinity)) this.untilById.set(id, until);
		}
	}

	countFrom(time: number): number {
		return [...this.untilById.values()].filter((until) => until > time).length;
	}

	forget(floor: number): void {
		for (const [id, until] of this.untilById) if (until <= floor) this.untilById.delete(id);
	}

	/** The floor that leaves `maxResults` results. -Infinity if there are fewer anyway, or if that floor is above `newest`. */
	floorFor(maxResults: number, newest: number): number {
		if (this.untilById.size <= maxResults) return -Infinity;
		const all = [...this.untilById.values()]
			.filter((until) => !Number.isNaN(until))
			.sort((a, b) => a - b);
		const floor = all.slice(0, Math.max(0, this.untilById.size - maxResults)).pop() ?? -Infinity;
		return floor <= newest ? floor : -Infinity;
	}

	save(): Pick<Times, 'known' | 'undated'> {
		const groups = new Map<number, IdHash[]>();
		for (const [id, until] of this.untilById) {
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

const groupEndOf = (time = NaN) => (Math.floor(time / groupLength) + 1) * groupLength;

interface ReadingResult {
	delivered: Array<number | undefined>;
	isAll: boolean;
	/** The reading went far enough back to find results that are listed late. */
	isDeep: boolean;
	/** The next `newest`, if `isAll`. */
	reached: number;
	/** Latest creation time in the list when the reading began. Results listed later are at most the look-back older. */
	horizon: number;
	slack: number;
	/** Results from this creation time on may be missing. */
	missingFrom: number;
}

/** How far a list was read, by creation time. Fields as in {@link Times}. The next poll reads from `newest` on. */
export class Position {
	floor: number;
	newest: number;
	listed: number;
	deep: Times['deep'];

	constructor({ floor, newest, listed, deep }: Times) {
		this.floor = timeFromJson(floor);
		this.newest = timeFromJson(newest);
		this.listed = timeFromJson(listed);
		this.deep = deep;
	}

	advance(
		{ delivered, isAll, isDeep, reached, horizon, slack, missingFrom }: ReadingResult,
		now: number,
	): void {
		const newestBefore = this.newest;
		const lastDelivered = Math.max(
			...delivered.map((time = -Infinity) => (time > now ? -Infinity : time)),
		);
		if (isAll) this.newest = Math.max(this.newest, reached);
		else if (lastDelivered > -Infinity) this.newest = lastDelivered - slack;
		this.newest = Math.min(this.newest, Math.max(newestBefore, missingFrom));
		if (isDeep && horizon > -Infinity) this.deep = { at: now, listed: horizon };
	}

	/** Results created before this time are too old to be listed late. */
	lookBackFloor(lookBack: number): number {
		const { listed = -Infinity } = this.deep ?? {};
		return Math.max(this.floor, Math.min(this.newest - 1, listed - lookBack));
	}

	/** Whether `newest` is older than any result that can still be listed late. */
	isFarBack(lookBack: number): boolean {
		return this.newest < (this.deep?.listed ?? -Infinity) - lookBack;
	}

	save(): Pick<Times, 'floor' | 'newest' | 'listed' | 'deep'> {
		return {
			floor: timeToJson(this.floor),
			newest: timeToJson(this.newest),
			listed: timeToJson(this.listed),
			...(this.deep && { deep: this.deep }),
		};
	}
}
