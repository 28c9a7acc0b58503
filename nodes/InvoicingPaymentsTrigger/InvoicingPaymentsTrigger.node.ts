import type {
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { cardDataHint } from '../shared/descriptions/cardData';
import { testCredential } from '../shared/methods/testCredential';
import { getChargeStatuses } from '../shared/methods/getChargeStatuses';
import { getCustomers } from '../shared/methods/getCustomers';
import { fields } from './description';
import { poll } from './poll';
import { fetchTestEvent } from './testEvent';

export class InvoicingPaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Invoicing and Payments Trigger',
		name: 'invoicingPaymentsTrigger',
		icon: {
			light: 'file:../../icons/invoicingPayments.svg',
			dark: 'file:../../icons/invoicingPayments.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ["New Charge", ...Object.values($parameter["filters"] ?? {}).map((value) => value?.cachedResultName ?? value?.value ?? value)].filter((text) => text !== "").join(", ") }}',
		// n8n shows it for both nodes.
		description:
			'Create invoices, look up payments, and start the workflow once for every new charge',
		defaults: { name: 'Invoicing and Payments Trigger' },
		polling: true,
		eventTriggerDescription: '',
		activationMessage:
			'New charges will now trigger this workflow, including those made while n8n is offline.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		properties: fields as INodeProperties[],
		hints: [cardDataHint],
		builderHint: {
			searchHint:
				'Starts the workflow when a customer pays: each new charge once, all charges of one poll as one execution, oldest first. n8n can run an execution again (Retry, a crash), so make what follows safe to repeat, by the id of the charge. A charge is not always a payment that went through: filter by status.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-invoicing-payments.invoicingPayments',
					relationHint: 'Creates invoices and looks up invoices, charges and payment links',
				},
			],
		},
	};

	methods = { credentialTest: { testCredential }, listSearch: { getChargeStatuses, getCustomers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return this.getMode() === 'manual' ? await fetchTestEvent(this) : await poll(this);
	}
}
