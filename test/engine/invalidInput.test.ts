import type { INodeParameters } from 'n8n-workflow';
import { pause } from '../helpers/n8n/clock';
import { continueModes, locator, newMember, useNode } from '../helpers/n8n/nodeRuns';

const { service, run } = useNode();

const additional = (additionalFields: object) => ({ additionalFields });
/** An invoice with one line. */
const line = (change: object) => ({
	items: { item: [{ name: 'x', amount: '1', quantity: 1, ...change }] },
});
const json = (itemsJson: string) => ({ itemsInput: 'json', itemsJson });

describe('invalid input is an error that names field, limit and item', () => {
	test.each<[string[], object]>([
		[['Customer', 'UUID'], { customerId: 'ACME' }],
		[['Customer', 'required'], { customerId: '={{ $json.none }}' }],
		[['Currency', '3 letters'], { currency: 'EURO' }],
		[['Due Date', 'day of the calendar'], { dueDate: '2026-02-31' }],
		[['Due Date', 'YYYY-MM-DD'], { dueDate: '={{ "01/02/2026" }}' }],
		[['Due Date', 'cannot be read'], { dueDate: '={{ {toISO: 1} }}' }],
		[['Items', 'at least one item'], { items: {} }],
		[['Items (JSON)', 'at least one item'], json('[]')],
		[['Items (JSON)', 'JSON list'], json('[{')],
		[['Items (JSON)', 'JSON list'], json('={{ 5 }}')],
		[['Items (JSON), line 1', 'object'], json('[1]')],
		[['"qty"', 'name, amount, quantity'], json('[{"name":"a","amount":1,"qty":2}]')],
		[['Items, line 1', 'amount', 'required'], line({ amount: '' })],
		[['Items, line 1', 'name', 'required'], line({ name: ' ' })],
		[['Items, line 1', 'amount', 'at most 3 decimals'], line({ amount: '10.1234' })],
		[['Items, line 1', 'at most 10 digits'], line({ amount: '12345678901' })],
		[['Items, line 1', 'quantity', 'whole number'], line({ quantity: 1.5 })],
		[['Items, line 1', 'quantity', 'required'], line({ quantity: '={{ $json.Qty }}' })],
		[['Title', '50', '51'], additional({ title: 'x'.repeat(51) })],
		[['Note', '280', '281'], additional({ note: 'x'.repeat(281) })],
		[['Invoice Number', '30', '31'], additional({ invoiceNumber: '1'.repeat(31) })],
		[['Discount Percentage', '0 to 100', '101'], additional({ discountPercentage: 101 })],
		[['Discount Percentage', '0 to 100', '-1'], additional({ discountPercentage: '={{ -1 }}' })],
		[['Discount Percentage', 'whole number'], additional({ discountPercentage: 0.5 })],
		[['Custom Fields', 'at most 5', '6'], additional({ customFields: { field: [...'abcdef'].map((name) => ({ name })) } })],
		[['Custom Fields, line 1', 'must be text'], additional({ customFields: { field: [{ name: '={{ {a: 1} }}' }] } })],
		[['Success URL', 'https://'], additional({ successUrl: 'shop' })],
		[['Start Date', 'day of the calendar'], additional({ startsAt: '2026-04-31' })],
		[['Allow Service Fee', 'true or false'], additional({ allowServiceFee: '={{ "perhaps" }}' })],
		// The largest delay of a timer.
		[['Timeout', '2147483647'], { requestOptions: { timeout: 3_000_000_000 } }],
	])('%j for an invoice', async (words, change) => {
		const { error, items } = await run(service.invoice(change));
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.message).not.toContain('[item');
		expect(error?.description).toContain('Nothing was sent');
		expect([items, service.requests]).toEqual([[], []]);
	}); // prettier-ignore

	test.each<[string[], string, object]>([
		[['Payment Link ID', 'UUID'], 'paymentLink/get', { linkId: '../members' }],
		[['Team Member', 'UUID'], 'member/get', { memberId: locator('id', '=..') }],
		[['Limit', '1 or more'], 'charge/getAll', { limit: '={{ 0 }}' }],
		[['Limit', 'whole number'], 'member/getAll', { limit: '={{ "all" }}' }],
		[['Type', 'charge, checkout, creditpayment, invoice, link'], 'charge/getAll', { filters: { type: '={{ "refund" }}' } }],
		[['Start Page', '1 or more'], 'invoice/getAll', { options: { startPage: 0 } }],
		...[0, 51, 2.5].map((maxRequestsInFlight): [string[], string, object] => [
			['Max Requests in Flight must be', String(maxRequestsInFlight)],
			'charge/getAll',
			{ options: { maxRequestsInFlight } },
		]),
		[['First Name must have at least 2'], 'member/create', { firstName: '=A' }],
		[['First Name can have at most 50'], 'member/create', { firstName: 'x'.repeat(51) }],
		[['Last Name is empty'], 'member/create', { lastName: '=' }],
		[['Email must be an email'], 'member/create', { email: '=nobody' }],
		[['Job Title can have at most 50'], 'member/create', { jobTitle: 'x'.repeat(51) }],
		[['Role must be one of admin, manager, staff'], 'member/create', { role: '={{ "owner" }}' }],
	])('%j for %s', async (words, key, change) => {
		const [resource, operation] = key.split('/');
		const { error } = await run({
			resource,
			operation,
			...(key === 'member/create' && newMember),
			...change,
		});
		for (const word of words) expect(error?.message).toContain(word);
		expect(service.requests).toEqual([]);
	}); // prettier-ignore
});

describe('one bad item among good ones', () => {
	const good = { amount: '5', percent: 5 };
	const notMoney = { amount: 'x', percent: 5 };
	const items = [good, good, { amount: '5.00001', percent: 101 }, good, notMoney];
	const parameters = () =>
		service.invoice({
			...line({ amount: '={{ $json.amount }}' }),
			...additional({ discountPercentage: '={{ $json.percent }}' }),
		}) as INodeParameters;

	test('[O5] sends nothing, and reports all problems of all items in one error', async () => {
		const { error } = await run(parameters(), { items });
		expect(service.requests).toEqual([]);
		expect(error?.message).toMatch(
			/at most 3 decimals.*; Discount Percentage.*\[item 3\] \(and 1 more in other items\)/,
		);
		expect(error?.context.itemIndex).toBe(2);
		expect(error?.description).toMatch(/• Items, line 1: amount must .* \[item 5\]$/);
		expect(error?.description).not.toContain('[item 3]');
	});

	test('counts two hundred bad items, and lists six', async () => {
		const { error } = await run(parameters(), { items: Array(200).fill(notMoney) });
		expect(error?.message).toContain('and 199 more in other items');
		expect(error?.description?.split('<br>')).toHaveLength(7);
	});

	test.each(continueModes)('[O6] creates the others with %s', async (onError) => {
		const result = await run(parameters(), { items, node: { onError } });
		expect(service.created).toHaveLength(3);
		const isApart = onError === 'continueErrorOutput';
		const placesOf = (some: typeof result.items) =>
			some.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(placesOf(result.items)).toEqual(isApart ? [0, 1, 3] : [0, 1, 2, 3, 4]);
		expect(placesOf(result.errorItems)).toEqual(isApart ? [2, 4] : []);
		const failed = (isApart ? result.errorItems : result.items).filter(
			({ json: one }) => one.error,
		);
		expect(placesOf(failed)).toEqual([2, 4]);
		expect(failed[0].json).toMatchObject({
			amount: '5.00001',
			error: expect.stringMatching(/at most 3 decimals.*101/) as string,
		});
	});

	test.each<[string, object[]]>([
		['$json.due.toISODate()', [{ due: 1 }, {}]],
		['$json.bad ? $("Nowhere").item.json.x : "2026-12-31"', [{}, {}, { bad: true }, {}]],
	])('sends nothing if the expression of one item fails: %s', async (due, all) => {
		const { error } = await run(service.invoice({ dueDate: `={{ ${due} }}` }), {
			items: all as Array<Record<string, never>>,
		});
		expect(error).toBeDefined();
		await pause(100);
		expect(service.requests).toEqual([]);
	});

	test('checks all items before the first batch of n8n', async () => {
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 50 } } };
		const { error } = await run({ ...parameters(), requestOptions }, { items });
		expect(error?.message).toContain('[item 3]');
		expect(error?.description).toContain('Nothing was sent.');
		expect(service.requests).toEqual([]);
	});
});
