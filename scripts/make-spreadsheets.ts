import { stringify } from 'csv-stringify/sync';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { makeCustomers } from '../simulator/data/people';
import { fs, path, projectFolder } from './node';

/** The sample spreadsheets of examples/data: 25 rows each, as untidy as real ones, for customers of the simulator. */

const folder = path.join(projectFolder, 'examples', 'data');
const customers = makeCustomers(1);
const rowCount = 25;

const work = [
	['Beratung, März (vor Ort)', 'Beratung'],
	['Köksmontering, 2 dagar', 'Montering'],
	['Überführung "Express"', 'Transport'],
	['Licence, annual', 'Software'],
	['Réparation du vélo', 'Atelier'],
	['Diseño de página web', 'Diseño'],
	['Translation EN → DE, 3,200 words', 'Translation'],
];
const currencies = ['EUR', 'EUR', 'SEK', 'USD', 'CHF'];

interface SampleRow {
	number: string;
	customer: (typeof customers)[number];
	item: string;
	title: string;
	/** In hundredths of the currency. */
	cents: number;
	quantity: number;
	currency: string;
	/** Days after 1 January 2027. */
	due: number;
}

function sampleRow(prefix: string, index: number): SampleRow {
	const [item, title] = work[index % work.length];
	return {
		number: `${prefix}-2027-${String(index + 1).padStart(3, '0')}`,
		customer: customers[(index * 5) % customers.length],
		item,
		title: `${title} ${index + 1}`,
		cents: ((index * 79_193 + 1_234) % 900_000) + 995,
		quantity: 1 + (index % 4),
		currency: currencies[index % currencies.length],
		due: 14 + index,
	};
}

const headers = [
	'Invoice Number',
	'Customer',
	'Customer ID',
	'Title',
	'Item',
	'Amount',
	'Quantity',
	'Currency',
	'Due Date',
];
const dayMs = 86_400_000;
const dueDate = ({ due }: SampleRow) => new Date(Date.UTC(2027, 0, 1) + due * dayMs);
/** The day in the 1900 date system of spreadsheets. */
const serial = (date: Date) => date.getTime() / dayMs + 25_569;
const plain = ({ cents }: SampleRow) => (cents / 100).toFixed(2);
const grouped = (row: SampleRow) => plain(row).replace(/\B(?=(\d{3})+\.)/g, ',');

const rows = (prefix: string) =>
	Array.from({ length: rowCount }, (_, index) => sampleRow(prefix, index));

/** Text only: plain amounts, amounts with thousands separators, ISO dates, serial numbers. */
export function sampleCsv(): string {
	const records = rows('CSV').map((row, index) => [
		row.number,
		row.customer.name,
		row.customer.id,
		row.title,
		row.item,
		index % 3 === 0 ? grouped(row) : plain(row),
		row.quantity,
		row.currency,
		index % 5 === 4 ? serial(dueDate(row)) : dueDate(row).toISOString().slice(0, 10),
	]);
	return stringify([headers, ...records]);
}

const isNumberCell = (index: number) => index % 3 !== 0;

/** Typed cells: amounts as numbers and as text, dates as date cells, as bare serial numbers and as text. */
function sampleSheet(): Row[] {
	const cells = rows('XLSX').map((row, index): Row => {
		const date = dueDate(row);
		return [
			{ value: row.number },
			{ value: row.customer.name },
			{ value: row.customer.id },
			{ value: row.title },
			{ value: row.item },
			index % 3 === 0 ? { value: grouped(row) } : { value: row.cents / 100, type: Number },
			{ value: row.quantity, type: Number },
			{ value: row.currency },
			[
				{ value: date, type: Date, format: 'dd/mm/yyyy' },
				{ value: serial(date), type: Number },
				{ value: date.toISOString().slice(0, 10) },
			][index % 3],
		];
	});
	return [headers.map((value) => ({ value, fontWeight: 'bold' as const })), ...cells];
}

/** The invoices that the sheets stand for, in the fields of a creation request (spec 4.1). */
export function sampleInvoices() {
	const typed = rows('XLSX').map((row, index) => ({
		...row,
		amount: isNumberCell(index) ? String(row.cents / 100) : plain(row),
	}));
	return [...rows('CSV').map((row) => ({ ...row, amount: plain(row) })), ...typed].map((row) => ({
		invoice_number: row.number,
		customer: row.customer.id,
		title: row.title,
		currency: row.currency,
		due_date: dueDate(row).toISOString().slice(0, 10),
		items: [{ name: row.item, amount: row.amount, quantity: row.quantity }],
	}));
}

export async function writeSamples(): Promise<void> {
	fs.writeFileSync(path.join(folder, 'invoices.csv'), sampleCsv());
	await writeXlsxFile(sampleSheet(), { sheet: 'Invoices' }).toFile(
		path.join(folder, 'invoices.xlsx'),
	);
}

if (require.main === module) void writeSamples();
