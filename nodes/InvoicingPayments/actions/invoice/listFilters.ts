import { invoiceFilters } from '../../../shared/descriptions/invoiceFilters';
import type { Field } from '../../../shared/fields/field';
import { date, someOf } from '../../../shared/fields/rules';

/** What only a list has that is put together of several, or selected from one, by the node itself. */
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
		options: [
			{ name: 'Cancelled', value: 'cancelled' },
			{ name: 'Overdue', value: 'overdue' },
			{ name: 'Paid', value: 'paid' },
			{ name: 'Scheduled', value: 'scheduled' },
			{ name: 'Unpaid', value: 'unpaid' },
		],
		default: ['unpaid'],
		description:
			'Only invoices with one of these statuses. The service is asked for each status separately; Limit counts the invoices of all of them.',
		routing: { send: { type: 'query', property: 'status' } },
		rule: someOf(['cancelled', 'overdue', 'paid', 'scheduled', 'unpaid']),
	},
];

/** The filters of Get Many: those of the service (spec 4.2), and those of the node. */
export const listFilters = [...invoiceFilters(true), ...ownFilters].sort((a, b) =>
	a.displayName.localeCompare(b.displayName),
);
