import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { FetchPage, Page } from '../../../nodes/shared/pagination/page';
import { failed, ok } from '../../../nodes/shared/result';

/**
 * A list of the service, as it may be: in any order, in pages of any length, with a wrong count, while it changes. It holds charges, which
 * have a date and are new once, or invoices, which get and lose the status that is watched. The test moves time on.
 */
export interface ListOptions {
	kind: 'charges' | 'invoices';
	seed: number;
	/** `grouped`: as if by status, and newest first within each group; `entered`: last entered first; `shuffled`: anew for each request. */
	order: 'newestFirst' | 'oldestFirst' | 'grouped' | 'none' | 'entered' | 'shuffled';
	/** Largest page of the service. */
	cap: number;
	/** `ignored`: every page has `cap` results, whatever the request asked for. */
	sizes: 'given' | 'ignored';
	/** `count` in the responses. `capped`: at most 100 charges or 50 invoices. */
	count: 'told' | 'missing' | 'pageLength' | 'zero' | 'capped' | 'oneTooMany';
	pastTheEnd: 'empty' | 'notFound';
	/** Rows that the service lists twice (and counts twice), or leaves out of pages after it has cut them (but counts). */
	rows?: 'twice' | 'dropped';
	/** Percent of steps before which the clock of n8n is set back by an hour or three. */
	setBack?: number;
	/** The service refuses pages beyond `most` results with `status`. */
	depth?: { most: number; status: number };
	/** Order of charges of the same moment. `perPage`: shuffled, the same way for each page and size; `perRequest`: shuffled anew. */
	timestampTies?: 'stable' | 'perPage' | 'perRequest';
	/** Precision of `created` in milliseconds. Charges of the same moment have a random order. */
	granularity?: number;
	/** Milliseconds by which the clock of the service is ahead. */
	skew?: number;
	/** `loose`: the list also holds invoices that the filter should leave out, as "paid" may match "unpaid". */
	filter?: 'exact' | 'loose';
}

/** An honest service. */
const honest = {
	seed: 1,
	cap: 100,
	sizes: 'given',
	count: 'told',
	pastTheEnd: 'empty',
	timestampTies: 'stable',
	granularity: 1,
	skew: 0,
	filter: 'exact',
} as const;

/** As the service lists it (spec 2.10). Any field may be missing. */
export type Listed = Record<string, unknown>;

/** A period in which something was in the list. Milliseconds since 1970. */
export interface Stay {
	id: string;
	from: number;
	to: number;
}

interface Row {
	id: string;
	/** Serial number. */
	made: number;
	/** What the list is sorted by: the date of a charge, the serial number of an invoice. */
	time: number;
	/** Position among rows of the same time, or in a list without an order. */
	rank: number;
	/** Serial number of its last entry; `undefined`: it does not have the watched status. */
	entered?: number;
	addedAt: number;
	stay?: Stay;
	/** As the list shows it. */
	shown?: Listed;
}

/** Most are in the first group. */
const groupOf = ({ rank }: Row) => (rank % 100 < 85 ? 0 : 1);

const orders: Record<ListOptions['order'], (a: Row, b: Row) => number> = {
	newestFirst: (a, b) => b.time - a.time || a.rank - b.rank,
	oldestFirst: (a, b) => a.time - b.time || a.rank - b.rank,
	grouped: (a, b) => groupOf(a) - groupOf(b) || b.time - a.time || a.rank - b.rank,
	none: (a, b) => a.rank - b.rank,
	entered: (a, b) => (b.entered ?? 0) - (a.entered ?? 0) || b.made - a.made,
	shuffled: () => 0,
};

/** Number of rows before the extra one of `rows`. */
const extraRow = 8;

/** Whether the trigger of such a list starts for a result. */
export const isEntryOf =
	(kind: ListOptions['kind']) =>
	({ status }: Listed): boolean =>
		kind === 'charges' || status === 'paid';

/** Milliseconds until a poll that begins now should end. */
export function leftOf(list: { readonly now: number }, time: number): () => number {
	const until = list.now + time;
	return () => until - list.now;
}

export class List {
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Runs before each response. */
	beforeRequest: () => void = () => {};
	/** Duration of a request in milliseconds. */
	latency = 100;
	/** Number of requests that fail from now on. */
	failing = 0;
	/** Milliseconds by which the server that responds to a request lags. */
	lagging: (request: number) => number = () => 0;
	/** Part of the list that the service fails to show. `some`: a lagging copy misses a tenth. */
	hidden: 'nothing' | 'some' | 'everything' = 'nothing';
	/** Number of charges, or of invoices that have the watched status. */
	length = 0;
	/** All stays but those of `fill`, by start. */
	readonly stays: Stay[] = [];
	readonly options: Required<Pick<ListOptions, keyof typeof honest>> & ListOptions;
	private readonly rows: Row[] = [];
	/** The list in order, once it has been read. Sorting it anew after each change would take most of a test's time. */
	private sorted: Row[] | undefined;
	private entries = 0;
	private newest = 0;
	/** Milliseconds by which n8n's clock is behind. */
	private behind = 0;
	private readonly random: RandomGenerator;

	constructor(options: Pick<ListOptions, 'kind' | 'order'> & Partial<ListOptions>) {
		this.options = { ...honest, ...options };
		this.random = xoroshiro128plus(this.options.seed);
	}

	/** A whole number from `least` to `most`. */
	draw(least: number, most: number): number {
		return uniformInt(this.random, least, most);
	}

	chance(percent: number): boolean {
		return this.draw(1, 100) <= percent;
	}

	/** The time on n8n's clock. */
	readonly machineTime = (): number => this.now - this.behind;

	/** Sets the clock of n8n back, perhaps. */
	setBack(): void {
		if (this.chance(this.options.setBack ?? 0))
			this.behind += this.draw(0, 1) ? 3_600_000 : 3 * 3_600_000;
	}

	/** Rounds down to the precision of the service. */
	rounded(time: number): number {
		const { granularity } = this.options;
		return Math.floor(time / granularity) * granularity;
	}

	/** Adds a charge from this many milliseconds ago, or an invoice that has another status. */
	add(ago = 0): { id: string; time: number; isLate: boolean } {
		const { kind, seed, skew } = this.options;
		const made = this.rows.length + 1;
		const isCharge = kind === 'charges';
		const row: Row = {
			id: `${isCharge ? 'charge' : 'invoice'}-${seed}-${made}`,
			made,
			time: isCharge ? this.rounded(this.now + skew - ago) : made,
			rank: this.draw(0, 0x7fffffff),
			addedAt: this.now,
		};
		this.rows.push(row);
		this.newest = Math.max(this.newest, row.time);
		if (isCharge) this.enter(row.id);
		else this.insert(row);
		return { id: row.id, time: row.time, isLate: row.time < this.newest };
	}

	/** Starts with this many charges, `apart` milliseconds apart. */
	fill(count: number, apart: number): void {
		for (let made = 1; made <= count; made++) {
			const id = `charge-${this.options.seed}-${made}`;
			const time = this.rounded(this.now - (count - made + 1) * apart);
			this.rows.push({ id, made, time, rank: made, entered: made, addedAt: 0 });
		}
		this.entries = count;
		this.length = count;
	}

	/** Adds charges, or invoices that are paid, each `apart` milliseconds after the previous one. Gives their IDs. */
	pay(count = 1, apart = 1000): string[] {
		return Array.from({ length: count }, () => {
			this.now += apart;
			const { id } = this.add();
			this.enter(id);
			return id;
		});
	}

	/** Gives an invoice the watched status. */
	enter(id: string): void {
		const row = this.rowOf(id);
		if (!row || this.isIn(id)) return;
		this.change(row, (this.entries += 1));
		row.stay = { id, from: this.now, to: Infinity };
		this.stays.push(row.stay);
		this.length += 1;
	}

	/** Takes the watched status from an invoice, or removes a charge. */
	leave(id: string): void {
		const row = this.rowOf(id);
		if (!row || !this.isIn(id)) return;
		if (row.stay) row.stay.to = this.now;
		this.change(row, undefined);
		this.length -= 1;
	}

	/** A random invoice with or without the watched status. */
	any(isIn: boolean): string | undefined {
		const some = this.rows.filter(({ entered }) => (entered !== undefined) === isIn);
		return some.length ? some[this.draw(0, some.length - 1)].id : undefined;
	}

	isIn(id: string): boolean {
		return this.rowOf(id)?.entered !== undefined;
	}

	/** The IDs in the order of the list. */
	get listed(): string[] {
		return this.inOrder().map(({ id }) => id);
	}

	/** All IDs, oldest first, of a list that is sorted. */
	get byAge(): string[] {
		return this.options.order === 'newestFirst' ? this.listed.reverse() : this.listed;
	}

	readonly fetchPage: FetchPage = async (page, size) => {
		this.requests += 1;
		this.beforeRequest();
		this.now += this.latency;
		const path = `/v1/${this.options.kind}`;
		const refuse = (status: number) =>
			failed({ kind: 'status' as const, status, method: 'GET', path });
		if (this.failing > 0) {
			this.failing -= 1;
			return refuse(503);
		}
		const { cap, sizes, pastTheEnd, depth } = this.options;
		const length = sizes === 'ignored' ? cap : Math.min(cap, size ?? 100);
		if (depth && page * length > depth.most) return refuse(depth.status);
		const { all, results } = this.withExtraRow((page - 1) * length, page * length, page, length);
		if (!results.length && page > 1 && pastTheEnd === 'notFound') return refuse(404);
		const next = page * length < all ? 'there is more' : null;
		return ok({ count: this.counted(all, results.length), next, results });
	};

	/** `all`: length of the list; `results`: a slice of it. The extra row is a copy of the row before it, or hidden. */
	private withExtraRow(start: number, end: number, page: number, size: number) {
		const read = (from: number, to: number): { all: number; results: Page['results'] } => {
			const shown = this.shown();
			const some = this.slice(shown, from, to, page * 1000 + size);
			return { all: shown.length, results: some.map((row) => this.resultOf(row)) };
		};
		const { rows } = this.options;
		if (rows === undefined) return read(start, end);
		const first = start > extraRow ? start - 1 : start;
		const { all, results } = read(first, end > extraRow ? end - 1 : end);
		if (all < extraRow) return read(start, end);
		const at = extraRow - start;
		if (rows === 'dropped' || at < 0 || end <= extraRow) return { all: all + 1, results };
		const copy = at > 0 ? results.slice(at - 1, at) : read(first - 1, first).results;
		return { all: all + 1, results: [...results.slice(0, at), ...copy, ...results.slice(at)] };
	}

	private resultOf(row: Row): Listed {
		if (this.options.kind === 'invoices')
			return { id: row.id, status: row.entered === undefined ? 'unpaid' : 'paid' };
		return (row.shown ??= { id: row.id, created: new Date(row.time).toISOString() });
	}

	private counted(all: number, length: number): number | undefined {
		switch (this.options.count) {
			case 'told':
				return all;
			case 'missing':
				return undefined;
			case 'pageLength':
				return length;
			case 'zero':
				return 0;
			case 'capped':
				return Math.min(all, this.options.kind === 'charges' ? 100 : 50);
			case 'oneTooMany':
				return all + 1;
		}
	}

	private rowOf(id: string): Row | undefined {
		return this.rows[Number(id.slice(id.lastIndexOf('-') + 1)) - 1];
	}

	private change(row: Row, entered: number | undefined): void {
		if (this.sorted && this.isListed(row)) this.sorted.splice(this.sorted.indexOf(row), 1);
		row.entered = entered;
		this.insert(row);
	}

	private insert(row: Row): void {
		if (!this.sorted || !this.isListed(row)) return;
		const compare = orders[this.options.order];
		let low = 0;
		let high = this.sorted.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (compare(this.sorted[middle], row) < 0) low = middle + 1;
			else high = middle;
		}
		this.sorted.splice(low, 0, row);
	}

	private isListed({ entered }: Row): boolean {
		return this.options.filter === 'loose' || entered !== undefined;
	}

	private inOrder(): Row[] {
		const compare = orders[this.options.order];
		return (this.sorted ??= this.rows.filter((row) => this.isListed(row)).sort(compare));
	}

	/** The list as the server that responds has it. */
	private shown(): Row[] {
		if (this.hidden === 'everything') return [];
		const all = this.inOrder();
		if (this.options.order === 'shuffled') shuffle(all, (last) => this.draw(0, last));
		if (this.hidden === 'some') return all.filter(({ rank }) => rank % 10 !== 0);
		const lag = this.lagging(this.requests);
		return lag ? all.filter(({ addedAt }) => addedAt <= this.now - lag) : all;
	}

	/** Charges of the same moment may appear in any order. `page` identifies the page and its size. */
	private slice(rows: Row[], start: number, end: number, page: number): Row[] {
		const { timestampTies, order, seed } = this.options;
		if (timestampTies === 'stable' || order === 'none') return rows.slice(start, end);
		// Similar seeds give similar first numbers.
		const draw = Math.imul(timestampTies === 'perPage' ? page : this.requests, 0x9e3779b1);
		const random = xoroshiro128plus(draw ^ seed);
		for (let warm = 0; warm < 8; warm++) random.next();
		const isSame = (a: number, b: number) => rows[a]?.time === rows[b]?.time;
		let from = Math.min(start, rows.length);
		while (from > 0 && isSame(from - 1, from)) from -= 1;
		const some: Row[] = [];
		for (let at = from; at < Math.min(end, rows.length); at = from + some.length) {
			let next = at + 1;
			while (next < rows.length && isSame(at, next)) next += 1;
			const group = rows.slice(at, next);
			shuffle(group, (last) => uniformInt(random, 0, last));
			some.push(...group);
		}
		return some.slice(start - from, end - from);
	}
}

function shuffle<T>(values: T[], drawTo: (last: number) => number): void {
	for (let last = values.length - 1; last > 0; last--) {
		const other = drawTo(last);
		[values[last], values[other]] = [values[other], values[last]];
	}
}
