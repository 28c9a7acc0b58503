import { execFileAsync, fs, keptFolder, nodeProcess, os, path, projectFolder } from '../node';

/** The result of a long run, for `docs/quality.md`. */
export interface Result {
	/** The command to repeat it. */
	command: string;
	/** Units are part of the name or the text: `{ 'invoices created twice, all reported': 6 }`. */
	figures: Record<string, number | string>;
	/** Faults that were planted to see if the run catches them. */
	planted: Array<{ fault: string; caught: string }>;
}

export interface StoredResult extends Result {
	/** `YYYY-MM-DD` */
	date: string;
	/** Missing in old results. */
	commit?: string;
	machine: { cores: number; node: string };
}

export type RunName =
	| 'bench'
	| 'compat'
	| 'cost'
	| 'hostileNode'
	| 'hostileTrigger'
	| 'mutants'
	| 'scale'
	| 'secrets'
	| 'soak';

const folder = path.join(projectFolder, 'tools', 'quality', 'results');
const fileOf = (name: string) => path.join(folder, `${name}.json`);

const git = async (...args: string[]) =>
	(await execFileAsync('git', args, { cwd: projectFolder })).stdout.trim();

export const machine = () => ({ cores: os.cpus().length, node: nodeProcess.version });

function write(name: string, content: object): void {
	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(fileOf(name), `${JSON.stringify(content, null, '\t')}\n`);
}

const keptFile = (name: string) => path.join(keptFolder, `result-${name}.json`);

/** Keeps the result of a run that goes on, until `npm run nightly` knows whether it passes. */
export function keepResult(name: RunName, result: Result): void {
	fs.mkdirSync(keptFolder, { recursive: true });
	fs.writeFileSync(keptFile(name), JSON.stringify(result));
}

/** Gives the kept results, and forgets them. */
export function takeKeptResults(): Array<[RunName, Result]> {
	return runNames
		.filter((name) => fs.existsSync(keptFile(name)))
		.map((name) => {
			const result = JSON.parse(fs.readFileSync(keptFile(name), 'utf8')) as Result;
			fs.rmSync(keptFile(name));
			return [name, result];
		});
}

/** Only for publish.ts, which also writes the pages that show the result. */
export const storeResult = (name: RunName, result: StoredResult): void => write(name, result);

function read<T>(name: string): T | undefined {
	const file = fileOf(name);
	if (!fs.existsSync(file)) return undefined;
	return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
}

/** `undefined`: there was none. */
export const readResult = (name: RunName): StoredResult | undefined => read(name);

/** Names, icons and search words are only seen in the editor. */
const code = ':(glob)nodes/**/*.ts';

/** Files that each run measures. */
const subjects: Record<RunName, string[]> = {
	bench: [code, 'tools/bench/bench.ts', 'tools/bench/nodes.ts'],
	compat: ['nodes', 'credentials', 'test/e2e', 'tools/host'],
	cost: [code, 'tools/bench/cost.ts', 'tools/bench/nodes.ts'],
	hostileNode: [code, 'test/hostile'],
	hostileTrigger: [code, 'test/hostile'],
	mutants: [code, 'test/fixtures', 'test/setup', 'test/stryker'],
	scale: [code, 'test/scale', 'tools/host'],
	secrets: ['nodes', 'credentials', 'test/e2e'],
	soak: [code, 'test/soak', 'tools/host'],
};

const runNames = Object.keys(subjects) as RunName[];

async function subjectsOf(name: RunName): Promise<string[]> {
	if (name !== 'mutants') return subjects[name];
	// Only here, because it loads TypeScript.
	const { mutantTests } = await import('./mutantTests');
	return [...subjects.mutants, ...mutantTests()];
}

/** Ends with `+` if what the run measures has changed since. `unknown` outside of a repository. */
async function commitOf(name: RunName): Promise<string> {
	const commit = await git('describe', '--always', '--exclude', '*');
	const changed = await git('status', '--porcelain', '--', ...(await subjectsOf(name)));
	return changed ? `${commit}+` : commit;
}

/** When and of what a result is. Not by `Date`, which tests replace. */
export const stamp = async (name: RunName) => ({
	date: new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10),
	commit: await commitOf(name).catch(() => 'unknown'),
});

/** Runs whose subject changed since. */
export async function oldRuns(): Promise<RunName[]> {
	const checked = runNames.map(async (name) => {
		const commit = readResult(name)?.commit?.replace('+', '');
		if (!commit) return readResult(name) ? name : undefined;
		const files = await subjectsOf(name);
		const changed = await git('diff', '--name-only', commit, '--', ...files).catch(
			() => 'the commit is not known here',
		);
		return changed ? name : undefined;
	});
	return (await Promise.all(checked)).flatMap((name) => name ?? []);
}
