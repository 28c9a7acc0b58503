import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredExecution } from '../../../tools/host/api';
import type { RunningN8n } from '../../../tools/host/n8n';
import type { QueueStage } from '../../../tools/host/queueStage';
import { openQueueStage } from '../../../tools/host/queueStage';
import { fs, os, path } from '../../../tools/node';
import { until } from '../../../tools/until';
import type { NamedInvoice } from '../service/ledgers';
import { sheetByWebhook } from './sheetWorkflow';

/** Polls every few seconds need a scheduler that runs as often. */
const often = { N8N_SCHEDULER_EXECUTOR_INTERVAL: '1', N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1' };

/** n8n in queue mode with durable cursors, as in docs/docker. Call at the top level of a test file. */
export function useQueueStage(workers?: number): () => QueueStage {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-queue-'));
	let opened: QueueStage | undefined;
	beforeAll(async () => {
		opened = await openQueueStage(folder, () => undefined, often, workers);
	}, 600_000);
	afterAll(async () => {
		await opened?.close();
		fs.rmSync(folder, { recursive: true, force: true });
	}, 180_000);
	return () => {
		if (!opened) throw new Error('The stage did not open');
		return opened;
	};
}

/** An execution in n8n's list. */
export interface ListedExecution {
	id: string;
	workflowId: string;
	status: string;
	/** The ID of the execution that this one repeats. */
	retryOf?: string | null;
	stoppedAt?: string | null;
}

export const isOver = ({ status }: ListedExecution): boolean =>
	['success', 'error', 'crashed', 'canceled'].includes(status);

/** All executions, or those of a workflow, oldest first. */
export async function listExecutions(
	{ api }: QueueStage,
	workflowId?: string,
): Promise<ListedExecution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const all: ListedExecution[] = [];
	for (;;) {
		const before = all.length ? `&lastId=${all[all.length - 1].id}` : '';
		const page = `/executions?limit=100&filter=${filter}${before}`;
		const { results } = await api.call<{ results: ListedExecution[] }>('get', page);
		all.push(...results);
		if (results.length < 100) return all.reverse();
	}
}

/** Waits until `count` executions of a workflow have ended. Gives them. */
export async function executionsOver(
	stage: QueueStage,
	workflowId: string,
	count: number,
): Promise<ListedExecution[]> {
	let over: ListedExecution[] = [];
	const look = async () => {
		over = (await listExecutions(stage, workflowId)).filter(isOver);
		return over.length >= count && over;
	};
	return await until(look, () => `Only ${over.length} of ${count} of ${workflowId} ended`, 500);
}

const webhookOf = (stage: QueueStage, id: string) => `${stage.n8n.url}/webhook/${id}`;
const http = axios.create({ proxy: false, timeout: 30_000, validateStatus: () => true });

/** Publishes a workflow for each sheet, by its ID, and waits until their webhooks respond. */
export async function publishSheets(
	stage: QueueStage,
	sheets: Record<string, string[]>,
	options: INodeParameters = {},
): Promise<void> {
	for (const [id, numbers] of Object.entries(sheets)) {
		await stage.api.saveWorkflow(sheetByWebhook(stage, id, numbers, options));
		await stage.api.activate(id);
	}
	for (const id of Object.keys(sheets)) {
		await until(
			// n8n responds to a GET with the method that it accepts.
			async () =>
				JSON.stringify((await http.get(webhookOf(stage, id))).data).includes('POST request'),
			() => `n8n does not know the webhook of ${id}`,
			200,
		);
	}
}

/** Starts published sheets at the same moment. Throws an Error if a call fails. */
export async function startSheets(stage: QueueStage, ...ids: string[]): Promise<void> {
	const start = async (id: string) => {
		const { status, data } = await http.post(webhookOf(stage, id), {});
		if (status !== 200)
			throw new Error(`The webhook of ${id} gave ${status}: ${JSON.stringify(data)}`);
	};
	await Promise.all(ids.map(start));
}

/** The IDs of all executions in the log of a worker, and of those still running. */
export function begunOn({ logFile }: RunningN8n): { all: string[]; running: string[] } {
	const lines = [
		...fs.readFileSync(logFile, 'utf8').matchAll(/Worker (started|finished) execution (\d+)/g),
	];
	const idsOf = (word: string) => lines.filter(([, what]) => what === word).map(([, , id]) => id);
	const [all, ended] = [idsOf('started'), new Set(idsOf('finished'))];
	return { all, running: all.filter((id) => !ended.has(id)) };
}

/** The invoices in the output of an execution, with their duplicates. */
export const invoicesIn = ({ data }: StoredExecution): NamedInvoice[] =>
	(data.resultData.runData.Node ?? []).flatMap((run) =>
		(run.data?.main[0] ?? []).map(({ json }) => json as unknown as NamedInvoice),
	);
