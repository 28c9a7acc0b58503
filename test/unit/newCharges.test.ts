import { anyChargeHistory } from '../helpers/lists/anyChargeHistory';
import type { ChargeHistoryOptions } from '../helpers/lists/chargeHistory';
import { runChargeHistory } from '../helpers/lists/chargeHistory';
import { namedChargeHistories } from '../helpers/lists/namedHistories';
import { plantedChargeBugs } from '../helpers/lists/plantedChargeBugs';
import { anyFails, runAll, runDescription } from '../helpers/lists/randomHistories';

test(`[R6, T1, T4, T5, T7, T17] delivers every charge exactly once (${runDescription})`, async () => {
	await runAll(anyChargeHistory, runChargeHistory);
}, 2_400_000);

test.each(Object.entries(namedChargeHistories))('%s', async (_, history) => {
	await runChargeHistory(history);
});

test.each(Object.entries(plantedChargeBugs))('histories reveal a bug: %s', async (_, core) => {
	const run = async (history: ChargeHistoryOptions) => await runChargeHistory(history, core);
	expect(await anyFails(anyChargeHistory, run)).toBe(true);
});
