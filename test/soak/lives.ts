import { delay } from '../../tools/node';
import type { Engine } from '../helpers/n8n/engines';
import { standard } from '../helpers/n8n/engines';
import { numbersOf } from '../helpers/n8n/sheetWorkflow';
import type { Balance } from '../helpers/service/ledgers';
import { invoiceProblems, settle } from '../helpers/service/ledgers';
import type { SoakOptions } from './soak';
import { Soak } from './soak';

/** Milliseconds that n8n may take between its two steps on a busy machine. */
const window = 1500;

export interface SoakResult {
	balance: Balance;
	/** Problems with the invoices of the sheets. */
	invoices: string[];
	figures: Record<string, number | string>;
}

export const problemsOf = ({ balance: { lost, twice, strange }, invoices }: SoakResult) =>
	[lost, twice, strange, invoices].flat();

type Options = Pick<SoakOptions, 'seed' | 'log'>;

/** Runs one n8n for some minutes and compares what came with what should. Throws if n8n or the harness fails. */
export async function liveThroughSoak(
	engine: Engine,
	minutes: number,
	options: Options,
): Promise<SoakResult> {
	const soak = new Soak({ ...options, env: engine.env });
	let isRight = false;
	try {
		await soak.open();
		const begin = Date.now();
		const passed = () => (Date.now() - begin) / 60_000 / minutes;
		// n8n runs through the last third without a restart, to measure its memory.
		const mayRestart = () => passed() < 2 / 3;
		const first = await soak.measure();
		while (passed() < 1) {
			await soak.drawAction(mayRestart())();
			await delay(soak.draw.int(100, 1500));
		}
		await soak.sheetsEnded();
		const missing = await soak.calmDown();
		soak.say(`missing in the end: ${missing.join(', ') || 'nothing'}`);
		const lastSheet = await soak.lastSheet();
		await soak.settled(60_000);
		const last = await soak.measure();
		const result = await settleSoak(soak, engine);
		isRight = problemsOf(result).length === 0;
		const figures = {
			...result.figures,
			'last run of all sheets': lastSheet,
			'most memory of n8n, at the beginning': first.memory,
			'most memory of n8n, in its last life': last.memory,
			'bytes kept between polls, at the beginning': first.bytes,
			'bytes kept between polls, at the end': last.bytes,
		};
		return { ...result, figures };
	} finally {
		await soak.close(!isRight);
	}
}

/**
 * A short run with real faults: the service removes a charge before anyone has seen it, n8n gets older static data (as from a backup),
 * and an invoice of a sheet is created again.
 */
export async function liveThroughPlanted(options: Options): Promise<SoakResult> {
	const soak = new Soak({ ...options, env: standard.env });
	try {
		await soak.open();
		const { happenings, world, database } = soak;
		const came = async () => {
			const missing = await soak.settled(120_000);
			if (missing.length) throw new Error(`Did not come: ${missing.join(', ')}`);
		};
		happenings.pay(3);
		await came();
		await soak.sheet();
		await soak.sheetsEnded();
		await soak.lastSheet();
		await came();
		const read = 'SELECT id, staticData FROM workflow_entity WHERE staticData IS NOT NULL';
		const before = await database.all<{ id: string; staticData: string }>(read);
		happenings.pay(3);
		await came();
		// Charges right before a stop would be excused.
		await soak.afterPolls(2);
		await soak.restart(false, async () => {
			for (const { id, staticData } of before) {
				const text = staticData.replaceAll("'", "''");
				await database.all(`UPDATE workflow_entity SET staticData = '${text}' WHERE id = '${id}'`);
			}
		});
		const [lost] = happenings.pay(1);
		world.account.removeCharge(lost);
		world.account.addInvoice({ invoice_number: 'S-0' }, soak.clock.now());
		await soak.afterPolls(4);
		await soak.settled(5000);
		return await settleSoak(soak, standard);
	} finally {
		await soak.close(false);
	}
}

/** Stops n8n and compares what came with what should. */
async function settleSoak(soak: Soak, engine: Engine): Promise<SoakResult> {
	await soak.stage.n8n.stop();
	await soak.database.read(true);
	const interruptions = engine.isOneStep ? [] : soak.interruptions;
	const { starts, ends } = soak.database;
	const balance = settle(soak.happenings.duties(), starts, interruptions, window);
	const wanted = numbersOf('S', soak.rows);
	const held = soak.world.account.created.map(({ full }) => full.invoice_number);
	const figures = {
		'days of n8n': soak.days.toFixed(1),
		'requests to the service': soak.world.traffic.requestCount,
		'executions by their end': inWords(ends),
		'what was done': inWords(soak.done),
		'charges of customers': soak.happenings.paidAt.length,
		'came, each once': balance.came,
		'exceptions used': inWords(balance.excused),
		'invoices of sheets': soak.rows,
	};
	const ofSheets = held.filter((number) => number?.startsWith('S-'));
	return { balance, invoices: invoiceProblems(wanted, ofSheets), figures };
}

const inWords = (counts: Record<string, number>): string =>
	Object.entries(counts)
		.map(([what, times]) => `${what} ${times}`)
		.join(', ') || 'none';
