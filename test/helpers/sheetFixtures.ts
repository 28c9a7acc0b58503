import type { IDataObject } from 'n8n-workflow';
import type { StoredInvoice } from '../../simulator/data/invoices';
import { toDecimal, toThousandths } from '../../simulator/money';
import { makeCustomers } from '../../simulator/data/people';
import type { Cell, ExpectedInvoice, SheetFixture } from '../fixtures/sheets/sheet';

type Table = Pick<SheetFixture, 'headers' | 'rows'>;

/** What a CSV file holds. */
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
 * The items that n8n's Extract From File makes of a CSV file: text only, no item for a line without anything in it, an
 * empty one for a line of commas. Empty cells are left out, unless Include Empty Cells is on.
 */
export function csvItems({ headers, rows }: Table, includeEmptyCells = false): IDataObject[] {
	const lines = rows.filter((row) => row.length > 0).map((row) => row.map(writtenOf));
	return itemsOf(headers, lines, includeEmptyCells);
}

/** The items that it makes of an Excel file, read raw: numbers stay numbers, days are serial numbers, empty rows are left out. */
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

/** Items minus discount, exactly. Throws a RangeError where that is no decimal of the service. */
function totalOf({ items, discount_percentage: percentage }: StoredInvoice['request']): string {
	const sum = items.reduce(
		(total, { amount = '0', quantity = 1 }) => total + toThousandths(amount) * BigInt(quantity),
		0n,
	);
	const rest = sum * BigInt(100 - percentage);
	if (rest % 100n !== 0n) throw new RangeError(`Not a whole thousandth: ${rest} / 100`);
	return toDecimal(rest / 100n);
}

/** In an order that does not depend on when they were created. */
const sorted = (invoices: ExpectedInvoice[]): ExpectedInvoice[] => {
	const keyOf = ({ number, customer, total }: ExpectedInvoice) =>
		JSON.stringify([number, customer, total]);
	return [...invoices].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
};

/** The e-mail of the customer with this ID. */
export const emailOf = (id: string): string =>
	makeCustomers(1).find((customer) => customer.id === id)?.email ?? id;

/** What was billed by these invoices, in the words of a fixture. Numbers that nobody gave are left out. */
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

/** What has to be billed. */
export const toBill = ({ invoices = [] }: SheetFixture): ExpectedInvoice[] =>
	sorted(invoices).map((invoice) => expect.objectContaining(invoice) as ExpectedInvoice);

/** Fails with the whole error if it does not say all of these words. */
export function expectWords(
	error: { message: string; description?: unknown } | undefined,
	words: string[],
) {
	const text = error ? `${error.message}\n${String(error.description ?? '')}` : 'There is no error';
	const isMissing = (word: string) => !text.toLowerCase().includes(word.toLowerCase());
	expect({ missing: words.filter(isMissing), text }).toEqual({ missing: [], text });
	expect(error).toBeDefined();
}
