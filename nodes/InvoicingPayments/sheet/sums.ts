import { toDecimal, toHundredThousandths, toThousandths } from '../../shared/fields/decimal';
import type { InvoiceItem } from '../invoices/items';
import { decimalsOf } from './currencies';

/** What an invoice comes to, before taxes and fees. */
export interface Sums {
	/** Decimal strings. How the service rounds a discount is not known, so they are exact. */
	subtotal: string;
	discount: string;
	total: string;
}

/** Hundred-thousandths: a percentage of an amount has up to five decimals. */
export const toUnits = (decimal: string) => toThousandths(decimal) * BigInt(100);
const digits = 5;

/** What an item comes to, in hundred-thousandths. */
export const lineOf = ({ amount, quantity }: InvoiceItem) => toUnits(amount) * BigInt(quantity);

/** The sums of items, with a discount in percent. */
export function sumsOf(items: readonly InvoiceItem[], discountPercentage = 0): Sums {
	const subtotal = items.reduce((sum, item) => sum + lineOf(item), BigInt(0));
	const discount = (subtotal * BigInt(discountPercentage)) / BigInt(100);
	return {
		subtotal: toDecimal(subtotal, digits),
		discount: toDecimal(discount, digits),
		total: toDecimal(subtotal - discount, digits),
	};
}

/** Whether a figure is an exact sum, or the sum as a currency with so many decimals rounds it. */
export function isSameSum(exact: string, said: bigint, currency: string | undefined): boolean {
	const units = toHundredThousandths(exact);
	if (said === units) return true;
	const step = BigInt(10 ** (digits - Math.min(decimalsOf(currency ?? 'EUR'), 3)));
	const half = step / BigInt(2);
	const isNegative = units < BigInt(0);
	const size = ((isNegative ? -units : units) + half) / step;
	return said === size * step * BigInt(isNegative ? -1 : 1);
}
