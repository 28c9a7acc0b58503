import { customerField } from '../../shared/descriptions/locators';
import type { Field } from '../../shared/fields/field';
import { fieldsIn } from '../../shared/fields/field';
import { boolean, currency, date, integer, plainText, text, uri } from '../../shared/fields/rules';
import { customFields, invoiceItems } from './items';

/** spec 4.1 */
export const invoiceFields: Field[] = [
	customerField(
		'Customer who receives the invoice.',
		{ type: 'body', property: 'customer' },
		{ required: true, isByEmail: true },
	),
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. EUR',
		description: 'Three-letter currency code (ISO 4217) of all amounts',
		routing: { send: { type: 'body', property: 'currency' } },
		rule: currency(),
	},
	{
		displayName: 'Due Date',
		name: 'dueDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		required: true,
		default: '',
		description:
			"Day by which the customer should pay. Accepts dates (2026-12-31), date-times (read in the workflow's time zone) and spreadsheet date numbers.",
		routing: { send: { type: 'body', property: 'due_date' } },
		rule: date(),
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
		description: 'How to enter the items. Use JSON when the list comes from an earlier node.',
	},
	{
		displayName: 'Items',
		name: 'items',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		required: true,
		placeholder: 'Add Item',
		default: { item: [{ name: '', amount: '', quantity: 1 }] },
		description: 'Line items of the invoice',
		displayOptions: { show: { itemsInput: ['fields'] } },
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
						description: 'Name of the product or service, as shown on the invoice',
					},
					{
						displayName: 'Unit Price',
						name: 'amount',
						type: 'string',
						default: '',
						placeholder: 'e.g. 1200.00',
						description:
							'Price for one, with a decimal point and up to 3 decimals, without currency. Never rounded.',
					},
					{
						displayName: 'Item Quantity',
						name: 'quantity',
						type: 'number',
						typeOptions: { numberPrecision: 0 },
						default: 1,
						description: 'Number of units, a whole number',
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'items' } },
		rule: invoiceItems,
	},
	{
		displayName: 'Items (JSON)',
		name: 'itemsJson',
		type: 'json',
		required: true,
		default: '[\n  {\n    "name": "",\n    "amount": "",\n    "quantity": 1\n  }\n]',
		description:
			'List of items, each with name, amount and quantity. An expression can return the list itself.',
		hint: 'Amounts are text with a decimal point, such as "1200.00"; quantity defaults to 1',
		displayOptions: { show: { itemsInput: ['json'] } },
		routing: { send: { type: 'body', property: 'items' } },
		rule: invoiceItems,
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: { invoiceNumber: '' },
		options: [
			{
				displayName: 'Allow Installments A',
				name: 'allowInstallmentA',
				type: 'boolean',
				default: true,
				description: 'Whether the customer can pay with the first installment method',
				routing: { send: { type: 'body', property: 'allow_installment_a' } },
				rule: boolean(),
			},
			{
				displayName: 'Allow Installments B',
				name: 'allowInstallmentB',
				type: 'boolean',
				default: true,
				description: 'Whether the customer can pay with the second installment method',
				routing: { send: { type: 'body', property: 'allow_installment_b' } },
				rule: boolean(),
			},
			{
				displayName: 'Allow Service Fee',
				name: 'allowServiceFee',
				type: 'boolean',
				default: true,
				description: 'Whether a service fee can be added',
				routing: { send: { type: 'body', property: 'allow_service_fee' } },
				rule: boolean(),
			},
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Custom Field',
				default: {},
				description: 'Up to 5 fields for the customer to fill in',
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
								description: 'Name of the field, as shown to the customer',
							},
						],
					},
				],
				routing: { send: { type: 'body', property: 'custom_fields' } },
				rule: customFields,
			},
			{
				displayName: 'Discount Percentage',
				name: 'discountPercentage',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 0 },
				default: 0,
				description: 'Discount on the whole invoice, as a whole percentage from 0 to 100',
				routing: { send: { type: 'body', property: 'discount_percentage' } },
				rule: integer({ min: 0, max: 100 }),
			},
			{
				displayName: 'Failure URL',
				name: 'failureUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://shop.example.com/failed',
				description: 'Page to open for the customer after a failed payment',
				routing: { send: { type: 'body', property: 'failure_url' } },
				rule: uri(),
			},
			{
				displayName: 'Invoice Number',
				name: 'invoiceNumber',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-0042',
				description: 'Your own invoice number, up to 30 characters',
				routing: { send: { type: 'body', property: 'invoice_number' } },
				rule: plainText({ maxLength: 30 }),
			},
			{
				displayName: 'Note',
				name: 'note',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. Thank you for your order',
				description: 'Message to the customer, up to 280 characters',
				routing: { send: { type: 'body', property: 'note' } },
				rule: text({ maxLength: 280, nullable: true }),
			},
			{
				displayName: 'Shipping Address Required',
				name: 'shippingAddressRequired',
				type: 'boolean',
				default: false,
				description: 'Whether the customer must enter a shipping address',
				routing: { send: { type: 'body', property: 'shipping_address_required' } },
				rule: boolean(),
			},
			{
				displayName: 'Start Date',
				name: 'startsAt',
				type: 'dateTime',
				typeOptions: { dateOnly: true },
				default: '',
				description: 'Day on which a scheduled invoice starts',
				routing: { send: { type: 'body', property: 'starts_at' } },
				rule: date(),
			},
			{
				displayName: 'Success URL',
				name: 'successUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://shop.example.com/thanks',
				description: 'Page to open for the customer after a successful payment',
				routing: { send: { type: 'body', property: 'success_url' } },
				rule: uri(),
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. Services in March',
				description: 'Title of the invoice, up to 50 characters',
				routing: { send: { type: 'body', property: 'title' } },
				rule: text({ maxLength: 50 }),
			},
		],
	},
];

/** What the service assumes for a property that is not sent (spec 4.1). */
export const defaultsByProperty: ReadonlyMap<string, unknown> = new Map(
	invoiceFields
		.flatMap((one) => (one.type === 'collection' ? fieldsIn(one) : []))
		.flatMap(({ routing, default: value }) => {
			const { property } = routing?.send ?? {};
			return property === undefined ? [] : [[property, value] as const];
		}),
);
