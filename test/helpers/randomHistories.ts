import fc from 'fast-check';
import { nodeProcess } from '../../tools/node';

const { HISTORIES = '100', SEED = '2026' } = nodeProcess.env;

/** For titles. */
export const draws = `${HISTORIES} random histories, seed ${SEED}`;

type Run<History> = (history: History) => Promise<unknown>;

const propertyOf = <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	fc.asyncProperty(histories, async (history) => void (await run(history)));

/** Fails if one of them does. The nightly run draws more, from another seed. */
export const runAll = async <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	await fc.assert(propertyOf(histories, run), {
		numRuns: Number(HISTORIES),
		seed: Number(SEED),
		endOnFailure: true,
	});

/** Whether one of 500 histories fails. Any seed would do; with this one, all planted bugs show up early. */
export const anyFails = async <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	(await fc.check(propertyOf(histories, run), { numRuns: 500, seed: 15, endOnFailure: true }))
		.failed;
