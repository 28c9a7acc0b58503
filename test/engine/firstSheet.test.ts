import type { IDataObject } from 'n8n-workflow';
import { mapping, preview } from '../helpers/fromRows';
import { textOf, useNode } from '../helpers/nodeRuns';

/** The mistakes of a first sheet: each error says what to do, and no hint says that all is well if it is not. */
const { service, row, fromRows } = useNode();
const errorOf = async (...args: Parameters<typeof fromRows>) => textOf(await fromRows(...args));
/** Runs rows that must be accepted. */
const accept = async (...args: Parameters<typeof fromRows>) => {
	const result = await fromRows(...args);
	expect(result.error).toBeUndefined();
	return result;
};
const numbersAndRows = (json: IDataObject[]) =>
	json.map(({ invoice_number: number, rows }) => [number, rows]);

describe('totals of the sheet that contain more than is billed', () => {
	const withTax = (number: string, change: object = {}) =>
		row(number, { 'VAT 20%': '20.00', 'Invoice Total': '120.00', ...change });
	const ignored = { options: { ignoreColumns: ['VAT 20%'] } };

	test('gives the difference in the first hint', async () => {
		const { hints } = await accept(ignored, [withTax('A'), withTax('B')]);
		expect(hints[0]).toBe(
			'The sheet\'s totals are EUR 40.00 higher: "VAT 20%" is not billed. To bill it, include it in the unit prices.',
		);
		expect(hints.join()).not.toContain('agrees');
	});

	test('counts the invoices whose totals agree', async () => {
		const plain = withTax('B', { 'VAT 20%': '0', 'Invoice Total': '100.00' });
		const { hints } = await fromRows(ignored, [withTax('A'), plain]);
		expect(hints[0]).toContain('EUR 20.00 higher');
		expect(hints).toContain('Invoice Total agrees in 1 of 2 invoices.');
	});

	test('gives each currency once, even if two columns show the difference', async () => {
		const twice = (number: string, Currency: string) =>
			withTax(number, { Currency, 'Amount Due': '120.00' });
		const { hints } = await fromRows(ignored, [twice('A', 'EUR'), twice('B', 'CHF')]);
		const higher = hints.filter((text) => text.includes('higher'));
		expect(higher).toEqual([expect.stringContaining('EUR 20.00 and CHF 20.00 higher')]);
	});
});

describe('names the mistake', () => {
	const manual = (value: object) => mapping(value);
	const typed = { customerId: '={{ $json["Customer ID"] }}', currency: 'Währung', itemName: ' item ' }; // prettier-ignore
	const prices = ['1.234', '2.345', '3.456'];
	const skip = { options: { notBillableRows: 'skip' } };

	test.each<[string, string, () => IDataObject[], object?]>([
		['nothing is connected', 'No rows arrived. Put Extract from File or Google Sheets before this node', () => [{}]],
		['semicolons separate the columns', "Several columns arrived as one: set 'Delimiter' to ;", () => [{ 'Customer;Item;Price': 'ACME;Work;5' }]],
		['tabs separate the columns', "Several columns arrived as one: set 'Delimiter' to \\t (a tab)", () => [{ 'Customer\tItem\tPrice': 'ACME;Work;5' }]],
		['letters were lost, and semicolons separate the columns', "set 'Delimiter' to ;. Letters were lost: set 'Encoding'", () => [{ 'W\uFFFDhrung;Kunde;Menge': 'EUR;A;1' }]],
		['a title stands above the headers of an Excel file', 'set Options &gt; Range (Excel, e.g. A3:F100) or Starting Line (CSV)', () => [{ 'Invoices of May': 'Client', __EMPTY: 'Item' }]],
		['a title stands above the headers of a CSV file', 'set Options &gt; Range (Excel, e.g. A3:F100) or Starting Line (CSV)', () => [{ 'Invoices of May': 'Client', '': 'Item' }]],
		['a field contains the name of a column', 'Currency contains the text "Währung", which is the name of a column. Drag the column from the left', () => [row('A', { Währung: 'EUR' })], manual(typed)],
		['a field contains the name of a column with spaces', 'Item Name contains the text " item "', () => [row('A', { Währung: 'EUR' })], manual(typed)],
		['all rows have the same mistake', 'Rows 2, 3 and 4: Currency is empty, but it is required', () => prices.map((price, at) => row(`A${at}`, { Currency: '', 'Unit Price': price, Discount: '' }))],
		['rows have no invoice number', '3 cells in 3 rows need a correction: Rows 3, 4 and 6: Invoice Number is empty, so the row cannot be assigned to an invoice', () => ['A', '', '', 'B', ''].map((number) => row(number))],
		['cells differ', 'got "1/2/2027" and others', () => ['1/2/2027', '3/4/2027'].map((due, at) => row(`A${at}`, { 'Due Date': due }))],
		['Extract from File wrote a date of Excel', "turn on 'RAW Data'", () => [row('A', { 'Due Date': '1/2/27' })]],
		['a total contains a skipped row', 'the items come to 100.00, column "Invoice Total" says 200.00', () => ['yes', 'no'].map((Billable) => row('A', { Billable, 'Invoice Total': '200.00' })), skip],
	])('if %s', async (_what, words, items, change = {}) => {
		const text = await errorOf(change, items());
		expect(text).toContain(words);
		expect(text.includes('RAW Data')).toBe(words.includes('RAW Data'));
	}); // prettier-ignore

	test.each([
		['says that rows are counted', {}, {}, true],
		['trusts row numbers of the reader', { row_number: 7 }, {}, false],
		['trusts the option First Row', {}, { options: { firstRow: 4 } }, false],
	])('and %s', async (_, cells, change, isSaid) => {
		const items = [row('A', { Currency: '', ...cells }), row('B', { Item: '', ...cells })];
		expect((await errorOf(change, items)).includes('Rows are counted from row 2')).toBe(isSaid);
	});
});

describe('merged cells', () => {
	const merged = () => [
		row('A'),
		row('', { Item: 'Travel', 'Customer ID': '', 'Due Date': '', Currency: '' }),
		row('B'),
	];
	const fill = { options: { fillMergedCells: true } };

	test('stop the sheet until they are filled', async () => {
		expect(await errorOf({}, merged())).toContain("set 'Fill Merged Cells'");
		const { json } = await accept(fill, merged());
		expect(numbersAndRows(json)).toEqual([
			['A', '2, 3'],
			['B', '4'],
		]);
	});

	test('are only filled in rows without an invoice number', async () => {
		const items = [row('A'), row('B', { 'Due Date': '' })];
		expect(await errorOf(fill, items)).toContain('Row 3: Due Date is empty');
	});

	test('get customer, currency and due date in a sheet without invoice numbers', async () => {
		const [first, second] = merged().map((cells) => ({ ...cells, 'Invoice Number': undefined }));
		const { json } = await accept(preview(fill), [first, {}, second] as never);
		expect(json.map(({ rows, due_date: due }) => [rows, due])).toEqual([
			['2', '2027-01-15'],
			['4', '2027-01-15'],
		]);
	});
});

describe('rows that are no invoices', () => {
	test.each<[string, () => IDataObject[], string, object, string[], string]>([
		[
			'total rows',
			() => [row('A'), row('B'), { 'Invoice Number': '', Item: 'Total', 'Unit Price': '200.00' }],
			"Set 'Rows That Look Like Totals' to Skip",
			{ totalRows: 'skip' },
			['2', '3'],
			'Not billed: row 4 (called "Total").',
		],
		[
			'rows that a column marks as not billable',
			() => ['yes', 'no', 'yes', 'No'].map((Billable, at) => row(`A${at}`, { Billable })),
			"Set 'Rows Marked as Not Billable' to Skip",
			{ notBillableRows: 'skip' },
			['2', '4'],
			'Not billed: row 3 ("Billable" says no); row 5 ("Billable" says No).',
		],
	])('%s stop the sheet until they are skipped', async (_what, items, advice, options, billed, hint) => {
		expect(await errorOf({}, items())).toContain(advice);
		const { json, hints } = await accept({ options }, items());
		expect(json.map(({ rows }) => rows)).toEqual(billed);
		expect(hints).toContain(hint);
	}); // prettier-ignore
});

describe('headers below a title', () => {
	const headers = ['Invoice No', 'Customer ID', 'Item', 'Price', 'Currency', 'Due Date'];
	const keys = ['Invoices of May', '__EMPTY', '__EMPTY_1', '__EMPTY_2', '__EMPTY_3', '__EMPTY_4'];
	const below = (cells: unknown[]) => Object.fromEntries(keys.map((key, at) => [key, cells[at]])) as IDataObject; // prettier-ignore
	const customer = () => service.world.account.customers[0].id;
	const line = (number: string) => below([number, customer(), 'Work', 5, 'EUR', '2027-01-15']);

	test('are found, and rows keep their numbers and pairs', async () => {
		const rows = [below(['Example Ltd']), below(headers), line('A'), line('B')];
		const { json, hints, items } = await accept({}, rows);
		expect(json.map(({ rows: numbers }) => numbers)).toEqual(['4', '5']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
		expect(hints).toContain(
			'The headers were found in row 3. What stands above them is not used: "Example Ltd".',
		);
	});

	test('are not searched if the first row has headers, and a line of data is no header', async () => {
		const known = [row('A', { Note: 'Customer ID' }), row('B')];
		expect((await fromRows(preview(), known)).json).toHaveLength(2);
		const data = [below(['Item', 'x', 'Price']), line('A')];
		expect(await errorOf({}, data)).toContain('not found');
	});

	test('may have years and page numbers above them, but no amounts', async () => {
		const above = (...cells: unknown[]) => [below(cells), below(headers), line('A')];
		expect(await errorOf({}, above('Delivery charge per order', '7.50'))).toContain(
			'There are amounts above the headers: "7.50"',
		);
		const first = [below(headers), line('A')].map(
			({ 'Invoices of May': title, __EMPTY: next, ...rest }): IDataObject => ({
				...{ Deposit: title, '250.00': next },
				...rest,
			}),
		);
		expect(await errorOf({}, first)).toContain('amounts above the headers: "250.00"');
		await accept(preview(), above('May 2027', 2027, 'Page 1', 17));
	});

	test('work with merged cells below them', async () => {
		const merged = below(['', '', 'Travel', 5, '', '']);
		const items = [below(['Example Ltd']), below(headers), line('A'), merged, line('B')];
		expect(await errorOf({}, items)).toContain("set 'Fill Merged Cells'");
		const { json } = await fromRows({ options: { fillMergedCells: true } }, items);
		expect(numbersAndRows(json)).toEqual([
			['A', '4, 5'],
			['B', '6'],
		]);
	});

	test('leave the columns of the file unchanged in Return Rows', async () => {
		const { json } = await fromRows({ options: { returnRows: true } }, [below(headers), line('A')]);
		expect(json[0]).toMatchObject({ ...below(headers), Problem: '' });
		expect(json[1]).toMatchObject({ ...line('A'), Problem: '', 'Invoice Number': 'A' });
	});
});

test.each([
	['terms in words', 'Due Date', ['Net 30', 'Due on receipt'], ['2027-04-04', '2027-03-05']],
	['terms in words or numbers', 'Zahlungsziel', ['30 Tage netto', 14], ['2027-04-04', '2027-03-19']],
	['dates', 'Zahlungsziel', ['04.04.2027', '05.04.2027'], ['2027-04-04', '2027-04-05']],
])('reads %s under "%s", because the cells decide', async (_, header, cells, due) => {
	const items = cells.map((cell, at) => row(`A${at}`, { 'Due Date': undefined, 'Invoice Date': '2027-03-05', [header]: cell }));
	const { json } = await accept(preview(), items);
	expect(json.map((one) => one.due_date)).toEqual(due);
}); // prettier-ignore
