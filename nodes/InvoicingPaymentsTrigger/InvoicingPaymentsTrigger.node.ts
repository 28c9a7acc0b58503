import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { cardDataHint } from '../shared/chargeFields';
import { testCredential } from '../shared/credentialTest';
import { customerList } from '../shared/customerField';
import { fields } from './fields';
import { pollCharges } from './pollCharges';
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
		description: 'Starts the workflow when a customer pays: once for every new charge',
		defaults: { name: 'Invoicing and Payments Trigger' },
		polling: true,
		eventTriggerDescription: '',
		activationMessage:
			'From now on new charges start this workflow, also those that come in while n8n is not running.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		properties: fields,
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

	methods = { credentialTest: { testCredential }, listSearch: customerList };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return this.getMode() === 'manual' ? await fetchTestEvent(this) : await pollCharges(this);
	}
}
