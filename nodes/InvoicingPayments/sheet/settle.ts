import type { IDataObject } from 'n8n-workflow';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import { isEmpty } from '../../shared/fields/text';
import type { CellOutcome } from './cells';
import type { Columns, FieldColumn } from './columns';
import { cellOf } from './columns';
import { isDate } from './figures';
import { namesAmount, namesOtherMoney } from './headerKinds';
import type { RowCells } from './rowCells';
import { thousandthsOf } from './rowCells';
import type { RowField } from './rowFields';
import { bareAmount, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import { toTermDays } from './terms';

/** The columns and cells after ambiguous columns were decided. */
export interface Settled {
	columns: Columns;
	cells: RowCells[];
	ambiguous?: string;
}

/** Decides by the cells what ambiguous columns mean: a bare Amount, and quantities under any name. */
export function settleColumns(columns: Columns, cells: RowCells[], settings: RowSettings): Settled {
	const amount = settleAmount(columns.fields, cells, settings);
	if ('ambiguous' in amount) return { columns, cells, ambiguous: amount.ambiguous };
	const meant = { ...columns, fields: amount.columns };
	const settling = settlingColumns(meant);
	return settleQuantity(meant, settleDoubts(cells, settling), settling);
}

/**
 * Decides by the cells between due dates and terms: `Zahlungsziel` can be either, and people write `Net 30` under Due
 * Date. A bare number under Due Date stays an error: it may be an amount that is due.
 */
export function settleDueDates(columns: Columns, items: IDataObject[]): Columns {
	const isTerms = (cell: unknown) => 'value' in toTermDays(cell);
	const meantBy = ({ field, header }: FieldColumn): RowField => {
		if (header === undefined || !['dueDate', 'terms'].includes(field.name)) return field;
		const cells = items.map((json) => cellOf(json, header)).filter((cell) => !isEmpty(cell));
		if (cells.length === 0) return field;
		if (field.name === 'terms') return cells.every(isDate) ? rowField('dueDate') : field;
		const isAnyInWords = cells.some((cell) => /\p{L}/u.test(String(cell)));
		return isAnyInWords && cells.every(isTerms) ? rowField('terms') : field;
	};
	return {
		...columns,
		fields: columns.fields.map((column) => ({ ...column, field: meantBy(column) })),
	};
}

const thousand = BigInt(1000);

/** The columns that decide others. `isLine`: whether the price times a quantity (in millionths) is the line total. */
function settlingColumns({ fields, totals }: Columns) {
	const at = (name: string) => fields.findIndex(({ field }) => field.name === name);
	const [price, quantity, total] = ['itemAmount', 'itemQuantity', 'itemTotal'].map(at);
	const sum = totals.findIndex(({ kind }) => kind === 'invoiceOrRow');
	const lineOf = (row: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(row.fields[total]);
		const cell = row.totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	const isLine = (row: RowCells, count: bigint): boolean => {
		const [one, line] = [thousandthsOf(row.fields[price]), lineOf(row)];
		if (!one || line === undefined) return false;
		return one * count === line * thousand * thousand;
	};
	return { price, quantity, isLine };
}

type Settling = ReturnType<typeof settlingColumns>;

/** A doubtful quantity counts if the price times it is the line total. */
function settleDoubts(cells: RowCells[], { quantity, isLine }: Settling): RowCells[] {
	return cells.map((row) => {
		const outcome = row.fields[quantity];
		if (!outcome || 'problems' in outcome || outcome.doubt === undefined) return row;
		const count = thousandthsOf(outcome);
		const isProved = count && isLine(row, count * thousand);
		const settled = isProved ? { value: outcome.value } : { problems: [outcome.doubt] };
		return withField(row, quantity, settled);
	});
}

function withField(row: RowCells, at: number, outcome: CellOutcome): RowCells {
	const fields = [...row.fields];
	fields[at] = outcome;
	return { ...row, fields };
}

/** Finds a column that is a factor of every line total: `Pages`, or `Days` beside `Qty`. It is the quantity, or a part of it. */
function settleQuantity(
	columns: Columns,
	cells: RowCells[],
	{ price, quantity, isLine }: Settling,
): Settled {
	const isNamed = quantity >= 0;
	const priced = price < 0 ? [] : cells.filter(({ fields }) => fields[price] !== undefined);
	if (priced.length === 0) return { columns, cells };
	const factorOf = (row: RowCells, index: number) => row.unmapped[index]?.figure?.thousandths;
	/** In millionths. */
	const countOf = ({ fields }: RowCells, count: bigint) =>
		count * ((isNamed ? thousandthsOf(fields[quantity]) : undefined) ?? thousand);
	// The same fraction in all rows is a tax or exchange rate.
	const isRate = (index: number) => {
		const factors = new Set(priced.map((row) => factorOf(row, index)));
		return factors.size === 1 && [...factors].some((one) => one && one % thousand !== BigInt(0));
	};
	const isFactor = (header: string, index: number) =>
		!namesOtherMoney(header) &&
		!namesAmount(header) &&
		priced.some((row) => factorOf(row, index) !== thousand) &&
		priced.every((row) => {
			const count = factorOf(row, index);
			return count !== undefined && isLine(row, countOf(row, count));
		}) &&
		(priced.length === 1 || !isRate(index));
	const found = columns.unmapped.findIndex(isFactor);
	if (found < 0) return { columns, cells };
	const header = columns.unmapped[found];
	const column: FieldColumn = { field: rowField('itemQuantity'), header, read: () => undefined };
	const fields = isNamed ? columns.fields : [...columns.fields, column];
	const at = isNamed ? quantity : columns.fields.length;
	return {
		columns: { ...columns, fields, factors: [header] },
		cells: cells.map((row) => {
			const count = factorOf(row, found);
			const value = count !== undefined && toDecimal(countOf(row, count) / thousand);
			return withField(row, at, value === false ? row.fields[at] : { value });
		}),
	};
}

function settleAmount(
	columns: FieldColumn[],
	cells: RowCells[],
	settings: RowSettings,
): { columns: FieldColumn[] } | { ambiguous: string } {
	const bare = columns.find(({ field }) => field === bareAmount);
	if (!bare) return { columns };
	const meaning = meaningOfAmount(columns, cells, settings);
	if (!meaning) return { ambiguous: bare.header ?? '' };
	const field = rowField(meaning === 'lineTotal' ? 'itemTotal' : 'itemAmount');
	const meant = { field, ...(meaning === 'either' && { isEither: true }) };
	return {
		columns: columns.map((one) => (one.field === bareAmount ? { ...one, ...meant } : one)),
	};
}

/** What a bare Amount means. `either`: all quantities are 1. `undefined`: unknown, and it matters. */
function meaningOfAmount(columns: FieldColumn[], cells: RowCells[], { amountIs }: RowSettings) {
	if (amountIs) return amountIs;
	if (columns.some(({ field }) => field.name === 'itemAmount')) return 'lineTotal';
	const quantities = columns.flatMap(({ field }, at) =>
		field.name === 'itemQuantity' ? [at] : [],
	);
	const isOne = ({ fields }: RowCells) =>
		quantities.every((at) => {
			const quantity = thousandthsOf(fields[at]);
			return fields[at] === undefined || quantity === BigInt(1000);
		});
	return cells.every(isOne) ? 'either' : undefined;
}
