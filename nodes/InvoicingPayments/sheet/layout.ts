import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { Columns } from './columns';
import { cellOf, fieldOf, headersIn } from './columns';
import { plainHeader } from './headers';
import { isAmount } from './figures';
import { isBlank, rowNumber } from './rowCells';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';

/** How many rows to search for headers below a title or an address. */
const mostRows = 20;

/** A row with at least this many known headers is the header row. */
const leastKnown = 3;

const knownIn = (texts: unknown[]) =>
	new Set(
		texts.flatMap((text) => (typeof text === 'string' ? (fieldOf(text)?.field.name ?? []) : [])),
	).size;

/** Finds headers below a title, in row `at`. The rows above become empty, so that row numbers do not shift. `above`: their cells. */
export function withHeaderRow(items: IDataObject[]): {
	items: IDataObject[];
	at?: number;
	above?: unknown[];
} {
	if (knownIn(headersIn(items)) >= 2) return { items };
	const at = items
		.slice(0, mostRows)
		.findIndex((json) => knownIn(Object.values(json)) >= leastKnown);
	if (at < 0) return { items };
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
	return {
		items: items.map((json, row) => (row > at ? renamed(json) : {})),
		at,
		above: [
			// The reader took the first row of the sheet for headers.
			...Object.keys(items[at]).filter(isAmount),
			...items
				.slice(0, at)
				.flatMap((json) => Object.entries(json))
				.flatMap(([key, cell]) => (key === 'row_number' || isEmpty(cell) ? [] : [cell])),
		],
	};
}

/** A numbered item column: `Price 2` is `Price` of the second item. */
interface NumberedColumn {
	header: string;
	name: string;
	at: number;
	field: string;
}

export interface Lines {
	items: IDataObject[];
	origins: number[];
	/** The largest number of items side by side; 0 if there are none. */
	sets: number;
	problems: SheetProblem[];
}

const amounts = ['itemAmount', 'itemTotal', 'amount'];
const itemFields = ['itemName', 'itemQuantity', ...amounts];

function numberedIn(header: string): NumberedColumn | undefined {
	const match = /^(.*?[^\d\s].*?)[\s_#.-]*(\d{1,2})(?!\d)(?:[\s_.-]+(\D+))?$/.exec(header.trim());
	if (!match) return undefined;
	const [, before, at, after = ''] = match;
	const name = `${before} ${after}`.trim();
	// `Item 2 Price` is a price, `Item 2` is an item.
	const field = (fieldOf(name) ?? (after ? fieldOf(after) : undefined))?.field.name;
	return field && itemFields.includes(field) ? { header, name, at: Number(at), field } : undefined;
}

/**
 * Splits items that stand side by side (`Item 1`, `Price 1`, `Item 2`, …) into one row each, all of the same invoice. An
 * item without a name or a price is a problem. Other sheets are returned unchanged.
 */
export function linesOf(items: IDataObject[], headers: string[], firstRow: number): Lines {
	const numbered = headers.flatMap((header) => numberedIn(header) ?? []);
	const sets = [...new Set(numbered.map(({ at }) => at))].sort((a, b) => a - b);
	const has = (at: number, fields: string[]) =>
		numbered.some((column) => column.at === at && fields.includes(column.field));
	const isWhole = (at: number) => has(at, ['itemName']) && has(at, amounts);
	if (!sets.some(isWhole)) {
		return { items, origins: items.map((_item, index) => index), sets: 0, problems: [] };
	}
	const unclear = unclearIn(headers, numbered, sets.every(isWhole));
	if (unclear.length) return { items, origins: [], sets: 0, problems: unclear };
	const lines: Lines = { items: [], origins: [], sets: sets.length, problems: [] };
	const isOfSet = new Set(numbered.map(({ header }) => header));
	items.forEach((json, index) => {
		const rest = Object.fromEntries(
			Object.entries(json).filter(([header]) => !isOfSet.has(header)),
		);
		const ofInvoice = Object.fromEntries(
			Object.entries(rest).filter(([header]) => fieldOf(header) !== undefined),
		);
		let isFirst = true;
		const add = (cells: IDataObject) => {
			// Totals and unmapped columns belong to the whole row, so only the first item keeps them.
			lines.items.push({ ...(isFirst ? rest : ofInvoice), ...cells });
			isFirst = false;
			lines.origins.push(index);
		};
		const filled = sets.filter((at) =>
			numbered.some((column) => column.at === at && !isEmpty(cellOf(json, column.header))),
		);
		for (const at of filled) {
			const columns = numbered.filter((column) => column.at === at);
			const text = incomplete(json, columns);
			if (text !== undefined) {
				const row = rowNumber(json, index, firstRow);
				lines.problems.push({ title: `Row ${row}: ${text}`, text: `Row ${row}: ${text}` });
			}
			add(
				Object.fromEntries(
					columns.map(({ header, name }) => [name, cellOf(json, header)]),
				) as IDataObject,
			);
		}
		if (filled.length === 0) add({});
	});
	return lines;
}

function unclearIn(
	headers: string[],
	numbered: NumberedColumn[],
	areWhole: boolean,
): SheetProblem[] {
	const isOfSet = new Set(numbered.map(({ header }) => header));
	const others = headers.filter(
		(header) => !isOfSet.has(header) && itemFields.includes(fieldOf(header)?.field.name ?? ''),
	);
	const names = numbered.map(({ at, name }) => `${at} ${plainHeader(name)}`);
	const twice = numbered.filter((_one, at) => names.indexOf(names[at]) < at);
	const unclear = [...others, ...twice.map(({ header }) => header)];
	if (areWhole && unclear.length === 0) return [];
	const [first] = numbered;
	const what = unclear.length
		? `and ${unclear.map((header) => `"${header}"`).join(', ')} ${unclear.length === 1 ? 'does' : 'do'} not fit`
		: 'but a name or a price is missing';
	const title = `Columns such as "${first.header}" look like items side by side, ${what}`;
	const text = `${title}. Number the columns of every item (Item 1, Price 1, Item 2, Price 2, …), or add those that do not belong to the invoices to Options > Ignore Columns`;
	return [{ title, text }];
}

function incomplete(json: IDataObject, columns: NumberedColumn[]): string | undefined {
	const named = (fields: string[]) => columns.filter(({ field }) => fields.includes(field));
	const isFilled = ({ header }: NumberedColumn) => !isEmpty(cellOf(json, header));
	const lacking = [named(['itemName']), named(amounts)].find((those) => !those.some(isFilled));
	if (!lacking) return undefined;
	const filled = columns.filter(isFilled).map(({ header }) => `"${header}"`);
	return `${filled.join(' and ')} ${filled.length === 1 ? 'is' : 'are'} filled, but "${lacking[0].header}" is empty. Fill it, or empty all of them`;
}

/** If items stand side by side, a total belongs to the whole row, not to one of its items. */
export const withTotalsOfRows = (columns: Columns): Columns => ({
	...columns,
	totals: columns.totals.map((one) =>
		one.kind === 'invoiceOrRow' ? { ...one, kind: 'invoice' } : one,
	),
});

/** Fields to fill if no column says which rows form an invoice. */
const repeated = ['customerId', 'customerEmail', 'currency', 'dueDate', 'terms', 'invoiceDate'];

/**
 * Fills the cells that a merged cell leaves empty with the value above. If a column groups the rows, only that column is
 * filled: the invoice takes the rest from its first row.
 */
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
	const headers = grouping.length ? grouping : headersOf(repeated);
	const above = new Map<string, unknown>();
	return items.map((json) => {
		if (isBlank(json)) return json;
		const filled = { ...json };
		for (const header of headers) {
			const cell = cellOf(json, header);
			if (!isEmpty(cell)) above.set(header, cell);
			else if (above.has(header)) filled[header] = above.get(header) as IDataObject[string];
		}
		return filled;
	});
}
