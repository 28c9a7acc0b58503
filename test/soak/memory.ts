import { fs, nodeProcess, path, projectFolder } from '../../tools/node';
import { until } from '../../tools/until';

/** Megabytes that n8n needs, after garbage was collected. */
export interface Memory {
	rss: number;
	heap: number;
}

const fileIn = (userFolder: string) => path.join(userFolder, 'memory.json');

/** What n8n has to be started with so that {@link readMemory} can ask it. */
export const memoryEnv = (userFolder: string): Record<string, string> => ({
	NODE_OPTIONS: `--require ${path.join(projectFolder, 'test', 'soak', 'collectGarbage.cjs')}`,
	MEMORY_FILE: fileIn(userFolder),
});

/** Has n8n collect its garbage. Throws an Error if it does not answer. */
export async function readMemory(pid: number, userFolder: string): Promise<Memory> {
	const file = fileIn(userFolder);
	fs.rmSync(file, { force: true });
	nodeProcess.kill(pid, 'SIGUSR2');
	await until(
		() => fs.existsSync(file),
		() => 'n8n does not tell how much memory it needs',
	);
	const { rss, heapUsed } = JSON.parse(fs.readFileSync(file, 'utf8')) as NodeJS.MemoryUsage;
	const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
	return { rss: megabytes(rss), heap: megabytes(heapUsed) };
}
