import type { Field } from '../fields/field';
import { boolean, currency, option, text } from '../fields/rules';
import { chargeStatusField, customerField } from './locators';

/** Spec 4.3. `isByEmail`: a customer can be given by email. */
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

/** Spec 4.2, except the status. `isByEmail`: a customer can be given by email. */
export const invoiceFilters = (isByEmail = false): Field[] => [
	{
		displayName: 'Allow Tip',
		name: 'allowTip',
		type: 'boolean',
		default: true,
		description:
			'Whether to return only invoices that allow a tip (on) or only those that do not (off)',
		routing: { send: { type: 'query', property: 'allow_tip' } },
		rule: boolean(),
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR',
		description: 'Only invoices in this currency (three-letter code)',
		routing: { send: { type: 'query', property: 'currency' } },
		rule: currency(),
	},
	customerField(
		'Only invoices of this customer.',
		{ type: 'query', property: 'customer_id' },
		{ isByEmail },
	),
	{
		displayName: 'Invoice ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		description: 'Only the invoice with this ID',
		routing: { send: { type: 'query', property: 'id' } },
		rule: text(),
	},
	{
		displayName: 'Invoice Number',
		name: 'invoiceNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2026-0042',
		description: 'Only invoices with this number. The service may also match similar numbers.',
		routing: { send: { type: 'query', property: 'invoice_number' } },
		rule: text(),
	},
	{
		displayName: 'Reference ID',
		name: 'referenceId',
		type: 'string',
		default: '',
		placeholder: 'e.g. Services in March',
		description: 'Only invoices whose title or country code matches',
		routing: { send: { type: 'query', property: 'reference_id' } },
		rule: text(),
	},
	{
		displayName: 'Shipping Address Required',
		name: 'shippingAddressRequired',
		type: 'boolean',
		default: true,
		description:
			'Whether to return only invoices that require a shipping address (on) or only those that do not (off)',
		routing: { send: { type: 'query', property: 'shipping_address_required' } },
		rule: boolean(),
	},
];
