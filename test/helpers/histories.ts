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
 * happens and is polled for, charges or the entries of a list. `--bugs`: with each planted bug in turn, and says which were found.
 * A program of its own, because jest makes them three times as slow.
 */
const { values } = parseArgs({
	options: {
		of: { type: 'string' },
		bugs: { type: 'boolean' },
		count: { type: 'string' },
		seed: { type: 'string' },
		limit: { type: 'string' },
	},
});
const settings = {
	numRuns: Number(values.count ?? 1000),
	seed: Number(values.seed ?? Date.now() % 2 ** 31),
	interruptAfterTimeLimit: Number(values.limit ?? 2400) * 1000,
	markInterruptAsFailure: true,
	endOnFailure: true,
};
const isOfEntries = values.of === 'entries';

/** Lives through them all. Throws if something went wrong in one. `bug`: with this one planted. */
async function live(bug?: string): Promise<void> {
	const ofCharges = fc.asyncProperty(anyHistory, async (history) => {
		if (bug === undefined) await liveThrough(history);
		else await liveThroughChargesWith(bug, history);
	});
	const ofEntries = fc.asyncProperty(anyEntryHistory, async (history) => {
		if (bug === undefined) await liveThroughEntries(history);
		else await liveThroughWith(bug, history);
	});
	await (isOfEntries ? fc.assert(ofEntries, settings) : fc.assert(ofCharges, settings));
}

async function main(): Promise<void> {
	if (!values.bugs) {
		await live();
		nodeProcess.stdout.write(`${settings.numRuns} histories, seed ${settings.seed}: each once\n`);
		return;
	}
	for (const bug of Object.keys(isOfEntries ? plantedBugs : plantedChargeBugs)) {
		const isFound = await live(bug).then(
			() => false,
			({ message }: Error) => message.startsWith('Property failed after'),
		);
		nodeProcess.stdout.write(`${isFound ? 'found' : 'missed'}: ${bug}\n`);
	}
}

void main().catch((error: Error) => {
	nodeProcess.stderr.write(`${error.message}\n${String(error.cause)}\n`);
	nodeProcess.exitCode = 1;
});
