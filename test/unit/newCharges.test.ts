import { execFileAsync, nodeProcess, projectFolder } from '../../tools/node';
import { liveThrough } from '../helpers/chargeHistory';
import { namedChargeHistories } from '../helpers/namedHistories';
import { plantedChargeBugs } from '../helpers/plantedChargeBugs';

const { env, execPath } = nodeProcess;
const count = env.HISTORIES ?? '500';
// The same ones each time; the nightly run draws others.
const seed = env.SEED ?? '2026';

const live = async (...args: string[]) =>
	await execFileAsync(execPath, ['--import', 'tsx', 'test/helpers/histories.ts', ...args], {
		cwd: projectFolder,
	});

test(`[R6, T1, T4, T5, T7] whatever happens, every charge comes once (${count} histories, seed ${seed})`, async () => {
	const { stdout } = await live('--count', count, '--seed', seed);
	expect(stdout).toContain('each once');
}, 1_200_000);

test.each(Object.entries(namedChargeHistories))('%s', async (_, history) => {
	await liveThrough(history);
});

test.each(Object.keys(plantedChargeBugs))(
	'the histories find a planted bug: %s',
	async (bug) => {
		const end = live('--bug', bug, '--count', '500', '--seed', '2');
		await expect(end).rejects.toThrow('Property failed after');
	},
	1_200_000,
);
