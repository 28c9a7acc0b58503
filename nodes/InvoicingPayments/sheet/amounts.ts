import { toMoney } from '../../shared/fields/decimal';
import { toInteger } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { decimalsOf } from './currencies';
import type { RowSettings } from './rowSettings';
import { toDecimal, toHundredThousandths, toThousandths } from './scales';

/** Makes a row's item without rounding. Values that disagree, or cannot be sent exactly, are problems. */
export function itemOf(
	row: { values: ReadonlyMap<string, unknown>; invalid: ReadonlySet<string> },
	settings: RowSettings,
): { item?: InvoiceItem; problems: string[] } {
	const { values, invalid } = row;
	const problems =
		values.has('itemName') || invalid.has('itemName')
			? []
			: ['Item Name is empty, but it is required'];
	if (['itemAmount', 'itemTotal', 'itemQuantity'].some((name) => invalid.has(name))) {
		return { problems };
	}
	const price = values.get('itemAmount') as string | undefined;
	const total = values.get('itemTotal') as string | undefined;
	const quantity = String(values.get('itemQuantity') ?? 1);
	const outcome = amountOf(price, total, quantity, settings);
	if ('problem' in outcome) return { problems: [...problems, outcome.problem] };
	const { note, ...sent } = outcome;
	return {
		item: { name: `${String(values.get('itemName') ?? '')}${note ?? ''}`, ...sent },
		problems,
	};
}

/** In millionths. */
const product = (one: string, other: string) => toThousandths(one) * toThousandths(other);
const thousand = BigInt(1000);
const shortDecimal = (thousandths: bigint) => toDecimal(thousandths).replace(/\.?0+$/, '');
const formatted = (decimal: string) => toDecimal(toThousandths(decimal));

/** Whether an amount in millionths is the total when rounded to cents. */
function roundsTo(millionths: bigint, total: string): boolean {
	const rest = millionths - toThousandths(total) * thousand;
	const half = BigInt(5000);
	return toThousandths(total) % BigInt(10) === BigInt(0) && rest <= half && -rest <= half;
}

type SentAmount = { amount: string; quantity: number; note?: string };

function amountOf(
	price: string | undefined,
	total: string | undefined,
	quantity: string,
	{ fractionalQuantities = 'intoPrice' }: RowSettings,
): SentAmount | { problem: string } {
	if (price === undefined && total === undefined) {
		return { problem: 'Unit Price is empty, but it is required' };
	}
	const count = shortDecimal(toThousandths(quantity));
	const whole = toInteger(count);
	const isWhole = 'value' in whole;
	const line = price === undefined ? undefined : product(price, quantity);
	if (price !== undefined && line !== undefined && total !== undefined) {
		// Time trackers round the totals of fractional hours to cents.
		const isRounded = !isWhole && fractionalQuantities !== 'refuse' && roundsTo(line, total);
		if (line !== toThousandths(total) * thousand && !isRounded) {
			const problem = `Line Total is ${formatted(total)}, but ${count} x ${formatted(price)} is ${toDecimal(line, 6)}. Correct one of them, or add one of the two columns to 'Ignore Columns'`;
			return { problem };
		}
	}
	if (isWhole) {
		if (price !== undefined) return { amount: price, quantity: whole.value };
		return divide(total ?? '', whole.value);
	}
	if (fractionalQuantities === 'refuse') {
		const problem = `Item Quantity must be a whole number, got ${quantity}: remove the option 'Fractional Quantities' to bill it as one unit at the whole price`;
		return { problem };
	}
	const amount =
		total ??
		(line !== undefined && line % thousand === BigInt(0)
			? shortDecimal(line / thousand)
			: undefined);
	if (amount === undefined) {
		const problem = `${quantity} x ${price ?? ''} has more than 3 decimals (${toDecimal(line ?? BigInt(0), 6)}), so it cannot be billed exactly. Add a Line Total column, or enter a quantity with fewer decimals`;
		return { problem };
	}
	const checked = toMoney(amount);
	if ('problem' in checked) return { problem: `Line Total ${checked.problem}` };
	const priceNote = price === undefined ? '' : ` x ${formatted(price)}`;
	return { amount: checked.value, quantity: 1, note: ` (${count}${priceNote})` };
}

function divide(total: string, quantity: number): SentAmount | { problem: string } {
	const thousandths = toThousandths(total);
	if (quantity === 1) return { amount: total, quantity };
	const isExact = quantity !== 0 && thousandths % BigInt(quantity) === BigInt(0);
	if (isExact) return { amount: shortDecimal(thousandths / BigInt(quantity)), quantity };
	if (quantity === 0 && thousandths === BigInt(0)) return { amount: '0', quantity };
	const problem = `Line Total ${formatted(total)} cannot be divided by ${quantity} into a unit price of at most 3 decimals. Add a Unit Price column, or enter 1 as the quantity`;
	return { problem };
}

export interface Sums {
	/** Exact decimal strings, because it is unknown how the service rounds discounts. */
	subtotal: string;
	discount: string;
	total: string;
}

/** Sums are in hundred-thousandths, because a percentage of an amount has up to five decimals. */
const digits = 5;

/** In hundred-thousandths. */
export const lineTotalOf = ({ amount, quantity }: InvoiceItem) =>
	toHundredThousandths(amount) * BigInt(quantity);

export function sumsOf(items: readonly InvoiceItem[], discountPercentage = 0): Sums {
	const subtotal = items.reduce((sum, item) => sum + lineTotalOf(item), BigInt(0));
	const discount = (subtotal * BigInt(discountPercentage)) / BigInt(100);
	return {
		subtotal: toDecimal(subtotal, digits),
		discount: toDecimal(discount, digits),
		total: toDecimal(subtotal - discount, digits),
	};
}

/** Whether a stated sum equals the exact sum, or the exact sum rounded to the decimals of the currency. */
export function isSameSum(exact: string, stated: bigint, currency: string | undefined): boolean {
	const units = toHundredThousandths(exact);
	if (stated === units) return true;
	const step = BigInt(10 ** (digits - Math.min(decimalsOf(currency ?? 'EUR'), 3)));
	const half = step / BigInt(2);
	const isNegative = units < BigInt(0);
	const size = ((isNegative ? -units : units) + half) / step;
	return stated === size * step * BigInt(isNegative ? -1 : 1);
}
