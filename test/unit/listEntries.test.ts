import { execFileAsync, nodeProcess, projectFolder } from '../../tools/node';
import { liveThroughEntries } from '../helpers/entryHistory';
import { namedEntryHistories } from '../helpers/namedHistories';
import { plantedBugs } from '../helpers/plantedBugs';

const { env, execPath } = nodeProcess;
const count = env.HISTORIES ?? '500';
// The same ones each time; the nightly run draws others.
const seed = env.SEED ?? '2026';

const live = async (...args: string[]) =>
	await execFileAsync(
		execPath,
		['--import', 'tsx', 'test/helpers/histories.ts', '--of', 'entries', ...args],
		{ cwd: projectFolder },
	);

test(`[R6, T11, T12] whatever happens, every entry comes once (${count} histories, seed ${seed})`, async () => {
	const { stdout } = await live('--count', count, '--seed', seed);
	expect(stdout).toContain('each once');
}, 2_400_000);

test.each(Object.entries(namedEntryHistories))('%s', async (_, history) => {
	await liveThroughEntries(history);
});

test.each(Object.keys(plantedBugs))(
	'the histories find a planted bug: %s',
	async (bug) => {
		const end = live('--bug', bug, '--count', '500', '--seed', '2');
		await expect(end).rejects.toThrow('Property failed after');
	},
	1_200_000,
);
