import axios from 'axios';
import type { ChildProcess } from '../node';
import { delay, fs, nodeProcess, path, projectFolder, spawn } from '../node';
import { endChild, ended, hasEnded, track } from './children';
import { freePort } from './freePort';
import type { Host, Log } from './install';
import { npm } from './install';
import { runsN8n1 } from './version';

/** An n8n that runs. */
export interface RunningN8n {
	url: string;
	/** The file that holds everything n8n wrote to its output. */
	logFile: string;
	pid: number;
	/** Resolves when n8n has ended, whoever ended it. */
	ended: Promise<void>;
	/** Stops n8n and waits until it is gone. */
	stop(): Promise<void>;
	/** Ends n8n at once, without a chance to save anything (SIGKILL), and waits until it is gone. */
	kill(): Promise<void>;
}

interface N8nOptions {
	host: Host;
	/** n8n keeps its settings and its database in `<userFolder>/.n8n`. */
	userFolder: string;
	/** The folder that "Read/Write Files from Disk" may use. */
	filesFolder: string;
	/** The port that is wished for; another one is taken where it is not free. */
	port?: number;
	env?: Record<string, string>;
	/** Whether the log goes on where it was. */
	isRestart?: boolean;
	/** Makes it a worker of queue mode, which runs so many executions at a time, and not the process that has the editor. */
	concurrency?: number;
}

/** n8n asks nobody on the internet for anything, and nobody but this machine can reach it. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
};

/** Asks n8n's servers for a list of what could be installed; n8n 1 has no such module, and does not start with this. */
const quietSince2 = { N8N_DISABLED_MODULES: 'mcp-registry' };

/** The environment without what would change n8n: its own settings of the person who starts this, and traces of npm and jest. */
function plainEnvironment(): Record<string, string | undefined> {
	const foreign = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL$|npm_|JEST_|NODE_ENV$|NODE_OPTIONS$)/;
	const plain = Object.fromEntries(
		Object.entries(nodeProcess.env).filter(([name]) => !foreign.test(name)),
	);
	// A proxy for the internet is not to get what goes to this machine.
	const direct = [plain.NO_PROXY ?? plain.no_proxy, '127.0.0.1', 'localhost']
		.filter(Boolean)
		.join(',');
	return { ...plain, NO_PROXY: direct, no_proxy: direct };
}

const startLimit = 180_000;
/** Longer than the 30 s that n8n gives to executions that still run. */
const stopLimit = 45_000;

/**
 * Starts n8n and waits until its editor and its REST API answer, or a worker takes executions. Throws an Error with the end of
 * n8n's log if it does not.
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const { host, userFolder, filesFolder, env, concurrency } = options;
	const isWorker = concurrency !== undefined;
	const command = isWorker ? ['worker', `--concurrency=${concurrency}`] : ['start'];
	const port = await freePort(options.port);
	const brokerPort = await freePort();
	fs.mkdirSync(userFolder, { recursive: true });
	const logFile = path.join(userFolder, 'n8n.log');
	const log = fs.openSync(logFile, options.isRestart ? 'a' : 'w');
	const child = track(
		spawn(host.node, [host.n8n, ...command], {
			cwd: userFolder,
			stdio: ['ignore', log, log],
			env: {
				...plainEnvironment(),
				...quiet,
				...(!runsN8n1() && quietSince2),
				NODE_COMPILE_CACHE: host.compiled,
				N8N_USER_FOLDER: userFolder,
				N8N_PORT: String(port),
				...(isWorker && { QUEUE_HEALTH_CHECK_PORT: String(port) }),
				N8N_RUNNERS_BROKER_PORT: String(brokerPort),
				N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
				...env,
			},
		}),
	);
	fs.closeSync(log);
	countStart(command[0]);
	const url = `http://127.0.0.1:${port}`;
	const stop = () => endChild(child, stopLimit);
	const problem = await untilReady(
		`${url}/${isWorker ? 'healthz/readiness' : 'rest/settings'}`,
		child,
	);
	if (problem) {
		await stop();
		throw new Error(
			`n8n did not start: ${problem}\n${logTail(logFile)}\nThe whole log: ${logFile}`,
		);
	}
	const kill = async () => {
		child.kill('SIGKILL');
		await ended(child);
	};
	return { url, logFile, pid: child.pid ?? 0, ended: ended(child), stop, kill };
}

/** Notes the start in the file that N8N_STARTS names, so that CI can say how often it started n8n. */
function countStart(what: string): void {
	const { N8N_STARTS: file } = nodeProcess.env;
	if (file) fs.appendFileSync(file, `${what}\n`);
}

/** Returns why n8n did not get ready; nothing when it did. */
async function untilReady(url: string, child: ChildProcess): Promise<string | undefined> {
	const deadline = Date.now() + startLimit;
	while (Date.now() < deadline) {
		if (hasEnded(child)) {
			return `it ended with ${child.signalCode ?? child.exitCode}`;
		}
		const answer = await axios
			.get<{ data?: unknown; status?: unknown }>(url, { timeout: 2000, proxy: false })
			.catch(() => undefined);
		if (answer?.data?.data || answer?.data?.status === 'ok') return undefined;
		await delay(200);
	}
	return `it was not ready after ${startLimit / 1000} s`;
}

/** The end of n8n's log, for a message. */
export function logTail(logFile: string): string {
	return fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-25).join('\n');
}

/** Packs the project as it would be published and returns the tarball's path. `npm run build` has to have run. */
export async function packPackage(folder: string, log: Log): Promise<string> {
	fs.mkdirSync(folder, { recursive: true });
	for (const old of fs.readdirSync(folder)) {
		if (old.endsWith('.tgz')) fs.rmSync(path.join(folder, old));
	}
	await npm(
		projectFolder,
		['pack', '--ignore-scripts', '--pack-destination', folder, '--loglevel=error'],
		{
			log,
			step: 'Packing the package',
			limit: 60_000,
			advice: 'Run "npm run build" and look at what it says.',
		},
	);
	const tarball = fs.readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (!tarball) throw new Error(`npm pack left no package in ${folder}`);
	return path.join(folder, tarball);
}

/** Installs a packed package where n8n keeps community packages: `<userFolder>/.n8n/nodes`. */
export async function installPackage(userFolder: string, tarball: string, log: Log): Promise<void> {
	const nodes = path.join(userFolder, '.n8n', 'nodes');
	fs.mkdirSync(nodes, { recursive: true });
	fs.writeFileSync(
		path.join(nodes, 'package.json'),
		'{ "name": "installed-nodes", "private": true }',
	);
	await npm(
		nodes,
		[
			'install',
			tarball,
			'--no-audit',
			'--no-fund',
			'--no-package-lock',
			'--legacy-peer-deps',
			'--ignore-scripts',
			'--loglevel=error',
		],
		{
			log,
			step: 'Installing the package in n8n',
			limit: 120_000,
			advice: `Delete ${nodes} and try again.`,
		},
	);
}
