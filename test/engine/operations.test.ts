/** Each operation as n8n offers it: what it sends and gives, its description, the package. */

import { PackageDirectoryLoader } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../contract';
import type { JsonSchema } from '../../tools/commands/outputSchemas';
import {
	eventOutputSchemas,
	outputSchemas,
	triggerOutputSchema,
} from '../../tools/commands/outputSchemas';
import { fs, path, projectFolder } from '../../tools/node';
import { callAsTools } from '../helpers/n8n/engine';
import { locator, newMember, pageOf, useNode } from '../helpers/n8n/nodeRuns';
import { inputFor, operations } from '../helpers/n8n/operations';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters } from '../helpers/sheets/fromRows';

const { service, run, fault, row } = useNode();

describe('Invoice: Create', () => {
	test('converts the input for the service, and gives the invoice', async () => {
		const parameters = service.invoice({
			simplify: false,
			currency: ' eur ',
			dueDate: '2026-12-31T00:00:00',
			items: {
				item: [
					{ name: ' Möbel, Stück ', amount: '1,234.50', quantity: '3' },
					{ name: 'Rabatt', amount: '=-5.125', quantity: 1 },
				],
			},
			additionalFields: {
				discountPercentage: 10,
				customFields: { field: [{ name: 'Purchase Order' }, { name: '' }] },
				allowServiceFee: false,
			},
		});
		const { json, items } = await run(parameters);
		expect(service.requests).toMatchObject([
			{ method: 'POST', path: '/v1/invoices', query: {}, status: 201 },
		]);
		expect(service.requests[0].body).toEqual({
			customer: parameters.customerId,
			currency: 'EUR',
			due_date: '2026-12-31',
			items: [
				{ name: 'Möbel, Stück', amount: '1234.50', quantity: 3 },
				{ name: 'Rabatt', amount: '-5.125', quantity: 1 },
			],
			discount_percentage: 10,
			custom_fields: [{ name: 'Purchase Order' }],
			allow_service_fee: false,
		});
		expect(endpoints.createInvoice.response.safeParse(json[0]).error).toBeUndefined();
		expect(json[0]).toEqual({ outcome: 'created', ...service.created[0].full });
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	test('sends nothing for empty fields, and null only if the spec allows it', async () => {
		const additionalFields = {
			title: '',
			note: '={{ null }}',
			invoiceNumber: '={{ $json.none }}',
			startsAt: '',
			customFields: {},
			successUrl: '  ',
			discountPercentage: '={{ null }}',
			allowServiceFee: '={{ undefined }}',
		};
		await run(service.invoice({ additionalFields }));
		const {
			customer: id,
			currency,
			due_date,
			items,
			...others
		} = service.requests[0].body as IDataObject;
		expect([id, currency, due_date, items]).not.toContain(undefined);
		expect(others).toEqual({ note: null, custom_fields: [] });
	});

	test.each([
		'={{ $json.lines }}',
		'[{"name":"A","amount":1.5},{"name":"B","amount":"2","quantity":4}]',
		'=[{"name":"A","amount":{{ $json.lines[0].amount }}},{"name":"B","amount":"2","quantity":4}]',
	])('takes items as JSON or from an expression: %s', async (itemsJson) => {
		const lines = [
			{ name: 'A', amount: 1.5 },
			{ name: 'B', amount: '2', quantity: 4 },
		];
		await run(service.invoice({ itemsInput: 'json', itemsJson }), { items: [{ lines }] });
		expect(service.created[0].request.items).toEqual([
			{ name: 'A', amount: '1.5', quantity: 1 },
			{ name: 'B', amount: '2', quantity: 4 },
		]);
	});

	test.each([
		['America/New_York', '2026-12-31T03:00:00Z', '2026-12-30'],
		['Asia/Tokyo', '2026-12-31T20:00:00Z', '2027-01-01'],
		['America/New_York', '={{ DateTime.fromISO("2026-12-31") }}', '2026-12-31'],
		['America/New_York', '={{ DateTime.fromISO("2026-12-31T23:00:00") }}', '2026-12-31'],
		['America/New_York', '={{ new Date("2026-12-31T00:00:00.000Z") }}', '2026-12-31'],
		['Pacific/Kiritimati', '={{ 46387 }}', '2026-12-31'],
		['Pacific/Pago_Pago', '={{ $json.serial }}', '2026-12-31'],
	])('sends in %s the due date %s as %s', async (timezone, dueDate, sent) => {
		await run(service.invoice({ dueDate }), { timezone, items: [{ serial: '46387' }] });
		expect(service.created[0].request.due_date).toBe(sent);
	});

	test('creates one invoice per item, each paired with it, with any status of success', async () => {
		service.world.set({ createdStatus: 200, unknownCustomer: 'accept' });
		const items = Array.from({ length: 60 }, (_, index) => ({
			number: `N-${index}`,
			amount: index + 0.01,
		}));
		const parameters = service.invoice({
			items: { item: [{ name: 'x', amount: '={{ $json.amount }}', quantity: 1 }] },
			additionalFields: { invoiceNumber: '={{ $json.number }}' },
		});
		const result = await run(parameters, { items });
		expect(result.items.map(({ json, pairedItem }) => [json.invoice_number, pairedItem])).toEqual(
			items.map(({ number }, item) => [number, { item }]),
		);
		expect(new Set(service.created.map(({ full }) => full.invoice_number)).size).toBe(60);
		expect(service.created).toHaveLength(60);
	});
});

test('Payment Link: Get', async () => {
	const [link] = service.world.account.links;
	const get = async (linkId: string) =>
		await run({ resource: 'paymentLink', operation: 'get', simplify: false, linkId });
	// The simulator compares IDs exactly; the ID is sent as it was given.
	expect((await get(` ${link.id.toUpperCase()} `)).error?.message).toContain('found nothing');
	expect((await get(link.id)).json).toEqual([link]);
});

test('Team Member: Create and Get', async () => {
	const { json } = await run(newMember);
	expect(service.requests[0].body).toEqual({
		first_name: 'Émile',
		last_name: 'Großmann',
		email: 'emile@team.example',
		job_title: 'Accountant',
		role: 'admin',
	});
	expect(json).toMatchObject([{ role: 'admin', status: 'invited' }]);
	const id = String(json[0].id);
	for (const memberId of [locator('id', id), locator('list', id), id])
		expect((await run({ resource: 'member', operation: 'get', memberId })).json).toEqual(json);
});

test('Team Member: Get Many', async () => {
	const { members } = service.world.account;
	const many = { resource: 'member', operation: 'getAll' };
	expect((await run({ ...many, returnAll: true })).json).toEqual(members);
	expect((await run({ ...many, limit: 2 })).json).toEqual(members.slice(0, 2));
	for (const { query } of service.requests) expect(query).toEqual({});
});

test('simultaneous tool calls of one AI agent are independent', async () => {
	const { credential } = service;
	const outputs = await callAsTools(
		[{}, { dueDate: 'soon' }, {}, {}].map((change) => ({
			credential,
			parameters: service.invoice(change),
		})),
	);
	expect(
		outputs.map((output) => (output instanceof Error ? output.message : output.length)),
	).toEqual([1, expect.stringContaining('Due Date'), 1, 1]);
	expect(service.created).toHaveLength(3);
});

/** The parameters of an operation, and its items if it needs any. Lists get 20 results. */
function inputOf(key: string): { parameters: INodeParameters; items?: IDataObject[] } {
	if (key === 'invoice/createFromRows') {
		const items = [row('2026-1')];
		return { parameters: confirmedParameters(fromRowsParameters(), items), items };
	}
	const tested = operations.find((one) => one.key === key) as (typeof operations)[number];
	const limit = tested.fields.some(({ name }) => name === 'limit') ? { limit: 20 } : {};
	return { parameters: { ...inputFor(tested, service.world.account), ...limit } };
}

async function runOperation(key: string, change: object = {}): Promise<IDataObject[]> {
	const [resource, operation] = key.split('/');
	const { parameters, items } = inputOf(key);
	const { json, error, stored } = await run(
		{ resource, operation, ...parameters, ...change },
		{ items },
	);
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
	if (!JSON.stringify(change).includes('includeCardData'))
		expect(stored).not.toMatch(/card_data|card_number|security_code/);
	return json;
}

test.each(operations.map(({ key }) => key))('%s works as a tool of an AI agent', async (key) => {
	if (key === 'invoice/createFromRows') return;
	const [resource, operation] = key.split('/');
	const { parameters } = inputOf(key);
	const [output] = await callAsTools([
		{ credential: service.credential, parameters: { resource, operation, ...parameters } },
	]);
	expect(output).not.toBeInstanceOf(Error);
	expect((output as IDataObject[]).length).toBeGreaterThan(0);
});

/** Differences between a value and its schema. `null` may have any type. */
function mismatches({ type, properties, items }: JsonSchema, value: unknown, at: string): string[] {
	if (value === null || value === undefined) return [];
	if (type === 'array') {
		if (!Array.isArray(value)) return [`${at} is no list`];
		return items ? value.flatMap((one, index) => mismatches(items, one, `${at}[${index}]`)) : [];
	}
	if (type === 'object') {
		if (typeof value !== 'object' || Array.isArray(value)) return [`${at} is no object`];
		if (!properties) return [];
		return Object.entries(value).flatMap(([name, inner]) =>
			name in properties
				? mismatches(properties[name], inner, `${at}.${name}`)
				: [`${at}.${name} is not in the schema`],
		);
	}
	const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type;
	return isRight ? [] : [`${at} is not of type ${String(type)}`];
}

describe.each(Object.entries(outputSchemas()))('%s', (key, schema) => {
	test.each(['present', 'missing'] as const)(
		'matches its schema (optional fields %s)',
		async (optionalFields) => {
			// Customers without IDs cannot be collected, invoices without a status cannot be added up.
			if (key.startsWith('customer/') && optionalFields === 'missing') return;
			service.world.reset({ optionalFields, cardData: 'present' });
			for (const { duplicatesChecked, ...json } of await runOperation(key)) {
				// A list without invoice numbers cannot be checked.
				expect(duplicatesChecked).toBe(
					key === 'invoice/createFromRows' && optionalFields === 'missing' ? false : undefined,
				);
				expect(mismatches(schema, json, key)).toEqual([]);
			}
		},
	);

	test('gives the fields of its schema in the same order, and more without Simplify', async () => {
		const [json] = await runOperation(key);
		expect(Object.keys(json)).toEqual(Object.keys(schema.properties ?? {}));
		if (!operations.find((one) => one.key === key)?.operation.simpleFields) return;
		service.world.reset();
		// Create From Rows has it among its options.
		const whole = { simplify: false };
		const [raw] = await runOperation(key, { ...whole, options: key.endsWith('Rows') ? whole : {} });
		const { due_date: due, payer } = json;
		// These are text with Simplify, and found by the node.
		const derived = ['due_date', 'payer', 'customer', 'customer_email', 'items'];
		const others = Object.entries(json).filter(([name]) => !derived.includes(name));
		expect(raw).toMatchObject(Object.fromEntries(others));
		// Results of rows have days instead of times.
		if (due !== undefined) expect(String(raw.due_date)).toContain(String(due));
		if (payer !== undefined) expect(raw.source).toMatchObject({ card_holder_name: payer });
		expect(Object.keys(raw).length).toBeGreaterThan(Object.keys(json).length);
	});
});

test.each([
	['charge/get', true],
	['charge/get', false],
	['charge/getAll', true],
	['charge/getAll', false],
])('%s gives card data only if the user asks for it, Simplify %p', async (key, simplify) => {
	service.world.reset({ cardData: 'present' });
	const [hidden] = await runOperation(key, { simplify });
	const last4 = expect.stringMatching(/\d{4}/) as string;
	if (simplify) expect(hidden).not.toHaveProperty('source');
	else expect(hidden).toMatchObject({ source: { last4 } });
	const [shown] = await runOperation(key, { simplify, options: { includeCardData: true } });
	expect(shown).toHaveProperty('source.card_data.card_number');
});

test.each<[{ output?: string; outputFields?: string[] }, number]>([
	[{}, 10],
	[{ output: 'raw' }, 11],
	[{ output: 'selected', outputFields: ['total', 'status'] }, 3],
	[{ output: 'selected' }, 1],
])('a tool with %j gives %i fields', async (choice, count) => {
	service.world.reset({ cardData: 'present' });
	const { json, error } = await run(
		{ resource: 'charge', operation: 'getAll', limit: 3, simplify: false, ...choice },
		{ node: { type: 'n8n-nodes-invoicing-payments.invoicingPaymentsTool' } },
	);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(3);
	for (const one of json) {
		if (choice.output === 'raw') expect(Object.keys(one).length).toBeGreaterThan(count);
		else expect(Object.keys(one)).toHaveLength(count);
		expect(JSON.stringify(one)).not.toContain('card_data');
	}
});

test('an empty expression leaves Simplify on', async () => {
	const [json] = await runOperation('charge/getAll', { simplify: '={{ $json.none }}' });
	expect(Object.keys(json)).toHaveLength(10);
});

test('a result without any field of Simplify is given whole', async () => {
	fault(pageOf({ other: 1 }));
	expect(await runOperation('charge/getAll')).toEqual([{ other: 1 }]);
});

const testEvent = async (parameters: INodeParameters = {}) =>
	(await new ActiveTrigger({ credential: service.credential, parameters }).show()) ?? [];

test.each(Object.entries(eventOutputSchemas()))(
	'the trigger matches its schema: %s',
	async (event, schema) => {
		service.world.account.addCharge({ status: 'refunded' }, Date.now());
		service.world.account.changeMember(service.world.account.members[0].id, 'enabled');
		const dayIn = (days: number) =>
			new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
		for (const [status, days] of [
			['unpaid', 1],
			['overdue', -30],
		] as const)
			service.world.account.addInvoice({ status, due_date: dayIn(days) }, Date.now());
		const items = await testEvent({ event, status: locator('name', 'refunded') });
		expect(items.length).toBeGreaterThan(0);
		const fields = Object.keys(schema.properties ?? {}).sort();
		for (const one of items) {
			expect(Object.keys(one).sort()).toEqual(fields);
			for (const each of [schema, triggerOutputSchema()])
				expect(mismatches(each, one, event)).toEqual([]);
		}
	},
);

test('a test event of the trigger has all fields without Simplify', async () => {
	const [{ payer, items, ...others }] = await testEvent();
	const [raw] = await testEvent({ simplify: false });
	expect(raw).toMatchObject({ ...others, source: { card_holder_name: payer } });
	expect(raw).toHaveProperty('source.last4');
	expect([typeof items, Array.isArray(raw.items)]).toEqual(['string', true]);
});

describe('every operation sends its fields where its routing says, as the contract wants', () => {
	const cases = operations.flatMap(({ required, requiredItem, everything, item, ...operation }) => [
		{ ...operation, set: 'only the required fields', parameters: required, item: requiredItem },
		{ ...operation, set: 'every field', parameters: everything, item },
	]);

	test.each(cases)('$key with $set', async ({ parameters, item, endpoint, fields, set }) => {
		await run(parameters, { items: [item] });
		// Look-ups before a create have another method.
		const { method } = endpoint;
		const [sent] = service.requests.filter((request) => request.method === method);
		if ('body' in endpoint) expect(endpoint.body.safeParse(sent.body).error).toBeUndefined();
		// In an address, numbers and booleans are text.
		const typed = Object.entries(sent.query).map(([name, value]): [string, unknown] => [
			name,
			/^(?:true|false|\d+)$/.test(String(value)) ? JSON.parse(String(value)) : value,
		]);
		if ('query' in endpoint)
			expect(endpoint.query.safeParse(Object.fromEntries(typed)).error).toBeUndefined();
		if (set !== 'every field') return;
		for (const { routing } of fields) {
			const { type, property = '' } = routing?.send ?? {};
			if (type) expect(type === 'body' ? sent.body : sent.query).toHaveProperty([property]);
		}
	});
});

/** As it was built, and loaded as n8n loads it. */
describe('the package', () => {
	const loader = new PackageDirectoryLoader(projectFolder);
	beforeAll(async () => await loader.loadAll());

	test('gives n8n the nodes, their icons, their categories, and the credential', () => {
		const { nodes } = loader.types;
		expect(nodes.map(({ name }) => name)).toEqual([
			'invoicingPayments',
			'invoicingPaymentsTrigger',
		]);
		for (const { iconUrl } of nodes) {
			expect(iconUrl).toEqual({
				light: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.svg',
				dark: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.dark.svg',
			});
		}
		expect(nodes[0].codex?.alias).toContain('invoice');
		expect(nodes[1].codex?.alias).toContain('payment received');
		expect(loader.types.credentials.map(({ name }) => name)).toEqual(['invoicingPaymentsApi']);
		expect(loader.known.credentials.invoicingPaymentsApi.supportedNodes).toEqual([
			'invoicingPayments',
			'invoicingPaymentsTrigger',
		]);
	});

	test('has the output schema of every operation', () => {
		const folder = path.join(projectFolder, 'dist/nodes/InvoicingPayments/__schema__/v1.0.0');
		const trigger = 'dist/nodes/InvoicingPaymentsTrigger/__schema__/v1.0.0.json';
		const text = fs.readFileSync(path.join(projectFolder, trigger), 'utf8');
		expect(JSON.parse(text)).toEqual(triggerOutputSchema());
		for (const [name, schema] of Object.entries(outputSchemas())) {
			expect(JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'))).toEqual(
				schema,
			);
		}
	});
});
