import axios from 'axios';
import type { ChildProcess } from '../../scripts/node';
import { nodeProcess, npmCommand, projectFolder, spawn } from '../../scripts/node';
import { until } from '../../scripts/until';

jest.setTimeout(600_000);

const started: ChildProcess[] = [];

// What a failed test leaves running would keep its ports, and this process from ending.
afterEach(() => {
	for (const { pid } of started.splice(0)) {
		try {
			nodeProcess.kill(-(pid as number), 'SIGKILL');
		} catch {
			// it has ended, as it should
		}
	}
});

/** An npm command of the README, as a person starts it; `said` collects its output. */
function npm(...args: string[]) {
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

/** What the terminal does on Ctrl-C: the signal goes to the whole group. */
const controlC = (child: ChildProcess) => nodeProcess.kill(-(child.pid as number), 'SIGINT');

const isUp = async (url: string) =>
	await axios.get(url, { timeout: 2000, proxy: false, validateStatus: () => true }).then(
		() => true,
		() => false,
	);

test('npm start -- --once runs the example, checks it and ends', async () => {
	const { ended, said } = npm('start', '--', '--once');
	const code = await ended;
	expect([code, said()]).toEqual([0, expect.stringContaining('All as it should be.')]);
	expect(said()).toContain('40 invoices were created.');
});

test('npm start stays up and says where to click; Ctrl-C stops all of it, also while n8n starts', async () => {
	const early = npm('start');
	await until(() => early.said().includes('Starting n8n'), early.said);
	controlC(early.child);
	await early.ended;
	expect(early.said()).toContain('Stopping');
	expect(early.said()).not.toContain('invoices were created');

	const { child, ended, said } = npm('start');
	const [, url] = await until(() => /n8n +(http:\S+)/.exec(said()) ?? undefined, said);
	const [, simulator] = await until(() => /Simulator +(http:\S+)/.exec(said()) ?? undefined, said);
	expect([await isUp(url), await isUp(simulator)]).toEqual([true, true]);

	controlC(child);
	await ended;
	expect(said()).toContain('Stopping');
	expect([await isUp(url), await isUp(simulator)]).toEqual([false, false]);
});

test('npm run simulator prints a base URL and a key that work', async () => {
	const { child, ended, said } = npm(
		'run',
		'simulator',
		'--',
		'--port',
		'0',
		'--key',
		'your-own-key',
		'--set',
		'charges=7',
	);
	const [, url] = await until(() => /Base URL +(http:\S+)/.exec(said()) ?? undefined, said);
	const charges = await axios.get<{ count: number }>(`${url}/v1/charges`, {
		headers: { 'X-API-KEY': 'your-own-key' },
		proxy: false,
	});
	expect(charges.data.count).toBe(7);
	controlC(child);
	await ended;
	expect(await isUp(url)).toBe(false);
});

test('a crash of n8n is told', async () => {
	const { ended, said } = npm('start');
	const [, pid] = await until(() => /\(process (\d+)\)/.exec(said()) ?? undefined, said);
	nodeProcess.kill(Number(pid), 'SIGKILL');
	expect(await ended).toBe(1);
	expect(said()).toContain('n8n has ended by itself');
});
