import type { IDataObject } from 'n8n-workflow';
import { toThousandths } from '../../shared/fields/decimal';
import { isEmpty } from '../../shared/fields/text';
import type { CellOutcome, ColumnFormat } from './cells';
import { formatOf, readCell } from './cells';
import type { Columns, FieldColumn } from './columns';
import { feedsFigures, cellOf } from './columns';
import type { DateOrder } from './dateCells';
import type { Figure } from './figures';
import { figureIn, isDate } from './figures';
import type { Separator } from './numberCells';
import { soleSeparator, readAmount, separatorsIn } from './numberCells';
import type { RowSettings } from './rowSettings';

/** A cell of an unmapped column. */
export interface UnmappedCell {
	text: string;
	isDate: boolean;
	figure?: Figure;
}

/** The group key of a row. `undefined`: empty; `'invalid'`: not readable. */
export type Key = { key: string } | 'invalid' | undefined;

export type TotalCell = { value: string; mark?: string } | { problem: string } | undefined;

/** The cells of a row, each read once. Later steps never look at the sheet. */
export interface RowCells {
	index: number;
	number: number;
	/** In the order of `Columns.fields`, and so on. */
	fields: CellOutcome[];
	totals: TotalCell[];
	unmapped: Array<UnmappedCell | undefined>;
	/** Thousandths; 0 without a figure. */
	ignored: bigint[];
	group?: Key;
	/** The first filled cell, if it is text. */
	first?: string;
	/** Equal for rows that are equal in every cell. */
	contentKey: string;
}

/** Reads rows one at a time. The format of a column is inferred from all of its cells. */
export function cellReader(
	columns: Columns,
	items: IDataObject[],
	settings: RowSettings,
	zone: string,
): { read(index: number): RowCells; inferred: InferredFormats } {
	const cellsOf = (header: string) => items.map((json) => cellOf(json, header));
	const separators = inferSeparators(columns, cellsOf);
	const formatted = (header: string | undefined): ColumnFormat =>
		formatOf(header === undefined ? [] : cellsOf(header), settings, separators, header);
	const fields = columns.fields.map((column) => ({ column, format: formatted(column.header) }));
	const totals = columns.totals.map(({ header }) => ({ header, format: formatted(header) }));
	const unmapped = columns.unmapped.map((header) => unmappedReader(formatted(header), header));
	const ignored = columns.ignored.map((header) => ({ header, format: formatted(header) }));
	const { group } = columns;
	const read = (index: number): RowCells => {
		const json = items[index];
		const cells = { ...json };
		delete cells.row_number;
		const first = Object.values(cells).find((cell) => !isEmpty(cell));
		return {
			index,
			number: rowNumber(json, index, settings.firstRow ?? 2),
			fields: fields.map(({ column, format }) => readSafely(column, json, index, format, zone)),
			totals: totals.map(({ header, format }) => totalIn(cellOf(json, header), format)),
			unmapped: unmapped.map((read) => read(json)),
			ignored: ignored.map(
				({ header, format }) => figureIn(cellOf(json, header), format)?.thousandths ?? BigInt(0),
			),
			...(group !== undefined && { group: keyIn(cellOf(json, group)) }),
			...(typeof first === 'string' && { first }),
			contentKey: JSON.stringify(cells),
		};
	};
	return { read, inferred: inferFormats(fields, settings, separators) };
}

/** Formats that were inferred from the cells. */
export interface InferredFormats {
	hasDecimalCommas: boolean;
	dates: Array<{ header: string; order: DateOrder }>;
}

function inferFormats(
	fields: Array<{ column: FieldColumn; format: ColumnFormat }>,
	{ decimalSeparator, dateOrder }: RowSettings,
	separators: ReadonlySet<Separator>,
): InferredFormats {
	const dates = fields.flatMap(({ column: { field, header }, format: { dateOrders } }) => {
		if (field.rule.limits.kind !== 'date' || header === undefined) return [];
		const orders = new Set(['/', '-', '.'].map((separator) => dateOrders?.(separator)));
		return (['dayMonth', 'monthDay'] as const).flatMap((order) =>
			orders.has(order) ? [{ header, order }] : [],
		);
	});
	return {
		hasDecimalCommas: !decimalSeparator && soleSeparator(separators) === 'comma',
		dates: dateOrder ? [] : dates,
	};
}

function inferSeparators(
	{ fields, totals }: Columns,
	cellsOf: (header: string) => unknown[],
): Set<Separator> {
	const headers = [...fields.filter(({ field }) => feedsFigures(field)), ...totals].flatMap(
		({ header }) => header ?? [],
	);
	return separatorsIn(headers.flatMap(cellsOf));
}

/** An expression that fails is a problem of its cell. */
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

function totalIn(cell: unknown, format: ColumnFormat): TotalCell {
	if (isEmpty(cell) || /^\s*(?:\p{Sc}\s*)?[-–—]\s*$/u.test(String(cell))) return undefined;
	const amount = readAmount(cell, format);
	return 'problem' in amount ? { problem: `The total ${amount.problem}` } : amount.value;
}

/** Caches cells, because many in a column are equal. */
function unmappedReader(format: ColumnFormat, header: string) {
	const cache = new Map<unknown, UnmappedCell | undefined>();
	return (json: IDataObject): UnmappedCell | undefined => {
		const cell = cellOf(json, header);
		if (!cache.has(cell)) cache.set(cell, toUnmappedCell(cell, format));
		return cache.get(cell);
	};
}

function toUnmappedCell(cell: unknown, format: ColumnFormat): UnmappedCell | undefined {
	if (isEmpty(cell)) return undefined;
	const isDay = isDate(cell);
	const figure = figureIn(cell, format, isDay);
	return {
		text: typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim(),
		isDate: isDay,
		...(figure && { figure }),
	};
}

/** Ignores case and spaces: people read such keys as equal. */
function keyIn(cell: unknown): Key {
	if (isEmpty(cell)) return undefined;
	if (typeof cell === 'object') return 'invalid';
	return { key: String(cell).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase() };
}

/** The row number from the item, or counted from the first row. */
export function rowNumber(
	{ row_number: given }: IDataObject,
	index: number,
	firstRow: number,
): number {
	return typeof given === 'number' && Number.isInteger(given) ? given : firstRow + index;
}

/** Sheets often end with blank rows. */
export const isBlank = (json: IDataObject) =>
	Object.entries(json).every(([header, cell]) => header === 'row_number' || isEmpty(cell));

export const thousandthsOf = (outcome: CellOutcome): bigint | undefined =>
	outcome && 'value' in outcome && typeof outcome.value === 'string'
		? toThousandths(outcome.value)
		: undefined;
