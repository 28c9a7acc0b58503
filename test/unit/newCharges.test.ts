import { liveThrough } from '../helpers/chargeHistory';
import { count, findBugs, liveThroughMany, seed } from '../helpers/liveThroughMany';
import { namedChargeHistories } from '../helpers/namedHistories';
import { plantedChargeBugs } from '../helpers/plantedChargeBugs';

test(`[R6, T1, T4, T5, T7, T17] whatever happens, every charge comes once (${count} histories, seed ${seed})`, async () => {
	const said = await liveThroughMany('charges', '--count', count, '--seed', seed);
	expect(said).toContain('each once');
}, 1_200_000);

test.each(Object.entries(namedChargeHistories))('%s', async (_, history) => {
	await liveThrough(history);
});

test('the histories find each planted bug', async () => {
	const found = Object.keys(plantedChargeBugs).map((bug) => `found: ${bug}\n`);
	expect(await findBugs('charges')).toBe(found.join(''));
}, 1_200_000);
