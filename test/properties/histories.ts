import fc from 'fast-check';
import { nodeProcess, parseArgs } from '../../scripts/node';
import { anyHistory } from '../helpers/anyHistory';
import { liveThrough } from '../helpers/chargeHistory';

/**
 * Lives through random histories of charges and polls: `node --import tsx test/properties/histories.ts --count 1000 --seed 1`.
 * A program of its own, because jest makes them three times as slow.
 */
const { values } = parseArgs({
	options: { count: { type: 'string' }, seed: { type: 'string' }, limit: { type: 'string' } },
});
const numRuns = Number(values.count ?? 1000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);

void fc
	.assert(
		fc.asyncProperty(anyHistory, async (history) => await liveThrough(history)),
		{
			numRuns,
			seed,
			interruptAfterTimeLimit: Number(values.limit ?? 1200) * 1000,
			markInterruptAsFailure: true,
			endOnFailure: true,
		},
	)
	.then(() => nodeProcess.stdout.write(`${numRuns} histories, seed ${seed}: every charge once\n`))
	.catch((error: Error) => {
		nodeProcess.stderr.write(`${error.message}\n${String(error.cause)}\n`);
		nodeProcess.exitCode = 1;
	});
