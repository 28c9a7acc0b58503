import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { Columns } from './columns';
import { cellOf, matchField, headersIn } from './columns';
import { isAmount } from './figures';
import { plainHeader } from './headers';
import type { SheetProblem } from './problems';
import { quotedList, sheetProblem } from './problems';
import { isBlank, rowNumber } from './rowCells';
import type { RowSettings } from './rowSettings';

const maxRowsSearched = 20;
const minKnownHeaders = 3;

function countFields(texts: unknown[]): number {
	const fieldIn = (text: unknown) => (typeof text === 'string' ? matchField(text)?.field.name : []);
	return new Set(texts.flatMap((text) => fieldIn(text) ?? [])).size;
}

interface Table {
	items: IDataObject[];
	/** The index of the header row, if it is not the first row of the sheet. */
	headersAt?: number;
	cellsAbove: unknown[];
	problems: SheetProblem[];
}

/** Finds headers below a title. The rows above the headers become empty, so that row numbers do not shift. */
export function withHeaderRow(items: IDataObject[]): Table {
	const isHeaderRow = (json: IDataObject) => countFields(Object.values(json)) >= minKnownHeaders;
	const at = items.slice(0, maxRowsSearched).findIndex(isHeaderRow);
	if (at < 0 || countFields(headersIn(items)) >= 2) return { items, cellsAbove: [], problems: [] };
	const headers = new Map<string, string>();
	for (const [key, cell] of Object.entries(items[at])) {
		const header = isEmpty(cell) ? key : String(cell).trim();
		const isTaken = [...headers.values()].includes(header);
		headers.set(key, isTaken ? `${header} (${key})` : header);
	}
	const renamed = (json: IDataObject) =>
		Object.fromEntries(
			Object.entries(json).map(([key, cell]) => [headers.get(key) ?? key, cell] as const),
		);
	const entries = items.slice(0, at).flatMap((json) => Object.entries(json));
	const above = entries.flatMap(([key, cell]) =>
		key === 'row_number' || isEmpty(cell) ? [] : [cell],
	);
	// The node that read the file took the first row of the sheet for headers.
	const firstRow = Object.keys(items[at]).filter(isAmount);
	return {
		items: items.map((json, row) => (row > at ? renamed(json) : {})),
		headersAt: at,
		cellsAbove: [...firstRow, ...above],
		problems: amountsAbove([...firstRow, ...above.filter(isAmount)]),
	};
}

/** Amounts above the headers belong to no row, so nobody would notice that they are not billed. */
function amountsAbove(cells: unknown[]): SheetProblem[] {
	if (cells.length === 0) return [];
	const amounts = cells.map((cell) => JSON.stringify(cell));
	const title = 'There are amounts above the headers: ';
	const text = `${title}${amounts.slice(0, 10).join(', ')}. If the invoices are right without them, set Options > Range in the node that reads the file, so that it begins with the headers`;
	return [{ title: `${title}${amounts.slice(0, 3).join(', ')}`, text }];
}

/** A numbered item column: `Price 2` is `Price` of the second item. */
interface NumberedColumn {
	header: string;
	name: string;
	at: number;
	field: string;
}

interface Lines {
	items: IDataObject[];
	origins: number[];
	/** The most items side by side in a row. 0 if the sheet has one item per row. */
	itemsPerRow: number;
	problems: SheetProblem[];
}

const amounts = ['itemAmount', 'itemTotal', 'amount'];
const itemFields = ['itemName', 'itemQuantity', ...amounts];

/** Splits items side by side (`Item 1`, `Price 1`, `Item 2`, …) into one row each. `origins`: the index of each row in `items`. */
export function linesOf(items: IDataObject[], headers: string[], firstRow: number): Lines {
	const numbered = headers.flatMap((header) => numberedColumn(header) ?? []);
	const sets = [...new Set(numbered.map(({ at }) => at))]
		.sort((a, b) => a - b)
		.map((at) => numbered.filter((column) => column.at === at));
	const needed = (set: NumberedColumn[]) =>
		[['itemName'], amounts].map((names) => set.filter(({ field }) => names.includes(field)));
	const isComplete = (set: NumberedColumn[]) => needed(set).every((columns) => columns.length > 0);
	if (!sets.some(isComplete)) {
		return { items, origins: items.map((_item, index) => index), itemsPerRow: 0, problems: [] };
	}
	const numberedHeaders = new Set(numbered.map(({ header }) => header));
	const others = headers.filter((header) => !numberedHeaders.has(header));
	const unclear = unclearColumns(others, numbered, sets.every(isComplete));
	if (unclear.length) return { items, origins: [], itemsPerRow: 0, problems: unclear };
	const lines: Lines = { items: [], origins: [], itemsPerRow: sets.length, problems: [] };
	items.forEach((json, index) => {
		const isFilled = ({ header }: NumberedColumn) => !isEmpty(cellOf(json, header));
		const filled = sets.filter((set) => set.some(isFilled));
		for (const set of filled) {
			const missing = needed(set).find((columns) => !columns.some(isFilled));
			if (!missing) continue;
			const names = set.filter(isFilled).map(({ header }) => `"${header}"`);
			const row = rowNumber(json, index, firstRow);
			const title = `Row ${row}: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} filled, but "${missing[0].header}" is empty. Fill it, or empty all of them`;
			lines.problems.push(sheetProblem(title));
		}
		const rest = Object.entries(json).filter(([header]) => !numberedHeaders.has(header));
		const invoiceCells = rest.filter(([header]) => matchField(header) !== undefined);
		(filled.length ? filled : [[]]).forEach((set, position) => {
			const item = set.map(({ header, name }) => [name, cellOf(json, header)] as const);
			// Totals and unmapped cells belong to the whole row, so only the first item keeps them.
			const cells = [...(position ? invoiceCells : rest), ...item];
			lines.items.push(Object.fromEntries(cells) as IDataObject);
			lines.origins.push(index);
		});
	});
	return lines;
}

function numberedColumn(header: string): NumberedColumn | undefined {
	const match = /^(.*?[^\d\s].*?)[\s_#.-]*(\d{1,2})(?!\d)(?:[\s_.-]+(\D+))?$/.exec(header.trim());
	if (!match) return undefined;
	const [, before, at, after = ''] = match;
	const name = `${before} ${after}`.trim();
	// `Item 2 Price` is a price, `Item 2` is an item.
	const field = (matchField(name) ?? (after ? matchField(after) : undefined))?.field.name;
	return field && itemFields.includes(field) ? { header, name, at: Number(at), field } : undefined;
}

function unclearColumns(
	rest: string[],
	numbered: NumberedColumn[],
	areComplete: boolean,
): SheetProblem[] {
	const names = numbered.map(({ at, name }) => `${at} ${plainHeader(name)}`);
	const unclear = [
		...rest.filter((header) => itemFields.includes(matchField(header)?.field.name ?? '')),
		...numbered.flatMap(({ header }, at) => (names.indexOf(names[at]) < at ? [header] : [])),
	];
	if (areComplete && unclear.length === 0) return [];
	const what = unclear.length
		? `and ${quotedList(unclear)} ${unclear.length === 1 ? 'does' : 'do'} not fit`
		: 'but a name or a price is missing';
	const title = `Columns such as "${numbered[0].header}" look like items side by side, ${what}`;
	const advice =
		'. Number the columns of every item (Item 1, Price 1, Item 2, Price 2, …), or add those that do not belong to the invoices to Options > Ignore Columns';
	return [sheetProblem(title, advice)];
}

/** If items stand side by side, a total belongs to the invoice, not to a single item. */
export const withInvoiceTotals = (columns: Columns): Columns => ({
	...columns,
	totals: columns.totals.map((one) =>
		one.kind === 'invoiceOrRow' ? { ...one, kind: 'invoice' } : one,
	),
});

/** Fields to fill if no column says which rows form an invoice. */
const fieldsToFill = ['customerId', 'customerEmail', 'currency', 'dueDate', 'terms', 'invoiceDate'];

/** Copies merged cells down. If a column groups the rows, it is enough: an invoice takes other fields from any of its rows. */
export function fillMergedCells(
	items: IDataObject[],
	{ fields, group }: Columns,
	{ groupBy, makesNumbers }: RowSettings,
): IDataObject[] {
	const headersOf = (names: string[]) =>
		fields.flatMap(({ field, header }) =>
			header !== undefined && names.includes(field.name) ? [header] : [],
		);
	const numbers = groupBy === 'invoiceNumber' && !makesNumbers ? headersOf(['invoiceNumber']) : [];
	const grouping = group === undefined ? numbers : [group];
	const headers = grouping.length ? grouping : headersOf(fieldsToFill);
	const above = new Map<string, IDataObject[string]>();
	return items.map((json) => {
		if (isBlank(json)) return json;
		const filled = { ...json };
		for (const header of headers) {
			const cell = cellOf(json, header);
			if (!isEmpty(cell)) above.set(header, cell);
			else if (above.has(header)) filled[header] = above.get(header);
		}
		return filled;
	});
}
