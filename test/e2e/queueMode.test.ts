import type { QueueStage } from '../../tools/host/queueStage';
import { openQueueStage } from '../../tools/host/queueStage';
import { delay, fs, os, path } from '../../tools/node';
import { until } from '../../tools/until';
import {
	eventNames,
	eventsWorkflow,
	happen,
	startedBy,
	startedLike,
} from '../helpers/eventsWorkflow';
import {
	executionsOver,
	invoicesIn,
	publishSheets,
	sheetWorkflow,
	startSheet,
} from '../helpers/queueRuns';
import { trialIn } from '../helpers/triggerTrial';

/** Queue mode with durable cursors, as docs/docker sets it up: what a killed process loses, and what goes on without it. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-queue-'));
const often = { N8N_SCHEDULER_EXECUTOR_INTERVAL: '1', N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1' };
jest.setTimeout(600_000);

let opened: QueueStage | undefined;
const stage = () => {
	if (!opened) throw new Error('The stage did not open');
	return opened;
};
beforeAll(async () => {
	opened = await openQueueStage(folder, () => undefined, often, 1);
}, 600_000);
afterAll(async () => {
	await opened?.close();
	fs.rmSync(folder, { recursive: true, force: true });
}, 120_000);

test('[R3, O1] a worker is killed in the middle of a sheet: the run that follows finishes it, each invoice once', async () => {
	const { account } = stage().simulator.world;
	const numbers = Array.from({ length: 60 }, (_, index) => `2027-${index}`);
	stage().simulator.world.set({ latency: 50 });
	await publishSheets(stage(), [sheetWorkflow(stage(), 'sheet', numbers)]);
	await startSheet(stage(), 'sheet');
	await until(
		() => account.created.length >= 20,
		() => `Only ${account.created.length} invoices were created`,
		20,
	);
	await stage().workers[0].kill();
	// What was on its way arrives.
	await delay(500);
	const before = account.created.length;
	expect(before).toBeLessThan(numbers.length);
	await stage().startWorker(1);
	await startSheet(stage(), 'sheet');
	const [last] = (await executionsOver(stage(), 'sheet', 1)).filter(
		({ status }) => status !== 'crashed',
	);
	const execution = await stage().api.ended(last.id);
	const outcomes = invoicesIn(execution).map(
		(invoice) => (invoice as { outcome?: string }).outcome,
	);
	expect(outcomes.filter((outcome) => outcome === 'found')).toHaveLength(before);
	expect(outcomes).toHaveLength(numbers.length);
	const created = account.created.map(({ request }) => request.invoice_number);
	expect(created.sort()).toEqual([...numbers].sort());
});

test('[R6, T1, T11] the main process is killed: every event starts its trigger once', async () => {
	const trial = trialIn({
		get stage() {
			return stage();
		},
		world: () => stage().simulator.world,
	});
	const { world, executions, afterPolls, activate } = trial;
	world().set({ latency: 0 });
	await stage().api.saveWorkflow(eventsWorkflow(trial.workflow()));
	await activate();
	const { length: many } = eventNames;
	await afterPolls(3 * many);
	expect(startedBy(await executions())).toEqual({});
	let wanted = happen(world(), {});
	expect(await startedLike(trial, wanted)).toEqual(wanted);
	await afterPolls(2 * many);

	await stage().n8n.kill();
	wanted = happen(world(), wanted);
	await stage().restart();
	await startedLike(trial, wanted);
	await afterPolls(3 * many);
	expect(startedBy(await executions())).toEqual(wanted);
});
