import type { Failure } from '../transport/failure';
import type { Found } from './found';
import { keysOf } from './found';
import type { Page, PageOutcome } from './page';
import { isEnd, isPastTheEnd, isRefusal, emptyPage, isOtherSize } from './page';
import type { PlacedPage } from './overlap';
import { fits, overlappingRange } from './overlap';
import { runConcurrently } from '../transport/concurrency';

export interface ListRequest {
	/** Pages count from 1. Without `size`, they have the default size. */
	fetchPage: (page: number, size?: number) => Promise<PageOutcome>;
	startPage: number;
	/** Infinity: read everything. */
	limit: number;
	/** Only these results are returned and count towards the limit. */
	isWanted?: (result: Page['results'][number]) => boolean;
	concurrency: number;
	maxPages?: number;
	/** Whether to stop after this page. Pages are then read one at a time. */
	isLast?: (page: PlacedPage) => boolean;
	/** Results per full page, if known. */
	pageLength?: number;
}

export interface PassOptions {
	/** Pages vary a little in size, so that each shares results with the one before. */
	mayOverlap: boolean;
	/** Fixed page size. Without it, the service decides. */
	size?: number;
}

/** Position of a page. Without `size`, it has the default size. */
export interface Place {
	number: number;
	size?: number;
	/** Number of results before it. */
	start: number;
}

interface Block extends Place, Page {}

const defaultMaxPages = 20_000;
/** Pages planned ahead. If the count is wrong, most of them are empty. */
const maxPlanned = 20;
const maxRounds = 5;
/** Consecutive pages without new results. In a growing list there may be some, but not this many. */
const maxBarren = 20;

/**
 * `moved`: the list changed too much, so it must be read again. `otherSizes`: the service ignores page sizes.
 * `otherOrder`: it reorders the results for each page.
 */
type PassProblem = { failure: Failure } | 'moved' | 'otherSizes' | 'otherOrder';

interface PassEnd {
	/** Nothing that was listed throughout was missed. */
	isComplete: boolean;
	/** Highest count of the service. */
	most: number;
	/** The same without the results before the start page. */
	expected: number;
}

/** Reads a list once, from its start page to its end. */
export class Pass {
	private blocks: Block[] = [];
	/** How many of them, from the first, are known to fit together. */
	private fitting = 1;
	/** Results per full page. */
	size = 0;
	private readonly own = new Set<unknown>();
	private wanted = 0;
	/** Two pages show the same part of the list in different orders, although the count is the same. */
	isUnstable = false;
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
		// If the page also ends the list, that has to be verified.
		const isWindowRead = isLast?.(this.sized(this.last)) === true && !isEnd(this.last);
		return this.wanted >= limit || isWindowRead;
	}

	get pages(): PlacedPage[] {
		return this.blocks.map((block) => this.sized(block));
	}

	get isOnePage(): boolean {
		const { length } = this.last.results;
		return this.blocks.length === 1 && isEnd(this.last) && this.found.size === length;
	}

	/** Number of results up to the end of the last page. */
	get reach(): number {
		return this.last.start + this.last.results.length;
	}

	private get last(): Block {
		return this.blocks[this.blocks.length - 1];
	}

	/** Whether as many results were seen as the service counts. If there are many more, the count is wrong. */
	private get isAllSeen(): boolean {
		const more = this.own.size - (this.last.count ?? Infinity);
		return more >= 0 && more < this.size;
	}

	/** If a later start page gives a 404, page 1 shows whether the list is short or the address wrong. */
	private async readFirst(): Promise<PageOutcome> {
		const { fetchPage, startPage } = this.reading;
		const outcome = await fetchPage(startPage, this.options.size);
		if (startPage === 1 || !isPastTheEnd(outcome)) return outcome;
		const first = await fetchPage(1);
		return 'failure' in first ? outcome : { page: emptyPage };
	}

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

	private cut(): void {
		const end = this.blocks.findIndex(isEnd);
		if (end >= 0) this.blocks.length = end + 1;
	}

	private plan(): Place[] {
		const { limit, isWanted, concurrency, isLast } = this.reading;
		// If results are filtered, the number of pages needed is unknown.
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

	/** The overlapping page that reaches furthest, or else the adjoining one. */
	private after(previous: Place): Place {
		const reach = this.reachOf(previous);
		const next = this.options.mayOverlap ? this.overlapping(reach) : undefined;
		if (next) return next;
		// If no size overlaps, `reach` is a multiple of all sizes.
		const number = previous.size ? reach / this.size + 1 : previous.number + 1;
		return { number, start: reach, ...(previous.size && { size: this.size }) };
	}

	/** In a part of a list, overlap enough to allow for a few removals. */
	private overlapping(reach: number): Place | undefined {
		const margin = this.reading.isLast ? Math.ceil(this.size / 50) : 0;
		const wide = overlappingRange(reach - margin, this.size);
		const isFurther = wide && wide.start + wide.size > reach;
		return isFurther ? wide : overlappingRange(reach, this.size);
	}

	private reachOf({ start, size = this.size }: Place): number {
		return start + size;
	}

	/** Reads pages in parallel. Returns them in order, up to the first one past the end. */
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

	/** Reads misfits again and inserts them. Each overlaps with its earlier version, so the rest still fits. */
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

	private misfits(): number[] {
		const broken: number[] = [];
		for (let index = this.fitting; index < this.blocks.length; index++) {
			if (!this.fit(this.blocks[index - 1], this.blocks[index])) broken.push(index);
		}
		this.fitting = broken[0] ?? this.blocks.length;
		return broken;
	}

	private get isSteady(): boolean {
		return this.blocks.every(({ count = this.blocks[0].count }) => count === this.blocks[0].count);
	}

	/** Whether no result can be missing between two pages. Also sets `isUnstable`. */
	private fit(a: Block, b: Block): boolean {
		const [before, after] = [keysOf(a.results), keysOf(b.results)];
		const both = before.slice(b.start - a.start);
		const places = new Map(after.map((key, at) => [key, at]));
		const shared = both.flatMap((key) => places.get(key) ?? []);
		// Results that moved together are still in order.
		const isSameOrder = shared.every((place, at) => at === 0 || place > shared[at - 1]);
		const isOther = !isSameOrder || (shared.length === 0 && both.length > 0);
		if (isOther && a.count === b.count && after.length > 0) this.isUnstable = true;
		return fits(this.sized(a), this.sized(b));
	}

	private sized(block: Block): PlacedPage {
		return { ...block, size: block.size ?? this.size };
	}

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

	/** The end of the list, or a problem if it comes too early. */
	private end(): PassEnd | PassProblem {
		const { results, start } = this.last;
		// A page past the end may be a 404, without a count.
		const count = this.last.count ?? this.blocks[this.blocks.length - 2]?.count ?? 0;
		const reach = start + results.length;
		// If a later start page is the only one, its size is unknown, and so is its position.
		const isPlaced = this.reading.startPage === 1 || this.blocks.length > 1;
		if (isPlaced && isEnd(this.last) && reach < count) {
			// If sizes are ignored, pages begin elsewhere.
			if (this.options.mayOverlap) return 'otherSizes';
			return unreadable(
				`there should be ${count} results, but the pages end after ${reach}`,
				count,
			);
		}
		if (this.options.mayOverlap && this.isBeyond(this.last)) return 'otherSizes';
		if (!isPlaced) return { isComplete: true, expected: 0, most: 0 };
		const skipped = this.blocks[0].start;
		const told = this.blocks.flatMap(({ count: one }) => (one === undefined ? [] : [one]));
		const counts = told.length ? told : [this.uncounted(reach)];
		const [least, most] = [Math.min(...counts), Math.max(...counts)];
		// If the order varies, new results must not make up for missed ones.
		const isComplete = this.own.size >= (this.isUnstable ? most : least) - skipped;
		return { isComplete, expected: most - skipped, most };
	}

	/** Whether a page is empty that should overlap with the one before: the service ignores sizes. */
	private isBeyond({ results, start }: Block): boolean {
		const before = this.blocks[this.blocks.length - 2];
		return results.length === 0 && before && start < before.start + before.results.length;
	}

	/** Number of results if the service gives no count. Pages that do not overlap must not repeat any. */
	private uncounted(reach: number): number {
		return this.options.mayOverlap && !this.isUnstable ? 0 : reach;
	}
}

/** `counted`: the service's count, if fewer results were found. */
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
