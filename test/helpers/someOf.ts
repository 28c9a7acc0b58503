import { nodeProcess } from '../../tools/node';

/** Whether everything is run that takes too long for each save. */
export const isNight = Boolean(nodeProcess.env.NIGHTLY);

/** Of many combinations of the same few things every third; the nightly run takes all of them. */
export const someOf = <T>(combinations: readonly T[]): T[] =>
	combinations.filter((_, index) => isNight || index % 3 === 0);

/** A test of sizes that take seconds; the nightly run has it. */
export const testAtNight = (...args: Parameters<jest.It>): void => {
	if (isNight) test(...args);
};
