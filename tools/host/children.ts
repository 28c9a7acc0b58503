import type { ChildProcess } from '../node';
import { delay } from '../node';

const running = new Set<ChildProcess>();

/** Notes a process that this one started, as long as it runs. */
export function track<T extends ChildProcess>(child: T): T {
	running.add(child);
	child.once('exit', () => running.delete(child));
	return child;
}

/** Asks all of them to end: for a person who stops a start half-way. */
export function stopChildren(): void {
	for (const child of running) child.kill('SIGTERM');
}

/** Whether a process has ended, whoever ended it. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode !== null || signalCode !== null;

/** Resolves when a process has ended. */
export async function ended(child: ChildProcess): Promise<void> {
	if (!hasEnded(child)) await new Promise((resolve) => child.once('exit', resolve));
}

/** Asks a process to end and waits until it is gone; one that does not heed this for `limit` milliseconds is killed. */
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
