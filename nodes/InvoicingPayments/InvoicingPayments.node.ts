import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { cardDataHint, sensitiveOutputFields } from '../shared/descriptions/output';
import { getChargeStatuses, getCustomers } from '../shared/methods/listSearch';
import { testCredential } from '../shared/methods/testCredential';
import { operationOf, properties, subtitle } from './actions';
import { execute } from './execution/execute';
import { getReadings } from './fromRows/preview';
import { getCharges, getInvoices, getMembers } from './methods/listSearch';
import { getInvoiceFields } from './methods/resourceMapping';

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
		subtitle: subtitle(),
		description:
			'Create invoices, one at a time or from a spreadsheet, and look up customers, charges, payment links and team members',
		defaults: { name: 'Invoicing and Payments' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: {
			// Like `baseUrlOf`, removes a trailing /v1, because every path begins with it.
			baseURL:
				'={{ $credentials.baseUrl.trim().replace(new RegExp("/+$"), "").replace(new RegExp("/v1$"), "") }}',
			headers: { Accept: 'application/json' },
		},
		properties,
		hints: [cardDataHint],
		sensitiveOutputFields,
		builderHint: {
			searchHint:
				"To turn the rows of a spreadsheet into invoices, use Invoice: Create From Rows, not Create in a loop: it previews, checks all rows before it sends anything, and running it again creates no duplicates. Invoice: Create is not idempotent: every run creates another invoice, unless 'If Invoice Number Exists' is Return Existing (or Fail) and each invoice has a number. Amounts are decimal text without currency, dates YYYY-MM-DD.",
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
		listSearch: {
			getCharges,
			getChargeStatuses,
			getCustomers,
			getInvoices,
			getMembers,
			getReadings,
		},
		resourceMapping: { getInvoiceFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, operationOf(this.getNode()));
	}
}
