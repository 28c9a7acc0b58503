import { toDecimal, toHundredThousandths, toThousandths } from '../../shared/fields/decimal';
import type { InvoiceItem } from '../invoices/items';
import { decimalsOf } from './currencies';

/** The sums of an invoice before taxes and fees. */
export interface Sums {
	/** Exact decimal strings: how the service rounds a discount is unknown. */
	subtotal: string;
	discount: string;
	total: string;
}

/** Hundred-thousandths, because a percentage of an amount has up to five decimals. */
export const toUnits = (decimal: string) => toThousandths(decimal) * BigInt(100);
const digits = 5;

/** In hundred-thousandths. */
export const lineOf = ({ amount, quantity }: InvoiceItem) => toUnits(amount) * BigInt(quantity);

export function sumsOf(items: readonly InvoiceItem[], discountPercentage = 0): Sums {
	const subtotal = items.reduce((sum, item) => sum + lineOf(item), BigInt(0));
	const discount = (subtotal * BigInt(discountPercentage)) / BigInt(100);
	return {
		subtotal: toDecimal(subtotal, digits),
		discount: toDecimal(discount, digits),
		total: toDecimal(subtotal - discount, digits),
	};
}

/** Whether a figure equals the sum, exactly or rounded to the decimals of the currency. */
export function isSameSum(exact: string, stated: bigint, currency: string | undefined): boolean {
	const units = toHundredThousandths(exact);
	if (stated === units) return true;
	const step = BigInt(10 ** (digits - Math.min(decimalsOf(currency ?? 'EUR'), 3)));
	const half = step / BigInt(2);
	const isNegative = units < BigInt(0);
	const size = ((isNegative ? -units : units) + half) / step;
	return stated === size * step * BigInt(isNegative ? -1 : 1);
}
