import type { INodeProperties } from 'n8n-workflow';
import { options } from '../../../shared/optionFields';
import { boolean, currency, integer, option, text } from '../../../shared/rules';
import { send } from '../../../shared/send';
import { simplifyField } from '../../../shared/simplify';
import { groupings } from '../../rows/group';
import { ifInvoiceNumberExists } from './number';

const show = { resource: ['invoice'], operation: ['createFromRows'] };

/** spec 4.1, once for each group of rows */
export const invoiceCreateFromRows: INodeProperties[] = [
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description:
			'Which column of the rows fills which field. Map Automatically finds columns by their headers, such as Due Date, due_date or DueDate.',
		displayOptions: { show },
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getInvoiceFields',
				mode: 'add',
				valuesLabel: 'Column for Each Field',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Group Rows Into One Invoice By',
		name: 'groupBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Invoice Number',
				value: 'invoiceNumber',
				description:
					'Rows with the same invoice number become one invoice; without invoice numbers each row is one',
			},
			{
				name: 'Another Column',
				value: 'column',
				description: 'Rows with the same value in a column become one invoice',
			},
			{
				name: 'No Grouping',
				value: 'row',
				description: 'Every row becomes an invoice',
			},
		],
		default: 'invoiceNumber',
		description:
			'Which rows make one invoice. Each of them becomes an item of it; what they say of the invoice itself has to agree, and may be left empty in all but one.',
		displayOptions: { show },
		routing: send(
			'setting',
			'group_by',
			option('Group Rows Into One Invoice By', groupings, { required: true }),
		),
	},
	{
		displayName: 'Group Column',
		name: 'groupColumn',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Order',
		description: 'Header of the column whose values make rows one invoice',
		displayOptions: { show: { ...show, groupBy: ['column'] } },
		routing: send('setting', 'group_column', text('Group Column', { required: true })),
	},
	...ifInvoiceNumberExists(show, 'returnExisting'),
	{
		displayName: 'Only Validate',
		name: 'onlyValidate',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to send nothing and give the invoices that would be created, with their totals',
		displayOptions: { show },
		routing: send('setting', 'only_validate', boolean('Only Validate')),
	},
	{
		displayName: 'Defaults for Empty Cells',
		name: 'defaults',
		type: 'collection',
		placeholder: 'Add Default',
		default: {},
		displayOptions: { show },
		options: [
			{
				displayName: 'Default Currency',
				name: 'currency',
				type: 'string',
				default: '',
				placeholder: 'e.g. EUR',
				description: 'Currency of invoices whose rows name none, a code of 3 letters (ISO 4217)',
				routing: send('setting', 'default_currency', currency('Default Currency')),
			},
			{
				displayName: 'Due in Days',
				name: 'dueInDays',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 3650, numberPrecision: 0 },
				default: 30,
				description:
					'Due date of invoices whose rows name none, in days after today (in the time zone of the workflow), from 0 to 3650',
				routing: send('setting', 'due_in_days', integer('Due in Days', { min: 0, max: 3650 })),
			},
		],
	},
	simplifyField(show),
	options(show, [
		{
			displayName: 'Date Order',
			name: 'dateOrder',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Day, Month, Year (31/12/2026)', value: 'dayMonth' },
				{ name: 'Month, Day, Year (12/31/2026)', value: 'monthDay' },
			],
			default: 'dayMonth',
			description:
				'How dates are written that are text with slashes, points or hyphens. Unless it is set they are errors: day and month are never guessed.',
			routing: send('setting', 'date_order', option('Date Order', ['dayMonth', 'monthDay'])),
		},
		{
			displayName: 'Decimal Separator',
			name: 'decimalSeparator',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Comma (1.234,50)', value: 'comma' },
				{ name: 'Point (1,234.50)', value: 'point' },
			],
			default: 'comma',
			description:
				'How amounts are written that are text. The other sign, spaces and apostrophes may then group three digits. Unless it is set, 1234.50 and 1,234.50 are read and what could mean two things is an error.',
			routing: send(
				'setting',
				'decimal_separator',
				option('Decimal Separator', ['comma', 'point']),
			),
		},
		{
			displayName: 'First Row',
			name: 'firstRow',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			noDataExpression: true,
			default: 2,
			description:
				'Row of the sheet in which the first item stands, for the row numbers in errors and results. 2 where the sheet begins with its headers.',
			routing: send('setting', 'first_row', integer('First Row', { min: 1 })),
		},
	]),
];
