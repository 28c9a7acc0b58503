import type { IDataObject, INode } from 'n8n-workflow';
import { nodeProcess } from '../../tools/node';
import { callAsTools, executeItems } from '../helpers/engine';
import { passTime } from '../helpers/clock';
import { continueModes, continues, oneAtATime, outcomes, useNode } from '../helpers/nodeRuns';
import { fromRowsParameters, mapping, preview } from '../helpers/fromRows';
import { testAtNight } from '../helpers/someOf';

const { service, posts, fault, row: plainRow, fromRows: run } = useNode();

const customer = () => service.world.account.customers[0].id;
const row = (number: unknown, change: object = {}) =>
	plainRow(number, { 'Unit Price': undefined, Amount: '19.99', ...change });
const requested = () => service.created.map(({ request }) => request);
const numbers = () => requested().map(({ invoice_number: number }) => number);
const shown = (json: IDataObject[]) =>
	json.map(({ outcome, rows }) => `${outcome as string}: ${rows as string}`);
const rowsOf = (count: number, change: (index: number) => object = () => ({})) =>
	Array.from({ length: count }, (_, index) => row(`A-${index}`, change(index)));
/** Manual mapping of the required columns. */
const mapped = (change: object = {}) =>
	mapping({
		customerId: customer(),
		currency: 'EUR',
		dueDate: '2027-01-15',
		invoiceNumber: '={{ $json.number }}',
		itemName: 'Fee',
		itemAmount: 5,
		...change,
	});

describe('columns', () => {
	test('every field is found by its header', async () => {
		await run({}, [
			row('A-1', {
				Amount: '39.98',
				'Unit Price': '19.99',
				Quantity: '2',
				Title: 'Services',
				Note: 'Thank you',
				'Discount Percentage': 10,
				invoice_start_date: 46387,
				success_url: 'https://shop.example/thanks',
				FailureURL: 'https://shop.example/failed',
				'Shipping Address Required': 'yes',
				allow_installment_a: 'no',
				'Allow Installments B': false,
				allowServiceFee: 0,
				'Custom Fields': 'Purchase Order; Cost centre',
			}),
		]);
		expect(requested()).toEqual([
			{
				invoice_number: 'A-1',
				customer: customer(),
				currency: 'EUR',
				due_date: '2027-01-15',
				items: [{ name: 'Consulting', amount: '19.99', quantity: 2 }],
				title: 'Services',
				note: 'Thank you',
				discount_percentage: 10,
				starts_at: '2026-12-31',
				success_url: 'https://shop.example/thanks',
				failure_url: 'https://shop.example/failed',
				shipping_address_required: true,
				allow_installment_a: false,
				allow_installment_b: false,
				allow_service_fee: false,
				custom_fields: [{ name: 'Purchase Order' }, { name: 'Cost centre' }],
			},
		]);
	});

	test('manual mapping takes columns, fixed values and expressions', async () => {
		const columns = mapped({
			currency: 'SEK',
			dueDate: '={{ $json["When it is due"] }}',
			invoiceNumber: '=R-{{ $json.no }}',
			itemName: '={{ $json.what.toUpperCase() }}',
			itemAmount: "={{ $json['price'] }}",
			itemQuantity: null,
			title: '',
		});
		const items = [1, 2].map((no) => ({
			no,
			what: 'chair',
			price: no + 0.5,
			'When it is due': 46387 + no,
		}));
		const { json } = await run(columns, items);
		expect(shown(json)).toEqual(['created: 2', 'created: 3']);
		expect(requested()[1]).toMatchObject({
			invoice_number: 'R-2',
			currency: 'SEK',
			due_date: '2027-01-02',
			items: [{ name: 'CHAIR', amount: '2.5', quantity: 1 }],
		});
		expect(requested()[1].title).toBeUndefined();
	});

	test('missing columns are named once, with the existing ones', async () => {
		const items = [{ Foo: 'a' }, { Bar: 'b' }];
		const { error } = await run({}, items);
		expect(error?.message).toBe(
			'5 needed columns were not found: Customer, Currency, Due Date, Item Name, Unit Price',
		);
		for (const words of [
			'Nothing was sent.',
			'• Customer: rename a column to Customer (or Customer ID, Customer Name, Client), or set',
			'The columns are "Foo", "Bar"',
		])
			expect(error?.description).toContain(words);
		expect(service.requests).toEqual([]);
		const { json } = await run({}, items, continues);
		expect(json).toMatchObject([
			{ outcome: 'failed', rows: '2, 3', input: [{ Foo: 'a' }, { Bar: 'b' }] },
		]);
	});

	test('hints name unused columns, and mapped columns that do not exist', async () => {
		const colour = row('A', { Colour: 'red', row_number: 2 });
		expect((await run({}, [colour, { row_number: 3, Item: ' ' }, {}])).hints).toEqual([
			'1 invoice for 1 row: EUR 19.99 (1 created).',
			'Columns not used because they match no field: "Colour".',
			'Empty rows skipped: 2.',
		]);
		const misspelt = mapped({ itemQuantity: '={{ $json.Quantiy }}' });
		expect((await run(misspelt, [{ number: 'A' }])).hints).toEqual([
			'Mapped columns that no row has: "Quantiy".',
			expect.stringContaining(
				'Existing invoices that differ from the request (see "differences" in the output): invoice A, row 2 (items: 19.99 x 1 in the service, 5.00 x 1 here; amount: 19.99 in the service, 5.00 here).',
			),
			'1 invoice for 1 row: EUR 19.99 (1 existed already, none created).',
		]);
		const { json } = await run(mapped({ invoiceNumber: 'B' }), [{}]);
		expect(json).toMatchObject([{ outcome: 'created' }]);
	});

	test('an expression that fails in one row stops the run', async () => {
		const columns = mapped({
			itemName: '={{ $json.number === "B" ? $("Nowhere").item.json.x : "Fee" }}',
		});
		const items = ['A', 'B', 'C'].map((number) => ({ number }));
		const { error } = await run(columns, items);
		expect(error?.message).toContain('Row 3: Item Name cannot be read: Referenced node');
		expect(service.requests).toEqual([]);
		const { json, errorItems } = await run(columns, items, {
			onError: 'continueErrorOutput',
		});
		expect(json).toHaveLength(2);
		expect(errorItems.map((item) => item.json)).toMatchObject([
			{ number: 'B', details: { rows: '3' } },
		]);
	});

	test('[S1] several items side by side in a row are one invoice, with the cells of a failed row', async () => {
		const two = { 'Item 1': 'Design', 'Price 1': 40, 'Item 2': 'Travel', 'Price 2': 15.5 };
		const sheet = [{}, { 'Price 2': 'x' }].map((change, at) =>
			row(`A-${at}`, { Item: undefined, Amount: undefined, ...two, ...change }),
		);
		const { items, json, hints } = await run({}, sheet, continues);
		expect(outcomes(json)).toEqual(['created', 'failed']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(requested()[0].items).toMatchObject([{ name: 'Design' }, { name: 'Travel' }]);
		expect(json[1].input).toMatchObject([{ 'Item 2': 'Travel', 'Price 2': 'x' }]);
		expect(hints.join()).toContain('Up to 2 items stand side by side in a row.');
	});

	test('an agent gives the values itself', async () => {
		const columns = mapped({
			dueDate: '={{ "2027-01-" + "15" }}',
			invoiceNumber: '={{ "T-" + 1 }}',
		});
		const { credential } = service;
		const [answer] = await callAsTools([{ credential, parameters: fromRowsParameters(columns) }]);
		expect(answer).toMatchObject([{ outcome: 'created', invoice_number: 'T-1', rows: '2' }]);
	});

	test('defaults fill empty cells and missing columns', async () => {
		const timezone = 'Pacific/Kiritimati';
		const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date());
		const due = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10);
		const cells = { 'Due Date': undefined };
		const items = [row('A', { Currency: '', ...cells }), row('B', { Currency: 'SEK', ...cells })];
		await run({ defaults: { currency: 'chf', dueInDays: 14 } }, items, {}, { timezone });
		expect(requested()).toMatchObject([
			{ currency: 'CHF', due_date: due },
			{ currency: 'SEK', due_date: due },
		]);
	});
});

describe('groups', () => {
	test('rows with the same number are the items of one invoice', async () => {
		const { items, json } = await run({}, [
			row('A', { Title: 'One' }),
			row('B', { Amount: 5, 'Customer ID': customer().toUpperCase() }),
			row('A', { Title: '', Currency: 'eur', 'Due Date': 46402, Item: 'Travel', Amount: 7.5 }),
			row('B', { Amount: 5 }),
		]);
		expect(requested()[0]).toMatchObject({
			title: 'One',
			items: [
				{ name: 'Consulting', amount: '19.99' },
				{ name: 'Travel', amount: '7.5' },
			],
		});
		expect(shown(json)).toEqual(['created: 2, 4', 'created: 3, 5']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }, { item: 3 }],
		]);
		expect(json[0]).toMatchObject({ invoice_number: 'A', amount: '27.49' });
	});

	test('can use another column, or none', async () => {
		const orders = [row('A', { Order: 7 }), row('', { Order: '7' }), row('B', { Order: 8 })];
		await run({ groupBy: 'column', groupColumn: 'order' }, orders);
		expect(requested().map(({ items }) => items.length)).toEqual([2, 1]);
		const one = await run({ groupBy: 'row', ifInvoiceNumberExists: 'create' }, [row(''), row('')]);
		expect(one.json).toHaveLength(2);
	});
});

describe('checks', () => {
	test('[R1] list every bad cell before anything is sent', async () => {
		const items = rowsOf(60, (index) => ({ Amount: `${index} pieces` }));
		const { error } = await run({}, [...items, row('B')]);
		expect(error?.message).toContain(
			'60 cells in 60 rows need a correction: Row 2, column "Amount": Amount must be an amount, got "0 pieces". "pieces" is not a currency',
		);
		expect(error?.message).toContain('(and 59 more below)');
		expect(error?.description).toContain('Row 51, column "Amount"');
		expect(error?.description).toContain('… and 10 more');
		expect(service.requests).toEqual([]);
	});

	test('a preview sends nothing and gives exact totals', async () => {
		const { json } = await run(preview(), [
			row('A', { Price: '1,234.5', Quantity: 3, 'Discount %': '15%', Amount: '' }),
			row('A', { Price: '0.005', Quantity: 1, 'Discount %': 15, Amount: '' }),
		]);
		expect(json).toEqual([
			{
				action: 'create',
				invoice_number: 'A',
				rows: '2, 3',
				customer: { id: customer() },
				currency: 'EUR',
				due_date: '2027-01-15',
				discount_percentage: 15,
				items: [
					{ name: 'Consulting', amount: '1234.5', quantity: 3 },
					{ name: 'Consulting', amount: '0.005', quantity: 1 },
				],
				subtotal: '3703.505',
				discount: '555.52575',
				total: '3147.97925',
				columns: expect.objectContaining({ 'Unit Price': 'Price' }),
				plan: expect.objectContaining({ summary: '1 invoice to create for EUR 3,147.97925' }),
			},
		]);
		expect(posts()).toEqual([]);
	});
});

describe('runs that fail', () => {
	test('are finished by the next run', async () => {
		const items = rowsOf(40);
		fault({ kind: 'status', status: 422, message: 'No credit' }, { contains: '"A-17"' });
		const { error } = await run({}, items);
		expect(error?.message).toContain('No credit [invoice A-17, row 19]');
		expect(error?.message).toMatch(/\(\d+ other invoices were done, \d+ were not sent\)/);
		expect(error?.description).toMatch(/• invoice A-0, row 2: [0-9a-f-]{36}/);
		expect(error?.description).toMatch(
			/Not sent: \d+ invoices, the first of them invoice A-\d\d, row \d\d\./,
		);
		const before = service.created.length;
		expect(before).toBeLessThan(25);
		const { json } = await run({}, items);
		const found = outcomes(json).filter((outcome) => outcome === 'found');
		expect([json.length, found.length, service.created.length]).toEqual([40, before, 40]);
		expect(new Set(numbers()).size).toBe(40);
	});

	test('create each invoice once with Retry On Fail', async () => {
		const items = rowsOf(10);
		fault({ kind: 'reset', work: 'none' }, { contains: '"A-5"' });
		fault({ kind: 'status', status: 422 }, { contains: '"A-7"' });
		const options = { ...oneAtATime.options, maxWait: 1 };
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const lost = await run({ options }, items, node);
		// An invoice that may have been created is not sent again, not even by another try.
		expect(lost.error?.message).toContain('may still have been created');
		expect(numbers()).toEqual(['A-0', 'A-1', 'A-2', 'A-3', 'A-4']);
		// Nor by another execution, until the service has had time to finish it.
		const again = await run({ options }, items, node);
		expect(again.error?.message).toContain('"A-5" (sent at 2');
		passTime(10 * 60_000);
		const { json } = await run({ options }, items, node);
		expect(json).toHaveLength(10);
		expect(numbers().sort()).toEqual(items.map((one) => one['Invoice Number']));
	});

	test.each(continueModes)('keep their rows with %s', async (onError) => {
		fault({ kind: 'status', status: 422 }, { contains: '"B"' });
		const marked = [row('B', { Mark: 'x' }), row('B', { Mark: 'y' })];
		const sheet = [row('A'), ...marked, row('C', { Amount: 'x' }), row('D')];
		const { items, errorItems } = await run({}, sheet, { onError });
		const failed =
			onError === 'continueErrorOutput' ? errorItems : items.filter(({ json }) => json.error);
		expect(numbers()).toEqual(['A', 'D']);
		expect(failed).toHaveLength(2);
		const details = failed.map(({ json }) => (json.details ?? json) as IDataObject);
		expect(details).toMatchObject([
			{
				outcome: 'failed',
				invoice_number: 'B',
				rows: '3, 4',
				input: [{ Mark: 'x' }, { Mark: 'y' }],
			},
			{ outcome: 'failed', invoice_number: 'C', rows: '5', input: [{ Amount: 'x' }] },
		]);
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('[invoice B, rows 3 and 4]'),
			expect.stringContaining('Row 5, column "Amount": Amount must be'),
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 1 }, { item: 2 }],
			{ item: 3 },
		]);
	});

	test('give the error output one error per failed invoice, which copies of the item do not have', async () => {
		const failedItem = async (onError: INode['onError']) => {
			const items = [row('A'), row('B', { Amount: 'x' })];
			const { credential } = service;
			const given = { credential, parameters: fromRowsParameters(), items, node: { onError } };
			const failed = (await executeItems(given)).filter(({ json }) => json.error);
			expect(failed).toHaveLength(1);
			return failed[0];
		};
		const routed = await failedItem('continueErrorOutput');
		expect(routed.error?.message).toBe(routed.json.error);
		expect({ ...routed }).not.toHaveProperty('error');
		// Only these two fields, which newer versions of n8n ask for.
		expect(Object.keys(routed.json)).toEqual(['error', 'details']);
		expect((await failedItem('continueRegularOutput')).error).toBeUndefined();
	});

	test('name in the error of a cancelled run how much was done', async () => {
		service.world.set({ latency: 100 });
		const items = rowsOf(50);
		const cancelWhen = () => service.created.length > 4;
		const { error } = await run({}, items, {}, { cancelWhen });
		expect(error?.message).toMatch(/cancelled.*\d+ invoices were done/);
		// Requests that were on their way are uncertain for ten minutes.
		passTime(11 * 60_000);
		const { json } = await run({}, items);
		expect(json).toHaveLength(50);
		expect(new Set(numbers()).size).toBe(service.created.length);
	});
});

testAtNight('10,000 rows take time in proportion', async () => {
	const measure = async (count: number) => {
		service.world.reset();
		const items = Array.from({ length: count }, (_, index) => row(`A-${index >> 1}`));
		const begin = nodeProcess.cpuUsage();
		const { json } = await run(preview(), items);
		expect(json).toHaveLength(count / 2);
		return nodeProcess.cpuUsage(begin).user / 1000;
	};
	await measure(1000);
	const small = await measure(2500);
	// A quadratic step would make it sixteen times as long.
	expect(await measure(10_000)).toBeLessThan(10 * Math.max(small, 50));
});
