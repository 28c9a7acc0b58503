import { withoutCardData } from './cardData';

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

/** What of a result is to come out. */
export interface OutputSettings {
	simplify?: boolean;
	includeCardData?: boolean;
}

/**
 * A result of the service as it comes out: with Simplify only its `simpleFields` and what the node says of an invoice, untouched.
 * Card data (in `source`, spec 2.10) only if it is asked for. What has none of the fields is given whole.
 */
export function toOutput(
	result: Record<string, unknown>,
	simpleFields: readonly string[] | undefined,
	{ simplify = true, includeCardData }: OutputSettings,
): Record<string, unknown> {
	const safe = includeCardData ? result : withoutCardData(result);
	if (!simplify || !simpleFields?.some((name) => name in safe)) return safe;
	const kept = ['outcome', ...simpleFields, 'differences', ...(includeCardData ? ['source'] : [])];
	return Object.fromEntries(kept.filter((name) => name in safe).map((name) => [name, safe[name]]));
}
