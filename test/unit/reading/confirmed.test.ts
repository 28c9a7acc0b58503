import type { KnownCustomer } from '../../helpers/sheets/readRows';
import { customerId, readRows } from '../../helpers/sheets/readRows';

/** What was confirmed is a contract: a later sheet in which something else stands stops, and nothing is decided by luck. */

const customers: KnownCustomer[] = ['Ann Lee', 'Bo Kim', 'Cy Roe', 'Di Fox'].map((name, at) => ({
	name,
	email: `pay${at}@customer.example`,
}));
type Cell = string | number;
/** The headers, then the rows. */
type Sheet = Cell[][];

const rowsOf = ([headers, ...rows]: Sheet) =>
	rows.map((cells) =>
		Object.fromEntries(
			cells.flatMap((cell, at) => (cell === '' ? [] : [[String(headers[at]), cell] as const])),
		),
	);
const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
const read = (sheet: Sheet, confirmed?: string) =>
	readRows(rowsOf(sheet), customers, { ...settings, confirmed });
const totals = (sheet: Sheet, confirmed: string) =>
	read(sheet, confirmed).invoices.map(({ total }) => total);
/** The reading that a person confirms, who has typed a correction before. */
const confirm = (sheet: Sheet, typed?: string) => read(sheet, typed).text;

const work = ['Client', 'Work', 'Fee'];
const withTotal: Sheet = [
	work,
	['Ann Lee', 'Design', 11],
	['Bo Kim', 'Text', 23],
	['Ann Lee', 'Photos', 37],
	['Total', '', 71],
];
const fees = ['Client', 'Fee'];
const onlyFees: Sheet = [fees, ['Ann Lee', 11], ['Bo Kim', 23], ['Cy Roe', 37], ['Total', 71]];
const vat = ['Client', 'Work', 'Net', 'Tax', 'Gross'];
const taxed: Sheet = [
	vat,
	['Ann Lee', 'Design', '100.00', '19.00', '119.00'],
	['Bo Kim', 'Text', '50.50', '9.60', '60.10'],
	['Cy Roe', 'Photos', '80.00', '15.20', '95.20'],
];
const hire = ['Client', 'Work', 'Qty', 'Days', 'Day rate', 'Hire charge'];
const hired: Sheet = [
	hire,
	['Ann Lee', 'Tent', 2, 3, '15.00', '90.00'],
	['Bo Kim', 'Stage', 1, 2, '120.00', '240.00'],
	['Cy Roe', 'Bench', 10, 3, '2.50', '75.00'],
];
const rent = ['Client', 'Rent', 'Water', 'Total'];
const rents: Sheet = [rent, ['Ann Lee', 700, 40, 740], ['Bo Kim', 650, 35, 685]];
const hours = ['Client', 'Work', 'Qty', 'Fee'];
const counted: Sheet = [hours, ['Ann Lee', 'Design', 2, 40], ['Bo Kim', 'Text', 7, 50]];
const termed = ['Client', 'Work', 'Fee', 'Invoice Date', 'Terms'];
const terms: Sheet = [
	termed,
	['Ann Lee', 'Design', 40, '2026-11-20', 'Net 30'],
	['Bo Kim', 'Text', 50, '2026-11-21', 'Net 30'],
];
const subtotals: Sheet = [
	work,
	['Ann Lee', 'Design', 11],
	['Ann Lee', 'Text', 12],
	['Ann Lee', 'Total', 23],
	['Bo Kim', 'Photos', 13],
	['Bo Kim', 'Film', 14],
	['Bo Kim', 'Total', 27],
];
const withFootnote = (text: string): Sheet => [...withTotal.slice(0, 3), ['', text, '']];
const deposit = ['Client', 'Total', 'Deposit', 'Fee', 'Extras'];
const deposits: Sheet = [
	deposit,
	['Ann Lee', 100, 40, 50, 10],
	['Bo Kim', 110, 50, 50, 10],
	['Cy Roe', 130, 30, 80, 20],
];
const number = ['Client', 'Kundennummer', 'Work', 'Fee'];
const numbered: Sheet = [number, ['Ann Lee', 'K7', 'Design', 11], ['Bo Kim', 'K8', 'Text', 23]];
const credit = ['Client', 'Fee', 'Trip', 'Credit', 'Total'];
const credited: Sheet = [
	credit,
	['Ann Lee', 100, 10, 5, 105],
	['Bo Kim', 200, 20, 10, 210],
	['Cy Roe', 80, 0, 20, 60],
];
const reduced: Sheet = [
	['Client', 'Work', 'Qty', 'Price', 'Discount'],
	['Ann Lee', 'Design', 2, 50, 10],
	['Bo Kim', 'Text', 5, 50, 12],
];
const open = ['Client', 'Work', 'Fee', 'Paid', 'Open'];
const opened: Sheet = [open, ['Ann Lee', 'Design', 100, 40, 60], ['Bo Kim', 'Text', 50, 20, 30]];
const grand: Sheet = taxed.map((row, at) => [...row, at ? row[4] : 'Grand Total']);
const logs = ['Client', 'Worker', 'Work', 'Day', 'Fee'];
const logged: Sheet = [
	logs,
	['Ann Lee', 'Kim', 'Design', '2026-11-02', 40],
	['Bo Kim', 'Sam', 'Text', '2026-11-03', 50],
	['', 'Kim', 'sick leave', '2026-11-04', ''],
];

const net = ['Client', 'Work', 'Net', 'VAT'];
const nets: Sheet = [
	net,
	['Ann Lee', 'Design', 100, 20],
	['Bo Kim', 'Text', 60, 12],
	['Cy Roe', 'Film', 50, 10],
];
const oneNet: Sheet = [
	[...net, 'Gross'],
	['Ann Lee', 'Design', 100, 20, 120],
];
const merged = ['Client', 'Currency', 'Due', 'Work', 'Fee'];
const mergedCells: Sheet = [
	merged,
	['Ann Lee', 'USD', '2026-12-03', 'Design', 100],
	['', '', '', 'Photos', 20],
	['Bo Kim', 'EUR', '2026-12-03', 'Text', 60],
];
const explained = ['Client', 'Work', 'Qty', 'Price', 'Discount', 'Amount', 'Currency'];
const explainedRows: Sheet = [
	explained,
	['Ann Lee', 'Design', 2, 50, 10, 90, 'GBP'],
	['Bo Kim', 'Text', 3, 40, '', 120, 'GBP'],
	['Cy Roe', 'Film', 2, 60, 12, 108, 'GBP'],
];
const parts: Sheet = [fees, ['Ann Lee', 40], ['Ann Lee', 12], ['Bo Kim', 50], ['Bo Kim', 30]];
const twiceNamed = ['Customer ID', 'Customer', 'Work', 'Fee'];
const namedTwice: Sheet = [
	twiceNamed,
	[customerId(0), 'Ann Lee', 'Design', 11],
	[customerId(1), 'Bo Kim', 'Text', 23],
];
const addedUp: Sheet = [
	work,
	...['Ann Lee', 'Bo Kim'].flatMap(
		(one): Sheet => [
			[one, 'Morning', 40],
			[one, 'Noon', 10],
			[one, 'Day', 50],
		],
	),
];
const deposited = ['Client', 'Work', 'Total', 'Paid', 'Open'];

test.each<[string, Sheet, Sheet, string]>([
	['gross amounts below Net, beside a tax that is not billed', nets, [net, ['Ann Lee', 'Design', 120, 20], ['Bo Kim', 'Text', 72, 12]], 'new value: taxed at: 16.67% in row 2'],
	['net amounts and taxes under each other\'s header', nets, [['Client', 'Work', 'VAT', 'Net'], ['Ann Lee', 'Design', 105, 21], ['Bo Kim', 'Text', 65, 13]], 'new value: taxed at: 500% in rows 2 and 3'],
	['net and gross of a single row under each other\'s header', oneNet, [['Client', 'Work', 'Gross', 'VAT', 'Net'], ['Ann Lee', 'Design', 150, 30, 180]], 'new value: taxed at: 16.664% in row 2'],
	['a credit that is no longer taken off', [work, ['Ann Lee', 'Design', 100], ['Ann Lee', 'Credit note', -20], ['Bo Kim', 'Text', 60]], [work, ['Ann Lee', 'Design', 110], ['Ann Lee', 'Credit note', 20], ['Bo Kim', 'Text', 65]], 'row 3 says Work: Credit note'],
	['another item that says paid', [work, ['Ann Lee', 'Paid parking', 11], ['Bo Kim', 'Text', 23]], [work, ['Ann Lee', 'Paid parking', 12], ['Bo Kim', 'Text, already paid in cash', 23]], 'row 3 says Work: Text, already paid in cash'],
	['a tax below the last customer, without a total', [work, ['Ann Lee', 'Design', 11], ['', 'Photos', 20], ['Bo Kim', 'Text', 23]], [work, ['Ann Lee', 'Design', 11], ['', 'Photos', 20], ['Bo Kim', 'Text', 23], ['', 'VAT', 11]], 'row 5 (11.00) is a tax, but none of the 23.00 above it'],
	['a sum below the rows of each customer', parts, [fees, ['Ann Lee', 41], ['Ann Lee', 12], ['Ann Lee', 53], ['Bo Kim', 50], ['Bo Kim', 31], ['Bo Kim', 81]], 'row 4 (53.00) is the sum of the rows above it'],
	['a customer without currency, where only merged cells were empty', mergedCells, [merged, ['Ann Lee', '', '2026-12-03', 'Design', 100], ['', '', '', 'Photos', 35], ['Bo Kim', 'EUR', '2026-12-03', 'Text', 60]], 'Currency: empty in rows 2 and 3'],
	['a customer without due date, where only merged cells were empty', mergedCells, [merged, ['Ann Lee', 'USD', '', 'Design', 100], ['Bo Kim', 'EUR', '2026-12-03', 'Text', 60]], 'Due: empty in row 2'],
	['another currency beside what makes up the amount', explainedRows, [explained, ['Ann Lee', 'Design', 2, '$55', 11, 99, 'GBP'], ...explainedRows.slice(2)], 'Currency is GBP, but an amount in row 2 says'],
	['a due date that would be the day after', [[...work, 'Due'], ['Ann Lee', 'Design', 11, 46402], ['Bo Kim', 'Text', 23, 46402]], [[...work, 'Due'], ['Ann Lee', 'Design', 11, 46402 + 23 / 24], ['Bo Kim', 'Text', 23, 46402]], 'seen so far'],
	['the name of another customer than the ID says', namedTwice, [twiceNamed, [customerId(0), 'Ann Lee', 'Design', 12], [customerId(1), 'Ann Lee', 'Text', 23]], 'in row 3, which is another customer than the one that is billed'],
	['a customer whose item is called a total, with the sum of the others', withTotal, [work, ['Ann Lee', 'Design', 11], ['Bo Kim', 'Text', 23], ['Cy Roe', 'Total', 34]], 'row 4 says Work: Total'],
	['the total of a customer with a single row', subtotals, [work, ['Ann Lee', 'Design', 11], ['Bo Kim', 'Photos', 13], ['Bo Kim', 'Film', 14], ['Bo Kim', 'Total', 27]], 'row 5 says Work: Total'],
	['the first total of a customer', withTotal.slice(0, 4), [work, ['Ann Lee', 'Design', 11], ['Bo Kim', 'Text', 23], ['Bo Kim', 'Photos', 7], ['Bo Kim', 'Totale', 30]], 'row 5 says Work: Totale'],
	['a word behind the amount of a total row', withTotal, [...withTotal.slice(0, 4), ['Total', '', '71 paid']], 'new text in row 5: "71 paid"'],
	['another amount in a footnote', withFootnote('less 10 EUR each'), withFootnote('less 20 EUR each'), 'new text in row 4: "less 20 EUR each"'],
	['another percentage in a footnote', withFootnote('less 10 percent'), withFootnote('less 20 percent'), 'new text in row 4: "less 20 percent"'],
	['an item without its amount and customer', withFootnote('Thank you'), [work, ['Ann Lee', 'Design', 11], ['', 'Text', ''], ['Bo Kim', 'Text', 23]], 'new text in row 3: "Text"'],
	['net and gross under each other\'s header, in two rows of whole amounts', [vat, ['Ann Lee', 'Design', 100, 19, 119], ['Bo Kim', 'Text', 200, 38, 238]], [vat, ['Ann Lee', 'Design', 119, 19, 100], ['Bo Kim', 'Text', 238, 38, 200]], '"Gross" = "Net" + "Tax" does not hold in rows 2 and 3'],
	['gross amounts without a tax', taxed, [vat, ['Ann Lee', 'Design', '119.00', 0, '119.00'], ['Bo Kim', 'Text', '59.50', 0, '59.50']], 'Tax is empty or 0 in all rows'],
	['terms of 0 days', terms, [termed, ['Ann Lee', 'Design', 45, '2026-12-02', 0]], 'Terms: "0" in row 2'],
	['a deposit that is not there', deposits, [deposit, ['Ann Lee', 100, 0, 50, 10], ['Bo Kim', 110, 50, 50, 10]], '"Total" = "Deposit" + "Fee" + "Extras" does not hold in row 2'],
	['a wrong total behind one that the tax explains', grand, [...grand.slice(0, 2), ['Bo Kim', 'Text', '50.50', '9.60', '60.10', '160.10']], 'Grand Total says 160.10 in row 3'],
	['a word in a total row', withTotal, [...withTotal.slice(0, 4), ['Total', 'all void', 71]], 'new text in row 5: "all void"'],
	['another currency in a total row', withTotal, [...withTotal.slice(0, 4), ['Total', '', '71 USD']], 'new text in row 5: "USD"'],
	['a wrong total of amounts side by side', [rent, ...rents.slice(1), ['Total', 1350, 75, 1425]], [rent, ...rents.slice(1), ['Total', 1350, 75, 1525]], 'row 4 (Total) says 1525.00'],
	['net and gross under each other\'s header', taxed, [['Client', 'Work', 'Gross', 'Tax', 'Net'], ...taxed.slice(1)], '"Gross" = "Net" + "Tax" does not hold in rows 2, 3 and 4'],
	['a tax that is part of the net amount in one row', taxed, [...taxed.slice(0, 3), ['Cy Roe', 'Photos', '95.20', '15.20', '95.20']], 'does not hold in row 4'],
	['a column that the amount was made of missing', taxed, [['Client', 'Work', 'Net', 'Gross'], ...taxed.slice(1).map((row) => [row[0], row[1], row[2], row[4]])], 'does not hold in rows 2, 3 and 4'],
	['a product of three columns that is another one', hired, [...hired.slice(0, 3), ['Cy Roe', 'Bench', 10, 3, '2.50', '57.00']], '"Hire charge" = "Qty" x "Days" x "Day rate" does not hold in row 4'],
	['a row of 0 whose parts are not', credited, [...credited.slice(0, 3), ['Cy Roe', 80, 0, 20, 0]], '"Total" = "Fee" + "Trip" - "Credit" does not hold in row 4'],
	['a total that is words', rents, [rent, rents[1], ['Bo Kim', 650, 35, 'see below']], 'Total: "see below" in row 3'],
	['a total in thousands', rents, [rent, rents[1], ['Bo Kim', 650, 35, '685k']], 'Total: "685k" in row 3'],
	['a total in another currency', rents, [rent, rents[1], ['Bo Kim', 650, 35, '$685']], 'Currency'],
	['thousands of pieces', counted, [hours, counted[1], ['Bo Kim', 'Text', '5k', 50]], 'Qty: "5k" in row 3'],
	['money as a quantity', counted, [hours, counted[1], ['Bo Kim', 'Text', '5 USD', 50]], 'Qty: "5 USD" in row 3'],
	['no date that terms count from', terms, [termed, terms[1], ['Bo Kim', 'Text', 50, '', 'Net 30']], 'Invoice Date: empty in row 3'],
	['a dash for the date that terms count from', terms, [termed, terms[1], ['Bo Kim', 'Text', 50, '-', 'Net 30']], 'Invoice Date: empty in row 3'],
	['another reason why a row is not billed', logged, [...logged.slice(0, 3), ['', 'Kim', 'credit note follows', '2026-11-04', '']], 'new text in row 4: "credit note follows"'],
	['a word of money in a row that is not billed', logged, [...logged.slice(0, 3), ['', 'Joe, paid in cash', 'sick leave', '2026-11-04', '']], 'new text in row 4: "Joe, paid in cash"'],
	['a tax of all below the total', withTotal, [...withTotal, ['', 'VAT', 14], ['', 'Total', 85]], 'new text in row 6: "VAT"'],
	['a figure without a word below the total', [work, ['Ann Lee', 'Design', 11], ['', 'Photos', 20], ['Bo Kim', 'Text', 23], ['Total', '', 54]], [...withTotal, ['', '', 14]], 'row 6'],
	['a footnote whose end is another one', [...withTotal, ['', `${'All prices are as agreed in the contract of this year. '.repeat(3)} net`, '']], [...withTotal, ['', `${'All prices are as agreed in the contract of this year. '.repeat(3)} gross`, '']], 'new text in row 6'],
])('%s stops a later sheet', (_what, first, next, says) => {
	const confirmed = confirm(first);
	expect(read(first, confirmed).refusal).toBeUndefined();
	const { refusal, findings } = read(next, confirmed);
	expect(refusal).toBeDefined();
	expect([refusal, ...findings.map(({ text }) => text)].join('\n')).toContain(says);
}); // prettier-ignore

test.each<[string, Sheet, Sheet, string[]]>([
	['a known customer in the last row, with the sum of the others', onlyFees, [fees, ['Ann Lee', 11], ['Bo Kim', 23], ['Cy Roe', 37], ['Di Fox', 71]], ['11.00', '23.00', '37.00', '71.00']],
	['other sums in total rows', withTotal, [work, ['Ann Lee', 'Design', 12], ['Bo Kim', 'Text', 23], ['Total', '', 35]], ['12.00', '23.00']],
	['other amounts with their tax', taxed, [vat, ['Ann Lee', 'Design', '40.00', '7.60', '47.60'], ['Di Fox', 'Text', '60.00', '11.40', '71.40']], ['47.60', '71.40']],
	['another worker who was ill', logged, [logs, ['Ann Lee', 'Kim', 'Design', '2026-12-02', 45], ['', 'Joe', 'sick leave', '2026-12-04', '']], ['45.00']],
	['the same number of a customer in two rows', numbered, [number, ['Ann Lee', 'K7', 'Design', 12], ['Ann Lee', 'K7', 'Text', 13], ['Bo Kim', 'K8', 'Film', 14]], ['25.00', '14.00']],
	['a total of another month', [work, ['Ann Lee', 'Design', 11], ['Bo Kim', 'Text', 23], ['Total März', '', 34]], [work, ['Ann Lee', 'Design', 12], ['Bo Kim', 'Design', 23], ['Total April', '', 35]], ['12.00', '23.00']],
	['another day in a title', withFootnote('Stand: Montag, 2. November'), withFootnote('Stand: Dienstag, 1. Dezember'), ['11.00', '23.00']],
	['another sum that was paid', opened, [open, ['Ann Lee', 'Design', 110, 50, 60], ['Bo Kim', 'Text', 50, 10, 40]], ['60.00', '40.00']],
	['the tax of all below a total, without a customer', [...withTotal, ['', 'VAT', 14], ['', 'Total', 85]], [work, ['Ann Lee', 'Design', 12], ['Bo Kim', 'Design', 23], ['Total', '', 35], ['', 'VAT', 7], ['', 'Total', 42]], ['12.00', '23.00']],
	['a tax that is not billed and is another one, or none', nets, [net, ['Ann Lee', 'Design', 100, 5], ['Bo Kim', 'Text', 60, '']], ['100.00', '60.00']],
	['a tax that is part of the amount', [net, ['Ann Lee', 'Design', 50, 7.98], ['Bo Kim', 'Text', 80, 12.77]], [net, ['Ann Lee', 'Design', 70, 11.18], ['Bo Kim', 'Text', 60, 9.58]], ['70.00', '60.00']],
	['discounts of cents that were amounts', [['Client', 'Work', 'Price', 'Discount'], ['Ann Lee', 'Design', 4, 0.5], ['Bo Kim', 'Text', 3, 1.25]], [['Client', 'Work', 'Price', 'Discount'], ['Ann Lee', 'Design', 4, 0.5], ['Bo Kim', 'Text', 3, 0.25]], ['3.50', '2.75']],
	['the same items that add up', addedUp, addedUp, ['100.00', '100.00']],
	['tax returns of merged customers', [work, ['Ann Lee', 'Bookkeeping', 300], ['', 'Tax return 2025', 150], ['Bo Kim', 'Text', 20]], [work, ['Ann Lee', 'Bookkeeping', 300], ['', 'Tax return 2026', 160], ['Bo Kim', 'Text', 20]], ['460.00', '20.00']],
	['the tax of each customer', [work, ['Ann Lee', 'Design', 10], ['', 'Subtotal', 10], ['', 'VAT', 2], ['Bo Kim', 'Text', 20], ['', 'Subtotal', 20], ['', 'VAT', 4]], [work, ['Ann Lee', 'Design', 15], ['', 'Subtotal', 15], ['', 'VAT', 3], ['Bo Kim', 'Text', 20], ['', 'Subtotal', 20], ['', 'VAT', 4]], ['18.00', '24.00']],
	['a month without a discount', explainedRows, [explained.filter((one) => one !== 'Discount'), ['Ann Lee', 'Design', 2, 50, 100, 'GBP'], ['Bo Kim', 'Text', 3, 40, 120, 'GBP']], ['100.00', '120.00']],
	['other merged cells', mergedCells, [merged, ['Cy Roe', 'USD', '2026-12-13', 'Design', 90], ['', '', '', 'Photos', 21], ['', '', '', 'Film', 25]], ['136.00']],
	['another deposit of a total', [deposited, ['Ann Lee', 'Design', 100, 40, 60], ['Bo Kim', 'Text', 50, 20, 30]], [deposited, ['Ann Lee', 'Design', 110, 50, 60], ['Bo Kim', 'Text', 50, 15, 35]], ['60.00', '35.00']],
	['another month behind an apostrophe', [...withFootnote("Factures d'octobre")], withFootnote('Factures de novembre'), ['11.00', '23.00']],
	['another month of terms', terms, [termed, ['Ann Lee', 'Design', 45, '2026-12-02', 'Net 30']], ['45.00']],
])('%s: the later sheet is billed', (_what, first, next, wanted) => {
	const confirmed = confirm(first);
	expect(read(next, confirmed).refusal).toBeUndefined();
	expect(totals(next, confirmed)).toEqual(wanted);
}); // prettier-ignore

test('a discount of rows ten times as large stops a later sheet', () => {
	const confirmed = confirm(reduced);
	expect(totals(reduced, confirmed)).toEqual(['90.00', '238.00']);
	const next: Sheet = [...reduced.slice(0, 2), ['Bo Kim', 'Text', 5, 50, 120]];
	expect(read(next, confirmed).refusal).toContain('Discount: 120');
});

test('a bare discount stays a percentage if it was one when the sheet was confirmed', () => {
	const sheet = (...discounts: Cell[]): Sheet => [
		['Client', 'Work', 'Price', 'Discount'],
		...discounts.map((one, at): Cell[] => [customers[at].name, 'Design', 200, one]),
	];
	const confirmed = confirm(sheet('10%', 5, 10));
	expect(confirmed).toContain('Line Discount = Discount (percentages;');
	expect(totals(sheet(10, 5, 10), confirmed)).toEqual(['180.00', '190.00', '180.00']);
});

test.each<[string, Cell[], Cell[], string | string[]]>([
	['a stated total that is the nearest hundredth', ['Qty', 'Price', 'Discount', 'Line Total'], [3, 9.99, '5%', 28.47], ['28.47']],
	['more decimals than the currency has', ['Line Total', 'Discount'], [10.5, '5%'], 'Row 2: 10.50, less 5% is 9.975, but EUR has 2 decimals. Round the discount, or enter it as an amount'],
	['an amount beside one with too many decimals', ['Line Total', 'Discount'], [10.505, 5], 'Row 2: 10.505, less 5.00 is 5.505, but EUR has 2 decimals. Round the discount, or enter it as an amount'],
	['a discount with many decimals', ['Price', 'Discount %'], [20, 33.33333333333333], 'Row 2: 20.00, less 33.33333333333333% has too many decimals to be billed exactly. Round the discount, or enter it as an amount'],
	['a product with many decimals', ['Qty', 'Price', 'Discount %'], [1.25, 19.99, 7.5], 'Row 2: 1.25 x 19.99, less 7.5% has too many decimals to be billed exactly. Round the discount, or enter it as an amount'],
])('a discount of a row: %s', (_what, headers, cells, wanted) => {
	const sheet: Sheet = [['Client', 'Work', ...headers], ['Ann Lee', 'Design', ...cells]];
	const fields = { Qty: 'Quantity', Price: 'Unit Price', Discount: 'Line Discount', 'Discount %': 'Line Discount', 'Line Total': 'Line Total' };
	const typed = headers.map((one) => `${fields[one as keyof typeof fields]} = ${JSON.stringify(one)}`).join('; ');
	const { invoices } = read(sheet, `Customer = Client; Item Name = Work; ${typed}`);
	if (Array.isArray(wanted)) expect(invoices.map(({ total }) => total)).toEqual(wanted);
	else expect(invoices[0].problems).toEqual([wanted]);
}); // prettier-ignore

test('what a person has mapped by hand is not offered otherwise', () => {
	const rows = rowsOf([['Client', 'Work', 'Fee (€)', 'Locker (€)'], ['Ann Lee', 'Year', 100, 12], ['Bo Kim', 'Year', 90, 12]]);
	const mapped = new Map([['itemAmount', 'Fee (€)'], ['itemName', 'Work'], ['customerId', 'Client']]);
	for (const { text } of readRows(rows, customers, { ...settings, mapped }).others())
		expect(text).toContain('Unit Price = "Fee (€)"');
}); // prettier-ignore

test.each(['Facturé', 'Facturée', 'Facturés'])('what is %s is not billed again', (header) => {
	const sheet: Sheet = [['Client', 'Travail', 'Prix', header], ['Ann Lee', 'Design', 10, 'non'], ['Bo Kim', 'Text', 12, 'oui'], ['Cy Roe', 'Film', 13, 'non']];
	expect(read(sheet).invoices.map(({ total }) => total)).toEqual(['10.00', '13.00']);
}); // prettier-ignore

test.each(['Invoice', 'Rechnung', 'Factura', 'Factuur', 'To bill'])(
	'rows that are open are billed below %s',
	(header) => {
		const sheet: Sheet = [['Client', 'Work', 'Fee', header], ['Ann Lee', 'Design', 10, 'open'], ['Bo Kim', 'Text', 12, 'paid'], ['Cy Roe', 'Film', 13, 'open']];
		expect(read(sheet).invoices.map(({ total }) => total)).toEqual(['10.00', '13.00']);
	},
); // prettier-ignore

test.each([
	['Invoice Number Group', 'one invoice per Invoice Number Group'],
	['Row', 'one invoice per "Row"'],
])('the column %s that parts invoices is quoted only if its name means something', (header, wanted) => {
	const sheet: Sheet = [['Client', 'Work', 'Fee', header], ['Ann Lee', 'Design', 10, 'A'], ['Ann Lee', 'Text', 12, 'B']];
	const { text } = read(sheet, `Customer = Client; Item Name = Work; Unit Price = Fee; one invoice per ${JSON.stringify(header)}`);
	expect(text).toContain(`; ${wanted} (text); `);
}); // prettier-ignore

test('a column that is called like a statement is quoted', () => {
	const sheet: Sheet = [['Client', 'Work', 'Fee', 'Taxed at'], ['Ann Lee', 'Design', 10, 'yes'], ['Bo Kim', 'Text', 12, 'no']];
	const confirmed = confirm(sheet);
	expect(read(sheet, confirmed).refusal).toBeUndefined();
}); // prettier-ignore

test('a percentage is added or taken off as the reading says, whatever its header is', () => {
	const sheet: Sheet = [['Client', 'Work', 'Base', 'Fuel %', 'Fee'], ['Ann Lee', 'Trip', 100, '10%', 110], ['Bo Kim', 'Trip', 50, '20%', 60]];
	const typed = (sign: string) => `Customer = Client; Item Name = Work; Line Total = Fee; in all rows: "Fee" = "Base" ${sign} "Fuel %"; not billed: Base, Fuel %`;
	const texts = (sign: string) => read(sheet, typed(sign)).findings.map(({ text }) => text).join();
	expect(texts('plus')).not.toContain('does not hold');
	expect(texts('less')).toContain('does not hold in rows 2 and 3');
}); // prettier-ignore

test('abbreviated headers of several words are read, however many dots they have', () => {
	const sheet: Sheet = [['Cliente', 'Lavoro', 'Prezzo', 'Data fatt.', 'Pagamento'], ['Ann Lee', 'Design', 10, '25/11/2026', '30 gg d.f.']];
	expect(confirm(sheet)).toContain('Invoice Date = Data fatt.');
	const begin = performance.now();
	confirm([['Client', 'Work', 'Fee', `pro${'.'.repeat(150)}z9`], ['Ann Lee', 'Design', 10, 'x']]);
	expect(performance.now() - begin).toBeLessThan(5000);
}); // prettier-ignore

describe('a reading that was typed', () => {
	const typed = 'Customer = Client; Item Name = Work; Unit Price = Fee; one invoice per customer';
	const first = withTotal.slice(0, 4);

	const unseen =
		'Nobody has confirmed how this sheet is read: the reading was typed or changed, and its preview has not been chosen yet';

	test('bills nothing until its preview was chosen', () => {
		expect(read(first, typed).refusal).toBe(unseen);
		expect(read(first, confirm(first, typed)).refusal).toBeUndefined();
	});

	test.each([
		['the invoices', 'one invoice per customer', 'one invoice per row'],
		['a field', 'Unit Price = Fee', 'Line Total = Fee'],
		['a range', '11 to 37', '1 to 3700'],
		['what is settled', '; as in preview', '; unchecked: sums; as in preview'],
	])('bills nothing either if %s of a printed one changed', (_what, was, becomes) => {
		const printed = confirm(first);
		expect(read(first, printed.replaceAll('; ', ';\n ')).refusal).toBeUndefined();
		const changed = printed.replace(was, becomes);
		expect(changed).not.toBe(printed);
		expect(read(first, changed).refusal).toBe(unseen);
		expect(read(first, confirm(first, changed)).refusal).toBeUndefined();
	});
});

describe('columns', () => {
	const long = (end: string) => `${'How many of these do you want? '.repeat(8)}[${end}]`;
	const [tents, stages] = [long('Tents'), long('Stages')];

	test('whose headers begin alike are told apart by what they say, in any order', () => {
		const first: Sheet = [['Client', tents, stages], ['Ann Lee', 3, 40], ['Bo Kim', 4, 50]];
		const confirmed = confirm(first, `Customer = Client; Unit Price = "${stages}"; Quantity = "${tents}"`);
		expect(totals(first, confirmed)).toEqual(['120.00', '200.00']);
		const swapped: Sheet = [['Client', stages, tents], ['Ann Lee', 40, 3], ['Bo Kim', 50, 4]];
		expect(read(swapped, confirmed).refusal).toBeUndefined();
		expect(totals(swapped, confirmed)).toEqual(['120.00', '200.00']);
		expect(read([['Client', stages], ['Ann Lee', 40]], confirmed).refusal).toContain('missing column');
	}); // prettier-ignore

	test('that differ only in spaces or capitals stay what they are, in any order', () => {
		for (const other of [' Fee', 'FEE', 'fee']) {
			const first: Sheet = [['Client', 'Fee', other], ['Ann Lee', 3, 'x'], ['Bo Kim', 4, 'y']];
			const confirmed = confirm(first, `Customer = Client; Unit Price = Fee; not billed: ${other}`);
			const swapped: Sheet = [['Client', other, 'Fee'], ['Ann Lee', 'x', 3], ['Bo Kim', 'y', 4]];
			expect(totals(swapped, confirmed)).toEqual(['3.00', '4.00']);
		}
	}); // prettier-ignore

	test('with the very same header are refused if one of them is billed', () => {
		const sheet = (...headers: string[]): Sheet => [['A', 'B', 'C'], headers, ['Ann Lee', 3, 40], ['Bo Kim', 4, 50]];
		expect(read(sheet('Client', 'Fee', 'Fee')).invoices[0].problems).toEqual([
			'Several columns have the header of "Fee", and only their places tell them apart. Give each a header of its own',
		]);
	}); // prettier-ignore

	test.each([
		['that is written otherwise later', ['Client', 'Fee', 'Fee'], ['Client', 'fee', 'fee']],
		['that belong to items side by side', ['Client', 'Item 1', 'Price 1', 'Price 1', 'Item 2', 'Price 2'], undefined],
		['that are part of a name', ['First Name', 'Last Name', 'Last Name', 'Fee'], undefined],
	])('with the very same header %s are refused', (_what, headers, later = headers) => {
		const cells: Record<string, Cell[]> = { Client: ['Ann Lee', 'Bo Kim'], Item: ['Design', 'Text'], Price: [40, 50], Fee: [40, 50], First: ['Ann', 'Bo'], Last: ['Lee', 'Kim'] };
		const sheet = (own: string[]): Sheet => [
			headers.map((_header, at) => 'ABCDEF'[at]),
			own,
			...[0, 1].map((row) => headers.map((header) => cells[header.split(' ')[0]][row])),
		];
		const confirmed = confirm(sheet(headers));
		expect(read(sheet(later), confirmed).invoices[0].problems).toEqual([
			expect.stringContaining('Several columns have the header of'),
		]);
	}); // prettier-ignore

	test('of amounts side by side give their items the whole header as a name', () => {
		const first: Sheet = [['Client', tents, stages, 'Total'], ['Ann Lee', '3.50', '40.25', '43.75'], ['Bo Kim', '4.50', '50.25', '54.75']];
		const { reading } = read(first);
		expect(reading.drafts[0].items?.map(({ name }) => name)).toEqual([tents, stages]);
	}); // prettier-ignore
});

test.each([
	['Paid', 'Due now', 'Total'],
	['Anzahlung', 'Rest', 'Gesamt'],
	['Payé', 'Reste', 'Total'],
	['Acconto', 'Saldo', 'Totale'],
	['Pagado', 'Pendiente', 'Total'],
	['Betaald', 'Openstaand', 'Totaal'],
	['Pago', 'Em falta', 'Total'],
	['Refunded', 'To pay', 'Total'],
	['Waived', 'To bill', 'Total'],
	['On hold', 'Billable', 'Total'],
	['Deposit', 'Balance', 'Total'],
	['Paid', 'Due now', 'Fee'],
])('of %s + %s = %s, what is open is billed, and a guess says so', (paid, open, total) => {
	const sheet: Sheet = [['Client', 'Work', paid, open, total], ['Ann Lee', 'Design', 50, 120, 170], ['Bo Kim', 'Text', 45, 90, 135]];
	const { invoices, findings } = read(sheet);
	expect(invoices.map((one) => one.total)).toEqual(['120.00', '90.00']);
	expect(findings.map(({ text }) => text)).toContain(
		`without ${paid}, as settled or taken off already`,
	);
}); // prettier-ignore

test.each([
	['a price, if it is the same for other quantities', [40, 10, 40], ['90.00', '200.00']],
	['a total, if it grows with the quantity', [40, 10, 100], ['50.00', '100.00']],
])('of rows with the same item, a sum is %s', (_what, amounts, wanted) => {
	const sheet: Sheet = [['Client', 'Work', 'Qty', 'Sum'], ['Ann Lee', 'Screw', 2, amounts[0]], ['Ann Lee', 'Nail', 1, amounts[1]], ['Bo Kim', 'Screw', 5, amounts[2]]];
	expect(read(sheet).invoices.map(({ total }) => total)).toEqual(wanted);
}); // prettier-ignore

test.each([
	['a margin', ['Price (€)', 'Cost (€)', 'Margin (€)'], [[50, 30, 20], [250, 180, 70]], ['50.00', '250.00']],
	['a discount', ['Course', 'Discount', 'To pay'], [[200, 10, 190], [300, 40, 260]], ['190.00', '260.00']],
])('what is left of a price is billed only if it was called or taken off for that: %s', (_what, headers, rows, wanted) => {
	const sheet: Sheet = [['Client', 'Work', ...headers], ...rows.map((row, at) => [customers[at].name, ['Design', 'Text'][at], ...row])];
	expect(read(sheet).invoices.map(({ total }) => total)).toEqual(wanted);
}); // prettier-ignore

test.each<[string, string[], Cell[][], string[]]>([
	['the balance of a total', ['Qty', 'Price', 'Hire', 'Cleaning', 'Total', 'Deposit', 'Balance'], [[2, 50, 100, 20, 120, 40, 80], [3, 60, 180, '', 180, '', 180]], ['80.00', '180.00']],
	['the sum of two products', ['Starts', 'Per start', 'Minutes', 'Per minute', 'Starting', 'Flying', 'To pay'], [[5, 6.5, 142, 0.35, 32.5, 49.7, 82.2], [3, 6.5, 205, 0.42, 19.5, 86.1, 105.6]], ['82.20', '105.60']],
	['parts of which one is called a wait', ['Ride', 'Surcharge', 'Waiting', 'Total'], [[68, 3.4, 12, 83.4], [288, 14.4, '', 302.4]], ['83.40', '302.40']],
	['an amount that is free in a row', ['Fee', 'Km', 'Per km', 'Travel', 'Total'], [[450, 124, 0.4, 49.6, 499.6], [600, 86, 0.4, 34.4, 634.4], [380, 22, '', 0, 380]], ['499.60', '634.40', '380.00']],
	['surcharges beside a product', ['Kg', 'Per kg', 'Freight', 'Fuel', 'Customs'], [[240, '€2.85', '€684.00', '€96.00', '€75.00'], [480, '€1.95', '€936.00', '€192.00', '']], ['855.00', '1128.00']],
])('all that an amount adds up to is billed: %s', (_what, headers, rows, wanted) => {
	const sheet: Sheet = [['Client', 'Work', ...headers], ...rows.map((row, at) => [customers[at].name, ['Design', 'Text', 'Film'][at], ...row])];
	expect(read(sheet).invoices.map(({ total }) => total)).toEqual(wanted);
}); // prettier-ignore

test('a currency in the header of any column is that of the amounts, if it is the only one', () => {
	const sheet: Sheet = [['Client', 'Work', 'Spots', '€/spot', 'VAT', 'Total'], ['Ann Lee', 'Design', 60, 8.5, 102, 612], ['Bo Kim', 'Text', 40, 11, 88, 528]];
	const { invoices, findings } = readRows(rowsOf(sheet), customers, { defaults: { dueInDays: 14 } });
	expect(invoices.map(({ currency, total }) => [currency, total])).toEqual([['EUR', '612.00'], ['EUR', '528.00']]);
	expect(findings.map(({ text }) => text).join()).not.toContain('Currency');
}); // prettier-ignore

test('answers of which no two are the same part the rows', () => {
	const sheet: Sheet = [['Client', 'Work', 'Fee', 'Paid'], ['Ann Lee', 'Design', 10, 'no'], ['Bo Kim', 'Text', 12, 'yes'], ['Cy Roe', 'Film', 13, 'pending']];
	const { text, invoices } = read(sheet);
	expect(text).toContain('leave out yes');
	expect(invoices.map(({ total }) => total)).toEqual(['10.00', '13.00']);
}); // prettier-ignore

test('several amounts in a row are a guess, whatever they are called', () => {
	const sheet: Sheet = [['Client', 'A conto', 'Restbetrag', 'Gesamtbetrag'], ['Ann Lee', 50, 120, 170], ['Bo Kim', 45, 90, 135]];
	expect(read(sheet).findings.map(({ text }) => text)).toContain('Items = A conto, Restbetrag');
}); // prettier-ignore

test.each([
	['List', 'Discount %', 'Fee'],
	['Preis', 'Rabatt %', 'Betrag'],
	['Unit Price', 'Discount %', 'Line Total'],
])('of %s, %s and %s, nothing is taken off twice, and a guess says so', (list, discount, fee) => {
	const sheet: Sheet = [['Client', 'Work', list, discount, fee], ['Ann Lee', 'Design', '100.00', 10, '90.00'], ['Bo Kim', 'Text', '50.00', 0, '50.00'], ['Cy Roe', 'Film', '80.00', 10, '72.00']];
	const { invoices, findings } = read(sheet);
	expect(invoices.map(({ total }) => total)).toEqual(['90.00', '50.00', '72.00']);
	const wanted = `without ${discount}, as settled or taken off already`;
	expect(findings.map(({ text }) => text)).toContain(wanted);
}); // prettier-ignore

test.each([
	'~5', '>5', '5?', '=5', '[5]', '5-', 'Net -5', '5²', '=A1', '$5', 'A5', '5a', '5,', ',5',
])('terms of %s are no days', (cell) => {
	const next: Sheet = [termed, ['Ann Lee', 'Design', 40, '2026-11-20', cell]];
	expect(read(next, confirm(terms)).invoices[0].problems.join()).toContain('Terms');
}); // prettier-ignore

test('a tax that the sheet explains is billed, and is no news in the next month', () => {
	const headers = ['Client', 'Work', 'Amount', 'VAT', 'Total'];
	const sheet = (...rows: number[][]): Sheet => [
		headers,
		...rows.map((row, at) => [customers[at].name, 'Work', ...row]),
	];
	const first = read(sheet([100, 20, 120], [50.5, 10.1, 60.6], [80, 16, 96]));
	expect(first.text).toContain('in all rows: "Total" = "Amount" + "VAT"');
	const next = sheet([40, 8, 48], [60, 12, 72]);
	expect(read(next, first.text).refusal).toBeUndefined();
	expect(read(sheet([40, 8, 50]), first.text).refusal).toContain('does not hold in row 2');
});

test('a first row that was taken for headers is found, if a customer stands in it', () => {
	const { findings } = read([['Ann Lee', '60'], ['Bo Kim', 75], ['Cy Roe', 80]]); // prettier-ignore
	expect(findings.map(({ text }) => text).join()).toContain('the header "Ann Lee" is a customer');
});
