import type { IDataObject } from 'n8n-workflow';
import { fromRows, getAll, httpCreate, httpGetAll, rowsFor } from './nodes';
import { peakMemory } from '../host/processes';
import type { Stage } from '../host/stage';
import { openStage } from '../host/stage';
import type { NodeUnderTest } from '../host/workflowOf';
import { workflowOf } from '../host/workflowOf';
import { publishResult } from '../quality/publish';
import { fs, log, nodeProcess, os, parseArgs, path } from '../node';
import { until } from '../until';

interface Case {
	name: string;
	items(): IDataObject[];
	node(): NodeUnderTest;
	/** Splits pages into items, as our node does. */
	splitOut?: boolean;
}

const charges = 100_000;
const rows = 10_000;
const one = () => [{}];

const casesOf = (stage: Stage): Case[] => [
	{ name: 'Nothing but the start of n8n', items: one, node: noOp },
	{ name: '100,000 charges, Get Many with Return All', items: one, node: () => getAll(stage) },
	{
		name: '100,000 charges, the same without Simplify',
		items: one,
		node: () => getAll(stage, { simplify: false }),
	},
	{
		name: '100,000 charges, HTTP Request, an item for each page',
		items: one,
		node: () => httpGetAll(stage),
	},
	{
		name: '100,000 charges, HTTP Request and Split Out',
		items: one,
		node: () => httpGetAll(stage),
		splitOut: true,
	},
	{
		name: '10,000 rows, Create From Rows',
		items: () => rowsFor(stage, rows),
		node: () => fromRows(stage),
	},
	{
		name: '10,000 rows, HTTP Request',
		items: () => rowsFor(stage, rows),
		node: () => httpCreate(stage),
	},
];

const noOp = (): NodeUnderTest => ({
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
});

/** Peak memory of n8n in MB, until the execution is stored. */
async function measure(stage: Stage, { name, items, node, splitOut }: Case): Promise<number> {
	await stage.n8n.stop();
	await stage.restart();
	stage.simulator.world.reset({ charges });
	const workflow = workflowOf(items(), node());
	if (splitOut) {
		const parameters = { fieldToSplitOut: 'results', options: {} };
		const type = 'n8n-nodes-base.splitOut';
		workflow.nodes.push({
			id: 'e',
			name: 'Charges',
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters,
		});
		workflow.connections.Node = { main: [[{ node: 'Charges', type: 'main', index: 0 }]] };
	}
	await stage.api.saveWorkflow(workflow);
	const id = await stage.api.start(workflow.id, 'Start');
	const status = await until(
		async () => await endedAs(stage, workflow.id, id),
		() => `${name} did not end`,
		500,
	);
	const memory = peakMemory(stage.n8n.pid);
	if (status !== 'success') throw new Error(`${name} ended with ${status}`);
	if (memory === undefined) throw new Error('This system does not tell how much memory n8n needs');
	return memory;
}

/** Only the status, because reading the data would need memory. */
async function endedAs(stage: Stage, workflowId: string, id: string): Promise<string | false> {
	const executions = await stage.api.statusesOf(workflowId);
	const { status = 'new' } = executions.find((execution) => execution.id === id) ?? {};
	return !['new', 'running', 'waiting'].includes(status) && status;
}

/**
 * Measures n8n's memory for large executions, with our node and with the HTTP Request node. `--publish` writes the figures into the
 * documentation.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-cost-'));
	const stage = await openStage({ userFolder, log });
	const figures: Record<string, number> = {};
	try {
		for (const each of casesOf(stage)) {
			const figure = `${each.name} (MB)`;
			figures[figure] = await measure(stage, each);
			log(`${figure}: ${figures[figure]}`);
		}
	} finally {
		await stage.close();
		fs.rmSync(userFolder, { recursive: true, force: true });
	}
	if (!values.publish) return;
	await publishResult('cost', { command: 'npm run bench -- --memory', figures, planted: [] });
}

main().catch((error: unknown) => {
	nodeProcess.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	nodeProcess.exitCode = 1;
});
