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

/** Names and emails, each once: a customer may have thousands of them. */
export class NameList {
	readonly names: string[] = [];
	readonly emails: string[] = [];
	private readonly known = new Set<string>();

	add({ names = [], emails = [] }: Partial<Pick<Customer, 'names' | 'emails'>>): void {
		for (const name of names) this.addMissing(this.names, name, plainName(name));
		for (const email of emails) this.addMissing(this.emails, email, plainEmail(email));
	}

	/** A name may look like an email, so the list counts as well. */
	private addMissing(list: string[], text: string, plain: string): void {
		const key = `${list === this.names ? 'name' : 'email'} ${plain}`;
		if (!this.known.has(key)) list.push(text);
		this.known.add(key);
	}
}

/** `undefined` if `id` is not a UUID. The spec names no other fields (spec 2.5), so emails are recognized by their form, and names by the names of their fields. */
export function customerOf(value: unknown): Pick<Customer, 'id' | 'names' | 'emails'> | undefined {
	const id = toUuid((value as { id?: unknown } | null | undefined)?.id);
	if (!id.ok) return undefined;
	return { id: id.value, ...namesOf(value) };
}

export function namesOf(value: unknown): Pick<Customer, 'names' | 'emails'> {
	const found = new NameList();
	collect(withoutCardData(value), 3, found);
	const { names, emails } = found;
	return { names, emails };
}

/** Matches the names of fields, in lower case without separators, that hold the name of a person or company. */
const nameField =
	/^(?:(?:full|display|legal|trading|company|business|organi[sz]ation|customer|client|contact|billing)?name|company|business|organi[sz]ation)$/;
const unrelatedField = /address|bank|card|user|owner|member|source|method|tag|group/;

function collect(value: unknown, depth: number, found: NameList): void {
	if (typeof value !== 'object' || value === null || depth === 0) return;
	const textByField = new Map<string, string>();
	for (const [field, inner] of Object.entries(value)) {
		const plain = field.toLowerCase().replace(/[^a-z]/g, '');
		if (unrelatedField.test(plain) && !/mail/.test(plain)) continue;
		if (typeof inner === 'object') collect(inner, depth - 1, found);
		if (typeof inner !== 'string') continue;
		const text = inner.replace(/\s+/g, ' ').trim();
		if (!text || toUuid(text).ok) continue;
		if (toEmail(text).ok) found.add({ emails: [text] });
		else {
			textByField.set(plain, text);
			if (nameField.test(plain)) found.add({ names: [text] });
		}
	}
	// A first name alone identifies nobody.
	const first = textByField.get('firstname') ?? textByField.get('givenname');
	const last =
		textByField.get('lastname') ?? textByField.get('familyname') ?? textByField.get('surname');
	if (first && last) found.add({ names: [`${first} ${last}`] });
}
