import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { CellOutcome, ColumnFormat } from './cells';
import { formatOf, readCell } from './cells';
import type { Columns, FieldColumn } from './columns';
import { affectsTotal, cellOf } from './columns';
import type { DateOrder } from './dateCells';
import { toTermDays } from './dateCells';
import type { Figure } from './figures';
import { figureIn, isDate } from './figures';
import type { NumberEvidence, NumberFormat } from './numberCells';
import { numberEvidence, numberFormat, readAmount, soleSeparator } from './numberCells';
import { rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

export interface UnmappedCell {
	text: string;
	isDate: boolean;
	figure?: Figure;
}

/** The group key of a row. `undefined`: the cell is empty. `'invalid'`: it contains no text or number. */
export type Key = { key: string } | 'invalid' | undefined;

export type TotalCell = { value: string; currency?: string } | { problem: string } | undefined;

/** The cells of a row. Each is read once, so that later steps need no sheet. The lists are in the order of `Columns`. */
export interface RowCells {
	index: number;
	number: number;
	fields: CellOutcome[];
	totals: TotalCell[];
	unmapped: Array<UnmappedCell | undefined>;
	/** In thousandths. 0 if a cell has no figure. */
	ignored: bigint[];
	group?: Key;
	/** The first filled cell, if it is text. */
	firstText?: string;
	/** Equal for rows that are equal in every cell. */
	contentKey: string;
}

/** Reads rows one at a time. The returned `columns` tell due dates from terms by their cells. */
export function cellReader(
	given: Columns,
	items: IDataObject[],
	settings: RowSettings,
	zone: string,
): { columns: Columns; read(index: number): RowCells; inferred: InferredFormats } {
	const { decimalSeparator, dateOrder, firstRow = 2 } = settings;
	const cellsOf = (header?: string) =>
		header === undefined ? [] : items.map((json) => cellOf(json, header));
	const resolvedFields = given.fields.map((one) => withDatesOrTerms(one, cellsOf(one.header)));
	const columns = { ...given, fields: resolvedFields };
	const { group } = columns;
	const evidence = new Map<string | undefined, NumberEvidence>();
	const evidenceOf = (header?: string) => {
		const found = evidence.get(header) ?? numberEvidence(cellsOf(header));
		evidence.set(header, found);
		return found;
	};
	const amountColumns = [
		...columns.fields.filter(({ field }) => affectsTotal(field)),
		...columns.totals,
	];
	const separators = new Set(
		amountColumns.flatMap(({ header }) => [...evidenceOf(header).separators]),
	);
	const numbersOf = (header?: string) =>
		numberFormat(evidenceOf(header), separators, decimalSeparator);
	const fields = columns.fields.map((column) => {
		const { header = '' } = column;
		const format = formatOf(header, cellsOf(column.header), numbersOf(column.header), dateOrder);
		return { column, format };
	});
	const totals = columns.totals.map(({ header }) => ({ header, format: numbersOf(header) }));
	const [unmapped, ignored] = [columns.unmapped, columns.ignored].map((headers) =>
		headers.map((header) => unmappedReader(header, numbersOf(header))),
	);
	const read = (index: number): RowCells => {
		const json = items[index];
		const cells = { ...json };
		delete cells.row_number;
		const first = Object.values(cells).find((cell) => !isEmpty(cell));
		return {
			index,
			number: rowNumber(json, index, firstRow),
			fields: fields.map(({ column, format }) => readSafely(column, json, index, format, zone)),
			totals: totals.map(({ header, format }) => readTotal(cellOf(json, header), format)),
			unmapped: unmapped.map((readUnmapped) => readUnmapped(json)),
			ignored: ignored.map((readIgnored) => readIgnored(json)?.figure?.thousandths ?? BigInt(0)),
			group: group === undefined ? undefined : groupKeyOf(cellOf(json, group)),
			firstText: typeof first === 'string' ? first : undefined,
			contentKey: JSON.stringify(cells),
		};
	};
	const dates = dateOrder ? [] : fields.flatMap(inferredDateOrders);
	const hasDecimalCommas = !decimalSeparator && soleSeparator(separators) === 'comma';
	return { columns, read, inferred: { hasDecimalCommas, dates } };
}

/** Tells due dates from terms by the cells: people write `Net 30` under Due Date. Bare numbers there may be amounts that are due. */
function withDatesOrTerms(column: FieldColumn, all: unknown[]): FieldColumn {
	const { name } = column.field;
	if (name !== 'dueDate' && name !== 'terms') return column;
	const cells = all.filter((cell) => !isEmpty(cell));
	if (cells.length === 0) return column;
	const isTerms = (cell: unknown) => 'value' in toTermDays(cell);
	const areWords = cells.some((cell) => /\p{L}/u.test(String(cell)));
	const isOtherField = name === 'terms' ? cells.every(isDate) : areWords && cells.every(isTerms);
	if (!isOtherField) return column;
	return { ...column, field: rowField(name === 'terms' ? 'dueDate' : 'terms') };
}

export interface InferredFormats {
	hasDecimalCommas: boolean;
	dates: Array<{ header: string; order: DateOrder }>;
}

function inferredDateOrders({ column, format }: { column: FieldColumn; format: ColumnFormat }) {
	const { field, header } = column;
	if (field.rule.limits.kind !== 'date' || header === undefined) return [];
	const orders = ['/', '-', '.'].map((separator) => format.dateOrders?.(separator));
	return (['dayMonth', 'monthDay'] as const).flatMap((order) =>
		orders.includes(order) ? [{ header, order }] : [],
	);
}

function readSafely(
	{ field, read }: FieldColumn,
	json: IDataObject,
	index: number,
	format: ColumnFormat,
	zone: string,
): CellOutcome {
	try {
		return readCell(field, read(json, index), format, zone);
	} catch (error) {
		return { problems: [`${field.displayName} cannot be read: ${(error as Error).message}`] };
	}
}

function readTotal(cell: unknown, format: NumberFormat): TotalCell {
	if (isEmpty(cell) || /^\s*(?:\p{Sc}\s*)?[-–—]\s*$/u.test(String(cell))) return undefined;
	const amount = readAmount(cell, format);
	return 'problem' in amount ? { problem: `The total ${amount.problem}` } : amount.value;
}

/** Caches cells, because many in a column are equal. */
function unmappedReader(header: string, format: NumberFormat) {
	const cache = new Map<unknown, UnmappedCell | undefined>();
	return (json: IDataObject): UnmappedCell | undefined => {
		const cell = cellOf(json, header);
		if (!cache.has(cell)) cache.set(cell, toUnmappedCell(cell, format));
		return cache.get(cell);
	};
}

function toUnmappedCell(cell: unknown, format: NumberFormat): UnmappedCell | undefined {
	if (isEmpty(cell)) return undefined;
	const isDay = isDate(cell);
	const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim();
	return { text, isDate: isDay, figure: figureIn(cell, format, isDay) };
}

/** Ignores case and extra spaces, as people do. */
function groupKeyOf(cell: unknown): Key {
	if (isEmpty(cell)) return undefined;
	if (typeof cell === 'object') return 'invalid';
	return { key: String(cell).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase() };
}

/** The row number from the item, or counted from the first row. */
export function rowNumber(json: IDataObject, index: number, firstRow: number): number {
	const { row_number: given } = json;
	return typeof given === 'number' && Number.isInteger(given) ? given : firstRow + index;
}

/** Sheets often end with blank rows. */
export const isBlank = (json: IDataObject) =>
	Object.entries(json).every(([header, cell]) => header === 'row_number' || isEmpty(cell));
