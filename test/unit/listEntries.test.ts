import { execFileAsync, nodeProcess, projectFolder } from '../../scripts/node';
import { plantedBugs } from '../helpers/plantedBugs';

const { env, execPath } = nodeProcess;
const count = env.HISTORIES ?? '1000';
// CI lives through the same ones each time; SEED and HISTORIES are for others.
const seed = env.SEED ?? (env.CI ? '2026' : String(Date.now() % 2 ** 31));

const live = async (...args: string[]) =>
	await execFileAsync(
		execPath,
		['--import', 'tsx', 'test/properties/histories.ts', '--of', 'entries', ...args],
		{ cwd: projectFolder },
	);

test(`whatever happens, every entry comes once (${count} histories, seed ${seed})`, async () => {
	const { stdout } = await live('--count', count, '--seed', seed);
	expect(stdout).toContain('each once');
}, 2_400_000);

test.each(Object.keys(plantedBugs))(
	'the histories find a planted bug: %s',
	async (bug) => {
		const end = live('--bug', bug, '--count', '2000', '--seed', '1');
		await expect(end).rejects.toThrow('Property failed after');
	},
	1_200_000,
);
