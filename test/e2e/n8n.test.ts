import type { INode, INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { checkInvoices } from '../../tools/host/checkInvoices';
import type { StoredExecution } from '../../tools/host/api';
import { readExample, triggerOf } from '../../tools/host/stage';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { fs, path } from '../../tools/node';
import { sharedFolder, useStage } from '../helpers/stage';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const outputOf = ({ data }: StoredExecution, node: string, output = 0) =>
	(data.resultData.runData[node]?.at(-1)?.data?.main[output] ?? []).map(({ json }) => json);

async function runExample(name: string) {
	const { api } = n8n.stage;
	const workflow = readExample(name, n8n.stage);
	await api.saveWorkflow(workflow);
	return await api.run(workflow.id, triggerOf(workflow));
}

async function run(items: number, parameters: INodeParameters, settings?: Partial<INode>) {
	const input = Array.from({ length: items }, (_, index) => ({ index }));
	const node = ourNode(n8n.stage, parameters, settings);
	return await runWorkflow(n8n.stage.api, workflowOf(input, node));
}

const invoiceParameters = (change: INodeParameters = {}): INodeParameters => ({
	resource: 'invoice',
	operation: 'create',
	customerId: world().account.customers[0].id,
	currency: 'EUR',
	dueDate: '2026-12-31',
	itemsInput: 'fields',
	items: { item: [{ name: 'x', amount: '={{ $json.index }}.25', quantity: 1 }] },
	additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
	...change,
});

describe('the examples that a person starts by hand', () => {
	test('invoices-from-spreadsheet', async () => {
		const execution = await runExample('invoices-from-spreadsheet');
		expect(checkInvoices(execution, n8n.stage.simulator)).toEqual([]);
		const again = await runExample('invoices-from-spreadsheet');
		expect(checkInvoices(again, n8n.stage.simulator, 'found')).toEqual([]);
	});

	test('one-invoice', async () => {
		for (const outcome of ['created', 'found']) {
			const execution = await runExample('one-invoice');
			expect(execution.status).toBe('success');
			expect(outputOf(execution, 'Create Invoice')).toEqual([
				expect.objectContaining({ outcome, invoice_number: '2027-0001', amount: '1046.40' }),
			]);
			expect(created()).toHaveLength(1);
		}
	});

	test('new-charge-to-spreadsheet', async () => {
		const file = path.join(n8n.stage.filesFolder, 'charges.csv');
		const lines = () => fs.readFileSync(file, 'utf8').trim().split('\n');
		expect(lines()).toHaveLength(1);
		for (const times of [1, 2]) {
			const execution = await runExample('new-charge-to-spreadsheet');
			expect(execution.status).toBe('success');
			expect(lines()).toHaveLength(1 + 10 * times);
		}
		const [header, first] = lines().map((line) => line.split(','));
		expect(header).toHaveLength(first.length);
		expect(first[0]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
	});

	test('new-charge-notify', async () => {
		const { account } = world();
		const pay = (change: object) =>
			account.addCharge({ status: 'authorised', ...change }, Date.now());
		pay({ total: '1000.00', payment_method: 'cash', currency: 'EUR' });
		pay({ total: '999.99', payment_method: 'cash', currency: 'EUR' });
		pay({ total: '20.00', payment_method: 'card', currency: 'SEK' });
		const execution = await runExample('new-charge-notify');
		expect(execution.status).toBe('success');
		const texts = (node: string) => outputOf(execution, node).map(({ text }) => String(text));
		expect(texts('Large').join()).toContain('Large payment: 1000.00 EUR');
		expect(texts('Cash').join()).toContain('Paid in cash: 999.99 EUR');
		expect(texts('Other').join()).toContain('New payment: 20.00 SEK by card');
		expect([...texts('Large'), ...texts('Cash'), ...texts('Other')]).toHaveLength(10);
	});

	test('find-charges', async () => {
		const execution = await runExample('find-charges');
		expect(execution.status).toBe('success');
		const filters = { currency: 'EUR', status: 'authorised' };
		const { results } = world().account.listCharges(filters, 1, 25, 'newestFirst');
		expect(outputOf(execution, 'Overview').map((json) => json['Charge ID'])).toEqual(
			results.map(({ id }) => id),
		);
		expect(results.length).toBe(25);
	});

	test('invite-team-member', async () => {
		const execution = await runExample('invite-team-member');
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Get Member')).toEqual([world().account.members.at(-1)]);
		expect(world().account.members.at(-1)).toMatchObject({
			role: 'staff',
			job_title: 'Accountant',
		});
	});
});

describe('the credential, tested as the editor does', () => {
	const testIt = async (change: object) => {
		const { api, simulator, credentialId } = n8n.stage;
		const data = { apiKey: world().settings.apiKey, baseUrl: simulator.url, ...change };
		return await api.testCredential({
			id: credentialId,
			name: 'x',
			type: 'invoicingPaymentsApi',
			data,
		});
	};

	test('a good key', async () => {
		expect(await testIt({})).toMatchObject({
			status: 'OK',
			message: 'The service accepted the API key',
		});
	});

	test.each([
		['a bad key', { apiKey: 'not-the-key' }, 'did not accept the API key'],
		['a wrong port', { baseUrl: 'http://127.0.0.1:1' }, 'Nothing responds at 127.0.0.1:1'],
		['no scheme', { baseUrl: 'api.example.com' }, 'starts with https://'],
	])('%s', async (_name, change, words) => {
		expect(await testIt(change)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
	});

	test('the address of a web page: n8n itself', async () => {
		const { message } = await testIt({ baseUrl: n8n.stage.n8n.url });
		expect(message).toMatch(/instead of JSON|found nothing/);
	});
});

describe('operations', () => {
	test('[R2] one invoice per item, exact amounts, each paired with its item', async () => {
		const execution = await run(40, invoiceParameters({ simplify: false }));
		expect(execution.status).toBe('success');
		const amounts = Object.fromEntries(
			created().map(({ request }) => [request.invoice_number, request.items[0].amount]),
		);
		expect(amounts).toEqual(
			Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`N-${index}`, `${index}.25`])),
		);
		const pairs = execution.data.resultData.runData.Node[0].data?.main[0]?.map(
			({ pairedItem }) => pairedItem,
		);
		expect(pairs).toEqual(Array.from({ length: 40 }, (_, item) => ({ item })));
		expect(endpoints.createInvoice.response.safeParse(outputOf(execution, 'Node')[0]).success).toBe(
			true,
		);
	});

	test('[O5] a bad item: nothing is sent, and the error says where', async () => {
		const execution = await run(
			40,
			invoiceParameters({
				additionalFields: { discountPercentage: '={{ $json.index === 30 ? 101 : 5 }}' },
			}),
		);
		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toBe(
			'Discount Percentage must be from 0 to 100, got 101 [item 30]',
		);
		expect(world().traffic.requestCount).toBe(0);
	});

	test('a broken expression in a later item: nothing is sent', async () => {
		const dueDate = '={{ $json.index === 30 ? $("Nowhere").item.json.x : "2026-12-31" }}';
		const execution = await run(40, invoiceParameters({ dueDate }));
		expect(execution.status).toBe('error');
		expect(world().traffic.requestCount).toBe(0);
	});

	test('Continue (using error output)', async () => {
		world().faults.add({
			method: 'POST',
			skip: 5,
			action: { kind: 'status', status: 422, message: 'No credit' },
		});
		const execution = await run(12, invoiceParameters(), { onError: 'continueErrorOutput' });
		expect([outputOf(execution, 'Node').length, outputOf(execution, 'Node', 1).length]).toEqual([
			11, 1,
		]);
		expect(outputOf(execution, 'Node', 1)[0]).toMatchObject({
			index: expect.any(Number) as number,
			error: expect.stringContaining('No credit') as string,
		});
		expect(created()).toHaveLength(11);
	});

	test('Get Many over pages', async () => {
		world().reset({ charges: 350, order: 'none' });
		const execution = await run(1, { resource: 'charge', operation: 'getAll', returnAll: true });
		expect(new Set(outputOf(execution, 'Node').map(({ id }) => id)).size).toBe(350);
	});

	test('Invoice: Get by number and Charge: Get by ID', async () => {
		const { invoices } = world().account;
		const { full } = invoices[5];
		const [{ id }] = world().account.listCharges({}, 3, 1, 'newestFirst').results;
		const byNumber = (value: string) => ({
			resource: 'invoice',
			operation: 'get',
			invoiceId: { __rl: true, mode: 'number', value },
		});
		const found = await run(2, byNumber(full.invoice_number.toLowerCase()));
		expect(outputOf(found, 'Node').map((json) => json.id)).toEqual([full.id, full.id]);
		const chargeId = { __rl: true, mode: 'id', value: id ?? '' };
		const paid = await run(1, { resource: 'charge', operation: 'get', chargeId });
		expect(outputOf(paid, 'Node')).toMatchObject([{ id, payer: expect.any(String) as string }]);
		const missing = await run(1, byNumber('none'));
		expect(missing.status).toBe('error');
		expect(missing.data.resultData.error?.message).toBe(
			'No invoice with the number "none" was found in the service [item 0]',
		);
	});

	test("n8n's HTTP Request node may use the credential, for the service only and along no redirect", async () => {
		const request = async (url: string) =>
			await run(
				1,
				{
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'invoicingPaymentsApi',
					options: {},
				},
				{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			);
		const { url } = n8n.stage.simulator;
		const execution = await request(`${url}/v1/members`);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(outputOf(execution, 'Node')).toEqual(world().account.members);
		expect((await request(`${n8n.stage.n8n.url}/healthz`)).status).toBe('error');
		world().faults.add({ action: { kind: 'redirect', location: '/v1/links' } });
		await request(`${url}/v1/members`);
		expect(world().traffic.requests.map(({ path: at }) => at)).toEqual([
			'/v1/members',
			'/v1/members',
		]);
	});

	describe('what the editor asks the service for', () => {
		const ask = async <T>(kind: string, methodName: string, parameters: object, more = {}) =>
			await n8n.stage.api.call<T>('post', `/dynamic-node-parameters/${kind}`, {
				nodeTypeAndVersion: {
					name: 'n8n-nodes-invoicing-payments.invoicingPayments',
					version: 1,
				},
				methodName,
				currentNodeParameters: parameters,
				credentials: { invoicingPaymentsApi: { id: n8n.stage.credentialId, name: 'x' } },
				...more,
			});
		const list = async (methodName: string, field: string, parameters: object, filter?: string) => {
			const { results } = await ask<{ results: Array<{ name: string; value: string }> }>(
				'resource-locator-results',
				methodName,
				parameters,
				{ path: `parameters.${field}`, ...(filter !== undefined && { filter }) },
			);
			return results;
		};

		test('the list of the Team Member locator', async () => {
			const names = async (filter?: string) =>
				await list('getMembers', 'memberId', { resource: 'member', operation: 'get' }, filter);
			const { members } = world().account;
			expect((await names()).map(({ value }) => value).sort()).toEqual(
				members.map(({ id }) => id).sort(),
			);
			const [{ user }] = members;
			expect((await names(user.last_name.toLowerCase()))[0].name).toContain(user.last_name);
		});

		test('the list of the Customer locator', async () => {
			const parameters = { resource: 'invoice', operation: 'create' };
			const found = await list('getCustomers', 'customerId', parameters, 'ivanova');
			const wanted = world().account.customers.filter(({ name }) => name.includes('Ivanova'));
			expect(found.map(({ value }) => value)).toEqual(wanted.map(({ id }) => id));
		});

		test('the columns of Create From Rows', async () => {
			const parameters = { resource: 'invoice', operation: 'createFromRows' };
			const { fields } = await ask<{ fields: Array<{ id: string; required: boolean }> }>(
				'resource-mapper-fields',
				'getInvoiceFields',
				parameters,
				{ path: 'parameters.columns' },
			);
			const ids = fields.map(({ id }) => id);
			for (const id of ['customerId', 'currency', 'dueDate', 'invoiceNumber', 'itemName']) {
				expect(ids).toContain(id);
			}
		});
	});

	test('output schemas are served to the editor', async () => {
		const { n8n: running } = n8n.stage;
		const url = `${running.url}/schemas/n8n-nodes-invoicing-payments.invoicingPayments/1.0.0/invoice/create.json`;
		const schema = (await (await fetch(url)).json()) as { properties: Record<string, unknown> };
		expect(schema.properties).toHaveProperty('invoice_number');
		const trigger = `${running.url}/schemas/n8n-nodes-invoicing-payments.invoicingPaymentsTrigger/1.0.0.json`;
		const charge = (await (await fetch(trigger)).json()) as typeof schema;
		expect(charge.properties).toHaveProperty('payment_method');
	});
});

test('[R10] the key is in no execution, no log and no state: it is nowhere in what n8n keeps', async () => {
	world().faults.add({ times: null, action: { kind: 'status', status: 500 } });
	const execution = await run(2, invoiceParameters());
	expect(execution.status).toBe('error');
	const key = Buffer.from(world().settings.apiKey);
	const folder = sharedFolder();
	const files = fs
		.readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map((entry) => path.join(entry.parentPath, entry.name));
	expect(files.some((file) => file.endsWith('database.sqlite'))).toBe(true);
	expect(files.filter((file) => fs.readFileSync(file).includes(key))).toEqual([]);
});
