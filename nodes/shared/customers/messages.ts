import type { Customer } from './customer';
import type { Directory } from './directory';
import type { CustomerIndex } from './findCustomer';

const many = (count: number, noun: string) =>
	`${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The error text for an unknown customer: similar ones, and how many invoices were searched. */
export function customerNotFound(
	text: string,
	index: CustomerIndex,
	directory?: Directory,
	mayBeSimilar = true,
): string {
	const similar = mayBeSimilar ? index.similarTo(text).map((word) => JSON.stringify(word)) : [];
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

/** The error text for an email or name of several customers. */
export const customerNotUnique = (text: string, customers: Customer[]) =>
	`${JSON.stringify(text)} matches ${customers.length} customers: ${customers
		.slice(0, 5)
		.map(({ id }) => id)
		.join(', ')}`;
