import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { FetchPage } from '../../nodes/shared/pagination/page';

export interface EntryModelOptions {
	seed: number;
	/** `fixed`: arbitrary but stable; `entered`: last entered first; `shuffled`: anew for each request. */
	order: 'newest' | 'oldest' | 'fixed' | 'entered' | 'shuffled';
	/** Largest page of the service. */
	cap: number;
	/** `ignored`: every page has `cap` results, whatever the request asked for. */
	sizes: 'given' | 'ignored';
	/** `count` in the responses. `capped`: at most 50. */
	count: 'told' | 'missing' | 'pageLength' | 'zero' | 'capped' | 'oneTooMany';
	pastTheEnd: 'empty' | 'notFound';
	/** `loose`: the list also holds invoices that the filter should leave out, as "paid" may match "unpaid". */
	filter: 'exact' | 'loose';
}

interface Invoice {
	id: string;
	made: number;
	/** Position in a list without an order. */
	rank: number;
	/** Serial number of its last entry; `undefined`: it does not have the watched status. */
	entered?: number;
}

/** A period in which an invoice had the watched status. Milliseconds since 1970. */
export interface Stay {
	id: string;
	from: number;
	to: number;
}

/** A list of the invoices that have the watched status. The test moves time on. */
export class EntryModel {
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Runs before each response. */
	beforeRequest: () => void = () => {};
	/** Duration of a request in milliseconds. */
	latency = 100;
	/** Number of requests that fail from now on. */
	failing = 0;
	/** Part of the list that the service fails to show. `some`: a lagging copy misses a tenth. */
	hidden: 'nothing' | 'some' | 'everything' = 'nothing';
	/** All stays, by start. */
	readonly stays: Stay[] = [];
	private readonly open = new Map<string, Stay>();
	private readonly invoices: Invoice[] = [];
	/** The list in order, once it has been read. */
	private list: Invoice[] | undefined;
	private readonly random: RandomGenerator;
	private entries = 0;

	constructor(readonly options: EntryModelOptions) {
		this.random = xoroshiro128plus(options.seed);
	}

	/** A whole number from `least` to `most`. */
	draw(least: number, most: number): number {
		return uniformInt(this.random, least, most);
	}

	chance(percent: number): boolean {
		return this.draw(1, 100) <= percent;
	}

	/** Adds an invoice that has another status. */
	add(): string {
		const made = this.invoices.length + 1;
		const invoice = {
			id: `invoice-${this.options.seed}-${made}`,
			made,
			rank: this.draw(0, 0x7fffffff),
		};
		this.invoices.push(invoice);
		this.insert(invoice);
		return invoice.id;
	}

	/** Gives an invoice the watched status. */
	enter(id: string): void {
		if (this.isIn(id)) return;
		this.change(id, (this.entries += 1));
		const stay = { id, from: this.now, to: Infinity };
		this.stays.push(stay);
		this.open.set(id, stay);
	}

	/** Takes the watched status from an invoice. */
	leave(id: string): void {
		const stay = this.open.get(id);
		if (!stay) return;
		stay.to = this.now;
		this.open.delete(id);
		this.change(id, undefined);
	}

	/** A random invoice with or without the watched status. */
	any(isIn: boolean): string | undefined {
		const some = this.invoices.filter(({ entered }) => (entered !== undefined) === isIn);
		return some.length ? some[this.draw(0, some.length - 1)].id : undefined;
	}

	isIn(id: string): boolean {
		return this.open.has(id);
	}

	get inList(): string[] {
		return [...this.open.keys()];
	}

	readonly fetchPage: FetchPage = async (page, size) => {
		this.requests += 1;
		this.beforeRequest();
		this.now += this.latency;
		const where = { method: 'GET', path: '/v1/invoices' };
		if (this.failing > 0) {
			this.failing -= 1;
			return { failure: { ...where, kind: 'status', status: 503 } };
		}
		const { cap, sizes, pastTheEnd } = this.options;
		const length = sizes === 'ignored' ? cap : Math.min(cap, size ?? 100);
		const all = this.shown();
		const results = all.slice((page - 1) * length, page * length);
		if (!results.length && page > 1 && pastTheEnd === 'notFound')
			return { failure: { ...where, kind: 'status', status: 404 } };
		return {
			page: {
				count: this.counted(all.length, results.length),
				next: page * length < all.length ? 'there is more' : null,
				results: results.map(({ id, entered }) => ({
					id,
					status: entered === undefined ? 'unpaid' : 'paid',
				})),
			},
		};
	};

	private change(id: string, entered: number | undefined): void {
		const invoice = this.invoices[Number(id.slice(id.lastIndexOf('-') + 1)) - 1];
		const index = this.list?.indexOf(invoice) ?? -1;
		if (index >= 0) this.list?.splice(index, 1);
		invoice.entered = entered;
		this.insert(invoice);
	}

	/** Sorting the list anew after each change would take most of a test's time. */
	private insert(invoice: Invoice): void {
		if (!this.list || !this.isListed(invoice)) return;
		const place = this.placeOf(invoice);
		let low = 0;
		let high = this.list.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.placeOf(this.list[middle]) < place) low = middle + 1;
			else high = middle;
		}
		this.list.splice(low, 0, invoice);
	}

	private isListed({ entered }: Invoice): boolean {
		return this.options.filter === 'loose' || entered !== undefined;
	}

	private placeOf({ made, rank, entered = 0 }: Invoice): number {
		switch (this.options.order) {
			case 'newest':
				return -made;
			case 'oldest':
				return made;
			case 'fixed':
				return rank;
			case 'entered':
				return -entered * 1e6 - made;
			case 'shuffled':
				return 0;
		}
	}

	private sorted(): Invoice[] {
		return this.invoices
			.filter((invoice) => this.isListed(invoice))
			.sort((a, b) => this.placeOf(a) - this.placeOf(b));
	}

	private shuffle(list: Invoice[]): void {
		for (let last = list.length - 1; last > 0; last--) {
			const other = this.draw(0, last);
			[list[last], list[other]] = [list[other], list[last]];
		}
	}

	private shown(): Invoice[] {
		if (this.hidden === 'everything') return [];
		const all = (this.list ??= this.sorted());
		if (this.options.order === 'shuffled') this.shuffle(all);
		return this.hidden === 'some' ? all.filter(({ rank }) => rank % 10 !== 0) : all;
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
				return Math.min(all, 50);
			case 'oneTooMany':
				return all + 1;
		}
	}
}
