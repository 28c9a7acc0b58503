import type { Mutation } from '../../test/mutations/mutations';
import { mutations } from '../../test/mutations/mutations';
import { fs, log, nodeProcess, os, parseArgs, path, projectFolder, spawn } from '../node';
import { saveResult } from '../quality/results';

/**
 * Plants each defect of `test/mutations` in a copy of the project, one at a time, and runs the test that has to find it. Arguments
 * are words: only the mutations whose names contain one are planted. With `--all` every unit and engine test runs, up to the
 * first that fails. Exits with 1 unless every defect is found.
 */
const { values, positionals } = parseArgs({
	options: { all: { type: 'boolean' } },
	allowPositionals: true,
});

/** What of jest's report counts. */
interface Report {
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ fullName: string; status: 'passed' | 'failed' | 'pending' }>;
	}>;
}

const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'mutations-'));
const report = path.join(copy, 'report.json');

/** Copies all but what is installed or kept. The tests import what is beside them: the sources of the copy. */
function makeCopy(): void {
	const left = ['node_modules', '.git', '.cache'];
	for (const name of fs.readdirSync(projectFolder).filter((one) => !left.includes(one)))
		fs.cpSync(path.join(projectFolder, name), path.join(copy, name), { recursive: true });
	fs.symlinkSync(path.join(projectFolder, 'node_modules'), path.join(copy, 'node_modules'));
}

/** The seed is fixed, so that a mutation is not found by luck. */
async function runJest(args: string[]): Promise<Report> {
	fs.rmSync(report, { force: true });
	const jest = path.join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
	const output = ['--json', '--outputFile', report, '--silent'];
	const child = spawn(
		nodeProcess.execPath,
		[jest, '--selectProjects', 'unit', 'engine', ...output, ...args],
		{
			cwd: copy,
			env: { SEED: '2026', HISTORIES: '200', SHEETS: '100', ...nodeProcess.env },
			stdio: ['ignore', 'ignore', 'pipe'],
		},
	);
	let words = '';
	child.stderr?.on('data', (part) => (words += String(part)));
	await new Promise((resolve) => child.once('close', resolve));
	if (fs.existsSync(report)) return JSON.parse(fs.readFileSync(report, 'utf8')) as Report;
	// Jest stops at the first failure without a report, but says what failed.
	const [, name] = /^FAIL\s.*?(test\/\S+)/m.exec(words) ?? [];
	const [, title] = /^\s*● (.+)$/m.exec(words) ?? [];
	if (!name || !title) throw new Error(`Jest failed: ${words.slice(-2000)}`);
	const assertionResults = [{ fullName: title.replace(/ › /g, ' '), status: 'failed' as const }];
	return { testResults: [{ name: path.join(copy, name), message: '', assertionResults }] };
}

/** A pattern for titles that may have the IDs of promises in them. */
const literally = (text: string) =>
	text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, ' (?:\\[[A-Z\\d, ]+\\] )?');
const withoutIds = (title: string) => title.replace(/\[[A-Z]\d+(?:, [A-Z]\d+)*\] /g, '');

/** The tests that find these mutations, and no others. */
async function runTests(some: Mutation[]): Promise<Report> {
	const files = [...new Set(some.map(({ foundBy }) => foundBy.file))];
	const titles = some.map(({ foundBy }) => literally(foundBy.test)).join('|');
	return await runJest(['--runTestsByPath', ...files, '-t', titles]);
}

/** How often the test of a mutation ended in this way. */
function countOf({ testResults }: Report, { foundBy }: Mutation, status: string): number {
	const file = testResults.find(({ name }) => name.endsWith(path.normalize(foundBy.file)));
	const tests = file?.assertionResults.filter(({ fullName }) =>
		withoutIds(fullName).includes(foundBy.test),
	);
	return tests?.filter((one) => one.status === status).length ?? 0;
}

/** Runs something while the mutation is planted in the copy. */
async function planted<T>({ name, file, from, to }: Mutation, work: () => Promise<T>): Promise<T> {
	const target = path.join(copy, file);
	const source = fs.readFileSync(target, 'utf8');
	if (source.split(from).length !== 2) throw new Error(`${name}: ${file} has not one "${from}"`);
	fs.writeFileSync(
		target,
		source.replace(from, () => to),
	);
	return await work().finally(() => fs.writeFileSync(target, source));
}

/** What became of a mutation, and whether it was found. `clean`: the tests without it. */
async function verdictOn(one: Mutation, clean?: Report): Promise<[boolean, string]> {
	if (clean && countOf(clean, one, 'failed')) return [false, 'RED WITHOUT IT'];
	if (clean && !countOf(clean, one, 'passed')) return [false, 'NO SUCH TEST'];
	const { testResults } = await planted(one, async () =>
		clean ? await runTests([one]) : await runJest(['--bail', '--maxWorkers=2']),
	);
	for (const { name, assertionResults } of testResults) {
		const failed = assertionResults.find(({ status }) => status === 'failed');
		if (failed) return [true, `${path.relative(copy, name)}: ${failed.fullName}`];
	}
	// A file without results did not even load.
	const broken = testResults.find((result) => result.message && !result.assertionResults.length);
	return [false, broken ? `DOES NOT RUN: ${broken.message.slice(0, 300)}` : 'NOT FOUND'];
}

async function main(): Promise<void> {
	const isChosen = ({ name }: Mutation) => positionals.some((word) => name.includes(word));
	const chosen = positionals.length ? mutations.filter(isChosen) : mutations;
	makeCopy();
	const clean = values.all ? undefined : await runTests(chosen);
	let found = 0;
	for (const one of chosen) {
		const [isFound, words] = await verdictOn(one, clean);
		found += Number(isFound);
		log(`${isFound ? 'found ' : 'MISSED'} | ${one.name} | ${words}`);
	}
	log(`${found} of ${chosen.length} planted behaviours found`);
	nodeProcess.exitCode = found === chosen.length ? 0 : 1;
	if (chosen !== mutations || values.all) return;
	const figures = { 'defects planted': chosen.length, 'found by the test that names them': found };
	await saveResult('mutations', { command: 'npm run nightly -- mutations', figures, planted: [] });
}

void main().finally(() => fs.rmSync(copy, { recursive: true, force: true }));
