import { isNear } from './amounts';
import type { Roles } from './assign';
import { columnsOf } from './assign';
import { itemsField } from './fields';
import { isTax } from './names';
import type { Row } from './rows';
import { amountOf } from './rows';

/**
 * Which taxes stand beside the amounts. Where a column states the amount with its tax, that proves the tax in every row (explain.ts). Where none
 * does, 119.00 below `Net` and 19.00 below `VAT` would be billed as 138.00. So the percentages that the taxes were are stated, `taxed at: 19%,
 * 7%`, and a later file with another one differs.
 *
 * A percentage is what explains at least two rows to the cent. Taxes that are none, such as those of a city by the night, are not stated.
 */

/** The percentages that a sheet may have: 20, 10, 5.5, 2.1 and none in France. More are luck. */
const mostRates = 5;
/** Decimals of a percentage: 8.875 % in New York City. */
const mostDecimals = 3;
/** Rows that tell a percentage from luck. */
const leastRows = 2;
/** Of the unit of an amount, by which a tax is rounded. */
const halfCent = 0.005;

interface TaxedRow {
	row: Row;
	/** Without the tax. */
	amount: number;
	tax: number;
}

/**
 * What the rows come to without the taxes among their items, and these. Empty: no column of a tax is billed. A row that comes to nothing
 * without its tax differs from others anyway.
 */
export function taxedRows(rows: readonly Row[], roles: Roles): TaxedRow[] {
	const taxes = new Set(
		columnsOf(roles, itemsField)
			.filter(isTax)
			.map(({ header }) => header),
	);
	if (taxes.size === 0) return [];
	return rows.flatMap((row) => {
		const own = (row.items ?? []).filter(({ header }) => header !== undefined && taxes.has(header));
		const tax = own.reduce((sum, { amount }) => sum + Number(amount), 0);
		const amount = amountOf(row) - tax;
		return amount === 0 ? [] : [{ row, tax, amount }];
	});
}

/** Whether the tax of a row is one of these percentages of its amount. */
export const isTaxedAt = ({ amount, tax }: TaxedRow, rates: readonly string[]): boolean =>
	rates.some((rate) => isNear((amount * Number(rate.replace('%', ''))) / 100, tax));

/** What percentage of its amount the tax of a row is, to read. */
export const percentageOf = (one: TaxedRow): string => {
	const { low, high } = rangeOf(one);
	return one.tax === 0
		? '0%'
		: `${roundestIn(low, high) ?? ((low + high) / 2).toFixed(mostDecimals)}%`;
};

/** The fewest percentages that explain these taxes, in their order. `undefined`: no few do. */
export function ratesOf(all: readonly TaxedRow[]): string[] | undefined {
	const taxed = all.filter(({ tax }) => tax !== 0);
	let open = taxed.map(rangeOf).sort((a, b) => a.high - b.high);
	const rates: number[] = [];
	while (open.length > 0) {
		const [{ high }] = open;
		const together = open.filter(({ low }) => low <= high);
		const rate = roundestIn(Math.max(...together.map(({ low }) => low)), high);
		if (rate === undefined || rates.length === mostRates) return undefined;
		rates.push(rate);
		open = open.filter((one) => !together.includes(one));
	}
	if (rates.length === 0 || taxed.length < rates.length * leastRows) return undefined;
	if (taxed.length < all.length) rates.push(0);
	return rates.sort((a, b) => b - a).map((rate) => `${rate}%`);
}

/** Percent. Between these the tax is right to the cent. */
function rangeOf({ amount, tax }: TaxedRow): { low: number; high: number } {
	const [one, other] = [tax - halfCent, tax + halfCent].map((sum) => (sum / amount) * 100);
	return { low: Math.min(one, other), high: Math.max(one, other) };
}

/** The number with the fewest decimals between two. */
function roundestIn(low: number, high: number): number | undefined {
	for (let decimals = 0; decimals <= mostDecimals; decimals++) {
		const rounded = Number((Math.ceil(low * 10 ** decimals) / 10 ** decimals).toFixed(decimals));
		if (rounded <= high) return rounded;
	}
	return undefined;
}
