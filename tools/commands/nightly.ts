import { stopChildren } from '../host/processes';
import { keptFolder, log, nodeProcess, parseArgs, path } from '../node';
import { publishPage, publishResult } from '../quality/publish';
import { takeKeptResults } from '../quality/results';
import { runJest, runNode } from './runJest';

/**
 * What takes too long for each push. `npm run nightly` runs all parts, `npm run nightly -- soak hostile` only some. Parts publish
 * their figures in the documentation.
 */
interface Part {
	about: string;
	/** Arguments of jest, or (`run`) of Node. */
	jest?: string[];
	run?: string[];
	env?: Record<string, string>;
}

/** New in each run. A failure prints it, and becomes a named case. */
const seed = nodeProcess.env.SEED ?? String(Date.now() % 2 ** 31);
const program = (file: string, ...args: string[]) => ['--import', 'tsx', file, ...args];
const projects = (...names: string[]) => names.flatMap((name) => ['--selectProjects', name]);

const parts: Record<string, Part> = {
	fast: {
		about: 'npm test with every combination, 10,000 random histories and 2,000 random sheets',
		jest: [...projects('unit', 'engine'), '--maxWorkers=2'],
		env: { NIGHTLY: '1', HISTORIES: '10000', SHEETS: '2000', SEED: seed },
	},
	e2e: {
		about: 'npm run test:e2e on each engine of n8n, restarts and kills; the search for secrets',
		// One file at a time: with three engines of n8n beside a browser on two cores, executions ended minutes late.
		jest: [...projects('e2e', 'nightly'), '--runInBand'],
		env: { NIGHTLY: '1' },
	},
	versions: {
		about: 'the core of it on the oldest and the newest n8n',
		run: program('tools/commands/compat.ts', '--publish'),
	},
	hostile: {
		about: '500 cases of a hostile service',
		jest: [...projects('hostile'), '--maxWorkers=2'],
		env: { SEED: seed },
	},
	soak: {
		about: 'half an hour of simulated weeks',
		jest: [...projects('soak'), '--runInBand'],
		env: { SEED: seed },
	},
	scale: {
		about: 'queue mode under load',
		jest: [...projects('scale'), '--runInBand'],
	},
	memory: {
		about: 'memory of n8n for large executions',
		run: program('tools/bench/cost.ts', '--publish'),
	},
	bench: {
		about: 'speed beside the HTTP Request node',
		run: program('tools/bench/bench.ts', '--publish'),
	},
	stryker: {
		about: 'a sample of mutants of the code where money is',
		run: program('tools/commands/mutants.ts'),
	},
	pictures: {
		about: 'a screenshot of the documentation, taken anew',
		run: program(
			'tools/commands/screenshots.ts',
			'trigger',
			'--out',
			path.join(keptFolder, 'pictures'),
		),
	},
};

const reportOf = (name: string) => path.join(keptFolder, `nightly-${name}.json`);

/** Publishes the figures of a part that passes. */
async function runPart(name: string, { jest, run = [], env }: Part) {
	const begin = Date.now();
	takeKeptResults();
	const code = jest
		? (await runJest(jest, reportOf(name), { env })).code
		: await runNode(run, { env });
	if (code === 0) for (const [kept, result] of takeKeptResults()) await publishResult(kept, result);
	return { name, isGood: code === 0, seconds: Math.round((Date.now() - begin) / 1000) };
}

async function main(): Promise<void> {
	const { positionals: wanted } = parseArgs({ allowPositionals: true });
	const unknown = wanted.filter((name) => !(name in parts) && name !== 'page');
	if (unknown.length) {
		const known = Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`);
		throw new Error(
			`There is no part ${unknown.join(', ')}. There are:\n${known.join('\n')}\n  page      docs/quality.md alone`,
		);
	}
	const names = Object.keys(parts).filter((name) => wanted.length === 0 || wanted.includes(name));
	const ends: Array<Awaited<ReturnType<typeof runPart>>> = [];
	for (const name of names) {
		log(`\n== ${name}: ${parts[name].about}`);
		ends.push(await runPart(name, parts[name]));
	}
	if (wanted.length === 0 || wanted.includes('page')) await publishPage();
	log(`\nseed ${seed}`);
	for (const { name, isGood, seconds } of ends)
		log(`${isGood ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
	if (ends.some(({ isGood }) => !isGood)) nodeProcess.exitCode = 1;
}

for (const signal of ['SIGTERM', 'SIGHUP']) nodeProcess.on(signal, stopChildren);
void main().catch((error: Error) => {
	log(error.message);
	nodeProcess.exitCode = 1;
});
