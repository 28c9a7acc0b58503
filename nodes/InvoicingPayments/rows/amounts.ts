import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import { toMoney } from '../../shared/fields/money';
import { toInteger } from '../../shared/fields/text';
import type { AmountMeaning } from './choices';
import type { Column, Columns } from './columns';
import { isMapped } from './columns';
import { readQuantity } from './numberCells';
import type { Row } from './row';
import { bareAmount } from './rowFields';
import type { RowSettings } from './rowSettings';

/**
 * What a column called just Amount is: what the user says; a line total beside unit prices; either where every quantity is one.
 * `undefined`: nobody knows, and it makes a difference.
 */
export function meaningOfAmount(
	columns: Columns,
	quantities: unknown[],
	{ amountIs, decimalSeparator }: RowSettings,
): AmountMeaning | undefined {
	if (amountIs) return amountIs;
	if (isMapped(columns, 'itemAmount')) return 'lineTotal';
	const isOne = (quantity: unknown) => {
		const read = readQuantity(quantity, {
			decimalSeparator,
			hasDecimalPoint: true,
			hasThreeDecimals: true,
		});
		return 'value' in read && toThousandths(read.value) === BigInt(1000);
	};
	return quantities.every((quantity) => isOne(quantity)) ? 'unitPrice' : undefined;
}

/** The columns called just Amount. */
export const bareAmounts = ({ columns }: Columns): Column[] =>
	columns.filter(({ field }) => field === bareAmount);

/**
 * Makes the item of a row out of its unit price, its line total and its quantity. Without a quantity it counts once. What does not
 * fit together, or cannot be sent exactly, becomes a problem of the row: nothing is ever rounded.
 */
export function resolveItem(row: Row, settings: RowSettings): void {
	const { values, invalid } = row;
	const wrong = (text: string) => {
		row.problems.push({ row: row.number, text });
	};
	if (!values.has('itemName') && !invalid.has('itemName')) {
		wrong('Item Name is empty, but it is required');
	}
	if (['itemAmount', 'itemTotal', 'itemQuantity'].some((name) => invalid.has(name))) return;
	const price = values.get('itemAmount') as string | undefined;
	const total = values.get('itemTotal') as string | undefined;
	const quantity = String(values.get('itemQuantity') ?? 1);
	const outcome = amountOf(price, total, quantity, settings);
	if ('problem' in outcome) {
		wrong(outcome.problem);
		return;
	}
	const { note, ...sent } = outcome;
	row.item = { name: `${String(values.get('itemName') ?? '')}${note ?? ''}`, ...sent };
}

/** A product of two numbers in thousandths, exact: in millionths. */
const times = (one: string, other: string) => toThousandths(one) * toThousandths(other);
const thousand = BigInt(1000);
/** Millionths as a decimal of at most three digits, or `undefined`. */
const exact = (millionths: bigint) =>
	millionths % thousand === BigInt(0) ? plain(millionths / thousand) : undefined;
const plain = (thousandths: bigint) => toDecimal(thousandths).replace(/\.?0+$/, '');
const shown = (decimal: string) => toDecimal(toThousandths(decimal));

type Sent = { amount: string; quantity: number; note?: string };

function amountOf(
	price: string | undefined,
	total: string | undefined,
	quantity: string,
	{ fractionalQuantities = 'refuse' }: RowSettings,
): Sent | { problem: string } {
	if (price === undefined && total === undefined) {
		return { problem: 'Unit Price is empty, but it is required' };
	}
	if (price !== undefined && total !== undefined) {
		const product = times(price, quantity);
		if (product !== toThousandths(total) * thousand) {
			return {
				problem: `Line Total is ${shown(total)}, but ${plain(toThousandths(quantity))} x ${shown(price)} is ${toDecimal(product, 6)}. Correct one of them, or add one of the two columns to 'Ignore Columns'`,
			};
		}
	}
	const whole = toInteger(plain(toThousandths(quantity)));
	if ('value' in whole) {
		if (price !== undefined) return { amount: price, quantity: whole.value };
		return divide(total ?? '', whole.value);
	}
	if (fractionalQuantities === 'refuse') {
		return {
			problem: `Item Quantity must be a whole number, got ${quantity}: set 'Fractional Quantities' to bill it as one unit at the whole price`,
		};
	}
	const amount = total ?? exact(times(price ?? '', quantity));
	if (amount === undefined) {
		return {
			problem: `${quantity} x ${price ?? ''} has more than 3 decimals (${toDecimal(times(price ?? '', quantity), 6)}), so it cannot be billed exactly`,
		};
	}
	const checked = toMoney(amount);
	if ('problem' in checked) return { problem: `Line Total ${checked.problem}` };
	const each = price === undefined ? '' : ` x ${shown(price)}`;
	return {
		amount: checked.value,
		quantity: 1,
		note: ` (${plain(toThousandths(quantity))}${each})`,
	};
}

/** The unit price of a line total, where it has one of at most three decimals. */
function divide(total: string, quantity: number): Sent | { problem: string } {
	const thousandths = toThousandths(total);
	if (quantity === 1) return { amount: total, quantity };
	const isExact = quantity !== 0 && thousandths % BigInt(quantity) === BigInt(0);
	if (isExact) return { amount: plain(thousandths / BigInt(quantity)), quantity };
	if (quantity === 0 && thousandths === BigInt(0)) return { amount: '0', quantity };
	return {
		problem: `Line Total ${shown(total)} cannot be divided by ${quantity} into a unit price of at most 3 decimals. Add a Unit Price column, or enter 1 as the quantity`,
	};
}
