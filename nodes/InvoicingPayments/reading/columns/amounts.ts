import { Decimal, toMoney } from '../../../shared/fields/decimal';
import { toInteger, withoutEnd } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import type { CountedItem, InvoiceItem } from '../../invoices/items';
import { totalOf } from '../../invoices/items';
import { decimalsOf } from '../cells';
import { itemNumbers } from './fields';

/** Makes a row's item without rounding (spec 2.4). Values that disagree, or cannot be sent exactly, are problems. */
export function itemOf(row: {
	values: ReadonlyMap<string, unknown>;
	invalid: ReadonlySet<string>;
}): { item?: CountedItem; problems: string[]; isRounded?: boolean } {
	const { values, invalid } = row;
	const isNamed = values.has('itemName') || invalid.has('itemName');
	const problems = isNamed ? [] : ['Item Name is empty, but it is required'];
	const fields = [...itemNumbers, 'itemTimes', 'itemDiscount'];
	if (fields.some((name) => invalid.has(name))) return { problems };
	const price = values.get('itemAmount') as string | undefined;
	const total = values.get('itemTotal') as string | undefined;
	const count = productOf(
		textOf(values, 'itemQuantity', '1'),
		Decimal.of(textOf(values, 'itemTimes', '1')),
	);
	if (!count) return { problems: [...problems, 'Quantity and Times have too many decimals'] };
	const discount = textOf(values, 'itemDiscount', '0');
	const outcome = /[1-9]/.test(discount)
		? discountedOf({ price, total, count }, discount)
		: amountOf(price, total, short(count));
	if (!outcome.ok) return { problems: [...problems, outcome.problem] };
	const item = { name: textOf(values, 'itemName', ''), ...outcome.value };
	const isRounded =
		price !== undefined &&
		total !== undefined &&
		!/[1-9]/.test(discount) &&
		productOf(price, count)?.isNear(Decimal.of(total), halfCent) !== true;
	return { item, problems, isRounded };
}

const textOf = (values: ReadonlyMap<string, unknown>, name: string, absent: string): string =>
	String(values.get(name) ?? absent);

interface Line {
	price?: string;
	total?: string;
	count: Decimal;
}

export const discountAdvice = 'Round the discount, or enter it as an amount';

/** What a row comes to without its own discount: one piece, with the figures behind the name. A stated total beside a price has it already. */
function discountedOf({ price, total, count }: Line, discount: string): Parsed<SentAmount> {
	const base = price ?? total;
	if (base === undefined) return notRead('Unit Price is empty, but it is required');
	const isTold = price !== undefined && !count.equals(Decimal.of('1'));
	const percent = discount.endsWith('%') ? discount.slice(0, -1) : undefined;
	const exact = exactly(() => {
		const whole = price === undefined ? Decimal.of(base) : Decimal.of(price).times(count);
		return whole.minus(percent === undefined ? Decimal.of(discount) : whole.percent(percent));
	});
	const figures = `${isTold ? `${short(count)} x ` : ''}${Decimal.of(base)}, less ${percent === undefined ? `${Decimal.of(discount)}` : discount}`;
	const tooLong = `${figures} has too many decimals to be billed exactly. ${discountAdvice}`;
	if (!exact) return notRead(tooLong);
	if (price !== undefined && total !== undefined) {
		const stated = Decimal.of(total);
		const isRounded = stated.isMultipleOf(cent) && exact.isNear(stated, halfCent);
		return isRounded || exact.equals(stated)
			? ok({ amount: total, quantity: 1, count: figures })
			: notRead(
					`Line Total is ${stated}, but ${figures} is ${exact}. Correct one of them, or move one of the columns to 'not billed' in the reading`,
				);
	}
	const amount = toMoney(short(exact));
	return amount.ok ? ok({ amount: amount.value, quantity: 1, count: figures }) : notRead(tooLong);
}

const cent = Decimal.of('0.01');
const halfCent = Decimal.of('0.005');
/** Percent of a total. A stated one that differs more from price times quantity is no rounding. */
const mostRounding = 1;
const short = (decimal: Decimal) => withoutEnd(withoutEnd(`${decimal}`, '0'), '.');

type SentAmount = Omit<CountedItem, 'name'>;

/** `undefined`: it has more decimals than are computed with. */
function exactly(compute: () => Decimal): Decimal | undefined {
	try {
		return compute();
	} catch {
		return undefined;
	}
}
const productOf = (price: string, times: Decimal) => exactly(() => Decimal.of(price).times(times));

/**
 * Whether a stated total is a rounding away from price times quantity: 100.00 beside 3 x 33.33, because the price is a rounded part of it, or
 * 118.75 beside 1.25 x 95.00. The customer was told the total.
 */
function isRounding(line: Decimal, stated: Decimal, times: Decimal): boolean {
	const ofPrice = times.times(halfCent);
	const tolerance = ofPrice.isMoreThan(halfCent) ? ofPrice : halfCent;
	const ofTotal = stated.percent(mostRounding);
	const most = ofTotal.isMoreThan(tolerance) ? tolerance : ofTotal;
	return (
		stated.isMultipleOf(cent) && line.isNear(stated, halfCent.isMoreThan(most) ? halfCent : most)
	);
}

function amountOf(
	price: string | undefined,
	total: string | undefined,
	quantity: string,
): Parsed<SentAmount> {
	if (price === undefined && total === undefined)
		return notRead('Unit Price is empty, but it is required');
	const times = Decimal.of(quantity);
	const count = short(times);
	const whole = toInteger(count);
	if (price === undefined)
		return whole.ok
			? divide(total ?? '', whole.value)
			: ok({ amount: total ?? '', quantity: 1, count });
	const line = productOf(price, times);
	const counted = `${count} x ${Decimal.of(price)}`;
	if (total !== undefined) {
		const stated = Decimal.of(total);
		if (line && !line.equals(stated) && !isRounding(line, stated, times)) {
			const problem = `Line Total is ${stated}, but ${count} x ${Decimal.of(price)} is ${line}. Correct one of them, or move one of the two columns to 'not billed' in the reading`;
			return notRead(problem);
		}
		const isSent = line?.equals(stated) === true && toMoney(price).ok;
		if (!isSent || !whole.ok) return ok({ amount: total, quantity: 1, count: counted });
	}
	if (whole.ok && toMoney(price).ok) return ok({ amount: price, quantity: whole.value });
	const amount = line && toMoney(short(line));
	if (amount?.ok) return ok({ amount: amount.value, quantity: 1, count: counted });
	const problem = `${quantity} x ${price} has more than 3 decimals${line ? ` (${line})` : ''}, so it cannot be billed exactly. Add a Line Total column, or enter a quantity with fewer decimals`;
	return notRead(problem);
}

function divide(total: string, quantity: number): Parsed<SentAmount> {
	if (quantity === 1) return ok({ amount: total, quantity });
	const stated = Decimal.of(total);
	const part = toMoney(String(Number((Number(total) / quantity).toPrecision(15))));
	if (
		part.ok &&
		quantity !== 0 &&
		Decimal.of(part.value).times(Decimal.of(quantity)).equals(stated)
	)
		return ok({ amount: part.value, quantity });
	if (quantity === 0 && stated.equals(Decimal.zero)) return ok({ amount: '0', quantity });
	// The sum is what counts: the quantity then stands in the item's name.
	return ok({ amount: total, quantity: 1, count: String(quantity) });
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

/** Half a hundredth: as far as rounding moves an amount, and a little more, for the noise of floating-point numbers. */
const rounding = { ofAmount: 0.006, ofPrice: 0.0051 };
/** Part of a total. A stated one that differs more from price times quantity is no rounding. */
const mostRounded = 0.01;

/** Whether a total is price times quantity, or a rounding away from it: of the total, or of the price for each piece. To rank and compare. */
export const isProduct = (price: number, quantity: number, total: number): boolean => {
	const away = Math.abs(price * quantity - total);
	const ofPieces = Math.abs(quantity) * rounding.ofPrice;
	return away < rounding.ofAmount || away < Math.min(ofPieces, Math.abs(total) * mostRounded);
};

/** Whether two amounts are the same, to rank and compare. `added`: a sum may be off by a unit of rounding for each row of it. */
export const isNear = (one: number, other: number, added = 0) =>
	Math.abs(one - other) < rounding.ofAmount + added / 100;

/** Whether a stated sum equals the exact sum, or the exact sum rounded to the decimals of the currency. */
export function isSameSum(exact: string, stated: string, currency = 'EUR'): boolean {
	const step = Decimal.of(`0.${'0'.repeat(Math.min(decimalsOf(currency), 3))}5`);
	return Decimal.of(exact).isNear(Decimal.of(stated), step);
}

/** Percent. Taxes that may stand on top of a sum, and how far the rounding of that sum moves them. */
const [lowestTax, highestTax, roundedBy] = [5, 27, 0.01];

/** The percentage, if an amount is a sum with a tax on top. */
export function taxRateOf(amount: number, sum: number): number | undefined {
	const tax = sum > 0 ? (amount / sum - 1) * 100 : NaN;
	const rate = Math.round(tax);
	const isTax = rate >= lowestTax && rate <= highestTax && Math.abs(tax - rate) < roundedBy;
	return isTax ? rate : undefined;
}

export interface Range {
	low: number;
	high: number;
}

/** Percent. Between these a tax is right to the nearest hundredth. */
export function percentBetween({ amount, tax }: { amount: number; tax: number }): Range {
	const half = 1 / 200;
	const [one, other] = [tax - half, tax + half].map((sum) => (sum / amount) * 100);
	return { low: Math.min(one, other), high: Math.max(one, other) };
}

/** Decimals of a percentage: 8.875 % in New York City. */
const mostDecimals = 3;

/** The number with the fewest decimals between two. */
export function roundestIn({ low, high }: Range, most = mostDecimals): number | undefined {
	for (let decimals = 0; decimals <= most; decimals++) {
		const rounded = Number((Math.ceil(low * 10 ** decimals) / 10 ** decimals).toFixed(decimals));
		if (rounded <= high) return rounded;
	}
	return undefined;
}
