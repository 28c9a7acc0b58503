export const outputChoices = ['simplified', 'raw', 'selected'] as const;

export interface OutputSettings {
	/** Tools have this instead of `simplify`. */
	output?: (typeof outputChoices)[number];
	outputFields?: string[];
	simplify?: boolean;
	includeCardData?: boolean;
}

/** Midnight in UTC becomes a date. At other times, the date depends on the time zone. */
function dueDateAsDay({ due_date: due }: Record<string, unknown>): { due_date?: string } {
	const [, day] =
		/^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)$/.exec(String(due)) ?? [];
	return day === undefined ? {} : { due_date: day };
}

/** A result without any of the `simpleFields` is returned whole. Card data (spec 2.10) is only returned on request. */
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
	const names = [
		'outcome',
		...wanted,
		'differences',
		'duplicates',
		'duplicateOf',
		...(includeCardData && !isPicked ? ['source'] : []),
	];
	const fields: Record<string, unknown> = { ...payerOf(safe), ...safe, ...dueDateAsDay(safe) };
	return Object.fromEntries(
		names.filter((name) => name in fields).map((name) => [name, fields[name]]),
	);
}

/** With any separators. */
const cardNumber = /\d(?:[\s*.-]*\d){11}/;

/** The card holder, or the name of another payment source (spec 2.10). Left out if it contains a card number. */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (source ?? {}) as Record<string, unknown>;
	const payer = [holder, name].find(
		(one) => typeof one === 'string' && one.trim() !== '' && !cardNumber.test(one),
	);
	return payer === undefined ? {} : { payer: payer as string };
}

/** Removes `card_data` (card number and security code, spec 2.10) at any depth. Returns the same object if there is none. */
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
