import type { InvoiceBody } from './invoiceRequest';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import { shorten } from '../../shared/fields/text';

/** Before discount, taxes and fees. */
export function totalOf(items: InvoiceBody['items']): string {
	return toDecimal(
		items.reduce(
			(sum, { amount, quantity }) => sum + toThousandths(amount) * BigInt(quantity),
			BigInt(0),
		),
	);
}

/** Compares an invoice of the service (spec 2.3, 2.5) with the request. Skips fields that are missing or unreadable. */
export function differencesOf(invoice: Record<string, unknown>, wanted: InvoiceBody): string[] {
	const { invoice_number: number, title } = wanted;
	const isOtherTitle =
		title !== undefined &&
		typeof invoice.title === 'string' &&
		invoice.title.trim() !== title.trim();
	return [
		...(number !== undefined && isRenumbered(invoice, number)
			? [difference('invoice number', String(invoice.invoice_number), number)]
			: []),
		...billedDifferences(invoice, wanted),
		...(isOtherTitle ? [difference('title', String(invoice.title), title)] : []),
	];
}

/** Characters. A service may return anything. */
const maxShown = 200;

const difference = (what: string, is: string, asked: string) =>
	`${what}: ${shorten(is, maxShown)} in the service, ${shorten(asked, maxShown)} here`;

/** Differences in customer, amounts and due date. */
export function billedDifferences(invoice: Record<string, unknown>, wanted: InvoiceBody): string[] {
	const { discount_percentage: discount, due_date: due } = invoice;
	const differences = customerAndItemDifferences(invoice, wanted);
	const amount = readThousandths(invoice.amount);
	if (amount !== undefined && !amountFits(amount, invoice, wanted)) {
		differences.push(difference('amount', toDecimal(amount), toDecimal(discountedTotal(wanted))));
	}
	const percent = readThousandths(discount);
	const asked = wanted.discount_percentage ?? 0;
	if (percent !== undefined && percent !== toThousandths(String(asked))) {
		differences.push(difference('discount', `${toDecimal(percent)}%`, `${asked}%`));
	}
	if (
		typeof due === 'string' &&
		wanted.due_date !== undefined &&
		isOtherDay(due, wanted.due_date)
	) {
		differences.push(difference('due date', due.slice(0, 10), wanted.due_date));
	}
	return differences;
}

function customerAndItemDifferences(
	invoice: Record<string, unknown>,
	wanted: InvoiceBody,
): string[] {
	const { currency, customer, items } = invoice;
	const differences: string[] = [];
	const compare = (what: string, is: string, asked: string) => {
		if (is.toLowerCase() !== asked.toLowerCase()) differences.push(difference(what, is, asked));
	};
	if (typeof currency === 'string') compare('currency', currency, wanted.currency);
	const { id } = (customer ?? {}) as { id?: unknown };
	if (typeof id === 'string') compare('customer', id, wanted.customer);
	const lines = itemTexts(items);
	if (lines) compare('items', lines.join(' + '), (itemTexts(wanted.items) ?? []).join(' + '));
	return differences;
}

/** `undefined` if it is no decimal. */
function readThousandths(value: unknown): bigint | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	try {
		return toThousandths(String(value).replace(/(\.\d{3})0+$/, '$1'));
	} catch {
		return undefined;
	}
}

/** In thousandths, rounded down. */
const discountedTotal = ({ items, discount_percentage: percent = 0 }: InvoiceBody) =>
	(toThousandths(totalOf(items)) * BigInt(100 - percent)) / BigInt(100);

const cent = BigInt(10);

/** The spec does not say what `amount` includes (2.3): perhaps the discount, rounded to cents, and any of the additions. */
function amountFits(
	amount: bigint,
	invoice: Record<string, unknown>,
	wanted: InvoiceBody,
): boolean {
	const total = toThousandths(totalOf(wanted.items));
	const withDiscount = discountedTotal(wanted);
	const isRounded =
		(total * BigInt(100 - (wanted.discount_percentage ?? 0))) % (cent * BigInt(100)) !== BigInt(0);
	const tolerance = isRounded ? cent : BigInt(0);
	const additions = [invoice.tax, invoice.service_fee, invoice.tip]
		.map((one) => readThousandths(one) ?? BigInt(0))
		.reduce<bigint[]>((sums, one) => [...sums, ...sums.map((sum) => sum + one)], [BigInt(0)]);
	return additions.some((addition) => {
		const base = amount - addition;
		return base === total || (base >= withDiscount - tolerance && base <= withDiscount + tolerance);
	});
}

const hour = 3_600_000;

/** Unless it is midnight, the moment may be the same day in another time zone. */
function isOtherDay(moment: string, day: string): boolean {
	if (moment.slice(0, 10) === day || Number.isNaN(Date.parse(moment))) return false;
	const isDay = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(
		moment,
	);
	const since = Date.parse(moment) - Date.parse(day);
	return isDay || since < -14 * hour || since > 36 * hour;
}

export const isCancelled = ({ status }: Record<string, unknown>): boolean =>
	/^cancell?ed$/i.test(String(status));

/** Even if only its case or spaces changed. */
export function isRenumbered({ invoice_number: stored }: Record<string, unknown>, sent: string) {
	return (typeof stored === 'string' || typeof stored === 'number') && String(stored) !== sent;
}

/** `false` if the items are unknown. */
export function hasSameCustomerAndItems(
	invoice: Record<string, unknown>,
	wanted: InvoiceBody,
): boolean {
	return (
		itemTexts(invoice.items) !== undefined &&
		customerAndItemDifferences(invoice, wanted).length === 0
	);
}

function itemTexts(items: unknown): string[] | undefined {
	if (!Array.isArray(items)) return undefined;
	try {
		return items
			.map(({ amount, quantity }: { amount: unknown; quantity: unknown }) => {
				return `${toDecimal(toThousandths(String(amount)))} x ${BigInt(String(quantity))}`;
			})
			.sort();
	} catch {
		return undefined;
	}
}
