import { nodeProcess } from '../../tools/node';

/** Whether the slow tests run as well. */
export const isNight = Boolean(nodeProcess.env.NIGHTLY);

/** Every third of many combinations, and nightly all of them. */
export const someOf = <T>(combinations: readonly T[]): T[] =>
	combinations.filter((_, index) => isNight || index % 3 === 0);

/** A slow test that only runs nightly. */
export const testAtNight = (...args: Parameters<jest.It>): void => {
	if (isNight) test(...args);
};
