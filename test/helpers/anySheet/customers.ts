import type { Dice } from './dice';

/** A customer in the option Customer List. */
export interface Person {
	id: string;
	name: string;
	email: string;
}

const id = (last: number) => `3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c${String(last).padStart(2, '0')}`;

/** Customers with a unique name and e-mail. */
export const distinct: Person[] = [
	{ id: id(1), name: 'Acme Ltd', email: 'billing@acme.example' },
	{ id: id(2), name: 'Müller GmbH', email: 'rechnung@mueller.example' },
	{ id: id(3), name: 'Café Zoë', email: 'zoe@cafe.example' },
	{ id: id(4), name: "O'Brien & Sons, Inc.", email: 'accounts@obrien.example' },
	{ id: id(5), name: 'Acme', email: 'hello@acme.example' },
];

/** Two customers with the same name except for case and spaces, and two with the same e-mail. */
const alike: Person[] = [
	{ id: id(6), name: 'John Smith', email: 'john@smith.example' },
	{ id: id(7), name: 'john  SMITH', email: 'js@smith.example' },
	{ id: id(8), name: 'North Office', email: 'office@shared.example' },
	{ id: id(9), name: 'South Office', email: 'Office@Shared.example' },
];

/** Unlisted customers whose name or e-mail resembles a listed one. */
const unlisted: Person[] = [
	{ id: id(10), name: 'Acme Limited', email: 'billing@acme.test' },
	{ id: id(11), name: 'Muller GmbH', email: 'rechnung@muller.example' },
];

export const people: Person[] = [...distinct, ...alike, ...unlisted];
/** The customers in the option Customer List. */
const listed = [...distinct, ...alike];

const normalName = (name: string) =>
	name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
const normalEmail = (email: string) => email.toLowerCase().trim();

/** The listed customers with the same name, or the same e-mail. */
export const namesakes = ({ name }: Person) =>
	listed.filter((one) => normalName(one.name) === normalName(name));
export const emailSharers = ({ email }: Person) =>
	listed.filter((one) => normalEmail(one.email) === normalEmail(email));

/** Writes a name in one of several equivalent ways. */
export const writeName = ({ name }: Person, dice: Dice) =>
	dice.pick([
		name,
		name,
		name.toUpperCase(),
		name.replace(/ /g, '  '),
		` ${name} `,
		name.normalize('NFD'),
	]);

export const writeEmail = ({ email }: Person, dice: Dice) =>
	dice.pick([email, email, email.toUpperCase(), ` ${email}`]);

/** The option Customer List, with realistic headers. */
export function customerList(form: 'json' | 'objects' | 'items', dice: Dice) {
	const idHeader = dice.pick(['id', 'ID', 'Customer ID', 'customer_id']);
	const nameHeader = dice.pick(['name', 'Name', 'Customer Name', 'Company']);
	const emailHeader = dice.pick(['email', 'E-mail', 'Email Address', 'Customer Email']);
	const rows = dice
		.shuffle(listed)
		.map(({ id, name, email }) => ({ [idHeader]: id, [nameHeader]: name, [emailHeader]: email }));
	if (form === 'json') return JSON.stringify(rows);
	return form === 'objects' ? rows : rows.map((json) => ({ json }));
}
