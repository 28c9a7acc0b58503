import type { IDataObject } from 'n8n-workflow';
import { mapping, preview, reading } from '../helpers/sheets/fromRows';
import { textOf, useNode } from '../helpers/n8n/nodeRuns';

/** A first sheet and its mistakes: the preview shows them, and nothing is billed that nobody has seen. */
const { service, row, posts, unread, fromRows, confirmRows } = useNode();
const customer = () => service.world.account.customers[0].id;
const errorOf = async (...args: Parameters<typeof unread>) => textOf(await unread(...args));
const numbersAndRows = (json: IDataObject[]) =>
	json.map(({ invoice_number: number, rows }) => [number, rows]);

describe('names a mistake of the node before', () => {
	const tabbed = [{ 'Customer\tItem\tPrice': 'ACME\tWork\t5' }];
	test.each<[string, string, IDataObject[]]>([
		['nothing is connected', 'No rows arrived\nNothing was sent.<br>Put Extract from File or Google Sheets before', [{}]],
		['semicolons separate the columns', "Several columns arrived as one: set 'Delimiter' to ;", [{ 'Customer;Item;Price': 'ACME;Work;5' }]],
		['tabs separate the columns', "set 'Delimiter' to \\t (a tab)", tabbed],
		['letters were lost', "Letters were lost: set 'Encoding'", [{ 'W\uFFFDhrung;Kunde;Menge': 'EUR;A;1' }]],
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
	const withTax = (number: string) =>
		row(number, { 'VAT 20%': '20.00', 'Invoice Total': '120.00' });
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
	const dates = ['1/2/2027', '3/4/2027'].map((due) => ({ 'Due Date': due }));

	test.each<[string, () => IDataObject[], said: string[], billed: Array<[rows: string, total: string]>]>([
		['a tax beside the amounts', () => [withTax('A'), withTax('B')], ['Look at: Invoice Total is 20% more than the items in rows 2 and 3, as with a tax. That is not billed', 'Not on the invoices: VAT 20% 40.00.'], [['2', '100.00'], ['3', '100.00']]],
		['merged cells that are filled', merged, ['cells filled from above'], [['2, 3', '200.00'], ['4', '100.00']]],
		['merged cells without invoice numbers', () => unnumbered(merged()), ['one invoice per customer (otherwise 3 invoices); cells filled from above', 'Look at: rows 2 and 4 are the same in every cell but the amount'], [['2, 3, 4', '300.00']]],
		['a total row that is left out', () => [row('A'), row('B'), total], ['rows left out: totals.', 'Left out: row 4, Total, 200.00.'], [['2', '100.00'], ['3', '100.00']]],
		['rows that a column marks as not billable', marked, ['Billable: bill yes; leave out no, No', 'Left out: row 3 (Billable: no); row 5 (Billable: No).'], [['2', '100.00'], ['4', '100.00']]],
		['dates whose day may be the month', () => dates.map((one, at) => row(`A${at}`, one)), ['Due Date (day/month/year).'], [['2', '100.00'], ['3', '100.00']]],
		['amounts whose point may separate thousands', () => ['1.234', '2.345', '3.456'].map((price, at) => row(`A${at}`, { 'Unit Price': price })), ['Unit Price (1.234,50).'], [['2', '1234.00'], ['3', '2345.00'], ['4', '3456.00']]],
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

	test('a month before the day, if the reading says so', async () => {
		const { text } = await confirmRows(
			{},
			dates.map((one, at) => row(`A${at}`, one)),
		);
		const turned = text.replace('day/month/year', 'month/day/year');
		const { json } = await fromRows({ ...reading(turned), previewOnly: true }, dates.map((one, at) => row(`B${at}`, one))); // prettier-ignore
		expect(json.map(({ due_date: due }) => due)).toEqual(['2027-01-02', '2027-03-04']);
	});

	test('what was seen is settled for these rows only', async () => {
		const { text } = await confirmRows({}, [withTax('A')]);
		const { error } = await fromRows(reading(text), [withTax('B')]);
		expect(error?.message).toContain(
			'Look at the sheet before it is billed: Invoice Total says 120.00 in row 2',
		);
		const settled = text.replace(/seen: .*/, 'unchecked: sums');
		expect((await fromRows(reading(settled), [withTax('B')])).error).toBeUndefined();
	});

	test('what was seen does not settle what is new to look at', async () => {
		const { text } = await confirmRows({}, [{ ...withTax('A'), Room: 'Blue' }]);
		expect(text).toContain('seen: ');
		const { error } = await fromRows(reading(text), [{ ...withTax('A'), Room: 'PAID' }]);
		expect(error?.message).toContain('row 2 says Room: PAID');
	});
});

describe('rows are counted from row 2', () => {
	test.each([
		['which an error says', {}, true],
		['unless the reader of the sheet has counted them', { row_number: 7 }, false],
	])('%s', async (_what, cells, isSaid) => {
		const items = [row('A', { Currency: '', ...cells }), row('B', { Item: '', ...cells })];
		const text = textOf(await fromRows({}, items));
		expect(text).toContain(isSaid ? 'Row 2: Currency is empty' : 'Row 7: Currency is empty');
		expect(text.includes('Rows are counted from row 2')).toBe(isSaid);
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
		expect(numbersAndRows(json).sort()).toEqual([['A', '4'], ['B', '5']]); // prettier-ignore
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
		const { json: seen } = await fromRows(preview(), above('Example Ltd'));
		expect(seen[0].reading).toContain('headers in row 3; ');
	});

	test('are not searched if the first row has headers', async () => {
		const known = [row('A', { Note: 'Customer ID' }), row('B')];
		expect((await fromRows(preview(), known)).json).toHaveLength(2);
	});

	test('are compared with the title that was confirmed, but for its years and numbers', async () => {
		const { text } = await confirmRows({}, above('May 2027', 2027, 'Page 1', 17));
		expect(text).toContain('texts: "invoices of month", "month 9", "9", "page 9"');
		const next = async (...cells: unknown[]) =>
			textOf(await fromRows(reading(text), above(...cells)));
		expect(await next('June 2028', 2028, 'Page 2', 18)).toBe('undefined\nundefined');
		expect(await next('June 2028, gross', 2028, 'Page 2', 18)).toContain(
			'new text above the headers: "June 2028, gross"',
		);
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
	const { json } = await fromRows(preview(), items);
	expect(json.map((one) => one.due_date)).toEqual(due);
}); // prettier-ignore
