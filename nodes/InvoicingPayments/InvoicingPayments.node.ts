import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from '../shared/credentialTest';
import { execute } from '../shared/execute';
import { requestOptions } from '../shared/requestOptions';
import { getMembers } from './listSearch/getMembers';
import { charge } from './resources/charge';
import { invoice } from './resources/invoice';
import { member } from './resources/member';
import { paymentLink } from './resources/paymentLink';
import { getInvoiceFields } from './rows/getInvoiceFields';

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
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Create invoices and look up invoices, charges, payment links and team members',
		defaults: { name: 'Invoicing and Payments' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Charge', value: 'charge' },
					{ name: 'Invoice', value: 'invoice' },
					{ name: 'Payment Link', value: 'paymentLink' },
					{ name: 'Team Member', value: 'member' },
				],
				default: 'invoice',
			},
			...operations,
		],
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { getMembers },
		resourceMapping: { getInvoiceFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, operations);
	}
}
