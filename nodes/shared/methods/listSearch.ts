import type { ILoadOptionsFunctions, INodeListSearchResult, IDataObject } from 'n8n-workflow';
import type { Customer } from '../customers/customer';
import { plainName } from '../customers/customer';
import { cachedDirectory, openDirectory, readDirectory } from '../customers/directory';
import { plainError, toNodeError } from '../errors/nodeErrors';
import { shorten } from '../fields/text';
import type { ResultsRequest } from '../pagination/fetchResults';
import { fetchResults } from '../pagination/fetchResults';
import { openClient, defaultPolicy } from '../transport/client';

/**
 * Lists the customers of invoices whose texts or ID contain the filter, by name. Each entry ends with the beginning of the
 * ID, to distinguish customers with the same name. Throws a NodeApiError, also if invoices do not contain customer IDs.
 */
export async function getCustomers(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const client = await openDirectory(this);
	if ('failure' in client) throw toNodeError(this.getNode(), client.failure);
	const cached = cachedDirectory(client.account);
	const isThere = cached?.customers.some((customer) => matches(customer, filter));
	const directory = cached && isThere ? cached : await readDirectory(client, editorPolicy);
	if ('failure' in directory) throw toNodeError(this.getNode(), directory.failure);
	if (directory.invoices && directory.customers.length === 0) {
		throw plainError(
			this.getNode(),
			'The invoices do not contain customer IDs',
			"Choose 'By ID' and enter the customer's ID.",
		);
	}
	const found = directory.customers
		.filter((customer) => matches(customer, filter))
		.map((customer) => ({ value: customer.id, name: customerLabel(customer) }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return pageOf(found, paginationToken);
}

const matches = ({ id, names, emails, words }: Customer, filter: string) =>
	plainName([...names, ...emails, ...words, id].join(' ')).includes(plainName(filter));

function customerLabel({ id, words }: Customer): string {
	if (words.length === 0) return id;
	return `${words
		.slice(0, 3)
		.map((text) => shorten(text))
		.join(', ')} (${id.slice(0, 8)})`;
}

/** Statuses are collected from the first charges of the list, in the order of the service. */
const maxCharges = 500;
/** The only status that the spec names (spec 2.10). */
const documentedStatus = 'authorised';

/** Lists the statuses of charges that contain the filter. Throws a NodeApiError. */
export async function getChargeStatuses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const charges = await lookUp(this, '/v1/charges', {
		response: 'page',
		settings: { limit: maxCharges },
	});
	const seen = charges.map(({ status }) => status).filter((one) => typeof one === 'string');
	const statuses = [...new Set([documentedStatus, ...seen])].filter((one) => one !== '').sort();
	const wanted = filter.trim().toLowerCase();
	return {
		results: statuses
			.filter((status) => status.toLowerCase().includes(wanted))
			.map((status) => ({ name: status, value: status })),
	};
}

/** Short limits: the user sees an empty list meanwhile. */
export const editorPolicy = { ...defaultPolicy, timeout: 15_000, maxWait: 5000 };

/** Reads a list for the editor. Throws a NodeApiError, whose message the editor shows instead of the list. */
export async function lookUp(
	context: ILoadOptionsFunctions,
	path: string,
	{
		response,
		settings,
		query,
	}: Pick<ResultsRequest, 'response' | 'settings'> & { query?: IDataObject },
): Promise<Array<Record<string, unknown>>> {
	const request = { method: 'GET', path, query } as const;
	const client = await openClient(context);
	const performed =
		'problem' in client
			? { failure: { ...request, kind: 'configuration', reason: client.problem } as const }
			: await fetchResults(client, { request, response, settings, policy: editorPolicy });
	if ('failure' in performed) throw toNodeError(context.getNode(), performed.failure);
	return performed.results;
}

/** The editor asks for more entries as the user scrolls down. */
const pageSize = 100;

/** A page of the entries. `paginationToken` is the index of its first entry, and of the next page's in the result. */
export function pageOf(
	entries: INodeListSearchResult['results'],
	paginationToken: string,
): INodeListSearchResult {
	const end = Number(paginationToken) + pageSize;
	return {
		results: entries.slice(Number(paginationToken), end),
		...(end < entries.length && { paginationToken: String(end) }),
	};
}

/** Whether the text contains each word of the filter, in any case. */
export function containsWords(text: string, filter: string): boolean {
	const plain = plainName(text);
	return plainName(filter)
		.split(' ')
		.every((word) => plain.includes(word));
}
