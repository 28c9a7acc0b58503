import type { InvoiceBody } from './invoiceRequest';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';

/** The sum of amount times quantity, before discount, taxes and fees: an exact decimal string. */
export function totalOf(items: InvoiceBody['items']): string {
	return toDecimal(
		items.reduce(
			(sum, { amount, quantity }) => sum + toThousandths(amount) * BigInt(quantity),
			BigInt(0),
		),
	);
}

/**
 * In what an invoice of the service (spec 2.3, 2.5) differs from what was asked for: all that a person would call different. Only
 * what the answer holds in a form that can be compared is compared; the fields of a customer, for example, are not known.
 */
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

const difference = (what: string, is: string, asked: string) =>
	`${what}: ${is} in the service, ${asked} here`;

/** The differences in who pays how much until when. */
export function billedDifferences(invoice: Record<string, unknown>, wanted: InvoiceBody): string[] {
	const { discount_percentage: discount, due_date: due } = invoice;
	const differences = coreDifferences(invoice, wanted);
	const amount = decimalIn(invoice.amount);
	if (amount !== undefined && !mayComeTo(amount, invoice, wanted)) {
		differences.push(difference('amount', toDecimal(amount), toDecimal(discounted(wanted))));
	}
	const percent = decimalIn(discount);
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

/** The differences in what makes an invoice another one: currency, customer, items. */
function coreDifferences(invoice: Record<string, unknown>, wanted: InvoiceBody): string[] {
	const { currency, customer, items } = invoice;
	const differences: string[] = [];
	const compare = (what: string, is: string, asked: string) => {
		if (is.toLowerCase() !== asked.toLowerCase()) differences.push(difference(what, is, asked));
	};
	if (typeof currency === 'string') compare('currency', currency, wanted.currency);
	const { id } = (customer ?? {}) as { id?: unknown };
	if (typeof id === 'string') compare('customer', id, wanted.customer);
	const lines = linesOf(items);
	if (lines) compare('items', lines.join(' + '), (linesOf(wanted.items) ?? []).join(' + '));
	return differences;
}

/** A decimal as thousandths; `undefined` where it is none. */
function decimalIn(value: unknown): bigint | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	try {
		return toThousandths(String(value).replace(/(\.\d{3})0+$/, '$1'));
	} catch {
		return undefined;
	}
}

/** The items less the discount, cut to thousandths. */
const discounted = ({ items, discount_percentage: percent = 0 }: InvoiceBody) =>
	(toThousandths(totalOf(items)) * BigInt(100 - percent)) / BigInt(100);

const cent = BigInt(10);

/**
 * Whether an invoice may come to an amount: the items less the discount, within a cent where that is to be rounded, or before it, and
 * what the service says that it adds. Whether `amount` contains that is not shown (spec 2.3).
 */
function mayComeTo(amount: bigint, invoice: Record<string, unknown>, wanted: InvoiceBody): boolean {
	const items = toThousandths(totalOf(wanted.items));
	const less = discounted(wanted);
	const isRounded =
		(items * BigInt(100 - (wanted.discount_percentage ?? 0))) % (cent * BigInt(100));
	const room = isRounded === BigInt(0) ? BigInt(0) : cent;
	const added = [invoice.tax, invoice.service_fee, invoice.tip]
		.map((one) => decimalIn(one) ?? BigInt(0))
		.reduce<bigint[]>((all, one) => [...all, ...all.map((sum) => sum + one)], [BigInt(0)]);
	return added.some((more) => {
		const own = amount - more;
		return own === items || (own >= less - room && own <= less + room);
	});
}

const hour = 3_600_000;

/** Whether a moment is another day; one that is not midnight may be the same day in another time zone. */
function isOtherDay(moment: string, day: string): boolean {
	if (moment.slice(0, 10) === day || Number.isNaN(Date.parse(moment))) return false;
	const isDay = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(
		moment,
	);
	const since = Date.parse(moment) - Date.parse(day);
	return isDay || since < -14 * hour || since > 36 * hour;
}

/** Whether an invoice of the service is cancelled, however it spells that. */
export const isCancelled = ({ status }: Record<string, unknown>): boolean =>
	/^cancell?ed$/i.test(String(status));

/** Whether the service gave an invoice another number than it was sent, be it in nothing but case or spaces. */
export function isRenumbered({ invoice_number: stored }: Record<string, unknown>, sent: string) {
	return (typeof stored === 'string' || typeof stored === 'number') && String(stored) !== sent;
}

/** Whether an invoice of the service has the customer, the currency and the items that were asked for, as far as can be seen; without items that is not far enough. */
export function isSame(invoice: Record<string, unknown>, wanted: InvoiceBody): boolean {
	return linesOf(invoice.items) !== undefined && coreDifferences(invoice, wanted).length === 0;
}

/** Items as amounts times quantities, in a fixed order; `undefined` where they do not say so. */
function linesOf(items: unknown): string[] | undefined {
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
