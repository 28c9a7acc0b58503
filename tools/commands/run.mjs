/**
 * Runs a command of the project, and first installs what is missing. Plain JavaScript without dependencies, because a fresh clone
 * has none.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = (...parts) => join(root, 'node_modules', ...parts);
/** As a loader, because the `tsx` command kills its child shortly after a signal. */
const tsx = ['--import', 'tsx'];
const jest = bin('jest', 'bin', 'jest.js');

const e2e = [jest, '--selectProjects', 'e2e', '--maxWorkers=2'];

/** The commands of package.json. An option as the first argument selects other steps. */
const commands = {
	start: {
		steps: [build, [...tsx, 'tools/commands/start.ts']],
		'--screenshots': [build, [...tsx, 'tools/commands/screenshots.ts']],
	},
	simulator: { steps: [[...tsx, 'simulator/main.ts']] },
	bench: {
		steps: [build, [...tsx, 'tools/bench/bench.ts']],
		'--memory': [build, [...tsx, 'tools/bench/cost.ts']],
	},
	test: {
		steps: [build, [jest, '--selectProjects', 'unit', 'engine', '--maxWorkers=2']],
		'--hostile': [build, [jest, '--selectProjects', 'hostile']],
	},
	'test:e2e': {
		steps: [build, e2e],
		'--versions': [build, [...tsx, 'tools/commands/compat.ts']],
	},
	evidence: { steps: [[...tsx, 'tools/commands/evidence.ts']] },
	probe: { steps: [[...tsx, 'tools/commands/probe.ts']] },
	nightly: { steps: [build, [...tsx, 'tools/commands/nightly.ts']] },
};

function fail(message) {
	console.error(`\n${message}\n`);
	process.exit(1);
}

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 19)) return;
	fail(
		`Node ${process.versions.node} is too old: Node 20.19 or newer is needed (https://nodejs.org).`,
	);
}

/** Uses the npm that runs this script, on every system, without a shell. */
function npm(args, stdio = 'inherit') {
	const cli = process.env.npm_execpath;
	if (!cli) fail(`Start this with npm, e.g. npm run ${process.argv[2]}.`);
	return spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio, encoding: 'utf8' });
}

function installIfMissing() {
	const installed = bin('.package-lock.json');
	const lock = join(root, 'package-lock.json');
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
	const modules = bin();
	if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) {
		fail(
			'node_modules is a link, and installing would empty the folder behind it. Remove the link.',
		);
	}
	console.log('Installing the development packages (about a minute the first time) ...');
	if (npm(['ci', '--include=dev', '--no-audit', '--no-fund']).status !== 0) {
		fail(
			'The development packages could not be installed; npm says why above.\n' +
				'Most often the npm registry cannot be reached: check the network and the proxy settings (npm config get registry), then run the command again.',
		);
	}
}

const sources = ['contract', 'credentials', 'icons', 'nodes']
	.concat(['gulpfile.js', 'index.ts', 'package.json', 'tsconfig.json'])
	.concat(['tools/commands/outputSchemas.ts'])
	.map((name) => join(root, name));
const changedAt = (file) => statSync(file).mtimeMs;

function newest(file) {
	const below = statSync(file).isDirectory() ? readdirSync(file) : [];
	return Math.max(changedAt(file), ...below.map((name) => newest(join(file, name))));
}

/** Written at the end of each build (gulpfile.js). */
const built = bin('.cache', 'kept', 'built');

function isBuilt() {
	const made = join(root, 'dist', 'index.js');
	if (!existsSync(built) || !existsSync(made)) return false;
	return changedAt(built) >= Math.max(changedAt(made), ...sources.map(newest));
}

/** Only if something changed, because another command may be using dist. */
function build() {
	if (isBuilt()) return;
	console.log('Building the package ...');
	const { status, stdout, stderr } = npm(['run', '--silent', 'build'], 'pipe');
	if (status !== 0) fail(`The build failed:\n${stdout}${stderr}`);
}

/** Forwards signals, except Ctrl-C, which reaches the child through the terminal. */
async function run(step, args) {
	const child = spawn(process.execPath, [...step, ...args], { cwd: root, stdio: 'inherit' });
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) fail(`Unknown command: ${name}. Known: ${Object.keys(commands).join(', ')}.`);
checkNode();
installIfMissing();
const option = args[0]?.startsWith('--') && args[0] in command ? args.shift() : 'steps';
for (const step of command[option]) {
	if (step === build) build();
	else process.exitCode = await run(step, args);
}
