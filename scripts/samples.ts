import { makeCustomers } from '../simulator/data/people';

/** The rows of the sample spreadsheets, as untidy as real ones, for customers of the simulator. */

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

const dayMs = 86_400_000;
export const dueDate = ({ due }: SampleRow) => new Date(Date.UTC(2027, 0, 1) + due * dayMs);
/** The day in the 1900 date system of spreadsheets. */
export const serial = (date: Date) => date.getTime() / dayMs + 25_569;
export const plain = ({ cents }: SampleRow) => (cents / 100).toFixed(2);
export const grouped = (row: SampleRow) => plain(row).replace(/\B(?=(\d{3})+\.)/g, ',');

export const rows = (prefix: string) =>
	Array.from({ length: rowCount }, (_, index) => sampleRow(prefix, index));

export const isNumberCell = (index: number) => index % 3 !== 0;

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
