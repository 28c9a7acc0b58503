import { nodeProcess } from '../../scripts/node';

/**
 * Of many combinations of the same few things every third, and in CI (where the environment variable CI is set) all of them: what
 * is tried while one works takes a minute, and nothing gets in without the rest.
 */
export const someOf = <T>(combinations: readonly T[]): T[] =>
	combinations.filter((_, index) => Boolean(nodeProcess.env.CI) || index % 3 === 0);
