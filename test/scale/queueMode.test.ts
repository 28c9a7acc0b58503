import type { INodeParameters } from 'n8n-workflow';
import { nodeProcess } from '../../tools/node';
import { doubleProblems, doublesOf, invoiceProblems, settle } from '../helpers/service/ledgers';
import {
	begunOn,
	executionsOver,
	invoicesIn,
	publishSheets,
	startSheets,
	useQueueStage,
} from '../helpers/n8n/queue';
import { numbersOf } from '../helpers/n8n/sheetWorkflow';
import { useReport } from '../helpers/report';
import { runLoad } from './load';

jest.setTimeout(10 * 60_000);
const stage = useQueueStage();
const world = () => stage().simulator.world;

/** A small run for development. Saves no result. */
const isShort = nodeProcess.env.SCALE_SHORT === '1';
const size = isShort
	? { sheets: 6, rows: 30, latency: 600, chargesPerSecond: 5 }
	: { sheets: 20, rows: 100, latency: 200, chargesPerSecond: 5 };

const tell = useReport('scale', 'npm run nightly -- scale', !isShort);

test('[R3, R6, T2] creates every invoice and delivers every charge exactly once under load, with a killed worker and a restarted main process', async () => {
	const run = await runLoad(stage(), size);
	const inExecutions = new Set(run.starts.map(({ id }) => id));
	const notIn = run.paid.filter((charge) => !inExecutions.has(charge));
	const load = `${size.sheets} sheets of ${size.rows} rows at once`;
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
	const duties = run.paid.map((id) => ({
		...{ trigger: 'Charge', id, must: !run.named.has(id), shownAt: [] },
	}));
	expect(settle(duties, run.starts, [], 0)).toMatchObject({ lost: [], twice: [], strange: [] });
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

describe('the same sheet on two workers at the same moment', () => {
	const rows = 200;
	/** Most numbers that may exist twice, if the node reports each. */
	const mayBeDouble = 15;

	// With one execution each, the two runs are on different workers.
	beforeAll(async () => {
		const restart = stage().workers.map(async (worker, number) => {
			await worker.stop();
			await stage().startWorker(number, 1);
		});
		await Promise.all(restart);
	});

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
	});

	test('the test notices unreported duplicates if Check for Duplicates is off', async () => {
		const { problems, doubles } = await runTwice('unchecked', { checkForDuplicates: false });
		const fault = 'Check for Duplicates off, the same sheet on two workers';
		const caught = `${problems.length} numbers that exist twice and are not named, of ${doubles}`;
		tell({}, [{ fault, caught }]);
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.length).toBe(doubles);
	});
});
