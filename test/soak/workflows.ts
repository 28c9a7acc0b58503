import type { WorkflowFile } from '../../tools/host/api';
import type { SharedStage } from '../../tools/host/stage';
import { triggerWorkflow } from '../../tools/host/workflowOf';
import { eventNames, eventsWorkflow } from '../helpers/eventsWorkflow';

/** The ledger's name of the trigger whose filters change, whatever its node is called. */
export const filtered = 'Filtered charge';
/** No other trigger asks for pages of this size: so the service knows who asks. */
export const filteredPageSize = 50;

export const eventsId = 'soakEvents';
export const filteredId = 'soakFiltered';

/** The workflow with a trigger for each event, polled every six seconds. */
export const soakEvents = (stage: SharedStage): WorkflowFile => ({
	...eventsWorkflow(triggerWorkflow(stage, {}, { everySeconds: 6 })),
	id: eventsId,
	name: 'Soak: every event',
});

/** The workflow with one trigger for charges of a currency, polled every three seconds, a hundred charges at most at once. */
export function filteredWorkflow(
	stage: SharedStage,
	name: string,
	currency: string | undefined,
): WorkflowFile {
	const parameters = {
		filters: currency === undefined ? {} : { currency },
		options: { pageSize: filteredPageSize, maxPerRun: 100 },
	};
	return {
		...triggerWorkflow(stage, parameters, { name, everySeconds: 3 }),
		id: filteredId,
		name: 'Soak: charges of a currency',
	};
}

/** The ledger's name of what starts a workflow; `undefined` for all other nodes. */
export function triggerOf(workflowId: string, node: string): string | undefined {
	if (workflowId === filteredId) return node.startsWith('Got') ? undefined : filtered;
	return workflowId === eventsId && eventNames.includes(node) ? node : undefined;
}
