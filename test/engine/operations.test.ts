import type { INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { callAsTools, runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

describe('Invoice: Create', () => {
	test('sends every field as the spec wants it and gives the invoice', async () => {
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
				title: 'Services',
				note: 'Thank you',
				invoiceNumber: '2026-1',
				discountPercentage: 10,
				shippingAddressRequired: true,
				startsAt: '2026-12-01',
				customFields: { field: [{ name: 'Purchase Order' }, { name: '' }] },
				allowInstallmentA: false,
				allowInstallmentB: false,
				allowServiceFee: false,
				successUrl: 'https://shop.example/thanks',
				failureUrl: 'https://shop.example/failed',
			},
		});
		const { json, error, items } = await runNode({ credential: service.credential, parameters });
		expect(error).toBeUndefined();
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
			title: 'Services',
			note: 'Thank you',
			invoice_number: '2026-1',
			discount_percentage: 10,
			shipping_address_required: true,
			starts_at: '2026-12-01',
			custom_fields: [{ name: 'Purchase Order' }],
			allow_installment_a: false,
			allow_installment_b: false,
			allow_service_fee: false,
			success_url: 'https://shop.example/thanks',
			failure_url: 'https://shop.example/failed',
		});
		expect(endpoints.createInvoice.response.safeParse(json[0]).error).toBeUndefined();
		expect(json[0]).toEqual({ outcome: 'created', ...service.created[0].full });
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	test('sends nothing for fields left empty, and null only where the spec allows it', async () => {
		const parameters = service.invoice({
			additionalFields: {
				title: '',
				note: '={{ null }}',
				invoiceNumber: '={{ $json.none }}',
				startsAt: '',
				customFields: {},
				successUrl: '  ',
				discountPercentage: '={{ null }}',
				allowServiceFee: '={{ undefined }}',
			},
		});
		await runNode({ credential: service.credential, parameters });
		const { customer, currency, due_date, items, ...others } = service.requests[0].body as Record<
			string,
			unknown
		>;
		expect([customer, currency, due_date, items]).not.toContain(undefined);
		expect(others).toEqual({ note: null, custom_fields: [] });
	});

	test.each([
		['an expression that gives a list', '={{ $json.lines }}'],
		['JSON text', '[{"name":"A","amount":1.5},{"name":"B","amount":"2","quantity":4}]'],
		[
			'an expression within JSON',
			'=[{"name":"A","amount":{{ $json.lines[0].amount }}},{"name":"B","amount":"2","quantity":4}]',
		],
	])('takes items as JSON: %s', async (_name, itemsJson) => {
		const lines = [
			{ name: 'A', amount: 1.5 },
			{ name: 'B', amount: '2', quantity: 4 },
		];
		const parameters = service.invoice({ itemsInput: 'json', itemsJson });
		const { error } = await runNode({
			credential: service.credential,
			parameters,
			items: [{ lines }],
		});
		expect(error).toBeUndefined();
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
	])('in %s the due date %s is %s', async (timezone, dueDate, sent) => {
		const parameters = service.invoice({ dueDate });
		await runNode({
			credential: service.credential,
			parameters,
			timezone,
			items: [{ serial: '46387' }],
		});
		expect(service.created[0].request.due_date).toBe(sent);
	});

	test('one invoice per item, each paired with its item, whatever status says that it was created', async () => {
		service.world.set({ createdStatus: 200, unknownCustomer: 'accept' });
		const items = Array.from({ length: 60 }, (_, index) => ({
			number: `N-${index}`,
			amount: index + 0.01,
		}));
		const parameters = service.invoice({
			items: { item: [{ name: 'x', amount: '={{ $json.amount }}', quantity: 1 }] },
			additionalFields: { invoiceNumber: '={{ $json.number }}' },
		});
		const result = await runNode({ credential: service.credential, parameters, items });
		expect(result.error).toBeUndefined();
		expect(result.json.map((json) => json.invoice_number)).toEqual(
			items.map(({ number }) => number),
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(new Set(service.created.map(({ full }) => full.invoice_number)).size).toBe(60);
		expect(service.created.length).toBe(60);
	});
});

describe.each(['newestFirst', 'oldestFirst', 'none'] as const)('lists in the order %s', (order) => {
	beforeEach(() =>
		service.world.reset({
			order,
			charges: 230,
			invoices: 130,
			maxPageSize: 50,
			cardData: 'present',
		}),
	);

	test.each([
		['charge', 'listCharges', 230],
		['invoice', 'listInvoices', 130],
	] as const)('%s: Get Many reads all pages once', async (resource, name, count) => {
		const parameters = { resource, operation: 'getAll', returnAll: true };
		const { json, items, error } = await runNode({ credential: service.credential, parameters });
		expect(error).toBeUndefined();
		expect(json.length).toBe(count);
		expect(new Set(json.map(({ id }) => id)).size).toBe(count);
		expect(endpoints[name].result.safeParse(json[0]).error).toBeUndefined();
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(service.requests.length).toBe(Math.ceil(count / 50));
	});

	test('Limit over several pages', async () => {
		const parameters = { resource: 'charge', operation: 'getAll', limit: 120 };
		const { json } = await runNode({ credential: service.credential, parameters });
		const { results } = service.world.account.listCharges({}, 1, 120, order);
		expect(json.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
		expect(service.requests.map(({ query }) => query)).toEqual(
			['1', '2', '3'].map((page) => ({ page, page_size: '100' })),
		);
	});

	test('Start Page and Page Size', async () => {
		const options = { pageSize: 20, startPage: 11 };
		const parameters = { resource: 'charge', operation: 'getAll', returnAll: true, options };
		const { json } = await runNode({ credential: service.credential, parameters });
		const { results } = service.world.account.listCharges({}, 1, 230, order);
		expect(json.map(({ id }) => id)).toEqual(results.slice(200).map(({ id }) => id));
	});
});

describe('Get Many', () => {
	test('sends all filters of charges', async () => {
		const customerId = service.world.account.customers[1].id;
		const filters = {
			currency: 'eur',
			customerId,
			id: 'abc',
			search: 'Order',
			status: 'authorised',
			type: 'creditpayment',
		};
		const parameters = { resource: 'charge', operation: 'getAll', limit: 5, filters };
		const { error, json } = await runNode({ credential: service.credential, parameters });
		expect([error, json]).toEqual([undefined, []]);
		expect(service.requests[0].query).toEqual({
			currency: 'EUR',
			customer_id: customerId,
			id: 'abc',
			search: 'Order',
			status: 'authorised',
			type: 'creditpayment',
			page: '1',
			page_size: '5',
		});
	});

	test('sends all filters of invoices', async () => {
		const customerId = service.world.account.customers[1].id;
		const filters = {
			allowTip: false,
			currency: 'EUR',
			customerId,
			id: 'abc',
			invoiceNumber: 'å/1&2',
			referenceId: 'R1',
			shippingAddressRequired: 'true',
			status: 'Overdue',
		};
		const parameters = { resource: 'invoice', operation: 'getAll', limit: 5, filters };
		const { error } = await runNode({ credential: service.credential, parameters });
		expect(error).toBeUndefined();
		expect(service.requests[0].query).toEqual({
			allow_tip: 'false',
			currency: 'EUR',
			customer_id: customerId,
			id: 'abc',
			invoice_number: 'å/1&2',
			reference_id: 'R1',
			shipping_address_required: 'true',
			status: 'overdue',
			page: '1',
			page_size: '5',
		});
	});

	test('pairs results with the item that asked for them, empty results included', async () => {
		const parameters = {
			resource: 'charge',
			operation: 'getAll',
			limit: '={{ $json.limit }}',
			filters: { currency: '={{ $json.currency }}' },
		};
		const items = [
			{ limit: 2, currency: 'EUR' },
			{ limit: 3, currency: 'XXX' },
			{ limit: '4', currency: '' },
		];
		const result = await runNode({ credential: service.credential, parameters, items });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 2, 2, 2, 2].map((item) => ({ item })),
		);
	});

	test.each([
		['an empty account', { charges: 0 }],
		[
			'a service that refuses the page size',
			{ charges: 130, maxPageSize: 30, overMaxPageSize: 'reject' },
		],
		[
			'a service that refuses it with another status',
			{ charges: 130, maxPageSize: 30, overMaxPageSize: 'reject', invalidStatus: 422 },
		],
		['a service that answers 404 past the end', { charges: 130, pastTheEnd: 'notFound' }],
		['relative addresses of the next page', { charges: 130, next: 'relative' }],
		['addresses of the next page on another host', { charges: 130, next: 'otherHost' }],
		['charges with only some of their fields', { charges: 130, optionalFields: 'missing' }],
	] as const)('works with %s', async (_name, settings) => {
		service.world.reset({ ...settings });
		const parameters = { resource: 'charge', operation: 'getAll', returnAll: true };
		const { json, error } = await runNode({ credential: service.credential, parameters });
		expect(error).toBeUndefined();
		expect(new Set(json.map(({ id }) => id)).size).toBe(settings.charges);
	});

	test('a limit that an expression left empty is 50, not everything', async () => {
		const parameters = { resource: 'charge', operation: 'getAll', limit: '={{ $json.none }}' };
		const { json } = await runNode({ credential: service.credential, parameters });
		expect(json).toHaveLength(50);
	});

	test('beyond the last page there is nothing, and that is no error', async () => {
		service.world.reset({ pastTheEnd: 'notFound' });
		const parameters = { resource: 'charge', operation: 'getAll', options: { startPage: 99 } };
		const { json, error } = await runNode({ credential: service.credential, parameters });
		expect([json, error]).toEqual([[], undefined]);
	});

	test.each([true, false])(
		'card data comes out only when asked for, Simplify %p',
		async (simplify) => {
			service.world.reset({ cardData: 'present' });
			const run = async (options: INodeParameters) =>
				await runNode({
					credential: service.credential,
					parameters: { resource: 'charge', operation: 'getAll', limit: 3, simplify, options },
				});
			const hidden = await run({});
			expect(hidden.stored).not.toContain('card_data');
			expect(hidden.stored).not.toContain('security_code');
			expect('source' in hidden.json[0]).toBe(!simplify);
			if (!simplify) {
				expect(hidden.json[0].source).toMatchObject({
					last4: expect.stringMatching(/\d{4}/) as string,
				});
			}
			const shown = await run({ includeCardData: true });
			expect(shown.json[0].source).toHaveProperty('card_data.card_number');
		},
	);
});

describe('A customer that is picked from a list', () => {
	const run = async (customerId: INodeParameters[string]) =>
		await runNode({
			credential: service.credential,
			items: [{ customer: service.world.account.customers[1].id }],
			parameters: {
				resource: 'invoice',
				operation: 'getAll',
				returnAll: true,
				filters: { customerId },
			},
		});

	// The editor saves what is added to a collection without the mark of a locator.
	test.each([
		['as n8n marks it', { __rl: true }],
		['without a mark', {}],
	])('filters, %s', async (_how, mark) => {
		for (const mode of ['id', 'list']) {
			const { json, error } = await run({ ...mark, mode, value: '={{ $json.customer }}' });
			expect(error).toBeUndefined();
			expect(json.length).toBeGreaterThan(0);
			expect(service.requests.at(-1)?.query).toMatchObject({
				customer_id: service.world.account.customers[1].id,
			});
		}
		expect((await run({ ...mark, mode: 'list', value: '' })).error).toBeUndefined();
		expect(service.requests.at(-1)?.query).not.toHaveProperty('customer_id');
	});
});

describe('Payment Link and Team Member', () => {
	test('Payment Link: Get', async () => {
		const [link] = service.world.account.links;
		const parameters = {
			resource: 'paymentLink',
			operation: 'get',
			simplify: false,
			linkId: ` ${link.id.toUpperCase()} `,
		};
		const { error } = await runNode({ credential: service.credential, parameters });
		// The simulator compares ids as they are; the id goes out as it was given.
		expect(error?.message).toContain('found nothing');
		const found = await runNode({
			credential: service.credential,
			parameters: { ...parameters, linkId: link.id },
		});
		expect(found.json).toEqual([link]);
	});

	test('Team Member: Create and Get', async () => {
		const parameters = {
			resource: 'member',
			operation: 'create',
			firstName: 'Émile',
			lastName: 'Großmann',
			email: 'emile@team.example',
			jobTitle: 'Accountant',
			role: 'Admin',
		};
		const { json } = await runNode({ credential: service.credential, parameters });
		expect(service.requests[0].body).toEqual({
			first_name: 'Émile',
			last_name: 'Großmann',
			email: 'emile@team.example',
			job_title: 'Accountant',
			role: 'admin',
		});
		expect(json).toMatchObject([{ role: 'admin', status: 'invited' }]);
		for (const memberId of [
			{ __rl: true, mode: 'id', value: json[0].id },
			{ __rl: true, mode: 'list', value: json[0].id },
			json[0].id,
		]) {
			const got = await runNode({
				credential: service.credential,
				parameters: { resource: 'member', operation: 'get', memberId: memberId as INodeParameters },
			});
			expect(got.json).toEqual(json);
		}
	});

	test('Team Member: Get Many', async () => {
		const get = async (more: INodeParameters) =>
			await runNode({
				credential: service.credential,
				parameters: { resource: 'member', operation: 'getAll', ...more },
			});
		expect((await get({ returnAll: true })).json).toEqual(service.world.account.members);
		expect((await get({ limit: 2 })).json).toEqual(service.world.account.members.slice(0, 2));
		expect(service.requests.every(({ query }) => Object.keys(query).length === 0)).toBe(true);
	});
});

test('tools of one AI agent that are called at the same time do not know of each other', async () => {
	const tool = (change: object) => ({
		credential: service.credential,
		parameters: service.invoice(change),
	});
	const outputs = await callAsTools([tool({}), tool({ dueDate: 'soon' }), tool({}), tool({})]);
	expect(
		outputs.map((output) => (output instanceof Error ? output.message : output.length)),
	).toEqual([1, expect.stringContaining('Due Date'), 1, 1]);
	expect(service.created).toHaveLength(3);
});
