import { fs, log as print, nodeProcess, os, path } from '../../tools/node';
import { durable, standard, withoutCursors } from '../helpers/n8n/engines';
import { useReport } from '../helpers/report';
import { liveThroughPlanted, liveThroughSoak, problemsOf } from './lives';

const { SOAK_MINUTES = '30', SEED, SOAK_ENGINES = 'standard,durable' } = nodeProcess.env;
const minutes = Number(SOAK_MINUTES);
const seed = Number(SEED ?? Math.floor(Math.random() * 1e9));
const known = { standard, durable, withoutCursors };
const engines = SOAK_ENGINES.split(',').map((name) => known[name as keyof typeof known]);
const share = minutes / engines.length;
jest.setTimeout((share + 15) * 60_000);

/** A full run takes 30 minutes. */
const tell = useReport('soak', `SEED=${seed} npm run nightly -- soak`, minutes >= 30);

/** Logs every action to a file. */
function logTo(name: string): (line: string) => void {
	const file = path.join(os.tmpdir(), `soak-${seed}-${name.replace(/\W+/g, '-')}.log`);
	fs.writeFileSync(file, '');
	print(`What is done: ${file}`);
	return (line) => fs.appendFileSync(file, `${line}\n`);
}

// In parallel, because they mostly wait for polls.
test.concurrent('reports a lost charge, duplicate charges and a duplicate invoice', async () => {
	const { balance, invoices } = await liveThroughPlanted({ seed, log: logTo('planted') });
	const { lost, twice, strange } = balance;
	expect(lost.map((key) => key.replace(/ \S+$/, ''))).toContain('Charge');
	expect(twice.filter((key) => key.startsWith('Charge'))).toHaveLength(3);
	expect(strange).toEqual([]);
	expect(invoices).toEqual(['Invoice S-0 was created 2 times']);
	tell({}, [
		{ fault: 'a charge is withdrawn before the trigger sees it', caught: `${lost[0]} is lost` },
		{ fault: 'n8n gets back older static data', caught: `${twice.length} come twice` },
		{ fault: 'an invoice is made once more', caught: invoices[0] },
	]);
});

test.concurrent(
	`loses and duplicates nothing in ${minutes} minutes with ${engines.map(({ name }) => name).join(' and ')} (seed ${seed})`,
	async () => {
		const lives = engines.map(async (engine) => {
			const { name } = engine;
			const log = logTo(name);
			const life = liveThroughSoak(engine, share, { seed, log });
			const result = await life.catch((error: Error) => error);
			log(result instanceof Error ? String(result.stack) : JSON.stringify(result, null, '\t'));
			if (result instanceof Error) return { name, problems: [result.message] };
			const { figures } = result;
			for (const [what, figure] of Object.entries(figures)) tell({ [`${name}: ${what}`]: figure });
			const lastSheet = figures['last run of all sheets'];
			const ofSheet = lastSheet === 'success' ? [] : [`Last sheet: ${lastSheet}`];
			return { name, problems: [...problemsOf(result), ...ofSheet] };
		});
		const ends = await Promise.all(lives);
		expect(ends.filter(({ problems }) => problems.length)).toEqual([]);
	},
);
