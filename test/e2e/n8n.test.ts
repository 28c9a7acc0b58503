import type { INode, INodeParameters } from 'n8n-workflow';
import { checkInvoices } from '../../tools/host/checkInvoices';
import type { StoredExecution } from '../../tools/host/api';
import { readExample, triggerOf } from '../../tools/host/stage';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { delay, fs, path } from '../../tools/node';
import { until } from '../../tools/until';
import { useStage } from '../helpers/n8n/stage';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const itemsOf = ({ data }: StoredExecution, node = 'Node') =>
	data.resultData.runData[node]?.at(-1)?.data?.main[0] ?? [];
const outputOf = (execution: StoredExecution, node?: string) =>
	itemsOf(execution, node).map(({ json }) => json);

async function runExample(name: string): Promise<StoredExecution> {
	const workflow = readExample(name, n8n.stage);
	await n8n.stage.api.saveWorkflow(workflow);
	const execution = await n8n.stage.api.run(workflow.id, triggerOf(workflow));
	expect(execution.status).toBe('success');
	return execution;
}

describe('the examples that users start by hand', () => {
	test('invoices-from-spreadsheet', async () => {
		const execution = await runExample('invoices-from-spreadsheet');
		expect(checkInvoices(execution, n8n.stage)).toEqual([]);
		const again = await runExample('invoices-from-spreadsheet');
		expect(checkInvoices(again, n8n.stage, 'found')).toEqual([]);
	});

	test('new-charge-to-spreadsheet', async () => {
		const file = path.join(n8n.stage.filesFolder, 'charges.csv');
		const lines = () => fs.readFileSync(file, 'utf8').trim().split('\n');
		expect(lines()).toHaveLength(1);
		for (const times of [1, 2]) {
			await runExample('new-charge-to-spreadsheet');
			expect(lines()).toHaveLength(1 + 10 * times);
		}
		const [header, first] = lines().map((line) => line.split(','));
		expect(header).toHaveLength(first.length);
		expect(first[0]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
	});

	test('new-charge-notify', async () => {
		for (const [total, currency, method] of [
			['1000.00', 'EUR', 'cash'],
			['999.99', 'EUR', 'cash'],
			['20.00', 'SEK', 'card'],
		]) {
			const charge = { status: 'authorised', total, currency, payment_method: method };
			world().account.addCharge(charge, Date.now());
		}
		const execution = await runExample('new-charge-notify');
		const texts = (node: string) => outputOf(execution, node).map(({ text }) => String(text));
		expect(texts('Large').join()).toContain('Large payment: 1000.00 EUR');
		expect(texts('Cash').join()).toContain('Paid in cash: 999.99 EUR');
		expect(texts('Other').join()).toContain('New payment: 20.00 SEK by card');
		expect([...texts('Large'), ...texts('Cash'), ...texts('Other')]).toHaveLength(10);
	});
});

/** A workflow that creates an invoice for each item. */
function invoices(count: number) {
	const items = Array.from({ length: count }, (_, index) => ({ index }));
	const parameters: INodeParameters = {
		resource: 'invoice',
		operation: 'create',
		customerId: world().account.customers[0].id,
		currency: 'EUR',
		dueDate: '2026-12-31',
		itemsInput: 'fields',
		items: { item: [{ name: 'x', amount: '={{ $json.index }}.25', quantity: 1 }] },
		additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
	};
	return workflowOf(items, ourNode(n8n.stage, parameters));
}

test('[R2, R8] 1,000 items create each invoice once, with its exact amount, over five connections', async () => {
	world().set({ latency: 20 });
	const execution = await runWorkflow(n8n.stage.api, invoices(1000));
	expect(execution.status).toBe('success');
	const wanted = Array.from({ length: 1000 }, (_, index) => [`N-${index}`, `${index}.25`]);
	const sent = created().map(({ request }) => [request.invoice_number, request.items[0].amount]);
	expect(sent).toHaveLength(1000);
	expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(wanted));
	const pairs = itemsOf(execution).map(({ json, pairedItem }) => [json.invoice_number, pairedItem]);
	expect(pairs).toEqual(wanted.map(([number], item) => [number, { item }]));
	const { mostInFlight, mostOpenConnections } = world().traffic;
	expect([mostInFlight, mostOpenConnections]).toEqual([5, 5]);
	const log = fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	expect(log).not.toMatch(/MaxListeners|nhandled|uncaught/i);
});

test('a cancelled execution sends nothing else, and the log says what was done', async () => {
	world().set({ latency: 50 });
	const { api } = n8n.stage;
	const workflow = invoices(500);
	await api.saveWorkflow(workflow);
	const executionId = await api.start(workflow.id, 'Start');
	await until(
		() => created().length >= 100,
		() => `Only ${created().length} invoices were created`,
		20,
	);
	await api.stop(executionId);
	const { status } = await api.ended(executionId);
	const done = created().length;
	await delay(500);
	expect(status).toBe('canceled');
	expect(done).toBeLessThan(200);
	// Requests that were on their way may still arrive.
	expect(created().length).toBeLessThanOrEqual(done + 5);
	// n8n keeps neither the items nor the error of a cancelled node.
	const log = fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	const counts = /cancelled \((\d+) items were done, (\d+) items? failed, (\d+) were/.exec(log);
	const [, known, unknown, notSent] = (counts ?? []).map(Number);
	expect(known + unknown + notSent).toBe(500);
	expect(known).toBeGreaterThanOrEqual(90);
	expect(unknown).toBeLessThanOrEqual(5);
	for (const { full } of created().slice(0, known - 5)) expect(log).toContain(full.id);
	expect(log).toContain('may still have been created');
});

test("n8n's HTTP Request node may use the credential for the service, but not for other hosts or redirects", async () => {
	const request = async (url: string) => {
		const parameters = {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'invoicingPaymentsApi',
			options: {},
		};
		const other: Partial<INode> = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
		const node = ourNode(n8n.stage, parameters, other);
		return await runWorkflow(n8n.stage.api, workflowOf([{}], node));
	};
	const { url } = n8n.stage.simulator;
	expect(outputOf(await request(`${url}/v1/members`))).toEqual(world().account.members);
	expect((await request(`${n8n.stage.n8n.url}/healthz`)).status).toBe('error');
	world().faults.add({ action: { kind: 'redirect', location: '/v1/links' } });
	await request(`${url}/v1/members`);
	const paths = world().traffic.requests.map(({ path: at }) => at);
	expect(paths).toEqual(['/v1/members', '/v1/members']);
});

test.each([
	['invoicingPayments/1.0.0/invoice/create', 'invoice_number'],
	['invoicingPaymentsTrigger/1.0.0', 'payment_method'],
])('the editor gets the output schema of %s', async (name, field) => {
	const url = `${n8n.stage.n8n.url}/schemas/n8n-nodes-invoicing-payments.${name}.json`;
	const { properties } = (await (await fetch(url)).json()) as { properties: object };
	expect(properties).toHaveProperty(field);
});
