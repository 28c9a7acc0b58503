import { execFileAsync, nodeProcess, projectFolder } from '../../scripts/node';

const { env, execPath } = nodeProcess;
const count = env.HISTORIES ?? (env.CI ? '3000' : '1000');
const seed = env.SEED ?? String(Date.now() % 2 ** 31);

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
	expect(stdout).toContain('every charge once');
}, 1_200_000);
