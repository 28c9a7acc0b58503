import { ListModel } from './listModel';
import type { ListOptions } from './listModel';

export interface EntryModelOptions extends ListOptions {
	/** `fixed`: arbitrary but stable; `entered`: last entered first; `shuffled`: anew for each request. */
	order: 'newest' | 'oldest' | 'fixed' | 'entered' | 'shuffled';
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
export class EntryModel extends ListModel<EntryModelOptions> {
	protected readonly path = '/v1/invoices';
	protected readonly cappedCount = 50;
	/** Part of the list that the service fails to show. `some`: a lagging copy misses a tenth. */
	hidden: 'nothing' | 'some' | 'everything' = 'nothing';
	/** All stays, by start. */
	readonly stays: Stay[] = [];
	private readonly open = new Map<string, Stay>();
	private readonly invoices: Invoice[] = [];
	/** The list in order, once it has been read. */
	private list: Invoice[] | undefined;
	private entries = 0;

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

	protected read(start: number, end: number) {
		const all = this.shown();
		const results = all.slice(start, end).map(({ id, entered }) => ({
			id,
			status: entered === undefined ? 'unpaid' : 'paid',
		}));
		return { all: all.length, results };
	}

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
}
