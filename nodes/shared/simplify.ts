import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { withoutCardData } from './redact';
import { boolean } from './rules';
import { send } from './send';

/** What a person wants of an invoice (spec 2.3, 2.5), what is read most first: so it comes out. */
export const simpleInvoice = [
	'invoice_number',
	'title',
	'status',
	'amount',
	'currency',
	'due_date',
	'customer',
	'url',
	'id',
] as const;

/** The same, besides the rows that made it. */
export const simpleInvoiceOfRows = simpleInvoice.filter((name) => name !== 'title');

/** What a person wants of a charge (spec 2.10). */
export const simpleCharge = [
	'created',
	'total',
	'currency',
	'status',
	'payment_method',
	'items',
	'refund_total',
	'reference_id',
	'id',
] as const;

/** What a person wants of a payment link (spec 2.7). */
export const simplePaymentLink = [
	'title',
	'status',
	'amount',
	'currency',
	'url',
	'due_date',
	'expiry_date',
	'items',
	'reference_id',
	'id',
] as const;

/** What of a result is to come out. */
export interface OutputWishes {
	simplify?: boolean;
	include_card_data?: boolean;
}

/**
 * A result of the service as it comes out: with Simplify only its `simple` fields and what the node says of an invoice, untouched.
 * Card data (in `source`, spec 2.10) only if it is asked for. What has none of the fields is given whole.
 */
export function toOutput(
	result: Record<string, unknown>,
	simple: readonly string[] | undefined,
	{ simplify = true, include_card_data: includeCardData }: OutputWishes,
): Record<string, unknown> {
	const safe = includeCardData ? result : withoutCardData(result);
	if (!simplify || !simple?.some((name) => name in safe)) return safe;
	const kept = ['outcome', ...simple, 'differences', ...(includeCardData ? ['source'] : [])];
	return Object.fromEntries(kept.filter((name) => name in safe).map((name) => [name, safe[name]]));
}

export const simplifyField = (show?: IDisplayOptions['show']): INodeProperties => ({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	...(show && { displayOptions: { show } }),
	routing: send('setting', 'simplify', boolean('Simplify')),
});
