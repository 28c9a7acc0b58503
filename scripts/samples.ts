import { makeCustomers } from '../simulator/data/people';

/**
 * The rows of the sample spreadsheets, as untidy as real ones, for customers of the simulator. Every fifth is a second item of the
 * invoice of the row before it.
 */

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

export interface SampleRow {
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

const isSecond = (index: number) => index % 5 === 3;

function sampleRow(prefix: string, index: number): SampleRow {
	const first = isSecond(index) ? index - 1 : index;
	return {
		number: `${prefix}-2027-${String(first + 1).padStart(3, '0')}`,
		customer: customers[(first * 5) % customers.length],
		item: work[index % work.length][0],
		// What an invoice has once may be left empty in its further rows.
		title: isSecond(index) ? '' : `${work[index % work.length][1]} ${index + 1}`,
		cents: ((index * 79_193 + 1_234) % 900_000) + 995,
		quantity: 1 + (index % 4),
		currency: currencies[first % currencies.length],
		due: 14 + first,
	};
}

const dayMs = 86_400_000;
export const dueDate = ({ due }: SampleRow) => new Date(Date.UTC(2027, 0, 1) + due * dayMs);
/** The day in the 1900 date system of spreadsheets. */
export const serial = (date: Date) => date.getTime() / dayMs + 25_569;
export const plain = ({ cents }: SampleRow) => (cents / 100).toFixed(2);
export const grouped = (row: SampleRow) => plain(row).replace(/\B(?=(\d{3})+\.)/g, ',');

export const rows = (prefix: string) =>
	Array.from({ length: rowCount }, (_, index) => sampleRow(prefix, index));

export const isNumberCell = (index: number) => index % 3 !== 0;

/** The invoices that the sheets stand for, in the fields of a creation request (spec 4.1), and the rows that make each. */
export function sampleInvoices() {
	const csv = rows('CSV').map((row) => ({ ...row, amount: plain(row) }));
	const xlsx = rows('XLSX').map((row, index) => ({
		...row,
		amount: isNumberCell(index) ? String(row.cents / 100) : plain(row),
	}));
	return [csv, xlsx].flatMap((sheet) => {
		const firsts = sheet.filter((_, index) => !isSecond(index));
		return firsts.map((row) => {
			const all = sheet.flatMap((other, at) =>
				other.number === row.number ? [{ other, at }] : [],
			);
			return {
				rows: all.map(({ at }) => at + 2),
				request: {
					invoice_number: row.number,
					customer: row.customer.id,
					title: row.title,
					currency: row.currency,
					due_date: dueDate(row).toISOString().slice(0, 10),
					items: all.map(({ other: { item: name, amount, quantity } }) => ({
						name,
						amount,
						quantity,
					})),
				},
			};
		});
	});
}
