import { namesOf } from '../customers/customer';
import { Decimal } from '../fields/decimal';
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
	const fields: Record<string, unknown> = {
		...payerOf(result),
		...safe,
		...dueDateAsDay(safe),
		...(!isPicked && { ...customerTexts(safe), ...itemsAsText(safe) }),
	};
	return Object.fromEntries(
		names.filter((name) => name in fields).map((name) => [name, fields[name]]),
	);
}

/** The customer's name, else their email or ID, and the email. Fields of the customer are unknown (spec 2.3, 2.5). */
function customerTexts({ customer }: Record<string, unknown>): {
	customer?: string;
	customer_email?: string | null;
} {
	if (typeof customer !== 'object' || customer === null) return {};
	const { names, emails } = namesOf(customer);
	const { id } = customer as { id?: unknown };
	const [name = isPlain(id) ? String(id) : ''] = [...names, ...emails];
	return { customer: name, customer_email: emails[0] ?? null };
}

/** `2 × Consulting at 60.00; 1 × Travel at 15.50` (spec 2.4, 2.10) */
function itemsAsText({ items }: Record<string, unknown>): { items?: string } {
	if (!Array.isArray(items)) return {};
	const texts = items.map((item: unknown) => {
		const { quantity, name, amount } = (item ?? {}) as Record<string, unknown>;
		return itemText({ quantity, name, amount });
	});
	return { items: texts.join('; ') };
}

export const itemText = ({ quantity, name, amount }: Record<string, unknown>): string =>
	`${textOf(quantity, '1')} × ${textOf(name)}${amount === undefined ? '' : ` at ${textOf(amount)}`}`;

const isPlain = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

const textOf = (value: unknown, absent = ''): string =>
	isPlain(value) || value instanceof Decimal ? String(value) : absent;

/** The card holder, or the name of another payment source (spec 2.10). */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (withoutCardData(source) ?? {}) as Record<
		string,
		unknown
	>;
	const payer = [holder, name].find((one) => typeof one === 'string' && one.trim() !== '');
	return payer === undefined ? {} : { payer: payer as string };
}
