import { Decimal, toMoney } from '../../shared/fields/decimal';
import { toInteger, withoutEnd } from '../../shared/fields/text';
import type { CountedItem, InvoiceItem } from '../invoices/items';
import { totalOf } from '../invoices/items';
import { decimalsOf } from './cells/currencies';

/** Makes a row's item without rounding (spec 2.4). Values that disagree, or cannot be sent exactly, are problems. */
export function itemOf(row: {
	values: ReadonlyMap<string, unknown>;
	invalid: ReadonlySet<string>;
}): { item?: CountedItem; problems: string[] } {
	const { values, invalid } = row;
	const isNamed = values.has('itemName') || invalid.has('itemName');
	const problems = isNamed ? [] : ['Item Name is empty, but it is required'];
	if (['itemAmount', 'itemTotal', 'itemQuantity'].some((name) => invalid.has(name)))
		return { problems };
	const price = values.get('itemAmount') as string | undefined;
	const total = values.get('itemTotal') as string | undefined;
	const outcome = amountOf(price, total, String(values.get('itemQuantity') ?? 1));
	if ('problem' in outcome) return { problems: [...problems, outcome.problem] };
	return { item: { name: String(values.get('itemName') ?? ''), ...outcome }, problems };
}

const cent = Decimal.of('0.01');
const halfCent = Decimal.of('0.005');
const short = (decimal: Decimal) => withoutEnd(withoutEnd(`${decimal}`, '0'), '.');

type SentAmount = Omit<CountedItem, 'name'>;

function amountOf(
	price: string | undefined,
	total: string | undefined,
	quantity: string,
): SentAmount | { problem: string } {
	if (price === undefined && total === undefined)
		return { problem: 'Unit Price is empty, but it is required' };
	const times = Decimal.of(quantity);
	const count = short(times);
	const whole = toInteger(count);
	const line = price === undefined ? undefined : Decimal.of(price).times(times);
	if (line && total !== undefined) {
		const stated = Decimal.of(total);
		// Time trackers round the totals of fractional hours to cents.
		const isRounded =
			!('value' in whole) && stated.isMultipleOf(cent) && line.isNear(stated, halfCent);
		if (!line.equals(stated) && !isRounded) {
			const problem = `Line Total is ${stated}, but ${count} x ${Decimal.of(price ?? 0)} is ${line}. Correct one of them, or move one of the two columns to 'not billed' in the reading`;
			return { problem };
		}
	}
	if ('value' in whole) {
		return price === undefined
			? divide(total ?? '', whole.value)
			: { amount: price, quantity: whole.value };
	}
	const amount = total === undefined ? toMoney(short(line ?? Decimal.zero)) : { value: total };
	if ('problem' in amount) {
		const problem = `${quantity} x ${price ?? ''} has more than 3 decimals (${line}), so it cannot be billed exactly. Add a Line Total column, or enter a quantity with fewer decimals`;
		return { problem };
	}
	const ofPrice = price === undefined ? '' : ` x ${Decimal.of(price)}`;
	return { amount: amount.value, quantity: 1, count: `${count}${ofPrice}` };
}

function divide(total: string, quantity: number): SentAmount | { problem: string } {
	if (quantity === 1) return { amount: total, quantity };
	const stated = Decimal.of(total);
	const part = toMoney(String(Number((Number(total) / quantity).toPrecision(15))));
	if (
		'value' in part &&
		quantity !== 0 &&
		Decimal.of(part.value).times(Decimal.of(quantity)).equals(stated)
	)
		return { amount: part.value, quantity };
	if (quantity === 0 && stated.equals(Decimal.zero)) return { amount: '0', quantity };
	// The sum is what counts: the quantity then stands in the item's name.
	return { amount: total, quantity: 1, count: String(quantity) };
}

export interface Sums {
	/** Exact decimal text, because it is unknown how the service rounds discounts. */
	subtotal: string;
	discount: string;
	total: string;
}

export function sumsOf(items: readonly InvoiceItem[], discountPercentage = 0): Sums {
	const subtotal = totalOf(items);
	const discount = subtotal.percent(discountPercentage);
	return { subtotal: `${subtotal}`, discount: `${discount}`, total: `${subtotal.minus(discount)}` };
}

/** Whether two amounts are the same, to rank and compare. `added`: a sum may be off by a unit of rounding for each row of it. */
export const isNear = (one: number, other: number, added = 0) =>
	Math.abs(one - other) < 0.006 + added / 100;

/** Whether a stated sum equals the exact sum, or the exact sum rounded to the decimals of the currency. */
export function isSameSum(exact: string, stated: string, currency = 'EUR'): boolean {
	const step = Decimal.of(`0.${'0'.repeat(Math.min(decimalsOf(currency), 3))}5`);
	return Decimal.of(exact).isNear(Decimal.of(stated), step);
}

/** Percent. Taxes that may stand on top of a sum. */
export const [lowestTax, highestTax] = [5, 27];

/** The percentage, if an amount is a sum with a tax on top. */
export function taxRateOf(amount: number, sum: number): number | undefined {
	const tax = sum > 0 ? (amount / sum - 1) * 100 : NaN;
	const rate = Math.round(tax);
	const isTax = rate >= lowestTax && rate <= highestTax && Math.abs(tax - rate) < 0.01;
	return isTax ? rate : undefined;
}
