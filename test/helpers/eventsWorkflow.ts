import type { INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../host/api';

const refunded = { __rl: true, mode: 'name', value: 'refunded' };

/** A trigger for each event, by the name of its node. */
export const eventTriggers: Record<string, INodeParameters> = {
	Paid: { event: 'invoicePaid' },
	Overdue: { event: 'invoiceOverdue' },
	Cancelled: { event: 'invoiceCancelled' },
	'New invoice': { event: 'newInvoice' },
	Refunded: { event: 'chargeStatus', status: refunded },
	Joined: { event: 'memberJoined' },
	Charge: { event: 'newCharge' },
};
export const eventNames = Object.keys(eventTriggers);

/** A workflow with one trigger becomes one with all of these, each with a node of its own behind it. */
export function eventsWorkflow(one: WorkflowFile): WorkflowFile {
	const [trigger, end] = one.nodes;
	const { pollTimes } = trigger.parameters;
	return {
		...one,
		nodes: eventNames.flatMap((name, at) => [
			{
				...trigger,
				id: `trigger-${at}`,
				name,
				parameters: { ...eventTriggers[name], pollTimes },
				position: [0, at * 200] as [number, number],
			},
			{
				...end,
				id: `end-${at}`,
				name: `Got ${name}`,
				position: [200, at * 200] as [number, number],
			},
		]),
		connections: Object.fromEntries(
			eventNames.map((name) => [
				name,
				{ main: [[{ node: `Got ${name}`, type: 'main' as const, index: 0 }]] },
			]),
		),
	};
}
