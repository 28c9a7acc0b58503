import { addTo } from '../addTo';
import type { Customer } from './customer';
import { plainEmail, plainName } from './customer';

/** Letters that a similar text has in common, at its beginning. */
const commonLetters = 3;

/** Customers by ID, email and name. */
export class CustomerIndex {
	private readonly byEmail = new Map<string, Customer[]>();
	private readonly byName = new Map<string, Customer[]>();
	private readonly byId = new Map<string, Customer[]>();

	constructor(readonly customers: Customer[]) {
		for (const customer of customers) {
			addTo(this.byId, customer.id.toLowerCase(), customer);
			for (const email of customer.emails) addTo(this.byEmail, plainEmail(email), customer);
			for (const name of customer.names) addTo(this.byName, plainName(name), customer);
		}
	}

	withId(id: string): Customer[] {
		return this.byId.get(id.toLowerCase()) ?? [];
	}

	withEmail(email: string): Customer[] {
		return this.byEmail.get(plainEmail(email)) ?? [];
	}

	withName(name: string): Customer[] {
		return this.byName.get(plainName(name)) ?? [];
	}

	/** Up to three main names or emails of customers whose name or email begins like the text. */
	similarTo(text: string): string[] {
		const isEmail = text.includes('@');
		const start = (isEmail ? plainEmail(text) : plainName(text)).slice(0, commonLetters);
		const texts = isEmail ? this.byEmail : this.byName;
		return [...texts]
			.filter(([known]) => known.startsWith(start))
			.slice(0, 3)
			.map(([known, [customer]]) => (isEmail ? known : customer.names[0]));
	}
}

export const customerNotUnique = (text: string, customers: Customer[]) =>
	`${JSON.stringify(text)} matches ${customers.length} customers: ${customers
		.slice(0, 5)
		.map(({ id }) => id)
		.join(', ')}`;
