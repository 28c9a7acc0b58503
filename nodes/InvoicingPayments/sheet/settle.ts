import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { Columns, FieldColumn } from './columns';
import { namesOtherMoney } from './headerKinds';
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
	return settleQuantity({ ...columns, fields: amount.columns }, cells);
}

/**
 * Where no column is called quantity, and one times the price is the line's total in every row, that one is the quantity, whatever it
 * is called: `Pages`, `Duration`.
 */
function settleQuantity(columns: Columns, cells: RowCells[]): Settled {
	const at = (name: string) => columns.fields.findIndex(({ field }) => field.name === name);
	const price = at('itemAmount');
	if (price < 0 || at('itemQuantity') >= 0) return { columns, cells };
	const total = at('itemTotal');
	const sum = columns.totals.findIndex(({ kind }) => kind === 'invoiceOrRow');
	const lineOf = ({ fields, totals }: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(fields[total]);
		const cell = totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	const thousand = BigInt(1000);
	const priced = cells.filter(({ fields }) => fields[price] !== undefined);
	const isQuantity = (header: string, left: number) =>
		!namesOtherMoney(header) &&
		priced.some((row) => row.left[left]?.figure?.thousandths !== thousand) &&
		priced.every((row) => {
			const one = thousandthsOf(row.fields[price]);
			const many = row.left[left]?.figure?.thousandths;
			const line = lineOf(row);
			if (one === undefined || many === undefined || line === undefined) return false;
			return one !== BigInt(0) && one * many === line * thousand;
		});
	const found = priced.length ? columns.left.findIndex(isQuantity) : -1;
	if (found < 0) return { columns, cells };
	const header = columns.left[found];
	const column: FieldColumn = { field: rowField('itemQuantity'), header, read: () => undefined };
	return {
		columns: { ...columns, fields: [...columns.fields, column] },
		cells: cells.map((row) => {
			const many = row.left[found]?.figure?.thousandths;
			const outcome = many === undefined ? undefined : { value: toDecimal(many) };
			return { ...row, fields: [...row.fields, outcome] };
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
