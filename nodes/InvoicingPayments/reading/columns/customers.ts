import type { Customer } from '../../../shared/customers/customer';
import type { CustomerIndex } from '../../../shared/customers/customerIndex';
import { customerNotUnique } from '../../../shared/customers/customerIndex';
import { isEmpty, toEmail, toUuid } from '../../../shared/fields/text';

/** A cell that says who pays. */
export interface CustomerCell {
	text: string;
	header?: string;
	isEmail: boolean;
}

export interface CustomerMatch {
	by: 'email' | 'name';
	name?: string;
	email?: string;
	id: string;
}

export type CustomerResult =
	| { kind: 'found'; id: string; match?: CustomerMatch }
	/** No customer is called so. */
	| { kind: 'missing'; text: string }
	/** `problem`: why nobody can tell who it is. */
	| { kind: 'unclear'; problem: string };

export type CustomerMatching = 'id' | 'idOrEmail' | 'idEmailOrName';

/** `customers`: the user's own list comes first. */
export interface KnownCustomers {
	own: CustomerIndex;
	ofService?: CustomerIndex;
}

/** Finds the customer of a row by ID, else by email, else by name. */
export function findCustomer(
	cells: readonly CustomerCell[],
	by: CustomerMatching,
	known: KnownCustomers,
): CustomerResult | undefined {
	if (cells.length === 0) return undefined;
	const isId = ({ text }: CustomerCell) => toUuid(text).ok;
	const ids = cells.filter(isId).map(({ text }) => text.trim().toLowerCase());
	const others = cells.filter((cell) => !isId(cell));
	const email =
		others.find(({ isEmail }) => isEmail) ?? others.find(({ text }) => text.includes('@'));
	const addresses = email ? addressesIn(email.text) : [];
	const unread = addresses.find((one) => !toEmail(one).ok);
	const lookUp = (kind: 'email' | 'name', text: string): Customer[] => {
		const hits = [known.own, known.ofService].flatMap((index) => {
			if (kind === 'email') return [index?.withEmail(text) ?? []];
			return namesIn(text).map((name) => index?.withName(name) ?? []);
		});
		return hits.find(({ length }) => length > 0) ?? [];
	};
	if (ids.length > 0) {
		const different = new Set(ids);
		if (different.size > 1)
			return { kind: 'unclear', problem: `the row has several IDs: ${ids.join(', ')}` };
		const found = addresses.map((one) => lookUp('email', one)).filter(({ length }) => length > 0);
		// The email may belong to somebody else, which only the service knows.
		if (email && by !== 'id' && unread !== undefined)
			return { kind: 'unclear', problem: notAnEmail(unread, email.text) };
		if (email && by !== 'id' && !found.length && !known.ofService)
			return { kind: 'missing', text: email.text };
		const other = found.find((those) => !those.some(({ id }) => different.has(id.toLowerCase())));
		if (by === 'id' || !other) return { kind: 'found', id: ids[0] };
		return {
			kind: 'unclear',
			problem: `the email ${JSON.stringify(email?.text)} belongs to another customer (${other[0].id}) than the ID (${ids[0]}). Correct one of them, or set 'Match Customers By' to 'ID'`,
		};
	}
	const [{ text: first }] = cells;
	if (by === 'id')
		return {
			kind: 'unclear',
			problem: `${JSON.stringify(first)} is not an ID in UUID format: set 'Match Customers By' to find customers by email or name`,
		};
	if (!email && by === 'idOrEmail')
		return {
			kind: 'unclear',
			problem: `${JSON.stringify(first)} is a name. To find customers by name, set 'Match Customers By' to 'ID, Email or Name'`,
		};
	const several = new Set(addresses.flatMap((one) => lookUp('email', one)[0]?.id ?? []));
	if (several.size > 1)
		return {
			kind: 'unclear',
			problem: `${JSON.stringify(email?.text)} are several customers. Enter one of them`,
		};
	const kind = email ? 'email' : 'name';
	const text = email ? emailIn(email.text) : first;
	if (email && unread !== undefined)
		return { kind: 'unclear', problem: notAnEmail(unread, email.text) };
	const found = lookUp(kind, text);
	if (found.length === 0) return { kind: 'missing', text };
	if (found.length > 1)
		return {
			kind: 'unclear',
			problem: `${customerNotUnique(text, found)}. Enter the customer's ID`,
		};
	const [{ id, names, emails }] = found;
	const name = email && (others.find((cell) => cell !== email)?.text ?? nameBefore(email.text));
	const isOtherEmail = name?.includes('@') === true;
	const called =
		name === undefined
			? []
			: lookUp(isOtherEmail ? 'email' : 'name', isOtherEmail ? emailIn(name) : name);
	if (called.length && !called.some((one) => one.id === id))
		return {
			kind: 'unclear',
			problem: `${JSON.stringify(text)} and ${JSON.stringify(name)} are two customers. Correct one of them`,
		};
	return { kind: 'found', id, match: { by: kind, name: names[0], email: emails[0], id } };
}

/** Whether a cell names a customer: by an ID or an email, whether known or not, or by a known name. */
export const mayBeCustomer = (text: string, customers: CustomerIndex): boolean =>
	toUuid(text).ok || text.includes('@') || findCustomers(text, customers).length > 0;

export function findCustomers(text: string, customers: CustomerIndex) {
	if (isEmpty(text) || text.length > 200) return [];
	const id = toUuid(text);
	if (id.ok) return customers.withId(id.value);
	if (text.includes('@')) return customers.withEmail(emailIn(text));
	return (
		namesIn(text)
			.map((name) => customers.withName(name))
			.find((found) => found.length > 0) ?? []
	);
}

/** A name as it stands, and `Doe, Jane` and `Doe Jane` as `Jane Doe`. */
export const namesIn = (text: string): string[] => {
	const parts = text.includes(',') ? text.split(',') : text.trim().split(/\s+/);
	const [last, first, ...more] = parts;
	return first && more.length === 0 ? [text, `${first.trim()} ${last.trim()}`] : [text];
};

const inAngles = /<([^<>]*)>/;
/** Emails. What stands behind them is no list of a customer's addresses. */
const maxAddresses = 20;

/** The emails of a cell, and what stands in their place: `Lee, Ann <a@x.example>; b@x.example` has two. */
function addressesIn(text: string): string[] {
	const parts = text.split(inAngles);
	return parts
		.flatMap((part, at) => {
			// Every second part stands in angle brackets, behind a name.
			if (at % 2 === 1) return [part];
			const isName = (one: string) => at < parts.length - 1 && !one.includes('@');
			return part.split(/[;,]/).filter((one) => one.trim() !== '' && !isName(one));
		})
		.map((one) => one.replace(/^\s*mailto:/i, '').trim())
		.slice(0, maxAddresses);
}

/** The first email of a cell. */
const emailIn = (text: string): string => addressesIn(text)[0] ?? text.trim();

/** The name in `Name <email>`. */
const nameBefore = (text: string): string | undefined => {
	const [name, ...more] = text.split(inAngles);
	return more.length ? name.replace(/"/g, '').trim() || undefined : undefined;
};

const notAnEmail = (part: string, cell: string) =>
	`${JSON.stringify(part)} is not an email address${part === cell.trim() ? '' : ` (in ${JSON.stringify(cell)})`}`;
