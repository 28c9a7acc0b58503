import { nodeProcess } from '../../tools/node';

/** Whether to run what takes too long for each save. */
export const isNight = Boolean(nodeProcess.env.NIGHTLY);

/** Every third of many similar combinations; at night all of them. */
export const someOf = <T>(combinations: readonly T[]): T[] =>
	combinations.filter((_, index) => isNight || index % 3 === 0);

/** A test that takes seconds and runs only at night. */
export const testAtNight = (...args: Parameters<jest.It>): void => {
	if (isNight) test(...args);
};
