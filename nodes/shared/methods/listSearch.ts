import type { ILoadOptionsFunctions, INodeListSearchResult, IDataObject } from 'n8n-workflow';
import type { Customer } from '../customers/customer';
import { plainName } from '../customers/customer';
import { cachedDirectory, openDirectory, readDirectory } from '../customers/directory';
import { plainError, toNodeError } from '../errors/nodeErrors';
import { fold, shorten } from '../fields/text';
import type { ResultsRequest } from '../pagination/fetchResults';
import { fetchResults } from '../pagination/fetchResults';
import { failed, ok } from '../result';
import { defaultPolicy, openClient } from '../transport/client';
import type { Failure } from '../transport/failure';

/** Customers whose texts or ID contain the filter. Throws a NodeApiError, also if the invoices have no customer IDs. */
export async function getCustomers(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const client = await openDirectory(this);
	if (!client.ok) throw toNodeError(this.getNode(), client.failure);
	const cached = cachedDirectory(client.value.account);
	const isCached = cached?.customers.some((customer) => matches(customer, filter));
	const read = cached && isCached ? ok(cached) : await readDirectory(client.value, editorPolicy);
	if (!read.ok) throw toNodeError(this.getNode(), read.failure);
	const directory = read.value;
	if (directory.invoices && directory.customers.length === 0) {
		throw plainError(
			this.getNode(),
			'The invoices do not contain customer IDs',
			"Choose 'By ID' and enter the customer's ID.",
		);
	}
	const entries = directory.customers
		.filter((customer) => matches(customer, filter))
		.map((customer) => ({ value: customer.id, name: customerLabel(customer) }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return pageOf(entries, paginationToken);
}

const matches = ({ id, names, emails }: Customer, filter: string) =>
	containsWords([...names, ...emails, id].join(' '), filter);

/** Ends with the beginning of the ID, to distinguish customers with the same name. */
function customerLabel({ id, names: [name = ''], emails: [email = ''] }: Customer): string {
	const texts = [name, email].filter(Boolean).map((text) => shorten(text));
	return texts.length > 0 ? `${texts.join(', ')} (${id.slice(0, 8)})` : id;
}

/** The only status that the spec names (2.10). */
const documentedStatus = 'authorised';

/** Statuses of the first charges in the list. Throws a NodeApiError. */
export async function getChargeStatuses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const charges = await lookUp(this, '/v1/charges', {
		response: 'page',
		settings: { limit: editorListLimit },
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

export const editorListLimit = 500;
/** Short limits: meanwhile the user sees an empty list. */
const editorPolicy = { ...defaultPolicy, timeout: 15_000, maxWait: 5000 };

/** Reads a list for the editor. Throws a NodeApiError: the editor shows its message instead of the list. */
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
	const outcome = client.ok
		? await fetchResults(client.value, { request, response, settings, policy: editorPolicy })
		: failed<Failure>({ ...request, kind: 'configuration', reason: client.problem });
	if (!outcome.ok) throw toNodeError(context.getNode(), outcome.failure);
	return outcome.value;
}

const entriesPerPage = 100;

/** The editor asks for more entries as the user scrolls down. `paginationToken`: index of a page's first entry. */
export function pageOf(
	entries: INodeListSearchResult['results'],
	paginationToken: string,
): INodeListSearchResult {
	const end = Number(paginationToken) + entriesPerPage;
	return {
		results: entries.slice(Number(paginationToken), end),
		...(end < entries.length && { paginationToken: String(end) }),
	};
}

const plainText = (text: string) => fold(plainName(text));

/** In any order, without case and accents: `Núñez` is also found by `nunez`, for keyboards without the accent. */
export function containsWords(text: string, filter: string): boolean {
	const plain = plainText(text);
	return plainText(filter)
		.split(' ')
		.every((word) => plain.includes(word));
}
