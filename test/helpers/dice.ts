import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Repeatable random choices for one sheet. There are too many for fast-check to shrink. */
export interface Dice {
	int(min: number, max: number): number;
	chance(percent: number): boolean;
	pick<T>(values: readonly T[]): T;
	/** A shuffled copy. */
	shuffle<T>(values: readonly T[]): T[];
}

/** Seed 0 always takes the first choice and never shuffles, so that shrunk counter-examples are easy to read. */
export function diceOf(seed: number): Dice {
	const random = xoroshiro128plus(Math.imul(seed, 0x9e3779b1));
	const int = (min: number, max: number) => (seed === 0 ? min : uniformInt(random, min, max));
	const pick = <T>(values: readonly T[]): T => values[int(0, values.length - 1)];
	return {
		int,
		pick,
		chance: (percent) => int(0, 99) >= 100 - percent,
		shuffle: (values) => {
			const rest = [...values];
			return values.map(() => rest.splice(int(0, rest.length - 1), 1)[0]);
		},
	};
}
