import type { Settings } from './settings';

/** A pseudo-random order, the same on every run. */
function scatter(ref: number): number {
	const once = Math.imul(ref ^ (ref >>> 16), 0x45d9f3b);
	const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
	return (twice ^ (twice >>> 16)) >>> 0;
}

function sortBy(refs: number[], rankOf: (ref: number) => number): number[] {
	const ranked = refs.map((ref) => ({ ref, rank: rankOf(ref) }));
	return ranked.sort((a, b) => a.rank - b.rank).map(({ ref }) => ref);
}

export interface Listing {
	order: Settings['order'];
	timestampTies: Settings['timestampTies'];
	/** Identifies the filter. Its results are cached until the list changes. */
	filterKey: string;
	matches: (ref: number) => boolean;
	isHidden?: (ref: number) => boolean;
	page: number;
	pageSize: number;
}

/** A list as numbers ("refs"): a page of a million charges takes no million objects. */
export class Ledger {
	private readonly byTime: number[];
	// In pseudo-random order, on demand.
	private scattered: number[] | undefined;
	private readonly matching = new Map<string, readonly number[]>();
	private pagesCut = 0;

	/** `createdOf`: milliseconds since 1970. Refs 0 to `count` - 1 must be newest first. */
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

	/** Returns whether the list had the ref. */
	remove(ref: number): boolean {
		if (!this.byTime.includes(ref)) return false;
		for (const refs of [this.byTime, this.scattered]) refs?.splice(refs.indexOf(ref), 1);
		this.matching.clear();
		return true;
	}

	/** Call it if filters may match other refs now. */
	changed(): void {
		this.matching.clear();
	}

	page(listing: Listing): { count: number; refs: number[] } {
		const { order, timestampTies, filterKey, matches, isHidden, page, pageSize } = listing;
		this.pagesCut += 1;
		const selected = this.select(order === 'none', filterKey, matches);
		const all = isHidden ? selected.filter((ref) => !isHidden(ref)) : selected;
		const count = all.length;
		const from = Math.min((page - 1) * pageSize, count);
		const to = Math.min(page * pageSize, count);
		const [start, end] = order === 'oldestFirst' ? [count - to, count - from] : [from, to];
		const key =
			timestampTies === 'perPage' ? scatter(page) ^ scatter(~pageSize) : scatter(this.pagesCut);
		const refs =
			order === 'none' || timestampTies === 'stable'
				? all.slice(start, end)
				: this.reordered(all, start, end, key);
		return { count, refs: order === 'oldestFirst' ? refs.reverse() : refs };
	}

	/** Like `all.slice(start, end)`, but shuffles refs with the same timestamp by `key` first. */
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

/** `refs` must be sorted by `isAfter`. */
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
