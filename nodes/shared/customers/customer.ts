import { normalize, toEmail, toUuid } from '../fields/text';
import { withoutCardData } from '../secrets/cardData';

export interface Customer {
	id: string;
	/** The first one is the main name. */
	names: string[];
	emails: string[];
	/** All readable texts, names and emails first. */
	texts: string[];
	/** How many invoices name the customer. */
	invoices: number;
	currencies: string[];
}

/** Names are compared in this form, which ignores case, repeated spaces and Unicode variants. */
export const plainName = (text: string) =>
	normalize(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

export const plainEmail = (text: string) => text.trim().toLowerCase();

/** The plain forms of a list of names or emails, which can be long if a customer has many invoices. */
const plainForms = new WeakMap<string[], Set<string>>();

function addMissing(texts: string[], more: string[], plain: (text: string) => string): void {
	const known = plainForms.get(texts) ?? new Set(texts.map(plain));
	plainForms.set(texts, known);
	for (const text of more) {
		if (!known.has(plain(text))) texts.push(text);
		known.add(plain(text));
	}
}

export function mergeCustomer(
	customer: Pick<Customer, 'names' | 'emails'>,
	{ names, emails }: Pick<Customer, 'names' | 'emails'>,
) {
	addMissing(customer.names, names, plainName);
	addMissing(customer.emails, emails, plainEmail);
}

/** `undefined` if `id` is no UUID. The spec names no other fields (2.5), so names and emails are recognized by their form. */
export function customerOf(value: unknown): Pick<Customer, 'id' | 'names' | 'emails'> | undefined {
	const id = toUuid((value as { id?: unknown } | null | undefined)?.id);
	if ('problem' in id) return undefined;
	return { id: id.value, ...namesOf(value) };
}

/** The names and emails of a customer object. */
export function namesOf(value: unknown): Pick<Customer, 'names' | 'emails'> {
	const found = { names: [], emails: [] };
	collect(withoutCardData(value), 3, found);
	return found;
}

/** Fields that hold the name of a person or company, in lower case without separators. */
const nameField =
	/^(?:(?:full|display|legal|trading|company|business|organi[sz]ation|customer|client|contact|billing)?name|company|business|organi[sz]ation)$/;
const unrelatedField = /address|bank|card|user|owner|member|source|method|tag|group/;

function collect(value: unknown, depth: number, found: Pick<Customer, 'names' | 'emails'>): void {
	if (typeof value !== 'object' || value === null || depth === 0) return;
	const textByField = new Map<string, string>();
	for (const [field, inner] of Object.entries(value)) {
		const plain = field.toLowerCase().replace(/[^a-z]/g, '');
		if (unrelatedField.test(plain) && !/mail/.test(plain)) continue;
		if (typeof inner === 'object') collect(inner, depth - 1, found);
		if (typeof inner !== 'string') continue;
		const text = inner.replace(/\s+/g, ' ').trim();
		if (!text || 'value' in toUuid(text)) continue;
		if ('value' in toEmail(text)) addMissing(found.emails, [text], plainEmail);
		else {
			textByField.set(plain, text);
			if (nameField.test(plain)) addMissing(found.names, [text], plainName);
		}
	}
	// A first name alone identifies nobody.
	const first = textByField.get('firstname') ?? textByField.get('givenname');
	const last =
		textByField.get('lastname') ?? textByField.get('familyname') ?? textByField.get('surname');
	if (first && last) addMissing(found.names, [`${first} ${last}`], plainName);
}

const rankOf = (field: string) => (/name|company/i.test(field) ? 0 : /mail/i.test(field) ? 1 : 2);

/** The texts in an object, names and emails first. Leaves out IDs, URLs, timestamps and card data. */
export function readableTexts(value: unknown): string[] {
	const texts = textsIn('', withoutCardData(value), 3)
		.sort((a, b) => rankOf(a.field) - rankOf(b.field))
		.map(({ text }) => text);
	return [...new Set(texts)];
}

function textsIn(
	field: string,
	value: unknown,
	depth: number,
): Array<{ field: string; text: string }> {
	if (typeof value === 'object' && value !== null) {
		if (depth === 0) return [];
		return Object.entries(value).flatMap(([name, inner]) => textsIn(name, inner, depth - 1));
	}
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	const isForMachines = 'value' in toUuid(text) || /^https?:|^\d{4}-\d{2}-\d{2}T/.test(text);
	return text && !isForMachines ? [{ field, text }] : [];
}
