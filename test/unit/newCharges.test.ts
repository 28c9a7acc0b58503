import { anyChargeHistory } from '../helpers/anyChargeHistory';
import type { ChargeHistoryOptions } from '../helpers/chargeHistory';
import { runChargeHistory } from '../helpers/chargeHistory';
import { namedChargeHistories } from '../helpers/namedHistories';
import { plantedChargeBugs } from '../helpers/plantedChargeBugs';
import { anyFails, runAll, runDescription } from '../helpers/randomHistories';

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
