import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { comingStart, daysAfter, isoDay } from '../commands/samples';
import type { SharedStage } from '../host/stage';
import type { NodeUnderTest } from '../host/workflowOf';
import { ourNode } from '../host/workflowOf';
import { previewedAs } from '../previewed';

/** Sends as many requests at a time as it has items. */
function httpRequest(stage: SharedStage, parameters: INodeParameters): NodeUnderTest {
	const authentication = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'invoicingPaymentsApi',
	};
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { ...authentication, ...parameters },
		credentials: ourNode(stage, {}).credentials,
	};
}

export function rowsFor({ simulator }: SharedStage, count: number): IDataObject[] {
	const customer = simulator.world.account.customers[0].id;
	const dueDate = isoDay(daysAfter(comingStart(), 30));
	return Array.from({ length: count }, (_, index) => ({
		customer,
		currency: 'EUR',
		due_date: dueDate,
		invoice_number: `N-${index}`,
		item: 'Consulting',
		amount: `${index}.25`,
	}));
}

export function httpCreate(stage: SharedStage): NodeUnderTest {
	const body = {
		customer: '{{ $json.customer }}',
		currency: '{{ $json.currency }}',
		due_date: '{{ $json.due_date }}',
		invoice_number: '{{ $json.invoice_number }}',
		items: [{ name: '{{ $json.item }}', amount: '{{ $json.amount }}', quantity: 1 }],
	};
	return httpRequest(stage, {
		method: 'POST',
		url: `${stage.simulator.url}/v1/invoices`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `=${JSON.stringify(body)}`,
		options: {},
	});
}

/** Returns an item per page. */
export function httpGetAll(stage: SharedStage): NodeUnderTest {
	return httpRequest(stage, {
		url: `${stage.simulator.url}/v1/charges`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'page_size', value: '100' }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !$response.body.next }}',
				},
			},
		},
	});
}

export const getAll = (stage: SharedStage, change: INodeParameters = {}): NodeUnderTest =>
	ourNode(stage, { resource: 'charge', operation: 'getAll', returnAll: true, ...change });

const statements = {
	customerId: 'Customer = customer (id; email; text)',
	currency: 'Currency = currency (text)',
	dueDate: 'Due Date = due_date (date; 366 days apart; within 366 days)',
	invoiceNumber: 'Invoice Number = invoice_number (text)',
	itemName: 'Item Name = item (text)',
	itemAmount: 'Unit Price = amount (number; 0.01 to 100000)',
};

/** The reading that is confirmed for the rows. `mapped`: fields that are mapped by hand. */
const readingWithout = (mapped: object) => {
	const named = Object.entries(statements).filter(([field]) => !(field in mapped));
	const text = [...named.map(([, one]) => one), 'one invoice per Invoice Number'].join('; ');
	return { __rl: true, mode: 'text', value: previewedAs(text) } as never;
};

/** `value`: a manual mapping of the columns. */
export function fromRows(
	stage: SharedStage,
	value?: INodeParameters,
	change: INodeParameters = {},
): NodeUnderTest {
	const columns = { mappingMode: 'defineBelow', value } as never;
	return ourNode(stage, {
		resource: 'invoice',
		operation: 'createFromRows',
		previewOnly: false,
		reading: readingWithout(value ?? {}),
		...(value && { columnsMode: 'manual', columns }),
		options: { maxRequestsInFlight: 25 },
		...change,
	});
}
