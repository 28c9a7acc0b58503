import type { INode } from 'n8n-workflow';
import type { StoredExecution, WorkflowFile } from '../../../tools/host/api';
import { ownId } from '../../../tools/host/sharedN8n';
import type { SharedStage } from '../../../tools/host/stage';
import { readExample, triggerOf } from '../../../tools/host/stage';
import { until } from '../../../tools/until';
import { useMailServer } from '../service/mailServer';
import { newKey } from '../service/useSimulator';

type Credentials = NonNullable<Parameters<typeof readExample>[2]>;

export const nodeOf = ({ nodes }: WorkflowFile, type: string): INode => {
	const found = nodes.find((node) => node.type.endsWith(type));
	if (!found) throw new Error(`The example has no ${type}`);
	return found;
};

export const outputOf = ({ data }: StoredExecution, node: string, output = 0) =>
	(data.resultData.runData[node]?.at(-1)?.data?.main[output] ?? []).map(({ json }) => json);

/**
 * Imports, runs and publishes examples, with a mail server. Call at the top level of a test file. `others`: the data of further
 * credentials of n8n's own nodes, by node.
 */
export function useExamples(
	n8n: { stage: SharedStage },
	others: () => Record<string, [type: string, data: object]>,
) {
	const mailServer = useMailServer();
	const credentials: Credentials = {};
	beforeAll(async () => {
		const data: ReturnType<typeof others> = {
			'n8n-nodes-base.emailSend': ['smtp', mailServer.credential()],
			...others(),
		};
		for (const [node, [type, own]] of Object.entries(data)) {
			const name = ownId(`Example ${type}`);
			credentials[node] = {
				type,
				id: await n8n.stage.api.saveCredential({ name, type, data: { ...own } }),
			};
		}
		credentials['n8n-nodes-base.emailSendHitlTool'] = credentials['n8n-nodes-base.emailSend'];
	}, 120_000);
	// The node remembers the created invoices of an account.
	beforeEach(async () => void (await n8n.stage.useKey(newKey())));

	/** An example with all credentials picked. */
	const example = (name: string): WorkflowFile => readExample(name, n8n.stage, credentials);

	/** Ends what a test has started. */
	const ends: Array<() => Promise<unknown>> = [];
	afterEach(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});

	/** Starts a workflow by hand. It ends, or waits for a person. */
	async function start(workflow: WorkflowFile): Promise<StoredExecution> {
		const { api } = n8n.stage;
		await api.saveWorkflow(workflow);
		const id = await api.start(workflow.id, triggerOf(workflow));
		const execution = await until(
			async () => {
				const stored = await api.execution(id);
				return !['new', 'running'].includes(stored.status) && stored;
			},
			() => `Execution ${id} has not ended`,
		);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(['success', 'waiting']).toContain(execution.status);
		return execution;
	}

	/** Runs an example by hand, without its pinned data unless it is given. */
	const runByHand = async (name: string, pinData: WorkflowFile['pinData'] = {}) =>
		await start({ ...example(name), pinData });

	/** Publishes an example until the test ends, and waits until its address responds. */
	async function publish(workflow: WorkflowFile, address?: string, method = 'GET'): Promise<void> {
		const { api } = n8n.stage;
		await api.saveWorkflow(workflow);
		await api.activate(workflow.id);
		ends.push(async () => await api.deactivate(workflow.id));
		if (address === undefined) return;
		await until(
			async () => (await fetch(address, { method })).status !== 404,
			() => `Nothing is at ${address}`,
		);
	}

	return { mailServer, ends, example, start, runByHand, publish };
}
