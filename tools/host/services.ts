import type { ChildProcess } from '../node';
import { delay, execFileAsync, fs, nodeProcess, os, path, randomBytes, spawn } from '../node';
import { endChild, freePort, hasEnded, track } from './processes';
import type { Server } from './queueSettings';
import { queueSettings } from './queueSettings';

/** A running server with its data in a temporary folder. */
export interface Service extends Server {
	/** Also removes the data. */
	stop(): Promise<void>;
}

const host = '127.0.0.1';
const startLimit = 60_000;
const stopLimit = 20_000;
const advice = 'On Debian: apt-get install postgresql redis-server';

/** Debian has a folder per version, and none in PATH. */
function postgresFolder(): string {
	const debian = '/usr/lib/postgresql';
	const versions = fs.existsSync(debian) ? fs.readdirSync(debian) : [];
	const newest = versions.sort((a, b) => Number(b) - Number(a));
	return folderOf('initdb', [...newest.map((version) => path.join(debian, version, 'bin'))]);
}

/** Throws an Error that says what to install. */
function folderOf(program: string, known: string[] = []): string {
	const folders = [...known, ...(nodeProcess.env.PATH ?? '').split(path.delimiter)];
	const found = folders.find((folder) => fs.existsSync(path.join(folder, program)));
	if (found === undefined) throw new Error(`${program} was not found. ${advice}`);
	return found;
}

/** Throws an Error that says what to install. */
export function checkServices(): void {
	postgresFolder();
	folderOf('redis-server');
}

/** PostgreSQL refuses to run as root, so it runs as the user of Debian's package. */
function postgresUser(): { uid: number; gid: number } | undefined {
	if (nodeProcess.getuid?.() !== 0) return undefined;
	const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'));
	if (!entry) throw new Error(`There is no user postgres to run PostgreSQL as. ${advice}`);
	return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

const temporary = (name: string) => fs.mkdtempSync(path.join(os.tmpdir(), `scale-${name}-`));
const newPassword = () => randomBytes(12).toString('hex');

/** Has an empty database for n8n. Throws an Error with PostgreSQL's output. */
export async function startPostgres(): Promise<Service> {
	const programs = postgresFolder();
	const user = postgresUser();
	const { DB_POSTGRESDB_USER: owner, DB_POSTGRESDB_DATABASE: database } = queueSettings;
	const password = newPassword();
	const port = await freePort();
	const folder = temporary('postgres');
	const data = path.join(folder, 'data');
	const passwordFile = path.join(folder, 'password');
	fs.writeFileSync(passwordFile, password, { mode: 0o600 });
	if (user) for (const file of [folder, passwordFile]) fs.chownSync(file, user.uid, user.gid);
	const identity = ['--username', owner, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
	await execFileAsync(
		path.join(programs, 'initdb'),
		['--pgdata', data, ...identity, '--encoding', 'UTF8', '--no-locale'],
		{ ...user, cwd: folder },
	);
	const settings = [`listen_addresses=${host}`, `port=${port}`, 'unix_socket_directories='];
	const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
	return await start(path.join(programs, 'postgres'), args, {
		folder,
		user,
		server: { host, port, password },
		// "Fast shutdown": does not wait for clients.
		signal: 'SIGINT',
		isReady: async () => {
			const at = ['--host', host, '--port', String(port), '--username', owner];
			const env = { ...nodeProcess.env, PGPASSWORD: password };
			const made = execFileAsync(path.join(programs, 'createdb'), [...at, database], { env });
			return await made.then(
				() => true,
				() => false,
			);
		},
	});
}

/** Stores nothing on disk. Throws an Error with Redis's output. */
export async function startRedis(): Promise<Service> {
	const program = path.join(folderOf('redis-server'), 'redis-server');
	const password = newPassword();
	const port = await freePort();
	const folder = temporary('redis');
	const listen = ['--bind', host, '--port', String(port), '--requirepass', password];
	const args = [...listen, '--save', '', '--appendonly', 'no', '--dir', folder];
	return await start(program, args, {
		folder,
		server: { host, port, password },
		signal: 'SIGTERM',
		isReady: (log) => log.includes('Ready to accept connections'),
	});
}

interface ServiceOptions {
	folder: string;
	server: Server;
	user?: { uid: number; gid: number };
	signal: 'SIGTERM' | 'SIGINT';
	isReady(log: string): boolean | Promise<boolean>;
}

async function start(
	program: string,
	args: string[],
	{ folder, server, user, signal, isReady }: ServiceOptions,
): Promise<Service> {
	const logFile = path.join(folder, 'log');
	const output = fs.openSync(logFile, 'w');
	const stdio: ['ignore', number, number] = ['ignore', output, output];
	const child = track(spawn(program, args, { ...user, cwd: folder, stdio }));
	fs.closeSync(output);
	const log = () => fs.readFileSync(logFile, 'utf8');
	const stop = async () => {
		await endChild(child, stopLimit, signal);
		fs.rmSync(folder, { recursive: true, force: true });
	};
	if (await becomesReady(child, () => isReady(log()))) return { ...server, stop };
	const said = log().trim().slice(-2000);
	await stop();
	throw new Error(`${path.basename(program)} did not start: ${said}`);
}

async function becomesReady(
	child: ChildProcess,
	isReady: () => boolean | Promise<boolean>,
): Promise<boolean> {
	const deadline = Date.now() + startLimit;
	while (Date.now() < deadline && !hasEnded(child)) {
		if (await isReady()) return true;
		await delay(100);
	}
	return false;
}
