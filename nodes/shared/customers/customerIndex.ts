import { addTo } from '../addTo';
import type { Customer } from './customer';
import { plainEmail, plainName } from './customer';

/** Characters. Nobody mistypes longer names, and comparing takes the square of their length. */
const maxSimilar = 200;

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

	similarTo(text: string): string[] {
		const isEmail = text.includes('@');
		const wanted = isEmail ? plainEmail(text) : plainName(text);
		const words = isEmail
			? this.customers.flatMap(({ emails }) => emails)
			: this.customers.flatMap(({ names }) => names);
		if (wanted.length > maxSimilar) return [];
		const maxDistance = Math.max(2, Math.floor(wanted.length * 0.4));
		return [...new Set(words)]
			.map((word) => ({ word, away: distance(wanted, word.toLowerCase(), maxDistance) }))
			.filter(({ away }) => away <= maxDistance)
			.sort((a, b) => a.away - b.away)
			.slice(0, 3)
			.map(({ word }) => word);
	}
}

/** Levenshtein distance, or `maxDistance + 1` if it is above `maxDistance`. */
function distance(one: string, other: string, maxDistance: number): number {
	if (Math.abs(one.length - other.length) > maxDistance) return maxDistance + 1;
	let before = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let i = 1; i <= one.length; i++) {
		const row = [i];
		for (let j = 1; j <= other.length; j++) {
			const change = before[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
			row.push(Math.min(change, before[j] + 1, row[j - 1] + 1));
		}
		if (Math.min(...row) > maxDistance) return maxDistance + 1;
		before = row;
	}
	return before[other.length];
}

export const customerNotUnique = (text: string, customers: Customer[]) =>
	`${JSON.stringify(text)} matches ${customers.length} customers: ${customers
		.slice(0, 5)
		.map(({ id }) => id)
		.join(', ')}`;
