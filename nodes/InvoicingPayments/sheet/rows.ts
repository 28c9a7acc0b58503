import { quote } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { itemOf } from './amounts';
import type { FieldColumn } from './columns';
import type { CellProblem } from './problems';
import type { RowCells } from './rowCells';
import type { RowSettings } from './rowSettings';
import { isTotalName } from './rowWords';

export interface CustomerCell {
	text: string;
	header?: string;
	isEmail: boolean;
}

export interface CustomerMatch {
	by: 'email' | 'name';
	name?: string;
	email?: string;
	id: string;
}

export interface Row {
	readonly index: number;
	readonly number: number;
	readonly cells: RowCells;
	readonly values: ReadonlyMap<string, unknown>;
	readonly invalid: ReadonlySet<string>;
	readonly problems: readonly CellProblem[];
	/** Problems that count only if the field is needed. With a due date, terms are not needed. */
	readonly deferred: ReadonlyMap<string, CellProblem[]>;
	/** Currencies beside amounts and in their headers, such as `€` or `EUR`. */
	readonly writtenCurrencies: readonly string[];
	readonly customers: readonly CustomerCell[];
	readonly match?: CustomerMatch;
	readonly item?: InvoiceItem;
	/** The name of a total row: `Grand Total`. Its other values are dropped, except the invoice number and `totalAmount`. */
	readonly totalName?: string;
	readonly totalAmount?: string;
}

/** If two columns fill one of these fields, the first column wins. In other fields, different values are a problem. */
const freeTexts = ['itemName', 'title', 'note', 'invoiceDate'];
const deferredFields = ['terms', 'invoiceDate'];
const customerFields = ['customerId', 'customerEmail'];

/** Makes a row from its cells. `columns` and the cells have the same order. */
export function rowOf(cells: RowCells, columns: FieldColumn[], settings: RowSettings): Row {
	const { index, number } = cells;
	const values = new Map<string, unknown>();
	const invalid = new Set<string>();
	const problems: CellProblem[] = [];
	const deferred = new Map<string, CellProblem[]>();
	const writtenCurrencies: string[] = [];
	const customers: CustomerCell[] = [];
	columns.forEach((column, at) => {
		const { name, displayName } = column.field;
		const outcome = cells.fields[at];
		if (!outcome || (values.has(name) && freeTexts.includes(name))) return;
		// An error names the field, so an equal header would only repeat it.
		const header = column.header === displayName ? undefined : column.header;
		const toProblem = (text: string) => ({ row: number, header, text });
		if ('problems' in outcome) {
			const own = outcome.problems.map(toProblem);
			if (deferredFields.includes(name)) deferred.set(name, own);
			else {
				invalid.add(name);
				problems.push(...own);
			}
			return;
		}
		const { value } = outcome;
		for (const text of [outcome.currency, column.currency]) if (text) writtenCurrencies.push(text);
		const isCustomer = customerFields.includes(name);
		if (isCustomer) {
			customers.push({ text: String(value), isEmail: name === 'customerEmail', header });
		}
		const earlier = values.get(name);
		if (!values.has(name)) values.set(name, value);
		else if (!isCustomer && !isSameValue(earlier, value)) {
			invalid.add(name);
			const text = `${displayName} is ${quote(value)} here and ${quote(earlier)} in another column. Correct one of them, or add one of the columns to 'Ignore Columns'`;
			problems.push(toProblem(text));
		}
	});
	const row = {
		index,
		number,
		cells,
		values,
		invalid,
		problems,
		deferred,
		writtenCurrencies,
		customers,
	};
	const total = totalNameIn(row);
	if (total !== undefined && settings.totalRows !== 'bill') return totalRow(row, total);
	const perTime = columns.find(({ role }) => role === 'perTime')?.header;
	const isCounted = ['itemQuantity', 'itemTotal'].some(
		(name) => values.has(name) || invalid.has(name),
	);
	if (perTime !== undefined && !isCounted) {
		const text = `Item Quantity is empty, but "${perTime}" is a price for one. Enter it, or, if each row is one, rename the column to Price`;
		problems.push({ row: number, text });
	}
	const { item, problems: itemProblems } = itemOf(row, settings);
	problems.push(...itemProblems.map((text) => ({ row: number, text })));
	return { ...row, item };
}

/** The text that marks a total row: its first cell, or the name of its item. */
const totalNameIn = ({ cells, values }: Row): string | undefined =>
	[cells.firstText, values.get('itemName')].find(
		(text): text is string => typeof text === 'string' && isTotalName(text),
	);

function totalRow({ index, number, cells, values }: Row, name: string): Row {
	const invoiceNumber = values.get('invoiceNumber');
	const amount = values.get('itemTotal') ?? values.get('itemAmount');
	const text = `This row looks like a total (${quote(name)}). Set 'Rows That Look Like Totals' to Skip, or delete the row`;
	return {
		index,
		number,
		cells,
		values: new Map(invoiceNumber === undefined ? [] : [['invoiceNumber', invoiceNumber]]),
		invalid: new Set(),
		problems: [{ row: number, text }],
		deferred: new Map(),
		writtenCurrencies: [],
		customers: [],
		totalName: name,
		totalAmount: amount as string | undefined,
	};
}

/** Ignores trailing zeros of amounts. */
function isSameValue(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) =>
		typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
			? value.replace(/\.?0+$/, '')
			: JSON.stringify(value).replace(/^"|"$/g, '');
	return plain(one) === plain(other);
}
