import type { QueueStage } from '../../tools/host/queueStage';
import { openQueueStage } from '../../tools/host/queueStage';
import { workerConcurrency } from '../../tools/host/queueSettings';
import { publishResult } from '../../tools/quality/figuresTable';
import type { Result } from '../../tools/quality/results';
import { fs, log, nodeProcess, os, path } from '../../tools/node';
import { chargeProblems, doubleProblems, doublesOf, invoiceProblems } from '../helpers/ledgers';
import { runLoad } from '../helpers/queueLoad';
import type { SameSheet } from '../helpers/queueSheets';
import { runSameSheet, timeSheets } from '../helpers/queueSheets';

jest.setTimeout(10 * 60_000);

/** A small run, while this is worked on; it keeps no result. */
const isShort = nodeProcess.env.SCALE_SHORT === '1';
const size = isShort
	? {
			load: { sheets: 6, rows: 30, latency: 600 },
			sameRows: 60,
			throughput: { sheets: 4, rows: 30 },
		}
	: {
			load: { sheets: 20, rows: 100, latency: 200 },
			sameRows: 200,
			throughput: { sheets: 10, rows: 100 },
		};

const result: Result = { command: 'npm run nightly -- scale', figures: {}, planted: [] };
let done = 0;

/** Prints what a test has shown, and keeps it for the end. */
function tell(figures: Result['figures'], planted: Result['planted'] = []): void {
	for (const [name, figure] of Object.entries(figures)) log(`${name}: ${figure}`);
	for (const { fault, caught } of planted) log(`Planted: ${fault}: ${caught}`);
	Object.assign(result.figures, figures);
	result.planted.push(...planted);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-scale-'));
let opened: QueueStage | undefined;
const stageOf = () => {
	if (!opened) throw new Error('The stage did not open');
	return opened;
};

beforeAll(async () => {
	// Polls every few seconds want a scheduler that looks as often.
	const oftener = {
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	};
	opened = await openQueueStage(folder, log, oftener);
}, 10 * 60_000);

afterAll(async () => {
	await opened?.close();
	fs.rmSync(folder, { recursive: true, force: true });
	if (done === 4 && !isShort) await publishResult('scale', result);
}, 3 * 60_000);

test('[R3, R6, T1, T2] under load, with a worker killed and the main process restarted: each invoice once, each charge once', async () => {
	const chargesPerSecond = 5;
	const run = await runLoad(stageOf(), { ...size.load, chargesPerSecond });
	const inExecutions = new Set(run.chargeExecutions.flatMap(({ charges }) => charges));
	const { sheets, rows } = size.load;
	const notIn = run.paid.filter((charge) => !inExecutions.has(charge));
	const load = `${sheets} sheets of ${rows} rows at once`;
	tell({
		[`${load}: invoices wanted`]: run.wanted.length,
		[`${load}: invoices created`]: run.created.length,
		[`${load}: runs retried, after their worker was killed`]: run.retried,
		[`${load}: runs started again, after their worker was killed`]: run.startedAgain,
		[`${load}: seconds without the main process`]: run.secondsMainWasAway,
		'Charges paid meanwhile, 5 per second': run.paid.length,
		'Charges in an execution': inExecutions.size,
		'Charges in no readable execution': notIn.length,
		'Charges in no readable execution, named in the log': notIn.filter((id) => run.named.has(id))
			.length,
		"Charges in the trigger's executions whose worker was killed": run.chargesOnKilled.length,
	});
	expect(run.failed).toEqual([]);
	expect(run.retried + run.startedAgain).toBeGreaterThan(0);
	expect(run.chargesOnKilled.length).toBeGreaterThan(0);
	expect(invoiceProblems(run.wanted, run.created)).toEqual([]);
	// What n8n has emptied was in one of these; nothing else is missing.
	expect(notIn.filter((id) => !run.chargesOnKilled.includes(id))).toEqual([]);
	expect(chargeProblems(run.paid, run.chargeExecutions, run.named)).toEqual([]);
	done += 1;
});

const doublesIn = ({ created }: SameSheet) => doublesOf(created).size;
const sameRows = 200;
/** So many of their numbers may be there twice, each of them told. */
const mayBeDouble = 15;

describe('the same sheet on two workers at the same moment', () => {
	beforeAll(async () => {
		// One execution at a time each, so that one of the two runs is on each.
		await startWorkers(1);
	});

	test('[R3, R4] few numbers are there twice, and the node names each of them', async () => {
		const run = await runSameSheet(stageOf(), 'same', sameRows);
		const problems = doubleProblems(run.created, run.results);
		const twice = `The same ${sameRows} rows on two workers at once`;
		const told = new Set(
			run.results
				.filter(({ duplicates }) => duplicates !== undefined)
				.map(({ invoice_number: number }) => number),
		);
		tell({
			[`${twice}: numbers that exist twice`]: doublesIn(run),
			[`${twice}: of these named by the node`]: told.size,
			[`${twice}: requests`]: run.requests,
		});
		expect(run.byWorker).toEqual([1, 1]);
		expect(run.statuses).toEqual(['success', 'success']);
		expect(new Set(run.created.map(({ number }) => number)).size).toBe(sameRows);
		expect(problems).toEqual([]);
		expect(doublesIn(run)).toBeLessThanOrEqual(mayBeDouble);
		done += 1;
	});

	test('planted: without Check for Duplicates, the ledger finds doubles that the node does not name', async () => {
		const run = await runSameSheet(stageOf(), 'unchecked', sameRows, {
			checkForDuplicates: false,
		});
		const problems = doubleProblems(run.created, run.results);
		tell({}, [
			{
				fault: 'Check for Duplicates off, the same sheet on two workers',
				caught: `${problems.length} numbers that exist twice and are not named, of ${doublesIn(run)}`,
			},
		]);
		expect(run.byWorker).toEqual([1, 1]);
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.length).toBe(doublesIn(run));
		done += 1;
	});
});

/** The default of Max Requests in Flight. */
const maxInFlight = 5;

test('two workers send twice as many requests at a time as one', async () => {
	await startWorkers(workerConcurrency);
	const stage = stageOf();
	const load = { ...size.throughput, latency: 100 };
	// The first run warms up.
	await timeSheets(stage, 'warm', load);
	const two = await timeSheets(stage, 'two', load);
	await stage.workers[1].stop();
	const one = await timeSheets(stage, 'one', load);
	const { sheets, rows } = load;
	const what = `${sheets} sheets of ${rows} rows, ${load.latency} ms per response`;
	const rounded = (number: number) => Math.round(number * 100) / 100;
	tell({
		[`${what}: seconds with one worker`]: rounded(one.seconds),
		[`${what}: seconds with two workers`]: rounded(two.seconds),
		[`${what}: one worker's time divided by that of two`]: rounded(one.seconds / two.seconds),
		[`${what}: most requests in flight with one worker`]: one.inFlight,
		[`${what}: most requests in flight with two workers`]: two.inFlight,
	});
	// Not the time: that is the machine's. Max Requests in Flight holds in each process.
	expect(one.inFlight).toBeLessThanOrEqual(maxInFlight);
	expect(two.inFlight).toBeGreaterThan(maxInFlight);
	expect(two.inFlight).toBeLessThanOrEqual(2 * maxInFlight);
	done += 1;
});

/** Starts all workers again, which then run so many executions at a time. */
async function startWorkers(concurrency: number): Promise<void> {
	const stage = stageOf();
	await Promise.all(
		stage.workers.map(async (worker, number) => {
			await worker.stop();
			await stage.startWorker(number, concurrency);
		}),
	);
}
