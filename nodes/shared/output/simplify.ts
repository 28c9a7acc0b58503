import { withoutCardData } from '../secrets/cardData';

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
	const fields: Record<string, unknown> = { ...payerOf(result), ...safe, ...dueDateAsDay(safe) };
	return Object.fromEntries(
		names.filter((name) => name in fields).map((name) => [name, fields[name]]),
	);
}

/** Also hidden in part: `4111 **** **** 1111`. */
const cardNumber = /[\d０-９](?:[^\p{L}\p{N}]{0,8}[\d０-９]){11}/u;

/** The card holder, or the name of another payment source (spec 2.10). Left out if it contains a card number. */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (source ?? {}) as Record<string, unknown>;
	const payer = [holder, name].find(
		(one) => typeof one === 'string' && one.trim() !== '' && !cardNumber.test(one),
	);
	return payer === undefined ? {} : { payer: payer as string };
}
