import type { IDataObject } from 'n8n-workflow';
import { isEmpty, quote } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import type { CellOutcome, ColumnFormat } from './cells';
import { readCell } from './cells';
import type { Column } from './columns';
import type { RowField } from './rowFields';

/** What is wrong with a cell, or with a row where no column is named. */
export interface CellProblem {
	/** Number of the row in the sheet. */
	row: number;
	header?: string;
	/** Begins with the name of the field. */
	text: string;
}

/** What is wrong with a cell, and where it stands. */
export const textOf = ({ row, header, text }: CellProblem): string =>
	`Row ${row}${header === undefined ? '' : `, column "${header}"`}: ${text}`;

/** What a cell says of the customer: an ID, an email or a name. */
export interface CustomerCell {
	text: string;
	header?: string;
	/** Whether its column is one of emails. */
	isEmail: boolean;
}

/** Who a row's customer is, and by what that was found. */
export interface CustomerMatch {
	by: 'email' | 'name';
	name?: string;
	email?: string;
	id: string;
}

/** A row as it was read: the values of its cells by the names of their fields, and what is wrong with it. */
export interface Row {
	/** Index of the input item. */
	index: number;
	/** Number of the row in the sheet. */
	number: number;
	values: Map<string, unknown>;
	/** The fields whose cells are not valid. */
	invalid: Set<string>;
	problems: CellProblem[];
	/** What is wrong with cells that may not be needed: terms, where there is a due date. */
	deferred: Map<string, CellProblem[]>;
	/** The currencies that stand beside amounts. */
	marks: Array<{ mark: string; header?: string }>;
	customers: CustomerCell[];
	/** Who the customer is, where no ID said so. */
	match?: CustomerMatch;
	/** What the service is sent for the row. */
	item?: InvoiceItem;
	/** Whether it is the sum of other rows. */
	isSum?: boolean;
}

/** A column and how it writes its values. */
export interface FormattedColumn extends Column {
	format: ColumnFormat;
}

/** Where two columns fill such a field, the more telling one is taken: their texts need not be the same. */
const freeTexts = ['itemName', 'title', 'note', 'invoiceDate'];
const deferredFields = ['terms', 'invoiceDate'];
const customerFields = ['customerId', 'customerEmail'];

/** Reads a row. Cells that are empty are left out; an expression that cannot be evaluated is a problem of its row. */
export function readRow(
	columns: FormattedColumn[],
	json: IDataObject,
	{ index, number }: Pick<Row, 'index' | 'number'>,
	zone: string,
): Row {
	const row: Row = {
		index,
		number,
		values: new Map(),
		invalid: new Set(),
		problems: [],
		deferred: new Map(),
		marks: [],
		customers: [],
	};
	for (const column of columns) readInto(row, column, json, zone);
	return row;
}

function readInto(row: Row, column: FormattedColumn, json: IDataObject, zone: string): void {
	const { field, format, currency } = column;
	const { name, displayName: label } = field;
	const header = headerOf(column);
	if (row.values.has(name) && freeTexts.includes(name)) return;
	const outcome = readSafely(
		() => readCell(field, column.read(json, row.index), format, zone),
		label,
	);
	if (!outcome) return;
	if ('problems' in outcome) {
		const problems = outcome.problems.map((text) => ({
			row: row.number,
			...(header !== undefined && { header }),
			text,
		}));
		if (deferredFields.includes(name)) row.deferred.set(name, problems);
		else {
			row.invalid.add(name);
			row.problems.push(...problems);
		}
		return;
	}
	const { value, mark } = outcome;
	for (const one of [mark, currency]) {
		if (one !== undefined) row.marks.push({ mark: one, ...(header !== undefined && { header }) });
	}
	if (customerFields.includes(name)) {
		const isEmail = name === 'customerEmail';
		row.customers.push({ text: String(value), isEmail, ...(header !== undefined && { header }) });
	}
	if (!row.values.has(name)) row.values.set(name, value);
	else if (!customerFields.includes(name) && !isSame(row.values.get(name), value)) {
		row.invalid.add(name);
		row.problems.push({
			row: row.number,
			...(header !== undefined && { header }),
			text: `${label} is ${quote(value)} here and ${quote(row.values.get(name))} in another column. Correct one of them, or add one of the columns to 'Ignore Columns'`,
		});
	}
}

/** The column as errors name it: not where its header is the name of the field. */
const headerOf = ({ field, header }: Column) => (header === field.displayName ? undefined : header);

/** Amounts are the same whatever zeros they end with. */
function isSame(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) =>
		typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
			? value.replace(/\.?0+$/, '')
			: JSON.stringify(value).replace(/^"|"$/g, '');
	return plain(one) === plain(other);
}

function readSafely(read: () => CellOutcome, label: string): CellOutcome {
	try {
		return read();
	} catch (error) {
		return { problems: [`${label} cannot be read: ${(error as Error).message}`] };
	}
}

/** The number of a row: what a reader of sheets says it is, or else counted on from the row of the first item. */
export function rowNumber(
	{ row_number: told }: IDataObject,
	index: number,
	firstRow: number,
): number {
	return typeof told === 'number' && Number.isInteger(told) ? told : firstRow + index;
}

/** A row without any value: sheets often end with some. */
export const isBlank = (json: IDataObject) =>
	Object.entries(json).every(([header, cell]) => header === 'row_number' || isEmpty(cell));

/** `2`, `2 and 3`, `2, 3, 4, 5, 6 and 7 more`. */
export function numbersOf(rows: number[], most = 5): string {
	const named = rows.slice(0, most).map(String);
	if (rows.length > most) return `${named.join(', ')} and ${rows.length - most} more`;
	if (rows.length === 1) return named[0];
	return `${named.slice(0, -1).join(', ')} and ${named[named.length - 1]}`;
}

/** `row 2`, `rows 2 and 3`, `rows 2, 3, 4, 5, 6 and 7 more`. */
export const nameOf = (rows: Row[]): string =>
	`row${rows.length === 1 ? '' : 's'} ${numbersOf(rows.map(({ number }) => number))}`;

/** What the rows of one invoice say of a field of which it has one: the value, or the rows that contradict each other. */
export function agreed(
	rows: Row[],
	{ name, displayName }: Pick<RowField, 'name' | 'displayName'>,
): { value: unknown } | { problem: string } {
	const saying = rows.filter(({ values }) => values.has(name));
	const [first] = saying;
	const value = first?.values.get(name);
	const textOf = (one: unknown) => JSON.stringify(one)?.normalize('NFC');
	const other = saying.find(({ values }) => textOf(values.get(name)) !== textOf(value));
	if (!other) return { value };
	return {
		problem: `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}. Enter the same, or add the column to 'Ignore Columns'`,
	};
}
