import type { Settings } from './settings';

/** An order that says nothing about time, the same on every run. */
function scatter(ref: number): number {
	const once = Math.imul(ref ^ (ref >>> 16), 0x45d9f3b);
	const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
	return (twice ^ (twice >>> 16)) >>> 0;
}

/**
 * Which objects a list holds and in which order, as numbers ("refs"): a page of a list of a million charges is cut without
 * making a million charges.
 */
export class Ledger {
	private readonly byTime: number[];
	private readonly scattered: number[];
	private readonly matching = new Map<string, readonly number[]>();

	/** `createdOf` gives the milliseconds at which a ref was made; refs 0 to count-1 have to come newest first. */
	constructor(
		count: number,
		private readonly createdOf: (ref: number) => number,
	) {
		this.byTime = Array.from({ length: count }, (_, ref) => ref);
		this.scattered = [...this.byTime].sort((a, b) => scatter(a) - scatter(b));
	}

	add(ref: number): void {
		insert(this.byTime, ref, (other) => this.createdOf(other) <= this.createdOf(ref));
		insert(this.scattered, ref, (other) => scatter(other) >= scatter(ref));
		this.matching.clear();
	}

	/** Whether the list held the ref. */
	remove(ref: number): boolean {
		if (!this.byTime.includes(ref)) return false;
		for (const refs of [this.byTime, this.scattered]) refs.splice(refs.indexOf(ref), 1);
		this.matching.clear();
		return true;
	}

	/** The refs of one page and the number of all that match. `filterKey` names the filter, so that it runs once per change. */
	page(
		order: Settings['order'],
		filterKey: string,
		matches: (ref: number) => boolean,
		page: number,
		pageSize: number,
	): { count: number; refs: number[] } {
		const all = this.select(order === 'none', filterKey, matches);
		const last = all.length - 1;
		const refs: number[] = [];
		for (let at = (page - 1) * pageSize; at < page * pageSize && at <= last; at++) {
			refs.push(all[order === 'oldestFirst' ? last - at : at]);
		}
		return { count: all.length, refs };
	}

	private select(unordered: boolean, filterKey: string, matches: (ref: number) => boolean) {
		const source = unordered ? this.scattered : this.byTime;
		if (filterKey === '') return source;
		const key = `${unordered} ${filterKey}`;
		const known = this.matching.get(key) ?? source.filter(matches);
		this.matching.set(key, known);
		return known;
	}
}

/** Inserts before the first element for which `isAfter` holds; the list has to be sorted by it. */
function insert(refs: number[], ref: number, isAfter: (other: number) => boolean): void {
	let low = 0;
	let high = refs.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (isAfter(refs[middle])) high = middle;
		else low = middle + 1;
	}
	refs.splice(low, 0, ref);
}
