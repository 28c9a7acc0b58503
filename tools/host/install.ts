import {
	clearInterval,
	createHash,
	execFileAsync,
	fs,
	isAlive,
	nodeProcess,
	npmCommand,
	os,
	path,
	setInterval,
	spawn,
} from '../node';
import { track } from './processes';
import { chosenVersion, pinnedFolder } from './version';

export interface Host {
	node: string;
	n8n: string;
	/** Node's compile cache: n8n then starts in two thirds of the time. */
	compiled: string;
}

export type Log = (line: string) => void;

const nodeVersion = '24.21.0';
const minutes = 60_000;

/** Outside of the clone, so that all clones share it. N8N_HOST_CACHE overrides it. */
function cacheFolder(): string {
	const { N8N_HOST_CACHE: chosen, XDG_CACHE_HOME: cache } = nodeProcess.env;
	return (
		chosen ?? path.join(cache ?? path.join(os.homedir(), '.cache'), 'n8n-nodes-invoicing-payments')
	);
}

/**
 * Installs n8n in the {@link chosenVersion}, and Node 24 if this is another: once per machine, about 4 minutes and 2.4 GB. Throws
 * an Error that says which step failed, why, and what to do.
 */
export async function ensureHost(log: Log): Promise<Host> {
	const version = chosenVersion();
	const pinned = pinnedFolder(version);
	const cache = cacheFolder();
	const node = await ensureNode(cache, log);
	const lock = fs.readFileSync(path.join(pinned, 'package-lock.json'));
	const key = createHash('sha256').update(lock).digest('hex').slice(0, 12);
	const folder = path.join(cache, `n8n-${key}`);
	await once(folder, async (target) => {
		log(`Installing n8n ${version} (once per machine, about 4 minutes and 2.2 GB) ...`);
		for (const file of ['package.json', 'package-lock.json']) {
			fs.copyFileSync(path.join(pinned, file), path.join(target, file));
		}
		const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
		await npm(target, ['ci', '--legacy-peer-deps', '--ignore-scripts', ...quiet], {
			log,
			step: 'Installing n8n from the npm registry',
			limit: 30 * minutes,
			advice:
				'Check that the npm registry can be reached (npm config get registry) and that the disk has 3 GB to spare.',
		});
		await npm(target, ['rebuild', 'sqlite3', '--ignore-scripts=false', ...quiet], {
			log,
			step: "Building n8n's database driver (sqlite3)",
			limit: 15 * minutes,
			advice:
				'Where no ready-made binary can be downloaded it is compiled, which needs python3, make and a C++ compiler. On Debian: apt-get install python3 make g++',
		});
		await execFileAsync(node, ['-e', 'require("sqlite3")'], { cwd: target });
	});
	return {
		node,
		n8n: path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		compiled: path.join(folder, 'compiled'),
	};
}

async function ensureNode(cache: string, log: Log): Promise<string> {
	if (Number(nodeProcess.versions.node.split('.')[0]) === 24) return nodeProcess.execPath;
	const folder = path.join(cache, `node-${nodeVersion}`);
	const windows = nodeProcess.platform === 'win32';
	const binary = path.join('node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
	await once(folder, async (target) => {
		log(`Installing Node ${nodeVersion} for n8n (this is Node ${nodeProcess.versions.node}) ...`);
		fs.writeFileSync(path.join(target, 'package.json'), '{ "private": true }');
		await npm(
			target,
			['install', `node@${nodeVersion}`, '--ignore-scripts=false', '--no-audit', '--no-fund'],
			{
				log,
				step: `Installing Node ${nodeVersion} from the npm registry`,
				limit: 10 * minutes,
				advice:
					'Check that the npm registry can be reached, or start this with Node 24 (https://nodejs.org).',
			},
		);
		await execFileAsync(path.join(target, binary), ['--version']);
	});
	return path.join(folder, binary);
}

/** Fills a temporary folder and renames it, so that `folder` is never incomplete. */
async function once(folder: string, fill: (target: string) => Promise<void>): Promise<void> {
	if (fs.existsSync(folder)) return;
	removeLeftovers(folder);
	const target = `${folder}.${nodeProcess.pid}`;
	fs.mkdirSync(target, { recursive: true });
	try {
		await fill(target);
		if (!fs.existsSync(folder)) fs.renameSync(target, folder);
	} finally {
		fs.rmSync(target, { recursive: true, force: true });
	}
}

/** Removes temporary folders of killed processes. */
function removeLeftovers(folder: string): void {
	const parent = path.dirname(folder);
	if (!fs.existsSync(parent)) return;
	for (const name of fs.readdirSync(parent)) {
		const [, pid] = new RegExp(`^${path.basename(folder)}\\.(\\d+)$`).exec(name) ?? [];
		if (pid && !isAlive(Number(pid))) fs.rmSync(path.join(parent, name), { recursive: true });
	}
}

interface NpmStep {
	log: Log;
	step: string;
	/** Milliseconds. */
	limit: number;
	advice: string;
}

/** Runs npm, and logs every 15 seconds. Throws an Error with the end of npm's output. */
export async function npm(
	cwd: string,
	args: string[],
	{ log, step, limit, advice }: NpmStep,
): Promise<void> {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const child = track(
		spawn(...npmCommand(args), {
			cwd,
			stdio: ['ignore', 'pipe', 'pipe'],
			timeout: limit,
		}),
	);
	let output = '';
	const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000));
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	const alive = setInterval(() => log(`  ... ${step}: ${seconds()} s`), 15_000);
	try {
		const problem = await new Promise<string | undefined>((resolve) => {
			child.once('error', (error) => resolve(error.message));
			child.once('close', (code, signal) =>
				resolve(code === 0 ? undefined : `npm ended with ${signal ?? code}`),
			);
		});
		if (problem)
			throw new Error(
				`${step} failed after ${seconds()} s: ${problem}\n${output.trim()}\n${advice}`,
			);
	} finally {
		clearInterval(alive);
	}
}
