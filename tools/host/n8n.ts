import axios from 'axios';
import type { ChildProcess } from '../node';
import { delay, fs, nodeProcess, path, projectFolder, spawn } from '../node';
import { endChild, ended, freePort, hasEnded, track } from './processes';
import type { Host, Log } from './install';
import { npm } from './install';
import { runsN8n1 } from './version';

export interface RunningN8n {
	url: string;
	logFile: string;
	pid: number;
	/** Resolves when n8n has ended for any reason. */
	ended: Promise<void>;
	stop(): Promise<void>;
	/** SIGKILL: n8n cannot save anything. */
	kill(): Promise<void>;
}

interface N8nOptions {
	host: Host;
	/** n8n's settings and database are in `<userFolder>/.n8n`. */
	userFolder: string;
	/** For "Read/Write Files from Disk". */
	filesFolder: string;
	/** Another one is used if it is taken. */
	port?: number;
	env?: Record<string, string>;
	/** Appends to the log. */
	isRestart?: boolean;
	/** Starts a worker of queue mode that runs this many executions at a time. */
	concurrency?: number;
}

/** No requests to the internet, and none from other machines. */
const offline = {
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

/** Would load a list from n8n's servers. n8n 1 does not know the module, and does not start with this. */
const offlineSince2 = { N8N_DISABLED_MODULES: 'mcp-registry' };

/** Without the user's settings of n8n, and without variables of npm and jest. */
function cleanEnvironment(): Record<string, string | undefined> {
	const foreign = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL$|npm_|JEST_|NODE_ENV$|NODE_OPTIONS$)/;
	const plain = Object.fromEntries(
		Object.entries(nodeProcess.env).filter(([name]) => !foreign.test(name)),
	);
	// Requests to this machine must not go through a proxy.
	const direct = [plain.NO_PROXY ?? plain.no_proxy, '127.0.0.1', 'localhost']
		.filter(Boolean)
		.join(',');
	return { ...plain, NO_PROXY: direct, no_proxy: direct };
}

const startLimit = 180_000;
/** n8n gives running executions 30 s. */
const stopLimit = 45_000;

/** Returns once the REST API responds, or the worker is ready. Throws an Error with the end of n8n's log. */
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
				...cleanEnvironment(),
				...offline,
				...(!runsN8n1() && offlineSince2),
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

/** Counts n8n's starts in the file N8N_STARTS, for CI. */
function countStart(what: string): void {
	const { N8N_STARTS: file } = nodeProcess.env;
	if (file) fs.appendFileSync(file, `${what}\n`);
}

/** Returns why n8n is not ready; `undefined` if it is. */
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

export function logTail(logFile: string): string {
	return fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-25).join('\n');
}

/** Needs an up-to-date build. Returns the tarball's path. */
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

/** Into n8n's folder of community packages, `<userFolder>/.n8n/nodes`. */
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
