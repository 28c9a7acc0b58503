import { quote } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { itemOf } from './amounts';
import type { FieldColumn } from './columns';
import type { RowCells } from './rowCells';
import type { RowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import { isTotalName } from './rowWords';

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

/** What the cells of a row say by the names of their fields, and what is wrong with it. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	/** Number of the row in the sheet. */
	readonly number: number;
	readonly cells: RowCells;
	readonly values: ReadonlyMap<string, unknown>;
	/** The fields whose cells are not valid. */
	readonly invalid: ReadonlySet<string>;
	readonly problems: readonly CellProblem[];
	/** What is wrong with cells that may not be needed: terms, where there is a due date. */
	readonly deferred: ReadonlyMap<string, CellProblem[]>;
	/** The currencies that stand beside amounts. */
	readonly marks: ReadonlyArray<{ mark: string; header?: string }>;
	readonly customers: readonly CustomerCell[];
	/** Who the customer is, where no ID said so. */
	readonly match?: CustomerMatch;
	/** What the service is sent for the row. */
	readonly item?: InvoiceItem;
	/** What a row that is a total of others is called. Only its invoice number counts. */
	readonly totalName?: string;
	/** The amount that such a row gives for the total. */
	readonly totalAmount?: string;
}

/** Where two columns fill such a field, the more telling one is taken: their texts need not be the same. */
const freeTexts = ['itemName', 'title', 'note', 'invoiceDate'];
const deferredFields = ['terms', 'invoiceDate'];
const customerFields = ['customerId', 'customerEmail'];

/** The row that cells make. `columns`: as their fields are meant, in the order of the cells. */
export function rowOf(cells: RowCells, columns: FieldColumn[], settings: RowSettings): Row {
	const { index, number } = cells;
	const values = new Map<string, unknown>();
	const invalid = new Set<string>();
	const problems: CellProblem[] = [];
	const deferred = new Map<string, CellProblem[]>();
	const marks: Array<{ mark: string; header?: string }> = [];
	const customers: CustomerCell[] = [];
	columns.forEach((column, at) => {
		const { name, displayName: label } = column.field;
		const outcome = cells.fields[at];
		if (!outcome || (values.has(name) && freeTexts.includes(name))) return;
		const shown = headerOf(column);
		const where = shown === undefined ? {} : { header: shown };
		const problem = (text: string) => ({ row: number, ...where, text });
		if ('problems' in outcome) {
			const own = outcome.problems.map(problem);
			if (deferredFields.includes(name)) deferred.set(name, own);
			else {
				invalid.add(name);
				problems.push(...own);
			}
			return;
		}
		const { value, mark } = outcome;
		for (const one of [mark, column.currency])
			if (one !== undefined) marks.push({ mark: one, ...where });
		if (customerFields.includes(name)) {
			customers.push({ text: String(value), isEmail: name === 'customerEmail', ...where });
		}
		const before = values.get(name);
		if (!values.has(name)) values.set(name, value);
		else if (!customerFields.includes(name) && !isSame(before, value)) {
			invalid.add(name);
			problems.push(
				problem(
					`${label} is ${quote(value)} here and ${quote(before)} in another column. Correct one of them, or add one of the columns to 'Ignore Columns'`,
				),
			);
		}
	});
	const row = { index, number, cells, values, invalid, problems, deferred, marks, customers };
	const total = totalNameIn(row);
	if (total !== undefined && settings.totalRows !== 'bill') return totalRow(row, total);
	const perTime = columns.find(({ isPerTime }) => isPerTime)?.header;
	const counts = ['itemQuantity', 'itemTotal'];
	const isCounted = counts.some((name) => values.has(name) || invalid.has(name));
	if (perTime !== undefined && !isCounted) {
		problems.push({
			row: number,
			text: `Item Quantity is empty, but "${perTime}" is a price for one. Enter it, or, if each row is one, rename the column to Price`,
		});
	}
	const { item, problems: wrong } = itemOf(row, settings);
	return {
		...row,
		problems: [...problems, ...wrong.map((text) => ({ row: number, text }))],
		...(item && { item }),
	};
}

/** The name by which a row says that it is the sum of others: in its first cell, or where the item's name should be. */
const totalNameIn = ({ cells, values }: Row): string | undefined =>
	[cells.first, values.get('itemName')].find(
		(text): text is string => typeof text === 'string' && isTotalName(text),
	);

/** A row that is not to be billed. */
function totalRow({ index, number, cells, values }: Row, name: string): Row {
	const own = values.get('invoiceNumber');
	const amount = ['itemTotal', 'itemAmount']
		.map((one) => values.get(one))
		.find((one) => one !== undefined);
	return {
		index,
		number,
		cells,
		values: new Map(own === undefined ? [] : [['invoiceNumber', own]]),
		invalid: new Set(),
		problems: [
			{
				row: number,
				text: `This row looks like a total (${quote(name)}). Set 'Rows That Look Like Totals' to Skip, or delete the row`,
			},
		],
		deferred: new Map(),
		marks: [],
		customers: [],
		totalName: name,
		...(typeof amount === 'string' && { totalAmount: amount }),
	};
}

/** The column as errors name it: not where its header is the name of the field. */
const headerOf = ({ field, header }: FieldColumn) =>
	header === field.displayName ? undefined : header;

/** Amounts are the same whatever zeros they end with. */
function isSame(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) =>
		typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
			? value.replace(/\.?0+$/, '')
			: JSON.stringify(value).replace(/^"|"$/g, '');
	return plain(one) === plain(other);
}

/** `2`, `2 and 3`, `2, 3, 4, 5, 6 and 7 more`. */
export function numbersOf(rows: number[], most = 5): string {
	const named = rows.slice(0, most).map(String);
	if (rows.length > most) return `${named.join(', ')} and ${rows.length - most} more`;
	if (rows.length === 1) return named[0];
	return `${named.slice(0, -1).join(', ')} and ${named[named.length - 1]}`;
}

/** `row 2`, `rows 2 and 3`, `rows 2, 3, 4, 5, 6 and 7 more`. */
export function nameOf(rows: readonly Row[]): string {
	const numbers = [...new Set(rows.map(({ number }) => number))];
	return `row${numbers.length === 1 ? '' : 's'} ${numbersOf(numbers)}`;
}

/** What the rows of one invoice say of a field of which it has one: the value, or the rows that contradict each other. */
export function agreed(
	rows: readonly Row[],
	{ name, displayName }: Pick<RowField, 'name' | 'displayName'>,
): { value: unknown } | { problem: string } {
	const saying = rows.filter(({ values }) => values.has(name));
	const [first] = saying;
	const value = first?.values.get(name);
	const shown = (one: unknown) => JSON.stringify(one)?.normalize('NFC');
	const other = saying.find(({ values }) => shown(values.get(name)) !== shown(value));
	if (!other) return { value };
	return {
		problem: `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}. Enter the same, or add the column to 'Ignore Columns'`,
	};
}
