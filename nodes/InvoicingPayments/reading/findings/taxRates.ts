import type { Column, Explanation, Range, Roles } from '../columns';
import { columnsOf, isNear, itemsField, percentBetween, roundestIn } from '../columns';
import { isTax } from '../table';
import type { Row } from '../rows';
import { amountOf } from '../rows';

/**
 * Which taxes stand beside the amounts. That `Gross = Net + VAT` proves their sum, but not which is which, and without a gross amount 119.00
 * below `Net` and 19.00 below `VAT` would be billed as 138.00. So the percentages that the taxes were are stated, `taxed at: 19%, 7%`, and a
 * later file with another one differs.
 *
 * A percentage is what explains at least two rows to the cent. Taxes that are none, such as those of a city by the night, are not stated.
 */

/** The percentages that a sheet may have: 20, 10, 5.5, 2.1 and none in France. More are luck. */
const mostRates = 5;
/** Rows that tell a percentage from luck. */
const leastRows = 2;

interface TaxedRow {
	row: Row;
	/** Without the tax. */
	amount: number;
	tax: number;
	/** A column states the amount with its tax. */
	isSum: boolean;
}

/**
 * The taxes of rows, and what they are of: those among the items, or those that what makes up the amounts names. None if that proves what is
 * billed: the amount with its tax, or all that makes it. Rows that come to nothing without their tax differ from others anyway.
 */
export function taxedRows(
	rows: readonly Row[],
	roles: Roles,
	explanation: Explanation | undefined,
): TaxedRow[] {
	const billed = columnsOf(roles, 'itemTotal', 'itemAmount', itemsField);
	const isBilled = (one: Column) => billed.includes(one);
	const terms = explanation?.terms.filter(({ column }) => isTax(column)) ?? [];
	const sum = terms.length > 0 ? explanation : undefined;
	if (sum && (isBilled(sum.whole) || terms.every(({ column }) => isBilled(column)))) return [];
	const taxes = sum ? terms.map(({ column }) => column) : billed.filter(isTax);
	if (taxes.length === 0) return [];
	const added = terms.flatMap(({ column, isLess }) => (isLess ? [] : [column]));
	return rows.flatMap((row) => {
		const sumOf = (columns: readonly Column[]) =>
			columns.reduce((all, { numbers }) => all + (numbers[row.at] || 0), 0);
		const tax = sumOf(taxes);
		const amount = sum ? sumOf([sum.whole]) - sumOf(added) : amountOf(row) - tax;
		return amount === 0 ? [] : [{ row, tax, amount, isSum: sum !== undefined }];
	});
}

/**
 * Whether the tax of a row is one of these percentages of its amount. If a sum proves both, then any up to 100 % is: another percentage changes
 * nothing that is billed, and a tax in place of the amount would be of more.
 */
export const isTaxedAt = ({ amount, tax, isSum }: TaxedRow, rates: readonly string[]): boolean =>
	(isSum && Math.abs(tax) <= Math.abs(amount)) ||
	rates.some((rate) => isNear((amount * Number(rate.replace('%', ''))) / 100, tax));

/** What percentage of its amount the tax of a row is, to read. */
export const percentageOf = (one: TaxedRow): string => {
	const range = percentBetween(one);
	return one.tax === 0 ? '0%' : `${roundestIn(range) ?? range.low.toFixed(3)}%`;
};

/** The fewest percentages that explain these taxes, in their order. `undefined`: no few do. */
export function ratesOf(all: readonly TaxedRow[]): string[] | undefined {
	const taxed = all.filter(({ tax }) => tax !== 0);
	let open: Range[] = taxed.map(percentBetween).sort((a, b) => a.high - b.high);
	const rates: number[] = [];
	while (open.length > 0) {
		const [{ high }] = open;
		const together = open.filter(({ low }) => low <= high);
		const rate = roundestIn({ low: Math.max(...together.map(({ low }) => low)), high });
		if (rate === undefined || rates.length === mostRates) return undefined;
		rates.push(rate);
		open = open.filter((one) => !together.includes(one));
	}
	if (rates.length === 0 || taxed.length < rates.length * leastRows) return undefined;
	if (taxed.length < all.length) rates.push(0);
	return rates.sort((a, b) => b - a).map((rate) => `${rate}%`);
}
