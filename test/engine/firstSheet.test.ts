import type { IDataObject } from 'n8n-workflow';
import { fromRows } from '../helpers/fromRows';
import { useSimulator } from '../helpers/service';

/** What people meet with their first sheet: each text names what to do, and nothing says that all is well when it is not. */
const service = useSimulator();
const run = fromRows(service);
const row = (number: string, change: object = {}): IDataObject => ({
	'Invoice Number': number,
	'Customer ID': service.world.account.customers[0].id,
	Currency: 'EUR',
	'Due Date': '2027-01-15',
	Item: 'Consulting',
	'Unit Price': '100.00',
	...change,
});
const manual = (value: IDataObject) => ({
	columns: { mappingMode: 'defineBelow', value } as never,
});
const textOf = ({ error }: Awaited<ReturnType<typeof run>>) =>
	`${error?.message}\n${error?.description}`;

describe('totals of the sheet that contain more than is billed', () => {
	const withTax = (number: string, change: object = {}) =>
		row(number, { 'VAT 20%': '20.00', 'Invoice Total': '120.00', ...change });
	const ignored = { options: { ignoreColumns: ['VAT 20%'] } };

	test('are a warning with the difference, before anything else', async () => {
		const { hints, error } = await run(ignored, [withTax('A'), withTax('B')]);
		expect(error).toBeUndefined();
		expect(hints[0]).toBe(
			'The sheet\'s totals are EUR 40.00 higher: "VAT 20%" is not billed. To bill it, include it in the unit prices.',
		);
		expect(hints.join()).not.toContain('agrees');
	});

	test('beside invoices whose totals agree', async () => {
		const plain = withTax('B', { 'VAT 20%': '0', 'Invoice Total': '100.00' });
		const { hints } = await run(ignored, [withTax('A'), plain]);
		expect(hints[0]).toContain('EUR 20.00 higher');
		expect(hints).toContain('Invoice Total agrees in 1 of 2 invoices.');
	});

	test('once, although two columns say it, and by currency', async () => {
		const twice = (number: string, Currency: string) =>
			withTax(number, { Currency, 'Amount Due': '120.00' });
		const { hints } = await run(ignored, [twice('A', 'EUR'), twice('B', 'CHF')]);
		const higher = hints.filter((text) => text.includes('higher'));
		expect(higher).toEqual([expect.stringContaining('EUR 20.00 and CHF 20.00 higher')]);
	});
});

describe('mistakes before the node', () => {
	test('nothing is connected', async () => {
		expect(textOf(await run({}, [{}]))).toContain(
			'No rows arrived. Put Extract from File or Google Sheets before this node',
		);
	});

	test.each([
		['a semicolon', 'Customer;Item;Price', "set 'Delimiter' to ;"],
		['a tab', 'Customer\tItem\tPrice', "set 'Delimiter' to \\t (a tab)"],
	])('columns are not separated: %s', async (_, header, says) => {
		const text = textOf(await run({}, [{ [header]: 'ACME;Work;5' }]));
		expect(text).toContain(`Several columns arrived as one: ${says}`);
	});

	test.each([
		['in an Excel file', '__EMPTY'],
		['in a CSV file', ''],
	])('headers stand further down %s', async (_, unnamed) => {
		const text = textOf(await run({}, [{ 'Invoices of May': 'Client', [unnamed]: 'Item' }]));
		expect(text).toContain('set Options &gt; Range (Excel, e.g. A3:F100) or Starting Line (CSV)');
	});

	test('the name of a column is typed into a field', async () => {
		const value = { customerId: '={{ $json["Customer ID"] }}', currency: 'Währung', itemName: ' item ' };
		const text = textOf(await run(manual(value), [row('A', { Währung: 'EUR' })]));
		expect(text).toContain('Currency contains the text "Währung", which is the name of a column. Drag the column from the left');
		expect(text).toContain('Item Name contains the text " item "');
	}); // prettier-ignore
});

describe('errors of cells', () => {
	test('the same thing is said once, with what stands there', async () => {
		const items = ['1.234', '2.345', '3.456'].map((price, at) => row(`A${at}`, { Currency: '', 'Unit Price': price, Discount: '' })); // prettier-ignore
		const text = textOf(await run({}, items));
		expect(text).toContain('Rows 2, 3 and 4: Currency is empty, but it is required');
	});

	test('rows without an invoice number are listed together', async () => {
		const items = ['A', '', '', 'B', ''].map((number) => row(number));
		expect(textOf(await run({}, items))).toContain(
			'3 cells in 3 rows need a correction: Rows 3, 4 and 6: Invoice Number is empty, so the row cannot be assigned to an invoice',
		);
	});

	test('different cells: got the first, and others', async () => {
		const items = ['1/2/2027', '3/4/2027'].map((due, at) => row(`A${at}`, { 'Due Date': due }));
		const text = textOf(await run({}, items));
		expect(text).toContain('got "1/2/2027" and others');
		expect(text).not.toContain('RAW Data');
	});

	test('a date as Extract from File writes those of Excel', async () => {
		expect(textOf(await run({}, [row('A', { 'Due Date': '1/2/27' })]))).toContain("turn on 'RAW Data'"); // prettier-ignore
	});

	test.each([
		['counted', {}, {}, true],
		['numbered by the reader', { row_number: 7 }, {}, false],
		['counted as set', {}, { options: { firstRow: 4 } }, false],
	])('where row numbers come from: %s', async (_, cells, change, isSaid) => {
		const items = [row('A', { Currency: '', ...cells }), row('B', { Item: '', ...cells })];
		const text = textOf(await run(change, items));
		expect(text.includes('Rows are counted from row 2')).toBe(isSaid);
	});
});

describe('merged cells', () => {
	const merged = () => [
		row('A'),
		row('', { Item: 'Travel', 'Customer ID': '', 'Due Date': '', Currency: '' }),
		row('B'),
	];
	const fill = { options: { fillMergedCells: true } };

	test('are an error that says how to fill them, and then one invoice', async () => {
		expect(textOf(await run({}, merged()))).toContain("set 'Fill Merged Cells'");
		const { json, error } = await run(fill, merged());
		expect(error).toBeUndefined();
		expect(json.map(({ invoice_number: number, rows }) => [number, rows])).toEqual([
			['A', '2, 3'],
			['B', '4'],
		]);
	});

	test('fill only the number if there is one: a due date that is missing stays missing', async () => {
		const text = textOf(await run(fill, [row('A'), row('B', { 'Due Date': '' })]));
		expect(text).toContain('Row 3: Due Date is empty');
	});

	test('without numbers, fill customer, currency and due date', async () => {
		const isNoNumber = ([header]: [string, unknown]) => header !== 'Invoice Number';
		const items = merged().map((cells) =>
			Object.fromEntries(Object.entries(cells).filter(isNoNumber)),
		);
		const { json, error } = await run({ ...fill, onlyValidate: true }, [items[0], {}, items[1]]);
		expect(error).toBeUndefined();
		expect(json.map(({ rows, due_date: due }) => [rows, due])).toEqual([
			['2', '2027-01-15'],
			['4', '2027-01-15'],
		]);
	});
});

describe('rows that are no invoices', () => {
	test('a total is skipped if that is set', async () => {
		const items = [
			row('A'),
			row('B'),
			{ 'Invoice Number': '', Item: 'Total', 'Unit Price': '200.00' },
		];
		expect(textOf(await run({}, items))).toContain("Set 'Rows That Look Like Totals' to Skip");
		const { json, hints, error } = await run({ options: { totalRows: 'skip' } }, items);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(hints).toContain('Not billed: row 4 (called "Total").');
	});

	test('so are rows that a column says are not to be billed', async () => {
		const items = ['yes', 'no', 'yes', 'No'].map((Billable, at) => row(`A${at}`, { Billable }));
		expect(textOf(await run({}, items))).toContain("Set 'Rows Marked as Not Billable' to Skip");
		const { json, hints } = await run({ options: { notBillableRows: 'skip' } }, items);
		expect(json.map(({ rows }) => rows)).toEqual(['2', '4']);
		expect(hints).toContain('Not billed: row 3 ("Billable" says no); row 5 ("Billable" says No).');
	});

	test('an invoice whose total contains a skipped row does not agree', async () => {
		const items = ['yes', 'no'].map((Billable) =>
			row('A', { Billable, 'Invoice Total': '200.00' }),
		);
		const text = textOf(await run({ options: { notBillableRows: 'skip' } }, items));
		expect(text).toContain('the items come to 100.00, column "Invoice Total" says 200.00');
	});
});

describe('headers below a title', () => {
	const headers = ['Invoice No', 'Customer ID', 'Item', 'Price', 'Currency', 'Due Date'];
	const keys = ['Invoices of May', '__EMPTY', '__EMPTY_1', '__EMPTY_2', '__EMPTY_3', '__EMPTY_4'];
	const below = (cells: unknown[]) => Object.fromEntries(keys.map((key, at) => [key, cells[at]])) as IDataObject; // prettier-ignore
	const customer = () => service.world.account.customers[0].id;
	const line = (number: string) => below([number, customer(), 'Work', 5, 'EUR', '2027-01-15']);

	test('are found, and rows keep their numbers and pairs', async () => {
		const items = [below(['Example Ltd']), below(headers), line('A'), line('B')];
		const { json, hints, items: output, error } = await run({}, items);
		expect(error).toBeUndefined();
		expect(json.map(({ rows }) => rows)).toEqual(['4', '5']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
		expect(hints).toContain(
			'The headers were found in row 3. What stands above them is not used: "Example Ltd".',
		);
	});

	test('are not looked for where the first row has some, and a line of data is no header', async () => {
		const known = [row('A', { Note: 'Customer ID' }), row('B')];
		expect((await run({ onlyValidate: true }, known)).json).toHaveLength(2);
		expect(textOf(await run({}, [below(['Item', 'x', 'Price']), line('A')]))).toContain(
			'not found',
		);
	});

	test('amounts above them stop the sheet, years and numbers of pages do not', async () => {
		const above = (...cells: unknown[]) => [below(cells), below(headers), line('A')];
		expect(textOf(await run({}, above('Delivery charge per order', '7.50')))).toContain(
			'There are amounts above the headers: "7.50"',
		);
		const keys = ({ 'Invoices of May': title, __EMPTY: next, ...rest }: IDataObject) => ({ Deposit: title, '250.00': next, ...rest }); // prettier-ignore
		const first = [below(headers), line('A')].map(keys);
		expect(textOf(await run({}, first))).toContain('amounts above the headers: "250.00"');
		const { error } = await run({ onlyValidate: true }, above('May 2027', 2027, 'Page 1', 17));
		expect(error).toBeUndefined();
	});

	test('an invoice number that is missing there is asked for', async () => {
		const merged = below(['', '', 'Travel', 5, '', '']);
		const items = [below(['Example Ltd']), below(headers), line('A'), merged, line('B')];
		expect(textOf(await run({}, items))).toContain("set 'Fill Merged Cells'");
		const { json } = await run({ options: { fillMergedCells: true } }, items);
		expect(json.map(({ invoice_number: number, rows }) => [number, rows])).toEqual([
			['A', '4, 5'],
			['B', '6'],
		]);
	});

	test('the columns of the file come back as they were', async () => {
		const { json } = await run({ options: { returnRows: true } }, [below(headers), line('A')]);
		expect(json[0]).toMatchObject({ ...below(headers), Problem: '' });
		expect(json[1]).toMatchObject({ ...line('A'), Problem: '', 'Invoice Number': 'A' });
	});
});

test.each([
	['days in words under a due date', 'Due Date', ['Net 30', 'Due on receipt'], ['2027-04-04', '2027-03-05']],
	['days in words or numbers', 'Zahlungsziel', ['30 Tage netto', 14], ['2027-04-04', '2027-03-19']],
	['dates', 'Zahlungsziel', ['04.04.2027', '05.04.2027'], ['2027-04-04', '2027-04-05']],
])('%s: the cells decide whether "%s" has dates or terms', async (_, header, cells, due) => {
	const items = cells.map((cell, at) => row(`A${at}`, { 'Due Date': undefined, 'Invoice Date': '2027-03-05', [header]: cell }));
	const { json, error } = await run({ onlyValidate: true }, items);
	expect(error).toBeUndefined();
	expect(json.map((one) => one.due_date)).toEqual(due);
}); // prettier-ignore

test('letters that were lost are said with the delimiter, in one error', async () => {
	const text = textOf(await run({}, [{ 'W\uFFFDhrung;Kunde;Menge': 'EUR;A;1' }]));
	expect(text).toContain("set 'Delimiter' to ;. Letters were lost: set 'Encoding'");
});
