import type { INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../../tools/host/api';
import type { SharedStage } from '../../../tools/host/stage';
import { ourNode, workflowOf } from '../../../tools/host/workflowOf';
import { coming } from '../sheets/coming';
import { confirmedReading, fromRowsParameters } from '../sheets/fromRows';

export const numbersOf = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, row) => `${prefix}-${row}`);

/** A workflow that bills a sheet with these invoice numbers. `change`: other parameters of its node "Node". */
export function sheetWorkflow(
	stage: SharedStage,
	id: string,
	numbers: string[],
	change: INodeParameters = {},
): WorkflowFile {
	const customer = stage.simulator.world.account.customers[0].id;
	const rows = numbers.map((number, index) => ({
		'Invoice Number': number,
		'Customer ID': customer,
		Item: 'Consulting',
		Amount: `${index}.25`,
		Currency: 'EUR',
		'Due Date': coming('01-15'),
	}));
	const confirmed = confirmedReading(
		'Invoice Number = Invoice Number (text); Customer = Customer ID (id); Item Name = Item (text); Unit Price = Amount (number; 0.25 to 10000); Currency = Currency (text); Due Date = Due Date (date; 366 days apart; within 366 days); one invoice per Invoice Number; items repeat',
	);
	const node = ourNode(stage, fromRowsParameters({ ...confirmed, ...change }));
	return { ...workflowOf(rows, node), id, name: id };
}

/** The same, when its webhook is called. Its path is the ID. */
export function sheetByWebhook(
	stage: SharedStage,
	id: string,
	numbers: string[],
	options: INodeParameters = {},
): WorkflowFile {
	const { nodes, ...workflow } = sheetWorkflow(stage, id, numbers, { options });
	const [start, ...others] = nodes;
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: id,
		parameters: { httpMethod: 'POST', path: id, options: {} },
	};
	return { ...workflow, nodes: [{ ...start, ...webhook }, ...others] };
}
