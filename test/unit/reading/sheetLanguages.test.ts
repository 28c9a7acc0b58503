import { languages } from '../../../nodes/InvoicingPayments/reading/words';
import { fold } from '../../../nodes/shared/fields/text';
import { languageSheets } from '../../../tools/commands/languageSheets';
import { daysAfter, isoDay, keptStart } from '../../../tools/commands/samples';
import { knownCustomers } from '../../fixtures/sheetTable/line';
import type { ReadRows } from '../../helpers/sheets/readRows';
import { readRows } from '../../helpers/sheets/readRows';

const [{ name, email }] = knownCustomers;
const thrice = (cell: string) => [cell, cell, cell];

/** The columns of a plain sheet, and those that another column replaces. */
const plain: Record<string, [header: string, cells: string[]]> = {
	invoiceNumber: ['Invoice No', ['A-1', 'A-1', 'B-2']],
	customerEmail: ['Email', thrice(email)],
	itemName: ['Item', ['Design', 'Travel', 'Hosting']],
	itemQuantity: ['Qty', ['2', '1', '3']],
	itemAmount: ['Rate', ['40', '15.50', '20']],
	currency: ['Currency', thrice('EUR')],
	dueDate: ['Due Date', thrice('2027-03-01')],
};
const others: Record<string, [cells: string[], replaces: string[]]> = {
	customerId: [thrice(name), ['customerEmail']],
	itemTotal: [['80', '15.50', '60'], ['itemAmount']],
	amount: [
		['80', '15.50', '60'],
		['itemAmount', 'itemQuantity'],
	],
	terms: [thrice('Net 30'), ['dueDate']],
	invoiceDate: [thrice('2026-11-01'), []],
	title: [thrice('Spring'), []],
	note: [thrice('Thank you very much'), []],
	startsAt: [thrice('2027-01-01'), []],
	discountPercentage: [thrice('10%'), []],
	total: [['95.50', '95.50', '60'], []],
};

/** The plain sheet with this header. */
function sheetWith(field: string, header: string): ReadRows {
	// A field that is not listed is a text of an invoice, as the title is.
	const [cells, replaces] =
		others[field] ?? (field in plain ? [plain[field][1], [field]] : others.title);
	const kept = Object.keys(plain).filter((one) => !replaces.includes(one));
	const columns = [...kept.map((one) => plain[one]), [header, cells] as const];
	const rows = cells.map((_cell, at) =>
		Object.fromEntries(columns.map(([own, all]) => [own, all[at]])),
	);
	return readRows(rows, knownCustomers);
}

test.each(languages)('[R1] every header in $code fills its field without a guess', (language) => {
	const all = { ...language.headers, total: language.totals };
	const wrong = Object.entries(all).flatMap(([field, headers]) =>
		headers.filter((header) => {
			const { statements, findings } = sheetWith(field, header).reading;
			const fields = field === 'amount' ? ['itemAmount', 'itemTotal'] : [field];
			const sources = fields.flatMap((one) => statements.fields.get(one) ?? []);
			return (
				findings.some(({ kind }) => kind === 'guess') ||
				!sources.some((source) => source.header === header)
			);
		}),
	);
	expect(wrong).toEqual([]);
	expect(Object.values(all).flat().length).toBeGreaterThan(100);
});

/** Cells are separated by semicolons; `@` stands for the email of a customer. */
const readSheet = (headers: string, rows: string[], confirmed?: string) =>
	readRows(
		rows.map((row) => {
			const cells = row.replace('@', email).split(';');
			return Object.fromEntries(headers.split(';').map((header, at) => [header, cells[at]]));
		}),
		knownCustomers,
		{ confirmed },
	);

const sheets = languageSheets(keptStart);

describe.each(Object.entries(sheets))('[R1] a sheet in %s', (language, { headers, rows, tax }) => {
	const billed = [
		{ total: '2500.00', due: '2027-04-04', problems: [] },
		{ total: '120.00', due: '2027-03-05', problems: [] },
	];

	test('is billed as it says', () => {
		expect(readSheet(headers, rows).invoices).toMatchObject(billed);
	});

	test('is read with dates of every month', () => {
		for (let month = 0; month < 12; month++) {
			const start = new Date(Date.UTC(2027, month, 1));
			const { rows: dated } = languageSheets(start)[language];
			expect(readSheet(headers, dated).invoices).toMatchObject([
				{ due: isoDay(daysAfter(start, 93)) },
				{ due: isoDay(daysAfter(start, 63)) },
			]);
		}
	});

	test('stops at a column of taxes that was not there when it was confirmed', () => {
		const { refusal, invoices } = readSheet(
			`${headers};${tax}`,
			rows.map((row) => `${row};37,50`),
			readSheet(headers, rows).text,
		);
		expect(invoices).toMatchObject(billed);
		expect(refusal).toContain(`new column: ${tax} (37,50 in row 2)`);
	});
});

test('there is a sheet of every language', () => {
	expect(languages.map(({ code }) => code)).toEqual(['en', ...Object.keys(sheets)]);
});

test.each(languages)('the words of $code are in lower case and without accents', (language) => {
	const { prices, counts, taxes, amounts, identifiers, dates, multiples } = language;
	const { sums, deductions, marks, doubts, asks, billable, yes, no } = language;
	const lists = [
		...[prices, counts, taxes, amounts, identifiers, dates, multiples],
		...[sums, deductions, marks, doubts, asks, billable, yes, no],
	];
	expect(lists.filter((list) => list.length === 0)).toEqual([]);
	expect(lists.flat().filter((word) => fold(word) !== word)).toEqual([]);
});
