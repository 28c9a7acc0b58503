import { keyOf } from '../common/identity';
import type { Charge } from './charge';
import { timeOf } from './charge';

export type Direction = 'newestFirst' | 'oldestFirst' | 'none';

/** What is known of the order in which the service lists charges. Plain JSON. */
export interface Order {
	/** `none`: it contradicted itself once, which is enough for ever. */
	direction?: Direction;
	/** How many neighbours in one reading agreed with it, at most. */
	agreed: number;
	/** In how many of {@link places} the list was looked at. */
	sampled?: number;
	/** Whether the list was looked at in several places as well. */
	isTrusted: boolean;
}

/** A page of three that is sorted by ID looks newest first one time in six; fifty neighbours do not agree by chance. */
const enough = 50;

/** Parts of the list that must agree as well. */
const places = [0.25, 0.5, 0.75, 1];

/** Observes the order of the list (spec 4.8: not shown), never assumes it. */
export class OrderWatch {
	private agreedInReading = 0;

	private order: Order;

	constructor(order: Order) {
		this.order = { ...order };
	}

	/** As it is to be kept. */
	get known(): Order {
		return { ...this.order };
	}

	get direction(): Direction | undefined {
		return this.order.direction;
	}

	get isTrusted(): boolean {
		return this.order.isTrusted;
	}

	get hasEnough(): boolean {
		return this.order.agreed >= enough;
	}

	/** From here on neighbours count anew: the same page seen in every poll proves no more than once. */
	begin(): void {
		this.agreedInReading = 0;
	}

	/**
	 * A page, and the one read before it: what both hold counts once. Only neighbours on one page tell the order, because between two
	 * pages the list may move.
	 */
	add(results: Charge[], before: Charge[] = []): void {
		const seen = new Set(before.map(keyOf));
		results.forEach((charge, at) => {
			if (timeOf(charge) === undefined) this.giveUp();
			else if (at > 0 && !seen.has(keyOf(charge))) this.compare(results[at - 1], charge);
		});
	}

	/** A page from somewhere further on: its neighbours, and how it lies to one from before it. */
	sample(results: Charge[], earlier: Charge[]): void {
		this.begin();
		this.add(results);
		if (results.length && earlier.length) this.compare(earlier[earlier.length - 1], results[0]);
		this.order.sampled = (this.order.sampled ?? 0) + 1;
		if (this.nextPlace !== undefined || this.direction === 'none') return;
		this.order = { ...this.order, isTrusted: true, sampled: undefined };
	}

	/** Where to look next, as a part of the list; `undefined`: everywhere has been looked at. */
	get nextPlace(): number | undefined {
		return this.isTrusted ? undefined : places[this.order.sampled ?? 0];
	}

	giveUp(): void {
		this.order = { ...this.order, direction: 'none', isTrusted: false };
	}

	private compare(a: Charge, b: Charge): void {
		const difference = (timeOf(a) ?? NaN) - (timeOf(b) ?? NaN);
		// Charges of the same moment come in any order.
		if (!difference) return;
		const direction = difference > 0 ? 'newestFirst' : 'oldestFirst';
		this.order.direction ??= direction;
		if (this.order.direction !== direction) return this.giveUp();
		this.agreedInReading += 1;
		this.order.agreed = Math.min(enough, Math.max(this.order.agreed, this.agreedInReading));
	}
}
