import { toDecimal, toThousandths, toMoney } from '../../shared/fields/decimal';
import { toInteger } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import type { RowSettings } from './rowSettings';

/** Makes a row's item. Nothing is rounded: values that disagree, or cannot be sent exactly, are problems. */
export function itemOf(
	{
		values,
		invalid,
	}: {
		values: ReadonlyMap<string, unknown>;
		invalid: ReadonlySet<string>;
	},
	settings: RowSettings,
): { item?: InvoiceItem; problems: string[] } {
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

/** An exact product, in millionths. */
const times = (one: string, other: string) => toThousandths(one) * toThousandths(other);
const thousand = BigInt(1000);
const exact = (millionths: bigint) =>
	millionths % thousand === BigInt(0) ? plain(millionths / thousand) : undefined;
const plain = (thousandths: bigint) => toDecimal(thousandths).replace(/\.?0+$/, '');
const shown = (decimal: string) => toDecimal(toThousandths(decimal));

/** Whether a total is the product (in millionths), rounded to a cent. */
function isCentOf(product: bigint, total: string): boolean {
	const rest = product - toThousandths(total) * thousand;
	const half = BigInt(5000);
	return toThousandths(total) % BigInt(10) === BigInt(0) && rest <= half && -rest <= half;
}

type Sent = { amount: string; quantity: number; note?: string };

function amountOf(
	price: string | undefined,
	total: string | undefined,
	quantity: string,
	{ fractionalQuantities = 'intoPrice' }: RowSettings,
): Sent | { problem: string } {
	if (price === undefined && total === undefined) {
		return { problem: 'Unit Price is empty, but it is required' };
	}
	const whole = toInteger(plain(toThousandths(quantity)));
	if (price !== undefined && total !== undefined) {
		const product = times(price, quantity);
		// Time trackers round the totals of fractional hours to cents.
		const isRounded =
			!('value' in whole) && fractionalQuantities !== 'refuse' && isCentOf(product, total);
		if (product !== toThousandths(total) * thousand && !isRounded) {
			return {
				problem: `Line Total is ${shown(total)}, but ${plain(toThousandths(quantity))} x ${shown(price)} is ${toDecimal(product, 6)}. Correct one of them, or add one of the two columns to 'Ignore Columns'`,
			};
		}
	}
	if ('value' in whole) {
		if (price !== undefined) return { amount: price, quantity: whole.value };
		return divide(total ?? '', whole.value);
	}
	if (fractionalQuantities === 'refuse') {
		return {
			problem: `Item Quantity must be a whole number, got ${quantity}: remove the option 'Fractional Quantities' to bill it as one unit at the whole price`,
		};
	}
	const amount = total ?? exact(times(price ?? '', quantity));
	if (amount === undefined) {
		return {
			problem: `${quantity} x ${price ?? ''} has more than 3 decimals (${toDecimal(times(price ?? '', quantity), 6)}), so it cannot be billed exactly. Add a Line Total column, or enter a quantity with fewer decimals`,
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
