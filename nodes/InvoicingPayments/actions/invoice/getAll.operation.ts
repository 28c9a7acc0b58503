import type { FieldValues } from '../../../shared/fields/readFields';
import { listedInvoiceFields } from '../../../shared/output/allFields';
import { simpleInvoice } from '../../../shared/output/simpleInvoice';
import type { Operation } from '../../execution/operation';
import type { DueRange } from '../../invoices/listInvoices';
import { hasDueRange, isEmptyRange, listInvoices, statusesIn } from '../../invoices/listInvoices';
import { pageOptions, returnAllAndLimit } from '../common/list';
import { filters, options } from '../common/options';
import { outputFields } from '../common/output';
import { listFilters } from './listFilters';

/** Problems with filters and options that exclude each other. */
function check({ query, settings }: FieldValues): string[] {
	const range: DueRange = settings;
	const { dueAfter, dueBefore } = range;
	const problems: string[] = [];
	if (isEmptyRange(range)) {
		problems.push(
			`There is no day between Due After (${dueAfter}) and Due Before (${dueBefore}), neither of which is included`,
		);
	}
	const cause =
		statusesIn(query).length > 1
			? 'several values in Status'
			: hasDueRange(range) && "'Due After' and 'Due Before'";
	if (cause && Number(settings.startPage ?? 1) > 1) {
		problems.push(
			`Start Page cannot be combined with ${cause}, because its pages are those of a single list of the service. Remove 'Start Page'`,
		);
	}
	return problems;
}

const ownPageOptions = pageOptions.map((field) =>
	field.name === 'startPage'
		? {
				...field,
				description: `${field.description} Cannot be combined with several values in 'Status', 'Due After' or 'Due Before'.`,
			}
		: field,
);

/** spec 4.2 */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many invoices',
	description: 'Retrieve a list of invoices',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [
		...returnAllAndLimit,
		...outputFields(listedInvoiceFields),
		filters(listFilters),
		options(ownPageOptions),
	],
	response: 'page',
	simpleFields: simpleInvoice,
	check,
	perform: listInvoices,
};
