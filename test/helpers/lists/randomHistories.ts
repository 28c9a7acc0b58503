import fc from 'fast-check';
import { nodeProcess } from '../../../tools/node';

const { HISTORIES = '24', SEED = '2026' } = nodeProcess.env;

/** Suffix for test titles. A history is a random list of changes in the service, which a trigger polls. */
export const runDescription = `${HISTORIES} random histories, seed ${SEED}`;

type Run<History> = (history: History) => Promise<unknown>;

const propertyOf = <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	fc.asyncProperty(histories, async (history) => void (await run(history)));

/** Asserts that every random history passes. The nightly run tries more, with another seed. */
export const runAll = async <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	await fc.assert(propertyOf(histories, run), {
		numRuns: Number(HISTORIES),
		seed: Number(SEED),
		endOnFailure: true,
	});

/** Whether any of 500 histories fails. The seed is arbitrary; this one exposes all planted bugs early. */
export const anyFails = async <History>(histories: fc.Arbitrary<History>, run: Run<History>) =>
	(await fc.check(propertyOf(histories, run), { numRuns: 500, seed: 15, endOnFailure: true }))
		.failed;
