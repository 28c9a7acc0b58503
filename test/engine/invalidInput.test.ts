import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../helpers/engine';
import { pause } from '../helpers/clock';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const run = async (parameters: INodeParameters, items?: object[], node = {}) =>
	await runNode({
		credential: service.credential,
		parameters,
		...(items && { items: items as Array<Record<string, never>> }),
		node,
	});

const additional = (fields: object) => ({ additionalFields: fields });

describe('an error names the field, the limit and the item, and nothing is sent', () => {
	test.each<[string, object, string[]]>([
		['a customer that is no UUID', { customerId: 'ACME' }, ['Customer ID', 'UUID']],
		['no customer', { customerId: '={{ $json.none }}' }, ['Customer ID', 'required']],
		['a currency of four letters', { currency: 'EURO' }, ['Currency', '3 letters']],
		['31 February', { dueDate: '2026-02-31' }, ['Due Date', 'day of the calendar']],
		[
			'a date that would have to be guessed',
			{ dueDate: '={{ "01/02/2026" }}' },
			['Due Date', 'YYYY-MM-DD'],
		],
		['no items', { items: {} }, ['Items', 'at least one item']],
		[
			'no items in JSON',
			{ itemsInput: 'json', itemsJson: '[]' },
			['Items (JSON)', 'at least one item'],
		],
		['broken JSON', { itemsInput: 'json', itemsJson: '[{' }, ['Items (JSON)', 'JSON list']],
		[
			'a number for JSON',
			{ itemsInput: 'json', itemsJson: '={{ 5 }}' },
			['Items (JSON)', 'JSON list'],
		],
		[
			'items that are no objects',
			{ itemsInput: 'json', itemsJson: '[1]' },
			['Items (JSON), line 1', 'object'],
		],
		[
			'a misspelt field of an item',
			{ itemsInput: 'json', itemsJson: '[{"name":"a","amount":1,"qty":2}]' },
			['"qty"', 'name, amount, quantity'],
		],
		[
			'an item without an amount',
			{ items: { item: [{ name: 'x', amount: '', quantity: 1 }] } },
			['Items, line 1', 'amount', 'required'],
		],
		[
			'an item without a name',
			{ items: { item: [{ name: ' ', amount: '1', quantity: 1 }] } },
			['Items, line 1', 'name', 'required'],
		],
		[
			'four decimals',
			{ items: { item: [{ name: 'x', amount: '10.1234', quantity: 1 }] } },
			['Items, line 1', 'amount', 'at most 3 decimals'],
		],
		[
			'eleven digits',
			{ items: { item: [{ name: 'x', amount: '12345678901', quantity: 1 }] } },
			['Items, line 1', 'at most 10 digits'],
		],
		[
			'half a piece',
			{ items: { item: [{ name: 'x', amount: '1', quantity: 1.5 }] } },
			['Items, line 1', 'quantity', 'whole number'],
		],
		['an over-long title', additional({ title: 'x'.repeat(51) }), ['Title', '50', '51']],
		['an over-long note', additional({ note: 'x'.repeat(281) }), ['Note', '280', '281']],
		[
			'an over-long number',
			additional({ invoiceNumber: '1'.repeat(31) }),
			['Invoice Number', '30', '31'],
		],
		['101 %', additional({ discountPercentage: 101 }), ['Discount Percentage', '0 to 100', '101']],
		[
			'-1 %',
			additional({ discountPercentage: '={{ -1 }}' }),
			['Discount Percentage', '0 to 100', '-1'],
		],
		[
			'half a percent',
			additional({ discountPercentage: 0.5 }),
			['Discount Percentage', 'whole number'],
		],
		[
			'six custom fields',
			additional({ customFields: { field: 'abcdef'.split('').map((name) => ({ name })) } }),
			['Custom Fields', 'at most 5', '6'],
		],
		[
			'custom fields that are no text',
			additional({ customFields: { field: [{ name: '={{ {a: 1} }}' }] } }),
			['Custom Fields, line 1', 'must be text'],
		],
		[
			'a quantity that an expression left empty',
			{ items: { item: [{ name: 'x', amount: '1', quantity: '={{ $json.Qty }}' }] } },
			['Items, line 1', 'quantity', 'required'],
		],
		[
			'a date that cannot be read',
			{ dueDate: '={{ {toISO: 1} }}' },
			['Due Date', 'cannot be read'],
		],
		['an address without https', additional({ successUrl: 'shop' }), ['Success URL', 'https://']],
		[
			'a start that is no day',
			additional({ startsAt: '2026-04-31' }),
			['Start Date', 'day of the calendar'],
		],
		[
			'a time-out that no timer can hold',
			{ requestOptions: { timeout: 3_000_000_000 } },
			['Timeout', '2147483647'],
		],
		[
			'a switch that is no switch',
			additional({ allowServiceFee: '={{ "perhaps" }}' }),
			['Allow Service Fee', 'true or false'],
		],
	])('%s', async (_name, change, words) => {
		const { error, items } = await run(service.invoice(change));
		for (const word of [...words, '[item 0]']) expect(error?.message).toContain(word);
		expect(error?.description).toContain('Nothing was sent');
		expect([items, service.requests]).toEqual([[], []]);
	});

	test.each<[string, INodeParameters, string[]]>([
		[
			'a link id',
			{ resource: 'paymentLink', operation: 'get', linkId: '../members' },
			['Payment Link ID', 'UUID'],
		],
		[
			'a member id',
			{ resource: 'member', operation: 'get', memberId: { __rl: true, mode: 'id', value: '=..' } },
			['Team Member', 'UUID'],
		],
		[
			'no limit',
			{ resource: 'charge', operation: 'getAll', limit: '={{ 0 }}' },
			['Limit', '1 or more'],
		],
		[
			'a limit that is no number',
			{ resource: 'member', operation: 'getAll', limit: '={{ "all" }}' },
			['Limit', 'whole number'],
		],
		[
			'a filter',
			{ resource: 'charge', operation: 'getAll', filters: { type: '={{ "refund" }}' } },
			['Type', 'charge, checkout, creditpayment, invoice, link'],
		],
		[
			'a page',
			{ resource: 'invoice', operation: 'getAll', options: { startPage: 0 } },
			['Start Page', '1 or more'],
		],
	])('%s', async (_name, parameters, words) => {
		const { error } = await run(parameters);
		for (const word of words) expect(error?.message).toContain(word);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['firstName', 'A', 'First Name must have at least 2'],
		['firstName', 'x'.repeat(51), 'First Name can have at most 50'],
		['lastName', '', 'Last Name is empty'],
		['email', 'nobody', 'Email must be an email'],
		['jobTitle', 'x'.repeat(51), 'Job Title can have at most 50'],
		['role', '={{ "owner" }}', 'Role must be one of admin, manager, staff'],
	])('a member with %s %p', async (field, value, words) => {
		const { error } = await run({
			resource: 'member',
			operation: 'create',
			firstName: 'Hana',
			lastName: 'Kaya',
			email: 'hana@team.example',
			jobTitle: 'Sales',
			role: 'staff',
			[field]: `=${value.replace(/^=/, '')}`,
		});
		expect(error?.message).toContain(words);
		expect(service.requests).toEqual([]);
	});
});

describe('one bad item among many', () => {
	const good = { amount: '5', percent: 5 };
	const items = [
		good,
		good,
		{ amount: '5.00001', percent: 101 },
		good,
		{ amount: 'x', percent: 5 },
	];
	const parameters = () =>
		service.invoice({
			items: { item: [{ name: 'x', amount: '={{ $json.amount }}', quantity: 1 }] },
			...additional({ discountPercentage: '={{ $json.percent }}' }),
		});

	test('[O5] nothing is sent, and one error tells all problems of all items', async () => {
		const { error } = await run(parameters(), items);
		expect(service.requests).toEqual([]);
		expect(error?.message).toMatch(
			/at most 3 decimals.*; Discount Percentage.*\[item 2\] \(and 1 more in other items\)/,
		);
		expect(error?.context.itemIndex).toBe(2);
		for (const words of [
			'Discount Percentage must be from 0 to 100, got 101 [item 2]',
			'amount',
			'[item 4]',
		]) {
			expect(error?.description).toContain(words);
		}
	});

	test('two hundred bad items are counted, fifty are listed', async () => {
		const many = Array.from({ length: 200 }, () => ({ amount: 'x', percent: 5 }));
		const { error } = await run(parameters(), many);
		expect(error?.message).toContain('and 199 more in other items');
		expect(error?.description?.split('<br>')).toHaveLength(52);
	});

	test('with Continue the others are created, and the bad ones keep their fields and get their error', async () => {
		const result = await run(parameters(), items, { onError: 'continueRegularOutput' });
		expect(service.created).toHaveLength(3);
		expect(result.json.map(({ error }) => Boolean(error))).toEqual([
			false,
			false,
			true,
			false,
			true,
		]);
		expect(result.json[2]).toMatchObject({
			amount: '5.00001',
			error: expect.stringContaining('at most 3 decimals') as string,
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});

	test('[O6] with Continue (using error output) they come out there', async () => {
		const result = await run(parameters(), items, { onError: 'continueErrorOutput' });
		expect([result.json.length, result.errorItems.length]).toEqual([3, 2]);
		expect(result.errorItems[0].json).toMatchObject({
			amount: '5.00001',
			error: expect.stringContaining('101') as string,
		});
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 2 },
			{ item: 4 },
		]);
	});

	test('an expression that fails in one item keeps all others from being sent', async () => {
		const broken = service.invoice({ dueDate: '={{ $json.due.toISODate() }}' });
		const { error } = await run(broken, [{ due: 1 }, {}]);
		expect(error).toBeDefined();
		const later = service.invoice({
			dueDate: '={{ $json.bad ? $("Nowhere").item.json.x : "2026-12-31" }}',
		});
		const second = await run(later, [{}, {}, { bad: true }, {}]);
		expect(second.error).toBeDefined();
		await pause(100);
		expect(service.requests).toEqual([]);
	});

	test("n8n's own batching: all items are checked before the first batch", async () => {
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 50 } } };
		const { error } = await run({ ...parameters(), requestOptions } as INodeParameters, items);
		expect(error?.message).toContain('[item 2]');
		expect(error?.description).toContain('Nothing was sent.');
		expect(service.requests).toEqual([]);
	});

	test('Execute Once and Retry On Fail send what they should', async () => {
		await run(parameters(), [good, good], { executeOnce: true });
		expect(service.created).toHaveLength(1);
		service.world.faults.add({ method: 'POST', action: { kind: 'status', status: 429 } });
		const retried = await run(parameters(), [good], {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 10,
		});
		expect(retried.error).toBeUndefined();
		expect(service.created).toHaveLength(2);
	});
});
