import { toEmail, toUuid } from '../fields/text';
import { withoutCardData } from '../output/cardData';

/** A customer, as far as invoices and the user's own list tell of one. */
export interface Customer {
	/** UUID, as the service writes it. */
	id: string;
	/** All names that it goes by, the first one first. */
	names: string[];
	emails: string[];
	/** What a person can read of it, names and emails first. */
	words: string[];
	/** How many invoices name it. */
	invoices: number;
	/** The currencies of these invoices. */
	currencies: string[];
}

/** A name without case, repeated spaces and differences of Unicode form. Nothing else is taken for the same. */
export const plainName = (text: string) =>
	text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** An email without case. */
export const plainEmail = (text: string) => text.trim().toLowerCase();

/** Adds words that are not there yet, whatever their case. */
function addTo(known: string[], words: string[], plain: (text: string) => string): void {
	for (const word of words) {
		if (!known.some((one) => plain(one) === plain(word))) known.push(word);
	}
}

/** Adds what is known of a customer to what was known before. */
export function addKnown(
	customer: Customer,
	{ names, emails }: Pick<Customer, 'names' | 'emails'>,
) {
	addTo(customer.names, names, plainName);
	addTo(customer.emails, emails, plainEmail);
}

/**
 * The customer that an invoice of the service names. Which fields a customer has is not known (spec 2.5): its `id` must be a UUID,
 * emails are recognised by how they look, names by what their fields are called. `undefined` where there is no such ID.
 */
export function customerOf(value: unknown): Pick<Customer, 'id' | 'names' | 'emails'> | undefined {
	const id = toUuid((value as { id?: unknown } | null | undefined)?.id);
	if ('problem' in id) return undefined;
	const names: string[] = [];
	const emails: string[] = [];
	collect(withoutCardData(value), 3, { names, emails });
	return { id: id.value, names, emails };
}

/** Names of persons and companies, whatever the service writes between the words. */
const nameField =
	/^(?:(?:full|display|legal|trading|company|business|organi[sz]ation|customer|client|contact|billing)?name|company|business|organi[sz]ation)$/;
/** What is said inside of these is not who the customer is. */
const otherField = /address|bank|card|user|owner|member|source|method|tag|group/;

function collect(value: unknown, depth: number, found: Pick<Customer, 'names' | 'emails'>): void {
	if (typeof value !== 'object' || value === null || depth === 0) return;
	const words = new Map<string, string>();
	for (const [field, inner] of Object.entries(value)) {
		const plain = field.toLowerCase().replace(/[^a-z]/g, '');
		if (otherField.test(plain) && !/mail/.test(plain)) continue;
		if (typeof inner === 'object') collect(inner, depth - 1, found);
		if (typeof inner !== 'string') continue;
		const text = inner.replace(/\s+/g, ' ').trim();
		if (!text || 'value' in toUuid(text)) continue;
		if ('value' in toEmail(text)) addTo(found.emails, [text], plainEmail);
		else {
			words.set(plain, text);
			if (nameField.test(plain)) addTo(found.names, [text], plainName);
		}
	}
	// Neither is enough alone: there are many Annas.
	const first = words.get('firstname') ?? words.get('givenname');
	const last = words.get('lastname') ?? words.get('familyname') ?? words.get('surname');
	if (first && last) addTo(found.names, [`${first} ${last}`], plainName);
}

/** By how much a field tells who somebody is. */
const rankOf = (field: string) => (/name|company/i.test(field) ? 0 : /mail/i.test(field) ? 1 : 2);

/** What a person can read in an object, names and email first: no IDs, addresses of the web, moments, and card data. */
export function wordsOf(value: unknown): string[] {
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
