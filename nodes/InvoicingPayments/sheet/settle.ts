import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { Columns, FieldColumn } from './columns';
import { namesAmount, namesOtherMoney } from './headerKinds';
import type { RowCells } from './rowCells';
import { thousandthsOf } from './rowCells';
import { bareAmount, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

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
	const { price, quantity, lineOf } = settlingColumns(meant);
	return settleQuantity(meant, settleDoubts(cells, price, quantity, lineOf));
}

/** Where the columns are that settle others, and what a row says that its line comes to, in thousandths. */
function settlingColumns({ fields, totals }: Columns) {
	const at = (name: string) => fields.findIndex(({ field }) => field.name === name);
	const [price, quantity, total] = ['itemAmount', 'itemQuantity', 'itemTotal'].map(at);
	const sum = totals.findIndex(({ kind }) => kind === 'invoiceOrRow');
	const lineOf = (row: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(row.fields[total]);
		const cell = row.totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	return { price, quantity, lineOf };
}

/** A quantity that may be something else is one where it times the price is the line's total. */
function settleDoubts(
	cells: RowCells[],
	price: number,
	quantity: number,
	lineOf: (row: RowCells) => bigint | undefined,
): RowCells[] {
	return cells.map((row) => {
		const outcome = row.fields[quantity];
		if (!outcome || 'problems' in outcome || outcome.doubt === undefined) return row;
		const [one, many, line] = [
			thousandthsOf(row.fields[price]),
			thousandthsOf(outcome),
			lineOf(row),
		];
		const isProduct = one && many && line !== undefined && one * many === line * thousand;
		const settled = isProduct ? { value: outcome.value } : { problems: [outcome.doubt] };
		const fields = row.fields.map((cell, at) => (at === quantity ? settled : cell));
		return { ...row, fields };
	});
}

const thousand = BigInt(1000);

/**
 * A column that makes the line's total in every row, together with the price and the quantity where there is one, is the quantity or a
 * part of it, whatever it is called: `Pages`, `Duration`, `Days` beside `Qty`.
 */
function settleQuantity(columns: Columns, cells: RowCells[]): Settled {
	const { price, quantity, lineOf } = settlingColumns(columns);
	if (price < 0 || !cells.some((row) => lineOf(row) !== undefined)) return { columns, cells };
	const countOf = ({ fields }: RowCells) =>
		quantity < 0 ? thousand : (thousandthsOf(fields[quantity]) ?? thousand);
	const factorOf = (row: RowCells, left: number) => row.left[left]?.figure?.thousandths;
	const priced = cells.filter(({ fields }) => fields[price] !== undefined);
	// The same fraction in all rows is a rate: of a tax, or of a currency.
	const isRate = (left: number) => {
		const factors = new Set(priced.map((row) => factorOf(row, left)));
		return factors.size === 1 && [...factors].some((one) => one && one % thousand !== BigInt(0));
	};
	const isFactor = (header: string, left: number) =>
		!namesOtherMoney(header) &&
		!namesAmount(header) &&
		priced.some((row) => factorOf(row, left) !== thousand) &&
		(priced.length === 1 || !isRate(left)) &&
		priced.every((row) => {
			const [one, many, line] = [
				thousandthsOf(row.fields[price]),
				factorOf(row, left),
				lineOf(row),
			];
			if (!one || many === undefined || line === undefined) return false;
			return one * many * countOf(row) === line * thousand * thousand;
		});
	const found = priced.length ? columns.left.findIndex(isFactor) : -1;
	if (found < 0) return { columns, cells };
	const header = columns.left[found];
	const column: FieldColumn = { field: rowField('itemQuantity'), header, read: () => undefined };
	const countIn = (row: RowCells) => {
		const many = factorOf(row, found);
		return many === undefined ? undefined : { value: toDecimal((many * countOf(row)) / thousand) };
	};
	return {
		columns: {
			...columns,
			fields: quantity < 0 ? [...columns.fields, column] : columns.fields,
			factors: [header],
		},
		cells: cells.map((row) => {
			const outcome = countIn(row);
			const fields =
				quantity < 0
					? [...row.fields, outcome]
					: row.fields.map((one, index) => (index === quantity && outcome ? outcome : one));
			return { ...row, fields };
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
