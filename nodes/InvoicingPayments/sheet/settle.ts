import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { CellOutcome } from './cells';
import type { Columns, FieldColumn } from './columns';
import { namesAmount, namesOtherMoney } from './headers';
import type { RowCells } from './rowCells';
import { bareAmount, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

/** Decides by the cells what ambiguous columns mean: a bare Amount, and quantities under any name. `problems`: it stays unclear. */
export function settleColumns(columns: Columns, cells: RowCells[], settings: RowSettings) {
	const bare = columns.fields.find(({ field }) => field === bareAmount);
	const meaning = bare && meaningOfAmount(columns.fields, cells, settings);
	if (bare && !meaning) {
		const title = `Column "${bare.header ?? ''}" may be the unit price or the line total`;
		const text = `${title}, and there are quantities other than 1. Options > Amount Is says which`;
		return { columns, cells, problems: [{ title: `${title}: set 'Amount Is'`, text }] };
	}
	const field = rowField(meaning === 'lineTotal' ? 'itemTotal' : 'itemAmount');
	const role = meaning === 'either' ? ('either' as const) : undefined;
	const fields = columns.fields.map((one) =>
		one.field === bareAmount ? { ...one, field, role } : one,
	);
	const clear = { ...columns, fields };
	const isLine = lineTest(clear);
	return { ...settleQuantity(clear, settleDoubts(clear, cells, isLine), isLine), problems: [] };
}

/** What a bare Amount means. `either`: all quantities are 1. `undefined`: unknown, and it matters. */
function meaningOfAmount(fields: FieldColumn[], cells: RowCells[], { amountIs }: RowSettings) {
	if (amountIs) return amountIs;
	if (indexOf(fields, 'itemAmount') >= 0) return 'lineTotal';
	const isOne = (row: RowCells) =>
		fields.every(
			({ field }, at) =>
				field.name !== 'itemQuantity' ||
				row.fields[at] === undefined ||
				thousandthsOf(row.fields[at]) === thousand,
		);
	return cells.every(isOne) ? 'either' : undefined;
}

const thousand = BigInt(1000);

const indexOf = (fields: FieldColumn[], name: string) =>
	fields.findIndex(({ field }) => field.name === name);

const thousandthsOf = (outcome: CellOutcome): bigint | undefined =>
	outcome && 'value' in outcome && typeof outcome.value === 'string'
		? toThousandths(outcome.value)
		: undefined;

/** Whether the price of a row times a quantity (in millionths) is its line total. */
type LineTest = (row: RowCells, quantity: bigint) => boolean;

function lineTest({ fields, totals }: Columns): LineTest {
	const [price, total] = [indexOf(fields, 'itemAmount'), indexOf(fields, 'itemTotal')];
	const sum = totals.findIndex(({ kind }) => kind === 'invoiceOrRow');
	const lineOf = (row: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(row.fields[total]);
		const cell = row.totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	return (row, quantity) => {
		const [one, line] = [thousandthsOf(row.fields[price]), lineOf(row)];
		return !!one && line !== undefined && one * quantity === line * thousand * thousand;
	};
}

/** A doubtful quantity counts if the price times it is the line total. */
function settleDoubts({ fields }: Columns, cells: RowCells[], isLine: LineTest): RowCells[] {
	const at = indexOf(fields, 'itemQuantity');
	return cells.map((row) => {
		const outcome = row.fields[at];
		if (!outcome || 'problems' in outcome || outcome.doubt === undefined) return row;
		const quantity = thousandthsOf(outcome);
		const isProved = quantity && isLine(row, quantity * thousand);
		return withField(row, at, isProved ? { value: outcome.value } : { problems: [outcome.doubt] });
	});
}

function withField(row: RowCells, at: number, outcome: CellOutcome): RowCells {
	const fields = [...row.fields];
	fields[at] = outcome;
	return { ...row, fields };
}

/** Finds a column that is a factor of every line total: `Pages`, or `Days` beside `Qty`. It is the quantity, or a part of it. */
function settleQuantity(columns: Columns, cells: RowCells[], isLine: LineTest) {
	const price = indexOf(columns.fields, 'itemAmount');
	const quantity = indexOf(columns.fields, 'itemQuantity');
	const isNamed = quantity >= 0;
	const priced = price < 0 ? [] : cells.filter(({ fields }) => fields[price] !== undefined);
	const factorOf = (row: RowCells, index: number) => row.unmapped[index]?.figure?.thousandths;
	/** In millionths. */
	const quantityOf = ({ fields }: RowCells, factor: bigint) =>
		factor * ((isNamed ? thousandthsOf(fields[quantity]) : undefined) ?? thousand);
	// The same fraction in all rows is a tax or exchange rate.
	const isRate = (index: number) => {
		const [factor, ...others] = new Set(priced.map((row) => factorOf(row, index)));
		return !others.length && !!factor && factor % thousand !== BigInt(0);
	};
	const isFactor = (header: string, index: number) =>
		!namesOtherMoney(header) &&
		!namesAmount(header) &&
		priced.some((row) => factorOf(row, index) !== thousand) &&
		priced.every((row) => {
			const factor = factorOf(row, index);
			return factor !== undefined && isLine(row, quantityOf(row, factor));
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
			const factor = factorOf(row, found);
			if (factor === undefined) return withField(row, at, row.fields[at]);
			return withField(row, at, { value: toDecimal(quantityOf(row, factor) / thousand) });
		}),
	};
}
