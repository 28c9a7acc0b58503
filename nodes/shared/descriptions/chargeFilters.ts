import type { Field } from '../fields/field';
import { currency, option, text } from '../fields/rules';
import { customerField } from './customerField';

/** The filters of the charge list (spec 4.3). `isByEmail`: allow emails of customers. */
export const chargeFilters = (isByEmail = false): Field[] => [
	{
		displayName: 'Charge ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		description: 'Only the charge with this ID',
		routing: { send: { type: 'query', property: 'id' } },
		rule: text(),
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR',
		description: 'Only charges in this currency (three-letter code)',
		routing: { send: { type: 'query', property: 'currency' } },
		rule: currency(),
	},
	customerField(
		'Only charges of this customer.',
		{ type: 'query', property: 'customer_id' },
		{ isByEmail },
	),
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. Consulting',
		description: 'Only charges that match this text. The service decides which fields it searches.',
		routing: { send: { type: 'query', property: 'search' } },
		rule: text(),
	},
	chargeStatusField(
		'Only charges with this status. The list shows the statuses of the newest charges; others can be typed.',
	),
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
		description: 'Only charges of this type',
		routing: { send: { type: 'query', property: 'type' } },
		rule: option(['charge', 'checkout', 'creditpayment', 'invoice', 'link']),
	},
];

/** Chosen or typed, because the spec names one status only (4.3). The node needs the method `getChargeStatuses`. */
export const chargeStatusField = (description: string, { required = false } = {}): Field => ({
	displayName: 'Status',
	name: 'status',
	type: 'resourceLocator',
	...(required && { required }),
	default: { __rl: true, mode: 'list', value: '' },
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a status...',
			typeOptions: { searchable: true, searchListMethod: 'getChargeStatuses' },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. authorised',
		},
	],
	routing: { send: { type: 'query', property: 'status' } },
	rule: text(),
});
