import type { IDataObject } from 'n8n-workflow';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import { isEmpty } from '../../shared/fields/text';
import type { CellOutcome } from './cells';
import type { Columns, FieldColumn } from './columns';
import { own } from './columns';
import { isDate } from './figures';
import { namesAmount, namesOtherMoney } from './headerKinds';
import type { RowCells } from './rowCells';
import { thousandthsOf } from './rowCells';
import type { RowField } from './rowFields';
import { bareAmount, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import { toTermDays } from './terms';

/** What the cells say of columns whose headers leave something open. */
export interface Settled {
	columns: Columns;
	cells: RowCells[];
	/** The header of a column of amounts that may be two things. */
	ambiguous?: string;
}

/** The columns as their cells show them to be meant: what is called just Amount, and a quantity under any name. */
export function settleColumns(columns: Columns, cells: RowCells[], settings: RowSettings): Settled {
	const amount = settleAmount(columns.fields, cells, settings);
	if ('ambiguous' in amount) return { columns, cells, ambiguous: amount.ambiguous };
	const meant = { ...columns, fields: amount.columns };
	const settling = settlingColumns(meant);
	return settleQuantity(meant, settleDoubts(cells, settling), settling);
}

/**
 * The columns with due dates and terms as their cells show them: `Zahlungsziel` can be either, and people write `Net 30` under Due Date.
 * A number under Due Date stays an error, because it may be an amount that is due.
 */
export function settleDueDates(columns: Columns, items: IDataObject[]): Columns {
	const isTerms = (cell: unknown) => 'value' in toTermDays(cell);
	const meantBy = ({ field, header }: FieldColumn): RowField => {
		if (header === undefined || !['dueDate', 'terms'].includes(field.name)) return field;
		const cells = items.map((json) => own(json, header)).filter((cell) => !isEmpty(cell));
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

/** Where the columns are that settle others, and whether so many, in millionths, at a row's price are its line's total. */
function settlingColumns({ fields, totals }: Columns) {
	const at = (name: string) => fields.findIndex(({ field }) => field.name === name);
	const [price, quantity, total] = ['itemAmount', 'itemQuantity', 'itemTotal'].map(at);
	const sum = totals.findIndex(({ kind }) => kind === 'invoiceOrRow');
	const lineOf = (row: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(row.fields[total]);
		const cell = row.totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	const isLine = (row: RowCells, many: bigint): boolean => {
		const [one, line] = [thousandthsOf(row.fields[price]), lineOf(row)];
		if (!one || line === undefined) return false;
		return one * many === line * thousand * thousand;
	};
	return { price, quantity, isLine };
}

type Settling = ReturnType<typeof settlingColumns>;

/** A quantity that may be something else is one where it times the price is the line's total. */
function settleDoubts(cells: RowCells[], { quantity, isLine }: Settling): RowCells[] {
	return cells.map((row) => {
		const outcome = row.fields[quantity];
		if (!outcome || 'problems' in outcome || outcome.doubt === undefined) return row;
		const many = thousandthsOf(outcome);
		const isProved = many && isLine(row, many * thousand);
		const settled = isProved ? { value: outcome.value } : { problems: [outcome.doubt] };
		return withField(row, quantity, settled);
	});
}

function withField(row: RowCells, at: number, outcome: CellOutcome): RowCells {
	const fields = [...row.fields];
	fields[at] = outcome;
	return { ...row, fields };
}

/**
 * A column that makes the line's total in every row, together with the price and the quantity where there is one, is the quantity or a
 * part of it, whatever it is called: `Pages`, `Duration`, `Days` beside `Qty`.
 */
function settleQuantity(
	columns: Columns,
	cells: RowCells[],
	{ price, quantity, isLine }: Settling,
): Settled {
	const isNamed = quantity >= 0;
	const priced = price < 0 ? [] : cells.filter(({ fields }) => fields[price] !== undefined);
	if (priced.length === 0) return { columns, cells };
	const factorOf = (row: RowCells, left: number) => row.left[left]?.figure?.thousandths;
	/** In millionths. */
	const countOf = ({ fields }: RowCells, many: bigint) =>
		many * ((isNamed ? thousandthsOf(fields[quantity]) : undefined) ?? thousand);
	// The same fraction in all rows is a rate: of a tax, or of a currency.
	const isRate = (left: number) => {
		const factors = new Set(priced.map((row) => factorOf(row, left)));
		return factors.size === 1 && [...factors].some((one) => one && one % thousand !== BigInt(0));
	};
	const isFactor = (header: string, left: number) =>
		!namesOtherMoney(header) &&
		!namesAmount(header) &&
		priced.some((row) => factorOf(row, left) !== thousand) &&
		priced.every((row) => {
			const many = factorOf(row, left);
			return many !== undefined && isLine(row, countOf(row, many));
		}) &&
		(priced.length === 1 || !isRate(left));
	const found = columns.left.findIndex(isFactor);
	if (found < 0) return { columns, cells };
	const header = columns.left[found];
	const column: FieldColumn = { field: rowField('itemQuantity'), header, read: () => undefined };
	const fields = isNamed ? columns.fields : [...columns.fields, column];
	const at = isNamed ? quantity : columns.fields.length;
	return {
		columns: { ...columns, fields, factors: [header] },
		cells: cells.map((row) => {
			const many = factorOf(row, found);
			const value = many !== undefined && toDecimal(countOf(row, many) / thousand);
			return withField(row, at, value === false ? row.fields[at] : { value });
		}),
	};
}

/** The columns with what is called just Amount taken for what it is, or the header of the one that may be two things. */
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

/**
 * What a column called just Amount is: what the user says; a line total beside unit prices, and where the header says that it is of
 * the item; either where every quantity is one. `undefined`: nobody knows, and it makes a difference.
 */
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
