import { simplifyField } from '../../../shared/descriptions/output';
import { customerField } from '../../../shared/descriptions/locators';
import { boolean, currency, integer, list, option, rule, text } from '../../../shared/fields/rules';
import { toList } from '../../../shared/fields/text';
import { resultHints } from '../../invoices/messages';
import type { Operation } from '../../execution/operation';
import {
	amountMeanings,
	customerMatchings,
	fractionChoices,
	notBillableChoices,
	groupings,
	numberSources,
	otherColumnsChoices,
	totalRowsChoices,
} from '../../sheet/rowSettings';
import { toApprovedPlan } from '../../plan/approval';
import { maxPrefixLength } from '../../plan/plannedInvoice';
import { agentRows, customerList } from '../../sheet/givenLists';
import { planSheet } from '../../sheet/planSheet';
import { summaryHint } from '../../sheet/sheetHints';
import { options } from '../common/fields';
import { forAgents } from '../common/agents';
import { checkForDuplicates, create, ifInvoiceNumberExists } from './create.operation';

/** spec 4.1, once per group of rows */
export const createFromRows: Operation = {
	...create,
	name: 'Create From Rows',
	value: 'createFromRows',
	action: 'Create invoices from rows',
	description:
		'Create invoices from spreadsheet rows. All rows are validated before anything is sent.',
	builderHint:
		'Takes all rows of a sheet at once, straight from the node that reads it: no loop before it. The first run only previews; set previewOnly to false to create.',
	fields: [
		{
			displayName: 'Preview Only',
			name: 'previewOnly',
			type: 'boolean',
			noDataExpression: true,
			default: true,
			description:
				'Whether to only show the invoices that would be created. Turn it off to create them.',
			rule: boolean(),
		},
		{
			displayName: 'Columns',
			name: 'columnsMode',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Recognize Headers',
					value: 'recognize',
					description: 'Headers such as Client, Qty, Price and Due are recognized',
				},
				{
					name: 'Map Manually',
					value: 'manual',
					description: 'Choose a column or a value for each field',
				},
			],
			default: 'recognize',
			description: 'How to find out which column fills which field',
			builderHint: {
				propertyHint:
					'Keep recognize for sheets of people: their headers and languages vary. Choose manual, with columns, only if the headers are known and unusual.',
			},
			rule: option(['recognize', 'manual']),
		},
		{
			displayName:
				'Headers such as Client, Qty, Price and Due are recognized, in seven languages. <a href="https://github.com/n8n-nodes-invoicing-payments/n8n-nodes-invoicing-payments/blob/main/docs/spreadsheets.md" target="_blank">Which headers</a>',
			name: 'headersNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { columnsMode: ['recognize'] } },
		},
		forAgents({
			displayName: 'Rows',
			name: 'rows',
			type: 'json',
			default: '[]',
			description:
				'Rows of the sheet as a JSON list, one object for each row with the headers as keys, e.g. [{"Customer":"billing@acme.example","Item":"Consulting","Quantity":2,"Unit Price":"120.00","Currency":"EUR","Due Date":"2026-12-31"}]. Rows with the same Invoice Number form one invoice.',
			displayOptions: { show: { columnsMode: ['recognize'] } },
			rule: agentRows,
		}),
		{
			displayName: 'Values to Send',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: 'getInvoiceFields',
					mode: 'add',
					valuesLabel: 'Column for Each Field',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: false,
				},
			},
			displayOptions: { show: { columnsMode: ['manual'] } },
			description:
				'Drag a column from the left onto a field, or type a value that applies to all rows',
		},
		{
			displayName: 'Group Rows By',
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
			builderHint: {
				propertyHint:
					'Keep invoiceNumber unless the user names another column that rows of one invoice share. Without invoice numbers each row is an invoice.',
			},
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
			displayName: 'Match Customers By',
			name: 'matchCustomersBy',
			type: 'options',
			noDataExpression: true,
			// From the safest to the most lenient.
			options: [
				{ name: 'ID', value: 'id' },
				{ name: 'ID or Email', value: 'idOrEmail' },
				{ name: 'ID, Email or Name', value: 'idEmailOrName' },
			],
			default: 'idEmailOrName',
			description:
				'How to find the customers of rows. Only customers of existing invoices are known; a name that two of them share is rejected.',
			rule: option(customerMatchings),
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
					...customerField('Customer for invoices whose rows have none.'),
					displayName: 'Default Customer',
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
		options([
			{
				displayName: 'Amount Is',
				name: 'amountIs',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Line Total', value: 'lineTotal' },
					{ name: 'Unit Price', value: 'unitPrice' },
				],
				default: 'lineTotal',
				description:
					"What a column called just 'Amount' or 'Item Amount' contains. If not set, it is the line total beside unit prices, and rejected where quantities make a difference.",
				builderHint: {
					propertyHint:
						'Set it only if the user says what a column called just Amount contains: a wrong choice bills another total.',
				},
				rule: option(amountMeanings),
			},
			checkForDuplicates,
			{
				displayName: 'Check Totals',
				name: 'checkTotals',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to reject invoices whose items do not add up to the figure in a Total, Subtotal or Balance column',
				rule: boolean(),
			},
			{
				displayName: 'Customer List',
				name: 'customerList',
				type: 'json',
				default: '[]',
				description:
					"Customers to search first, each with ID and name or email, e.g. from an earlier node: {{ $('Customers').all() }}. Use it for customers who have no invoice yet.",
				rule: customerList,
			},
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
					'Day and month order of text dates. If not set, the other dates of the column tell, or ambiguous ones are rejected.',
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
					'Decimal separator of text amounts. If not set, the other figures of the sheet tell, or ambiguous ones such as 1,234 are rejected.',
				rule: option(['comma', 'point']),
			},
			{
				displayName: 'Fractional Quantities',
				name: 'fractionalQuantities',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Bill as One Unit', value: 'intoPrice' },
					{ name: 'Reject', value: 'refuse' },
				],
				default: 'refuse',
				description:
					'Whether to bill 1.5 x 80.00 as one unit of 120.00, with this added to the item name (the default), or to reject such rows. The service takes whole quantities only.',
				rule: option(fractionChoices),
			},
			{
				displayName: 'Fill Merged Cells',
				name: 'fillMergedCells',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to fill empty cells from the row above: in the column by which rows are grouped, or else in those of customer, currency and due date. Spreadsheets keep the value of merged cells only in the first row.',
				rule: boolean(),
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
			{
				displayName: 'Ignore Columns',
				name: 'ignoreColumns',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
				noDataExpression: true,
				// The initial value of each line.
				default: '',
				placeholder: 'e.g. Tax Amount',
				description:
					'Headers of columns to treat as if they were not there, such as taxes that the invoices should not contain: one each, or several separated by commas',
				rule: list({}, toList),
			},
			{
				displayName: 'Invoice Numbers',
				name: 'invoiceNumbers',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'From Content',
						value: 'fromContent',
						description:
							'Made of customer, items, amounts and due date, so that the same rows find the same invoices again',
					},
					{
						name: 'From Sheet',
						value: 'fromSheet',
						description: 'A sheet without them is rejected',
					},
				],
				default: 'fromSheet',
				description:
					'Where invoice numbers come from if no column has them (From Content if not set). Not used with Create Anyway.',
				rule: option(numberSources),
			},
			{
				displayName: 'Number Prefix',
				name: 'numberPrefix',
				type: 'string',
				default: 'AUTO-',
				placeholder: "e.g. {{ $now.toFormat('yyyy-MM') }}-",
				description:
					'What invoice numbers made from content begin with, up to 12 characters. With another one, the same rows make new invoices.',
				rule: text({ maxLength: maxPrefixLength }),
			},
			simplifyField,
			{
				displayName: 'Only If Plan Is',
				name: 'onlyIfPlanIs',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.fingerprint }}',
				description:
					"Fingerprint of an approved plan, its fingerprint and summary, or its 'plan', from a node with Preview Only. If anything is different now, nothing is sent. A run that stopped halfway can go on with the same one.",
				rule: rule({ kind: 'text' }, toApprovedPlan),
			},
			{
				displayName: 'Other Columns',
				name: 'otherColumns',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Ignore', value: 'ignore' },
					{ name: 'Stop if They Have Figures', value: 'stop' },
				],
				default: 'stop',
				description:
					'What to do about columns that fill no field. Ignore them only if you know that the invoices are right without them.',
				builderHint: {
					propertyHint:
						'Keep stop. Choose ignore only if the user says that figures in other columns, such as taxes, must not be billed.',
				},
				rule: option(otherColumnsChoices),
			},
			{
				displayName: 'Return Rows',
				name: 'returnRows',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to return every input row unchanged, with Problem, Invoice ID, Invoice Number and Payment Page, so that they can be written back to the sheet. With Preview Only, invalid rows are returned as well.',
				rule: boolean(),
			},
			{
				displayName: 'Rows That Look Like Totals',
				name: 'totalRows',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Bill', value: 'bill' },
					{ name: 'Skip', value: 'skip', description: 'Skip rows that are called a total' },
					{ name: 'Stop', value: 'stop' },
				],
				default: 'skip',
				description:
					'What to do about rows that are called or come to the sum of others, and about deductions without a minus. If not set, they stop the sheet.',
				rule: option(totalRowsChoices),
			},
			{
				displayName: 'Rows Marked as Not Billable',
				name: 'notBillableRows',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Skip', value: 'skip' },
					{ name: 'Stop', value: 'stop' },
				],
				default: 'skip',
				description:
					'What to do about rows of which a column says that they should not be billed, such as Billable: no. If not set, they stop the sheet.',
				rule: option(notBillableChoices),
			},
		]),
	],
	simpleFields: [
		'invoice_number',
		'amount',
		'currency',
		'due_date',
		'customer',
		'status',
		'url',
		'id',
	],
	check: undefined,
	plan: planSheet,
	hints: (plan, outcomes) => [...summaryHint(plan, outcomes), ...resultHints(plan, outcomes)],
};
