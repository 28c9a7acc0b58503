/** The fields that Simplify keeps of a charge (spec 2.10). `payer` is taken from its `source`. */
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

/** Midnight in UTC becomes a day. Other times may be another day elsewhere, so they are kept. */
function dueDateAsDay({ due_date: due }: Record<string, unknown>): { due_date?: string } {
	const [, day] =
		/^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)$/.exec(String(due)) ?? [];
	return day === undefined ? {} : { due_date: day };
}

/**
 * Prepares a result for output. Simplify keeps the `simpleFields` and the fields that the node adds to invoices, or
 * everything if the result has none of them. Card data (in `source`, spec 2.10) only on request.
 */
export function toOutput(
	result: Record<string, unknown>,
	simpleFields: readonly string[] | undefined,
	{ simplify = true, output, outputFields = [], includeCardData }: OutputSettings,
): Record<string, unknown> {
	const safe = includeCardData ? result : withoutCardData(result);
	const isWhole = output === undefined ? !simplify : output === 'raw';
	const isPicked = output === 'selected';
	const wanted = isPicked ? ['id', ...outputFields] : simpleFields;
	if (isWhole || !wanted || (!isPicked && !wanted.some((name) => name in safe))) return safe;
	const kept = [
		'outcome',
		...wanted,
		'differences',
		'duplicates',
		'duplicateOf',
		...(includeCardData && !isPicked ? ['source'] : []),
	];
	const fields: Record<string, unknown> = { ...payerOf(safe), ...safe, ...dueDateAsDay(safe) };
	return Object.fromEntries(
		kept.filter((name) => name in fields).map((name) => [name, fields[name]]),
	);
}

/** A card number with any separators. */
const cardNumber = /\d(?:[\s*.-]*\d){11}/;

/** The card holder or the name of another source of payment (spec 2.10). Empty if it contains a card number. */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (source ?? {}) as Record<string, unknown>;
	const payer = [holder, name].find(
		(one) => typeof one === 'string' && one.trim() !== '' && !cardNumber.test(one),
	);
	return payer === undefined ? {} : { payer: payer as string };
}

/**
 * Removes `card_data` at any depth (card number and security code, spec 2.10). Returns the argument itself if there is none.
 */
export function withoutCardData<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value);
	const kept = entries
		.filter(([name]) => name !== 'card_data')
		.map(([name, inner]): [string, unknown] => [name, withoutCardData(inner)]);
	const isUnchanged =
		kept.length === entries.length && kept.every(([, inner], at) => inner === entries[at][1]);
	if (isUnchanged) return value;
	if (Array.isArray(value)) return kept.map(([, inner]) => inner) as T;
	return Object.fromEntries(kept) as T;
}
