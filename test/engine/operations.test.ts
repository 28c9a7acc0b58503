import type { IDataObject } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { callAsTools } from '../helpers/n8n/engine';
import { works } from '../hostile/nodeCase';
import { locator, newMember, useNode } from '../helpers/n8n/nodeRuns';
import { operations } from '../helpers/n8n/operations';

const { service, run } = useNode();

test('every operation also runs against a hostile service', () => {
	expect(Object.keys(works).sort()).toEqual(operations.map(({ key }) => key).sort());
});

describe('Invoice: Create', () => {
	// The other fields are in declarative.test.ts.
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
