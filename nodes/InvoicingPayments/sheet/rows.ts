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
	/** Problems that count only if the field is needed: terms are not if there is a due date. */
	readonly deferred: ReadonlyMap<string, CellProblem[]>;
	/** Currencies beside amounts and in their headers. */
	readonly marks: readonly string[];
	readonly customers: readonly CustomerCell[];
	readonly match?: CustomerMatch;
	readonly item?: InvoiceItem;
	/** The name of a total row. Only its invoice number counts. */
	readonly totalName?: string;
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
	const marks: string[] = [];
	const customers: CustomerCell[] = [];
	columns.forEach((column, at) => {
		const { name, displayName } = column.field;
		const outcome = cells.fields[at];
		if (!outcome || (values.has(name) && freeTexts.includes(name))) return;
		// Errors need no header that is the field's name.
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
		for (const mark of [outcome.mark, column.currency]) if (mark) marks.push(mark);
		const isCustomer = customerFields.includes(name);
		if (isCustomer) {
			customers.push({ text: String(value), isEmail: name === 'customerEmail', header });
		}
		const before = values.get(name);
		if (!values.has(name)) values.set(name, value);
		else if (!isCustomer && !isSameValue(before, value)) {
			invalid.add(name);
			const text = `${displayName} is ${quote(value)} here and ${quote(before)} in another column. Correct one of them, or add one of the columns to 'Ignore Columns'`;
			problems.push(toProblem(text));
		}
	});
	const row = { index, number, cells, values, invalid, problems, deferred, marks, customers };
	const total = totalNameIn(row);
	if (total !== undefined && settings.totalRows !== 'bill') return totalRow(row, total);
	const perTime = columns.find(({ role }) => role === 'perTime')?.header;
	const counts = ['itemQuantity', 'itemTotal'];
	const isCounted = counts.some((name) => values.has(name) || invalid.has(name));
	if (perTime !== undefined && !isCounted) {
		const text = `Item Quantity is empty, but "${perTime}" is a price for one. Enter it, or, if each row is one, rename the column to Price`;
		problems.push({ row: number, text });
	}
	const { item, problems: wrong } = itemOf(row, settings);
	problems.push(...wrong.map((text) => ({ row: number, text })));
	return { ...row, item };
}

/** The text that marks a total row, in its first cell or as the item's name. */
const totalNameIn = ({ cells, values }: Row): string | undefined =>
	[cells.first, values.get('itemName')].find(
		(text): text is string => typeof text === 'string' && isTotalName(text),
	);

function totalRow({ index, number, cells, values }: Row, name: string): Row {
	const own = values.get('invoiceNumber');
	const amount = values.get('itemTotal') ?? values.get('itemAmount');
	const text = `This row looks like a total (${quote(name)}). Set 'Rows That Look Like Totals' to Skip, or delete the row`;
	return {
		index,
		number,
		cells,
		values: new Map(own === undefined ? [] : [['invoiceNumber', own]]),
		invalid: new Set(),
		problems: [{ row: number, text }],
		deferred: new Map(),
		marks: [],
		customers: [],
		totalName: name,
		totalAmount: amount as string | undefined,
	};
}

/** Compares values; trailing zeros of amounts do not matter. */
function isSameValue(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) =>
		typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
			? value.replace(/\.?0+$/, '')
			: JSON.stringify(value).replace(/^"|"$/g, '');
	return plain(one) === plain(other);
}
