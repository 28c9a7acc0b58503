import type { WorkflowFile } from '../../tools/host/api';
import type { QueueStage } from '../../tools/host/queueStage';
import { triggerWorkflow } from '../../tools/host/workflowOf';
import { clearInterval, delay, fs, setInterval } from '../../tools/node';
import { until } from '../../tools/until';
import type { Start } from '../helpers/service/ledgers';
import { handedOver } from '../helpers/service/ledgers';
import type { ListedExecution } from '../helpers/n8n/queue';
import {
	begunOn,
	executionsOver,
	isOver,
	listExecutions,
	publishSheets,
	startSheets,
} from '../helpers/n8n/queue';
import { numbersOf } from '../helpers/n8n/sheetWorkflow';
import { startOf } from '../helpers/n8n/startOf';

export interface LoadSize {
	sheets: number;
	rows: number;
	/** Milliseconds of each response. */
	latency: number;
	chargesPerSecond: number;
}

/** Executions of this workflow take eight seconds, so that some always run. */
function chargeWorkflow(stage: QueueStage): WorkflowFile {
	const workflow = triggerWorkflow(stage, {}, { everySeconds: 6 });
	const [trigger, end] = workflow.nodes;
	const wait = { amount: 8, unit: 'seconds' };
	const waiting = { ...end, type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: wait };
	return { ...workflow, nodes: [trigger, waiting] };
}

/** The charges of an execution, as far as n8n still has them. */
const chargesOf = async (stage: QueueStage, id: string): Promise<string[]> =>
	startOf((await stage.api.execution(id)).data)?.ids ?? [];

/** Kills a worker and starts it again. Returns the IDs of the executions that it was running. */
async function killWorker(stage: QueueStage, number: number): Promise<string[]> {
	const { running } = begunOn(stage.workers[number]);
	await stage.workers[number].kill();
	await stage.startWorker(number);
	return running;
}

/**
 * Starts all sheets at once while customers pay. Then kills a worker that runs sheets, restarts the main process, and kills a worker
 * that runs an execution of the trigger. Retries or restarts failed runs until all sheets are done.
 */
export async function runLoad(stage: QueueStage, size: LoadSize) {
	const { world } = stage.simulator;
	await stage.useKey('key-of-load');
	world.reset({ apiKey: 'key-of-load', charges: 0, latency: size.latency });
	const sheets = Object.fromEntries(
		numbersOf('load', size.sheets).map((id) => [id, numbersOf(id, size.rows)]),
	);
	const ids = Object.keys(sheets);
	const wanted = Object.values(sheets).flat();
	const charges = chargeWorkflow(stage);
	await stage.api.saveWorkflow(charges);
	await stage.api.activate(charges.id);
	await publishSheets(stage, sheets);
	await until(
		() => world.traffic.requestCount >= 2,
		() => 'The trigger does not poll',
	);

	const paid: string[] = [];
	const pay = () => paid.push(String(world.account.addCharge({}, Date.now()).id));
	const paying = setInterval(pay, 1000 / size.chargesPerSecond);
	try {
		const created = () => world.account.created.map(({ request }) => request.invoice_number ?? '');
		await startSheets(stage, ...ids);
		await until(
			() => created().length >= 0.15 * wanted.length,
			() => `Only ${created().length} of ${wanted.length} invoices were created`,
		);
		const lost = await killWorker(stage, 0);
		// Read before n8n empties them.
		const chargesOnKilled = await chargesIn(stage, lost);

		const stoppedAt = Date.now();
		await stage.n8n.stop();
		await stage.restart();
		const secondsMainWasAway = Math.round((Date.now() - stoppedAt) / 1000);
		const ends = await finishSheets(stage, ids, lost);

		const killed = await killWithCharges(stage, charges.id);
		chargesOnKilled.push(...(await chargesIn(stage, killed)));
		await untilEmptied(stage, killed[0]);
		clearInterval(paying);
		const starts = await untilDelivered(stage, charges.id, paid);
		await stage.api.deactivate(charges.id);
		/** Charges that the trigger named in n8n's log. */
		const named = handedOver(fs.readFileSync(stage.n8n.logFile, 'utf8'));
		return {
			...{ wanted, created: created(), paid, starts, ...ends },
			...{ named, chargesOnKilled, secondsMainWasAway },
		};
	} finally {
		clearInterval(paying);
	}
}

const chargesIn = async (stage: QueueStage, ids: string[]): Promise<string[]> =>
	(await Promise.all(ids.map(async (id) => await chargesOf(stage, id)))).flat();

/**
 * Retries every second failed run and restarts the sheets of the others, until all sheets are done. `lost`: runs whose worker was
 * killed. Returns the other failed runs too.
 */
async function finishSheets(stage: QueueStage, ids: string[], lost: string[]) {
	const failed: string[] = [];
	const handled = new Set<string>();
	const retries: Array<Promise<void>> = [];
	let retried = 0;
	let startedAgain = 0;
	const startAgain = async (workflowId: string) => {
		startedAgain += 1;
		await startSheets(stage, workflowId);
	};
	const retry = async ({ id, workflowId }: ListedExecution) => {
		// n8n responds after the retry, and refuses it if it has emptied the execution.
		const { status } = await stage.api.try('post', `/executions/${id}/retry`, {});
		if (status < 400) retried += 1;
		else await startAgain(workflowId);
	};
	const goOn = async (execution: ListedExecution) => {
		const { id, workflowId, status, retryOf } = execution;
		// A retry of an emptied execution runs nothing and ends with the original error.
		const isVain = retryOf ? handled.has(retryOf) : false;
		if (!lost.includes(id) && !isVain) {
			const { resultData } = (await stage.api.execution(id)).data;
			failed.push(`${id} of ${workflowId}: ${status}, ${resultData.error?.message ?? 'no error'}`);
		}
		handled.add(id);
		if (isVain) retried -= 1;
		if (handled.size % 2 && !isVain) retries.push(retry(execution));
		else await startAgain(workflowId);
	};
	let left = ids;
	const look = async () => {
		const all = await listExecutions(stage);
		const ofSheet = (id: string) => all.filter(({ workflowId }) => workflowId === id);
		left = ids.filter((id) => ofSheet(id).every(({ status }) => status !== 'success'));
		for (const one of left.flatMap(ofSheet))
			if (isOver(one) && !handled.has(one.id)) await goOn(one);
		return left.length === 0;
	};
	await until(look, () => `Not done: ${left.join(', ')}. ${failed.join('\n')}`, 2000);
	await Promise.allSettled(retries);
	return { failed, retried, startedAgain };
}

/** Kills a worker that runs executions of the trigger, and starts it again. Returns their IDs. */
async function killWithCharges(stage: QueueStage, workflowId: string): Promise<string[]> {
	const look = async () => {
		const all = await listExecutions(stage, workflowId);
		const running = all.filter(({ status }) => status === 'running').map(({ id }) => id);
		const number = stage.workers.findIndex((worker) =>
			begunOn(worker).running.some((id) => running.includes(id)),
		);
		if (number < 0) return undefined;
		// They may have ended before the kill.
		const killed = (await killWorker(stage, number)).filter((id) => running.includes(id));
		return killed.length > 0 && killed;
	};
	return await until(look, () => 'No worker ran an execution of the trigger', 300);
}

/** Waits until n8n empties an execution whose worker was killed. It does not empty all of them. */
async function untilEmptied(stage: QueueStage, execution: string): Promise<void> {
	const deadline = Date.now() + 150_000;
	while (Date.now() < deadline && (await chargesOf(stage, execution)).length > 0) await delay(2000);
}

/** Waits until nothing runs and the newest charge came. Returns the charges of all executions. */
async function untilDelivered(
	stage: QueueStage,
	workflowId: string,
	paid: string[],
): Promise<Start[]> {
	const look = async () => {
		const { length } = await listExecutions(stage, workflowId);
		const all = await executionsOver(stage, workflowId, length);
		const newest = await chargesOf(stage, all[all.length - 1].id);
		if (!newest.includes(paid[paid.length - 1])) return undefined;
		const ids = await chargesIn(
			stage,
			all.map(({ id }) => id),
		);
		return ids.map((id) => ({ trigger: 'Charge', id, at: 0 }));
	};
	return await until(look, () => 'The newest charge did not come', 2000);
}
