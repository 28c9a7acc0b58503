import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { cardDataHint } from '../shared/chargeFields';
import { testCredential } from '../shared/credentialTest';
import { customerList } from '../shared/customerField';
import { execute } from '../shared/execute';
import { getMembers } from '../shared/listSearch/getMembers';
import { requestOptions } from '../shared/requestOptions';
import { charge } from './resources/charge';
import { invoice } from './resources/invoice';
import { member } from './resources/member';
import { paymentLink } from './resources/paymentLink';
import { getInvoiceFields } from './rows/getInvoiceFields';
import { subtitleOf } from './subtitle';

const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Charge',
			value: 'charge',
			description: 'Payments that customers made or tried to make',
		},
		{ name: 'Invoice', value: 'invoice', description: 'What customers are asked to pay' },
		{
			name: 'Payment Link',
			value: 'paymentLink',
			description: 'Links at which customers pay',
		},
		{
			name: 'Team Member',
			value: 'member',
			description: 'People who work with the account',
		},
	],
	default: 'invoice',
};

/** The operations and their fields, and what n8n's own settings of the node are. */
const operations: INodeProperties[] = [
	...charge,
	...invoice,
	...paymentLink,
	...member,
	requestOptions,
];

export class InvoicingPayments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Invoicing and Payments',
		name: 'invoicingPayments',
		icon: {
			light: 'file:../../icons/invoicingPayments.svg',
			dark: 'file:../../icons/invoicingPayments.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resource, operations),
		description: 'Create invoices and look up invoices, charges, payment links and team members',
		defaults: { name: 'Invoicing and Payments' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		properties: [resource, ...operations],
		hints: [cardDataHint],
		builderHint: {
			searchHint:
				'To turn the rows of a spreadsheet into invoices use Invoice: Create From Rows, not Create in a loop: it checks all rows first, and running it again creates nothing twice. Invoice: Create is not idempotent: every run creates another invoice, unless If Invoice Number Exists is Return Existing (or Fail) and each invoice has a number. Amounts are decimal text without currency, dates YYYY-MM-DD.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-invoicing-payments.invoicingPaymentsTrigger',
					relationHint: 'Starts a workflow when a customer pays',
				},
				{
					nodeType: 'n8n-nodes-base.extractFromFile',
					relationHint: 'Reads the rows of a CSV or Excel file for Invoice: Create From Rows',
				},
			],
		},
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { ...customerList, getMembers },
		resourceMapping: { getInvoiceFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, operations);
	}
}
