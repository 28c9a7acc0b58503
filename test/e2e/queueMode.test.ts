import { runWorkflow } from '../../tools/host/workflowOf';
import { delay } from '../../tools/node';
import { until } from '../../tools/until';
import { expectEventsOnce } from '../helpers/n8n/eventsWorkflow';
import { invoiceProblems } from '../helpers/service/ledgers';
import {
	executionsOver,
	invoicesIn,
	publishSheets,
	startSheets,
	useQueueStage,
} from '../helpers/n8n/queue';
import { numbersOf, sheetWorkflow } from '../helpers/n8n/sheetWorkflow';
import { trialIn } from '../helpers/n8n/triggerTrial';

jest.setTimeout(600_000);
const stage = useQueueStage(1);
const world = () => stage().simulator.world;

test('[R1, R3] with the same approval, the next run finishes a sheet whose worker was killed, and creates each invoice once', async () => {
	const { account } = world();
	const numbers = numbersOf('2027', 60);
	const plan = sheetWorkflow(stage(), 'plan', numbers, { previewOnly: true });
	const { data } = await runWorkflow(stage().api, plan);
	const last = data.resultData.runData.Node[0].data?.main[0]?.at(-1);
	const onlyIfPlanIs = String(last?.json.fingerprint);
	world().set({ latency: 50 });
	await publishSheets(stage(), { sheet: numbers }, { onlyIfPlanIs });
	await startSheets(stage(), 'sheet');
	await until(
		() => account.created.length >= 20,
		() => `Only ${account.created.length} invoices were created`,
		20,
	);
	await stage().workers[0].kill();
	// Requests that were on their way arrive.
	await delay(500);
	const before = account.created.length;
	expect(before).toBeLessThan(numbers.length);
	await stage().startWorker(1);
	await startSheets(stage(), 'sheet');
	const over = await executionsOver(stage(), 'sheet', 1);
	const [{ id }] = over.filter(({ status }) => status !== 'crashed');
	const outcomes = invoicesIn(await stage().api.ended(id)).map(({ outcome }) => outcome);
	expect(outcomes.filter((outcome) => outcome === 'found')).toHaveLength(before);
	expect(outcomes).toHaveLength(numbers.length);
	const created = account.created.map(({ request }) => String(request.invoice_number));
	expect(invoiceProblems(numbers, created)).toEqual([]);
});

test('[R6, T11] every event starts its trigger once although the main process was killed', async () => {
	const trial = trialIn({
		get stage() {
			return stage();
		},
		world,
	});
	world().set({ latency: 0 });
	await expectEventsOnce(
		trial,
		async () => await stage().n8n.kill(),
		async () => await stage().restart(),
	);
});
