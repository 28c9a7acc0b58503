import { toEmail, toUuid } from '../fields/text';
import { withoutCardData } from '../output/simplify';

/** A customer as collected from invoices or the user's own list. */
export interface Customer {
	/** UUID in the service's spelling. */
	id: string;
	/** The first one is the main name. */
	names: string[];
	emails: string[];
	/** All readable texts, names and emails first. */
	words: string[];
	/** The number of invoices that name the customer. */
	invoices: number;
	currencies: string[];
}

/** Normalizes a name for comparison: case, spaces and Unicode form do not count, everything else does. */
export const plainName = (text: string) =>
	text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

export const plainEmail = (text: string) => text.trim().toLowerCase();

/** Adds words that are new when compared without case. */
function addMissing(texts: string[], words: string[], plain: (text: string) => string): void {
	for (const word of words) {
		if (!texts.some((one) => plain(one) === plain(word))) texts.push(word);
	}
}

export function mergeCustomer(
	customer: Customer,
	{ names, emails }: Pick<Customer, 'names' | 'emails'>,
) {
	addMissing(customer.names, names, plainName);
	addMissing(customer.emails, emails, plainEmail);
}

/**
 * The customer of an invoice. The fields of a customer are unknown (spec 2.5): `id` must be a UUID, emails are recognized by
 * their format, names by the name of their field. `undefined` if there is no such ID.
 */
export function customerOf(value: unknown): Pick<Customer, 'id' | 'names' | 'emails'> | undefined {
	const id = toUuid((value as { id?: unknown } | null | undefined)?.id);
	if ('problem' in id) return undefined;
	const names: string[] = [];
	const emails: string[] = [];
	collect(withoutCardData(value), 3, { names, emails });
	return { id: id.value, names, emails };
}

/** Fields with names of persons and companies, without separators. */
const nameField =
	/^(?:(?:full|display|legal|trading|company|business|organi[sz]ation|customer|client|contact|billing)?name|company|business|organi[sz]ation)$/;
/** Fields that do not describe the customer itself. */
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
		if ('value' in toEmail(text)) addMissing(found.emails, [text], plainEmail);
		else {
			words.set(plain, text);
			if (nameField.test(plain)) addMissing(found.names, [text], plainName);
		}
	}
	// A first name alone identifies nobody.
	const first = words.get('firstname') ?? words.get('givenname');
	const last = words.get('lastname') ?? words.get('familyname') ?? words.get('surname');
	if (first && last) addMissing(found.names, [`${first} ${last}`], plainName);
}

/** Sorts names before emails before other texts. */
const rankOf = (field: string) => (/name|company/i.test(field) ? 0 : /mail/i.test(field) ? 1 : 2);

/** The readable texts of an object, names and emails first. Leaves out IDs, URLs, timestamps and card data. */
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
