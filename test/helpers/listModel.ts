import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { FetchPage, Page } from '../../nodes/shared/pagination/page';

export interface ListOptions {
	seed: number;
	/** Largest page of the service. */
	cap: number;
	/** `ignored`: every page has `cap` results, whatever the request asked for. */
	sizes: 'given' | 'ignored';
	/** `count` in the responses. `capped`: at most `cappedCount`. */
	count: 'told' | 'missing' | 'pageLength' | 'zero' | 'capped' | 'oneTooMany';
	pastTheEnd: 'empty' | 'notFound';
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
} as const;

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
		const { all, results } = this.read((page - 1) * length, page * length, page * 1000 + length);
		if (!results.length && page > 1 && pastTheEnd === 'notFound') return refuse(404);
		const next = page * length < all ? 'there is more' : null;
		return { page: { count: this.counted(all, results.length), next, results } };
	};

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
