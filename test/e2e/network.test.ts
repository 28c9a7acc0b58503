import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredExecution } from '../../tools/host/api';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { delay, fs } from '../../tools/node';
import { until } from '../../tools/until';
import { useStage } from '../helpers/stage';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const numbers = () => created().map(({ request }) => request.invoice_number);
const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));
const expected = (count: number) => itemsOf(count).map(({ index }) => `N-${index}`);

const workflow = (count: number, options: INodeParameters = {}, settings?: Partial<INode>) => {
	const parameters = {
		resource: 'invoice',
		operation: 'create',
		customerId: world().account.customers[0].id,
		currency: 'EUR',
		dueDate: '2026-12-31',
		itemsInput: 'fields',
		items: { item: [{ name: 'x', amount: '={{ $json.index }}.25', quantity: 1 }] },
		additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
		options,
	};
	return workflowOf(itemsOf(count), ourNode(n8n.stage, parameters, settings));
};
const run = async (...args: Parameters<typeof workflow>) =>
	await runWorkflow(n8n.stage.api, workflow(...args));
const outputOf = ({ data }: StoredExecution, output = 0) =>
	data.resultData.runData.Node?.at(-1)?.data?.main[output] ?? [];

test('[R8] 1,000 items: every invoice once, five requests and five connections at a time', async () => {
	world().set({ latency: 20 });
	const execution = await run(1000);
	expect(execution.status).toBe('success');
	expect(numbers().sort()).toEqual(expected(1000).sort());
	outputOf(execution).forEach(({ json, pairedItem }, item) => {
		expect([json.invoice_number, pairedItem]).toEqual([`N-${item}`, { item }]);
	});
	const { mostInFlight, mostOpenConnections } = world().traffic;
	expect([mostInFlight, mostOpenConnections]).toEqual([5, 5]);
});

test('cancelled half-way: nothing more is sent, and what was done is told', async () => {
	world().set({ latency: 50 });
	const { api } = n8n.stage;
	const { id } = workflow(0);
	await api.saveWorkflow(workflow(500));
	const executionId = await api.start(id, 'Start');
	await until(
		() => created().length >= 100,
		() => `Only ${created().length} invoices were created`,
		20,
	);
	await api.stop(executionId);
	const execution = await api.ended(executionId);
	const done = created().length;
	await delay(500);
	expect(execution.status).toBe('canceled');
	expect(done).toBeLessThan(200);
	// Those that were under way when it was cancelled may still have arrived.
	expect(created().length).toBeLessThanOrEqual(done + 5);
	// n8n keeps neither the items nor the error of a node that was cancelled; its log does.
	const log = fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	const told =
		/Node: The execution was cancelled \((\d+) items were done, (\d+) items? failed, (\d+) were/.exec(
			log,
		);
	const [, known, unknown, notSent] = (told ?? []).map(Number);
	expect(known + unknown + notSent).toBe(500);
	expect(known).toBeGreaterThanOrEqual(90);
	expect(unknown).toBeLessThanOrEqual(5);
	for (const { full } of created().slice(0, known - 5)) expect(log).toContain(full.id);
	expect(log).toContain('may still have been created');
});

describe('one bad item among 200', () => {
	const refuse77 = () =>
		world().faults.add({
			method: 'POST',
			contains: '"N-77"',
			action: { kind: 'status', status: 422, message: 'No credit' },
		});

	test('Stop Workflow: later items are not sent, and the error tells what was done', async () => {
		world().set({ latency: 20 });
		refuse77();
		const execution = await run(200);
		const { error } = execution.data.resultData;
		expect(execution.status).toBe('error');
		expect(error?.message).toContain('No credit [item 77]');
		expect(created().length).toBeLessThanOrEqual(82);
		expect(error?.message).toContain(
			`(${created().length} other items were done, ${199 - created().length} were not sent)`,
		);
		for (const { full } of created()) expect(error?.description).toContain(full.id);
		const first = expected(200).findIndex((one, item) => item !== 77 && !numbers().includes(one));
		expect(error?.description).toContain(`the first of them item ${first}.`);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)('%s', async (onError) => {
		refuse77();
		const execution = await run(200, {}, { onError });
		expect(execution.status).toBe('success');
		const [main, errors] = [outputOf(execution), outputOf(execution, 1)];
		const failed = [...main, ...errors].filter(({ json }) => json.error);
		expect(failed.map(({ json, pairedItem }) => [json.index, json.error, pairedItem])).toEqual([
			[77, expect.stringContaining('No credit'), { item: 77 }],
		]);
		expect(main).toHaveLength(onError === 'continueErrorOutput' ? 199 : 200);
		expect(numbers().sort()).toEqual(
			expected(200)
				.filter((one) => one !== 'N-77')
				.sort(),
		);
	});
});

test('a storm of "too many requests": every invoice once, and the service is left alone when it asks for it', async () => {
	world().set({ latency: 10 });
	const retryAfter = { seconds: 1, as: 'seconds' as const };
	for (const skip of [30, 60]) {
		world().faults.add({ skip, times: 10, action: { kind: 'status', status: 429, retryAfter } });
	}
	const execution = await run(200, { maxRequestsInFlight: 20 });
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(numbers().sort()).toEqual(expected(200).sort());
	const { requests } = world().traffic;
	const refused = requests.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(20);
	// After a refusal only those arrive that were on their way, until the second is over.
	const [{ at: firstRefusal }] = refused;
	const meanwhile = requests.filter(({ at }) => at > firstRefusal + 100 && at < firstRefusal + 900);
	expect(meanwhile).toEqual([]);
});

test('[R9] Get Many reads 5,000 charges while new ones come in', async () => {
	world().reset({ charges: 5000, latency: 10 });
	const before = world().account.listCharges({}, 1, 5000, 'newestFirst').results;
	const parameters = { resource: 'charge', operation: 'getAll', returnAll: true };
	let isRunning = true;
	const adding = (async () => {
		for (; isRunning; await delay(30)) world().account.addCharge({}, Date.now());
	})();
	const execution = await runWorkflow(
		n8n.stage.api,
		workflowOf([{}], ourNode(n8n.stage, parameters)),
	);
	isRunning = false;
	await adding;
	const ids = outputOf(execution).map(({ json }) => json.id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(before.filter(({ id }) => !ids.includes(id))).toEqual([]);
	expect(world().traffic.mostInFlight).toBe(5);
});

test("n8n's log holds no complaint of Node about what the node did", () => {
	const log = fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	expect(log).not.toMatch(/MaxListeners|nhandled|uncaught/i);
});
