import { Draw } from '../draw';
import type { Settings } from '../settings';

export const firstNames = [
	'Amelie', 'Björn', 'Chidi', 'Dorotea', 'Émile', 'Fatima', 'Göran', 'Hana', 'Ilse', 'Jürgen', 'Katarzyna', 'Laszlo', 'Mei', 'Nuno', 'Oksana', 'Priya',
]; // prettier-ignore
export const lastNames = [
	'Ångström', 'Brandt', 'Castañeda', 'Dąbrowska', 'Eriksen', 'Fernández', 'Großmann', 'Hájek', 'Ivanova', 'Jónsdóttir', 'Kaya', 'Lindqvist', 'Müller', 'Núñez', 'Okafor', 'Özdemir',
]; // prettier-ignore
const companyEndings = ['GmbH', 'AB', 'Ltd', 'S.A.', 'BV', '& Sons', 'Studio', 'Logistics'];

export interface Customer {
	id: string;
	name: string;
	email: string;
	[field: string]: unknown;
}

/** The spec does not say which fields a customer has, so name and email are made up. */
export function makeCustomers(seed: number, count = 12): Customer[] {
	return Array.from({ length: count }, (_, index) => {
		const draw = new Draw(seed, 'customer', index);
		const name = `${draw.pick(lastNames)} ${draw.pick(companyEndings)}`;
		// Each seed is another account with other customers.
		const account = seed === 1 ? '' : seed;
		return { id: draw.uuid(), name, email: `billing${index + 1}@customer${account}.example` };
	});
}

const shapes: Record<Settings['customerFields'], (who: Customer) => object> = {
	nameAndEmail: (customer) => customer,
	company: ({ name, email }) => ({ company_name: name, billingEmail: email, city: 'Oslo' }),
	person: ({ name, email }) => {
		const [first, ...last] = name.split(' ');
		return { firstName: first, last_name: last.join(' '), contacts: [{ e_mail: email }] };
	},
	nested: ({ name, email }) => ({ profile: { full_name: name, contact: { mail: email } } }),
	onlyName: ({ name }) => ({ display_name: name }),
	onlyId: () => ({}),
};

export const shownCustomer = (customer: Customer, fields: Settings['customerFields']) => ({
	id: customer.id,
	...shapes[fields](customer),
});

/** spec 2.2 */
export function makeUser(draw: Draw) {
	return { id: draw.uuid(), first_name: draw.pick(firstNames), last_name: draw.pick(lastNames) };
}
