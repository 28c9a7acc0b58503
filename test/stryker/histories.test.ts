import fc from 'fast-check';
import { anyEntryHistory } from '../helpers/lists/anyEntryHistory';
import { anyChargeHistory } from '../helpers/lists/anyChargeHistory';
import { runChargeHistory } from '../helpers/lists/chargeHistory';
import { runEntryHistory } from '../helpers/lists/entryHistory';

// As in test/unit, but in the process in which Stryker sees what they cover, and so only a few.
const settings = { numRuns: 15, seed: 2026, endOnFailure: true };

test('every charge comes once', async () => {
	await fc.assert(
		fc.asyncProperty(anyChargeHistory, async (history) => void (await runChargeHistory(history))),
		settings,
	);
});

test('every entry comes once', async () => {
	await fc.assert(
		fc.asyncProperty(anyEntryHistory, async (history) => void (await runEntryHistory(history))),
		settings,
	);
});
