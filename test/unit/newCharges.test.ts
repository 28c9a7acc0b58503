import { execFileAsync, nodeProcess, projectFolder } from '../../scripts/node';

const { env, execPath } = nodeProcess;
const count = env.HISTORIES ?? (env.CI ? '10000' : '1000');
// CI lives through the same ones each time; SEED and HISTORIES are for others.
const seed = env.SEED ?? (env.CI ? '2026' : String(Date.now() % 2 ** 31));

test(`whatever happens, every charge comes once (${count} histories, seed ${seed})`, async () => {
	const args = [
		'--import',
		'tsx',
		'test/properties/histories.ts',
		'--count',
		count,
		'--seed',
		seed,
	];
	const { stdout } = await execFileAsync(execPath, args, { cwd: projectFolder });
	expect(stdout).toContain('each once');
}, 1_200_000);
