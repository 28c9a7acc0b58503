import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ListModel } from './listModel';
import type { ListOptions } from './listModel';

/** A charge as the service lists it (spec 2.10). Any field may be missing. */
export type Charge = Record<string, unknown>;

/** `grouped`: as if by status, and newest first within each group. */
export type ListOrder = 'newestFirst' | 'oldestFirst' | 'grouped' | 'none';

export interface ModelOptions extends ListOptions {
	order: ListOrder;
	/** Order of charges of the same moment. `perPage`: shuffled, the same way for each page and size; `perRequest`: shuffled anew. */
	timestampTies?: 'stable' | 'perPage' | 'perRequest';
	/** Precision of `created` in milliseconds. Charges of the same moment have a random order. */
	granularity: number;
	/** Milliseconds by which the clock of the service is ahead. */
	skew: number;
	/** n: every n-th charge has no date. 0: all have one. */
	undatedEvery: number;
}

interface Entry {
	id: string;
	time: number;
	/** Position among charges of the same moment, or in a list without an order. */
	rank: number;
	/** When it was added to the list. */
	made: number;
	isDated: boolean;
	/** As the list shows it. */
	charge?: Charge;
}

/** Most are in the first group. */
const groupOf = ({ rank }: Entry) => (rank % 100 < 85 ? 0 : 1);

const chargeOf = ({ id, time, isDated }: Entry): Charge => ({
	id,
	...(isDated && { created: new Date(time).toISOString() }),
});

/** A list of charges. */
export class ChargeModel extends ListModel<ModelOptions> {
	protected readonly path = '/v1/charges';
	protected readonly cappedCount = 100;
	/** Milliseconds by which the server that responds to a request lags. */
	lagging: (request: number) => number = () => 0;
	private entries: Entry[] = [];
	private made = 0;
	private newest = 0;

	/** Rounds down to the precision of the service. */
	rounded(time: number): number {
		const { granularity } = this.options;
		return Math.floor(time / granularity) * granularity;
	}

	/** Adds a charge from this many milliseconds ago. */
	add(ago = 0): { id: string; time: number; isLate: boolean } {
		const { skew, undatedEvery } = this.options;
		const entry: Entry = {
			id: `charge-${this.options.seed}-${(this.made += 1)}`,
			time: this.rounded(this.now + skew - ago),
			rank: this.draw(0, 0x7fffffff),
			made: this.now,
			isDated: undatedEvery === 0 || this.made % undatedEvery !== 0,
		};
		this.newest = Math.max(this.newest, entry.time);
		this.entries.splice(this.placeOf(entry), 0, entry);
		return { ...entry, isLate: entry.time < this.newest };
	}

	/** Starts with this many charges, `apart` milliseconds apart. */
	fill(count: number, apart: number, perMoment = 1): void {
		const entries = Array.from(
			{ length: count },
			(_, index): Entry => ({
				id: `charge-${this.options.seed}-${index + 1}`,
				time: this.rounded(this.now - (count - index + (index % perMoment)) * apart),
				rank: index,
				made: 0,
				isDated: true,
			}),
		);
		this.made = count;
		this.entries = this.options.order === 'newestFirst' ? entries.reverse() : entries;
	}

	remove(id: string): void {
		this.entries = this.entries.filter((entry) => entry.id !== id);
	}

	get listed(): string[] {
		return this.entries.map(({ id }) => id);
	}

	protected read(start: number, end: number, page: number) {
		const copy = this.copy();
		const results = this.shown(copy, start, end, page);
		return {
			all: copy.length,
			results: results.map((entry) => (entry.charge ??= chargeOf(entry))),
		};
	}

	/** The list as the server that responds has it. */
	private copy(): Entry[] {
		const lag = this.lagging(this.requests);
		return lag ? this.entries.filter(({ made }) => made <= this.now - lag) : this.entries;
	}

	/** A slice of the list. Charges of the same moment may appear in any order. */
	private shown(copy: Entry[], start: number, end: number, page: number): Entry[] {
		const { timestampTies = 'stable', order, seed } = this.options;
		if (timestampTies === 'stable' || order === 'none') return copy.slice(start, end);
		// Similar seeds give similar first numbers.
		const draw = Math.imul(timestampTies === 'perPage' ? page : this.requests, 0x9e3779b1);
		const random = xoroshiro128plus(draw ^ seed);
		for (let warm = 0; warm < 8; warm++) random.next();
		const isSame = (a: number, b: number) => this.entries[a]?.time === this.entries[b]?.time;
		let from = Math.min(start, this.entries.length);
		while (from > 0 && isSame(from - 1, from)) from -= 1;
		const shown: Entry[] = [];
		for (let at = from; at < Math.min(end, this.entries.length); at = from + shown.length) {
			let next = at + 1;
			while (next < this.entries.length && isSame(at, next)) next += 1;
			const group = this.entries.slice(at, next);
			for (let last = group.length - 1; last > 0; last--) {
				const other = uniformInt(random, 0, last);
				[group[last], group[other]] = [group[other], group[last]];
			}
			shown.push(...group);
		}
		return shown.slice(start - from, end - from);
	}

	private placeOf(entry: Entry): number {
		const compare = {
			newestFirst: (a: Entry, b: Entry) => b.time - a.time || a.rank - b.rank,
			oldestFirst: (a: Entry, b: Entry) => a.time - b.time || a.rank - b.rank,
			grouped: (a: Entry, b: Entry) =>
				groupOf(a) - groupOf(b) || b.time - a.time || a.rank - b.rank,
			none: (a: Entry, b: Entry) => a.rank - b.rank,
		}[this.options.order];
		let low = 0;
		let high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (compare(this.entries[middle], entry) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
