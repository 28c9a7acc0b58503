import type { INodeProperties, NodeHint } from 'n8n-workflow';
import { customerField } from './customerField';
import { boolean, currency, option, text } from './rules';
import { send } from './send';

/** The filters of the charge list (spec 4.3). */
export const chargeFilters: INodeProperties[] = [
	{
		displayName: 'Charge ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		description: 'Only the charge with this ID',
		routing: send('query', 'id', text('Charge ID')),
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR',
		description: 'Only charges in this currency, a code of 3 letters',
		routing: send('query', 'currency', currency('Currency')),
	},
	customerField('Only charges of this customer.', ['query', 'customer_id']),
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. Consulting',
		description:
			'Only charges that contain this text. The service decides which fields it looks at.',
		routing: send('query', 'search', text('Search')),
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. authorised',
		description: 'Only charges with this status, written as the service writes it',
		routing: send('query', 'status', text('Status')),
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'Charge', value: 'charge' },
			{ name: 'Checkout', value: 'checkout' },
			{ name: 'Credit Payment', value: 'creditpayment' },
			{ name: 'Invoice', value: 'invoice' },
			{ name: 'Link', value: 'link' },
		],
		default: 'charge',
		description: 'Only charges that came about this way',
		routing: send(
			'query',
			'type',
			option('Type', ['charge', 'checkout', 'creditpayment', 'invoice', 'link']),
		),
	},
];

export const includeCardData: INodeProperties = {
	displayName: 'Include Card Data',
	name: 'includeCardData',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to keep the card number and security code (source.card_data) if the service sends them. n8n stores them with the execution, which card-security rules (PCI DSS) restrict: leave this off unless you must have them.',
	routing: send('setting', 'include_card_data', boolean('Include Card Data')),
};

/** Card data in executions is what nobody should come upon by chance. */
export const cardDataHint: NodeHint = {
	message:
		'Include Card Data is on: n8n stores card numbers and security codes with every execution.',
	type: 'warning',
	location: 'ndv',
	displayCondition: '={{ $parameter["options"]?.["includeCardData"] === true }}',
};
