import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { plainError } from '../errors/nodeErrors';
import { withoutCardData } from '../output/cardData';
import { toUuid } from '../fields/text';
import { lookUp } from './lookUp';

/** In how many invoices customers are looked for; the service has no list of customers (spec 4.8). */
const mostInvoices = 500;

/**
 * The customers of the first invoices that the service lists, of which any text or the ID contains the filter. Which fields a
 * customer has is not known (spec 2.5), so all that is taken for granted is an `id` in UUID format; its name is made of whatever
 * text it holds, and ends with the beginning of the ID, so that nobody bills another customer who is called the same. Throws a
 * NodeApiError, also where there are invoices but none tells the ID of its customer.
 */
export async function getCustomers(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const invoices = await lookUp(this, '/v1/invoices', {
		response: 'page',
		settings: { limit: mostInvoices },
	});
	const customers = new Map<string, { value: string; words: string[] }>();
	for (const { customer } of invoices) {
		const id = toUuid((customer as { id?: unknown } | null | undefined)?.id);
		if ('problem' in id) continue;
		const key = id.value.toLowerCase();
		// Lists tend to begin with what is newest.
		if (!customers.has(key)) customers.set(key, { value: id.value, words: wordsOf(customer) });
	}
	if (invoices.length && customers.size === 0) {
		throw plainError(
			this.getNode(),
			'The invoices do not contain customer IDs',
			"Choose 'By ID' and enter the customer's ID.",
		);
	}
	const wanted = filter.trim().toLowerCase();
	const results = [...customers.values()]
		.filter(({ value, words }) => [...words, value].join(' ').toLowerCase().includes(wanted))
		.map(({ value, words }) => ({ value, name: nameOf(value, words) }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}

const longest = 60;
const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function nameOf(id: string, words: string[]): string {
	if (words.length === 0) return id;
	return `${words.slice(0, 3).map(shorten).join(', ')} (${id.slice(0, 8)})`;
}

/** By how much a field tells who somebody is. */
const rankOf = (field: string) => (/name|company/i.test(field) ? 0 : /mail/i.test(field) ? 1 : 2);

/** What a person can read in an object, names and e-mail first: no IDs, addresses of the web, moments, and card data. */
function wordsOf(value: unknown): string[] {
	const texts = textsIn('', withoutCardData(value), 3)
		.sort((a, b) => rankOf(a.field) - rankOf(b.field))
		.map(({ text }) => text);
	return [...new Set(texts)];
}

function textsIn(
	field: string,
	value: unknown,
	depth: number,
): Array<{ field: string; text: string }> {
	if (typeof value === 'object' && value !== null) {
		if (depth === 0) return [];
		return Object.entries(value).flatMap(([name, inner]) => textsIn(name, inner, depth - 1));
	}
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	const isForMachines = 'value' in toUuid(text) || /^https?:|^\d{4}-\d{2}-\d{2}T/.test(text);
	return text && !isForMachines ? [{ field, text }] : [];
}
