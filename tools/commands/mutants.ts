import { publishResult } from '../quality/publish';
import { fs, nodeProcess, path, projectFolder, spawn } from '../node';

/** Runs Stryker on the sample in test/stryker, and publishes the score in docs/quality.md. */
async function main(): Promise<void> {
	const stryker = path.join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const settings = path.join('test', 'stryker', 'stryker.config.mjs');
	const child = spawn(nodeProcess.execPath, [stryker, 'run', settings], {
		cwd: projectFolder,
		stdio: 'inherit',
	});
	const code = await new Promise((resolve) => child.once('exit', resolve));
	if (code !== 0) throw new Error(`Stryker ended with ${String(code)}`);
	const report = path.join(projectFolder, '.cache', 'stryker.json');
	const { files } = JSON.parse(fs.readFileSync(report, 'utf8')) as {
		files: Record<string, { mutants: Array<{ status: string }> }>;
	};
	const all = Object.values(files).flatMap(({ mutants }) => mutants);
	const count = (...statuses: string[]) =>
		all.filter(({ status }) => statuses.includes(status)).length;
	const found = count('Killed', 'Timeout');
	const tried = found + count('Survived', 'NoCoverage');
	await publishResult('mutants', {
		command: 'npm run nightly -- stryker',
		figures: {
			'mutants tried': tried,
			found,
			'found of 100': Math.round((100 * found) / tried),
		},
		planted: [],
	});
}

void main();
