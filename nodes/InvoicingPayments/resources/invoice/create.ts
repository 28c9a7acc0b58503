import type { INodeProperties } from 'n8n-workflow';
import { customerField } from '../../../shared/customerField';
import { options } from '../../../shared/optionFields';
import { boolean, currency, date, integer, text, uri } from '../../../shared/rules';
import { send } from '../../../shared/send';
import { simplifyField } from '../../../shared/simplify';
import { customFields, invoiceItems } from './items';
import { ifInvoiceNumberExists } from './number';

const show = { resource: ['invoice'], operation: ['create'] };
const required = true;

/** spec 4.1 */
export const invoiceCreate: INodeProperties[] = [
	customerField('Customer who gets the invoice.', ['body', 'customer'], {
		required,
		displayOptions: { show },
	}),
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. EUR',
		description: 'Currency of all amounts, a code of 3 letters (ISO 4217)',
		displayOptions: { show },
		routing: send('body', 'currency', currency('Currency', { required })),
	},
	{
		displayName: 'Due Date',
		name: 'dueDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		required: true,
		default: '',
		description:
			'Day by which the customer should pay. Takes dates (2026-12-31), moments (counted in the time zone of the workflow) and the date numbers of spreadsheets.',
		displayOptions: { show },
		routing: send('body', 'due_date', date('Due Date', { required })),
	},
	{
		displayName: 'Items Input',
		name: 'itemsInput',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to enter the items. Take JSON for a list that comes from an earlier node.',
		displayOptions: { show },
	},
	{
		displayName: 'Items',
		name: 'items',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Item',
		default: { item: [{ name: '', amount: '', quantity: 1 }] },
		description: 'What the customer pays for',
		displayOptions: { show: { ...show, itemsInput: ['fields'] } },
		options: [
			{
				displayName: 'Item',
				name: 'item',
				values: [
					{
						displayName: 'Item Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. Consulting',
						description: 'What is sold, as the customer reads it on the invoice',
					},
					{
						displayName: 'Item Amount',
						name: 'amount',
						type: 'string',
						default: '',
						placeholder: 'e.g. 1200.00',
						description:
							'Amount with up to 3 decimals after a point and without the currency. It is sent exactly as it is, never rounded.',
					},
					{
						displayName: 'Item Quantity',
						name: 'quantity',
						type: 'number',
						typeOptions: { numberPrecision: 0 },
						default: 1,
						description: 'How many, a whole number',
					},
				],
			},
		],
		routing: send('body', 'items', invoiceItems('Items')),
	},
	{
		displayName: 'Items (JSON)',
		name: 'itemsJson',
		type: 'json',
		required: true,
		default: '[\n  {\n    "name": "",\n    "amount": "",\n    "quantity": 1\n  }\n]',
		description:
			'A list of items, each with name, amount and quantity. An expression may give the list itself.',
		hint: 'Amounts are text with a point, such as "1200.00"; an item without a quantity counts once',
		displayOptions: { show: { ...show, itemsInput: ['json'] } },
		routing: send('body', 'items', invoiceItems('Items (JSON)')),
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: { invoiceNumber: '' },
		displayOptions: { show },
		options: [
			{
				displayName: 'Allow Installments A',
				name: 'allowInstallmentA',
				type: 'boolean',
				default: true,
				description: 'Whether the customer may pay with the first installment method',
				routing: send('body', 'allow_installment_a', boolean('Allow Installments A')),
			},
			{
				displayName: 'Allow Installments B',
				name: 'allowInstallmentB',
				type: 'boolean',
				default: true,
				description: 'Whether the customer may pay with the second installment method',
				routing: send('body', 'allow_installment_b', boolean('Allow Installments B')),
			},
			{
				displayName: 'Allow Service Fee',
				name: 'allowServiceFee',
				type: 'boolean',
				default: true,
				description: 'Whether a service fee may be added',
				routing: send('body', 'allow_service_fee', boolean('Allow Service Fee')),
			},
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Custom Field',
				default: {},
				description: 'Up to 5 fields that the customer is asked to fill in',
				options: [
					{
						displayName: 'Field',
						name: 'field',
						values: [
							{
								displayName: 'Field Name',
								name: 'name',
								type: 'string',
								default: '',
								placeholder: 'e.g. Purchase Order',
								description: 'Name of the field as the customer reads it',
							},
						],
					},
				],
				routing: send('body', 'custom_fields', customFields('Custom Fields')),
			},
			{
				displayName: 'Discount Percentage',
				name: 'discountPercentage',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 0 },
				default: 0,
				description: 'Discount on the whole invoice in percent, a whole number from 0 to 100',
				routing: send(
					'body',
					'discount_percentage',
					integer('Discount Percentage', { min: 0, max: 100 }),
				),
			},
			{
				displayName: 'Failure URL',
				name: 'failureUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://shop.example.com/failed',
				description: 'Page to which the customer is sent when the payment fails',
				routing: send('body', 'failure_url', uri('Failure URL')),
			},
			{
				displayName: 'Invoice Number',
				name: 'invoiceNumber',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-0042',
				description: 'Your number for the invoice, up to 30 characters',
				routing: send('body', 'invoice_number', text('Invoice Number', { maxLength: 30 })),
			},
			{
				displayName: 'Note',
				name: 'note',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. Thank you for your order',
				description: 'Note to the customer, up to 280 characters',
				routing: send('body', 'note', text('Note', { maxLength: 280, nullable: true })),
			},
			{
				displayName: 'Shipping Address Required',
				name: 'shippingAddressRequired',
				type: 'boolean',
				default: false,
				description: 'Whether the customer has to enter a shipping address',
				routing: send('body', 'shipping_address_required', boolean('Shipping Address Required')),
			},
			{
				displayName: 'Start Date',
				name: 'startsAt',
				type: 'dateTime',
				typeOptions: { dateOnly: true },
				default: '',
				description: 'Day on which the invoice starts, for one that is scheduled',
				routing: send('body', 'starts_at', date('Start Date')),
			},
			{
				displayName: 'Success URL',
				name: 'successUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://shop.example.com/thanks',
				description: 'Page to which the customer is sent after paying',
				routing: send('body', 'success_url', uri('Success URL')),
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Services in March',
				description: 'Heading of the invoice, up to 50 characters',
				routing: send('body', 'title', text('Title', { maxLength: 50 })),
			},
		],
	},
	...ifInvoiceNumberExists(show, 'create'),
	simplifyField(show),
	options(show),
];
