import { stringify } from 'csv-stringify/sync';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { fs, path, projectFolder } from './node';
import { dueDate, grouped, isNumberCell, plain, rows, serial } from './samples';

/** Writes the sample spreadsheets of examples/data, 25 rows each. */

const folder = path.join(projectFolder, 'examples', 'data');
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
			isNumberCell(index) ? { value: row.cents / 100, type: Number } : { value: grouped(row) },
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

export async function writeSamples(): Promise<void> {
	fs.writeFileSync(path.join(folder, 'invoices.csv'), sampleCsv());
	await writeXlsxFile(sampleSheet(), { sheet: 'Invoices' }).toFile(
		path.join(folder, 'invoices.xlsx'),
	);
}

if (require.main === module) void writeSamples();
