import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { FetchPage, Page } from '../../../nodes/shared/pagination/page';

export interface ListOptions {
	seed: number;
	/** Largest page of the service. */
	cap: number;
	/** `ignored`: every page has `cap` results, whatever the request asked for. */
	sizes: 'given' | 'ignored';
	/** `count` in the responses. `capped`: at most `cappedCount`. */
	count: 'told' | 'missing' | 'pageLength' | 'zero' | 'capped' | 'oneTooMany';
	pastTheEnd: 'empty' | 'notFound';
	/** Rows that the service lists twice (and counts twice), or leaves out of pages after it has cut them (but counts). */
	rows?: 'twice' | 'dropped';
	/** Percent of steps before which the clock of n8n is set back by an hour or three. */
	setBack?: number;
	/** The service refuses pages beyond `most` results with `status`. */
	depth?: { most: number; status: number };
}

export const anyListOptions = {
	seed: fc.integer(),
	cap: fc.oneof(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 10, max: 30 }), fc.constant(100)),
	sizes: fc.constantFrom('given', 'given', 'ignored'),
	count: fc.constantFrom(
		...(['told', 'told', 'told', 'told', 'missing'] as const),
		...(['pageLength', 'zero', 'capped', 'oneTooMany'] as const),
	),
	pastTheEnd: fc.constantFrom('empty', 'notFound'),
	setBack: fc.constantFrom(0, 0, 0, 10),
	rows: fc.constantFrom(...Array<undefined>(8).fill(undefined), 'twice', 'dropped'),
} as const;

/** Number of rows before the extra one. */
const extraRow = 8;

/** Milliseconds until a poll that begins now should end. */
export function leftOf(list: { readonly now: number }, time: number): () => number {
	const until = list.now + time;
	return () => until - list.now;
}

/** A list of the service. The test moves time on. */
export abstract class ListModel<Options extends ListOptions> {
	now = Date.UTC(2026, 5, 1);
	requests = 0;
	/** Runs before each response. */
	beforeRequest: () => void = () => {};
	/** Duration of a request in milliseconds. */
	latency = 100;
	/** Number of requests that fail from now on. */
	failing = 0;
	/** Milliseconds by which n8n's clock is behind. */
	private behind = 0;
	protected abstract readonly path: string;
	protected abstract readonly cappedCount: number;
	private readonly random: RandomGenerator;

	constructor(readonly options: Options) {
		this.random = xoroshiro128plus(options.seed);
	}

	/** A whole number from `least` to `most`. */
	draw(least: number, most: number): number {
		return uniformInt(this.random, least, most);
	}

	chance(percent: number): boolean {
		return this.draw(1, 100) <= percent;
	}

	/** The time on n8n's clock. */
	readonly machineTime = (): number => this.now - this.behind;

	/** Sets the clock of n8n back, perhaps. */
	setBack(): void {
		if (this.chance(this.options.setBack ?? 0))
			this.behind += this.draw(0, 1) ? 3_600_000 : 3 * 3_600_000;
	}

	readonly fetchPage: FetchPage = async (page, size) => {
		this.requests += 1;
		this.beforeRequest();
		this.now += this.latency;
		const refuse = (status: number) => ({
			failure: { kind: 'status' as const, status, method: 'GET', path: this.path },
		});
		if (this.failing > 0) {
			this.failing -= 1;
			return refuse(503);
		}
		const { cap, sizes, pastTheEnd, depth } = this.options;
		const length = sizes === 'ignored' ? cap : Math.min(cap, size ?? 100);
		if (depth && page * length > depth.most) return refuse(depth.status);
		const { all, results } = this.readRows(
			(page - 1) * length,
			page * length,
			page * 1000 + length,
		);
		if (!results.length && page > 1 && pastTheEnd === 'notFound') return refuse(404);
		const next = page * length < all ? 'there is more' : null;
		return { page: { count: this.counted(all, results.length), next, results } };
	};

	/** With an extra row, which is a copy of the row before it, or hidden. */
	private readRows(start: number, end: number, page: number): ReturnType<typeof this.read> {
		const { rows } = this.options;
		if (rows === undefined) return this.read(start, end, page);
		const first = start > extraRow ? start - 1 : start;
		const read = this.read(first, end > extraRow ? end - 1 : end, page);
		const { all, results } = read;
		if (all < extraRow) return this.read(start, end, page);
		const at = extraRow - start;
		if (rows === 'dropped' || at < 0 || end <= extraRow) return { all: all + 1, results };
		const copy = at > 0 ? results.slice(at - 1, at) : this.read(first - 1, first, page).results;
		return { all: all + 1, results: [...results.slice(0, at), ...copy, ...results.slice(at)] };
	}

	/** `all`: length of the list; `results`: a slice of it. `page`: identifies the page and its size. */
	protected abstract read(
		start: number,
		end: number,
		page: number,
	): { all: number; results: Page['results'] };

	private counted(all: number, length: number): number | undefined {
		switch (this.options.count) {
			case 'told':
				return all;
			case 'missing':
				return undefined;
			case 'pageLength':
				return length;
			case 'zero':
				return 0;
			case 'capped':
				return Math.min(all, this.cappedCount);
			case 'oneTooMany':
				return all + 1;
		}
	}
}
