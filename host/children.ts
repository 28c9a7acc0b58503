import type { ChildProcess } from '../scripts/node';

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
