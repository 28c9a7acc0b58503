import { invoiceFilters } from '../../../shared/descriptions/invoiceFilters';
import { simplifyField } from '../../../shared/descriptions/simplifyField';
import type { Operation } from '../../execution/operation';
import { simpleInvoice } from '../../../shared/output/simpleInvoice';
import { pageOptions, returnAllAndLimit } from '../common/list';
import { filters, options } from '../common/options';

/** spec 4.2 */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many invoices',
	description: 'Retrieve a list of invoices',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [
		...returnAllAndLimit,
		simplifyField,
		filters(invoiceFilters(true)),
		options(pageOptions),
	],
	response: 'page',
	simpleFields: simpleInvoice,
};
