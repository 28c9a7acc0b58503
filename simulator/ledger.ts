import type { Settings } from './settings';

/** An order that says nothing about time, the same on every run. */
function scatter(ref: number): number {
	const once = Math.imul(ref ^ (ref >>> 16), 0x45d9f3b);
	const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
	return (twice ^ (twice >>> 16)) >>> 0;
}

/** Puts refs into the order of their ranks. */
function sortBy(refs: number[], rankOf: (ref: number) => number): number[] {
	const ranked = refs.map((ref) => ({ ref, rank: rankOf(ref) }));
	return ranked.sort((a, b) => a.rank - b.rank).map(({ ref }) => ref);
}

/** Which page of a list is asked for, and how the list is to behave. */
export interface Listing {
	order: Settings['order'];
	equalMoments: Settings['equalMoments'];
	/** Names the filter, so that it runs once per change. */
	filterKey: string;
	matches: (ref: number) => boolean;
	/** What the list does not show yet: asked anew for every page. */
	isHidden?: (ref: number) => boolean;
	page: number;
	pageSize: number;
}

/**
 * Which objects a list holds and in which order, as numbers ("refs"): a page of a list of a million charges is cut without
 * making a million charges.
 */
export class Ledger {
	private readonly byTime: number[];
	/** The same in an order that says nothing about time; made when it is first asked for. */
	private scattered: number[] | undefined;
	private readonly matching = new Map<string, readonly number[]>();
	private pagesCut = 0;

	/** `createdOf` gives the milliseconds at which a ref was made; refs 0 to count-1 have to come newest first. */
	constructor(
		count: number,
		private readonly createdOf: (ref: number) => number,
	) {
		this.byTime = Array.from({ length: count }, (_, ref) => ref);
	}

	add(ref: number): void {
		insert(this.byTime, ref, (other) => this.createdOf(other) <= this.createdOf(ref));
		if (this.scattered) insert(this.scattered, ref, (other) => scatter(other) >= scatter(ref));
		this.matching.clear();
	}

	/** Whether the list held the ref. */
	remove(ref: number): boolean {
		if (!this.byTime.includes(ref)) return false;
		for (const refs of [this.byTime, this.scattered]) refs?.splice(refs.indexOf(ref), 1);
		this.matching.clear();
		return true;
	}

	/** What matched a filter may not match it any more. */
	changed(): void {
		this.matching.clear();
	}

	/** The refs of one page and the number of all that match and are shown. */
	page(listing: Listing): { count: number; refs: number[] } {
		const { order, equalMoments, filterKey, matches, isHidden, page, pageSize } = listing;
		this.pagesCut += 1;
		const selected = this.select(order === 'none', filterKey, matches);
		const all = isHidden ? selected.filter((ref) => !isHidden(ref)) : selected;
		const count = all.length;
		const from = Math.min((page - 1) * pageSize, count);
		const to = Math.min(page * pageSize, count);
		const [start, end] = order === 'oldestFirst' ? [count - to, count - from] : [from, to];
		const key =
			equalMoments === 'perPage' ? scatter(page) ^ scatter(~pageSize) : scatter(this.pagesCut);
		const refs =
			order === 'none' || equalMoments === 'stable'
				? all.slice(start, end)
				: this.reordered(all, start, end, key);
		return { count, refs: order === 'oldestFirst' ? refs.reverse() : refs };
	}

	/** `all.slice(start, end)`, had those made at the same moment been put into another order, which `key` chooses, before. */
	private reordered(all: readonly number[], start: number, end: number, key: number): number[] {
		const rank = (ref: number) => scatter(ref ^ key);
		const refs: number[] = [];
		for (let at = start; at < end; at = start + refs.length) {
			const moment = this.createdOf(all[at]);
			let first = at;
			let next = at + 1;
			while (first > 0 && this.createdOf(all[first - 1]) === moment) first -= 1;
			while (next < all.length && this.createdOf(all[next]) === moment) next += 1;
			const group = sortBy(all.slice(first, next), rank);
			for (const ref of group.slice(at - first, end - first)) refs.push(ref);
		}
		return refs;
	}

	private select(unordered: boolean, filterKey: string, matches: (ref: number) => boolean) {
		if (unordered) this.scattered ??= sortBy(this.byTime, scatter);
		const source = (unordered && this.scattered) || this.byTime;
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
