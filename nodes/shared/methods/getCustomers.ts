import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Customer } from '../customers/customer';
import { plainName } from '../customers/customer';
import { cachedDirectory, openDirectory, readDirectory } from '../customers/directory';
import { plainError, toNodeError } from '../errors/nodeErrors';
import { shorten } from '../fields/text';
import { editorPolicy, pageOf } from './lookUp';

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
