import { makeCustomers } from '../../simulator/data/people';

/**
 * Rows of the sample spreadsheets, as untidy as real ones. Their customers have invoices in the simulator. Every fifth row is a
 * second item of the invoice before it.
 */

const customers = makeCustomers(1);
const rowCount = 25;

const work = [
	'Beratung, März (vor Ort)',
	'Köksmontering, 2 dagar',
	'Überführung "Express"',
	'Licence, annual',
	'Réparation du vélo',
	'Diseño de página web',
	'Translation EN → DE, 3,200 words',
];
const currencies = ['EUR', 'USD', 'SEK', 'CHF'];
const allTerms: Array<[terms: string, days: number]> = [
	['Net 30', 30],
	['14 days', 14],
	['Due on receipt', 0],
	['60', 60],
];

interface SampleRow {
	number: string;
	customer: (typeof customers)[number];
	item: string;
	/** Hundredths, for one unit. */
	price: number;
	total: number;
	quantity: number;
	currency: string;
	invoiced: Date;
	terms: string;
	due: Date;
	/** Whether the row adds an item to the invoice before it. */
	isSecond: boolean;
}

const dayMs = 86_400_000;

/** First day of the sheets in examples/data. */
export const keptStart = new Date(Date.UTC(2027, 0, 1));

/** First day of sheets that are billed now: a due date that is long past would stop them. */
export function comingStart(now = new Date()): Date {
	return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

export const daysAfter = (start: Date, days: number) => new Date(start.getTime() + days * dayMs);

function sampleRow(prefix: string, index: number, start: Date): SampleRow {
	const isSecond = index % 5 === 3;
	const first = isSecond ? index - 1 : index;
	const [terms, days] = allTerms[first % allTerms.length];
	const price = ((index * 79_193 + 1_234) % 900_000) + 995;
	const quantity = 1 + (index % 4);
	return {
		number: `${prefix}-${start.getUTCFullYear()}-${String(first + 1).padStart(3, '0')}`,
		customer: customers[(first * 5) % customers.length],
		item: work[index % work.length],
		price,
		total: price * quantity,
		quantity,
		currency: currencies[first % currencies.length],
		invoiced: daysAfter(start, first),
		terms,
		due: daysAfter(start, first + days),
		isSecond,
	};
}

export const isoDay = (date: Date) => date.toISOString().slice(0, 10);
/** Day in the 1900 date system of spreadsheets. */
export const serial = (date: Date) => date.getTime() / dayMs + 25_569;
export const plain = (hundredths: number) => (hundredths / 100).toFixed(2);
export const grouped = (hundredths: number) => plain(hundredths).replace(/\B(?=(\d{3})+\.)/g, ',');

export const rows = (prefix: string, start: Date) =>
	Array.from({ length: rowCount }, (_, index) => sampleRow(prefix, index, start));

/** Whether the price in the Excel file is a number instead of text. */
export const isNumberCell = (index: number) => index % 3 !== 0;

/** The invoices in the sheets (spec 4.1), and the rows of each. */
export function sampleInvoices(start: Date) {
	const csv = rows('CSV', start).map((row) => ({ ...row, amount: plain(row.price) }));
	const xlsx = rows('XLSX', start).map((row, index) => ({
		...row,
		amount: isNumberCell(index) ? String(row.price / 100) : plain(row.price),
	}));
	return [csv, xlsx].flatMap((sheet) =>
		sheet
			.filter(({ isSecond }) => !isSecond)
			.map((row) => {
				const all = sheet.flatMap((other, at) =>
					other.number === row.number ? [{ other, at }] : [],
				);
				return {
					rows: all.map(({ at }) => at + 2),
					request: {
						invoice_number: row.number,
						customer: row.customer.id,
						currency: row.currency,
						due_date: isoDay(row.due),
						items: all.map(({ other: { item: name, amount, quantity } }) => ({
							name,
							amount,
							quantity,
						})),
					},
				};
			}),
	);
}
