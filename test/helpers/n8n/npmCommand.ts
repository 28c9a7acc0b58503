import axios from 'axios';
import type { ChildProcess } from '../../../tools/node';
import { nodeProcess, npmCommand, projectFolder, spawn } from '../../../tools/node';

const started: ChildProcess[] = [];

// A process that a failed test leaves running would keep its ports and this process alive.
afterEach(() => {
	for (const { pid } of started.splice(0)) {
		try {
			nodeProcess.kill(-(pid as number), 'SIGKILL');
		} catch {
			// it has ended, as it should
		}
	}
});

/** Starts an npm command of the README. `said` collects its output. */
export function npm(...args: string[]) {
	const child = spawn(...npmCommand(args), {
		cwd: projectFolder,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	started.push(child);
	const said: string[] = [];
	child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	return { child, ended, said: () => said.join('') };
}

/** Sends the signal to the whole process group, as a terminal does on Ctrl-C. */
export const controlC = (child: ChildProcess) => nodeProcess.kill(-(child.pid as number), 'SIGINT');

export const isUp = async (url: string) =>
	await axios.get(url, { timeout: 2000, proxy: false, validateStatus: () => true }).then(
		() => true,
		() => false,
	);
