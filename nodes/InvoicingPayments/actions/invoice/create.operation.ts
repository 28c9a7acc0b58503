import type { Field } from '../../../shared/fields/field';
import { boolean, option } from '../../../shared/fields/rules';
import { createdInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import type { Operation } from '../../execution/operation';
import { createInvoice } from '../../invoices/createInvoice';
import { markDuplicates } from '../../invoices/duplicates';
import { invoiceFields } from '../../invoices/invoiceFields';
import { InvoiceNumbers } from '../../invoices/invoiceNumbers';
import type { IfNumberExists } from '../../invoices/invoiceRequest';
import { ifNumberExists, needsNumberLookup } from '../../invoices/invoiceRequest';
import { resultHints } from '../../invoices/messages';
import { options, outputFields } from '../common/fields';
import { withAgentDefault } from '../common/agents';

export const ifInvoiceNumberExists = (defaultChoice: IfNumberExists): Field[] => [
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
		description:
			"What to do if the service already has an invoice with this number. 'Return Existing' makes runs safe to repeat; every invoice then needs a number.",
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
		options([checkForDuplicates]),
	],
	response: 'object',
	simpleFields: simpleInvoice,
	createdNoun: 'invoice',
	// An invoice without a number cannot be found again.
	check: ({ body, settings }) =>
		needsNumberLookup(settings) && body.invoice_number === undefined
			? ["Invoice Number is empty, but 'If Invoice Number Exists' needs it"]
			: [],
	perform: async (client, request, run) =>
		await createInvoice(client, request, run.part(InvoiceNumbers)),
	mayRace: needsNumberLookup,
	review: async (client, created, run) =>
		await markDuplicates(client, created, run.part(InvoiceNumbers)),
	hints: resultHints,
};
