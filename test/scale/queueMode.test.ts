import type { INodeParameters } from 'n8n-workflow';
import { workerConcurrency } from '../../tools/host/queueSettings';
import { publishResult } from '../../tools/quality/publish';
import type { Result } from '../../tools/quality/results';
import { log, nodeProcess } from '../../tools/node';
import {
	chargeProblems,
	doubleProblems,
	doublesOf,
	invoiceProblems,
} from '../helpers/service/ledgers';
import {
	begunOn,
	executionsOver,
	invoicesIn,
	publishSheets,
	startSheets,
	useQueueStage,
} from '../helpers/n8n/queue';
import { numbersOf } from '../helpers/n8n/sheetWorkflow';
import { runLoad } from './load';

jest.setTimeout(10 * 60_000);
const stage = useQueueStage();
const world = () => stage().simulator.world;

/** A small run for development. Saves no result. */
const isShort = nodeProcess.env.SCALE_SHORT === '1';
const size = isShort
	? { load: { sheets: 6, rows: 30, latency: 600 }, throughput: { sheets: 4, rows: 30 } }
	: { load: { sheets: 20, rows: 100, latency: 200 }, throughput: { sheets: 10, rows: 100 } };

const result: Result = { command: 'npm run nightly -- scale', figures: {}, planted: [] };
let done = 0;

/** Prints the figures of a test, and keeps them for the result. */
function tell(figures: Result['figures'], planted: Result['planted'] = []): void {
	for (const [name, figure] of Object.entries(figures)) log(`${name}: ${figure}`);
	for (const { fault, caught } of planted) log(`Planted: ${fault}: ${caught}`);
	Object.assign(result.figures, figures);
	result.planted.push(...planted);
}

afterAll(async () => {
	if (done === 4 && !isShort) await publishResult('scale', result);
});

test('[R3, R6, T1, T2] creates every invoice and delivers every charge exactly once under load, with a killed worker and a restarted main process', async () => {
	const run = await runLoad(stage(), { ...size.load, chargesPerSecond: 5 });
	const inExecutions = new Set(run.chargeExecutions.flatMap(({ charges }) => charges));
	const notIn = run.paid.filter((charge) => !inExecutions.has(charge));
	const load = `${size.load.sheets} sheets of ${size.load.rows} rows at once`;
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
	// Only charges of executions that n8n has emptied may be missing.
	expect(notIn.filter((id) => !run.chargesOnKilled.includes(id))).toEqual([]);
	expect(chargeProblems(run.paid, run.chargeExecutions, run.named)).toEqual([]);
	done += 1;
});

/** Starts with a new account and publishes sheets. */
async function prepare(
	name: string,
	latency: number,
	sheets: Record<string, string[]>,
	options?: INodeParameters,
): Promise<void> {
	const apiKey = `key-of-${name}`;
	await stage().useKey(apiKey);
	world().reset({ apiKey, latency });
	await publishSheets(stage(), sheets, options);
}

/** Restarts all workers with this many parallel executions. */
async function startWorkers(concurrency: number): Promise<void> {
	const restart = stage().workers.map(async (worker, number) => {
		await worker.stop();
		await stage().startWorker(number, concurrency);
	});
	await Promise.all(restart);
}

describe('the same sheet on two workers at the same moment', () => {
	const rows = 200;
	/** Most numbers that may exist twice, if the node reports each. */
	const mayBeDouble = 15;

	// With one execution each, the two runs are on different workers.
	beforeAll(async () => await startWorkers(1));

	async function runTwice(name: string, options?: INodeParameters) {
		await prepare(name, 50, { [name]: numbersOf(name, rows) }, options);
		await startSheets(stage(), name, name);
		const ids = (await executionsOver(stage(), name, 2)).map(({ id }) => id);
		const stored = await Promise.all(ids.map(async (id) => await stage().api.execution(id)));
		const on = stage().workers.map((worker) => begunOn(worker).all);
		expect(on.map((begun) => begun.filter((id) => ids.includes(id)).length)).toEqual([1, 1]);
		expect(stored.map(({ status }) => status)).toEqual(['success', 'success']);
		const created = world().account.created.map(({ full, request }) => ({
			...{ id: full.id, number: request.invoice_number ?? '' },
		}));
		const results = stored.flatMap(invoicesIn);
		const problems = doubleProblems(created, results);
		return { created, results, problems, doubles: doublesOf(created).size };
	}

	test('[R3, R4] creates few duplicates, and the node reports each', async () => {
		const { created, results, problems, doubles } = await runTwice('same');
		const named = results.filter(({ duplicates }) => duplicates !== undefined);
		const twice = `The same ${rows} rows on two workers at once`;
		tell({
			[`${twice}: numbers that exist twice`]: doubles,
			[`${twice}: of these named by the node`]: new Set(
				named.map(({ invoice_number: number }) => number),
			).size,
			[`${twice}: requests`]: world().traffic.requestCount,
		});
		expect(new Set(created.map(({ number }) => number)).size).toBe(rows);
		expect(problems).toEqual([]);
		expect(doubles).toBeLessThanOrEqual(mayBeDouble);
		done += 1;
	});

	test('the test notices unreported duplicates if Check for Duplicates is off', async () => {
		const { problems, doubles } = await runTwice('unchecked', { checkForDuplicates: false });
		const fault = 'Check for Duplicates off, the same sheet on two workers';
		const caught = `${problems.length} numbers that exist twice and are not named, of ${doubles}`;
		tell({}, [{ fault, caught }]);
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.length).toBe(doubles);
		done += 1;
	});
});

/** The default of Max Requests in Flight. */
const maxInFlight = 5;

test('two workers send twice as many parallel requests as one', async () => {
	await startWorkers(workerConcurrency);
	const { sheets, rows } = size.throughput;
	const latency = 100;
	/** Seconds until the last sheet ended, and most parallel requests. */
	const measure = async (name: string) => {
		const ids = numbersOf(name, sheets);
		await prepare(name, latency, Object.fromEntries(ids.map((id) => [id, numbersOf(id, rows)])));
		const begin = Date.now();
		await startSheets(stage(), ...ids);
		const over = await Promise.all(ids.map(async (id) => await executionsOver(stage(), id, 1)));
		expect(over.flat().filter(({ status }) => status !== 'success')).toEqual([]);
		expect(world().account.created).toHaveLength(sheets * rows);
		const end = Math.max(...over.flat().map(({ stoppedAt }) => Date.parse(stoppedAt ?? '')));
		return { seconds: (end - begin) / 1000, inFlight: world().traffic.mostInFlight };
	};
	// The first run warms up.
	await measure('warm');
	const two = await measure('two');
	await stage().workers[1].stop();
	const one = await measure('one');
	const what = `${sheets} sheets of ${rows} rows, ${latency} ms per response`;
	const rounded = (number: number) => Math.round(number * 100) / 100;
	tell({
		[`${what}: seconds with one worker`]: rounded(one.seconds),
		[`${what}: seconds with two workers`]: rounded(two.seconds),
		[`${what}: one worker's time divided by that of two`]: rounded(one.seconds / two.seconds),
		[`${what}: most requests in flight with one worker`]: one.inFlight,
		[`${what}: most requests in flight with two workers`]: two.inFlight,
	});
	// Time depends on the machine. Max Requests in Flight applies to each process.
	expect(one.inFlight).toBeLessThanOrEqual(maxInFlight);
	expect(two.inFlight).toBeGreaterThan(maxInFlight);
	expect(two.inFlight).toBeLessThanOrEqual(2 * maxInFlight);
	done += 1;
});
