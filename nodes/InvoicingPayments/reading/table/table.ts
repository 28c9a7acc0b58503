import { addTo } from '../../../shared/addTo';
import { isEmpty, withoutEnd } from '../../../shared/fields/text';
import { fieldsNamed, nameOf, withCode } from './names';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';

/** A row of the input, by header. */
export type SheetRow = Readonly<Record<string, unknown>>;

/** A line of the sheet. Items side by side are one line each. */
export interface Line {
	/** Of the input row. */
	index: number;
	/** In the sheet, as people see it. */
	number: number;
	/** In the order of `Table.headers`. */
	cells: unknown[];
	/** Whether another item of the same row comes before it. */
	isFurther: boolean;
}

/** A sheet without what stands around it. */
export interface Table {
	headers: string[];
	lines: Line[];
	/** The row of the sheet with the headers, if not the first. */
	headerRow?: number;
	/** Texts above the headers. */
	above: string[];
	/** Whether a row has several items: `Item 1`, `Price 1`, `Item 2`, … */
	isSideBySide: boolean;
	/** Headers in full, by name, if the name is shorter. */
	titles: ReadonlyMap<string, string>;
	/** Columns with the very same header, which nothing but their places distinguishes. */
	alike: ReadonlyMap<string, string>;
}

interface TableForm {
	/** The row of the sheet that the reading names. If it has none of the `headers`, they are searched. */
	headerRow?: number;
	headers?: ReadonlySet<string>;
	/** Columns that an earlier run has added. */
	without?: readonly string[];
}

/** Row numbers come from the input, or are counted from row 2, below the headers. */
function rowNumber(row: SheetRow, index: number): number {
	const { row_number: given } = row;
	return typeof given === 'number' && Number.isInteger(given) ? given : 2 + index;
}

/** `B` for the second column, as spreadsheets call it. */
function columnLetters(index: number): string {
	const before = Math.floor(index / 26) - 1;
	return (before < 0 ? '' : columnLetters(before)) + String.fromCharCode(65 + (index % 26));
}

/** The cells of a row that n8n's reader gives without headers: a list (Excel), or an object with numbers as keys (CSV). */
function numberedCells({ row }: SheetRow): Array<[index: number, cell: unknown]> | undefined {
	if (typeof row !== 'object' || row === null) return undefined;
	const cells = Object.entries(row).map(([key, cell]): [number, unknown] => [Number(key), cell]);
	return cells.every(([index]) => Number.isInteger(index) && index >= 0 && index < maxColumns)
		? cells
		: undefined;
}
/** As many as Excel has. */
const maxColumns = 16_384;

/** Rows of a file that was read with *Header Row* off, with columns A, B, C. If any row has another form, all stay unchanged. */
export function withLetters<T extends SheetRow>(rows: readonly T[]): readonly T[] {
	const all = rows.map(numberedCells);
	if (!all.length || all.includes(undefined)) return rows;
	const used = [...new Set(all.flatMap((cells) => (cells ?? []).map(([index]) => index)))];
	const letters = used.sort((a, b) => a - b).map((index) => [index, columnLetters(index)] as const);
	return rows.map((row, at) => {
		const cells = new Map(all[at]);
		const named = letters.map(([index, letter]) => [letter, cells.get(index)]);
		const others = Object.entries(row).filter(([key]) => key !== 'row');
		return { row_number: at + 1, ...Object.fromEntries([...named, ...others]) } as T;
	});
}

/** All cells that are filled. */
const cellsOf = (row: SheetRow) =>
	Object.entries(row).filter(([header, cell]) => header !== 'row_number' && !isEmpty(cell));

/** Sheets often end with blank rows. */
export const isBlank = (row: SheetRow) => cellsOf(row).length === 0;

/**
 * The headers of all rows, in their order. Nodes that read files leave out empty cells, so one row is not enough: a header that an earlier row
 * lacks stands behind the one before it.
 */
export function headersIn(rows: readonly SheetRow[]): string[] {
	const headers: string[] = [];
	const known = new Set<string>();
	for (const row of rows) {
		let before = -1;
		for (const header of Object.keys(row)) {
			if (header === 'row_number') continue;
			if (!known.has(header)) headers.splice(before + 1, 0, header);
			known.add(header);
			before = headers[before + 1] === header ? before + 1 : headers.lastIndexOf(header);
		}
	}
	return headers;
}

/** Characters. */
const maxJson = 2000;

/** Objects become short text: a cell may be nested deeply, and its methods may throw. */
function plainCell(cell: unknown): unknown {
	if (typeof cell !== 'object' || cell === null || cell instanceof Date) return cell;
	if (Array.isArray(cell) && cell.every((one) => typeof one === 'string')) return cell;
	try {
		// n8n's own dates.
		if ('toISO' in cell) return String((cell as { toISO(): unknown }).toISO() ?? 'no date');
		return isEmpty(cell) ? '' : JSON.stringify(cell).slice(0, maxJson);
	} catch {
		// Too long to be taken for an invoice number.
		return 'an object that cannot be shown as text';
	}
}

const textOf = (cell: unknown) => String(plainCell(cell));

/** What a column is called. */
export const headerOf = (cell: unknown) => nameOf(textOf(cell).trim());

const cellAt = (row: SheetRow, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;

/** A header as the reading writes it, if it differs only in case. */
const sameHeader = (name: string, known: ReadonlySet<string>) =>
	known.has(name)
		? name
		: ([...known].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name);

/**
 * What the columns are called, by their keys. Names say what the headers say, never where they stand: columns may change their order.
 * `alike`: by their names, the header of columns with the very same one, which only their places distinguish.
 */
function namesOf(
	cells: ReadonlyMap<string, unknown>,
	known: ReadonlySet<string>,
): { names: Map<string, string>; alike: Map<string, string> } {
	const byName = new Map<string, string[]>();
	for (const [key, cell] of cells) addTo(byName, headerOf(cell), key);
	const names = new Map<string, string>();
	const alike = new Map<string, string>();
	for (const [name, keys] of byName) {
		const isSame = keys.some((key, at) =>
			keys.slice(0, at).some((other) => textOf(cells.get(other)) === textOf(cells.get(key))),
		);
		// A header that differs only in spaces has a code; the one without them has the name.
		for (const [at, key] of keys.entries()) {
			const whole = textOf(cells.get(key));
			const isPlain = whole === name || (keys.length === 1 && !known.has(withCode(name, whole)));
			names.set(
				key,
				isSame ? (at ? `${name} (${key})` : name) : isPlain ? name : withCode(name, whole),
			);
		}
		if (isSame) for (const key of keys) alike.set(key, name);
	}
	const taken = new Set(names.values());
	for (const [key, name] of names) {
		const other = sameHeader(name, known);
		if (!taken.has(other)) names.set(key, other);
		taken.add(other);
	}
	return { names, alike: new Map([...alike].map(([key, name]) => [names.get(key) ?? name, name])) };
}

/** Finds the headers, and makes a line of each item. Yields between steps, so that other work can run. */
export function* tableOf(
	rows: readonly SheetRow[],
	{ headerRow, headers = new Set(), without = [] }: TableForm,
): Steps<Table> {
	const keys = headersIn(rows);
	yield;
	const at = saidHeaderIndex(rows, keys, headerRow, { headers }) ?? headerIndex(rows);
	const cellOfKey = (key: string) => (at < 0 ? key : cellAt(rows[at], key));
	const headerCells = keys.map((key) => {
		const cell = cellOfKey(key);
		return [key, isEmpty(cell) ? key : cell] as const;
	});
	const { names, alike } = namesOf(new Map(headerCells), headers);
	for (const [key, header] of names) if (without.includes(header)) names.delete(key);
	// Without a single cell, all values are typed by hand, and every row counts.
	const hasCells = rows.some((row) => !isBlank(row));
	const used = [...names.keys()];
	const isLong = stepTimer();
	const lines: Line[] = [];
	for (const [index, row] of rows.entries()) {
		if (isLong()) yield;
		if (index <= at || (hasCells && isBlank(row))) continue;
		const cells = used.map((key) => plainCell(cellAt(row, key)));
		lines.push({ index, number: rowNumber(row, index), cells, isFurther: false });
	}
	const above = rows.slice(0, Math.max(0, at)).flatMap(cellsOf);
	return yield* sideBySide({
		headers: [...names.values()],
		lines,
		...(at >= 0 && { headerRow: rowNumber(rows[at], at) }),
		above: [
			...(at >= 0 ? keys.filter((key) => !isNoHeader(key)).map(headerOf) : []),
			...above.map(([, cell]) => textOf(cell)),
		],
		isSideBySide: false,
		titles: new Map(
			headerCells.flatMap(([key, cell]) => {
				const [name, whole] = [names.get(key), textOf(cell).trim()];
				return name !== undefined && whole.length > name.length ? [[name, whole] as const] : [];
			}),
		),
		alike,
	});
}

/** The index of the row with the headers of the reading. -1: they are the keys. `undefined`: they have changed. */
function saidHeaderIndex(
	rows: readonly SheetRow[],
	keys: string[],
	headerRow: number | undefined,
	{ headers }: { headers: ReadonlySet<string> },
): number | undefined {
	const isSaid = (cell: unknown) => headers.has(sameHeader(headerOf(cell), headers));
	const areMost = (cells: unknown[]) => cells.filter(isSaid).length * 2 > headers.size;
	if (areMost(keys)) return -1;
	const said = rows.findIndex((row, index) => rowNumber(row, index) === headerRow);
	// If the headers stand on each page, the first ones count.
	const first = rows.slice(0, said + 1).findIndex((row) => areMost(Object.values(row)));
	if (first >= 0) return first;
	return said >= 0 && Object.values(rows[said]).some(isSaid) ? said : undefined;
}

const maxRowsSearched = 20;
/** What nodes call columns without a header: `__EMPTY_1`, `column_2`, `B`. */
export const isNoHeader = (key: string) =>
	/^(?:__EMPTY.*|column_?\d+|_?\d+|[a-z]{1,2}|)$/i.test(key.trim());

const countNamed = (texts: unknown[]) =>
	new Set(
		texts.flatMap((text) =>
			typeof text === 'string' && text.length < 60 ? fieldsNamed(text).slice(0, 1) : [],
		),
	).size;

/** Share of the cells of the fullest row. A row of headers may leave a few columns without a name. */
const fullRow = 0.6;

/** The index of the row with the headers, if they stand below a title. -1: they are the keys. */
function headerIndex(rows: readonly SheetRow[]): number {
	const keys = headersIn(rows);
	const first = rows.slice(0, maxRowsSearched).map((row) => cellsOf(row).map(([, cell]) => cell));
	const byNames = first.findIndex((cells) => countNamed(cells) >= 3);
	if (byNames >= 0 && countNamed(keys) < 2) return byNames;
	if (keys.filter(isNoHeader).length * 2 < keys.length) return -1;
	const most = Math.max(...first.map(({ length }) => length), 0);
	const firstFull = first.findIndex(({ length }) => length > 1 && length >= most * fullRow);
	return firstFull >= 0 && first[firstFull].every(mayBeHeader) ? firstFull : -1;
}

/** Figures, days and emails are no headers. */
const mayBeHeader = (cell: unknown) =>
	typeof cell === 'string' && !/^[\d.,:/\s-]+$/.test(cell) && !cell.includes('@');

/**
 * The row with the headers, if n8n's CSV reader took a title above them for the headers. Then all columns without a name have the same
 * key, and only the last of them arrives.
 */
export function headersBelowTitle(rows: readonly SheetRow[]): number | undefined {
	if (!headersIn(rows).includes('')) return undefined;
	const at = rows.slice(0, maxRowsSearched).findIndex((row) => {
		const cells = cellsOf(row).map(([, cell]) => cell);
		return cells.length > 1 && cells.every(mayBeHeader) && countNamed(cells) > 0;
	});
	return at < 0 || countNamed(headersIn(rows)) > 1 ? undefined : rowNumber(rows[at], at);
}

/** Whether the headers are the cells of the first row: no header is called `12.50`, `2027-01-31` or like an email. */
export function areData(rows: readonly SheetRow[], headers: string[]): boolean {
	if (countNamed(headers) > 0 || headerIndex(rows) >= 0) return false;
	return headers.some((header) => {
		const cells = rows.slice(0, maxRowsSearched).map((row) => cellAt(row, header));
		const filled = cells.filter((cell) => !isEmpty(cell)).map(textOf);
		return filled.length > 0 && [header, ...filled].every((text) => dataPattern.test(text.trim()));
	});
}
const dataPattern = /^(?:-?[\d.,' ]*\d[.,]\d\d|\d{1,4}([./-])\d{1,2}\1\d{1,4}|[^\s@]+@[^\s@]+)$/;

/** A numbered column of an item: `Price 2` is `Price` of the second item. */
interface NumberedColumn {
	at: number;
	name: string;
	/** 1 for `Price 1`. */
	item: number;
	field: string;
}

const prices = ['itemAmount', 'itemTotal', 'amount'];
const itemFields = ['itemName', 'itemQuantity', ...prices];

/** Splits items side by side (`Item 1`, `Price 1`, `Item 2`, …) into one line each. */
function* sideBySide(table: Table): Steps<Table> {
	const sets = itemsIn(table.headers);
	if (sets.length === 0) return table;
	const numbered = sets.flat();
	const places = new Set(numbered.map(({ at }) => at));
	const names = [...new Set(numbered.map(({ name }) => name))];
	const others = table.headers.flatMap((header, at) => {
		// Totals and other cells belong to the whole row, so only its first item keeps them.
		const isRepeated = fieldsNamed(header).some((field) => field !== 'total');
		return places.has(at) ? [] : [{ header, at, isRepeated }];
	});
	const lines: Line[] = [];
	const isLong = stepTimer();
	for (const line of table.lines) {
		if (isLong()) yield;
		const filled = sets.filter((set) => set.some(({ at }) => !isEmpty(line.cells[at])));
		for (const [position, set] of (filled.length ? filled : [[]]).entries()) {
			const rest = others.map(({ at, isRepeated }) =>
				position === 0 || isRepeated ? line.cells[at] : undefined,
			);
			const item = names.map((name) => line.cells[set.find((one) => one.name === name)?.at ?? -1]);
			lines.push({ ...line, cells: [...rest, ...item], isFurther: position > 0 });
		}
	}
	const headers = [...others.map(({ header }) => header), ...names];
	return { ...table, headers, isSideBySide: true, lines };
}

/** The columns of each item, if several stand side by side. */
function itemsIn(headers: string[]): NumberedColumn[][] {
	const byItem = new Map<number, NumberedColumn[]>();
	for (const [at, header] of headers.entries()) {
		const column = numberedColumn(header, at);
		if (column) addTo(byItem, column.item, column);
	}
	const sets = [...byItem].sort(([a], [b]) => a - b).map(([, set]) => set);
	const isItem = (set: NumberedColumn[]) =>
		set.some(({ field }) => field === 'itemName') &&
		set.some(({ field }) => prices.includes(field)) &&
		new Set(set.map(({ name }) => name)).size === set.length;
	return sets.length > 1 && sets.every(isItem) ? sets : [];
}

function numberedColumn(header: string, at: number): NumberedColumn | undefined {
	// `Price 2`, `Item 2 Price`, `lines/0/price`, `items[0].price`
	const match = /(?<!\d)(\d{1,4})[\])]?(?:[\s_./-](\D+))?$/.exec(header);
	const whole = header.slice(0, match?.index);
	if (!match || !/[^\d\s]/.test(whole)) return undefined;
	// Signs around the number are no part of the name, unless there is no other.
	const before = withoutEnd(whole, ' \t\n\u00a0_#./([-') || whole[0];
	const after = (match[2] ?? '').replace(/^[\s_./-]+/, '');
	const name = `${before} ${after}`.trim();
	// `Item 2 Price` is a price, `Item 2` is an item.
	const fields = [...fieldsNamed(name), ...(after ? fieldsNamed(after) : [])];
	const field = fields.find((one) => itemFields.includes(one));
	return field ? { at, name, item: Number(match[1]), field } : undefined;
}
