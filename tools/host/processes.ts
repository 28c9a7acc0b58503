import getPort from 'get-port';
import type { ChildProcess } from '../node';
import { delay, fs } from '../node';

const running = new Set<ChildProcess>();

/** Remembers a child process while it runs. */
export function track<T extends ChildProcess>(child: T): T {
	running.add(child);
	child.once('exit', () => running.delete(child));
	return child;
}

/** For users who stop a start halfway. */
export function stopChildren(): void {
	for (const child of running) child.kill('SIGTERM');
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode !== null || signalCode !== null;

export async function ended(child: ChildProcess): Promise<void> {
	if (!hasEnded(child)) await new Promise((resolve) => child.once('exit', resolve));
}

/** Kills the process if it has not ended after `limit` milliseconds. */
export async function endChild(
	child: ChildProcess,
	limit: number,
	signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM',
): Promise<void> {
	child.kill(signal);
	const late = await Promise.race([ended(child), delay(limit, 'late', { ref: false })]);
	if (late === 'late') child.kill('SIGKILL');
	await ended(child);
}

/** Below the ports that Linux uses for outgoing connections. */
const [first, count] = [20_000, 12_000];

/** A free port, `wished` if possible. No outgoing connection can take it until the server listens, half a minute later. */
export async function freePort(wished?: number): Promise<number> {
	const any = Array.from({ length: 5 }, () => first + Math.floor(Math.random() * count));
	return await getPort({ host: '127.0.0.1', port: wished ? [wished, ...any] : any });
}

/** In MB. `undefined` if the system does not show it. */
export function peakMemory(pid: number): number | undefined {
	const file = `/proc/${pid}/status`;
	const match = fs.existsSync(file) && /VmHWM:\s*(\d+) kB/.exec(fs.readFileSync(file, 'utf8'));
	return match ? Math.round(Number(match[1]) / 1024) : undefined;
}
