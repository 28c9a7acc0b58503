import type { Charge, Dated } from './charge';
import { dated } from './charge';
import type { Cursor } from './cursor';
import { fromJson, pack, toJson, unpack } from './cursor';

/** How many charges are remembered; beyond that the look-back becomes shorter. */
export const maxKnown = 2000;
/** How many of those that cannot be forgotten. */
const maxNotForgotten = 20_000;
const maxUndated = 5000;

/** It cannot go on without losing charges or delivering some twice. */
export class TooMany extends Error {}

/** How a poll ended. */
export interface Delivery {
	delivered: Dated[];
	/** Nothing that is new was left. */
	isAll: boolean;
	/**
	 * Where all charges down to the floor were looked at: until when charges had been listed before that began. One that is
	 * listed later is at most the look-back older than this.
	 */
	readFrom?: number;
	/** Only a part of the list was read, and not in its order. */
	isPart?: boolean;
	/** When the oldest charges were made of which some may not have been seen: they are looked for again. */
	unsettled?: number;
}

/** Which charges are new. */
export class Position {
	newest: number;
	floor: number;
	seen: number;
	readonly known: Map<string, number>;
	undated: Set<string> | undefined;

	constructor(cursor: Cursor) {
		this.newest = fromJson(cursor.newest);
		this.floor = fromJson(cursor.floor);
		this.seen = fromJson(cursor.seen);
		this.known = unpack(cursor.known);
		this.undated = cursor.undated ? new Set(cursor.undated) : undefined;
	}

	/** The charges of a page that are new. */
	newOf(charges: Charge[]): Dated[] {
		return charges.map(dated).filter(({ time, hash }) => {
			const known = this.known.get(hash);
			// One that loses its date, or gets one, stays the same.
			const isOld = known !== undefined || this.undated?.has(hash) === true;
			if (time === undefined) return this.undated !== undefined && !isOld;
			// One that was given a later date is remembered as long as that date counts.
			if (known !== undefined && time > known) this.known.set(hash, time);
			return time > this.floor && !isOld;
		});
	}

	/**
	 * Notes what was delivered. The floor only rises after a reading that went down to it, and never above what was looked at.
	 * Throws {@link TooMany}. Returns whether charges had to be forgotten for want of room.
	 */
	settle(
		{ delivered, isAll, readFrom, isPart = false, unsettled = Infinity }: Delivery,
		{ now, lookBack, listed }: { now: number; lookBack: number; listed: number },
	): boolean {
		for (const { time, hash } of delivered) {
			if (time !== undefined) this.known.set(hash, time);
			else (this.undated ??= new Set()).add(hash);
		}
		const times = delivered.map(({ time }) => time ?? -Infinity).filter((time) => time <= now);
		const last = Math.max(...times);
		const before = this.newest;
		if (isAll && !isPart) this.newest = Math.max(this.newest, listed);
		else if (isAll && readFrom !== undefined) this.newest = Math.max(this.newest, readFrom);
		else if (!isPart && last > -Infinity) this.newest = last;
		this.newest = Math.min(this.newest, Math.max(before, unsettled));
		if (readFrom !== undefined && (isAll || last > -Infinity)) {
			const upTo = Math.min(isAll ? this.newest : last, readFrom, unsettled);
			this.raiseFloor(upTo - lookBack);
		}
		this.seen = Math.max(this.seen, listed);
		return this.makeRoom(isPart, this.newest);
	}

	/** Notes that these are not new, and that nothing up to `floor` is. `newest`: when the newest of all was made. */
	note(charges: Dated[], floor: number, newest: number): void {
		this.undated ??= new Set();
		for (const { time, hash } of charges) {
			if (time === undefined) this.undated.add(hash);
			else if (time > floor) this.known.set(hash, time);
		}
		this.raiseFloor(floor);
		this.makeRoom(false, newest);
	}

	/** How many known charges a reading down to this time meets. */
	knownFrom(time: number): number {
		return [...this.known.values()].filter((one) => one >= time).length;
	}

	private raiseFloor(to: number): void {
		this.floor = Math.max(this.floor, to);
		for (const [hash, time] of this.known) if (time <= this.floor) this.known.delete(hash);
	}

	/** Forgets the oldest by raising the floor above them, but none made at `newest` or later. Returns whether it did. */
	private makeRoom(isPart: boolean, newest: number): boolean {
		if ((this.undated?.size ?? 0) > maxUndated) {
			throw new TooMany(
				`More than ${maxUndated} charges have no creation date, so new ones cannot be told from old ones. Narrow the filters`,
			);
		}
		if (isPart && this.known.size > maxNotForgotten) {
			throw new TooMany(
				'The service lists charges in no order, and too many to read at once. Narrow the filters',
			);
		}
		if (isPart || this.known.size <= maxKnown) return false;
		const floor = [...this.known.values()]
			.sort((a, b) => a - b)
			.slice(0, -maxKnown)
			.filter((time) => time < newest)
			.pop();
		if (floor !== undefined) this.raiseFloor(floor);
		return floor !== undefined;
	}

	save(
		rest: Pick<
			Cursor,
			| 'order'
			| 'hasOwnSizes'
			| 'hasWrongCount'
			| 'deepAt'
			| 'deepFrom'
			| 'hasMore'
			| 'counted'
			| 'backlog'
			| 'scan'
			| 'unsettled'
		>,
	): Cursor {
		return {
			newest: toJson(this.newest),
			floor: toJson(this.floor),
			seen: toJson(this.seen),
			known: pack(this.known),
			// In an order that is trusted every charge says when it was made.
			undated: this.undated ? [...this.undated] : rest.order.isTrusted ? [] : null,
			order: rest.order,
			...(rest.hasOwnSizes && { hasOwnSizes: true }),
			...(rest.hasWrongCount && { hasWrongCount: true }),
			...(rest.deepAt !== undefined && { deepAt: rest.deepAt }),
			...(rest.deepFrom !== undefined && { deepFrom: rest.deepFrom }),
			...(rest.counted && { counted: rest.counted }),
			...(rest.hasMore && { hasMore: true }),
			...(rest.backlog && { backlog: rest.backlog }),
			...(rest.scan && { scan: rest.scan }),
			...(rest.unsettled && { unsettled: rest.unsettled }),
		};
	}
}
