import type { QueueStage } from '../../tools/host/queueStage';
import { clearInterval, delay, fs, setInterval } from '../../tools/node';
import { until } from '../../tools/until';
import type { ChargeExecution } from './ledgers';
import { handedOver } from './ledgers';
import type { ListedExecution } from './queueRuns';
import {
	chargeWorkflow,
	executionsOver,
	isOver,
	listExecutions,
	publishSheets,
	runningOn,
	sheetWorkflow,
	startedWith,
	startSheet,
} from './queueRuns';

/** How much is to be done. */
export interface LoadSize {
	sheets: number;
	rows: number;
	/** Milliseconds that the service takes for every response. */
	latency: number;
	chargesPerSecond: number;
}

/** What the service has in the end, what n8n has of it, and what happened on the way. */
export interface LoadOutcome {
	wanted: string[];
	created: string[];
	paid: string[];
	chargeExecutions: ChargeExecution[];
	/** The charges that the trigger has named in n8n's log. */
	named: Set<string>;
	/** The sheets' executions that did not succeed, although no worker that ran them was killed. */
	failed: string[];
	retried: number;
	startedAgain: number;
	/** The charges of the trigger's executions that a worker ran when it was killed. */
	chargesOnKilled: string[];
	secondsMainWasAway: number;
}

const trigger = 'Trigger';
const pollEvery = 6;

/** Kills a worker and starts it again. Gives the IDs of the executions that it ran. */
async function killWorker(stage: QueueStage, number: number): Promise<string[]> {
	const worker = stage.workers[number];
	const running = runningOn(worker);
	await worker.kill();
	await stage.startWorker(number);
	return running;
}

/**
 * Starts all sheets at once while customers pay; kills a worker that runs sheets; stops the main process and starts it again; kills
 * a worker that runs an execution of the trigger. Runs that did not succeed are retried or started again until all sheets are done.
 */
export async function runLoad(stage: QueueStage, size: LoadSize): Promise<LoadOutcome> {
	const { world } = stage.simulator;
	await stage.useKey('key-of-load');
	world.reset({ apiKey: 'key-of-load', charges: 0, latency: size.latency });
	const numbersOf = (sheet: number) =>
		Array.from({ length: size.rows }, (_, row) => `L-${sheet}-${row}`);
	const ids = Array.from({ length: size.sheets }, (_, sheet) => `load-${sheet}`);
	const wanted = ids.flatMap((_, sheet) => numbersOf(sheet));
	const charges = chargeWorkflow(stage, 8, pollEvery);
	await stage.api.saveWorkflow(charges);
	await stage.api.activate(charges.id);
	const workflows = ids.map((id, sheet) => sheetWorkflow(stage, id, numbersOf(sheet)));
	await publishSheets(stage, workflows);
	await until(
		() => world.traffic.requestCount >= 2,
		() => 'The trigger does not poll',
	);

	const paid: string[] = [];
	const pay = () => paid.push(String(world.account.addCharge({}, Date.now()).id));
	const paying = setInterval(pay, 1000 / size.chargesPerSecond);
	try {
		const created = () => world.account.created.map(({ request }) => request.invoice_number ?? '');
		await Promise.all(ids.map(async (id) => await startSheet(stage, id)));

		await until(
			() => created().length >= 0.15 * wanted.length,
			() => `Only ${created().length} of ${wanted.length} invoices were created`,
		);
		const lost = await killWorker(stage, 0);
		const chargesOf = async (execution: string) =>
			startedWith(await stage.api.execution(execution), trigger);
		const chargesOnKilled = (await Promise.all(lost.map(chargesOf))).flat();

		const stoppedAt = Date.now();
		await stage.n8n.stop();
		await stage.restart();
		const secondsMainWasAway = Math.round((Date.now() - stoppedAt) / 1000);
		const { retried, startedAgain, failed } = await finishSheets(stage, ids, new Set(lost));

		const killed = await killWithCharges(stage, charges.id);
		chargesOnKilled.push(...(await Promise.all(killed.map(chargesOf))).flat());
		await untilEmptied(stage, killed[0]);
		clearInterval(paying);
		const chargeExecutions = await untilDelivered(stage, charges.id, paid);
		await stage.api.deactivate(charges.id);
		const log = fs.readFileSync(stage.n8n.logFile, 'utf8');
		return {
			...{ wanted, created: created(), paid, chargeExecutions, failed, retried, startedAgain },
			named: handedOver(log),
			chargesOnKilled,
			secondsMainWasAway,
		};
	} finally {
		clearInterval(paying);
	}
}

/** Retries every second run that did not succeed, and starts the sheets of the others again, until all sheets are done. */
async function finishSheets(stage: QueueStage, ids: string[], lost: ReadonlySet<string>) {
	const failed: string[] = [];
	const handled = new Set<string>();
	const retries: Array<Promise<void>> = [];
	let retried = 0;
	let startedAgain = 0;
	const startAgain = async (workflowId: string) => {
		startedAgain += 1;
		await startSheet(stage, workflowId);
	};
	const retry = async ({ id, workflowId }: ListedExecution) => {
		retried += 1;
		// n8n answers when the retry has ended, and refuses it where it has emptied the execution.
		const { status } = await stage.api.try('post', `/executions/${id}/retry`, {});
		if (status < 400) return;
		retried -= 1;
		await startAgain(workflowId);
	};
	const goOn = async (execution: ListedExecution) => {
		const { id, workflowId, status, retryOf } = execution;
		// n8n also retries what it has emptied: that ends with the error of the original and has run nothing.
		const isVain = retryOf ? handled.has(retryOf) : false;
		if (!lost.has(id) && !isVain) {
			const { resultData } = (await stage.api.execution(id)).data;
			failed.push(`${id} of ${workflowId}: ${status}, ${resultData.error?.message ?? 'no error'}`);
		}
		handled.add(id);
		if (isVain) retried -= 1;
		if (handled.size % 2 && !isVain) retries.push(retry(execution));
		else await startAgain(workflowId);
	};
	let left: string[] = ids;
	const look = async () => {
		const all = await listExecutions(stage.api);
		left = [];
		for (const workflowId of ids) {
			const own = all.filter((one) => one.workflowId === workflowId);
			if (own.some(({ status }) => status === 'success')) continue;
			left.push(workflowId);
			for (const one of own) if (isOver(one) && !handled.has(one.id)) await goOn(one);
		}
		return left.length === 0;
	};
	await until(look, () => `Not done: ${left.join(', ')}. ${failed.join('\n')}`, 2000);
	await Promise.allSettled(retries);
	return { failed, retried, startedAgain };
}

/** Kills a worker while it runs executions of the trigger, and starts it again. Gives their IDs. */
async function killWithCharges(stage: QueueStage, workflowId: string): Promise<string[]> {
	const look = async () => {
		const all = await listExecutions(stage.api, workflowId);
		const running = all.filter(({ status }) => status === 'running').map(({ id }) => id);
		const on = (number: number) => runningOn(stage.workers[number]);
		const number = [...stage.workers.keys()].find((one) =>
			on(one).some((id) => running.includes(id)),
		);
		if (number === undefined) return undefined;
		// They may have ended between the look and the end of the worker.
		const killed = (await killWorker(stage, number)).filter((id) => running.includes(id));
		return killed.length > 0 && killed;
	};
	return await until(look, () => 'No worker ran an execution of the trigger', 300);
}

/** Waits as long as n8n takes to empty an execution whose worker was killed; for some it does not. */
async function untilEmptied(stage: QueueStage, execution: string): Promise<void> {
	const deadline = Date.now() + 150_000;
	while (Date.now() < deadline) {
		if (startedWith(await stage.api.execution(execution), trigger).length === 0) return;
		await delay(2000);
	}
}

/** Waits until nothing runs and the newest charge came, and reads all executions of the trigger. */
async function untilDelivered(
	stage: QueueStage,
	workflowId: string,
	paid: string[],
): Promise<ChargeExecution[]> {
	const last = paid[paid.length - 1];
	return await until(
		async () => {
			const listed = await listExecutions(stage.api, workflowId);
			const all = await executionsOver(stage, workflowId, listed.length);
			const read: ChargeExecution[] = [];
			for (const { id } of all.reverse()) {
				read.unshift({ id, charges: startedWith(await stage.api.execution(id), trigger) });
				if (read.length === 1 && !read[0].charges.includes(last)) return undefined;
			}
			return read;
		},
		() => 'The newest charge did not come',
		2000,
	);
}
