import type { INodeParameters } from 'n8n-workflow';
import type { StoredExecution } from '../../../tools/host/api';
import { ownId } from '../../../tools/host/sharedN8n';
import { triggerWorkflow } from '../../../tools/host/workflowOf';
import { delay } from '../../../tools/node';
import { until } from '../../../tools/until';
import { startOf } from './startOf';
import type { SharedStage } from '../../../tools/host/stage';
import type { World } from '../../../simulator/world';

/** A workflow with the trigger in a real n8n, with the actions and results of a test. */
export type Trial<Opened extends SharedStage = SharedStage> = ReturnType<typeof trialIn<Opened>>;

let trials = 0;

export function trialIn<Opened extends SharedStage>(n8n: {
	readonly stage: Opened;
	world(): World;
}) {
	const { world } = n8n;
	trials += 1;
	/** Unique, because n8n removes the triggers of a deleted workflow late. */
	const workflowId = `${ownId('triggerWorkflow')}-${trials}`;

	/** Adds charges as if customers had paid just now. Gives their IDs. */
	const pay = (count = 1, change: object = {}): string[] =>
		Array.from({ length: count }, () => world().account.addCharge(change, Date.now()).id as string);
	const workflow = (
		parameters: INodeParameters = {},
		change?: Parameters<typeof triggerWorkflow>[2],
	) => ({ ...triggerWorkflow(n8n.stage, parameters, change), id: workflowId });
	const save = async (...given: Parameters<typeof workflow>) =>
		await n8n.stage.api.saveWorkflow(workflow(...given));
	const known = new Map<number, StoredExecution>();
	const executions = async () => await n8n.stage.api.executionsOf(workflowId, known);
	/** The IDs of the charges that started the workflow, in order. */
	const idsOf = (all: StoredExecution[]): string[] =>
		all.flatMap(({ data }) => startOf(data)?.ids ?? []);
	const polls = () => world().traffic.requests.length;
	const afterPolls = async (count: number) => {
		const wanted = polls() + count;
		await until(
			() => polls() >= wanted,
			() => `No ${count} requests came`,
		);
	};
	const delivered = async (count: number): Promise<string[]> => {
		for (let waited = 0; ; waited += 500) {
			const ids = idsOf(await executions());
			if (ids.length >= count || waited > 240_000) return ids;
			await delay(500);
		}
	};
	const activate = async () => await n8n.stage.api.activate(workflowId);
	const deactivate = async () => await n8n.stage.api.deactivate(workflowId);
	const remove = async () => {
		await deactivate();
		const { api } = n8n.stage;
		const path = `/workflows/${api.idOf(workflowId)}`;
		// n8n refuses before the workflow is deactivated and archived.
		await until(
			async () => {
				await api.try('post', `${path}/archive`);
				return (await api.try('delete', path)).status < 400;
			},
			() => 'n8n does not delete the workflow',
			500,
		);
	};
	return {
		get stage() {
			return n8n.stage;
		},
		workflowId,
		world,
		pay,
		workflow,
		save,
		executions,
		idsOf,
		afterPolls,
		delivered,
		activate,
		deactivate,
		remove,
	};
}
