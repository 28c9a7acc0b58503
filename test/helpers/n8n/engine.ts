import {
	ExecuteContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	SupplyDataContext,
	WorkflowExecute,
} from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	NodeApiError,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import { InvoicingPayments } from '../../../index';
import { beforeEachJump, letN8nWait } from './clock';
import { OneCredential } from './credentials';

const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'n8n-nodes-base.manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Gives the pinned items',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute: async () => [[]],
};

const node = new InvoicingPayments();

/** The node as n8n offers it to agents. */
const asTool: INodeType = Object.create(node, {
	description: { value: { ...node.description, name: `${node.description.name}Tool` } },
}) as INodeType;

const byName: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-invoicing-payments.invoicingPayments': node,
	'n8n-nodes-invoicing-payments.invoicingPaymentsTool': asTool,
};
const nodeTypes: INodeTypes = {
	getByName: (name) => byName[name],
	getByNameAndVersion: (name) => byName[name],
	getKnownTypes: () => ({}),
};

export interface RunOptions {
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	/** Input items; one empty item unless given. */
	items?: IDataObject[];
	timezone?: string;
	/** Settings of the node, e.g. `onError`. */
	node?: Partial<INode>;
	/** Decides the order in which items with invoice numbers begin. */
	executionId?: string;
	/** The execution is cancelled as soon as this is true. */
	cancelWhen?: () => boolean;
}

export interface RunResult {
	/** The items of the first output. */
	items: INodeExecutionData[];
	json: IDataObject[];
	/** The items of the error output, if the node has one. */
	errorItems: INodeExecutionData[];
	/** The execution hints, one per line. */
	hints: string[];
	/** The error that ended the node. */
	error?: NodeApiError;
	/** All data of the run that n8n stores, as text. */
	stored: string;
}

/** A workflow with a trigger and the node, and the additional data that n8n-core needs. */
function prepare(options: RunOptions) {
	const { credential, parameters, timezone = 'Europe/Stockholm' } = options;
	const nodes: INode[] = [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'node',
			name: 'Node',
			type: 'n8n-nodes-invoicing-payments.invoicingPayments',
			typeVersion: 1,
			position: [200, 0],
			parameters,
			credentials: { invoicingPaymentsApi: { id: '1', name: 'Test' } },
			...options.node,
		},
	];
	const connections: IConnections = {
		Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
	};
	const settings = { timezone, executionOrder: 'v1' } as const;
	const workflow = new Workflow({
		id: 'w',
		name: 'Test',
		nodes,
		connections,
		active: false,
		nodeTypes,
		settings,
	});
	const workflowData = { id: 'w', name: 'Test', nodes, connections, settings } as IWorkflowBase;
	const additionalData = {
		credentialsHelper: new OneCredential(credential),
		currentNodeExecutionIndex: 0,
		restApiUrl: '',
		instanceBaseUrl: '',
		formBaseUrl: '',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		formTestBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: '',
		mcpBaseUrl: '',
		mcpTestBaseUrl: '',
		variables: {},
		executionId: options.executionId,
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
	} as unknown as IWorkflowExecuteAdditionalData;
	return { workflow, additionalData };
}

/** Runs the node behind a trigger that gives `items`, with n8n-core's WorkflowExecute. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { items = [{}] } = options;
	const { workflow, additionalData } = prepare(options);
	const stopWaiting = options.node?.retryOnFail ? letN8nWait() : undefined;
	const running = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Start') as INode,
		pinData: { Start: items.map((json) => ({ json })) },
	});
	const { cancelWhen } = options;
	const look = () => void (cancelWhen?.() && running.cancel());
	const stopLooking = cancelWhen && beforeEachJump(look);
	const run = await running.finally(() => {
		stopLooking?.();
		stopWaiting?.();
	});
	const ran = run.data.resultData.runData.Node?.[0];
	const [main = [], errors = []] = ran?.data?.main ?? [];
	return {
		items: main ?? [],
		json: (main ?? []).map(({ json }) => json),
		errorItems: errors ?? [],
		hints: (ran?.hints ?? []).flatMap(({ message }) => message.split('<br>')),
		error: (ran?.error ?? run.data.resultData.error) as NodeApiError | undefined,
		stored: JSON.stringify([run.data.resultData, ran?.error?.cause, ran?.error?.context]),
	};
}

/** n8n-core's context for one run of the node, without the execution of a workflow. */
export function contextOf(options: RunOptions): ExecuteContext {
	const { items = [{}] } = options;
	const { workflow, additionalData } = prepare(options);
	const input = items.map((json) => ({ json }));
	const own = workflow.getNode('Node') as INode;
	return new ExecuteContext(
		workflow,
		own,
		additionalData,
		'manual',
		createEmptyRunExecutionData(),
		0,
		input,
		{ main: [input] },
		{ node: own, data: { main: [input] }, source: null },
		[],
	);
}

/** Runs only the node's `execute` in n8n-core's context, which is ten times faster than `runNode`. */
export async function executeNode(options: RunOptions): Promise<IDataObject[]> {
	return (await executeItems(options)).map(({ json }) => json);
}

/** The same with whole items, before n8n distributes them to the outputs. */
export async function executeItems(options: RunOptions): Promise<INodeExecutionData[]> {
	const [results] = await node.execute.call(contextOf(options) as IExecuteFunctions);
	return results;
}

/** The name of a list for a resource locator. */
export type ListedIn = keyof typeof node.methods.listSearch;

/** The entries of such a list, in n8n-core's context. */
export async function listIn(
	method: ListedIn,
	credential: ICredentialDataDecryptedObject,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { workflow, additionalData } = prepare({ credential, parameters: {} });
	const tool = workflow.getNode('Node') as INode;
	const context = new LoadOptionsContext(workflow, tool, additionalData, 'parameters.x');
	const list: (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	) => Promise<INodeListSearchResult> = node.methods.listSearch[method];
	return await list.call(context as ILoadOptionsFunctions, filter, paginationToken);
}

/**
 * Calls nodes simultaneously, as an AI agent calls its tools. Each call has one item, but the execute data of the agent, which has three
 * items. Gives the items or the error of each call.
 */
export async function callAsTools(tools: RunOptions[]): Promise<Array<IDataObject[] | Error>> {
	const data = { main: [[{ json: {} }, { json: {} }, { json: {} }]] };
	const agent = prepare(tools[0]).workflow.getNode('Start') as INode;
	const executeData = { node: agent, data, source: null };
	const runExecutionData = createEmptyRunExecutionData();
	return await Promise.all(
		tools.map(async (options) => {
			const { workflow, additionalData } = prepare(options);
			const tool = workflow.getNode('Node') as INode;
			const contextOf = (runIndex: number) =>
				new SupplyDataContext(
					workflow,
					tool,
					additionalData,
					'manual',
					runExecutionData,
					runIndex,
					[],
					{},
					'ai_tool',
					executeData,
					[],
				);
			const call = makeHandleToolInvocation(contextOf, tool, node, runExecutionData);
			return await call({ asked: 'by the agent' }).then(
				(response) => JSON.parse(String(response)) as IDataObject[],
				(error: Error) => error,
			);
		}),
	);
}
