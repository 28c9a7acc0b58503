import { saveResult } from '../../tools/quality/results';
import { fs, log as print, nodeProcess, os, path } from '../../tools/node';
import type { Engine } from '../helpers/engines';
import { durable, standard, withoutCursors } from '../helpers/engines';
import type { SoakResult } from './live';
import { liveThroughSoak } from './live';
import { liveThroughPlanted } from './planted';

const { SOAK_MINUTES = '30', SEED, SOAK_ENGINES } = nodeProcess.env;
const minutes = Number(SOAK_MINUTES);
const seed = Number(SEED ?? Math.floor(Math.random() * 1e9));
/** Minutes of a full run, whose result is kept. */
const fullRun = 30;

const all: Record<string, Engine> = { standard, durable, withoutCursors };
const chosen = (SOAK_ENGINES ?? 'standard,durable').split(',').map((name) => all[name]);
const share = minutes / chosen.length;
jest.setTimeout((share + 15) * 60_000);

const results: Array<[engine: string, SoakResult]> = [];
let isRight = false;
const planted: Array<{ fault: string; caught: string }> = [];

/** Writes what was done to a file, for whoever wants to know how something came about. */
function logTo(name: string): (line: string) => void {
	const file = path.join(os.tmpdir(), `soak-${seed}-${name.replace(/\W+/g, '-')}.log`);
	fs.writeFileSync(file, '');
	print(`What is done: ${file}`);
	return (line) => fs.appendFileSync(file, `${line}\n`);
}

// All at the same time: each of them mostly waits for polls.
test.concurrent(
	'the accounts show a charge that is lost, charges that come twice, and an invoice that is there twice',
	async () => {
		const { balance, numbers } = await liveThroughPlanted(seed, logTo('planted'));
		const { lost, twice, strange } = balance;
		expect(lost.map((key) => key.replace(/ \S+$/, ''))).toContain('Charge');
		expect(twice.filter((key) => key.startsWith('Charge'))).toHaveLength(3);
		expect(strange).toEqual([]);
		expect(numbers).toEqual({ lost: [], twice: ['S-0'] });
		planted.push(
			{ fault: 'a charge is withdrawn before the trigger sees it', caught: `${lost[0]} is lost` },
			{ fault: 'n8n gets back older static data', caught: `${twice.length} come twice` },
			{ fault: 'an invoice is made once more', caught: `${numbers.twice[0]} is there twice` },
		);
	},
);

test.concurrent(
	`${minutes} minutes, divided among ${chosen.map(({ name }) => name).join(' and ')}; seed ${seed}`,
	async () => {
		const runs = chosen.map(async (engine): Promise<[string, SoakResult | Error]> => {
			const log = logTo(engine.name);
			const run = liveThroughSoak(engine, { minutes: share, seed, log });
			const result = await run.catch((error: Error) => error);
			log(result instanceof Error ? String(result.stack) : JSON.stringify(result, null, '\t'));
			return [engine.name, result];
		});
		const problems: unknown[] = [];
		for (const [engine, result] of await Promise.all(runs)) {
			if (result instanceof Error) {
				problems.push({ engine, problem: result.message });
				continue;
			}
			const { balance, numbers, figures } = result;
			const { lost, twice, strange } = balance;
			const lastSheet = figures['last run of all sheets'];
			const wrong = [lost, twice, strange, numbers.lost, numbers.twice].flat();
			if (wrong.length || lastSheet !== 'success') problems.push({ engine, lastSheet, ...result });
			results.push([engine, result]);
		}
		expect(problems).toEqual([]);
		isRight = planted.length > 0;
	},
);

afterAll(async () => {
	if (minutes < fullRun || !isRight) return;
	const figures = results.flatMap(([engine, { figures: own }]) =>
		Object.entries(own).map(([name, value]) => [`${engine}: ${name}`, value]),
	);
	const command = `SEED=${seed} npm run nightly -- soak`;
	await saveResult('soak', { command, figures: Object.fromEntries(figures), planted });
});
