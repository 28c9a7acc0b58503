import type { Column, Range } from '../columns';
import {
	columnsOf,
	isNear,
	isPercentage,
	itemsField,
	percentBetween,
	roundestIn,
} from '../columns';
import type { Sheet } from './findings';
import { isTax } from '../table';
import type { Row } from '../rows';
import { amountOf } from '../rows';

/**
 * Which taxes stand beside the amounts, billed or not. That `Gross = Net + VAT` proves their sum, but not which is which, and without a gross
 * amount 119.00 below `Net` and 19.00 below `VAT` would be billed as 119.00 or 138.00. So the percentages that the taxes were are stated,
 * `taxed at: 19%, 7%`, and a later file with another one differs.
 *
 * A percentage is what explains two rows to the cent, or one row if it is a round one. Taxes that are none, such as those of a city by the
 * night, are not stated.
 */

/** The percentages that a sheet may have: 20, 10, 5.5, 2.1 and none in France. More are luck. */
const mostRates = 5;
/** Rows that tell a percentage from luck. */
const leastRows = 2;
/** Percentages of taxes are hardly finer, as `8.1`. */
const roundDecimals = 1;
/** Percentage points. If a row allows no more of them, a round one is luck in one row of four. */
const mostLuck = 0.025;

/** The round percentage of an amount that a tax is. `undefined`: none. */
export const roundRateOf = (one: { amount: number; tax: number }): number | undefined =>
	roundestIn(percentBetween(one), roundDecimals);

const isTold = ({ low, high }: Range): boolean =>
	high - low < mostLuck && roundestIn({ low, high }, roundDecimals) !== undefined;

interface TaxedRow {
	row: Row;
	/** Without the tax. */
	amount: number;
	tax: number;
	/** A column states the amount with its tax. */
	isSum: boolean;
	/** The tax is billed, or part of what makes up the amounts. */
	isUsed: boolean;
}

/**
 * The taxes of rows, and what they are of: those that what makes up the amounts names, or all that the sheet has. None if that proves what is
 * billed: the amount with its tax, or all that makes it. Rows that come to nothing without their tax differ from others anyway.
 */
export function taxedRows({
	rows,
	roles,
	explanation,
	unbilled,
}: Pick<Sheet, 'rows' | 'roles' | 'explanation' | 'unbilled'>): TaxedRow[] {
	const billed = columnsOf(roles, 'itemTotal', 'itemAmount', itemsField);
	const isBilled = (one: Column) => billed.includes(one);
	const terms = explanation?.terms.filter(({ column }) => isTax(column)) ?? [];
	const sum = terms.length > 0 ? explanation : undefined;
	if (sum && (isBilled(sum.whole) || terms.every(({ column }) => isBilled(column)))) return [];
	const isAmount = (one: Column) => one.is('number') && !isPercentage(one);
	const taxes = sum
		? terms.map(({ column }) => column)
		: [...billed, ...unbilled.filter(isAmount)].filter(isTax);
	if (taxes.length === 0) return [];
	const isUsed = sum !== undefined || taxes.some(isBilled);
	const added = terms.flatMap(({ column, isLess }) => (isLess ? [] : [column]));
	return rows.flatMap((row) => {
		const sumOf = (columns: readonly Column[]) =>
			columns.reduce((all, { numbers }) => all + (numbers[row.at] || 0), 0);
		const tax = sumOf(taxes);
		const amount = sum
			? sumOf([sum.whole]) - sumOf(added)
			: amountOf(row) - sumOf(taxes.filter(isBilled));
		return amount === 0 || !row.items
			? []
			: [{ row, tax, amount, isSum: sum !== undefined, isUsed }];
	});
}

/**
 * Whether the tax of a row is one of these percentages of its amount. If a sum proves both, then any up to 100 % is: another percentage changes
 * nothing that is billed, and a tax in place of the amount would be of more.
 */
export function isTaxedAt(one: TaxedRow, rates: readonly string[]): boolean {
	const { amount, tax, isSum, isUsed } = one;
	const percentages = rates.map((rate) => Number(rate.replace('%', '')));
	const isOf = (percentage: number) => isNear((amount * percentage) / 100, tax);
	if (isSum && Math.abs(tax) <= Math.abs(amount)) return true;
	if (percentages.some(isOf)) return true;
	// A tax that nobody bills may be any, but not that of a gross amount in place of the net one, nor an amount in place of the tax.
	const isOfGross = percentages.some((one) => one > 0 && isOf((100 * one) / (100 + one)));
	return !isUsed && !isOfGross && Math.abs(tax) < Math.abs(amount);
}

/** What percentage of its amount the tax of a row is, to read. */
export const percentageOf = (one: TaxedRow): string => {
	const range = percentBetween(one);
	return one.tax === 0 ? '0%' : `${roundestIn(range) ?? range.low.toFixed(3)}%`;
};

/** Percentages with further ones that a person confirms. So many that they are none are not stated any more. */
export const withMoreRates = (rates: readonly string[], more: readonly string[]) => {
	const all = [...rates, ...more];
	return all.filter((rate) => rate !== '0%').length > mostRates ? undefined : all;
};

/** The fewest percentages that explain these taxes, in their order. `undefined`: no few do. */
export function ratesOf(all: readonly TaxedRow[]): string[] | undefined {
	const taxed = all.filter(({ tax }) => tax !== 0);
	const isUsed = all.some((one) => one.isUsed);
	let open: Range[] = taxed.map(percentBetween).sort((a, b) => a.high - b.high);
	const rates: number[] = [];
	let told = 0;
	while (open.length > 0) {
		const [{ high }] = open;
		const together = open.filter(({ low }) => low <= high);
		const rate = roundestIn({ low: Math.max(...together.map(({ low }) => low)), high });
		if (rate === undefined || rates.length === mostRates) return undefined;
		// Of a tax that is not billed, only round ones: 15.97 % is that of a gross amount.
		if (!isUsed && rate !== Number(rate.toFixed(roundDecimals))) return undefined;
		rates.push(rate);
		told += Math.max(together.length, together.some(isTold) ? leastRows : 0);
		open = open.filter((one) => !together.includes(one));
	}
	if (rates.length === 0 || told < rates.length * leastRows) return undefined;
	if (taxed.length < all.length) rates.push(0);
	return rates.sort((a, b) => b - a).map((rate) => `${rate}%`);
}
