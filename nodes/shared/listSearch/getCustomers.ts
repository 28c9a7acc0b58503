import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { plainError } from '../errors';
import { toUuid } from '../values';
import { lookUp } from './lookUp';

/** In how many invoices customers are looked for; the service has no list of customers (spec 4.8). */
const mostInvoices = 500;

/**
 * The customers of the first invoices that the service lists, whose words or ID contain the filter. Which fields a customer has is
 * not known (spec 2.5), so all that is taken for granted is an `id` in UUID format; its name is made of whatever text it holds.
 * Throws a NodeApiError, also where there are invoices but none tells the ID of its customer.
 */
export async function getCustomers(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const invoices = await lookUp(this, '/v1/invoices', {
		answer: 'page',
		settings: { limit: mostInvoices },
	});
	const names = new Map<string, string>();
	for (const { customer } of invoices) {
		const id = toUuid((customer as { id?: unknown } | null | undefined)?.id);
		if ('value' in id) names.set(id.value, wordsOf(customer).slice(0, 3).join(', '));
	}
	if (invoices.length && names.size === 0) {
		throw plainError(
			this.getNode(),
			'The invoices of the service do not tell the IDs of their customers',
			'Choose By ID and enter the ID of the customer.',
		);
	}
	const wanted = filter.trim().toLowerCase();
	const isTaken = (name: string) => [...names.values()].filter((one) => one === name).length > 1;
	const results = [...names]
		.filter((entry) => entry.join(' ').toLowerCase().includes(wanted))
		// An invoice must not go to another customer who is called the same.
		.map(([value, name]) => ({
			value,
			name: name && !isTaken(name) ? name : `${name} (${value})`.trim(),
		}))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}

/** What a person can read in a value, in its order: no IDs, addresses of the web, and moments. */
function wordsOf(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) {
		return [...new Set(Object.values(value).flatMap(wordsOf))];
	}
	const text = typeof value === 'string' ? value.trim() : '';
	const isForMachines = 'value' in toUuid(text) || /^https?:|^\d{4}-\d{2}-\d{2}T/.test(text);
	return text && text.length <= 60 && !isForMachines ? [text] : [];
}
