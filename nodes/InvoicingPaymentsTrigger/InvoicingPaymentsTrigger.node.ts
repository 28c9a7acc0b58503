import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from '../shared/credentialTest';
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
			'={{ "New charge" + (Object.keys($parameter["filters"] ?? {}).length ? ", filtered" : "") }}',
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
	};

	methods = { credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return this.getMode() === 'manual' ? await fetchTestEvent(this) : await pollCharges(this);
	}
}
