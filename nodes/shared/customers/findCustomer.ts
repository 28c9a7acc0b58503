import { addTo } from '../addTo';
import type { Customer } from './customer';
import { plainEmail, plainName } from './customer';
import type { Directory } from './directory';
import { searchDirectory } from './directory';
import type { EmailPlace } from '../fields/readFields';
import type { Client, RequestPolicy } from '../transport/client';
import type { Failure } from '../transport/failure';

export class CustomerIndex {
	private readonly byEmail = new Map<string, Customer[]>();
	private readonly byName = new Map<string, Customer[]>();

	constructor(readonly customers: Customer[]) {
		for (const customer of customers) {
			for (const email of customer.emails) addTo(this.byEmail, plainEmail(email), customer);
			for (const name of customer.names) addTo(this.byName, plainName(name), customer);
		}
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

const many = (count: number, noun: string) =>
	`${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export function customerNotFound(
	text: string,
	index: CustomerIndex,
	directory?: Directory,
	withSuggestions = true,
): string {
	const similar = withSuggestions ? index.similarTo(text).map((word) => JSON.stringify(word)) : [];
	const kind = text.includes('@') ? 'email' : 'name';
	if (directory?.invoices && directory.customers.length === 0) {
		return 'The invoices of the service do not contain customer IDs.';
	}
	const noEmails =
		kind === 'email' && directory?.customers.every(({ emails }) => emails.length === 0)
			? " The service's invoices contain no emails."
			: '';
	const where = directory
		? ` among the ${many(directory.customers.length, 'customer')} of ${directory.isPartial ? 'the first ' : ''}${many(directory.invoices, 'invoice')}`
		: '';
	return [
		`No customer with the ${kind} ${JSON.stringify(text)} was found${where}.${noEmails}`,
		similar.length > 0 && `Similar: ${similar.join(', ')}.`,
	]
		.filter(Boolean)
		.join(' ');
}

export const customerNotUnique = (text: string, customers: Customer[]) =>
	`${JSON.stringify(text)} matches ${customers.length} customers: ${customers
		.slice(0, 5)
		.map(({ id }) => id)
		.join(', ')}`;

/** Similar emails take long to find, so only this many errors suggest some. */
const maxSuggestions = 20;

/** Replaces emails by customer IDs. Returns the problems by index, or the failure of the request. Never throws. */
export async function resolveEmails(
	client: Client,
	policy: RequestPolicy,
	places: EmailPlace[],
): Promise<{ problems: Map<number, string> } | { failure: Failure }> {
	const problems = new Map<number, string>();
	const failed = await searchDirectory(client, policy, (directory) => {
		const index = new CustomerIndex(directory.customers);
		problems.clear();
		places.forEach(({ part, property, displayName }, at) => {
			const email = String(part[property]);
			if (!email.includes('@')) return;
			const found = index.withEmail(email);
			if (found.length === 1) part[property] = found[0].id;
			else {
				const problem = found.length
					? `${customerNotUnique(email, found)}. Choose 'By ID'`
					: `${customerNotFound(email, index, directory, problems.size < maxSuggestions)} Choose 'By ID' for a customer without invoices.`;
				problems.set(at, `${displayName}: ${problem}`);
			}
		});
		return problems.size === 0;
	});
	return failed ?? { problems };
}
