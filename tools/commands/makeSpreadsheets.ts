import { stringify } from 'csv-stringify/sync';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { fs, path, projectFolder } from '../node';
import { languageSheets } from './languageSheets';
import {
	daysAfter,
	grouped,
	isNumberCell,
	isoDay,
	keptStart,
	plain,
	rows,
	serial,
} from './samples';

const folder = path.join(projectFolder, 'examples', 'data');

export interface Sheet {
	headers: string[];
	/** In CSV, everything is text. */
	rows: Array<Array<string | number | Date>>;
	dateFormat?: string;
	/** Excel shows two decimals in this column. */
	moneyHeader?: string;
}

const shortMonth = (date: Date) =>
	date.toLocaleDateString('en-GB', {
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		timeZone: 'UTC',
	});

/** Text only: amounts with and without thousands separators, dates in three formats, payment terms. */
export const csvSample = (start: Date): Sheet => ({
	headers: [
		'Invoice No.',
		'Customer',
		'Email',
		'Description',
		'Qty',
		'Unit Price',
		'Amount',
		'Currency',
		'Invoice Date',
		'Terms',
	],
	rows: rows('CSV', start).map((row, index) => {
		const money = index % 3 === 0 ? grouped : plain;
		const date = [isoDay, shortMonth, isoDay, isoDay, serial][index % 5];
		return [
			row.number,
			row.customer.name,
			row.customer.email,
			row.item,
			row.quantity,
			money(row.price),
			money(row.total),
			row.currency,
			// Further rows of an invoice may leave these empty.
			row.isSecond ? '' : date(row.invoiced),
			row.isSecond ? '' : row.terms,
		];
	}),
});

/** Amounts as numbers and text, dates as date cells, serial numbers and text. */
export const excelSample = (start: Date): Sheet => ({
	headers: [
		'Invoice #',
		'Client Name',
		'Client Email',
		'Item Description',
		'Quantity',
		'Rate',
		'Line Total',
		'Currency',
		'Due Date',
		'Invoice Total',
	],
	rows: rows('XLSX', start).map((row, index, all) => {
		const { number, customer, price, due, isSecond } = row;
		const dates = [due, serial(due), isoDay(due)];
		const own = all.filter((other) => other.number === number);
		const total = own.reduce((sum, other) => sum + other.total, 0);
		return [
			number,
			customer.name,
			customer.email,
			row.item,
			row.quantity,
			isNumberCell(index) ? price / 100 : grouped(price),
			row.total / 100,
			row.currency,
			isSecond ? '' : dates[index % 3],
			isSecond ? '' : total / 100,
		];
	}),
	dateFormat: 'dd/mm/yyyy',
});

export const template = (start: Date): Sheet => ({
	headers: [
		'Invoice Number',
		'Customer Email',
		'Title',
		'Item Name',
		'Quantity',
		'Unit Price',
		'Currency',
		'Due Date',
	],
	rows: (
		[
			['2027-0001', 1, 'Services in January', 'Consulting', 8, 120],
			['2027-0001', 1, 'Services in January', 'Travel costs', 1, 86.4],
			['2027-0002', 2, 'Website', 'Hosting, one year', 1, 240],
		] as const
	).map(([number, customer, title, item, quantity, price]) => [
		number,
		`billing${customer}@customer.example`,
		title,
		item,
		quantity,
		price,
		'EUR',
		daysAfter(start, 58),
	]),
	dateFormat: 'yyyy-mm-dd',
	moneyHeader: 'Unit Price',
});

const textOf = (cell: Sheet['rows'][number][number]) =>
	cell instanceof Date ? isoDay(cell) : String(cell);

/** The template as people would type it. */
export function csvTemplate(start: Date): Sheet {
	const { headers, moneyHeader, rows: records } = template(start);
	const textIn = (cell: Sheet['rows'][number][number], column: number) =>
		headers[column] === moneyHeader ? Number(cell).toFixed(2) : textOf(cell);
	return { headers, rows: records.map((record) => record.map(textIn)) };
}

function languageTexts(language: string, start: Date): { headers: string[]; rows: string[][] } {
	const { headers, rows: lines } = languageSheets(start)[language];
	const filled = lines.map((line) => line.replace('@', 'billing1@customer.example'));
	return { headers: headers.split(';'), rows: filled.map((line) => line.split(';')) };
}

/** What Excel makes of typed text. */
function typed(text: string): string | number | Date {
	const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? [];
	if (year) return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	const isNumber = /^\d{1,3}(?:[. ]\d{3})*(?:,\d+)?$/.test(text);
	return isNumber ? Number(text.replace(/[. ]/g, '').replace(',', '.')) : text;
}

/** Like German Windows: semicolons and Windows-1252. */
const languageCsv = (language: string, start: Date): Buffer => {
	const { headers, rows: lines } = languageTexts(language, start);
	const text = stringify([headers, ...lines], { delimiter: ';', record_delimiter: 'windows' });
	return Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');
};

const languageSheet = (language: string, start: Date): Sheet => {
	const { headers, rows: lines } = languageTexts(language, start);
	return { headers, rows: lines.map((line) => line.map(typed)), dateFormat: 'dd.mm.yyyy' };
};

const csvOf = ({ headers, rows: records }: Sheet): string => stringify([headers, ...records]);

async function writeExcel(file: string, sheet: Sheet, name: string): Promise<void> {
	const { headers, rows: records, dateFormat, moneyHeader } = sheet;
	const cells = records.map(
		(record): Row =>
			record.map((value, column) => {
				if (value === '') return null;
				if (value instanceof Date) return { value, type: Date, format: dateFormat };
				if (typeof value === 'string') return { value };
				const isMoney = headers[column] === moneyHeader;
				return { value, type: Number, ...(isMoney && { format: '0.00' }) };
			}),
	);
	const bold = headers.map((value) => ({ value, fontWeight: 'bold' as const }));
	const columns = headers.map((header, column) => {
		const texts = records.map((record) => textOf(record[column]));
		return { width: Math.max(...[header, ...texts].map(({ length }) => length)) + 2 };
	});
	await writeXlsxFile([bold, ...cells], { sheet: name, columns }).toFile(file);
}

/** Writes the files of examples/data with dates from this day on. */
export async function writeSheets(target: string, start: Date): Promise<void> {
	fs.writeFileSync(path.join(target, 'invoices.csv'), csvOf(csvSample(start)));
	fs.writeFileSync(path.join(target, 'invoice-template.csv'), csvOf(csvTemplate(start)));
	await writeExcel(path.join(target, 'invoices.xlsx'), excelSample(start), 'Invoices');
	await writeExcel(path.join(target, 'invoice-template.xlsx'), template(start), 'Invoices');
	for (const language of Object.keys(languageSheets(start))) {
		fs.writeFileSync(path.join(target, `invoices.${language}.csv`), languageCsv(language, start));
		const sheet = languageSheet(language, start);
		await writeExcel(path.join(target, `invoices.${language}.xlsx`), sheet, 'Invoices');
	}
}

if (require.main === module) void writeSheets(folder, keptStart);
