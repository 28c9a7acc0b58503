import { addTo } from '../../shared/addTo';
import { toEmail } from '../../shared/fields/text';
import type { Columns } from './columns';
import { fieldOf, isMapped } from './columns';
import { currenciesOf } from './currencies';
import { isIdentifier } from './headerKinds';
import { allWordsOf, plainHeader, withoutNote, wordsOf } from './headers';
import type { UnmappedColumn } from './openColumns';
import { rowsLabel } from './rows';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';
import { haveOtherUnits, isOtherUnit } from './units';
import { headersFor, inAll } from './words';

const dueWords = ['due', 'payable', 'deadline'];

/** Unmapped columns that contradict a default or a fixed value, or that should probably have been used instead. */
export function overlookedColumns(
	unmapped: UnmappedColumn[],
	columns: Columns,
	settings: RowSettings,
): SheetProblem[] {
	return unmapped
		.filter(({ cells }) => cells.length > 0)
		.flatMap((column) => {
			const contradicted = contradiction(column, columns, settings);
			if (contradicted.length) return contradicted;
			return [...insteadOfDefault(column, columns), ...insteadOfNumbers(column, settings)];
		});
}

function contradiction(
	{ header, cells }: UnmappedColumn,
	{ fields }: Columns,
	settings: RowSettings,
): SheetProblem[] {
	// `Currency (see below)`
	const field = fieldOf(withoutNote(header))?.field;
	if (!field) return [];
	if (field.name === 'currency') {
		const wrong = cells.find(({ cell, draft }) => {
			const codes = currenciesOf(cell.text.toUpperCase());
			return draft.body.currency !== undefined && !codes.includes(String(draft.body.currency));
		});
		if (!wrong) return [];
		const text = `Column "${header}" says ${JSON.stringify(wrong.cell.text)} in row ${wrong.row.number}, but the invoice is in ${String(wrong.draft.body.currency)}. Correct one of them, or add the column to Options > Ignore Columns`;
		return [{ title: `Column "${header}" contradicts the currency`, text }];
	}
	const fixed = fields.find((column) => column.isFixed && column.field === field)?.read({}, 0);
	const isFilled = fields.some((column) => column.field === field);
	const fallback = field.name === 'customerId' && !isFilled ? settings.customerId : undefined;
	const value = fixed ?? fallback;
	if (value === undefined) return [];
	const same = (text: string) => text.trim().toLowerCase();
	const other = cells.find(({ cell }) => same(cell.text) !== same(String(value)));
	if (!other) return [];
	const text = `Column "${header}" says ${JSON.stringify(other.cell.text)} in row ${other.row.number}, but ${field.displayName} is set to ${JSON.stringify(value)} for all rows. Map the column, or add it to Options > Ignore Columns`;
	return [{ title: `Column "${header}" contradicts the value set for ${field.displayName}`, text }];
}

const unusedColumn = (header: string, what: string, name: string): SheetProblem[] => [
	{
		title: `Column "${header}" seems to hold ${what}, but is not used`,
		text: `Column "${header}" seems to hold ${what}, but no field takes it. Rename it to ${name}, or add it to Options > Ignore Columns`,
	},
];

function insteadOfDefault({ header, cells }: UnmappedColumn, columns: Columns): SheetProblem[] {
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	const all = (is: (text: string) => boolean) => cells.every(({ cell }) => is(cell.text));
	if (!has('customerId', 'customerEmail') && all((text) => 'value' in toEmail(text))) {
		return unusedColumn(header, 'customers', 'Customer Email');
	}
	if (
		!has('currency') &&
		all((text) => /^[A-Z]{3}$|\p{Sc}$/u.test(text) && currenciesOf(text).length > 0)
	) {
		return unusedColumn(header, 'currencies', 'Currency');
	}
	const isDue = allWordsOf(header).some((word) => dueWords.includes(word));
	if (!has('dueDate') && isDue && cells.every(({ cell }) => cell.isDate)) {
		return unusedColumn(header, 'due dates', 'Due Date');
	}
	const isIssued = fieldOf(withoutNote(header))?.field.name === 'invoiceDate';
	if (has('terms') && !has('dueDate', 'invoiceDate') && isIssued) {
		return unusedColumn(header, 'the dates from which terms count', 'Invoice Date');
	}
	return [];
}

/** If numbers are made, a column of identifiers may say which rows form an invoice. They would be billed separately. */
function insteadOfNumbers(
	{ header, cells }: UnmappedColumn,
	{ makesNumbers, groupBy }: RowSettings,
): SheetProblem[] {
	if (!makesNumbers || groupBy !== 'invoiceNumber' || !isIdentifier(header, [])) return [];
	const values = new Map<string, UnmappedColumn['cells']>();
	for (const cell of cells) addTo(values, cell.cell.text, cell);
	const several = [...values.values()].find((those) => those.length > 1);
	if (!several || values.size < 2) return [];
	/** Whether each value belongs to only one customer or item, and so identifies that instead. */
	const isOnlyOf = (ownerOf: (cell: UnmappedColumn['cells'][number]) => string) => {
		const pairs = new Set(cells.map((cell) => JSON.stringify([cell.cell.text, ownerOf(cell)])));
		return pairs.size === values.size && new Set(cells.map(ownerOf)).size === values.size;
	};
	const invoiceOf = ({ draft: { body } }: UnmappedColumn['cells'][number]) =>
		JSON.stringify([body.customer, body.currency, body.due_date]);
	const isOfCustomer = allWordsOf(header).some((word) => customerWords.has(word));
	if (isOfCustomer && isOnlyOf(({ draft }) => String(draft.body.customer))) return [];
	if (isOnlyOf(({ row }) => String(row.values.get('itemName')))) return [];
	const isOne = (those: UnmappedColumn['cells']) => new Set(those.map(invoiceOf)).size === 1;
	if (![...values.values()].every(isOne)) return [];
	const rows = rowsLabel(several.map(({ row }) => row));
	const text = `Column "${header}" says ${JSON.stringify(several[0].cell.text)} in ${rows}, which may be one invoice, and no column has invoice numbers. Rename it to Invoice Number, or set 'Group Rows By' to 'Another Column' or 'No Grouping'`;
	return [{ title: `Column "${header}" may say which rows are one invoice`, text }];
}

const customerWords = new Set(headersFor('customerId').flatMap((header) => allWordsOf(header)));

/** A price in one unit beside quantities in another: `Day Rate` and `Hours`, or `min` in a Unit column. */
export function otherUnits(
	unmapped: UnmappedColumn[],
	{ fields, factors }: Columns,
): SheetProblem[] {
	const headerOf = (name: string) =>
		fields.find(({ field, header }) => field.name === name && header !== undefined)?.header;
	const price = headerOf('itemAmount');
	// Units do not matter if the sheet states line totals.
	if (price === undefined || factors || isMapped({ fields }, 'itemTotal')) return [];
	const quantity = headerOf('itemQuantity');
	const advice =
		'so their product may not be what is to be paid. Rename one of them if they fit together, or add a Line Total column';
	if (quantity !== undefined && haveOtherUnits(price, quantity)) {
		const names = `"${price}" and "${quantity}"`;
		const title = `${names} are in different units`;
		return [{ title, text: `Columns ${title}, ${advice}` }];
	}
	return unmapped.flatMap(({ header, cells }) => {
		const wrong = namesUnits(header) && cells.find(({ cell }) => isOtherUnit(cell.text, price));
		if (!wrong) return [];
		const title = `"${price}" and "${header}" are in different units`;
		const text = `Columns ${title} (${wrong.cell.text} in row ${wrong.row.number}), ${advice}. If the unit does not matter, add it to Options > Ignore Columns`;
		return [{ title, text }];
	});
}

const unitHeaders = inAll((language) => language.units);
const namesUnits = (header: string) =>
	unitHeaders.has(plainHeader(header)) || wordsOf(header).some((word) => unitHeaders.has(word));
