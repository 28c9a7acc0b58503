import axios from 'axios';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { N8nApi, StoredExecution, WorkflowFile } from '../../tools/host/api';
import type { RunningN8n } from '../../tools/host/n8n';
import type { QueueStage } from '../../tools/host/queueStage';
import { ourNode, triggerWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { fs } from '../../tools/node';
import { until } from '../../tools/until';
import type { NamedInvoice } from './ledgers';

/** An execution as n8n's list shows it. */
export interface ListedExecution {
	id: string;
	workflowId: string;
	status: string;
	/** The execution of which this is a retry. */
	retryOf?: string | null;
	startedAt: string;
	stoppedAt?: string | null;
}

export const isOver = ({ status }: Pick<ListedExecution, 'status'>): boolean =>
	['success', 'error', 'crashed', 'canceled'].includes(status);

/** All executions, or those of a workflow, oldest first. */
export async function listExecutions(api: N8nApi, workflowId?: string): Promise<ListedExecution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const all: ListedExecution[] = [];
	for (;;) {
		const before = all.length ? `&lastId=${all[all.length - 1].id}` : '';
		const { results } = await api.call<{ results: ListedExecution[] }>(
			'get',
			`/executions?limit=100&filter=${filter}${before}`,
		);
		all.push(...results);
		if (results.length < 100) return all.reverse();
	}
}

/** A workflow that a call of its webhook starts, as n8n is used: it turns a sheet with these numbers into invoices. */
export function sheetWorkflow(
	stage: QueueStage,
	id: string,
	numbers: string[],
	options: INodeParameters = {},
): WorkflowFile {
	const customer = stage.simulator.world.account.customers[0].id;
	const rows = numbers.map((number, index) => ({
		'Invoice Number': number,
		'Customer ID': customer,
		Item: 'Consulting',
		Amount: `${index}.25`,
		Currency: 'EUR',
		'Due Date': '2027-01-15',
	}));
	const node = ourNode(stage, {
		resource: 'invoice',
		operation: 'createFromRows',
		ifInvoiceNumberExists: 'returnExisting',
		columns: { mappingMode: 'autoMapInputData', value: null } as never,
		options,
	});
	const { nodes, ...workflow } = workflowOf(rows, node);
	const [start, ...others] = nodes;
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: id,
		parameters: { httpMethod: 'POST', path: id, options: {} },
	};
	return { ...workflow, id, name: id, nodes: [{ ...start, ...webhook }, ...others] };
}

const webhookOf = (stage: QueueStage, id: string) => `${stage.n8n.url}/webhook/${id}`;
const http = axios.create({ proxy: false, timeout: 30_000, validateStatus: () => true });

/** Saves and publishes the workflows and waits until n8n takes calls of their webhooks. */
export async function publishSheets(stage: QueueStage, workflows: WorkflowFile[]): Promise<void> {
	for (const workflow of workflows) {
		await stage.api.saveWorkflow(workflow);
		await stage.api.activate(workflow.id);
	}
	for (const { id } of workflows) {
		await until(
			// n8n tells who comes with another method that there is one for POST.
			async () =>
				JSON.stringify((await http.get(webhookOf(stage, id))).data).includes('POST request'),
			() => `n8n does not know the webhook of ${id}`,
			200,
		);
	}
}

/** Starts a published sheet. Throws an Error if n8n does not take the call. */
export async function startSheet(stage: QueueStage, id: string): Promise<void> {
	const { status, data } = await http.post(webhookOf(stage, id), {});
	if (status !== 200)
		throw new Error(`The webhook of ${id} gave ${status}: ${JSON.stringify(data)}`);
}

/** Waits until so many executions of a workflow are over, and gives them. */
export async function executionsOver(
	stage: QueueStage,
	workflowId: string,
	count: number,
): Promise<ListedExecution[]> {
	let over: ListedExecution[] = [];
	const look = async () => {
		over = (await listExecutions(stage.api, workflowId)).filter(isOver);
		return over.length >= count && over;
	};
	return await until(look, () => `Only ${over.length} of ${count} of ${workflowId} ended`, 500);
}

/** A workflow with the trigger, whose executions take a while, so that some always run. */
export function chargeWorkflow(
	stage: QueueStage,
	seconds: number,
	everySeconds: number,
): WorkflowFile {
	const workflow = triggerWorkflow(stage, {}, { everySeconds });
	const [trigger, end] = workflow.nodes;
	const wait = { amount: seconds, unit: 'seconds' };
	const waiting = { ...end, type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: wait };
	return { ...workflow, nodes: [trigger, waiting] };
}

/** The IDs of the executions that a worker has begun and not ended, as its log says. */
export function runningOn({ logFile }: RunningN8n): string[] {
	const running = new Set<string>();
	const log = fs.readFileSync(logFile, 'utf8');
	for (const [, what, id] of log.matchAll(/Worker (started|finished) execution (\d+)/g)) {
		if (what === 'started') running.add(id);
		else running.delete(id);
	}
	return [...running];
}

/** The IDs of all executions that a worker has begun. */
export const begunOn = ({ logFile }: RunningN8n): string[] =>
	[...fs.readFileSync(logFile, 'utf8').matchAll(/Worker started execution (\d+)/g)].map(
		([, id]) => id,
	);

type Waiting = { executionData?: { nodeExecutionStack: Array<{ data: { main: unknown } }> } };

/**
 * The IDs of the items that started an execution: what its trigger gave, or what waits to be run, which is all that n8n keeps of
 * one whose worker was killed. Empty data gives none.
 */
export function startedWith({ data }: StoredExecution, trigger: string): string[] {
	const [run] = data.resultData.runData[trigger] ?? [];
	const [waiting] = (data as Waiting).executionData?.nodeExecutionStack ?? [];
	const idsIn = (main: unknown) =>
		((main as INodeExecutionData[][] | undefined)?.[0] ?? [])
			.filter(({ json }) => typeof json.id === 'string')
			.map(({ json }) => json.id as string);
	const given = idsIn(run?.data?.main);
	return given.length ? given : idsIn(waiting?.data.main);
}

/** The invoices that the node gave in an execution, with what it says of doubles. */
export const invoicesIn = ({ data }: StoredExecution): NamedInvoice[] =>
	(data.resultData.runData.Node ?? []).flatMap((run) =>
		(run.data?.main[0] ?? []).map(({ json }) => json as unknown as NamedInvoice),
	);
