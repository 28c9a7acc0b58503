import { readDirectory } from '../../../shared/customers/directory';
import { limitOf, unexpected } from '../../../shared/pagination/fetchResults';
import type { Results } from '../../../shared/pagination/fetchResults';
import { ok } from '../../../shared/result';
import type { Client } from '../../../shared/transport/client';
import type { Operation, OperationRequest } from '../../execution/operation';
import { options, returnAllAndLimit } from '../common/fields';

/** Collects customers from invoices (spec 4.2), because the service cannot list them (spec 4.8). */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many customers',
	description:
		'Retrieve a list of customers who have invoices. The service has no list of customers, so they are collected from up to 10,000 invoices.',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [...returnAllAndLimit, options()],
	response: 'page',
	perform: listCustomers,
};

async function listCustomers(
	client: Client,
	{ request, settings, policy }: OperationRequest,
): Promise<Results> {
	const read = await readDirectory(client, policy);
	if (!read.ok) return read;
	const directory = read.value;
	if (directory.invoices > 0 && directory.customers.length === 0) {
		return unexpected(request, 'invoices without the IDs of their customers');
	}
	const results = directory.customers.map(({ id, names, emails, invoices, currencies }) => ({
		name: names[0] ?? null,
		email: emails[0] ?? null,
		id,
		invoices,
		currencies,
	}));
	results.sort((a, b) => (a.name ?? a.email ?? a.id).localeCompare(b.name ?? b.email ?? b.id));
	return ok(results.slice(0, limitOf(settings)));
}
