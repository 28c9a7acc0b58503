import type { Field } from '../../../shared/fields/field';
import { boolean, option } from '../../../shared/fields/rules';
import type { IfNumberExists } from '../../invoices/invoiceRequest';
import { ifNumberExists } from '../../invoices/invoiceRequest';

export const ifInvoiceNumberExists = (defaultChoice: IfNumberExists): Field[] => [
	{
		displayName: 'If Invoice Number Exists',
		name: 'ifInvoiceNumberExists',
		type: 'options',
		noDataExpression: true,
		// Not sorted by name: the first choice makes no request.
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
