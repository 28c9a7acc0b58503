import type { IExecuteFunctions } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { toEmail } from '../../shared/fields/text';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { Columns } from './columns';
import { soleColumnOf, columnList, matchField, isMapped, lowerHeader, mappingOf } from './columns';
import { currenciesOf } from './currencies';
import { allWordsOf, isIdentifier, plainHeader, headerBeforeBracket, wordsOf } from './headers';
import type { ColumnCell, UnmappedColumn } from './unexplainedColumns';
import type { SheetProblem } from './problems';
import { problemInLines, rowsLabel, sheetProblem } from './problems';
import type { RowCells } from './rowCells';
import type { RowField } from './rowFields';
import { bareAmount, suggestedHeaders, rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import { haveOtherUnits, isOtherUnit } from './units';
import { headersFor, inAll } from './words';

/** Detects mistakes in the previous nodes by the headers that arrive. */
export function sourceProblems(headers: string[]): SheetProblem[] {
	if (headers.length === 0) {
		const advice = '. Put Extract from File or Google Sheets before this node';
		return [sheetProblem('No rows arrived', advice)];
	}
	const problems: SheetProblem[] = [];
	const unsplit = headers.find((header) => header.split(/[;\t]/).length > 2);
	if (unsplit !== undefined) {
		const delimiter = /[;\t]/.exec(unsplit)?.[0] === ';' ? ';' : '\\t (a tab)';
		problems.push({
			title: `Several columns arrived as one: set 'Delimiter' to ${delimiter}`,
			text: `Several columns arrived as one, "${unsplit.replace(/\t/g, ' ')}". Set Options > Delimiter to ${delimiter} in Extract from File`,
		});
	}
	const garbled = headers.find((header) => header.includes('\uFFFD'));
	if (garbled !== undefined) {
		problems.push({
			title: "Letters were lost: set 'Encoding'",
			text: `Letters were lost in "${garbled.slice(0, 60)}". Set Options > Encoding to ISO-8859-1 in Extract from File`,
		});
	}
	return problems;
}

/** Fields that contain a column's name as plain text, although its cells are meant. */
export function typedHeaders(context: IExecuteFunctions, headers: string[]): SheetProblem[] {
	const values = mappingOf(context).value ?? {};
	const used = Object.values(values).map((value) => soleColumnOf(String(value)));
	return rowFields.flatMap(({ name, displayName }) => {
		const typed = values[name];
		if (typeof typed !== 'string' || typed.startsWith('=')) return [];
		const header = headers.find((one) => lowerHeader(one) === lowerHeader(typed));
		if (!header || used.includes(header)) return [];
		const title = `${displayName} contains the text "${typed}", which is the name of a column`;
		return [sheetProblem(title, '. Drag the column from the left')];
	});
}

/** Required fields that no column, default or fixed value fills. */
export function missingColumns(
	columns: Columns,
	cells: RowCells[],
	headers: string[],
	settings: RowSettings,
): SheetProblem[] {
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	const isThere: Record<string, boolean> = {
		customerId: has('customerId', 'customerEmail') || settings.customerId !== undefined,
		currency:
			has('currency') || settings.currency !== undefined || hasWrittenCurrencies(columns, cells),
		dueDate: has('dueDate', 'terms') || settings.dueInDays !== undefined,
		itemName: has('itemName'),
		itemAmount: has('itemAmount', 'itemTotal', bareAmount.name),
		invoiceNumber:
			has('invoiceNumber') || !needsNumberLookup(settings) || settings.makesNumbers === true,
	};
	const missing = Object.keys(isThere).flatMap((name) => (isThere[name] ? [] : [rowField(name)]));
	if (missing.length === 0) return [];
	const waysOut: Record<string, string> = {
		customerId: "set 'Default Customer'",
		currency: "set 'Default Currency'",
		dueDate: "set 'Due in Days'",
		invoiceNumber: "set 'Invoice Numbers' to 'From Content'",
	};
	const lines = missing.map((field) => {
		const also = suggestedHeaders(field).slice(0, 3).join(', ');
		const way = waysOut[field.name] ?? 'map it under Columns';
		return `${field.displayName}: rename a column to ${field.displayName} (or ${also}), or ${way}`;
	});
	const count =
		missing.length === 1 ? 'A needed column was' : `${missing.length} needed columns were`;
	const title = `${count} not found: ${missing.map(({ displayName }) => displayName).join(', ')}`;
	const isShifted = headers.some((header) => /^(?:__EMPTY.*|column_?\d+|)$/i.test(header.trim()));
	const shifted =
		'If your headers stand further down, set Options > Range (Excel, e.g. A3:F100) or Starting Line (CSV) in the node that reads the file';
	return problemInLines(title, [...(isShifted ? [shifted] : []), ...lines, columnList(headers)]);
}

const hasWrittenCurrencies = (columns: Columns, cells: RowCells[]) =>
	columns.fields.some(({ field, currency }, at) => {
		const hasCurrency = ({ fields }: RowCells) => {
			const cell = fields[at];
			return cell && ('problems' in cell || cell.currency !== undefined);
		};
		return field.isMoney && (currency !== undefined || cells.some(hasCurrency));
	});

/** Unmapped columns that contradict a default or a fixed value, or that should probably have been used instead. */
export function overlookedColumns(
	unmapped: UnmappedColumn[],
	columns: Columns,
	settings: RowSettings,
): SheetProblem[] {
	return unmapped.flatMap((column) => {
		if (column.cells.length === 0) return [];
		// `Currency (see below)`
		const field = matchField(headerBeforeBracket(column.header))?.field;
		const contradicted = field && contradiction(column, field, columns, settings);
		if (contradicted) return [contradicted];
		return [
			...insteadOfDefault(column, field, columns),
			...insteadOfNumbers(column, field, settings),
		];
	});
}

function contradiction(
	{ header, cells }: UnmappedColumn,
	field: RowField,
	{ fields }: Columns,
	settings: RowSettings,
): SheetProblem | undefined {
	const says = ({ cell, row }: ColumnCell) =>
		`Column "${header}" says ${JSON.stringify(cell.text)} in row ${row.number}`;
	if (field.name === 'currency') {
		const wrong = cells.find(({ cell, draft: { body } }) => {
			const codes = currenciesOf(cell.text.toUpperCase());
			return body.currency !== undefined && !codes.includes(String(body.currency));
		});
		if (!wrong) return undefined;
		const text = `${says(wrong)}, but the invoice is in ${String(wrong.draft.body.currency)}. Correct one of them, or add the column to Options > Ignore Columns`;
		return { title: `Column "${header}" contradicts the currency`, text };
	}
	const column = fields.find((one) => one.field === field);
	const fixed = column?.role === 'fixed' ? column.read({}, 0) : undefined;
	const fallback = field.name === 'customerId' && !column ? settings.customerId : undefined;
	const value = fixed ?? fallback;
	if (value === undefined) return undefined;
	const same = (text: string) => text.trim().toLowerCase();
	const other = cells.find(({ cell }) => same(cell.text) !== same(String(value)));
	if (!other) return undefined;
	const text = `${says(other)}, but ${field.displayName} is set to ${JSON.stringify(value)} for all rows. Map the column, or add it to Options > Ignore Columns`;
	return { title: `Column "${header}" contradicts the value set for ${field.displayName}`, text };
}

const dueWords = ['due', 'payable', 'deadline'];

const unusedProblem = (header: string, what: string, name: string): SheetProblem[] => [
	{
		title: `Column "${header}" seems to hold ${what}, but is not used`,
		text: `Column "${header}" seems to hold ${what}, but no field takes it. Rename it to ${name}, or add it to Options > Ignore Columns`,
	},
];

function insteadOfDefault(
	{ header, cells }: UnmappedColumn,
	field: RowField | undefined,
	columns: Columns,
): SheetProblem[] {
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	const all = (is: (text: string) => boolean) => cells.every(({ cell }) => is(cell.text));
	const unused = (what: string, name: string) => unusedProblem(header, what, name);
	if (!has('customerId', 'customerEmail') && all((text) => 'value' in toEmail(text))) {
		return unused('customers', 'Customer Email');
	}
	const isCurrency = (text: string) =>
		/^[A-Z]{3}$|\p{Sc}$/u.test(text) && currenciesOf(text).length > 0;
	if (!has('currency') && all(isCurrency)) return unused('currencies', 'Currency');
	const isDue = allWordsOf(header).some((word) => dueWords.includes(word));
	if (!has('dueDate') && isDue && cells.every(({ cell }) => cell.isDate)) {
		return unused('due dates', 'Due Date');
	}
	if (has('terms') && !has('dueDate', 'invoiceDate') && field?.name === 'invoiceDate') {
		return unused('the dates from which terms count', 'Invoice Date');
	}
	return [];
}

const customerWords = new Set(headersFor('customerId').flatMap((header) => allWordsOf(header)));

/** If numbers are made, a column may hold the true ones, or say which rows form an invoice. */
function insteadOfNumbers(
	{ header, cells }: UnmappedColumn,
	field: RowField | undefined,
	{ makesNumbers, groupBy }: RowSettings,
): SheetProblem[] {
	if (!makesNumbers) return [];
	if (field?.name === 'invoiceNumber')
		return unusedProblem(header, 'invoice numbers', 'Invoice Number');
	if (groupBy !== 'invoiceNumber' || !isIdentifier(header, [])) return [];
	const groups = new Map<string, ColumnCell[]>();
	for (const cell of cells) addTo(groups, cell.cell.text, cell);
	const several = [...groups.values()].find((those) => those.length > 1);
	if (!several || groups.size < 2) return [];
	/** Whether each value belongs to only one customer or item, and so identifies that instead. */
	const isOnlyOf = (ownerOf: (cell: ColumnCell) => string) => {
		const pairs = new Set(cells.map((cell) => JSON.stringify([cell.cell.text, ownerOf(cell)])));
		return pairs.size === groups.size && new Set(cells.map(ownerOf)).size === groups.size;
	};
	const isOfCustomer = allWordsOf(header).some((word) => customerWords.has(word));
	if (isOfCustomer && isOnlyOf(({ draft }) => String(draft.body.customer))) return [];
	if (isOnlyOf(({ row }) => String(row.values.get('itemName')))) return [];
	const invoiceOf = ({ draft: { body } }: ColumnCell) =>
		JSON.stringify([body.customer, body.currency, body.due_date]);
	const isOne = (those: ColumnCell[]) => new Set(those.map(invoiceOf)).size === 1;
	if (![...groups.values()].every(isOne)) return [];
	const rows = rowsLabel(several.map(({ row }) => row));
	const text = `Column "${header}" says ${JSON.stringify(several[0].cell.text)} in ${rows}, which may be one invoice, and no column has invoice numbers. Rename it to Invoice Number, or set 'Group Rows By' to 'Another Column' or 'No Grouping'`;
	return [{ title: `Column "${header}" may say which rows are one invoice`, text }];
}

const unitHeaders = inAll((language) => language.units);
const namesUnits = (header: string) =>
	unitHeaders.has(plainHeader(header)) || wordsOf(header).some((word) => unitHeaders.has(word));

/** A price in one unit beside quantities in another: `Day Rate` and `Hours`, or `min` in a Unit column. */
export function otherUnits(unmapped: UnmappedColumn[], columns: Columns): SheetProblem[] {
	const { fields, factors } = columns;
	const headerOf = (name: string) =>
		fields.find(({ field, header }) => field.name === name && header !== undefined)?.header;
	const price = headerOf('itemAmount');
	// Units do not matter if the sheet states line totals.
	if (price === undefined || factors || isMapped(columns, 'itemTotal')) return [];
	const quantity = headerOf('itemQuantity');
	const advice =
		', so their product may not be what is to be paid. Rename one of them if they fit together, or add a Line Total column';
	const titleFor = (header: string) => `"${price}" and "${header}" are in different units`;
	if (quantity !== undefined && haveOtherUnits(price, quantity)) {
		const title = titleFor(quantity);
		return [{ title, text: `Columns ${title}${advice}` }];
	}
	return unmapped.flatMap(({ header, cells }) => {
		const wrong = namesUnits(header) && cells.find(({ cell }) => isOtherUnit(cell.text, price));
		if (!wrong) return [];
		const title = titleFor(header);
		const text = `Columns ${title} (${wrong.cell.text} in row ${wrong.row.number})${advice}. If the unit does not matter, add it to Options > Ignore Columns`;
		return [{ title, text }];
	});
}
