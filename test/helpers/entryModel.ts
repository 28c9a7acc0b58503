import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { FetchPage } from '../../nodes/shared/pagination/page';

export interface EntryModelOptions {
	seed: number;
	/** `fixed`: any order that stays; `entered`: what entered last comes first; `shuffled`: anew for each request. */
	order: 'newest' | 'oldest' | 'fixed' | 'entered' | 'shuffled';
	/** The largest page that the service gives. */
	cap: number;
	/** `ignored`: every page has `cap` results, whatever was asked for. */
	sizes: 'given' | 'ignored';
	/** What the service says of the number of results. `capped`: 50 at most. */
	count: 'told' | 'missing' | 'pageLength' | 'zero' | 'capped' | 'oneTooMany';
	pastTheEnd: 'empty' | 'notFound';
	/** What the list holds besides what the filter asks for: "paid" may match "unpaid". */
	filter: 'exact' | 'loose';
}

/** An invoice as the model keeps it. */
interface Kept {
	id: string;
	made: number;
	/** Place in a list without an order. */
	rank: number;
	/** When it got the status that is watched; `undefined`: it does not have it. */
	entered?: number;
}

/** A time in which an invoice had the status that is watched. Milliseconds since 1970. */
export interface Stay {
	id: string;
	from: number;
	to: number;
}

/** Invoices of which some have the status that is watched. Time is the test's. */
export class EntryModel {
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Called before every request is answered. */
	beforeRequest: () => void = () => {};
	/** How long a request takes, in milliseconds. */
	latency = 100;
	/** The next request fails. */
	failing = 0;
	/** What the list does not show although it is there: nothing, a part of it that a lagging copy does not have, or everything. */
	hidden: 'nothing' | 'some' | 'everything' = 'nothing';
	/** All times in which an invoice had the status, in the order of their beginnings. */
	readonly stays: Stay[] = [];
	private readonly open = new Map<string, Stay>();
	private readonly kept: Kept[] = [];
	private listed: Kept[] | undefined;
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
		const made = this.kept.length + 1;
		const id = `invoice-${this.options.seed}-${made}`;
		this.kept.push({ id, made, rank: this.draw(0, 0x7fffffff) });
		this.listed = undefined;
		return id;
	}

	/** An invoice gets the status. */
	enter(id: string): void {
		const one = this.find(id);
		if (one.entered !== undefined) return;
		one.entered = this.entries += 1;
		const stay = { id, from: this.now, to: Infinity };
		this.stays.push(stay);
		this.open.set(id, stay);
		this.listed = undefined;
	}

	/** An invoice loses the status. */
	leave(id: string): void {
		const stay = this.open.get(id);
		if (!stay) return;
		stay.to = this.now;
		this.open.delete(id);
		this.find(id).entered = undefined;
		this.listed = undefined;
	}

	/** How many results of the list come before an invoice. */
	placeOf(id: string): number {
		return this.list().findIndex((one) => one.id === id);
	}

	/** Forgets the invoice that was added last, as if it had never been there. */
	discard(id: string): void {
		this.open.delete(id);
		this.stays.pop();
		this.kept.pop();
		this.listed = undefined;
	}

	/** Any invoice that has the status, or has not. */
	any(isIn: boolean): string | undefined {
		const some = this.kept.filter(({ entered }) => (entered !== undefined) === isIn);
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

	private find(id: string): Kept {
		return this.kept[Number(id.slice(id.lastIndexOf('-') + 1)) - 1];
	}

	private list(): Kept[] {
		const { order, filter } = this.options;
		if (order === 'shuffled' || !this.listed) {
			const isLoose = filter === 'loose';
			const some = this.kept.filter(({ entered }) => isLoose || entered !== undefined);
			const by: Record<typeof order, (one: Kept) => number> = {
				newest: ({ made }) => -made,
				oldest: ({ made }) => made,
				fixed: ({ rank }) => rank,
				entered: ({ entered = 0, made }) => -entered * 1e6 - made,
				shuffled: () => this.draw(0, 0x7fffffff),
			};
			this.listed = some
				.map((one) => ({ one, place: by[order](one) }))
				.sort((a, b) => a.place - b.place)
				.map(({ one }) => one);
		}
		return this.listed;
	}

	private shown(): Kept[] {
		if (this.hidden === 'everything') return [];
		const all = this.list();
		return this.hidden === 'some' ? all.filter(({ rank }) => rank % 10 !== 0) : all;
	}

	private counted(all: number, length: number): number | undefined {
		const told = { told: all, pageLength: length, zero: 0, capped: Math.min(all, 50) };
		return { ...told, oneTooMany: all + 1, missing: undefined }[this.options.count];
	}
}
