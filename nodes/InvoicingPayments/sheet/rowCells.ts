import type { IDataObject } from 'n8n-workflow';
import { toThousandths } from '../../shared/fields/decimal';
import { isEmpty } from '../../shared/fields/text';
import type { CellOutcome, ColumnFormat } from './cells';
import { formatOf, readCell } from './cells';
import type { Columns, FieldColumn } from './columns';
import { feedsFigures, own } from './columns';
import type { DateOrder } from './dateCells';
import type { Figure } from './figures';
import { figureIn, isDate } from './figures';
import type { Separator } from './numberCells';
import { onlyOne, readAmount, separatorsIn } from './numberCells';
import type { RowSettings } from './rowSettings';

/** A cell of a column that no field takes. */
export interface LeftCell {
	text: string;
	/** Whether it is a day, in whatever order it is written. */
	isDate: boolean;
	figure?: Figure;
}

/** By what a row is grouped: nothing where it does not say; `'invalid'` where it does, but not in a way that can be read. */
export type Key = { key: string } | 'invalid' | undefined;

/** A figure in a column of sums. */
export type TotalCell = { value: string; mark?: string } | { problem: string } | undefined;

/** What the cells of a row say, each read once: from here on nobody looks at the sheet. */
export interface RowCells {
	/** Index of the input item. */
	index: number;
	/** Number of the row in the sheet. */
	number: number;
	/** In the order of the columns of the same name. */
	fields: CellOutcome[];
	totals: TotalCell[];
	left: Array<LeftCell | undefined>;
	/** Thousandths; 0 where there is no figure. */
	ignored: bigint[];
	group?: Key;
	/** Its first cell that is filled. */
	first?: string;
	/** The same for rows that are equal in every cell. */
	print: string;
}

/** Reads rows, one at a time, with what all cells of a column show of how it writes its values. */
export function cellReader(
	columns: Columns,
	items: IDataObject[],
	settings: RowSettings,
	zone: string,
): { read(index: number): RowCells; shown: Shown } {
	const cellsOf = (header: string) => items.map((json) => own(json, header));
	const shown = shownSeparators(columns, cellsOf);
	const formatted = (header: string | undefined): ColumnFormat =>
		formatOf(header === undefined ? [] : cellsOf(header), settings, shown, header);
	const fields = columns.fields.map((column) => ({ column, format: formatted(column.header) }));
	const totals = columns.totals.map(({ header }) => ({ header, format: formatted(header) }));
	const left = columns.left.map((header) => leftReader(formatted(header), header));
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
			totals: totals.map(({ header, format }) => totalIn(own(json, header), format)),
			left: left.map((read) => read(json)),
			ignored: ignored.map(
				({ header, format }) => figureIn(own(json, header), format)?.thousandths ?? BigInt(0),
			),
			...(group !== undefined && { group: keyIn(own(json, group)) }),
			...(typeof first === 'string' && { first }),
			print: JSON.stringify(cells),
		};
	};
	return { read, shown: shownBy(fields, settings, shown) };
}

/** How the cells themselves showed what nothing was set for. */
export interface Shown {
	hasDecimalCommas: boolean;
	/** Headers of dates of which the order was shown. */
	dates: Array<{ header: string; order: DateOrder }>;
}

function shownBy(
	fields: Array<{ column: FieldColumn; format: ColumnFormat }>,
	{ decimalSeparator, dateOrder }: RowSettings,
	separators: ReadonlySet<Separator>,
): Shown {
	const dates = fields.flatMap(({ column: { field, header }, format: { dateOrders } }) => {
		if (field.rule.limits.kind !== 'date' || header === undefined) return [];
		const orders = new Set(['/', '-', '.'].map((separator) => dateOrders?.(separator)));
		return (['dayMonth', 'monthDay'] as const).flatMap((order) =>
			orders.has(order) ? [{ header, order }] : [],
		);
	});
	return {
		hasDecimalCommas: !decimalSeparator && onlyOne(separators) === 'comma',
		dates: dateOrder ? [] : dates,
	};
}

/** The decimal separators that the figures of a sheet show. */
function shownSeparators(
	{ fields, totals }: Columns,
	cellsOf: (header: string) => unknown[],
): Set<Separator> {
	const headers = [...fields.filter(({ field }) => feedsFigures(field)), ...totals].flatMap(
		({ header }) => header ?? [],
	);
	return separatorsIn(headers.flatMap(cellsOf));
}

/** An expression that cannot be evaluated is a problem of its cell. */
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

/** Reads the cells of a column, of which many are the same. */
function leftReader(format: ColumnFormat, header: string) {
	const known = new Map<unknown, LeftCell | undefined>();
	return (json: IDataObject): LeftCell | undefined => {
		const cell = own(json, header);
		if (!known.has(cell)) known.set(cell, leftIn(cell, format));
		return known.get(cell);
	};
}

function leftIn(cell: unknown, format: ColumnFormat): LeftCell | undefined {
	if (isEmpty(cell)) return undefined;
	const isDay = isDate(cell);
	const figure = figureIn(cell, format, isDay);
	return {
		text: typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim(),
		isDate: isDay,
		...(figure && { figure }),
	};
}

/** Groups go by what a person reads: case and spaces make no other group. */
function keyIn(cell: unknown): Key {
	if (isEmpty(cell)) return undefined;
	if (typeof cell === 'object') return 'invalid';
	return { key: String(cell).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase() };
}

/** The number of a row: what a reader of sheets says it is, or else counted on from the row of the first item. */
export function rowNumber(
	{ row_number: told }: IDataObject,
	index: number,
	firstRow: number,
): number {
	return typeof told === 'number' && Number.isInteger(told) ? told : firstRow + index;
}

/** A row without any value: sheets often end with some. */
export const isBlank = (json: IDataObject) =>
	Object.entries(json).every(([header, cell]) => header === 'row_number' || isEmpty(cell));

/** A quantity or an amount that was read, as thousandths. */
export const thousandthsOf = (outcome: CellOutcome): bigint | undefined =>
	outcome && 'value' in outcome && typeof outcome.value === 'string'
		? toThousandths(outcome.value)
		: undefined;
