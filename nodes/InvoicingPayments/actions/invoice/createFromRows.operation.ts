import { simplifyField } from '../../../shared/descriptions/simplifyField';
import { boolean, currency, integer, option, text } from '../../../shared/fields/rules';
import type { Operation } from '../../execution/operation';
import { simpleInvoice } from '../../invoices/simpleInvoice';
import { groupings } from '../../rows/group';
import { planRows } from '../../rows/planRows';
import { sendRow } from '../../rows/sendRow';
import { ifInvoiceNumberExists } from '../common/ifInvoiceNumberExists';
import { options } from '../common/options';
import { create } from './create.operation';

/** spec 4.1, once for each group of rows */
export const createFromRows: Operation = {
	...create,
	name: 'Create From Rows',
	value: 'createFromRows',
	action: 'Create invoices from rows',
	description:
		'Create invoices from spreadsheet rows. All rows are validated before anything is sent.',
	routing: { ...create.routing, send: { preSend: [sendRow(() => createFromRows)] } },
	fields: [
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			description:
				"Which column fills which field. 'Map Automatically' matches columns by their headers, such as Due Date, due_date or DueDate.",
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
						'Rows with the same invoice number form one invoice. Without invoice numbers, each row does.',
				},
				{
					name: 'Another Column',
					value: 'column',
					description: 'Rows with the same value in a column form one invoice',
				},
				{
					name: 'No Grouping',
					value: 'row',
					description: 'Each row forms an invoice of its own',
				},
			],
			default: 'invoiceNumber',
			description:
				'Which rows form one invoice. Each row becomes a line item; invoice-level values must match.',
			rule: option(groupings),
		},
		{
			displayName: 'Group Column',
			name: 'groupColumn',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Order',
			description: 'Header of the column to group by',
			displayOptions: { show: { groupBy: ['column'] } },
			rule: text(),
		},
		...ifInvoiceNumberExists('returnExisting'),
		{
			displayName: 'Only Validate',
			name: 'onlyValidate',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: 'Whether to only preview the invoices without creating them',
			rule: boolean(),
		},
		{
			displayName: 'Defaults for Empty Cells',
			name: 'defaults',
			type: 'collection',
			placeholder: 'Add Default',
			default: {},
			options: [
				{
					displayName: 'Default Currency',
					name: 'currency',
					type: 'string',
					default: '',
					placeholder: 'e.g. EUR',
					description: 'Three-letter code (ISO 4217) for invoices whose rows have no currency',
					rule: currency(),
				},
				{
					displayName: 'Due in Days',
					name: 'dueInDays',
					type: 'number',
					typeOptions: { minValue: 0, maxValue: 3650, numberPrecision: 0 },
					default: 30,
					description:
						"Due date for invoices whose rows have none, as a number of days from today in the workflow's time zone. From 0 to 3650.",
					rule: integer({ min: 0, max: 3650 }),
				},
			],
		},
		simplifyField,
		options([
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
				description: 'Day and month order of text dates. If not set, ambiguous dates are rejected.',
				rule: option(['dayMonth', 'monthDay']),
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
					'Decimal separator of text amounts. If not set, ambiguous amounts such as 1,234 are rejected.',
				rule: option(['comma', 'point']),
			},
			{
				displayName: 'First Row',
				name: 'firstRow',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				noDataExpression: true,
				default: 2,
				description: 'Sheet row number of the first input item, used in messages and results',
				rule: integer({ min: 1 }),
			},
		]),
	],
	simpleFields: simpleInvoice.filter((name) => name !== 'title'),
	check: undefined,
	plan: planRows,
};
