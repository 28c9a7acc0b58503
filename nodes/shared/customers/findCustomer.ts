import { CustomerIndex, customerNotUnique } from './customerIndex';
import type { Directory } from './directory';
import { searchDirectory } from './directory';
import type { EmailPlace } from '../fields/readFields';
import { ok } from '../result';
import type { Client, RequestPolicy } from '../transport/client';
import type { Answer } from '../transport/failure';

const many = (count: number, noun: string) =>
	`${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export function customerNotFound(
	text: string,
	index: CustomerIndex,
	directory?: Directory,
): string {
	const similar = index.similarTo(text).map((word) => JSON.stringify(word));
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

/** Replaces emails by customer IDs. Returns the problems by index, or the failure of the request. Never throws. */
export async function resolveEmails(
	client: Client,
	policy: RequestPolicy,
	places: EmailPlace[],
): Promise<Answer<Map<number, string>>> {
	const problems = new Map<number, string>();
	const failure = await searchDirectory(client, policy, (directory) => {
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
					: `${customerNotFound(email, index, directory)} Choose 'By ID' for a customer without invoices.`;
				problems.set(at, `${displayName}: ${problem}`);
			}
		});
		return problems.size === 0;
	});
	return failure ?? ok(problems);
}
