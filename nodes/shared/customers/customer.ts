import { normalize, toEmail, toUuid } from '../fields/text';
import { withoutCardData } from '../secrets/cardData';

export interface Customer {
	id: string;
	/** The first one is the main name. */
	names: string[];
	emails: string[];
	/** How many invoices name the customer. */
	invoices: number;
	currencies: string[];
}

/** Names are compared in this form, which ignores case, repeated spaces and Unicode variants. */
export const plainName = (text: string) =>
	normalize(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

export const plainEmail = (text: string) => text.trim().toLowerCase();

function addMissing(texts: string[], more: string[], plain: (text: string) => string): void {
	for (const text of more) {
		if (!texts.some((known) => plain(known) === plain(text))) texts.push(text);
	}
}

export function mergeCustomer(
	customer: Pick<Customer, 'names' | 'emails'>,
	{ names, emails }: Pick<Customer, 'names' | 'emails'>,
) {
	addMissing(customer.names, names, plainName);
	addMissing(customer.emails, emails, plainEmail);
}

/** `undefined` if `id` is not a UUID. The spec names no other fields (spec 2.5), so emails are recognized by their form, and names by the names of their fields. */
export function customerOf(value: unknown): Pick<Customer, 'id' | 'names' | 'emails'> | undefined {
	const id = toUuid((value as { id?: unknown } | null | undefined)?.id);
	if ('problem' in id) return undefined;
	return { id: id.value, ...namesOf(value) };
}

export function namesOf(value: unknown): Pick<Customer, 'names' | 'emails'> {
	const found = { names: [], emails: [] };
	collect(withoutCardData(value), 3, found);
	return found;
}

/** Matches the names of fields, in lower case without separators, that hold the name of a person or company. */
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
