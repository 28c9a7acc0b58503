import type { Mutation } from '../../test/mutations/mutations';
import { mutations } from '../../test/mutations/mutations';
import { fs, log, nodeProcess, os, parseArgs, path, projectFolder } from '../node';
import type { JestReport } from './runJest';
import { runJest } from './runJest';

/**
 * Plants each defect of `test/mutations` in a copy of the project, and runs the test that must find it. Arguments select
 * mutations by words in their names. Exits with 1 unless every defect is found.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'mutations-'));

/** Tests in the copy import the copy's sources. */
function makeCopy(): void {
	const left = ['node_modules', '.git', '.cache'];
	for (const name of fs.readdirSync(projectFolder).filter((one) => !left.includes(one)))
		fs.cpSync(path.join(projectFolder, name), path.join(copy, name), { recursive: true });
	fs.symlinkSync(path.join(projectFolder, 'node_modules'), path.join(copy, 'node_modules'));
}

// Titles may contain IDs of promises.
const literally = (text: string) =>
	text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, ' (?:\\[[A-Z\\d, ]+\\] )?');
const withoutIds = (title: string) => title.replace(/\[[A-Z]\d+(?:, [A-Z]\d+)*\] /g, '');

/** The seed is fixed, so that no defect is found by luck. */
async function runTests(some: Mutation[]): Promise<JestReport> {
	const files = [...new Set(some.map(({ foundBy }) => foundBy.file))];
	const titles = some.map(({ foundBy }) => literally(foundBy.test)).join('|');
	const args = ['--selectProjects', 'unit', 'engine', '--runTestsByPath', ...files, '-t', titles];
	const { report } = await runJest(args, path.join(copy, 'report.json'), {
		cwd: copy,
		env: { SEED: '2026', HISTORIES: '200', SHEETS: '500', ...nodeProcess.env },
		stdio: ['ignore', 'ignore', 'ignore'],
	});
	if (!report) throw new Error(`Jest gave no report for ${files.join(', ')}`);
	return report;
}

function countOf({ testResults }: JestReport, { foundBy }: Mutation, status: string): number {
	const file = testResults.find(({ name }) => name.endsWith(path.normalize(foundBy.file)));
	const tests = file?.assertionResults.filter(({ fullName }) =>
		withoutIds(fullName).includes(foundBy.test),
	);
	return tests?.filter((one) => one.status === status).length ?? 0;
}

async function runPlanted(one: Mutation): Promise<JestReport> {
	const { name, file, from, to } = one;
	const target = path.join(copy, file);
	const source = fs.readFileSync(target, 'utf8');
	const [before, after, ...more] = source.split(from);
	if (after === undefined || more.length) throw new Error(`${name}: ${file} has not one "${from}"`);
	fs.writeFileSync(target, before + to + after);
	return await runTests([one]).finally(() => fs.writeFileSync(target, source));
}

/** Whether it was found, and the details. `clean`: the report without it. */
async function verdictOn(one: Mutation, clean: JestReport): Promise<[boolean, string]> {
	if (countOf(clean, one, 'failed')) return [false, 'RED WITHOUT IT'];
	if (!countOf(clean, one, 'passed')) return [false, 'NO SUCH TEST'];
	const { testResults } = await runPlanted(one);
	for (const { name, assertionResults } of testResults) {
		const failed = assertionResults.find(({ status }) => status === 'failed');
		if (failed) return [true, `${path.relative(copy, name)}: ${failed.fullName}`];
	}
	// A file without results could not be loaded.
	const broken = testResults.find((result) => result.message && !result.assertionResults.length);
	return [false, broken ? `DOES NOT RUN: ${broken.message.slice(0, 300)}` : 'NOT FOUND'];
}

async function main(): Promise<void> {
	const isChosen = ({ name }: Mutation) => positionals.some((word) => name.includes(word));
	const chosen = positionals.length ? mutations.filter(isChosen) : mutations;
	makeCopy();
	const clean = await runTests(chosen);
	let found = 0;
	for (const one of chosen) {
		const [isFound, words] = await verdictOn(one, clean);
		found += Number(isFound);
		log(`${isFound ? 'found ' : 'MISSED'} | ${one.name} | ${words}`);
	}
	log(`${found} of ${chosen.length} planted behaviours found`);
	nodeProcess.exitCode = found === chosen.length ? 0 : 1;
}

void main().finally(() => fs.rmSync(copy, { recursive: true, force: true }));
