import type { Failure } from '../../shared/failure';
import type { Page, PageOutcome } from '../../shared/page';
import { isEnd, isPastTheEnd, isRefusal, nothing } from '../../shared/page';
import type { Place } from '../../shared/places';
import { overlappingPlace, placeOf } from '../../shared/places';
import type { Budget } from './budget';
import { keyOf, timeOf } from './charge';
import type { OrderWatch } from './order';

/** Reads a page, counted from 1, of `size` results, or of the size that the poll is to begin with. */
export type FetchPage = (page: number, size?: number) => Promise<PageOutcome>;

/** A page that was read, and its place in the list. */
export interface Block extends Place, Page {}

/** A page could not be read. */
export class Unreadable extends Error {
	constructor(readonly failure: Failure) {
		super(failure.reason ?? failure.kind);
	}
}

/** The pages of the list do not go together. */
export class Inconsistent extends Error {}

/** The list changed so much while it was read that it has to be read again. */
export class Moved extends Error {}

/** Pages that hold nothing but what the page before held: a growing list pushes back what was seen, but not for ever. */
const maxBarren = 20;

/** The list of charges during one poll (spec 4.3). */
export class List {
	/** How many results a full page holds. */
	size = 0;
	/** When the newest charge that was seen in this poll was made. A date in the future must not make everything else look old. */
	newest = -Infinity;

	constructor(
		private readonly fetchPage: FetchPage,
		readonly budget: Budget,
		readonly watch: OrderWatch,
		/** Milliseconds since 1970. */
		private readonly now: number,
		/** Whether pages come in the size that is asked for, as far as is known. */
		public mayOverlap: boolean,
	) {}

	/** The first page, from which the others learn how long pages are: the service need not give what it is asked for. */
	async first(askedSize: number): Promise<Block> {
		const page = await this.fetch(1);
		this.size = Math.max(page.results.length, page.next ? 1 : askedSize);
		this.watch.begin();
		this.watch.add(page.results);
		return { ...page, ...placeOf(1, this.size) };
	}

	/** Any full page. Past the end it is empty. */
	async page(number: number): Promise<Block> {
		const block = await this.read(placeOf(number, this.size));
		this.watch.begin();
		this.watch.add(block.results);
		return block;
	}

	async read(place: Place): Promise<Block> {
		return { ...(await this.fetch(place.number, place.size)), ...place };
	}

	/**
	 * This page and those that follow, up to the end. Pages overlap by a few results: where two share one, nothing can have
	 * slipped between them, whatever was added or removed meanwhile. Where the service decides on the size, the count tells.
	 * Throws {@link Moved} where two pages do not fit together, {@link Inconsistent} and {@link Unreadable}.
	 */
	async *onFrom(begin: Block): AsyncGenerator<Block, void> {
		let last = begin;
		let barren = 0;
		this.watch.begin();
		this.watch.add(begin.results);
		checkEnd(begin, begin);
		yield begin;
		while (!isEnd(last)) {
			let next = await this.after(last);
			if (!this.fit(last, next)) {
				// The same places once more show what each has become the neighbour of.
				const again = await this.read(last);
				if (!shares(last, again.results.map(keyOf))) throw new Moved();
				checkEnd(again, last);
				yield again;
				if (isEnd(again)) return;
				last = again;
				// Further back than it has to, for the case that more is on the move.
				next = await this.after(last, Math.ceil(this.size / 4));
				if (!this.fit(last, next)) {
					if (this.mayOverlap) await this.testSizes();
					throw new Moved();
				}
			}
			this.watch.add(next.results, last.results);
			barren = isWithin(next, last) ? barren + 1 : 0;
			if (barren > maxBarren) {
				throw new Inconsistent(
					`Page ${next.number} of the list holds only what earlier pages held, and says that more follows`,
				);
			}
			if (next.start >= (next.count ?? Infinity) + this.size) {
				throw new Inconsistent(
					`There should be ${next.count} charges, but the pages go on after them`,
				);
			}
			// Before it is given out: who gets the end of a list may not ask for more.
			checkEnd(next, last);
			yield next;
			last = next;
		}
	}

	/** The number of the last page, by the count. */
	lastPage({ count }: Page): number | undefined {
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / this.size));
	}

	private async after(last: Block, margin = 0): Promise<Block> {
		const reach = reachOf(last);
		const wide = overlappingPlace(reach - margin, this.size);
		const isWide = wide && wide.start + wide.size > reach;
		const overlapping = isWide ? wide : overlappingPlace(reach, this.size);
		const place = this.mayOverlap ? overlapping : undefined;
		if (place) {
			const next = await this.readOverlapping(place);
			if (next) return next;
			this.mayOverlap = false;
		}
		const isFull = last.size === this.size;
		if (!isFull && !place && !this.mayOverlap) throw new Moved();
		const number = isFull ? last.number + 1 : reach / this.size + 1;
		if (!Number.isInteger(number)) throw new Moved();
		return await this.read(placeOf(number, this.size));
	}

	/** Whether the service gives a first page that is one shorter when it is asked to. */
	private async testSizes(): Promise<void> {
		const place = placeOf(1, this.size - 1);
		this.mayOverlap = (await this.readOverlapping(place)) !== undefined;
	}

	/** `undefined`: the service gives pages of other sizes than it is asked for. */
	private async readOverlapping(place: Place): Promise<Block | undefined> {
		const outcome = await this.ask(place.number, place.size);
		if ('failure' in outcome && isRefusal(outcome.failure)) return undefined;
		const block = { ...this.take(outcome), ...place };
		return hasSizeOf(place, block) ? block : undefined;
	}

	/** Whether nothing can have slipped between two pages. */
	private fit(a: Block, b: Block): boolean {
		if (b.results.length === 0) return reachOf(a) >= (a.count ?? 0);
		if (shares(a, b.results.map(keyOf))) return true;
		return b.start >= reachOf(a) && a.count === b.count;
	}

	private async fetch(number: number, size?: number): Promise<Page> {
		return this.take(await this.ask(number, size));
	}

	private async ask(number: number, size?: number): Promise<PageOutcome> {
		const outcome = await this.budget.spend(async () => await this.fetchPage(number, size));
		return number > 1 && isPastTheEnd(outcome) ? { page: nothing } : outcome;
	}

	private take(outcome: PageOutcome): Page {
		if ('failure' in outcome) throw new Unreadable(outcome.failure);
		for (const charge of outcome.page.results) {
			const time = timeOf(charge) ?? -Infinity;
			if (time <= this.now) this.newest = Math.max(this.newest, time);
		}
		return outcome.page;
	}
}

/** Whether a page has as many results as it was asked for, or those that are left. */
function hasSizeOf({ size, start }: Place, { results: { length }, next, count }: Page): boolean {
	if (length === 0 || next) return length === 0 || length === size;
	return length <= size && start + length === (count ?? start + length);
}

const reachOf = ({ start, size }: Place) => start + size;

/** Whether one of these keys is on the page. */
function shares({ results }: Page, keys: string[]): boolean {
	const own = new Set(results.map(keyOf));
	return keys.some((key) => own.has(key));
}

function isWithin(b: Page, a: Page): boolean {
	const keys = new Set(a.results.map(keyOf));
	return b.results.length > 0 && b.results.every((charge) => keys.has(keyOf(charge)));
}

/** The list must not end before its count: nothing rather than a part. */
function checkEnd(block: Block, before: Block): void {
	if (!isEnd(block)) return;
	const { results, start, count } = block;
	const reach = start + results.length;
	const wanted = count ?? before.count ?? 0;
	if (reach < wanted) {
		throw new Inconsistent(`There should be ${wanted} charges, but the pages end after ${reach}`);
	}
}
