import type { INodeProperties } from 'n8n-workflow';
import { customerField } from '../../../shared/customerField';
import { options, pageOptions, returnAllAndLimit } from '../../../shared/optionFields';
import { boolean, currency, option, text } from '../../../shared/rules';
import { send } from '../../../shared/send';
import { simplifyField } from '../../../shared/simplify';

const show = { resource: ['invoice'], operation: ['getAll'] };

/** spec 4.2 */
export const invoiceGetAll: INodeProperties[] = [
	...returnAllAndLimit(show),
	simplifyField(show),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show },
		options: [
			{
				displayName: 'Allow Tip',
				name: 'allowTip',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only invoices that let the customer add a tip (on) or do not (off)',
				routing: send('query', 'allow_tip', boolean('Allow Tip')),
			},
			{
				displayName: 'Currency',
				name: 'currency',
				type: 'string',
				default: '',
				placeholder: 'e.g. EUR',
				description: 'Only invoices in this currency, a code of 3 letters',
				routing: send('query', 'currency', currency('Currency')),
			},
			customerField('Only invoices of this customer.', ['query', 'customer_id']),
			{
				displayName: 'Invoice ID',
				name: 'id',
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
				description: 'Only the invoice with this ID',
				routing: send('query', 'id', text('Invoice ID')),
			},
			{
				displayName: 'Invoice Number',
				name: 'invoiceNumber',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-0042',
				description:
					'Only invoices that the service finds by this number. It may find similar numbers too.',
				routing: send('query', 'invoice_number', text('Invoice Number')),
			},
			{
				displayName: 'Reference ID',
				name: 'referenceId',
				type: 'string',
				default: '',
				placeholder: 'e.g. Services in March',
				description: 'Only invoices that the service finds by this title or country code',
				routing: send('query', 'reference_id', text('Reference ID')),
			},
			{
				displayName: 'Shipping Address Required',
				name: 'shippingAddressRequired',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only invoices that ask for a shipping address (on) or do not (off)',
				routing: send('query', 'shipping_address_required', boolean('Shipping Address Required')),
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'Cancelled', value: 'cancelled' },
					{ name: 'Overdue', value: 'overdue' },
					{ name: 'Paid', value: 'paid' },
					{ name: 'Scheduled', value: 'scheduled' },
					{ name: 'Unpaid', value: 'unpaid' },
				],
				default: 'unpaid',
				description: 'Only invoices with this status',
				routing: send(
					'query',
					'status',
					option('Status', ['cancelled', 'overdue', 'paid', 'scheduled', 'unpaid']),
				),
			},
		],
	},
	options(show, pageOptions),
];
