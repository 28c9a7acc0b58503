/** Each operation as n8n offers it: what it sends and gives, its description, a new Create From Rows, the credential, the package. */

import { CredentialTestContext, PackageDirectoryLoader } from 'n8n-core';
import type { IDataObject, INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { InvoicingPayments, InvoicingPaymentsApi } from '../../index';
import type { JsonSchema } from '../../tools/commands/outputSchemas';
import {
	eventOutputSchemas,
	outputSchemas,
	triggerOutputSchema,
} from '../../tools/commands/outputSchemas';
import { fs, path, projectFolder } from '../../tools/node';
import { callAsTools, listIn } from '../helpers/n8n/engine';
import {
	continues,
	locator,
	newMember,
	outcomes,
	pageOf,
	textOf,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { inputFor, operations } from '../helpers/n8n/operations';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters, mapping, reading } from '../helpers/sheets/fromRows';

const { service, run, posts, fault, row, fromRows } = useNode();

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

describe('Invoice: Create From Rows in a new node', () => {
	const customer = () => service.world.account.customers[0];
	const line = (number: string, change: object = {}) =>
		row(number, { 'Customer ID': undefined, Email: customer().email, Qty: '2', ...change });
	const newNode = async (change: object, items: IDataObject[]) =>
		await run({ resource: 'invoice', operation: 'createFromRows', ...change }, { items });

	test('creates nothing, and shows a table, how it reads the sheet and what it does not bill', async () => {
		const travel = line('A', { Item: 'Travel', Qty: '1' });
		const items = [line('A'), travel, line('B', { Colour: 'red' })];
		const { json, hints, error } = await newNode({}, items);
		expect([error, posts()]).toEqual([undefined, []]);
		const { fingerprint, reading: text } = json[1];
		expect(fingerprint).toMatch(/^[0-9a-f]{36}$/);
		expect(text).toBe(
			'Currency = Currency (text); Due Date = Due Date (date; 0 days apart; within 214 days); Invoice Number = Invoice Number (text); Customer Email = Email (email); Item Name = Item (text); Unit Price = Unit Price (number; 100 to 100); Quantity = Qty (number; 1 to 2); amounts in: EUR; one invoice per Invoice Number; not billed: Colour (empty; text)',
		);
		expect(json).toEqual([
			{
				action: 'create',
				customer: customer().name,
				total: 'EUR 300.00',
				due_date: '2027-01-15',
				items: 2,
				invoice_number: 'A',
				rows: '2, 3',
				warnings: '',
				...{ reading: '', fingerprint: '', summary: '' },
			},
			expect.objectContaining({
				...{ total: 'EUR 200.00', rows: '4' },
				...{ reading: text, fingerprint, summary: '2 invoices to create for EUR 500.00' },
			}),
		]);
		expect(hints).toEqual([
			'Nothing was created. 2 invoices for 3 rows: EUR 500.00.',
			`The first invoice: ${customer().name}, EUR 300.00, due 2027-01-15: 2 × Consulting at 100.00; 1 × Travel at 100.00.`,
			'Read as: Currency = Currency; Due Date = Due Date; Invoice Number = Invoice Number; Customer Email = Email; Item Name = Item; Unit Price = Unit Price; Quantity = Qty; one invoice per Invoice Number',
			'Not on the invoices: Colour.',
			"If it is right, choose it under 'Reading' and turn off 'Preview Only'. To correct it, switch 'Reading' to 'As Text' after you have chosen it.",
		]);
	});

	test('shows what cannot be created and why, instead of an error', async () => {
		const items = [line('A'), line('B', { Qty: 'two' }), line('C', { Email: 'nobody@x.example' })];
		const { json, hints, error } = await newNode({}, items);
		expect(error).toBeUndefined();
		expect(json.map(({ action }) => action)).toEqual(['create', 'stop', 'stop']);
		expect(json[1].warnings).toBe('Quantity must be a number such as 2 or 1.5, got "two"');
		expect(json[2].warnings).toContain(
			'Customer: No customer with the email "nobody@x.example" was …; ',
		);
		expect(hints.slice(0, 3)).toEqual([
			'Nothing was created. 1 invoice to create for EUR 200.00; 2 cannot be created.',
			'Row 3, column "Qty": Quantity must be a number such as 2 or 1.5, got "two"',
			expect.stringMatching(/^Row 4: Customer: No customer with the email .* Correct the cell/),
		]);
		const whole = await newNode({ options: { simplify: false } }, items);
		const { id } = customer();
		expect(whole.json[0]).toMatchObject({ customer: { id }, items: [{ quantity: 2 }] });
		expect(whole.json[1]).toMatchObject({ action: 'stop', why: hints[1] });
	});

	test("offers its reading under 'Reading', for this account only", async () => {
		const items = [line('A', { Room: '7' })];
		await newNode({}, items);
		const { json } = await newNode({}, items);
		const { results } = await listIn('getReadings', service.credential);
		expect(results).toHaveLength(1);
		expect(results[0].value).toBe(json[0].reading);
		expect(results[0].name).toMatch(/^\d\d:\d\d · 1 invoice for 1 row: EUR 200\.00 · Currency/);
		expect((await listIn('getReadings', service.credential, 'dogs')).results).toEqual([]);
		const picked = { reading: locator('list', String(results[0].value)) };
		expect((await fromRows(picked, items)).json).toMatchObject([{ outcome: 'created' }]);
		service.world.reset();
		expect((await listIn('getReadings', service.credential)).results).toEqual([]);
	});

	test('refuses a reading that is none', async () => {
		const { error } = await newNode(reading('Price is Rate'), [line('A')]);
		expect(error?.message).toContain('Reading "Price is Rate" is not a statement');
	});

	test('says a field that is mapped by hand, and recognizes the others', async () => {
		const columns = mapping({ itemAmount: '={{ $json.much }}', itemQuantity: '3' });
		const items = [line('A', { 'Unit Price': undefined, Qty: undefined, much: '3,80' })];
		const { json } = await newNode({ columnsMode: 'manual', ...columns }, items);
		const { name } = customer();
		expect(json[0]).toMatchObject({ action: 'create', total: 'EUR 11.40', customer: name });
		expect(json[0].reading).toContain('Unit Price = much');
	});

	test.each<[string, (id: string) => [change: object, cells: object]]>([
		['a row has only an ID', (id) => [{}, { Email: '', 'Customer ID': id }]],
		['Default Customer is used', (id) => [{ defaults: { customerId: locator('id', id) } }, { Email: '' }]],
	])('names the customer if %s', async (_what, given) => {
		const { id, name } = customer();
		const [change, cells] = given(id);
		const items = [line('A', cells)];
		expect((await newNode(change, items)).json).toMatchObject([{ action: 'create', customer: name }]);
		// Without an answer of the service, it shows the ID.
		service.world.reset();
		fault({ kind: 'status', status: 500 }, { method: 'GET', times: null });
		const anyway = { ...change, ifInvoiceNumberExists: 'create', options: { maxWait: 0 } };
		expect((await newNode(anyway, items)).json).toMatchObject([{ customer: id }]);
	}); // prettier-ignore

	test('warns of an existing invoice that differs, and a run sums what it created', async () => {
		await fromRows({}, [line('A'), line('B')]);
		const items = [line('A', { Qty: '3' }), line('C'), line('D', { 'Unit Price': 'ten' })];
		const { json, hints } = await newNode({}, items);
		expect(hints[0]).toBe(
			'Nothing was created. 1 invoice to create for EUR 200.00; 1 differs (A: item Consulting: 100.00 x 2 in the service, 100.00 x 3 here; amount: 200.00 in the service, 300.00 here); 1 cannot be created.',
		);
		expect(hints[1]).toBe(
			'Row 4, column "Unit Price": Unit Price must be an amount such as 19.99, got "ten"',
		);
		expect(json.map(({ action }) => action)).toEqual(['exists, differs', 'create', 'stop']);
		expect(json[0].warnings).toContain('200.00 in the service, 300.00 here');
		const existing = await newNode({}, [items[0], line('B')]);
		expect(existing.json.map(({ action }) => action)).toEqual(['exists, differs', 'exists']);
		expect(existing.hints[0]).toMatch(/^Nothing to create; 1 exists; 1 differs/);
		const after = await fromRows(reading(String(json.at(-1)?.reading)), items, continues);
		expect(after.hints).toContain(
			'1 invoice created from 1 row: EUR 200.00; 1 existed already; 1 failed.',
		);
	});

	test('finds customers in a column with any name, also beside Default Customer', async () => {
		const [one, other] = service.world.account.customers;
		const items = [one, other].map(({ name: Agency }, at) =>
			line(`A${at}`, { Email: undefined, Item: 'Work', Agency }),
		);
		const defaults = { customerId: locator('id', service.world.account.customers[2].id) };
		for (const change of [{}, { defaults }]) {
			const { json } = await newNode(change, items);
			expect(json.map(({ customer: name }) => name)).toEqual([one.name, other.name]);
		}
	});

	test('shows the note that the customer would read', async () => {
		const items = [line('A', { Remarks: 'late check-out' }), line('B')];
		expect((await newNode({}, items)).hints.join('\n')).toContain('(note: late check-out).');
		const whole = await newNode({ options: { simplify: false } }, items);
		expect(whole.json.map(({ note }) => note)).toEqual(['late check-out', undefined]);
	});

	test.each<[object, string]>([
		[{ maximumInvoices: 1 }, "2 invoices would be created, but 'Maximum Invoices' is 1"],
		[{ maximumTotal: '399.99' }, "EUR 400.00 would be billed, but 'Maximum Total' is 399.99"],
	])('with %j stops a run above it, and counts no existing invoices', async (options, said) => {
		const both = [line('A'), line('B')];
		expect(textOf(await fromRows({ options }, both))).toContain(said);
		expect(posts()).toEqual([]);
		await fromRows({ options }, [line('A')]);
		expect(outcomes((await fromRows({ options }, both)).json)).toEqual(['found', 'created']);
	});

	test('compares a sheet with a reading that was typed, until its preview is chosen', async () => {
		const items = [line('A', { Note: 'x' }), line('B')];
		const typed = reading('Item Name = Item; Note = Note');
		const { json } = await newNode(typed, items);
		const { error } = await newNode({ ...typed, previewOnly: false }, items);
		expect(error?.message).toContain('not in the reading yet: ');
		expect(posts()).toEqual([]);
		const picked = reading(String(json.at(-1)?.reading));
		expect((await newNode({ ...picked, previewOnly: false }, items)).error).toBeUndefined();
		expect(posts()).toHaveLength(2);
	});
});

const { testCredential } = new InvoicingPayments().methods.credentialTest;

async function testWith(change: object) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const data = { ...service.credential, ...change };
	const credential = { id: '1', name: 'Test', type: 'invoicingPaymentsApi', data };
	return await testCredential.call(context, credential);
}

describe('the credential test', () => {
	test('accepts a good key, also with spaces and a trailing slash', async () => {
		const { apiKey, baseUrl } = service.credential;
		for (const change of [
			{},
			{ apiKey: ` ${String(apiKey)}\n`, baseUrl: ` ${String(baseUrl)}/v1/ ` },
		]) {
			expect(await testWith(change)).toEqual({
				status: 'OK',
				message: 'The service accepted the API key',
			});
		}
		expect(service.requests).toMatchObject([
			{ path: '/v1/charges', query: { page_size: '1' }, authorised: true },
			{},
		]);
	});

	test.each([401, 403])('refuses a wrong key (%i)', async (badKeyStatus) => {
		service.world.set({ badKeyStatus });
		const { status, message } = await testWith({ apiKey: 'not-the-key' });
		expect([status, message]).toEqual([
			'Error',
			expect.stringMatching(/API key: The API key is missing or not valid$/),
		]);
	});

	test.each([
		['no key', { apiKey: '  ' }, 'API Key is empty'],
		['a key with a space', { apiKey: 'a b' }, 'API Key contains a space'],
		['no base URL', { baseUrl: '' }, 'Base URL is empty'],
		['no scheme', { baseUrl: 'api.example.com' }, 'starts with https://'],
		['http to elsewhere', { baseUrl: 'http://api.example.com' }, 'Allow Unencrypted HTTP'],
		['no server', { baseUrl: 'http://127.0.0.1:1' }, 'Nothing responds at 127.0.0.1:1'],
		['no such host', { baseUrl: 'https://service.invalid' }, 'service.invalid'],
	])('refuses a credential with %s', async (_name, change, words) => {
		expect(await testWith(change)).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
		expect(service.requests).toEqual([]);
	});

	test.each([
		['a web page', { kind: 'html' }, 'returned "Welcome" instead of JSON'],
		['another API', { kind: 'json', body: { ok: true } }, 'no page with "results"'],
		['a redirect', { kind: 'redirect', location: 'https://other.example/login?x=1' }, 'redirect to https://other.example/login.'],
		['too many requests', { kind: 'status', status: 429 }, 'too many requests'],
		['a service that fails', { kind: 'status', status: 503 }, 'The service failed (status 503)'],
		['another path', { kind: 'status', status: 404 }, 'found nothing at /v1/charges'],
		['a broken connection', { kind: 'reset' }, 'was closed before the whole response arrived'],
	] as const)('reports %s', async (_name, action, words) => {
		service.world.faults.add({ action });
		expect(await testWith({})).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
	}); // prettier-ignore
});

describe('[R10] the key is only sent to the origin of the base URL', () => {
	const { authenticate } = new InvoicingPaymentsApi();
	const credential = { apiKey: ' your-example-key ', baseUrl: 'https://api.example.com/pay' };
	const send = async (url: string, baseURL?: string) => {
		if (typeof authenticate !== 'function') throw new Error('authenticate has to be a function');
		return await authenticate(credential, { url, baseURL });
	};

	test.each([
		['/v1/charges', 'https://api.example.com/pay'],
		['https://api.example.com/anything', undefined],
	])('is sent to %s', async (url, baseURL) => {
		expect(await send(url, baseURL)).toMatchObject({
			headers: { 'X-API-KEY': 'your-example-key' },
			disableFollowRedirect: true,
			maxRedirects: 0,
		});
	});

	test.each([
		'https://api.example.com.evil.example/v1',
		'http://api.example.com/v1',
		'https://api.example.com:444/v1',
		'//evil.example/v1',
	])('is not sent to %s', async (url) => {
		await expect(send(url, 'https://api.example.com/pay')).rejects.toThrow(
			'only sent to https://api.example.com',
		);
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
