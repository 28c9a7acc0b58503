import type { INodeParameters } from 'n8n-workflow';
import type { QueueStage } from '../../tools/host/queueStage';
import type { CreatedInvoice, NamedInvoice } from './ledgers';
import {
	begunOn,
	executionsOver,
	invoicesIn,
	publishSheets,
	sheetWorkflow,
	startSheet,
} from './queueRuns';

const numbersOf = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, row) => `${prefix}-${row}`);

/** What came of two runs of one sheet at the same moment. */
export interface SameSheet {
	created: CreatedInvoice[];
	/** Of both runs. */
	results: NamedInvoice[];
	statuses: string[];
	/** How many executions each worker began. */
	byWorker: number[];
	requests: number;
}

/** Starts a sheet twice at the same moment, on two workers that run one execution at a time. */
export async function runSameSheet(
	stage: QueueStage,
	name: string,
	rows: number,
	options: INodeParameters = {},
): Promise<SameSheet> {
	const { world } = stage.simulator;
	const key = `key-of-${name}`;
	await stage.useKey(key);
	world.reset({ apiKey: key, latency: 50 });
	await publishSheets(stage, [sheetWorkflow(stage, name, numbersOf(name, rows), options)]);
	await Promise.all([startSheet(stage, name), startSheet(stage, name)]);
	const executions = await executionsOver(stage, name, 2);
	const stored = await Promise.all(executions.map(async ({ id }) => await stage.api.execution(id)));
	return {
		created: world.account.created.map(({ full, request }) => ({
			id: full.id,
			number: request.invoice_number ?? '',
		})),
		results: stored.flatMap(invoicesIn),
		statuses: stored.map(({ status }) => status),
		byWorker: stage.workers.map(
			(worker) => begunOn(worker).filter((id) => executions.some((one) => one.id === id)).length,
		),
		requests: world.traffic.requestCount,
	};
}

/**
 * Starts so many sheets at once and waits for all. Gives the seconds until the last one ended, and the most requests that were in
 * flight at a time. Throws an Error if one failed.
 */
export async function timeSheets(
	stage: QueueStage,
	name: string,
	{ sheets, rows, latency }: { sheets: number; rows: number; latency: number },
): Promise<{ seconds: number; inFlight: number }> {
	const { world } = stage.simulator;
	const key = `key-of-${name}`;
	await stage.useKey(key);
	world.reset({ apiKey: key, latency });
	const ids = Array.from({ length: sheets }, (_, sheet) => `${name}-${sheet}`);
	await publishSheets(
		stage,
		ids.map((id) => sheetWorkflow(stage, id, numbersOf(id, rows))),
	);
	const begin = Date.now();
	await Promise.all(ids.map(async (id) => await startSheet(stage, id)));
	let end = begin;
	for (const id of ids) {
		const [{ status, stoppedAt }] = await executionsOver(stage, id, 1);
		if (status !== 'success') throw new Error(`${id} ended with ${status}`);
		end = Math.max(end, Date.parse(stoppedAt ?? ''));
	}
	const { length } = world.account.created;
	if (length !== sheets * rows) throw new Error(`${length} invoices instead of ${sheets * rows}`);
	return { seconds: (end - begin) / 1000, inFlight: world.traffic.mostInFlight };
}
