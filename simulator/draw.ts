import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

// More invoices must not change the charges. Append new streams: their position is part of the seed.
type Stream = 'customer' | 'invoice' | 'charge' | 'link' | 'member' | 'owner' | 'created';
const streams: Stream[] = ['customer', 'invoice', 'charge', 'link', 'member', 'owner', 'created'];

/** Repeatable random values for object `index` of a stream. */
export class Draw {
	private readonly random: RandomGenerator;

	constructor(seed: number, stream: Stream, index: number) {
		const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(streams.indexOf(stream) + 1, 0x85ebca6b);
		// A bijection of the index: no two objects of a stream are alike.
		this.random = xoroshiro128plus(Math.imul(mixed ^ index, 0xc2b2ae35));
	}

	int(min: number, max: number): number {
		return uniformInt(this.random, min, max);
	}

	chance(percent: number): boolean {
		return this.int(1, 100) <= percent;
	}

	pick<T>(values: readonly T[]): T {
		return values[this.int(0, values.length - 1)];
	}

	digits(count: number): string {
		return Array.from({ length: count }, () => this.int(0, 9)).join('');
	}

	hex(count: number): string {
		return Array.from({ length: count }, () => this.int(0, 15).toString(16)).join('');
	}

	uuid(): string {
		const hex = Array.from({ length: 4 }, () =>
			(this.random.next() >>> 0).toString(16).padStart(8, '0'),
		).join('');
		const variant = ((parseInt(hex[16], 16) & 3) | 8).toString(16);
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
	}
}

/** When seeded object `index` was made, in milliseconds since 1970. 0 is the newest. `perMoment` objects share a whole second. */
export function momentOf(
	newest: number,
	index: number,
	perMoment: number,
	secondsBetween: number,
): number {
	const first = perMoment === 1 ? newest : Math.floor(newest / 1000) * 1000;
	return first - Math.floor(index / perMoment) * secondsBetween * 1000;
}
