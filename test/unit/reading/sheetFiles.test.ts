import { parse } from 'csv-parse/sync';
import { unreadableFile } from '../../../nodes/InvoicingPayments/fromRows/returnedRows/unreadableFile';
import { openSheet } from '../../../nodes/InvoicingPayments/reading/columns';
import { readSheet } from '../../../nodes/InvoicingPayments/reading/readSheet';
import type { SheetRow } from '../../../nodes/InvoicingPayments/reading/table/table';
import { withLetters } from '../../../nodes/InvoicingPayments/reading/table/table';
import { CustomerIndex } from '../../../nodes/shared/customers/customerIndex';
import { nodeProcess } from '../../../tools/node';
import { knownCustomers } from '../../fixtures/sheetTable/line';
import { listed, readRows, settingsOf } from '../../helpers/sheets/readRows';

/** Files as n8n's reader gives them: with *Header Row* on and off, CSV and Excel. */
const titled = `Praxis Sommer - Abrechnung Januar;;;;;
;;;;;
Kunde;Leistung;Menge;Preis;Währung;Fällig am
Demir Trading;Massage;2;45,00;EUR;31.12.2026
Berg & Daughters;Physio;1;60,50;EUR;31.12.2026`;
const headerless = titled.split('\n').slice(3).join('\n');

/** As n8n's CSV reader: columns with the same name become one, empty cells are left out. */
function csvRows(text: string, hasHeaders: boolean): SheetRow[] {
	const records = parse(text, { delimiter: ';', columns: hasHeaders, skip_empty_lines: true });
	return (records as object[]).map((record) => {
		const filled = Object.entries(record).filter(([, cell]) => cell !== '');
		return hasHeaders ? Object.fromEntries(filled) : { row: Object.fromEntries(filled) };
	});
}
/** As n8n's Excel reader without headers: lists, whose last cells may be missing. */
const excelRows = (text: string): SheetRow[] =>
	text.split('\n').map((line) => ({
		row: line
			.replace(/;+$/, '')
			.split(';')
			.map((cell) => (cell === '' ? null : cell)),
	}));
const refusalOf = (rows: SheetRow[]) => unreadableFile(rows, { isMapped: false })?.title;

test('a title that was taken for the headers is noticed, with the way out', () => {
	expect(refusalOf(csvRows(titled, true))).toBe(
		"Columns without a name were lost: turn 'Header Row' off in the node that reads the file, or set its 'Starting Line' to 3",
	);
});

test('a first row that was taken for the headers is noticed, because it would not be billed', () => {
	expect(refusalOf(csvRows(headerless, true))).toBe(
		"The file has no headers: turn 'Header Row' off in the node that reads it",
	);
});

test.each([
	['one column without a name', ';name;item;price\n0;Demir Trading;Massage;45.00'],
	['months', 'Tenant;2026-11-01;2026-12-01\nDemir Trading;45.00;46.00'],
	['years', 'Client;2025;2026\nDemir Trading;45.00;46.00'],
	['one row', 'Client;Price\nDemir Trading;45.00'],
])('headers with %s are headers', (_what, text) => {
	expect(refusalOf(csvRows(text, true))).toBeUndefined();
});

test.each([
	['CSV', csvRows(titled, false)],
	['Excel', excelRows(titled)],
])('with Header Row off, the headers of a %s file are found below the title', (_kind, rows) => {
	const input = withLetters(rows);
	expect(refusalOf([...input])).toBeUndefined();
	const { invoices, text } = readRows(input, knownCustomers);
	expect(text).toMatch(/^headers in row 3; Customer = Kunde /);
	expect(invoices).toMatchObject([
		{ customer: 'kaya@demir.example', total: '90.00', due: '2026-12-31' },
		{ customer: 'pay@berg.example', total: '60.50', due: '2026-12-31' },
	]);
	expect(readRows(input, knownCustomers, { confirmed: text }).refusal).toBeUndefined();
});

test('with Header Row off, the columns of a file without headers are A, B, C', () => {
	const { text, invoices } = readRows(
		withLetters(csvRows(headerless, false)),
		knownCustomers,
		{ confirmed: 'Customer = A; Item Name = B; Quantity = C; Unit Price = D; Currency = E; Due Date = F' }, // prettier-ignore
	);
	expect(text).not.toContain('headers in row');
	expect(invoices.map(({ total }) => total)).toEqual(['90.00', '60.50']);
});

test('columns beyond Z are AA, AB', () => {
	const [row] = withLetters([{ row: Array.from({ length: 28 }, (_, at) => at) }]);
	expect(Object.keys(row).slice(-2)).toEqual(['AA', 'AB']);
});

test('the only column without a name is a guess, because n8n gives the last of several', () => {
	const rows = csvRows(';Kunde;Leistung;Preis\n0;Demir Trading;Massage;45,00', true);
	expect(readRows(rows, knownCustomers).findings.map(({ text }) => text)).toContain(
		'only one column has no name (n8n gives the last of several)',
	);
});

/** Milliseconds of CPU between two steps, at most, and in all. */
function longestStep(rows: SheetRow[]): { longest: number; whole: number } {
	const settings = settingsOf();
	const known = { own: new CustomerIndex(listed(knownCustomers)), notFound: () => '' };
	let [longest, whole] = [0, 0];
	const drive = <T>(steps: Generator<void, T>): T => {
		for (;;) {
			const before = nodeProcess.cpuUsage();
			const { done, value } = steps.next();
			const { user } = nodeProcess.cpuUsage(before);
			longest = Math.max(longest, user / 1000);
			whole += user / 1000;
			if (done) return value;
		}
	};
	drive(readSheet(drive(openSheet(rows, settings)), settings, known));
	return { longest, whole };
}

test('a sheet with 500 columns of numbers is read in short steps', () => {
	const rows = Array.from({ length: 200 }, (_, at): SheetRow => {
		const numbers = Array.from({ length: 500 }, (_one, column) => [
			`Answer ${column} of the form`,
			((at + 1) * (column + 7)) % 1000,
		]);
		const own = { Client: knownCustomers[at % 3].name, Item: 'Massage', Price: at + 0.5 };
		return { ...own, ...(Object.fromEntries(numbers) as SheetRow) };
	});
	longestStep(rows.slice(0, 20));
	const { longest, whole } = longestStep(rows);
	// On a machine of its own 60 and 900 ms. A search for sums among all columns took minutes.
	expect(longest).toBeLessThan(400);
	expect(whole).toBeLessThan(10_000);
});
