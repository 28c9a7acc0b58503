import type { CellOutcome } from './cells';
import type { Columns, FieldColumn } from './columns';
import { namesAmount, namesOtherMoney } from './headers';
import type { RowCells } from './rowCells';
import { bareAmount, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import { toDecimal, toThousandths } from './scales';

/** Decides by the cells what a column called Amount means, and which column is the quantity. Reports an ambiguous Amount. */
export function settleColumns(columns: Columns, cells: RowCells[], settings: RowSettings) {
	const amountColumn = columns.fields.find(({ field }) => field === bareAmount);
	const meaning = amountColumn && meaningOfAmount(columns.fields, cells, settings);
	if (amountColumn && !meaning) {
		const title = `Column "${amountColumn.header ?? ''}" may be the unit price or the line total`;
		const text = `${title}, and there are quantities other than 1. Options > Amount Is says which`;
		return { columns, cells, problems: [{ title: `${title}: set 'Amount Is'`, text }] };
	}
	const field = rowField(meaning === 'lineTotal' ? 'itemTotal' : 'itemAmount');
	const role = meaning === 'either' ? ('either' as const) : undefined;
	const fields = columns.fields.map((one) =>
		one.field === bareAmount ? { ...one, field, role } : one,
	);
	const settled = { ...columns, fields };
	const isLineTotal = lineTest(settled);
	return {
		...settleQuantity(settled, settleDoubts(settled, cells, isLineTotal), isLineTotal),
		problems: [],
	};
}

/** What a column called Amount means. `either`: all quantities are 1, so it does not matter. `undefined`: unknown. */
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
	const statedLineTotal = (row: RowCells): bigint | undefined => {
		if (total >= 0) return thousandthsOf(row.fields[total]);
		const cell = row.totals[sum];
		return cell && 'value' in cell ? toThousandths(cell.value) : undefined;
	};
	return (row, quantity) => {
		const [one, line] = [thousandthsOf(row.fields[price]), statedLineTotal(row)];
		return !!one && line !== undefined && one * quantity === line * thousand * thousand;
	};
}

/** Accepts a doubtful quantity if price times quantity is the line total. */
function settleDoubts({ fields }: Columns, cells: RowCells[], isLineTotal: LineTest): RowCells[] {
	const at = indexOf(fields, 'itemQuantity');
	return cells.map((row) => {
		const outcome = row.fields[at];
		if (!outcome || 'problems' in outcome || outcome.doubt === undefined) return row;
		const quantity = thousandthsOf(outcome);
		const isProved = quantity && isLineTotal(row, quantity * thousand);
		return withField(row, at, isProved ? { value: outcome.value } : { problems: [outcome.doubt] });
	});
}

function withField(row: RowCells, at: number, outcome: CellOutcome): RowCells {
	const fields = [...row.fields];
	fields[at] = outcome;
	return { ...row, fields };
}

/** Finds a column that is a factor of every line total. It is the quantity (`Pages`), or a part of it (`Days` beside `Qty`). */
function settleQuantity(columns: Columns, cells: RowCells[], isLineTotal: LineTest) {
	const price = indexOf(columns.fields, 'itemAmount');
	const quantity = indexOf(columns.fields, 'itemQuantity');
	const hasQuantity = quantity >= 0;
	const priced = price < 0 ? [] : cells.filter(({ fields }) => fields[price] !== undefined);
	const factorOf = (row: RowCells, index: number) => row.unmapped[index]?.figure?.thousandths;
	/** In millionths. */
	const quantityOf = ({ fields }: RowCells, factor: bigint) =>
		factor * ((hasQuantity ? thousandthsOf(fields[quantity]) : undefined) ?? thousand);
	// The same fraction in all rows is a tax rate or an exchange rate.
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
			return factor !== undefined && isLineTotal(row, quantityOf(row, factor));
		}) &&
		(priced.length === 1 || !isRate(index));
	const factorColumn = columns.unmapped.findIndex(isFactor);
	if (factorColumn < 0) return { columns, cells };
	const header = columns.unmapped[factorColumn];
	const column: FieldColumn = { field: rowField('itemQuantity'), header, read: () => undefined };
	const fields = hasQuantity ? columns.fields : [...columns.fields, column];
	const at = hasQuantity ? quantity : columns.fields.length;
	return {
		columns: { ...columns, fields, factors: [header] },
		cells: cells.map((row) => {
			const factor = factorOf(row, factorColumn);
			if (factor === undefined) return withField(row, at, row.fields[at]);
			return withField(row, at, { value: toDecimal(quantityOf(row, factor) / thousand) });
		}),
	};
}
