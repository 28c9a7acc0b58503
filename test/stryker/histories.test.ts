import fc from 'fast-check';
import { anyEntryHistory } from '../helpers/anyEntryHistory';
import { anyHistory } from '../helpers/anyHistory';
import { liveThrough } from '../helpers/chargeHistory';
import { liveThroughEntries } from '../helpers/entryHistory';

// As in test/unit, but in the process in which Stryker sees what they cover, and so only a few.
const settings = { numRuns: 15, seed: 2026, endOnFailure: true };

test('every charge comes once', async () => {
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => void (await liveThrough(history))),
		settings,
	);
});

test('every entry comes once', async () => {
	await fc.assert(
		fc.asyncProperty(anyEntryHistory, async (history) => void (await liveThroughEntries(history))),
		settings,
	);
});
