import fc from 'fast-check';
import { nodeProcess, parseArgs } from '../../tools/node';
import { anyEntryHistory } from './anyEntryHistory';
import { anyHistory } from './anyHistory';
import { liveThrough } from './chargeHistory';
import { liveThroughEntries } from './entryHistory';
import { liveThroughWith, plantedBugs } from './plantedBugs';
import { liveThroughChargesWith, plantedChargeBugs } from './plantedChargeBugs';

/**
 * Lives through random histories: `node --import tsx test/helpers/histories.ts --of charges --count 1000 --seed 1`. `--of`: what
 * happens and is polled for, charges or the entries of a list. `--bug`: one that is planted, so that it has to fail.
 * A program of its own, because jest makes them three times as slow.
 */
const { values } = parseArgs({
	options: {
		of: { type: 'string' },
		bug: { type: 'string' },
		count: { type: 'string' },
		seed: { type: 'string' },
		limit: { type: 'string' },
	},
});
const numRuns = Number(values.count ?? 1000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const { bug } = values;
const bugs = values.of === 'entries' ? plantedBugs : plantedChargeBugs;
if (bug !== undefined && !(bug in bugs)) throw new Error(`There is no bug "${bug}"`);

const ofCharges = fc.asyncProperty(anyHistory, async (history) => {
	if (bug === undefined) await liveThrough(history);
	else await liveThroughChargesWith(bug, history);
});
const ofEntries = fc.asyncProperty(anyEntryHistory, async (history) => {
	if (bug === undefined) await liveThroughEntries(history);
	else await liveThroughWith(bug, history);
});
const settings = {
	numRuns,
	seed,
	interruptAfterTimeLimit: Number(values.limit ?? 2400) * 1000,
	markInterruptAsFailure: true,
	endOnFailure: true,
};

void (values.of === 'entries' ? fc.assert(ofEntries, settings) : fc.assert(ofCharges, settings))
	.then(() => nodeProcess.stdout.write(`${numRuns} histories, seed ${seed}: each once\n`))
	.catch((error: Error) => {
		nodeProcess.stderr.write(`${error.message}\n${String(error.cause)}\n`);
		nodeProcess.exitCode = 1;
	});
