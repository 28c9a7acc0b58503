import axios from 'axios';
import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';
import { peakMemory } from '../host/processes';
import type { Stage } from '../host/stage';
import { openStage } from '../host/stage';
import type { SettingsInput } from '../../simulator/settings';
import type { NodeUnderTest } from '../host/workflowOf';
import { ourNode, runWorkflow, workflowOf } from '../host/workflowOf';
import { fromRows, getAll, httpCreate, httpGetAll, rowsFor } from './nodes';
import type { Comparison, Measured } from './published';
import { publishedFigures } from './published';
import { publishResult } from '../quality/publish';
import { fs, HttpAgent, log, nodeProcess, os, parseArgs, path, projectFolder } from '../node';

/** Milliseconds that the service takes for each response. */
const latency = 20;
/** Of each way, in a full run. */
const fullRepetitions = '5';

/** One way to do a task, with the simulator's settings. */
interface Way {
	/** Returns milliseconds. */
	run: () => Promise<number>;
	world?: () => SettingsInput;
	/** Left out of quick runs, because it has no bound. */
	isExtra?: boolean;
}

const median = (numbers: number[]) =>
	[...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const rounded = (number: number) => Math.round(number * 100) / 100;

class Bench {
	constructor(
		private readonly stage: Stage,
		private readonly repetitions: number,
		private readonly isQuick: boolean,
	) {}

	get world() {
		return this.stage.simulator.world;
	}

	private sheets = 0;

	/** Alternates between the ways, so that none has the better moment. `check` throws if one did not do its work. */
	async compare<Name extends string>(
		ways: Record<Name, Way>,
		check: () => void,
	): Promise<Partial<Record<Name, Measured>>> {
		const names = (Object.keys(ways) as Name[]).filter(
			(name) => !this.isQuick || !ways[name].isExtra,
		);
		const runs = names.map((): Measured[] => []);
		for (let repetition = 0; repetition <= this.repetitions; repetition++) {
			for (const [index, name] of names.entries()) {
				const { run, world } = ways[name];
				this.world.reset({ ...world?.(), latency });
				const ms = await run();
				check();
				const { mostOpenConnections: sockets, requestCount: requests } = this.world.traffic;
				// The first run warms up.
				if (repetition > 0) runs[index].push({ ms, sockets, requests });
			}
		}
		const result = names.map((name, index) => [
			name,
			{
				ms: median(runs[index].map(({ ms }) => ms)),
				sockets: Math.max(...runs[index].map(({ sockets }) => sockets)),
				requests: median(runs[index].map(({ requests }) => requests)),
			},
		]);
		return Object.fromEntries(result) as Partial<Record<Name, Measured>>;
	}

	/** Returns the node's milliseconds. The node remembers invoice numbers that it created, so each run gets new ones. */
	async time(items: IDataObject[], node: NodeUnderTest): Promise<number> {
		return (await this.run(this.sheetOf(items), node)).ms;
	}

	private sheetOf(items: IDataObject[]): IDataObject[] {
		this.sheets += 1;
		return items.map((item) =>
			'invoice_number' in item
				? { ...item, invoice_number: `${this.sheets}-${String(item.invoice_number)}` }
				: item,
		);
	}

	private async run(
		items: IDataObject[],
		node: NodeUnderTest,
	): Promise<{ ms: number; last?: IDataObject }> {
		const execution = await runWorkflow(this.stage.api, workflowOf(items, node));
		const { error, runData } = execution.data.resultData;
		if (execution.status !== 'success') throw new Error(error?.message ?? execution.status);
		const [{ executionTime: ms, data }] = runData.Node;
		return { ms, last: data?.main[0]?.at(-1)?.json };
	}

	/** Milliseconds of a plan and of the run bound to it. */
	private async planAndApply(items: IDataObject[]): Promise<number> {
		const sheet = this.sheetOf(items);
		const plan = await this.run(sheet, fromRows(this.stage, undefined, { previewOnly: true }));
		const fingerprint = String(plan.last?.fingerprint);
		const options = { maxRequestsInFlight: 25, onlyIfPlanIs: fingerprint };
		const applied = await this.run(sheet, fromRows(this.stage, undefined, { options }));
		return plan.ms + applied.ms;
	}

	private checkCreated(count: number): void {
		const { length } = this.world.account.created;
		if (length !== count) throw new Error(`${length} invoices instead of ${count}`);
	}

	/** Creates 1,000 invoices in several ways. Create From Rows looks up each number first. */
	async createInvoices() {
		const rows = rowsFor(this.stage, 1000);
		const url = `${this.stage.simulator.url}/v1/invoices`;
		const ours = (maxRequestsInFlight: number) =>
			ourNode(this.stage, {
				resource: 'invoice',
				operation: 'create',
				customerId: '={{ $json.customer }}',
				currency: '={{ $json.currency }}',
				dueDate: '={{ $json.due_date }}',
				itemsInput: 'fields',
				items: {
					item: [{ name: '={{ $json.item }}', amount: '={{ $json.amount }}', quantity: 1 }],
				},
				additionalFields: { invoiceNumber: '={{ $json.invoice_number }}' },
				options: { maxRequestsInFlight },
			});
		const byHand = {
			customerId: '={{ $json.customer }}',
			currency: '={{ $json.currency }}',
			dueDate: '={{ $json.due_date }}',
			invoiceNumber: '={{ $json.invoice_number }}',
			itemName: '={{ $json.item }}',
			itemAmount: '={{ $json.amount }}',
		};
		// Of a column that another field has: a column in an expression alone would have to be confirmed.
		const byExpression = { ...byHand, itemName: '={{ $json.invoice_number.trim() }}' };
		const rowsWithoutItem = rows.map((row) => ({ ...row, item: undefined }));
		const withoutLook = { ifInvoiceNumberExists: 'create' };
		const way = (node: NodeUnderTest, isExtra = false, sheet: IDataObject[] = rows): Way => ({
			run: async () => await this.time(sheet, node),
			isExtra,
		});
		const axiosOnly: Way = {
			run: async () => {
				const begin = Date.now();
				await this.sendPlainly(25, rows, async (client, { item, amount, ...rest }) => {
					await client.post(url, { ...rest, items: [{ name: item, amount, quantity: 1 }] });
				});
				return Date.now() - begin;
			},
			isExtra: true,
		};
		const measured = await this.compare(
			{
				http: way(httpCreate(this.stage)),
				create: way(ours(25)),
				// About as many as the HTTP Request node achieves, because it evaluates expressions in between.
				createWith10: way(ours(10), true),
				axios: axiosOnly,
				rows: way(fromRows(this.stage)),
				rowsByHand: way(fromRows(this.stage, byHand), true),
				rowsByExpression: way(fromRows(this.stage, byExpression), true, rowsWithoutItem),
				rowsWithoutLook: way(fromRows(this.stage, undefined, withoutLook), true),
				planned: { run: async () => await this.planAndApply(rows) },
				rowsByEmail: this.byEmail(),
			},
			() => this.checkCreated(rows.length),
		);
		const { http, axios: floor } = measured;
		return {
			create: { ours: measured.create, http, oursWith10: measured.createWith10, axios: floor },
			rows: {
				ours: measured.rows,
				http,
				oursByHand: measured.rowsByHand,
				oursByExpression: measured.rowsByExpression,
				oursWithoutLook: measured.rowsWithoutLook,
			},
			rowsByEmail: { ours: measured.rowsByEmail, http },
			planned: { ours: measured.planned, unplanned: measured.rows },
		};
	}

	/** Customers by email, from an account with 5,000 invoices that n8n has not seen before. */
	private byEmail(): Way {
		let seed = 1;
		const rows = (): IDataObject[] => {
			const { customers, invoices } = this.world.account;
			const known = new Set(
				invoices.map(({ listed }) => (listed.customer as { email: string }).email),
			);
			const emails = customers.map(({ email }) => email).filter((email) => known.has(email));
			return rowsFor(this.stage, 1000).map((row, index) => ({
				...row,
				customer: emails[index % emails.length],
			}));
		};
		return {
			run: async () => await this.time(rows(), fromRows(this.stage)),
			world: () => ({ invoices: 5000, customers: 1000, seed: (seed += 1) }),
		};
	}

	/** Peak memory of n8n in MB, before and after. */
	async manyRows() {
		const count = 10_000;
		const rows = rowsFor(this.stage, count);
		this.world.reset({ latency });
		await this.time(rows.slice(0, 1000), fromRows(this.stage));
		const memoryBefore = peakMemory(this.stage.n8n.pid);
		this.world.reset({ latency });
		const ms = await this.time(rows, fromRows(this.stage));
		this.checkCreated(count);
		const memoryAfter = peakMemory(this.stage.n8n.pid);
		const { mostOpenConnections: sockets } = this.world.traffic;
		log(
			`${count} rows: ${ms} ms, ${sockets} sockets, at most ${memoryAfter} MB (after 1,000 rows ${memoryBefore} MB)`,
		);
		return { rows: count, ms, sockets, memoryBefore, memoryAfter };
	}

	async getMany() {
		const url = `${this.stage.simulator.url}/v1/charges`;
		const pages = Array.from({ length: 100 }, (_, index) => index + 1);
		const world = () => ({ charges: 10_000 });
		const way = (node: NodeUnderTest): Way => ({
			run: async () => await this.time([{}], node),
			world,
		});
		const axiosOnly: Way = {
			run: async () => {
				const begin = Date.now();
				await this.sendPlainly(5, pages, async (client, page) => {
					await client.get(url, { params: { page, page_size: 100 } });
				});
				return Date.now() - begin;
			},
			world,
			isExtra: true,
		};
		return await this.compare(
			{ ours: way(getAll(this.stage)), http: way(httpGetAll(this.stage)), axios: axiosOnly },
			() => {
				if (this.world.traffic.requestCount < 100) throw new Error('Not all pages were read');
			},
		);
	}

	/** The minimum: plain requests, each with its own connection, as n8n sends them. */
	private async sendPlainly<T>(
		width: number,
		inputs: T[],
		send: (client: typeof axios, input: T) => Promise<void>,
	): Promise<void> {
		const { apiKey } = this.world.settings;
		const client = axios.create({
			headers: { 'X-API-KEY': apiKey },
			httpAgent: new HttpAgent({ keepAlive: false }),
			proxy: false,
		}) as typeof axios;
		let next = 0;
		const work = async () => {
			while (next < inputs.length) await send(client, inputs[next++]);
		};
		await Promise.all(Array.from({ length: width }, work));
	}
}

function report(
	name: string,
	given: Record<string, Measured | undefined>,
	to = { way: 'http', title: 'HTTP Request' },
): Comparison {
	const measured = Object.entries(given).flatMap(([way, one]) => (one ? [{ way, ...one }] : []));
	const { ours, [to.way]: base } = given;
	if (!ours || !base) throw new Error(`${name}: nothing to compare`);
	const table = new Table({
		head: [name, 'Median ms', `Ratio to ${to.title}`, 'Sockets', 'Requests'],
		style: { head: [], border: [], compact: true },
	});
	const ratios = measured.map(({ way, ms, sockets, requests }) => {
		const ratio = rounded(ms / base.ms);
		table.push([way, ms, ratio, sockets, requests]);
		return [way, { ratio, ms, sockets, requests }] as const;
	});
	log(table.toString());
	return {
		ratio: rounded(ours.ms / base.ms),
		perRequest: rounded(ours.ms / ours.requests / (base.ms / base.requests)),
		requests: ours.requests,
		sockets: ours.sockets,
		measured: Object.fromEntries(ratios),
	};
}

/**
 * Upper bounds. `perRequest`: time of a request, compared with one of the HTTP Request node, or for `planned` of a run without a plan.
 * The ratio itself has no bound: how many requests a row needs is a promise, and on a fast machine their latency is all that counts.
 */
const bounds = {
	create: { perRequest: 1, requests: 1000, sockets: 25 },
	getMany: { perRequest: 0.5, requests: 120, sockets: 25 },
	rows: { perRequest: 1, requests: 2100, sockets: 25 },
	rowsByEmail: { perRequest: 1, requests: 2200, sockets: 25 },
	planned: { perRequest: 1.3, requests: 2100, sockets: 25 },
};

function exceededBounds(results: Record<keyof typeof bounds, Comparison>): string[] {
	return Object.entries(bounds).flatMap(([name, limits]) =>
		Object.entries(limits).flatMap(([what, most]) => {
			const measured = results[name as keyof typeof bounds][what as keyof typeof limits];
			return measured <= most ? [] : [`FAILED: ${name}: ${what} is ${measured}, more than ${most}`];
		}),
	);
}

/**
 * Compares the node with n8n's HTTP Request node in a real n8n, and writes the ratios to a file. Exits with 1 if a bound is
 * exceeded. `--publish` writes them into the documentation, too, if none is.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			repetitions: { type: 'string', default: fullRepetitions },
			out: { type: 'string', default: path.join(projectFolder, 'bench', 'results.json') },
			quick: { type: 'boolean', default: false },
			publish: { type: 'boolean', default: false },
		},
	});
	const repetitions = Number(values.repetitions);
	if (!(repetitions >= 1)) throw new Error('--repetitions has to be 1 or more');
	if (values.publish && (values.quick || values.repetitions !== fullRepetitions))
		throw new Error('--publish needs a full run: leave out --quick and --repetitions');
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-bench-'));
	const stage = await openStage({ userFolder, log });
	try {
		const bench = new Bench(stage, repetitions, values.quick);
		// First, before n8n needs memory for anything else.
		const manyRows = values.quick ? undefined : await bench.manyRows();
		const getMany = report('Get Many, 10,000 charges', await bench.getMany());
		const created = await bench.createInvoices();
		const create = report('Create 1,000 invoices', created.create);
		const rows = report('1,000 rows', created.rows);
		const rowsByEmail = report('1,000 rows by email', created.rowsByEmail);
		const plain = { way: 'unplanned', title: 'a run without a plan' };
		const planned = report('Plan and apply, 1,000 rows', created.planned, plain);
		fs.mkdirSync(path.dirname(values.out), { recursive: true });
		const node = nodeProcess.version;
		const compared = { create, getMany, rows, rowsByEmail, planned };
		const results = { latency, repetitions, node, ...compared, manyRows };
		fs.writeFileSync(values.out, `${JSON.stringify(results, null, '\t')}\n`);
		const exceeded = exceededBounds(compared);
		exceeded.forEach((problem) => log(problem));
		if (exceeded.length) nodeProcess.exitCode = 1;
		else if (values.publish) {
			const figures = publishedFigures(compared);
			await publishResult('bench', { command: 'npm run bench', figures, planted: [] });
		}
	} finally {
		await stage.close();
		fs.rmSync(userFolder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	nodeProcess.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	nodeProcess.exitCode = 1;
});
