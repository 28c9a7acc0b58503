import { anyEntryHistory } from '../helpers/lists/anyEntryHistory';
import type { EntryHistoryOptions } from '../helpers/lists/entryHistory';
import { runEntryHistory } from '../helpers/lists/entryHistory';
import { namedEntryHistories } from '../helpers/lists/namedHistories';
import { plantedEntryBugs } from '../helpers/lists/plantedEntryBugs';
import { anyFails, runAll, runDescription } from '../helpers/lists/randomHistories';

test(`[R6, T11, T12] delivers every entry exactly once (${runDescription})`, async () => {
	await runAll(anyEntryHistory, runEntryHistory);
}, 2_400_000);

test.each(Object.entries(namedEntryHistories))('%s', async (_, history) => {
	await runEntryHistory(history);
});

test.each(Object.entries(plantedEntryBugs))('histories reveal a bug: %s', async (_, core) => {
	const run = async (history: EntryHistoryOptions) => await runEntryHistory(history, core);
	expect(await anyFails(anyEntryHistory, run)).toBe(true);
});
