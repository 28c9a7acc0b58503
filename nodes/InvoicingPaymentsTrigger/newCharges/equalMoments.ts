import { keysOf } from '../../shared/found';
import { isEnd } from '../../shared/page';
import { placeOf } from '../../shared/places';
import { timeOf } from './charge';
import type { Block } from './block';
import { reachOf } from './block';
import type { List } from './list';
import { Moved, repeats } from './problems';
import { reserve } from './budget';

/** How often charges of one moment are read before they are left to the next poll. */
const maxSweeps = 20;

/** Pages without any charge that was not on earlier ones: charges of one moment may come in any order, but not for ever. */
const maxBarren = 20;

type Charges = Block['results'];

const firstTime = ({ results: [charge] }: Block) => charge && timeOf(charge);
const lastTime = ({ results }: Block) =>
	results.length > 0 ? timeOf(results[results.length - 1]) : undefined;

/**
 * Charges of the same moment that lie on several pages. A service may order them anew for each page, and then shows some twice and
 * others not at all. But the places that they take up together stay the same, so it can be told whether all were seen.
 */
export class EqualMoments {
	/** Where reading begins inside of a list, the charges of the first moment began before, and are not read for themselves. */
	private readonly first: number | undefined;

	constructor(
		private readonly list: List,
		begin: Block | undefined,
	) {
		this.first = begin && begin.start > 0 ? firstTime(begin) : undefined;
	}

	/** How many charges at the end of a page were made at the same moment: the next one has to begin before them. */
	marginOf(block: Block): number {
		const time = lastTime(block);
		const { results } = block;
		let count = 0;
		while (count < results.length && timeOf(results[results.length - 1 - count]) === time)
			count += 1;
		return time === undefined ? 0 : count;
	}

	/** Whether the charges of the moment at which a page ends are all on it, or all on the next one. */
	areWhole(last: Block, next: Block): boolean {
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
	async *settle(last: Block, next: Block): AsyncGenerator<Block, Block> {
		const { list } = this;
		const time = lastTime(last) ?? 0;
		const all = new Map<unknown, Charges[number]>();
		const add = (block: Block) => {
			const keys = keysOf(block.results);
			block.results.forEach((charge, at) => {
				if (timeOf(charge) === time) all.set(keys[at], charge);
			});
		};
		[last, next].forEach(add);
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
			pages.forEach(add);
			end = pages[pages.length - 1];
			if (!hasBegun || !begins(first, time)) {
				from = first.start;
				continue;
			}
			const isSteady = pages.every((block) => block.count === first.count);
			if (!isSteady || first.count !== count) seen = new Set();
			count = first.count;
			let places = 0;
			for (const { results } of pages) {
				const keys = keysOf(results).filter((_, at) => timeOf(results[at]) === time);
				places += keys.length;
				for (const key of keys) seen.add(key);
			}
			isSettled = isSteady && ends(end, time) && seen.size >= places;
		}
		if (!isSettled) list.unsettled = Math.min(list.unsettled ?? Infinity, time);
		yield { ...last, results: [...all.values()] };
		if (endOf(end) <= endOf(last) && !isEnd(end)) throw new Moved();
		await list.checkEnd(end, last);
		yield end;
		if (end.size === list.size || isEnd(end)) return end;
		// Reading goes on in pages of the usual size, with the one that holds what comes next.
		const isSame = end.results.map((charge) => timeOf(charge) === time);
		const rest = end.start + isSame.lastIndexOf(true) + 1;
		const full = await list.read(placeOf(Math.floor(rest / list.size) + 1, list.size));
		if (list.isRefused(full)) return end;
		const [before, after] = full.start < end.start ? [full, end] : [end, full];
		if (!list.fit(before, after)) throw new Moved();
		await list.checkEnd(full, end);
		yield full;
		return full;
	}

	/** Pages of one size, from the one before a place of the list to the one on which the charges of a moment end. */
	private async sweep(time: number, from: number, size: number) {
		const { list } = this;
		const pages: Block[] = [];
		const seen = new Set<unknown>();
		let hasBegun = false;
		let barren = 0;
		for (let number = Math.floor(Math.max(0, from - 1) / size) + 1; ; number++) {
			const block = await list.sized(placeOf(number, size));
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
const endOf = ({ start, results }: Block) => start + results.length;

/** Whether a page begins before the charges of a moment, or with the list. */
const begins = (block: Block, time: number) => block.start === 0 || firstTime(block) !== time;

/** Whether a page ends after the charges of a moment, or with the list. */
const ends = (block: Block, time: number) => isEnd(block) || lastTime(block) !== time;
