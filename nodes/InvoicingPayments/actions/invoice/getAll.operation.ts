import { invoiceFilters } from '../../../shared/descriptions/filters';
import type { Field } from '../../../shared/fields/field';
import type { FieldValues } from '../../../shared/fields/readFields';
import { date, someOf } from '../../../shared/fields/rules';
import { listedInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import type { Operation } from '../../execution/operation';
import type { DueRange } from '../../invoices/listInvoices';
import { hasDueRange, listInvoices, statusesIn } from '../../invoices/listInvoices';
import { filters, options, outputFields, pageOptions, returnAllAndLimit } from '../common/fields';

const statuses = [
	{ name: 'Cancelled', value: 'cancelled' },
	{ name: 'Overdue', value: 'overdue' },
	{ name: 'Paid', value: 'paid' },
	{ name: 'Scheduled', value: 'scheduled' },
	{ name: 'Unpaid', value: 'unpaid' },
];

/** Filters that the service lacks, or has for one value only. */
const ownFilters: Field[] = [
	{
		displayName: 'Due After',
		name: 'dueAfter',
		type: 'dateTime',
		default: '',
		description:
			'Only invoices due after this day (the day itself is not included). The service has no such filter, so the node reads the list and selects from it. Limit counts the selected invoices.',
		rule: date(),
	},
	{
		displayName: 'Due Before',
		name: 'dueBefore',
		type: 'dateTime',
		default: '',
		description:
			'Only invoices due before this day (the day itself is not included). The service has no such filter, so the node reads the list and selects from it. Limit counts the selected invoices.',
		rule: date(),
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: statuses,
		default: ['unpaid'],
		description:
			'Only invoices with one of these statuses. The service is asked for each status separately; Limit counts the invoices of all of them.',
		routing: { send: { type: 'query', property: 'status' } },
		rule: someOf(statuses.map(({ value }) => value)),
	},
];

const listFilters = [...invoiceFilters(true), ...ownFilters].sort((a, b) =>
	a.displayName.localeCompare(b.displayName),
);

/** The pages are those of a single list of the service. */
function check({ query, settings }: FieldValues): string[] {
	const cause =
		statusesIn(query).length > 1
			? 'several values in Status'
			: hasDueRange(settings as DueRange) && "'Due After' or 'Due Before'";
	return cause && Number(settings.startPage ?? 1) > 1
		? [`Start Page cannot be combined with ${cause}. Remove 'Start Page'`]
		: [];
}

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
		options(pageOptions),
	],
	response: 'page',
	simpleFields: simpleInvoice,
	check,
	perform: listInvoices,
};
