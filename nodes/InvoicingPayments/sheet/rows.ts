import { quote } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { itemOf } from './amounts';
import type { FieldColumn } from './columns';
import type { RowCells } from './rowCells';
import type { RowSettings } from './rowSettings';
import { isTotalName } from './rowWords';

/** A problem of a cell, or of a whole row if it has no header. */
export interface CellProblem {
	row: number;
	header?: string;
	/** Begins with the field's name. */
	text: string;
}

export const problemText = ({ row, header, text }: CellProblem): string =>
	`Row ${row}${header === undefined ? '' : `, column "${header}"`}: ${text}`;

export interface CustomerCell {
	text: string;
	header?: string;
	isEmail: boolean;
}

/** The customer that was found, and how. */
export interface CustomerMatch {
	by: 'email' | 'name';
	name?: string;
	email?: string;
	id: string;
}

/** A row with its values by field name, and its problems. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	/** Row number in the sheet. */
	readonly number: number;
	readonly cells: RowCells;
	readonly values: ReadonlyMap<string, unknown>;
	readonly invalid: ReadonlySet<string>;
	readonly problems: readonly CellProblem[];
	/** Problems that count only if the field is needed: terms are not if there is a due date. */
	readonly deferred: ReadonlyMap<string, CellProblem[]>;
	readonly marks: ReadonlyArray<{ mark: string; header?: string }>;
	readonly customers: readonly CustomerCell[];
	/** The customer, if found by email or name. */
	readonly match?: CustomerMatch;
	readonly item?: InvoiceItem;
	/** The name of a total row. Only its invoice number counts. */
	readonly totalName?: string;
	/** The amount that such a row gives for the total. */
	readonly totalAmount?: string;
}

/** If two columns fill one of these fields, the first one wins: their texts may differ. */
const freeTexts = ['itemName', 'title', 'note', 'invoiceDate'];
const deferredFields = ['terms', 'invoiceDate'];
const customerFields = ['customerId', 'customerEmail'];

/** Makes a row from its cells. `columns` is in the order of the cells. */
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
		else if (!customerFields.includes(name) && !isSameValue(before, value)) {
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

/** The text that marks a total row, in its first cell or as the item's name. */
const totalNameIn = ({ cells, values }: Row): string | undefined =>
	[cells.first, values.get('itemName')].find(
		(text): text is string => typeof text === 'string' && isTotalName(text),
	);

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

/** The header to show in errors, unless it is the field's name. */
const headerOf = ({ field, header }: FieldColumn) =>
	header === field.displayName ? undefined : header;

/** Compares values; trailing zeros of amounts do not matter. */
function isSameValue(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) =>
		typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
			? value.replace(/\.?0+$/, '')
			: JSON.stringify(value).replace(/^"|"$/g, '');
	return plain(one) === plain(other);
}

/** `2`, `2 and 3`, `2, 3, 4, 5, 6 and 7 more`. */
export function listNumbers(rows: number[], most = 5): string {
	const named = rows.slice(0, most).map(String);
	if (rows.length > most) return `${named.join(', ')} and ${rows.length - most} more`;
	if (rows.length === 1) return named[0];
	return `${named.slice(0, -1).join(', ')} and ${named[named.length - 1]}`;
}

/** `row 2`, `rows 2 and 3`, `rows 2, 3, 4, 5, 6 and 7 more`. */
export function rowsLabel(rows: readonly Row[]): string {
	const numbers = [...new Set(rows.map(({ number }) => number))];
	return `row${numbers.length === 1 ? '' : 's'} ${listNumbers(numbers)}`;
}
