import { delay } from '../../tools/node';
import type { Engine } from '../helpers/engines';
import type { Balance } from './ledger';
import { settle, settleNumbers } from './ledger';
import type { Memory } from './memory';
import { drawAction } from './plan';
import { Soak } from './soak';

/** Milliseconds that n8n may take between its two steps; the documentation speaks of a few. */
const window = 250;

export interface SoakResult {
	balance: Balance;
	numbers: { lost: string[]; twice: string[] };
	figures: Record<string, number | string>;
}

/** Lives through `minutes` minutes with one n8n and settles the accounts. Throws an Error where n8n or the harness itself fails. */
export async function liveThroughSoak(
	engine: Engine,
	{ minutes, seed, log }: { minutes: number; seed: number; log: (line: string) => void },
): Promise<SoakResult> {
	const soak = new Soak({ seed, env: engine.env, log });
	let isRight = false;
	try {
		await soak.open();
		const begin = Date.now();
		const passed = () => (Date.now() - begin) / 60_000 / minutes;
		// The last third is one life of n8n: what it needs more at the end of it does not go away.
		const mayRestart = () => passed() < 2 / 3;
		const first = await measure(soak);
		let beforeLastThird: Measured | undefined;
		while (passed() < 1) {
			if (!mayRestart()) beforeLastThird ??= await measure(soak);
			await drawAction(soak.draw, soak, mayRestart())();
			await delay(soak.draw.int(100, 1500));
		}
		await soak.sheetsEnded();
		const missing = await soak.calmDown();
		soak.say(`missing in the end: ${missing.join(', ') || 'nothing'}`);
		const lastSheet = await soak.lastSheet();
		soak.say(`last sheet: ${lastSheet}`);
		await soak.settled(60_000);
		const last = await measure(soak);
		const result = await settleSoak(soak, engine);
		const { lost, twice, strange } = result.balance;
		const { numbers } = result;
		isRight = ![lost, twice, strange, numbers.lost, numbers.twice].flat().length;
		const figures = {
			...result.figures,
			'last run of all sheets': lastSheet,
			'memory of n8n at the beginning': megabytes(first),
			'memory of n8n before the last third': megabytes(beforeLastThird ?? first),
			'memory of n8n at the end': megabytes(last),
			'bytes kept between polls, at the beginning': bytes(first),
			'bytes kept between polls, at the end': bytes(last),
		};
		return { ...result, figures };
	} finally {
		await soak.close(!isRight);
	}
}

const megabytes = ({ memory: { rss, heap } }: Measured) => `${rss} MB, heap ${heap} MB`;
const bytes = ({ sizes }: Measured) => sizes.staticData + sizes.pollerState;

/** Stops n8n and settles what came against what had to come. */
export async function settleSoak(soak: Soak, engine: Engine): Promise<SoakResult> {
	await soak.stage.n8n.stop();
	await soak.database.read(true);
	const duties = soak.happenings.duties();
	const interruptions = engine.isOneStep ? [] : soak.interruptions;
	const balance = settle(duties, soak.database.starts, interruptions, window);
	const wanted = Array.from({ length: soak.rows }, (_, index) => `S-${index}`);
	const { created } = soak.world.account;
	const held = created
		.map(({ full }) => full.invoice_number)
		.filter((one) => one?.startsWith('S-'));
	const figures = {
		'days of n8n': soak.days.toFixed(1),
		'requests to the service': soak.world.traffic.requestCount,
		'executions by their end': inWords(soak.database.ends),
		'what was done': inWords(soak.done),
		'charges of customers': soak.happenings.charges.length,
		'came, each once': balance.came,
		'exceptions used': inWords(balance.excused),
		'invoices of sheets': soak.rows,
	};
	return { balance, numbers: settleNumbers(wanted, held), figures };
}

const inWords = (counts: Record<string, number>): string =>
	Object.entries(counts)
		.map(([what, count]) => `${what} ${count}`)
		.join(', ') || 'none';

interface Measured {
	memory: Memory;
	sizes: { staticData: number; pollerState: number };
}

const measure = async (soak: Soak): Promise<Measured> => ({
	memory: await soak.memory(),
	sizes: await soak.database.sizes(),
});
