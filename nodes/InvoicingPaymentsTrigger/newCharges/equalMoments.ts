import { keysOf } from '../../shared/pagination/found';
import { isEnd } from '../../shared/pagination/page';
import { rangeOf, reachOf } from '../../shared/pagination/overlap';
import { timeOf } from './charge';
import type { PageRange, PlacedPage } from '../../shared/pagination/overlap';
import { Moved, repeats } from '../common/problems';
import type { Budget } from '../common/budget';
import { reserve } from '../common/budget';

/** How often charges of one moment are read before they are left to the next poll. */
const maxSweeps = 20;

/** Pages without any charge that was not on earlier ones: charges of one moment may come in any order, but not for ever. */
const maxBarren = 20;

type Charges = PlacedPage['results'];

const firstTime = ({ results: [charge] }: PlacedPage) => charge && timeOf(charge);
const lastTime = ({ results }: PlacedPage) =>
	results.length > 0 ? timeOf(results[results.length - 1]) : undefined;

/** What is needed of the list that the charges are in. */
interface ReadableList {
	size: number;
	mayOverlap: boolean;
	unsettled: number | undefined;
	budget: Budget;
	read(range: PageRange): Promise<PlacedPage>;
	sized(range: PageRange): Promise<PlacedPage | undefined>;
	fit(a: PlacedPage, b: PlacedPage): boolean;
	checkEnd(page: PlacedPage, before: PlacedPage): Promise<void>;
	isRefused(page: PageRange): boolean;
}

/**
 * Charges of the same moment that lie on several pages. A service may order them anew for each page, and then shows some twice and
 * others not at all. But the places that they take up together stay the same, so it can be told whether all were seen.
 */
export class EqualMoments {
	/** Where reading begins inside of a list, the charges of the first moment began before, and are not read for themselves. */
	private readonly first: number | undefined;

	constructor(
		private readonly list: ReadableList,
		begin: PlacedPage | undefined,
	) {
		this.first = begin && begin.start > 0 ? firstTime(begin) : undefined;
	}

	/** How many charges at the end of a page were made at the same moment: the next one has to begin before them. */
	marginOf(block: PlacedPage): number {
		const time = lastTime(block);
		const { results } = block;
		let count = 0;
		while (count < results.length && timeOf(results[results.length - 1 - count]) === time)
			count += 1;
		return time === undefined ? 0 : count;
	}

	/** Whether the charges of the moment at which a page ends are all on it, or all on the next one. */
	areWhole(last: PlacedPage, next: PlacedPage): boolean {
		const time = lastTime(last);
		if (time === undefined || time === this.first || next.results.length === 0) return true;
		const isAfter = next.start >= reachOf(last);
		if (isAfter) return firstTime(next) !== time && last.count === next.count;
		return begins(next, time) && ends(next, time);
	}

	/**
	 * Reads the charges of the moment at which a page ends again, in pages of other sizes, until as many different ones were seen as
	 * they have places. Gives them as one page, and then the page after which reading goes on. What cannot be settled is noted in the
	 * list before anything is given out: who has read enough asks for no more.
	 */
	async *settle(last: PlacedPage, next: PlacedPage): AsyncGenerator<PlacedPage, PlacedPage> {
		const { list } = this;
		const time = lastTime(last) ?? 0;
		const { charges, end, isSettled } = await this.readMoment(time, last, next);
		if (!isSettled) list.unsettled = Math.min(list.unsettled ?? Infinity, time);
		yield { ...last, results: charges };
		if (endOf(end) <= endOf(last) && !isEnd(end)) throw new Moved();
		await list.checkEnd(end, last);
		yield end;
		if (end.size === list.size || isEnd(end)) return end;
		// Reading goes on in pages of the usual size, with the one that holds what comes next.
		const isSame = end.results.map((charge) => timeOf(charge) === time);
		const rest = end.start + isSame.lastIndexOf(true) + 1;
		const full = await list.read(rangeOf(Math.floor(rest / list.size) + 1, list.size));
		if (list.isRefused(full)) return end;
		const [before, after] = full.start < end.start ? [full, end] : [end, full];
		if (!list.fit(before, after)) throw new Moved();
		await list.checkEnd(full, end);
		yield full;
		return full;
	}

	/** All charges of a moment that were seen, the page on which they end, and whether there are certainly no others. */
	private async readMoment(time: number, last: PlacedPage, next: PlacedPage) {
		const { list } = this;
		const all = new Map<unknown, Charges[number]>();
		const keysIn = ({ results }: PlacedPage) => {
			const keys = keysOf(results);
			const own = keys.flatMap((key, at) => (timeOf(results[at]) === time ? [{ key, at }] : []));
			for (const { key, at } of own) all.set(key, results[at]);
			return own.map(({ key }) => key);
		};
		[last, next].forEach(keysIn);
		let from = endOf(last) - this.marginOf(last);
		let end = next;
		let count: number | undefined;
		let seen = new Set<unknown>();
		let isSettled = false;
		const mayGoOn = () => list.budget.left > 2 * reserve;
		for (let sweep = 0; !isSettled && sweep < maxSweeps && mayGoOn(); sweep++) {
			const size = list.mayOverlap ? list.size - (sweep % list.size) : list.size;
			const { pages, hasBegun } = await this.sweep(time, from, size);
			const [first] = pages;
			if (!first && size === list.size) break;
			// Without pages the service does not heed this size, and decides itself from now on.
			if (!first) continue;
			const keys = pages.flatMap(keysIn);
			end = pages[pages.length - 1];
			if (!hasBegun || !begins(first, time)) {
				from = first.start;
				continue;
			}
			const isSteady = pages.every((page) => page.count === first.count);
			if (!isSteady || first.count !== count) seen = new Set();
			count = first.count;
			for (const key of keys) seen.add(key);
			isSettled = isSteady && ends(end, time) && seen.size >= keys.length;
		}
		return { charges: [...all.values()], end, isSettled };
	}

	/** Pages of one size, from the one before a place of the list to the one on which the charges of a moment end. */
	private async sweep(time: number, from: number, size: number) {
		const { list } = this;
		const pages: PlacedPage[] = [];
		const seen = new Set<unknown>();
		let hasBegun = false;
		let barren = 0;
		for (let number = Math.floor(Math.max(0, from - 1) / size) + 1; ; number++) {
			const block = await list.sized(rangeOf(number, size));
			if (!block || list.isRefused(block)) break;
			pages.push(block);
			const before = seen.size;
			for (const key of keysOf(block.results)) seen.add(key);
			barren = seen.size > before ? 0 : barren + 1;
			if (barren > maxBarren) throw repeats(number);
			hasBegun ||= block.results.some((charge) => timeOf(charge) === time);
			const isPast = ends(block, time) && (hasBegun || pages.length > 1);
			if (isPast || isEnd(block) || list.budget.left <= reserve) break;
		}
		return { pages, hasBegun };
	}
}

/** How many results of the list there are up to the last one on a page. */
const endOf = ({ start, results }: PlacedPage) => start + results.length;

/** Whether a page begins before the charges of a moment, or with the list. */
const begins = (block: PlacedPage, time: number) => block.start === 0 || firstTime(block) !== time;

/** Whether a page ends after the charges of a moment, or with the list. */
const ends = (block: PlacedPage, time: number) => isEnd(block) || lastTime(block) !== time;
