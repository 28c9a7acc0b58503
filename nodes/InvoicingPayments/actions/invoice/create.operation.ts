import type { Field } from '../../../shared/fields/field';
import { toMoney } from '../../../shared/fields/decimal';
import { boolean, integer, option, rule } from '../../../shared/fields/rules';
import { createdInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import type { Operation } from '../../execution/operation';
import { createInvoice, StoredNumbers } from '../../invoices/createInvoice';
import { markDuplicates } from '../../invoices/duplicates';
import { invoiceFields } from '../../invoices/invoiceFields';
import type { Ceilings } from '../../invoices/ceilings';
import { ceilingProblem } from '../../invoices/ceilings';
import type { IfNumberExists, InvoiceBody } from '../../invoices/invoiceRequest';
import {
	amountChangeChoices,
	ifNumberExists,
	needsNumberLookup,
} from '../../invoices/invoiceRequest';
import { resultNotices } from '../../invoices/messages';
import { options, outputFields } from '../common/fields';
import { withAgentDefault } from '../common/agents';

export const ifInvoiceNumberExists = (
	defaultChoice: IfNumberExists,
	description = "What to do if the service already has an invoice with this number. 'Return Existing' makes runs safe to repeat; every invoice then needs a number.",
): Field[] => [
	{
		displayName: 'If Invoice Number Exists',
		name: 'ifInvoiceNumberExists',
		type: 'options',
		noDataExpression: true,
		// Not sorted by name: the choice that sends no other request comes first.
		options: [
			{
				name: 'Create Anyway',
				value: 'create',
				description: 'Create a new invoice on every run without checking for existing ones',
			},
			{
				name: 'Return Existing',
				value: 'returnExisting',
				description: 'Return the existing invoice instead of creating a duplicate',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Throw an error that names the existing invoice',
			},
		],
		default: defaultChoice,
		description,
		builderHint: {
			propertyHint:
				'Choose returnExisting, with an invoice number, wherever the workflow or an AI agent may ask for the same invoice twice: create bills the customer again.',
		},
		rule: option(ifNumberExists),
	},
	{
		displayName:
			'Every run creates new invoices, even from the same input. To make runs safe to repeat, choose <b>Return Existing</b> and give each invoice a number.',
		name: 'createAnywayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ifInvoiceNumberExists: ['create'] } },
	},
];

/** Optional, because it costs a request per invoice. */
export const checkForDuplicates: Field = {
	displayName: 'Check for Duplicates',
	name: 'checkForDuplicates',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description:
		"Whether to look up the number of each created invoice once more, to report invoices that another n8n process created at the same time. 'Create Anyway' never looks.",
	rule: boolean(),
};

/** The answer's amount may follow rules that the spec does not show: taxes of the account, rounding, fees. */
export const ifAmountsChange: Field = {
	displayName: 'If the Service Changes Amounts',
	name: 'ifAmountsChange',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Stop', value: 'stop' },
		{ name: 'Warn', value: 'warn' },
	],
	default: 'warn',
	description:
		'What to do if the service gives a created invoice another amount than was sent, e.g. because the account adds taxes. If not set, the run stops at the first one.',
	rule: option(amountChangeChoices),
};

/** Limits of a run. No expression, so that an AI model cannot raise them. */
export const ceilings: Field[] = [
	{
		displayName: 'Maximum Invoices',
		name: 'maximumInvoices',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		noDataExpression: true,
		default: 100,
		description:
			'How many invoices a run may create. With more, nothing is sent. When an AI agent calls the tool several times, its invoices count together within the execution.',
		rule: integer({ min: 1 }),
	},
	{
		displayName: 'Maximum Total',
		name: 'maximumTotal',
		type: 'string',
		noDataExpression: true,
		default: '10000',
		placeholder: 'e.g. 10000',
		description:
			'How much a run may bill in each currency. With more, nothing is sent. When an AI agent calls the tool several times, its invoices count together within the execution.',
		rule: rule({ kind: 'amount' }, toMoney),
	},
];

/** spec 4.1 */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create invoice',
	description: 'Create a new invoice for a customer',
	routing: { request: { method: 'POST', url: '/v1/invoices' } },
	fields: [
		// An AI model knows emails, not IDs, and may ask for the same invoice twice.
		...invoiceFields.flatMap((field) =>
			field.name === 'customerId'
				? withAgentDefault(field, { __rl: true, mode: 'email', value: '' })
				: [field],
		),
		...ifInvoiceNumberExists('create').flatMap((field) =>
			field.name === 'ifInvoiceNumberExists' ? withAgentDefault(field, 'returnExisting') : [field],
		),
		...outputFields(createdInvoiceFields),
		options([...ceilings, checkForDuplicates, ifAmountsChange]),
	],
	response: 'object',
	// The title is what was entered.
	simpleFields: simpleInvoice.filter((name) => name !== 'title'),
	createdNoun: 'invoice',
	// An invoice without a number cannot be found again.
	check: ({ body, settings }) =>
		needsNumberLookup(settings) && body.invoice_number === undefined
			? ["Invoice Number is empty, but 'If Invoice Number Exists' needs it"]
			: [],
	checkAll: async (context, requests) =>
		await ceilingProblem(
			context,
			requests.map(({ request }) => request.body as unknown as InvoiceBody),
			(requests[0]?.settings ?? {}) as Ceilings,
		),
	perform: async (client, request, run) =>
		await createInvoice(client, request, run.part(StoredNumbers)),
	looksUpFirst: needsNumberLookup,
	review: markDuplicates,
	notices: resultNotices,
};
