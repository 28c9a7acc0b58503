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
 * In what an invoice of the service (spec 2.3, 2.5) differs from what was asked for: number, customer, currency, items. Only what the
 * answer holds in a form that can be compared is compared; the fields of a customer, for example, are not known.
 */
export function differencesOf(invoice: Record<string, unknown>, wanted: InvoiceBody): string[] {
	const { currency, customer, items } = invoice;
	const differences: string[] = [];
	const compare = (what: string, is: string, asked: string) => {
		if (is.toLowerCase() !== asked.toLowerCase())
			differences.push(`${what}: ${is} in the service, ${asked} here`);
	};
	if (typeof currency === 'string') compare('currency', currency, wanted.currency);
	const { invoice_number: number } = wanted;
	if (number !== undefined && isRenumbered(invoice, number))
		differences.push(
			`invoice number: ${String(invoice.invoice_number)} in the service, ${number} here`,
		);
	const { id } = (customer ?? {}) as { id?: unknown };
	if (typeof id === 'string') compare('customer', id, wanted.customer);
	const lines = linesOf(items);
	if (lines) compare('items', lines.join(' + '), (linesOf(wanted.items) ?? []).join(' + '));
	return differences;
}

/** Whether the service gave an invoice another number than it was sent, be it in nothing but case or spaces. */
export function isRenumbered({ invoice_number: stored }: Record<string, unknown>, sent: string) {
	return (typeof stored === 'string' || typeof stored === 'number') && String(stored) !== sent;
}

/** Whether an invoice of the service is what was asked for, but for its number, as far as can be seen; without items that is not far enough. */
export function isSame(invoice: Record<string, unknown>, wanted: InvoiceBody): boolean {
	const rest = { ...wanted, invoice_number: undefined };
	return linesOf(invoice.items) !== undefined && differencesOf(invoice, rest).length === 0;
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
