import { liveThroughEntries } from '../helpers/entryHistory';
import { count, findBugs, liveThroughMany, seed } from '../helpers/liveThroughMany';
import { namedEntryHistories } from '../helpers/namedHistories';
import { plantedBugs } from '../helpers/plantedBugs';

test(`[R6, T11, T12] whatever happens, every entry comes once (${count} histories, seed ${seed})`, async () => {
	const said = await liveThroughMany('entries', '--count', count, '--seed', seed);
	expect(said).toContain('each once');
}, 2_400_000);

test.each(Object.entries(namedEntryHistories))('%s', async (_, history) => {
	await liveThroughEntries(history);
});

test('the histories find each planted bug', async () => {
	const found = Object.keys(plantedBugs).map((bug) => `found: ${bug}\n`);
	expect(await findBugs('entries')).toBe(found.join(''));
}, 1_200_000);
