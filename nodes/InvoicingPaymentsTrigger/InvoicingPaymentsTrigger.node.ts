import type {
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { cardDataHint, sensitiveOutputFields } from '../shared/descriptions/output';
import { testCredential } from '../shared/methods/testCredential';
import { getChargeStatuses, getCustomers } from '../shared/methods/listSearch';
import { triggerFields } from './description';
import { events } from './events';
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
		subtitle: subtitle(),
		// n8n shows this text for both nodes.
		description:
			'Create and find invoices, look up payments, and start the workflow when an invoice is paid or overdue or a charge is made',
		defaults: { name: 'Invoicing and Payments Trigger' },
		polling: true,
		eventTriggerDescription: '',
		activationMessage:
			'What happens from now on will trigger this workflow. What happens while n8n is offline is picked up when n8n is back.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'invoicingPaymentsApi', required: true, testedBy: 'testCredential' }],
		properties: triggerFields as INodeProperties[],
		hints: [cardDataHint],
		sensitiveOutputFields,
		builderHint: {
			searchHint:
				"Starts the workflow when an invoice is paid, becomes overdue, is cancelled or created, when a charge (payment) is made or gets a status such as refunded, and when a team member is added or joins: each once, all of one poll as one execution. An execution can be run again (Retry), and charges be delivered again (Start With: since), so make what follows safe to repeat, by the id. A charge is not always a payment that went through: use invoicePaid, or filter charges by status. Before anything has happened, 'Fetch Test Event' gives a sample.",
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

/** An expression: n8n shows event, status and filters below the node's name. */
function subtitle(): string {
	const names = JSON.stringify(Object.fromEntries(events.map(({ name, value }) => [value, name])));
	const event = '$parameter["event"]';
	const status = '$parameter["status"]';
	const filters = 'Object.values($parameter["filters"] ?? {})';
	const shown = '(one) => one?.cachedResultName ?? one?.value ?? one';
	return `={{ [(${names})[${event}], ${event} === "chargeStatus" ? ${status} : "", ...${filters}].map(${shown}).filter((text) => text !== "" && text !== undefined).join(", ") }}`;
}
