import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { N8nApi, StoredExecution, WorkflowFile } from './api';
import { ownId } from './sharedN8n';
import type { SharedStage } from './stage';

export type NodeUnderTest = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

export const ourNode = (
	{ credentialId }: SharedStage,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): NodeUnderTest => ({
	type: 'n8n-nodes-invoicing-payments.invoicingPayments',
	typeVersion: 1,
	parameters,
	credentials: { invoicingPaymentsApi: { id: credentialId, name: 'x' } },
	...settings,
});

/** A workflow that gives `items` to the node, which is called "Node". */
export function workflowOf(items: IDataObject[], node: NodeUnderTest): WorkflowFile {
	const base = { typeVersion: 1, position: [0, 0] as [number, number] };
	return {
		id: ownId('testWorkflow'),
		name: 'Test',
		nodes: [
			{ ...base, id: 'a', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{
				...base,
				id: 'b',
				name: 'Items',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify({ list: items }) },
			},
			{
				...base,
				id: 'c',
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'list', options: {} },
			},
			{ ...base, id: 'd', name: 'Node', ...node },
		],
		connections: {
			Start: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
			Items: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
			Split: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
	};
}

export async function runWorkflow(api: N8nApi, workflow: WorkflowFile): Promise<StoredExecution> {
	await api.saveWorkflow(workflow);
	return await api.run(workflow.id, 'Start');
}

/** Polled every few seconds. n8n's shortest schedule is a minute, so there are several. */
export function triggerWorkflow(
	{ credentialId }: SharedStage,
	parameters: INodeParameters = {},
	{ name = 'Trigger', everySeconds = 3 }: { name?: string; everySeconds?: number } = {},
): WorkflowFile {
	const seconds = Array.from(
		{ length: Math.floor(60 / everySeconds) },
		(_, at) => at * everySeconds,
	);
	const item = seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` }));
	return {
		id: ownId('triggerWorkflow'),
		name: 'Trigger test',
		nodes: [
			{
				id: 'trigger-node',
				name,
				type: 'n8n-nodes-invoicing-payments.invoicingPaymentsTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { ...parameters, pollTimes: { item } },
				credentials: { invoicingPaymentsApi: { id: credentialId, name: 'x' } },
			},
			{
				id: 'end',
				name: 'Got',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [name]: { main: [[{ node: 'Got', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
	};
}
