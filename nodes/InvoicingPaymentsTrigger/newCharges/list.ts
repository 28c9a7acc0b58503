import type { Failure } from '../../shared/transport/failure';
import { keysOf } from '../../shared/pagination/found';
import type { FetchPage, Page, PageOutcome } from '../../shared/pagination/page';
import { isEnd, isPastTheEnd, isRefusal, emptyPage } from '../../shared/pagination/page';
import {
	fits,
	isWithin,
	overlappingRange,
	rangeOf,
	reachOf,
	shares,
} from '../../shared/pagination/overlap';
import type { PageRange, PlacedPage } from '../../shared/pagination/overlap';
import { hasSizeOf, isBeyondCount, isOfDepth } from './pageChecks';
import type { Budget } from '../common/budget';
import type { Charge } from './charge';
import { isSameMoment, timeOf } from './charge';
import { EqualMoments } from './equalMoments';
import { Inconsistent, Moved, repeats, Unreadable } from '../common/problems';
import type { OrderWatch } from './order';

/** What is known of a service's lists from earlier polls. */
export interface Habits {
	/** Pages come in the size that is asked for. */
	mayOverlap: boolean;
	/** The count agrees with the pages. */
	trustsCount: boolean;
}

/** Pages that hold nothing but what the page before held: a growing list pushes back what was seen, but not for ever. */
const maxBarren = 20;

/** How many results a service that refuses deep pages gives at least. */
const leastDepth = 1000;

/** The list of charges during one poll (spec 4.3). */
export class List {
	/** How many results a full page holds. */
	size = 0;
	/** When the newest charge that was seen in this poll was made. A date in the future must not make everything else look old. */
	newest = -Infinity;
	/** Why the service refuses pages that begin after `from` charges. */
	refusal: { from: number; failure: Failure } | undefined;
	/** When the oldest charges were made of which it is not certain that all were seen. */
	unsettled: number | undefined;
	mayOverlap: boolean;
	trustsCount: boolean;
	private readonly seen = new Set<unknown>();
	/** Is given what every page holds that is read from now on, also to see what stands between others. */
	onResults: (results: Charge[]) => void = () => {};
	/** What the service counted on the page that was read last. */
	count: number | undefined;
	private leastCount = Infinity;
	private mostCount = -Infinity;
	/** Whether two pages showed the same part of the list in another order, although the count was the same. */
	private isUnstable = false;

	constructor(
		private readonly fetchPage: FetchPage,
		readonly budget: Budget,
		readonly watch: OrderWatch,
		/** Milliseconds since 1970. */
		private readonly now: number,
		habits: Habits,
	) {
		this.mayOverlap = habits.mayOverlap;
		this.trustsCount = habits.trustsCount;
	}

	/** How many different charges were seen in this poll. */
	get seenCount(): number {
		return this.seen.size;
	}

	/** Whether fewer different charges were seen in this poll than the service counts. */
	get isShort(): boolean {
		// Without a stable order, charges that were added meanwhile must not make up for some that no page showed.
		const least = this.isUnstable ? this.mostCount : this.leastCount;
		return this.trustsCount && least < Infinity && this.seen.size < least;
	}

	/** The first page, from which the others learn how long pages are: the service need not give what it is asked for. */
	async first(askedSize: number): Promise<PlacedPage> {
		const page = await this.fetch({ number: 1, start: 0 });
		this.size = Math.max(page.results.length, page.next ? 1 : askedSize);
		this.watch.begin();
		this.watch.add(page.results);
		return await this.counted({ ...page, ...rangeOf(1, this.size) });
	}

	/** Any full page. Past the end, and where the service refuses it, it is empty. */
	async page(number: number, isProbe = false): Promise<PlacedPage> {
		const block = await this.read(rangeOf(number, this.size), isProbe);
		this.watch.begin();
		this.watch.add(block.results);
		return block;
	}

	async read(place: PageRange, isProbe = false): Promise<PlacedPage> {
		return await this.counted({ ...(await this.fetch(place, isProbe)), ...place });
	}

	/**
	 * This page and those that follow, up to the end, or to where the service refuses to go on. Pages overlap by a few results: where
	 * two share one, nothing can have slipped between them, whatever was added or removed meanwhile. Where the service decides on the
	 * size, the count tells. Charges of the same moment on both sides are read until all of them were seen, because a service may
	 * order them anew for each page. Throws {@link Moved} where two pages do not fit together, {@link Inconsistent} and
	 * {@link Unreadable}.
	 */
	async *onFrom(
		begin: PlacedPage,
		{ settlesEquals = true, isResumed = false } = {},
	): AsyncGenerator<PlacedPage, void> {
		const equals = new EqualMoments(this, isResumed ? undefined : begin);
		let last = begin;
		let barren = 0;
		this.watch.begin();
		this.watch.add(begin.results);
		await this.checkEnd(begin, begin);
		yield begin;
		while (!isEnd(last)) {
			let next = await this.after(last, equals.marginOf(last) + this.slack);
			if (this.isRefused(next)) return;
			if (!this.fit(last, next)) {
				// The same places once more show what each has become the neighbour of.
				const again = await this.read(last);
				if (!shares(last, again)) throw new Moved();
				await this.checkEnd(again, last);
				yield again;
				if (isEnd(again)) return;
				last = again;
				// Further back than it has to, for the case that more is on the move.
				next = await this.after(last, Math.ceil(this.size / 4));
				if (this.isRefused(next)) return;
				if (!this.fit(last, next)) {
					if (this.mayOverlap) await this.testSizes();
					throw new Moved();
				}
			}
			this.watch.add(next.results, last.results);
			barren = isWithin(next, last) ? barren + 1 : 0;
			if (barren > maxBarren) throw repeats(next.number);
			// Before it is given out: who gets the end of a list may not ask for more.
			await this.checkEnd(next, last);
			const isClear = !settlesEquals || this.watch.direction === 'none';
			if (isClear || equals.areWhole(last, next)) {
				yield next;
				last = next;
			} else {
				last = yield* equals.settle(last, next);
			}
		}
	}

	/** A page that begins at a place of the list, or a little before: it has so many charges before it. */
	async pageFrom(place: number): Promise<PlacedPage> {
		const range = this.mayOverlap ? overlappingRange(place + 1, this.size) : undefined;
		const block = range && (await this.sized(range));
		return block ?? (await this.page(Math.floor(place / this.size) + 1));
	}

	/** The whole list once more, in pages of this size that need not fit together. */
	async *inPagesOf(size: number): AsyncGenerator<PlacedPage, void> {
		for (let number = 1; ; number++) {
			const block = await this.sized(rangeOf(number, size));
			if (!block) return;
			yield block;
			if (isEnd(block)) return;
		}
	}

	/** How many charges may be removed between two requests while the next page still overlaps with the last one. */
	private get slack(): number {
		return Math.ceil(this.size / 50);
	}

	/** The number of the last page, by the count. */
	lastPage({ count }: Page): number | undefined {
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / this.size));
	}

	/** Whether the service refused a page that lies so deep. */
	isRefused({ start }: PageRange): boolean {
		return this.refusal !== undefined && start >= this.refusal.from;
	}

	private async after(last: PlacedPage, margin: number): Promise<PlacedPage> {
		const reach = reachOf(last);
		const wide = overlappingRange(reach - margin, this.size);
		const isWide = wide && wide.start + wide.size > reach;
		const overlapping = isWide ? wide : overlappingRange(reach, this.size);
		const place = this.mayOverlap ? overlapping : undefined;
		if (place) {
			const next = await this.readOverlapping(place);
			if (next && this.isRefused(place)) {
				// It may only reach too far: the page of the usual size may still be given.
				this.refusal = undefined;
				return await this.read(rangeOf(Math.floor(reach / this.size) + 1, this.size));
			}
			if (next) return next;
			this.mayOverlap = false;
		}
		const isFull = last.size === this.size;
		if (!isFull && !place && !this.mayOverlap) throw new Moved();
		const number = isFull ? last.number + 1 : reach / this.size + 1;
		if (!Number.isInteger(number)) throw new Moved();
		return await this.read(rangeOf(number, this.size));
	}

	/** Any page of any size. `undefined`: the service gives pages of other sizes than it is asked for. */
	async sized(place: PageRange): Promise<PlacedPage | undefined> {
		if (place.size === this.size) return await this.read(place);
		const block = await this.readOverlapping(place);
		if (!block) this.mayOverlap = false;
		return block;
	}

	/** Whether the service gives a first page that is one shorter when it is asked to. */
	private async testSizes(): Promise<boolean> {
		const place = rangeOf(1, this.size - 1);
		this.mayOverlap = (await this.readOverlapping(place)) !== undefined;
		return this.mayOverlap;
	}

	/** `undefined`: the service gives pages of other sizes than it is asked for. */
	private async readOverlapping(place: PageRange): Promise<PlacedPage | undefined> {
		const outcome = await this.ask(place);
		if ('failure' in outcome && isRefusal(outcome.failure)) return undefined;
		const block = { ...this.take(outcome), ...place };
		if (this.isRefused(place)) return block;
		if (hasSizeOf(place, block)) return await this.counted(block);
		// At the end of the list it may be the count that is wrong.
		if (block.next || place.number === 1) return undefined;
		return place.size === this.size || (await this.testSizes()) ? block : undefined;
	}

	/** Whether nothing can have slipped between two pages: charges of the same moment may come in another order. */
	fit(a: PlacedPage, b: PlacedPage): boolean {
		const both = keysOf(a.results).slice(b.start - a.start);
		const others = keysOf(b.results);
		const isSameOrder = both.every((key, at) => key === others[at]);
		if (a.count === b.count && others.length > 0 && !isSameOrder) this.isUnstable = true;
		return fits(a, b, isSameMoment);
	}

	private async fetch(place: Omit<PageRange, 'size'> & { size?: number }, isProbe = false) {
		return this.take(await this.ask(place, isProbe));
	}

	private async ask(
		{ number, size, start }: Omit<PageRange, 'size'> & { size?: number },
		isProbe = false,
	): Promise<PageOutcome> {
		if (start >= (this.refusal?.from ?? Infinity)) return { page: emptyPage };
		const fetch = async (isQuick: boolean) =>
			await this.budget.spend(async () => await this.fetchPage(number, size, isQuick));
		const isDeep = start >= leastDepth;
		let outcome = await fetch(isProbe && isDeep);
		if (number > 1 && isPastTheEnd(outcome)) return { page: emptyPage };
		if (!isDeep || !('failure' in outcome)) return outcome;
		if (isProbe && !isOfDepth(outcome.failure)) outcome = await fetch(false);
		if (!('failure' in outcome) || !isOfDepth(outcome.failure)) return outcome;
		this.refusal = { from: start, failure: outcome.failure };
		return { page: emptyPage };
	}

	private take(outcome: PageOutcome): Page {
		if ('failure' in outcome) throw new Unreadable(outcome.failure);
		const { page } = outcome;
		for (const charge of page.results) {
			const time = timeOf(charge) ?? -Infinity;
			if (time <= this.now) this.newest = Math.max(this.newest, time);
		}
		for (const key of keysOf(page.results)) this.seen.add(key);
		this.onResults(page.results);
		this.count = page.count ?? this.count;
		this.leastCount = Math.min(this.leastCount, page.count ?? Infinity);
		this.mostCount = Math.max(this.mostCount, page.count ?? -Infinity);
		return this.trustsCount ? page : { ...page, count: undefined };
	}

	/**
	 * A page whose count does not contradict it. A count that is too low, twice, is believed no more, and whatever was decided by it
	 * is decided anew: {@link Moved}.
	 */
	private async counted(block: PlacedPage): Promise<PlacedPage> {
		if (!isBeyondCount(block)) return block;
		const { number, size, start } = block;
		const again = { ...(await this.fetch({ number, size, start })), number, size, start };
		if (!isBeyondCount(again)) return again;
		this.trustsCount = false;
		if (number > 1) throw new Moved();
		return { ...again, count: undefined };
	}

	/**
	 * The list must not end before its count: nothing rather than a part. Where the same page ends it a second time and nothing
	 * follows, the count is believed no more.
	 */
	async checkEnd(block: PlacedPage, before: PlacedPage): Promise<void> {
		if (!isEnd(block) || this.isRefused(block)) return;
		const reach = block.start + block.results.length;
		const wanted = block.count ?? before.count ?? 0;
		if (reach >= wanted) return;
		const again = await this.read(block);
		if (again.results.length !== block.results.length || !isEnd(again)) throw new Moved();
		const beyond = await this.read(rangeOf(Math.ceil(reach / this.size) + 1, this.size));
		if (again.count !== block.count || (beyond.count ?? again.count) !== again.count)
			throw new Moved();
		const isEndOfList = beyond.results.length === 0;
		// A page that is empty although another one led to it is no end to rely on.
		const isLikely = block.results.length > 0 || wanted - reach === 1;
		if (!isEndOfList || !isLikely) {
			throw new Inconsistent(`There should be ${wanted} charges, but the pages end after ${reach}`);
		}
		this.trustsCount = false;
	}
}
