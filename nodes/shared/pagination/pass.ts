import type { Failure } from '../transport/failure';
import type { Found } from './found';
import { keysOf } from './found';
import type { Page, PageOutcome } from './page';
import { isEnd, isPastTheEnd, isRefusal, emptyPage, isOtherSize } from './page';
import type { PlacedPage } from './overlap';
import { fits, overlappingRange } from './overlap';
import { runConcurrently } from '../transport/concurrency';

export interface ListRequest {
	/** Reads the page with this number, counted from 1, in pages of `size`, or of the size that was asked for at first. */
	fetchPage: (page: number, size?: number) => Promise<PageOutcome>;
	startPage: number;
	/** How many results are wanted; Infinity: all. */
	limit: number;
	/** Which results count and are given. Without it all of them. */
	isWanted?: (result: Page['results'][number]) => boolean;
	/** How many pages may be read at a time. */
	concurrency: number;
	/** A list with more pages is given up. */
	maxPages?: number;
	/** Whether no page after this one is wanted. Then pages are read one after the other. */
	isLast?: (page: PlacedPage) => boolean;
	/** How many results a full page holds, where that is known. */
	pageLength?: number;
}

/** In which pages a list is read. */
export interface PassOptions {
	/** Pages differ a little in size, so that each shares some results with the one before. */
	mayOverlap: boolean;
	/** All of them have this size; without it the service decides. */
	size?: number;
}

/** Where a page lies in the list. Without a size it has the one that was asked for at first. */
export interface Place {
	number: number;
	size?: number;
	/** How many results of the list come before it. */
	start: number;
}

/** A page that was read, and its place. */
interface Block extends Place, Page {}

const defaultMaxPages = 20_000;
/** How many pages are planned at a time: when the count is wrong, most of them would be empty. */
const maxPlanned = 20;
/** How often pages that do not fit together are read again. */
const maxRounds = 5;
/** Pages without anything new, one after the other: a growing list may push back what was seen, but not for ever. */
const maxBarren = 20;

/**
 * `moved`: the list changed too much in between, another pass is needed; `otherSizes`: the service gives pages of other sizes
 * than it is asked for; `otherOrder`: it orders results anew for each page.
 */
type PassProblem = { failure: Failure } | 'moved' | 'otherSizes' | 'otherOrder';

/** How a pass ended that reached the end of the list. */
interface PassEnd {
	/** Whether all that was there all the time was certainly seen. */
	isComplete: boolean;
	/** How many results the service counted at most. */
	most: number;
	/** As many of them from the first page of the reading on. */
	expected: number;
}

/** Reads the list once, from its first page to its last. */
export class Pass {
	/** The pages from the first on, without a gap. */
	private blocks: Block[] = [];
	/** How many of them are known to fit together. */
	private fitting = 1;
	/** How many results a full page holds. */
	size = 0;
	/** What this pass has seen, whatever earlier passes had found. */
	private readonly own = new Set<unknown>();
	/** How many of these count. */
	private wanted = 0;
	/** Two pages show the same part of the list in another order, although as many results were there. */
	isUnstable = false;
	/** The last pages as long as they held nothing new. */
	private barren: Block[] = [];

	constructor(
		private readonly reading: ListRequest,
		private readonly found: Found,
		private readonly options: PassOptions,
	) {}

	async read(): Promise<PassEnd | PassProblem> {
		const first = await this.readFirst();
		if ('failure' in first) return first;
		const { startPage, pageLength } = this.reading;
		const { size } = this.options;
		const { length } = first.page.results;
		if (size && isOtherSize(size, first.page)) return 'otherSizes';
		this.size = size ?? pageLength ?? length;
		const place = { number: startPage, size, start: (startPage - 1) * this.size };
		this.add([{ ...first.page, ...place }]);
		while (!this.isEnough && !isEnd(this.last)) {
			const problem = (await this.extend()) ?? (await this.repair()) ?? this.futility();
			if (problem) return problem;
			if (this.barren.length && this.isAllSeen) break;
		}
		return this.isEnough ? { expected: 0, most: 0, isComplete: true } : this.end();
	}

	private get isEnough(): boolean {
		const { limit, isLast } = this.reading;
		// The end of the list comes first: it may be none.
		const isWindowRead = isLast?.(this.sized(this.last)) === true && !isEnd(this.last);
		return this.wanted >= limit || isWindowRead;
	}

	/** The pages that were read, as they lie in the list. */
	get pages(): PlacedPage[] {
		return this.blocks.map((block) => this.sized(block));
	}

	/** Whether the list fits on one page, and always did. */
	get isOnePage(): boolean {
		const { length } = this.last.results;
		return this.blocks.length === 1 && isEnd(this.last) && this.found.size === length;
	}

	/** How many results the list has, as far as its pages go. */
	get reach(): number {
		return this.last.start + this.last.results.length;
	}

	/** Not there before the first was read. */
	private get last(): Block {
		return this.blocks[this.blocks.length - 1];
	}

	/** As many results as the service says that there are, or a few more: where there are many more its count is wrong. */
	private get isAllSeen(): boolean {
		const more = this.own.size - (this.last.count ?? Infinity);
		return more >= 0 && more < this.size;
	}

	/** A 404 on a later page to begin with: the end of a shorter list if there is a first page, else a wrong address. */
	private async readFirst(): Promise<PageOutcome> {
		const { fetchPage, startPage } = this.reading;
		const outcome = await fetchPage(startPage, this.options.size);
		if (startPage === 1 || !isPastTheEnd(outcome)) return outcome;
		const first = await fetchPage(1);
		return 'failure' in first ? outcome : { page: emptyPage };
	}

	/** Reads the pages that follow. */
	private async extend(): Promise<PassProblem | undefined> {
		const read = await this.readAll(this.plan());
		if (!Array.isArray(read)) return read;
		this.add(read);
		return undefined;
	}

	private add(blocks: Block[]): void {
		for (const block of blocks) {
			const before = this.own.size;
			this.note(block);
			if (this.own.size > before) this.barren = [];
			else this.barren.push(block);
		}
		this.blocks.push(...blocks);
		this.cut();
	}

	private note(block: Block): void {
		const { isWanted = () => true } = this.reading;
		this.found.add(block).forEach((key, index) => {
			if (!this.own.has(key) && isWanted(block.results[index])) this.wanted += 1;
			this.own.add(key);
		});
	}

	/** Leaves out what comes after the end of the list. */
	private cut(): void {
		const end = this.blocks.findIndex(isEnd);
		if (end >= 0) this.blocks.length = end + 1;
	}

	/** The places of the pages that follow, up to the count or the limit; at least one. */
	private plan(): Place[] {
		const { limit, isWanted, concurrency, isLast } = this.reading;
		// How many pages hold what is wanted shows only when they are read.
		const unplanned = isWanted ? Math.min(concurrency, maxPlanned) : maxPlanned;
		const most = isLast ? 1 : unplanned;
		const needed = isWanted ? Infinity : this.blocks[0].start + limit;
		const until = Math.min(this.last.count ?? 0, needed);
		const places: Place[] = [];
		let place: Place = this.last;
		do {
			place = this.after(place);
			places.push(place);
		} while (this.reachOf(place) < until && places.length < most);
		return places;
	}

	/** The page that reaches furthest of those that begin before the end of this one, or else the one that begins there. */
	private after(previous: Place): Place {
		const reach = this.reachOf(previous);
		const next = this.options.mayOverlap ? this.overlapping(reach) : undefined;
		if (next) return next;
		// Where a page of another size came before and no size fits, its end is a multiple of all of them.
		const number = previous.size ? reach / this.size + 1 : previous.number + 1;
		return { number, start: reach, ...(previous.size && { size: this.size }) };
	}

	/** A part of a list is to overlap by so much that a few results may be removed before the page is read. */
	private overlapping(reach: number): Place | undefined {
		const margin = this.reading.isLast ? Math.ceil(this.size / 50) : 0;
		const wide = overlappingRange(reach - margin, this.size);
		const isFurther = wide && wide.start + wide.size > reach;
		return isFurther ? wide : overlappingRange(reach, this.size);
	}

	private reachOf({ start, size = this.size }: Place): number {
		return start + size;
	}

	/** Reads pages at the same time; in order, up to the first that is past the end of the list. */
	private async readAll(places: Place[]): Promise<Block[] | PassProblem> {
		const blocks: Block[] = [];
		let problem: PassProblem | undefined;
		await runConcurrently(places.length, this.reading.concurrency, async (index) => {
			const block = await this.readOne(places[index]);
			if (typeof block === 'object' && 'results' in block) blocks[index] = block;
			else problem ??= block;
			return !problem && blocks[index].results.length > 0;
		});
		if (problem) return problem;
		const end = blocks.findIndex(({ results }) => results.length === 0);
		return end < 0 ? blocks : blocks.slice(0, end + 1);
	}

	private async readOne({ number, size, start }: Place): Promise<Block | PassProblem> {
		const outcome = await this.reading.fetchPage(number, size);
		const place = { number, size, start };
		if (isPastTheEnd(outcome)) return { ...emptyPage, ...place };
		if ('failure' in outcome) return size && isRefusal(outcome.failure) ? 'otherSizes' : outcome;
		return size && isOtherSize(size, outcome.page) ? 'otherSizes' : { ...outcome.page, ...place };
	}

	/**
	 * Reads pages that do not fit together again, side by side, and puts them in between: each shares results with what it was
	 * before, so what fitted stays as it is.
	 */
	private async repair(): Promise<PassProblem | undefined> {
		for (let round = 0; ; round++) {
			const broken = this.misfits();
			if (broken.length === 0) return undefined;
			const pairs = broken.flatMap((index) => [this.blocks[index - 1], this.blocks[index]]);
			if (round > 0 && this.isSteady) {
				if (this.options.mayOverlap) return this.isUnstable ? 'otherOrder' : 'otherSizes';
				const end = this.end();
				if (this.last.results.length === 0 && typeof end === 'object' && 'failure' in end)
					return end;
			}
			if (round === maxRounds) return 'moved';
			const read = await this.readAll(pairs);
			if (!Array.isArray(read)) return read;
			for (let at = broken.length - 1; at >= 0; at--) {
				this.blocks.splice(broken[at], 0, ...read.slice(2 * at, 2 * at + 2));
			}
			read.forEach((block) => this.note(block));
			this.cut();
		}
	}

	/** The pages that do not fit to the one before, by their place in the row. */
	private misfits(): number[] {
		const broken: number[] = [];
		for (let index = this.fitting; index < this.blocks.length; index++) {
			if (!this.fit(this.blocks[index - 1], this.blocks[index])) broken.push(index);
		}
		this.fitting = broken[0] ?? this.blocks.length;
		return broken;
	}

	/** The list had the same length all the time. */
	private get isSteady(): boolean {
		return this.blocks.every(({ count = this.blocks[0].count }) => count === this.blocks[0].count);
	}

	/** Whether nothing can have slipped between two pages. Notes where they show the same part of the list in another order. */
	private fit(a: Block, b: Block): boolean {
		const [before, after] = [keysOf(a.results), keysOf(b.results)];
		const both = before.slice(b.start - a.start);
		const places = new Map(after.map((key, at) => [key, at]));
		const shared = both.flatMap((key) => places.get(key) ?? []);
		// What has moved on as a whole is still in order.
		const isSameOrder = shared.every((place, at) => at === 0 || place > shared[at - 1]);
		const isOther = !isSameOrder || (shared.length === 0 && both.length > 0);
		if (isOther && a.count === b.count && after.length > 0) this.isUnstable = true;
		return fits(this.sized(a), this.sized(b));
	}

	private sized(block: Block): PlacedPage {
		return { ...block, size: block.size ?? this.size };
	}

	/** Why there is no use in reading on. */
	private futility(): PassProblem | undefined {
		if (this.barren.length >= maxBarren && !this.isAllSeen) {
			const [{ number }] = this.barren;
			return unreadable(
				`page ${number} of the list repeats earlier pages and claims that more follow`,
			);
		}
		const { maxPages = defaultMaxPages } = this.reading;
		return this.blocks.length > maxPages
			? unreadable(`the list did not end after ${maxPages} pages`)
			: undefined;
	}

	/** The end of the list, unless it comes too early. */
	private end(): PassEnd | PassProblem {
		const { results, start } = this.last;
		// A page past the end may be a mere 404.
		const count = this.last.count ?? this.blocks[this.blocks.length - 2]?.count ?? 0;
		const reach = start + results.length;
		// Where the one page that was read is not full, it is not known where it begins.
		const isPlaced = this.reading.startPage === 1 || this.blocks.length > 1;
		if (isPlaced && isEnd(this.last) && reach < count) {
			// Where sizes are ignored, pages do not begin where they should.
			if (this.options.mayOverlap) return 'otherSizes';
			return unreadable(
				`there should be ${count} results, but the pages end after ${reach}`,
				count,
			);
		}
		if (this.options.mayOverlap && this.isBeyond(this.last)) return 'otherSizes';
		if (!isPlaced) return { isComplete: true, expected: 0, most: 0 };
		const skipped = this.blocks[0].start;
		// A page past the end may be a mere 404, which says nothing of how many there are.
		const told = this.blocks.flatMap(({ count: one }) => (one === undefined ? [] : [one]));
		const counts = told.length ? told : [this.uncounted(reach)];
		const [least, most] = [Math.min(...counts), Math.max(...counts)];
		// Where the order cannot be relied on, what came in meanwhile must not make up for what was not seen.
		const isComplete = this.own.size >= (this.isUnstable ? most : least) - skipped;
		return { isComplete, expected: most - skipped, most };
	}

	/** Whether a page is empty that should repeat results of the one before: it begins elsewhere, so sizes are ignored. */
	private isBeyond({ results, start }: Block): boolean {
		const before = this.blocks[this.blocks.length - 2];
		return results.length === 0 && before && start < before.start + before.results.length;
	}

	/** How many results there are where the service does not say: where pages share none, as many as they have places. */
	private uncounted(reach: number): number {
		return this.options.mayOverlap && !this.isUnstable ? 0 : reach;
	}
}

/** `counted`: how many results the service counts, where not as many were found. */
export function unreadable(reason: string, counted?: number): { failure: Failure } {
	return {
		failure: {
			kind: 'unexpected',
			method: 'GET',
			path: '',
			reason,
			...(counted !== undefined && { counted }),
		},
	};
}
