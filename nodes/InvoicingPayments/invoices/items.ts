import { list } from '../../shared/fields/rules';
import { Decimal, toMoney } from '../../shared/fields/decimal';
import { isEmpty, toInteger, toText } from '../../shared/fields/text';
import { notRead, notValid, ok } from '../../shared/result';

/** spec 2.4 */
export interface InvoiceItem {
	name: string;
	amount: string;
	quantity: number;
}

/** An item whose quantity the service cannot take, such as 1.5. The request appends `count` to its name. */
export interface CountedItem extends InvoiceItem {
	/** `1.5 x 80.00` */
	count?: string;
}

/** An item as it is sent: `Design (1.5 x 80.00)`. */
export const toItem = ({ name, count, amount, quantity }: CountedItem): InvoiceItem => ({
	name: count === undefined ? name : `${name} (${count})`,
	amount,
	quantity,
});

type Priced = Pick<InvoiceItem, 'amount' | 'quantity'>;

/** What an item comes to, before discount, taxes and fees. */
export const lineTotalOf = ({ amount, quantity }: Priced): Decimal =>
	Decimal.of(amount).times(Decimal.of(quantity));

/** The same for all of them. */
export const totalOf = (items: readonly Priced[]): Decimal => Decimal.sum(items.map(lineTotalOf));

export const itemFields = {
	name: (value: unknown) => toText(value),
	amount: toMoney,
	quantity: (value: unknown) => toInteger(value),
};

/** Accepts a list, n8n's `{ item: [...] }`, a single item, or any of these as JSON. */
function asList(value: unknown): unknown[] | undefined {
	if (typeof value === 'string') {
		try {
			return asList(JSON.parse(value));
		} catch {
			return undefined;
		}
	}
	if (Array.isArray(value)) return value;
	if (typeof value !== 'object' || value === null) return undefined;
	if ('item' in value) return asList(value.item);
	return Object.keys(value).length ? [value] : [];
}

function readItem(value: unknown, label: string, problems: string[]): InvoiceItem | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		problems.push(`${label} must be an object with name, amount and quantity`);
		return undefined;
	}
	const given = value as Record<string, unknown>;
	for (const key of Object.keys(given)) {
		if (!(key in itemFields))
			problems.push(`${label}: "${key}" is not a field of an item (name, amount, quantity)`);
	}
	const item: Record<string, unknown> = {};
	for (const [key, check] of Object.entries(itemFields)) {
		// Only a missing quantity defaults to 1. An empty one may come from an expression that failed to find a number.
		const raw = key === 'quantity' && !(key in given) ? 1 : given[key];
		if (isEmpty(raw)) {
			problems.push(`${label}: ${key} is empty, but it is required`);
			continue;
		}
		const outcome = check(raw);
		if (!outcome.ok) problems.push(`${label}: ${key} ${outcome.problem}`);
		else item[key] = outcome.value;
	}
	return item as unknown as InvoiceItem;
}

export const invoiceItems = list({}, (value, { label }) => {
	const items = asList(value);
	if (!items)
		return notRead(
			'must be a JSON list such as [{"name": "Consulting", "amount": "1200.00", "quantity": 1}]',
		);
	if (items.length === 0) return notRead('is empty. An invoice needs at least one item');
	const problems: string[] = [];
	const read = items.map((item, index) => readItem(item, `${label}, line ${index + 1}`, problems));
	return problems.length ? notValid(problems) : ok(read);
});

const maxCustomFields = 5;

/** Names of custom fields (spec 4.1). Skips empty ones. */
export const customFields = list({ max: maxCustomFields, nullable: true }, (value, { label }) => {
	const given =
		typeof value === 'object' && value !== null && 'field' in value ? value.field : value;
	const lines = Array.isArray(given) ? given : isEmptyObject(given) ? [] : [given];
	const names = lines
		.map((line: unknown) =>
			typeof line === 'object' && line !== null && 'name' in line ? line.name : line,
		)
		.filter((name) => !isEmpty(name));
	if (names.length > maxCustomFields) {
		return notRead(`can have at most ${maxCustomFields} entries, got ${names.length}`);
	}
	const read = names.map((name) => toText(name));
	const problems = read.flatMap((outcome, index) =>
		outcome.ok ? [] : [`${label}, line ${index + 1} ${outcome.problem}`],
	);
	if (problems.length) return notValid(problems);
	return ok(read.map((outcome) => ({ name: outcome.ok ? outcome.value : '' })));
});

function isEmptyObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
