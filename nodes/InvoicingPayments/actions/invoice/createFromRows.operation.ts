import { simplifyField } from '../../../shared/descriptions/output';
import { customerField, textMode } from '../../../shared/descriptions/locators';
import { toMoney } from '../../../shared/fields/decimal';
import { boolean, currency, integer, option, rule, text } from '../../../shared/fields/rules';
import { notRead } from '../../../shared/result';
import { resultNotices } from '../../invoices/messages';
import type { Operation } from '../../execution/operation';
import { customerMatchings, rowChangeChoices } from '../../fromRows/settings';
import { toApprovedPlan } from '../../plan/approval';
import { maxPrefixLength } from '../../plan/contentNumbers';
import { agentRows, customerList } from '../../fromRows/lookUps';
import { createFromRows as prepareFromRows } from '../../fromRows/createFromRows';
import { summaryNotice } from '../../fromRows/preview';
import { parseReading } from '../../reading/text';
import { options } from '../common/fields';
import { forAgents } from '../common/agents';
import {
	ceilings,
	checkForDuplicates,
	create,
	ifAmountsChange,
	ifInvoiceNumberExists,
} from './create.operation';

const { routing, response, createdNoun, perform, looksUpFirst, review } = create;

/** spec 4.1, once per group of rows. Each invoice is sent as by Create. */
export const createFromRows: Operation = {
	routing,
	response,
	createdNoun,
	perform,
	looksUpFirst,
	review,
	name: 'Create From Rows',
	value: 'createFromRows',
	action: 'Create invoices from spreadsheet rows',
	description:
		'Create invoices from spreadsheet rows. A preview shows how the sheet is read; all rows are checked before anything is sent.',
	builderHint:
		'Takes all rows of a sheet at once, straight from the node that reads it: no loop before it. The last item of a preview has the field reading: put it into the parameter reading, mode text, and set previewOnly to false to create. No sheet is billed without a reading or an approved plan.',
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
			displayName: 'Reading',
			name: 'reading',
			type: 'resourceLocator',
			default: { __rl: true, mode: 'list', value: '' },
			description:
				"How to read the sheet: pick the sum that is right from the last preview and its other readings. Nothing is billed without it, and a later sheet that differs stops. Experts can edit it with 'As Text', e.g. 'Unit Price = Rate'.",
			modes: [
				{
					displayName: 'From a Preview',
					name: 'list',
					type: 'list',
					placeholder: 'Choose a preview...',
					typeOptions: { searchable: true, searchListMethod: 'getReadings' },
				},
				textMode('As Text', 'text', 'e.g. Unit Price = Fee; Quantity = Hours; not billed: Zip'),
			],
			builderHint: {
				propertyHint:
					'In mode text, the text that a preview gives in the field reading of its last item. Do not invent one: run the preview first.',
			},
			rule: rule({ kind: 'text' }, (value) =>
				typeof value === 'string' ? parseReading(value) : notRead('must be the text of a reading'),
			),
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
					description: 'Choose a column or a value for some fields; the others are recognized',
				},
			],
			default: 'recognize',
			description: 'How to find out which column fills which field',
			builderHint: {
				propertyHint:
					'Keep recognize: unusual headers belong in the reading. Choose manual, with columns, only for values that no column has.',
			},
			rule: option(['recognize', 'manual']),
		},
		forAgents({
			displayName: 'Rows',
			name: 'rows',
			type: 'json',
			default: '[]',
			description:
				'Rows of the sheet as a JSON list, one object for each row with the headers as keys, e.g. [{"Customer":"billing@acme.example","Item":"Consulting","Quantity":2,"Unit Price":"120.00","Currency":"EUR","Due Date":"2026-12-31"}]. Rows with the same Invoice Number form one invoice, others one for each customer and due date. Other keys need a reading.',
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
				'Drag a column from the left onto a field, or type a value that applies to all rows. Fields that are left empty are recognized as always.',
		},
		...ifInvoiceNumberExists(
			'returnExisting',
			"What to do if the service already has an invoice with this number. With 'Return Existing', running a sheet again creates nothing twice. A sheet without numbers gets them from its content.",
		),
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
					displayName: 'Default Item Name',
					name: 'itemName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Membership fee',
					description: 'Name of items whose rows have none',
					rule: text(),
				},
				{
					displayName: 'Default Unit Price',
					name: 'itemAmount',
					type: 'string',
					default: '',
					placeholder: 'e.g. 25.00',
					description:
						'Price of items whose rows have none, with a decimal point and up to 3 decimals',
					rule: rule({ kind: 'amount' }, toMoney),
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
			...ceilings,
			ifAmountsChange,
			{
				displayName: 'If Rows Changed',
				name: 'ifRowsChanged',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Create Both', value: 'createBoth' },
					{ name: 'Stop', value: 'stop' },
				],
				default: 'stop',
				description:
					'What to do if an earlier run billed rows that have changed since, so that the customer would get two invoices. If not set, nothing is sent. Only for invoice numbers made from the content.',
				rule: option(rowChangeChoices),
			},
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
					"How to find the customers of rows, among those of existing invoices and of 'Customer List'. A name that two of them share is rejected.",
				rule: option(customerMatchings),
			},
			checkForDuplicates,
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
				displayName: 'Number Prefix',
				name: 'numberPrefix',
				type: 'string',
				default: 'AUTO-',
				placeholder: "e.g. {{ $now.toFormat('yyyy-MM') }}-",
				description:
					'What invoice numbers made from the content begin with, up to 12 characters. With another one, the same rows make new invoices.',
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
					"The 'fingerprint' of the approved plan, which a node with Preview Only has returned. If the plan would be different now, nothing is sent. A run that stopped halfway can go on with the same fingerprint.",
				rule: rule({ kind: 'text' }, toApprovedPlan),
			},
			{
				displayName: 'Return Rows',
				name: 'returnRows',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					"Whether to return every input row with Problem, Invoice ID, Invoice Number and Payment Page added, to write them back to the sheet. Set On Error to 'Continue', so that rows with problems come back instead of an error.",
				rule: boolean(),
			},
		]),
	],
	simpleFields: [
		'invoice_number',
		'customer',
		'url',
		'amount',
		'currency',
		'due_date',
		'status',
		'id',
	],
	prepare: prepareFromRows,
	notices: (batch, outcomes) => [
		...summaryNotice(batch, outcomes),
		...resultNotices(batch, outcomes),
	],
};
