/** Create From Rows: what it reads, stops and creates, and Return Rows. The sheets are small ones, and those of the examples. */

import type { IDataObject, INode } from 'n8n-workflow';
import example from '../../examples/invoices-from-spreadsheet.json';
import { languageSheets } from '../../tools/commands/languageSheets';
import type { Sheet } from '../../tools/commands/makeSpreadsheets';
import {
	csvSample,
	csvTemplate,
	excelSample,
	template,
	writeSheets,
} from '../../tools/commands/makeSpreadsheets';
import { isoDay, keptStart, sampleInvoices } from '../../tools/commands/samples';
import { fs, nodeProcess, os, path, projectFolder } from '../../tools/node';
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
import { fromRowsParameters, mapping, perRow, preview, reading } from '../helpers/sheets/fromRows';
import { itemsOf } from '../helpers/sheets/programSheets';
import { testAtNight } from '../helpers/someOf';

const { service, run, posts, fault, row, unread, fromRows, confirmRows } = useNode();

const customer = () => service.world.account.customers[0].id;
const created = () => service.created.map(({ full }) => full);
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

	test('an expression that fails in one row stops the run', async () => {
		const columns = mapped({
			itemName: '={{ $json.number === "B" ? $("Nowhere").item.json.x : "Fee" }}',
		});
		const items = ['A', 'B', 'C'].map((number) => ({ number }));
		const { error } = await fromRows(columns, items);
		expect(error?.message).toContain('Row 3: Item Name cannot be read: Referenced node');
		expect(posts()).toEqual([]);
		const { json, errorItems } = await fromRows(columns, items, { onError: 'continueErrorOutput' });
		expect(json).toHaveLength(2);
		expect(errorItems.map((item) => item.json)).toMatchObject([
			{ number: 'B', details: { rows: '3' } },
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
			const [text] = /Customer = .*not billed: Room \(number\)/.exec(error.message) ?? [];
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

/** Return Rows gives the sheet back, with the problem or the invoice of each row. The user corrects it and runs it again. */
const unnumbered = (change: object = {}) => row(undefined, change);
const added = ({ Problem, 'Invoice ID': id, 'Invoice Number': number, 'Payment Page': page }: IDataObject) => ({ problem: Problem, id, number, page }); // prettier-ignore
const back = (change: object = {}) => ({ options: { returnRows: true }, ...change });
const problems = (json: IDataObject[]) => json.map(({ Problem }) => Problem);

describe('[S2] the returned rows', () => {
	test('are all input rows, unchanged, in order and paired', async () => {
		const items = [
			row('A', { Qty: 2, row_number: 5 }),
			{ 'Invoice Number': '' },
			row('B'),
			row('A', { Item: 'Travel', row_number: 8 }),
		];
		const { json, items: output, error } = await fromRows(back(), items);
		expect(error).toBeUndefined();
		json.forEach((one, at) => expect(one).toMatchObject(items[at]));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		const of = (number: string) => created().find(({ invoice_number }) => invoice_number === number); // prettier-ignore
		expect(json.map(added)).toEqual([
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
			{ problem: '', id: '', number: '', page: '' },
			{ problem: '', id: of('B')?.id, number: 'B', page: of('B')?.url },
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
		]);
	});

	test('name their own problem, or the row of their invoice that has one', async () => {
		const items = [row('A', { Qty: 'two' }), row('A', { Qty: 1 }), row('B', { Currency: '' })];
		const { json, hints } = await fromRows(back({ previewOnly: true }), items);
		expect(problems(json)).toEqual([
			expect.stringMatching(/^Not created: Row 2, column "Qty": .*"two"/),
			'Not created: Correct row 2 of this invoice first',
			"Not created: Row 4: Currency is empty. Fill in the cell, or set 'Default Currency' under 'Defaults for Empty Cells'",
		]);
		expect(hints.join()).toContain('2 cannot be created');
		expect(posts()).toEqual([]);
	});

	test('go to the error output if they fail', async () => {
		const items = [row('A'), row('B', { Currency: '' })];
		const { json, errorItems } = await fromRows(back(), items, { onError: 'continueErrorOutput' });
		expect(json.map(({ Item, Problem }) => [Item, Problem])).toEqual([['Consulting', '']]);
		expect(errorItems.map((item) => item.json)).toEqual([
			{ ...items[1], Problem: expect.stringContaining('Currency is empty') as string, 'Invoice ID': '', 'Payment Page': '' },
		]); // prettier-ignore
	});

	test('name a problem of the whole sheet', async () => {
		const { json } = await unread(back(), [row('A', { Shipping: '5.00' }), {}], continues);
		expect(problems(json)).toEqual([
			expect.stringMatching(/^Not created: Nobody has confirmed how this sheet is read/),
			'',
		]);
	});

	test('say that an invoice may have been created', async () => {
		fault({ kind: 'status', status: 500 }, { method: 'POST', times: null });
		const options = { returnRows: true, maxWait: 0 };
		const { json } = await fromRows({ options }, [row('A')], continues);
		expect(json[0].Problem).toMatch(/^May have been created: /);
	});

	test('say how an existing invoice differs', async () => {
		await fromRows({}, [row('A'), row('off')]);
		const { id } = created().find((one) => one.invoice_number === 'off') ?? {};
		service.world.account.changeInvoice(String(id), 'cancelled');
		passTime(3_600_000);
		const items = [row('A', { 'Unit Price': '7' }), row('off'), row('new')];
		for (const previewOnly of [true, false]) {
			const { json } = await fromRows(back({ previewOnly }), items);
			expect(problems(json)).toEqual([
				expect.stringMatching(/^Exists, but differs: .*100\.00 in the service, 7\.00 here/),
				expect.stringMatching(/^Exists, but is cancelled: /),
				'',
			]);
			expect(json[0]['Invoice ID']).toBe(created().find((one) => one.invoice_number === 'A')?.id);
			expect(json[2]['Invoice ID'] === '').toBe(previewOnly);
		}
	});
});

describe('[S2] correcting and running again', () => {
	const corrected = (json: IDataObject[]) =>
		json.map((one) => ({ ...one, ...(one.Qty === 'two' && { Qty: '2' }) }));
	/** As an Excel reader returns them: without empty cells. */
	const reread = (json: IDataObject[]) =>
		json.map((one) => Object.fromEntries(Object.entries(one).filter(([, cell]) => cell !== '')));

	test.each(['with numbers', 'without numbers'])('creates every invoice once, %s', async (how) => {
		const has = how === 'with numbers';
		const one = (number: string, change: object = {}) =>
			has ? row(number, change) : unnumbered(change);
		const items = [
			one('A', { Qty: '1' }),
			one('B', { Qty: 'two', 'Unit Price': '80.00' }),
			one('C', { Qty: '1', 'Unit Price': '60.00', Item: 'Travel' }),
		];
		const change = back(has ? {} : perRow('Quantity = Qty'));
		const first = await fromRows({ ...change, previewOnly: true }, items);
		const second = await fromRows(change, reread(first.json), continues);
		expect(created()).toHaveLength(2);
		const third = await fromRows(change, corrected(reread(second.json)));
		expect(third.error).toBeUndefined();
		expect(problems(third.json)).toEqual(['', '', '']);
		const fourth = await fromRows(change, reread(third.json));
		expect(fourth.json).toEqual(third.json);
		expect(created().map(({ amount }) => amount).sort()).toEqual(['100.00', '160.00', '60.00']); // prettier-ignore
		const ids = new Set(fourth.json.map((returned) => returned['Invoice ID']));
		expect(ids).toEqual(new Set(created().map(({ id }) => id)));
	});

	test('keeps the generated number of a row, and gives an equal new row another one', async () => {
		const first = await fromRows(back(perRow()), [unnumbered()]);
		const rows = [unnumbered(), ...first.json, unnumbered({ 'Unit Price': '7' })];
		const { text, ...second } = await confirmRows(back(perRow()), rows);
		expect([second.error, text]).toEqual([undefined, expect.stringContaining('rows repeat')]);
		const number = String(first.json[0]['Invoice Number']);
		expect(second.json.map((one) => one['Invoice Number'])).toEqual([
			`${number}-2`,
			number,
			expect.stringMatching(/^AUTO-/),
		]);
		expect(created()).toHaveLength(3);
		// A row that is corrected afterwards is the same invoice, and says so.
		const wrong = second.json.map((one) => ({ ...one, 'Unit Price': '8' }));
		const { json } = await confirmRows(back(perRow()), wrong);
		expect(created()).toHaveLength(3);
		expect(problems(json)).toEqual(Array(3).fill(expect.stringContaining('Exists, but differs')));
	});

	test.each([
		['with the prefix of last month', '2026-10-', 'unpaid'],
		['of a paid invoice', '2026-11-', 'paid'],
	] as const)('bills a row only once that has a number %s', async (_what, numberPrefix, status) => {
		const before = back({ options: { returnRows: true, numberPrefix } });
		const first = await confirmRows(before, [unnumbered()]);
		service.world.account.changeInvoice(String(first.json[0]['Invoice ID']), status);
		const options = { returnRows: true, numberPrefix: '2026-11-' };
		const rows = [...first.json, unnumbered({ 'Unit Price': '7' })];
		const { error, json } = await confirmRows(back({ options }), rows);
		expect(error).toBeUndefined();
		expect(json.map((one) => String(one['Invoice Number']).slice(0, 8))).toEqual([
			numberPrefix,
			'2026-11-',
		]);
		expect(created().map(({ amount }) => amount)).toEqual(['100.00', '7.00']);
	});
});

describe('[S2] never overwrites a column of the user', () => {
	test.each<[string, IDataObject]>([
		['Problem', { Problem: 'Screen is broken' }],
		['Invoice ID', { 'Invoice ID': 'INV-7' }],
		['Invoice ID', { 'Invoice ID': '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d' }],
		['Payment Page', { 'Payment Page': 'to do' }],
	])('%s', async (header, cells) => {
		const { error } = await fromRows(back(), [unnumbered(cells)]);
		expect(error?.message).toContain(`Return Rows would overwrite the column "${header}"`);
		expect(posts()).toEqual([]);
	});
});

const tableOf = ({ headers, rows }: Sheet) => ({
	headers,
	rows: rows.map((row) =>
		row.map((cell) =>
			cell instanceof Date ? { date: isoDay(cell), written: isoDay(cell) } : cell,
		),
	),
});
const itemsOfCsv = (sheet: Sheet) => itemsOf({ name: '', ...tableOf(sheet) }, 'csv');
const itemsOfExcel = (sheet: Sheet) => itemsOf({ name: '', ...tableOf(sheet) }, 'xlsx');

/** Creates invoices as the spreadsheet example does. */
async function create(items: IDataObject[], by = 'Create Invoices', change: object = {}) {
	const node = example.nodes.find(({ name }) => name === by);
	const { timezone } = example.settings;
	const parameters = { ...node?.parameters, ...change };
	const { json, hints, error } = await run(parameters, { items, timezone });
	expect(error).toBeUndefined();
	return { json, hints };
}

/** The requested invoices in the order of their numbers, because several are created at the same time. */
const inOrder = () =>
	requested().sort((a, b) => String(a.invoice_number).localeCompare(String(b.invoice_number)));

/** The content of a file without the times at which it was written. */
function withoutTimes(file: string): Buffer {
	const bytes = fs.readFileSync(file);
	if (!file.endsWith('.xlsx')) return bytes;
	for (const [mark, offset] of [
		['PK\x03\x04', 10],
		['PK\x01\x02', 12],
	] as const) {
		let at = bytes.indexOf(mark, 0, 'latin1');
		for (; at >= 0; at = bytes.indexOf(mark, at + 1, 'latin1')) {
			bytes.fill(0, at + offset, at + offset + 4);
		}
	}
	return bytes;
}

describe('the sheets of the examples', () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sheets-'));
	beforeAll(async () => await writeSheets(folder, keptStart));
	afterAll(() => fs.rmSync(folder, { recursive: true }));

	const translated = Object.keys(languageSheets(keptStart)).map(
		(language) => `invoices.${language}`,
	);
	const names = ['invoices', 'invoice-template', ...translated];
	test.each(names.flatMap((name) => [`${name}.csv`, `${name}.xlsx`]))(
		'are what make-spreadsheets writes: %s',
		(name) => {
			const kept = withoutTimes(path.join(projectFolder, 'examples/data', name));
			expect(kept.equals(withoutTimes(path.join(folder, name)))).toBe(true);
		},
	);

	test('have customers with invoices in the simulator', () => {
		const billed = new Set(service.world.account.invoices.map(({ request }) => request.customer));
		const unknown = sampleInvoices(keptStart).filter(
			({ request }) => !billed.has(request.customer),
		);
		expect(unknown).toEqual([]);
	});

	test('become the expected invoices of the example', async () => {
		const fromCsv = await create(itemsOfCsv(csvSample(keptStart)));
		const fromExcel = await create(
			itemsOfExcel(excelSample(keptStart)),
			'Create Invoices from Excel',
		);
		expect(inOrder()).toMatchObject(sampleInvoices(keptStart).map(({ request }) => request));
		const shown = [...fromCsv.json, ...fromExcel.json];
		expect(shown.map(({ rows }) => rows)).toEqual(
			sampleInvoices(keptStart).map(({ rows }) => rows.join(', ')),
		);
		for (const { json, hints } of [fromCsv, fromExcel]) {
			expect(json.map(({ customer_match: match }) => match)).toEqual(
				json.map(() => expect.objectContaining({ by: 'email' }) as unknown),
			);
			expect(hints).toContainEqual(expect.stringContaining('20 invoices created from 25 rows: '));
		}
	});

	test.each([
		['CSV', itemsOfCsv(csvTemplate(keptStart))],
		['Excel', itemsOfExcel(template(keptStart))],
	])('become two invoices that use every column, from the %s template', async (_, items) => {
		const none = { reading: { __rl: true, mode: 'list', value: '' } };
		const seen = await create(items, undefined, { ...none, previewOnly: true });
		const { hints } = await create(items, undefined, reading(String(seen.json.at(-1)?.reading)));
		expect(inOrder()).toMatchObject([
			{
				invoice_number: '2027-0001',
				title: 'Services in January',
				currency: 'EUR',
				due_date: '2027-02-28',
				items: [
					{ name: 'Consulting', quantity: 8 },
					{ name: 'Travel costs', quantity: 1 },
				],
			},
			{ invoice_number: '2027-0002', items: [{ name: 'Hosting, one year', quantity: 1 }] },
		]);
		expect(service.created.map(({ full }) => full.amount).sort()).toEqual(['1046.40', '240.00']);
		expect(hints).toEqual(['2 invoices created from 3 rows: EUR 1,286.40.']);
	});
});

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
