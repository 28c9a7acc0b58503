import '../helpers/typeScriptFirst';
import '../helpers/environment';
import { delay, log, nodeProcess, parseArgs } from '../../tools/node';
import { startSimulator } from '../../simulator/server';
import type { CaseResult, Lane } from '../helpers/hostile/nodeCase';
import { startProxy } from '../helpers/hostile/proxy';
import { runCase } from '../helpers/hostile/runCase';

/**
 * Runs cases against a service whose answers are hostile: `node --import tsx test/hostile/cases.ts --of node --first 1 --count 100
 * --seed 1`. Prints one line of JSON for each case that went wrong, and one with the figures. `--of`: node or trigger. `--plant`: a
 * fault that is planted, so that it has to be found; `--patience`: seconds until a case counts as hanging. A program of its own: what no test would survive is a result here.
 */
const { values } = parseArgs({
	options: {
		of: { type: 'string', default: 'node' },
		first: { type: 'string', default: '1' },
		count: { type: 'string', default: '100' },
		seed: { type: 'string', default: '1' },
		plant: { type: 'string' },
		patience: { type: 'string', default: '900' },
	},
});
/** Milliseconds after which a case will never end, on whatever machine. */
const hangsAfter = Number(values.patience) * 1000;
const seed = Number(values.seed);
const first = Number(values.first);
const last = first + Number(values.count) - 1;
const isNode = values.of === 'node';
/** The clock of the trigger's process is moved, so its cases come one after the other. */
const width = isNode ? 16 : 1;

const running = new Map<number, string>();
const failed: Array<{ case: number; words: string; problems: string[] }> = [];
const report = (at: number, words: string, problems: string[]) => {
	failed.push({ case: at, words, problems });
	log(JSON.stringify({ failed: { of: values.of, case: at, words, problems } }));
};
const blame = (kind: string) => (error: unknown) => {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	if (!running.size) report(0, 'between cases', [`${kind}: ${text}`]);
	for (const at of running.keys())
		report(at, 'one of those that were running', [`${kind}: ${text}`]);
};
nodeProcess.on('uncaughtException', blame('uncaught exception'));
nodeProcess.on('unhandledRejection', blame('unhandled rejection'));

async function openLane(): Promise<Lane & { close(): Promise<void> }> {
	const [simulator, proxy] = await Promise.all([startSimulator(), startProxy()]);
	const close = async () => void (await Promise.all([simulator.close(), proxy.close()]));
	return { simulator, proxy, close };
}

async function main(): Promise<void> {
	const run = runCase(isNode ? 'node' : 'trigger', values.plant);
	const outcomes: Record<string, number> = {};
	let requests = 0;
	let next = first;
	const work = async () => {
		let lane = await openLane();
		while (next <= last) {
			const at = (next += 1) - 1;
			running.set(at, '');
			// The same number is the same case, whatever number it began with.
			const one = run(lane, Math.imul(seed, 1_000_003) ^ at);
			const ended = await Promise.race([
				one.catch(
					(error: Error): CaseResult => ({
						words: 'it threw',
						problems: [error.stack ?? error.message],
						outcome: 'threw',
						requests: 0,
					}),
				),
				delay(hangsAfter, undefined, { ref: false }),
			]);
			running.delete(at);
			const {
				words,
				problems,
				outcome,
				requests: sent,
			} = ended ?? {
				words: '',
				problems: [`it hangs for ${hangsAfter / 1000} s`],
				outcome: 'hangs',
				requests: 0,
			};
			outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
			requests += sent;
			if (problems.length) report(at, words, [...new Set(problems)]);
			// What hangs keeps its lane.
			if (!ended) lane = await openLane();
		}
		await lane.close();
	};
	await Promise.all(Array.from({ length: width }, work));
	log(
		JSON.stringify({
			done: { cases: last - first + 1, failed: failed.length, outcomes, requests },
		}),
	);
	nodeProcess.exit(0);
}

void main();
