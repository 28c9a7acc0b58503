import type { IDataObject } from 'n8n-workflow';
import type { StoredInvoice } from '../../simulator/data/invoices';
import { toDecimal, toThousandths } from '../../simulator/money';
import { makeCustomers } from '../../simulator/data/people';
import type { Cell, ExpectedInvoice, SheetFixture } from '../fixtures/sheets/sheet';

type Table = Pick<SheetFixture, 'headers' | 'rows'>;

/** The text of a cell in a CSV file. */
export const writtenOf = (cell: Cell): string =>
	typeof cell === 'object' ? cell.written : String(cell);

const serialOf = (date: string): number => (Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000;

function itemsOf(headers: string[], rows: Array<Array<string | number>>, keepsEmpty: boolean) {
	return rows.map((row): IDataObject => {
		const cells = row.map((cell, column) => [headers[column], cell] as const);
		return Object.fromEntries(keepsEmpty ? cells : cells.filter(([, cell]) => cell !== ''));
	});
}

/**
 * The items that n8n's Extract From File makes from a CSV file. Cells are text. An empty line gives no item, and a line of commas an
 * empty one. Empty cells are missing unless Include Empty Cells is on.
 */
export function csvItems({ headers, rows }: Table, includeEmptyCells = false): IDataObject[] {
	const lines = rows.filter((row) => row.length > 0).map((row) => row.map(writtenOf));
	return itemsOf(headers, lines, includeEmptyCells);
}

/** The items from an Excel file with RAW Data: numbers stay numbers, days are serial numbers, empty rows are missing. */
export function excelItems({ headers, rows }: Table): IDataObject[] {
	const isBlank = (header: string) => header === '';
	const named = headers.map((header, column) => {
		const before = headers.slice(0, column).filter(isBlank).length;
		return isBlank(header) ? `__EMPTY${before ? `_${before}` : ''}` : header;
	});
	const values = rows.map((row) =>
		row.map((cell) => (typeof cell === 'object' ? serialOf(cell.date) : cell)),
	);
	const filled = values.filter((row) => row.some((cell) => cell !== ''));
	return itemsOf(named, filled, false);
}

/** The exact total of items minus discount. Throws a RangeError if it has more decimals than the service allows. */
function totalOf({ items, discount_percentage: percentage }: StoredInvoice['request']): string {
	const sum = items.reduce(
		(total, { amount = '0', quantity = 1 }) => total + toThousandths(amount) * BigInt(quantity),
		0n,
	);
	const rest = sum * BigInt(100 - percentage);
	if (rest % 100n !== 0n) throw new RangeError(`Not a whole thousandth: ${rest} / 100`);
	return toDecimal(rest / 100n);
}

/** Sorted independently of the time of creation. */
const sorted = (invoices: ExpectedInvoice[]): ExpectedInvoice[] => {
	const keyOf = ({ number, customer, total }: ExpectedInvoice) =>
		JSON.stringify([number, customer, total]);
	return [...invoices].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
};

/** The e-mail of the customer with this ID. */
export const emailOf = (id: string): string =>
	makeCustomers(1).find((customer) => customer.id === id)?.email ?? id;

/** Created invoices in the form of a fixture. Generated numbers are left out. */
export const billed = (created: StoredInvoice[]): ExpectedInvoice[] =>
	sorted(
		created.map(({ request }) => ({
			...(request.invoice_number !== undefined && { number: request.invoice_number }),
			customer: emailOf(request.customer),
			currency: request.currency,
			total: totalOf(request),
			due_date: request.due_date,
		})),
	);

/** The expected invoices of a fixture. */
export const toBill = ({ invoices = [] }: SheetFixture): ExpectedInvoice[] =>
	sorted(invoices).map((invoice) => expect.objectContaining(invoice) as ExpectedInvoice);

/** Expects these words in an error, and shows the whole error otherwise. */
export function expectWords(
	error: { message: string; description?: unknown } | undefined,
	words: string[],
) {
	const text = error ? `${error.message}\n${String(error.description ?? '')}` : 'There is no error';
	const isMissing = (word: string) => !text.toLowerCase().includes(word.toLowerCase());
	expect({ missing: words.filter(isMissing), text }).toEqual({ missing: [], text });
	expect(error).toBeDefined();
}
