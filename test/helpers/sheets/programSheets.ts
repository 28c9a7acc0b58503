import type { IDataObject } from 'n8n-workflow';
import type { StoredInvoice } from '../../../simulator/data/invoices';
import { makeCustomers } from '../../../simulator/data/people';
import { toDecimal, toThousandths } from '../../../simulator/money';
import { fs, path, projectFolder } from '../../../tools/node';

/** A day in Excel, and its text in a CSV file. */
export interface DateCell {
	/** YYYY-MM-DD */
	date: string;
	written: string;
}

/** `''` is an empty cell. */
export type Cell = string | number | DateCell;
export type FileKind = 'csv' | 'xlsx';

/** An invoice that the service must have in the end. */
export interface ExpectedInvoice {
	number?: string;
	/** The email of one of the simulator's customers. */
	customer: string;
	currency: string;
	/** Items minus discount, as a decimal. */
	total: string;
	due_date?: string;
}

/** A sheet as programs export it, or as offices write it, and its invoices. */
export interface ProgramSheet {
	name: string;
	headers: string[];
	/** `[]` is an empty line, without commas. */
	rows: Cell[][];
	/** Parameters that the sheet needs. */
	set?: { defaults?: { currency?: string }; options?: { customerList?: string } };
	/** What a person changes in its reading: a text and its replacement. */
	edit?: [from: string, to: string];
	/** What the preview shows of it. */
	says?: string;
	/** Acceptable ways to call the items: see bookkeeper.ts. */
	words?: Array<string | { eachOf: string[] } | { texts: string[] }>;
	/** Absent: it cannot be billed. */
	invoices?: ExpectedInvoice[];
}

export const programSheets = JSON.parse(
	fs.readFileSync(path.join(projectFolder, 'test', 'fixtures', 'programSheets.json'), 'utf8'),
) as ProgramSheet[];

/** The customers of the simulator's account (seed 1). Each has invoices, and their names differ. */
export const people = makeCustomers(1);

/** The text of a cell in a CSV file. */
const writtenOf = (cell: Cell): string => (typeof cell === 'object' ? cell.written : String(cell));

/** An Excel file contains numbers and dates, a CSV file only text. */
export const cellOf = (kind: FileKind, cell: Cell): string | number | Date => {
	if (kind === 'csv') return writtenOf(cell);
	return typeof cell === 'object' ? new Date(`${cell.date}T00:00:00Z`) : cell;
};

const serialOf = (date: string): number => (Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000;

/** The items that n8n's Extract From File makes of it, with Include Empty Cells or without. Days in Excel are serial numbers. */
export function itemsOf(
	{ headers, rows }: ProgramSheet,
	kind: FileKind,
	keepsEmpty = false,
): IDataObject[] {
	const isBlank = (row: Cell[]) =>
		kind === 'csv' ? row.length === 0 : row.every((one) => one === '');
	const valueOf = (cell: Cell) => {
		if (kind === 'csv') return writtenOf(cell);
		return typeof cell === 'object' ? serialOf(cell.date) : cell;
	};
	return rows
		.filter((row) => !isBlank(row))
		.map(
			(row): IDataObject =>
				Object.fromEntries(
					row
						.map((cell, at) => [headers[at], valueOf(cell)] as const)
						.filter(([, cell]) => keepsEmpty || cell !== ''),
				),
		);
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
export const sortedInvoices = (invoices: ExpectedInvoice[]): ExpectedInvoice[] => {
	const keyOf = ({ number, customer, total }: ExpectedInvoice) =>
		JSON.stringify([customer, total, number]);
	return invoices
		.map((one) => ({ ...one, total: toDecimal(toThousandths(one.total)) }))
		.sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
};

/** The email of the customer with this ID. */
export const emailOf = (id: string): string =>
	people.find((customer) => customer.id === id.toLowerCase())?.email ?? id;

/** Created invoices in the form of a fixture. Numbers that are made of the content are left out. */
export const billed = (created: StoredInvoice[]): ExpectedInvoice[] =>
	sortedInvoices(
		created.map(({ request }) => ({
			...(request.invoice_number !== undefined && { number: request.invoice_number }),
			customer: emailOf(request.customer),
			currency: request.currency,
			total: totalOf(request),
			due_date: request.due_date,
		})),
	);

/** The expected invoices of a fixture. */
export const toBill = ({ invoices = [] }: ProgramSheet): ExpectedInvoice[] =>
	sortedInvoices(invoices).map((invoice) => expect.objectContaining(invoice) as ExpectedInvoice);
