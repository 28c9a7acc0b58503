import { withoutCardData } from './cardData';
import { payerOf } from './payer';

/** What a person wants of a charge (spec 2.10): who paid what, and for what. `payer` is found in its `source`. */
export const simpleCharge = [
	'created',
	'total',
	'currency',
	'status',
	'payer',
	'payment_method',
	'items',
	'refund_total',
	'reference_id',
	'id',
] as const;

/** What a tool gives: the key fields, all, or those that the user picks. */
export const outputChoices = ['simplified', 'raw', 'selected'] as const;

/** What of a result is to come out. */
export interface OutputSettings {
	/** Of tools, instead of Simplify. */
	output?: (typeof outputChoices)[number];
	outputFields?: string[];
	simplify?: boolean;
	includeCardData?: boolean;
}

/** A due date as the day that it is; a moment within a day may be another day elsewhere. */
function dueDayOf({ due_date: due }: Record<string, unknown>): { due_date?: string } {
	const [, day] =
		/^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)$/.exec(String(due)) ?? [];
	return day === undefined ? {} : { due_date: day };
}

/**
 * A result of the service as it comes out: with Simplify only its `simpleFields` and what the node says of an invoice, untouched but for the due date.
 * Card data (in `source`, spec 2.10) only if it is asked for. What has none of the fields is given whole.
 */
export function toOutput(
	result: Record<string, unknown>,
	simpleFields: readonly string[] | undefined,
	{ simplify = true, output, outputFields = [], includeCardData }: OutputSettings,
): Record<string, unknown> {
	const safe = includeCardData ? result : withoutCardData(result);
	const isWhole = output === undefined ? !simplify : output === 'raw';
	const wanted = output === 'selected' ? ['id', ...outputFields] : simpleFields;
	if (isWhole || !wanted?.some((name) => name in safe)) return safe;
	const kept = [
		'outcome',
		...wanted,
		'differences',
		'duplicates',
		'duplicateOf',
		...(includeCardData ? ['source'] : []),
	];
	const known: Record<string, unknown> = { ...payerOf(safe), ...safe, ...dueDayOf(safe) };
	return Object.fromEntries(
		kept.filter((name) => name in known).map((name) => [name, known[name]]),
	);
}
