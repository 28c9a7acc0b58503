/** Create From Rows: what it reads, stops and creates. */

import type { IDataObject, INode } from 'n8n-workflow';
import { nodeProcess } from '../../tools/node';
import { passTime } from '../helpers/n8n/clock';
import { callAsTools, executeItems } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	oneAtATime,
	outcomes,
	textOf,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { fromRowsParameters, mapping, preview, reading } from '../helpers/sheets/fromRows';
import { testAtNight } from '../helpers/someOf';

const { service, posts, fault, row, unread, fromRows, confirmRows } = useNode();

const customer = () => service.world.account.customers[0].id;
const requested = () => service.created.map(({ request }) => request);
const numbers = () => requested().map(({ invoice_number: number }) => number);
const shown = (json: IDataObject[]) =>
	json.map(({ outcome, rows }) => `${outcome as string}: ${rows as string}`);
const errorOf = async (...args: Parameters<typeof unread>) => textOf(await unread(...args));

/** A row with a line total instead of a price. */
const lineRow = (number: unknown, change: object = {}) =>
	row(number, { 'Unit Price': undefined, Amount: '19.99', ...change });
const rowsOf = (count: number, change: (index: number) => object = () => ({})) =>
	Array.from({ length: count }, (_, index) => lineRow(`A-${index}`, change(index)));

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
		await confirmRows({}, [
			lineRow('A-1', {
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

	test('manual mapping takes columns, fixed values and expressions, and the reading the rest', async () => {
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
		const { json } = await fromRows({ ...columns, ...reading('not billed: no, what') }, items);
		expect(shown(json)).toEqual(['created: 2', 'created: 3']);
		const second = requested().find(({ invoice_number: number }) => number === 'R-2');
		expect(second).toMatchObject({
			currency: 'SEK',
			due_date: '2027-01-02',
			items: [{ name: 'CHAIR', amount: '2.5', quantity: 1 }],
		});
		expect(second?.title).toBeUndefined();
	});

	test('items without a cell make invoices if all values are mapped', async () => {
		const each = { itemAmount: '={{ $itemIndex + 1.5 }}', invoiceNumber: '=S-{{ $itemIndex }}' };
		const { json, error } = await fromRows(mapped(each), [{}, {}]);
		expect(error?.message).toBeUndefined();
		expect(shown(json)).toEqual(['created: 2', 'created: 3']);
		expect(requested()).toHaveLength(2);
	});

	test('a mapped column that the sheet does not have stops the run', async () => {
		const misspelt = mapped({ itemQuantity: '={{ $json.Quantiy }}' });
		const said = 'missing column: Quantiy, which fills Quantity';
		expect((await fromRows(preview(misspelt), [{ number: 'A' }])).hints.join()).toContain(said);
		expect((await fromRows(misspelt, [{ number: 'A' }])).error?.message).toContain(said);
		expect(service.created).toEqual([]);
	});

	test.each([
		['the first', 'A', '2'],
		['another', 'B', '3'],
	])('an expression that fails in %s row stops the run', async (_which, failing, rows) => {
		const columns = mapped({
			itemName: `={{ $json.number === "${failing}" ? $("Nowhere").item.json.x : "Fee" }}`,
		});
		const items = ['A', 'B', 'C'].map((number) => ({ number }));
		const { error } = await fromRows(columns, items);
		expect(error?.message).toContain(`Row ${rows}: Item Name cannot be read: Referenced node`);
		expect(posts()).toEqual([]);
		const { json, errorItems } = await fromRows(columns, items, { onError: 'continueErrorOutput' });
		expect(json).toHaveLength(2);
		expect(errorItems.map((item) => item.json)).toMatchObject([
			{ number: failing, details: { rows } },
		]);
	});

	test('[R1] several items side by side in a row are one invoice, with the cells of a failed row', async () => {
		const two = { 'Item 1': 'Design', 'Price 1': 40, 'Item 2': 'Travel', 'Price 2': 15.5 };
		const sheet = [{}, { 'Price 2': 'x' }].map((change, at) =>
			lineRow(`A-${at}`, { Item: undefined, Amount: undefined, ...two, ...change }),
		);
		const { items, json, text } = await confirmRows({}, sheet, continues);
		expect(outcomes(json)).toEqual(['created', 'failed']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(requested()[0].items).toMatchObject([{ name: 'Design' }, { name: 'Travel' }]);
		expect(json[1].input).toMatchObject([{ 'Item 2': 'Travel', 'Price 2': 'x' }]);
		expect(text).toContain('items side by side');
	});

	describe('of an AI agent', () => {
		const node = { type: 'n8n-nodes-invoicing-payments.invoicingPaymentsTool' };
		const call = async (change: object) => {
			const { credential } = service;
			const parameters = fromRowsParameters(change);
			const [answer] = await callAsTools([{ credential, parameters, node }]);
			return answer;
		};

		test('are previewed with all items and notes, because an agent reads no table', async () => {
			const rows = [
				{ ...lineRow('A'), 'Customer ID': 'nobody@x.example' },
				{ ...lineRow('A'), 'Customer ID': 'nobody@x.example', Item: 'Travel' },
			];
			const answer = await call({ previewOnly: true, rows: JSON.stringify(rows) });
			expect(answer).toMatchObject([{ items: '1 × Consulting at 19.99; 1 × Travel at 19.99' }]);
			expect(JSON.stringify(answer)).toContain('Correct the cell');
		});

		test('are the values that it gives for each field', async () => {
			const columns = mapped({
				dueDate: '={{ "2027-01-" + "15" }}',
				invoiceNumber: '={{ "T-" + 1 }}',
			});
			expect(await call(columns)).toMatchObject([
				{ outcome: 'created', invoice_number: 'T-1', rows: '2' },
			]);
		});

		test('are its rows, whose further columns stop the call with the reading that they need', async () => {
			const rows = JSON.stringify([lineRow('A', { Room: 7 })]);
			const error = (await call({ rows })) as Error;
			expect(error.message).toContain('Nobody has confirmed how this sheet is read');
			const [text] = /Customer = .*; as in preview \w+/.exec(error.message) ?? [];
			expect(await call({ rows, ...reading(String(text)) })).toMatchObject([
				{ outcome: 'created', invoice_number: 'A' },
			]);
		});
	});

	test('defaults fill empty cells and missing columns', async () => {
		const timezone = 'Pacific/Kiritimati';
		const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date());
		const due = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10);
		const none = { 'Due Date': undefined, Item: undefined, Amount: undefined };
		const defaults = { currency: 'chf', dueInDays: 14, itemName: 'Fee', itemAmount: '25.00' };
		await fromRows({ defaults }, [lineRow('A', { Currency: '', ...none })], {}, { timezone });
		expect(requested()).toMatchObject([
			{ currency: 'CHF', due_date: due, items: [{ name: 'Fee', amount: '25.00', quantity: 1 }] },
		]);
	});
});

test('rows with the same number are the items of one invoice', async () => {
	const { items, json } = await fromRows({}, [
		lineRow('A', { Title: 'One' }),
		lineRow('B', { Amount: 5, 'Customer ID': customer().toUpperCase() }),
		lineRow('A', { Title: '', Currency: 'eur', 'Due Date': 46402, Item: 'Travel', Amount: 7.5 }),
		lineRow('B', { Amount: 6, Item: 'Travel' }),
	]);
	expect(shown(json)).toEqual(['created: 2, 4', 'created: 3, 5']);
	expect(requested().find(({ invoice_number: number }) => number === 'A')).toMatchObject({
		title: 'One',
		items: [
			{ name: 'Consulting', amount: '19.99' },
			{ name: 'Travel', amount: '7.5' },
		],
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		[{ item: 0 }, { item: 2 }],
		[{ item: 1 }, { item: 3 }],
	]);
	expect(json[0]).toMatchObject({ invoice_number: 'A', amount: '27.49' });
});

describe('checks', () => {
	test('[R1] list every bad cell before anything is sent', async () => {
		const items = rowsOf(60, (index) => ({ Amount: `${index} pieces` }));
		const { error } = await fromRows({}, [...items, lineRow('B')]);
		expect(error?.message).toContain(
			'60 cells in 60 rows need a correction: Row 2, column "Amount": Line Total must be an amount, got "0 pieces"',
		);
		expect(error?.message).toContain('(and 59 more below)');
		expect(error?.description).toContain('Row 7, column "Amount"');
		expect(error?.description).toContain(
			"… and 54 more<br>To see all, execute with 'Preview Only'.",
		);
		expect(posts()).toEqual([]);
	});

	test('a preview sends nothing and gives exact totals', async () => {
		const { json } = await fromRows(preview(), [
			lineRow('A', { Price: '1,234.5', Quantity: 3, 'Discount %': '15%', Amount: '' }),
			lineRow('A', { Price: '0.005', Quantity: 1, 'Discount %': 15, Amount: '' }),
		]);
		expect(json).toEqual([
			{
				action: 'create',
				invoice_number: 'A',
				rows: '2, 3',
				customer: { id: customer(), name: service.world.account.customers[0].name },
				currency: 'EUR',
				due_date: '2027-01-15',
				not_on_invoice: '',
				discount_percentage: 15,
				items: [
					{ name: 'Consulting', amount: '1234.5', quantity: 3 },
					{ name: 'Consulting', amount: '0.005', quantity: 1 },
				],
				subtotal: '3703.505',
				discount: '555.52575',
				total: '3147.97925',
				reading: expect.stringContaining('Unit Price = Price (') as string,
				warnings: 'items repeat: row 3 bills what a row above bills to the same customer',
				plan: expect.objectContaining({
					summary: '1 invoice to create for EUR 3,147.97925',
				}) as object,
			},
		]);
		expect(posts()).toEqual([]);
	});
});

describe('runs that fail', () => {
	test('are finished by the next run', async () => {
		const items = rowsOf(40);
		fault({ kind: 'status', status: 422, message: 'No credit' }, { contains: '"A-17"' });
		const { error } = await fromRows({}, items);
		expect(error?.message).toContain('No credit [invoice A-17, row 19]');
		expect(error?.message).toMatch(/\(\d+ other invoices were done, \d+ were not sent\)/);
		expect(error?.description).toMatch(/• invoice A-0, row 2: [0-9a-f-]{36}/);
		expect(error?.description).toMatch(
			/Not sent: \d+ invoices, the first of them invoice A-\d\d, row \d\d\./,
		);
		const before = service.created.length;
		expect(before).toBeLessThan(25);
		const { json } = await fromRows({}, items);
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
		const lost = await fromRows({ options }, items, node);
		// An invoice that may have been created is not sent again, not even by another try.
		expect(lost.error?.message).toContain('may still have been created');
		expect(numbers()).toEqual(['A-0', 'A-1', 'A-2', 'A-3', 'A-4']);
		// Nor by another execution, until the service has had time to finish it.
		const again = await fromRows({ options }, items, node);
		expect(again.error?.message).toContain('"A-5" (sent at 2');
		passTime(10 * 60_000);
		const { json } = await fromRows({ options }, items, node);
		expect(json).toHaveLength(10);
		expect(numbers().sort()).toEqual(items.map((one) => one['Invoice Number']));
	});

	test.each(continueModes)('keep their rows with %s', async (onError) => {
		fault({ kind: 'status', status: 422 }, { contains: '"B"' });
		const marked = [lineRow('B', { Mark: 'x' }), lineRow('B', { Mark: 'y' })];
		const sheet = [lineRow('A'), ...marked, lineRow('C', { Amount: 'x' }), lineRow('D')];
		const seen = reading(
			'Invoice Number = Invoice Number; Customer = Customer ID; Currency = Currency; Due Date = Due Date; Item Name = Item; Line Total = Amount; not billed: Mark; items repeat',
		);
		const { items, errorItems } = await fromRows(seen, sheet, { onError });
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
			expect.stringContaining('Row 5, column "Amount": Line Total must be'),
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 1 }, { item: 2 }],
			{ item: 3 },
		]);
	});

	test('give the error output one error per failed invoice, which copies of the item do not have', async () => {
		const failedItem = async (onError: INode['onError']) => {
			const items = [lineRow('A'), lineRow('B', { Amount: 'x' })];
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
		const { error } = await fromRows({}, items, {}, { cancelWhen });
		expect(error?.message).toMatch(/cancelled.*\d+ invoices were done/);
		// Requests that were on their way are uncertain for ten minutes.
		passTime(11 * 60_000);
		const { json } = await fromRows({}, items);
		expect(json).toHaveLength(50);
		expect(new Set(numbers()).size).toBe(service.created.length);
	});
});

describe('names a mistake of the node before', () => {
	const tabbed = [{ 'Customer\tItem\tPrice': 'ACME\tWork\t5' }];
	test.each<[string, string, IDataObject[]]>([
		['nothing is connected', 'No rows arrived\nNothing was sent.<br>Put Extract from File or Google Sheets before', [{}]],
		['semicolons separate the columns', "Several columns arrived as one: set 'Delimiter' to ;", [{ 'Customer;Item;Price': 'ACME;Work;5' }]],
		['tabs separate the columns', "set 'Delimiter' to \\t (a tab)", tabbed],
	])('if %s', async (_what, said, items) => {
		expect(await errorOf(preview(), items)).toContain(said);
		expect(await errorOf({}, items)).toContain(said);
	}); // prettier-ignore
});

test('a field that contains the name of a column stops the node', async () => {
	const columns = mapping({ currency: 'Währung', itemName: ' item ' });
	const text = await errorOf(columns, [row('A', { Währung: 'EUR' })]);
	expect(text).toContain(
		'Currency contains the text "Währung", which is the name of a column. Drag the column',
	);
	expect(text).toContain('Item Name contains the text " item "');
});

test('a sheet without amounts or customers bills nothing, and says so', async () => {
	expect(await errorOf({}, [{ 'Invoices of May': 'Client', __EMPTY: 'Item' }])).toContain(
		'No row has anything to bill',
	);
});

describe('stops a run, until somebody has seen', () => {
	const withTax = (number: string) => row(number, { Room: 'R1', 'Invoice Total': '120.00' });
	const merged = () => [
		row('A'),
		row('', { Item: 'Travel', 'Customer ID': '', 'Due Date': '', Currency: '' }),
		row('B'),
	];
	const unnumbered = (items: IDataObject[]) =>
		items.map((one) => ({ ...one, 'Invoice Number': '' }));
	const marked = () =>
		['yes', 'no', 'yes', 'No'].map((Billable, at) => row(`A${at}`, { Billable }));
	const total = { 'Invoice Number': '', Item: 'Total', 'Unit Price': '200.00' };
	const dates = () => ['1/2/2027', '3/4/2027'].map((due, at) => row(`A${at}`, { 'Due Date': due }));

	test.each<[string, () => IDataObject[], said: string[], billed: Array<[rows: string, total: string]>]>([
		['a total with a tax that no column states', () => [withTax('A'), withTax('B')], ['Look at: Invoice Total is 20% more than the items in rows 2 and 3, as with a tax. That is not billed', 'Not on the invoices: Room.'], [['2', '100.00'], ['3', '100.00']]],
		['merged cells that are filled', merged, ['cells filled from above'], [['2, 3', '200.00'], ['4', '100.00']]],
		['merged cells without invoice numbers', () => unnumbered(merged()), ['one invoice per customer (otherwise 3 invoices); cells filled from above', 'Look at: rows 2 and 4 are the same in every cell'], [['2, 3, 4', '300.00']]],
		['a total row that is left out', () => [row('A'), row('B'), total], ['rows left out: totals.', 'Left out: row 4, Total, 200.00.'], [['2', '100.00'], ['3', '100.00']]],
		['rows that a column marks as not billable', marked, ['Billable: bill yes; leave out no, No', 'Left out: row 3 (Billable: no); row 5 (Billable: No).'], [['2', '100.00'], ['4', '100.00']]],
		['dates whose day may be the month', dates, ['Due Date (day/month/year).'], [['2', '100.00'], ['3', '100.00']]],
		['amounts whose point may separate thousands', () => ['1.234', '2.345', '3.456'].map((price, at) => row(`A${at}`, { 'Unit Price': price })), ['Unit Price (1.234,50).'], [['2', '1234.00'], ['3', '2345.00'], ['4', '3456.00']]],
		['rows whose code may say which of them are one invoice', () => ['B-1', 'B-1', 'B-2'].map((code, at) => row(undefined, { 'Beleg Code': code, Item: `I${at}` })), ['Guesses: one invoice per Beleg Code'], [['2, 3', '200.00'], ['4', '100.00']]],
		['rows of one customer that become one invoice', () => unnumbered([row(), row(undefined, { Item: 'Travel' })]), ['one invoice per customer (otherwise 2 invoices)'], [['2, 3', '200.00']]],
	])('%s', async (_what, items, said, billed) => {
		const { seen, text, json, error } = await confirmRows({}, items());
		const box = seen.hints.join('\n');
		for (const words of said) expect(box).toContain(words);
		expect(seen.json.map(({ rows, total: sum }) => [rows, sum])).toEqual(billed);
		expect(error).toBeUndefined();
		expect(json.map(({ rows, amount }) => [rows, amount])).toEqual(billed);
		service.world.reset();
		const unseen = await errorOf({}, items());
		expect(unseen).toContain('Nobody has confirmed how this sheet is read');
		for (const words of said) if (!words.startsWith('Not on')) expect(unseen).toContain(words);
		expect(unseen).toContain(text);
		expect(posts()).toEqual([]);
	}); // prettier-ignore

	test('what was seen is settled for these rows only', async () => {
		const { text } = await confirmRows({}, [withTax('A')]);
		const { error } = await fromRows(reading(text), [withTax('B')]);
		expect(error?.message).toContain(
			'Look at the sheet before it is billed: Invoice Total says 120.00 in row 2',
		);
		const settled = text.replace(/seen: .*/, 'unchecked: sums');
		expect((await fromRows(reading(settled), [withTax('B')])).error).toBeUndefined();
	});
});

describe('rows are counted from row 2', () => {
	test.each([
		['below the headers', {}, 'Row 2'],
		['unless the reader of the sheet has counted them', { row_number: 7 }, 'Row 7'],
	])('%s', async (_what, cells, said) => {
		const items = [row('A', { Currency: '', ...cells }), row('B', { Item: '', ...cells })];
		expect(textOf(await fromRows({}, items))).toContain(`${said}: Currency is empty`);
	});

	test('and rows with the same mistake are named together', async () => {
		const items = ['A', 'B', 'C'].map((number) => row(number, { Currency: '' }));
		expect(textOf(await fromRows({}, items))).toContain(
			"Rows 2, 3 and 4: Currency is empty. Fill in the cell, or set 'Default Currency'",
		);
	});
});

test('a numbered invoice is not filled from the invoice above', async () => {
	const items = [row('A'), row('B', { 'Due Date': '' })];
	expect(textOf(await fromRows({}, items))).toContain('Row 3: Due Date is empty');
});

describe('headers below a title', () => {
	const headers = ['Invoice No', 'Customer ID', 'Item', 'Price', 'Currency', 'Due Date'];
	const keys = ['Invoices of May', '__EMPTY', '__EMPTY_1', '__EMPTY_2', '__EMPTY_3', '__EMPTY_4'];
	const below = (cells: unknown[]) => Object.fromEntries(keys.map((key, at) => [key, cells[at]])) as IDataObject; // prettier-ignore
	const line = (number: string) => below([number, customer(), 'Work', 5, 'EUR', '2027-01-15']);
	const above = (...cells: unknown[]) => [below(cells), below(headers), line('A')];

	test('are found, and rows keep their numbers and pairs', async () => {
		const { json, items, error } = await fromRows({}, [...above('Example Ltd'), line('B')]);
		expect(error).toBeUndefined();
		expect(json.map(({ invoice_number: number, rows }) => [number, rows]).sort()).toEqual([['A', '4'], ['B', '5']]); // prettier-ignore
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
		const { json: seen } = await fromRows(preview(), above('Example Ltd'));
		expect(seen[0].reading).toContain('headers in row 3; ');
	});

	test('are not searched if the first row has headers', async () => {
		const names = { Item: 'Price', Title: 'Currency', Note: 'Customer ID' };
		const { json } = await fromRows(preview(), [row('A', names), row('B')]);
		expect(json).toHaveLength(2);
	});

	test('leave the columns of the file unchanged in Return Rows', async () => {
		const { json } = await fromRows({ options: { returnRows: true } }, [below(headers), line('A')]);
		expect(json[0]).toMatchObject({ ...below(headers), Problem: '' });
		expect(json[1]).toMatchObject({ ...line('A'), Problem: '' });
		expect(json[1]).not.toHaveProperty('Invoice Number');
	});
});

test.each([
	['terms in words', 'Due Date', ['Net 30', 'Due on receipt'], ['2027-04-04', '2027-03-05']],
	['terms in words or numbers', 'Zahlungsziel', ['30 Tage netto', 14], ['2027-04-04', '2027-03-19']],
	['dates', 'Zahlungsziel', ['04.04.2027', '05.04.2027'], ['2027-04-04', '2027-04-05']],
])('reads %s under "%s", because the cells decide', async (_, header, cells, due) => {
	const items = cells.map((cell, at) => row(`A${at}`, { 'Due Date': undefined, 'Invoice Date': '2027-03-05', [header]: cell }));
	const { json } = await fromRows(preview(), items);
	expect(json.map((one) => one.due_date)).toEqual(due);
}); // prettier-ignore

testAtNight('10,000 rows take time in proportion', async () => {
	const measure = async (count: number) => {
		service.world.reset();
		const items = Array.from({ length: count }, (_, index) => lineRow(`A-${index >> 1}`));
		const begin = nodeProcess.cpuUsage();
		const { json } = await fromRows(preview(), items);
		expect(json).toHaveLength(count / 2);
		return nodeProcess.cpuUsage(begin).user / 1000;
	};
	await measure(1000);
	const small = await measure(2500);
	// A quadratic step would make it sixteen times as long.
	expect(await measure(10_000)).toBeLessThan(10 * Math.max(small, 50));
});
