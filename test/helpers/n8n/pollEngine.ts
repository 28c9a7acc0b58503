import { PollContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	NodeApiError,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { InvoicingPaymentsTrigger } from '../../../index';
import { OneCredential } from './credentials';

const node = new InvoicingPaymentsTrigger();
const nodeTypes: INodeTypes = {
	getByName: () => node as INodeType,
	getByNameAndVersion: () => node as INodeType,
	getKnownTypes: () => ({}),
};

interface TriggerOptions {
	credential: ICredentialDataDecryptedObject;
	parameters?: INodeParameters;
	name?: string;
	id?: string;
}

/** The data that n8n keeps between registrations of a workflow. */
export interface Kept {
	/** Static data of the workflow in the database. */
	staticData: IDataObject;
	/** The durable cursor of the node. */
	durable?: IDataObject;
}

let workflows = 0;

/** A workflow with the trigger. n8n polls it with one context for all polls, or with a new one for each scheduled poll. */
export class ActiveTrigger {
	private readonly workflow: Workflow;
	private readonly node: INode;
	private readonly context: PollContext;

	constructor(
		private readonly options: TriggerOptions,
		readonly kept: Kept = { staticData: {} },
		private readonly workflowId = `w${(workflows += 1)}`,
		private readonly activation: WorkflowActivateMode = 'activate',
		workflow?: Workflow,
	) {
		const { name = 'Trigger', id = 'trigger-id', parameters = {} } = options;
		const trigger: INode = {
			id,
			name,
			type: 'n8n-nodes-invoicing-payments.invoicingPaymentsTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { invoicingPaymentsApi: { id: '1', name: 'Test' } },
		};
		const own = new Workflow({
			id: workflowId,
			name: 'Test',
			nodes: [trigger],
			connections: {},
			active: true,
			nodeTypes,
			settings: { timezone: 'Europe/Stockholm' },
			staticData: JSON.parse(JSON.stringify(kept.staticData)) as IDataObject,
		});
		this.workflow = workflow ?? own;
		this.workflow.nodes[name] = trigger;
		this.node = own.nodes[name];
		this.context = this.newContext('trigger', activation);
	}

	/** The poll at activation. Static data is always saved after it. */
	async activate(): Promise<IDataObject[] | null> {
		try {
			return jsonOf(await node.poll.call(this.context));
		} finally {
			this.save();
		}
	}

	/** A later poll. Static data is only saved if it gives charges and n8n keeps them. */
	async poll(isKept = true): Promise<IDataObject[] | null> {
		const items = await node.poll.call(this.context);
		if (isKept && items) this.save();
		return jsonOf(items);
	}

	/** The poll at activation with durable cursors. Its cursor is not kept without charges. */
	async activateDurably(): Promise<IDataObject[] | null> {
		const data = this.readCursor();
		try {
			const items = await node.poll.call(
				this.newContext('trigger', this.activation, { data, budget: 300_000 }),
			);
			if (items) this.kept.durable = data;
			return jsonOf(items);
		} finally {
			this.save();
		}
	}

	/**
	 * A scheduled poll with durable cursors and a new workflow object. n8n keeps cursor and charges together, and nothing after an error.
	 * `cursor`: the one that n8n read before the poll.
	 */
	async pollDurably({ cursor: data = this.readCursor(), isKept = true } = {}): Promise<
		IDataObject[] | null
	> {
		const read = JSON.stringify(data);
		const own = this.again();
		const context = own.newContext('trigger', 'update', { data, budget: 36_000 });
		const items = await node.poll.call(context);
		if (isKept && JSON.stringify(data) !== read) this.kept.durable = data;
		// Static data is saved even if n8n drops the poll.
		if (items) own.save();
		return jsonOf(items);
	}

	/** A scheduled poll without durable cursors. Static data is read before it, and saved if it gives charges. */
	async pollScheduled(isKept = true, budget = 36_000): Promise<IDataObject[] | null> {
		const own = this.again();
		const items = await node.poll.call(own.newContext('trigger', 'update', { budget }));
		if (isKept && items) own.save();
		return jsonOf(items);
	}

	/** The cursor that n8n reads before a poll. */
	readCursor(): IDataObject {
		const seed = this.kept.durable ?? this.again().workflow.getStaticData('node', this.node);
		return JSON.parse(JSON.stringify(seed)) as IDataObject;
	}

	/** "Fetch Test Event". */
	async show(): Promise<IDataObject[] | null> {
		return jsonOf(await node.poll.call(this.newContext('manual', 'manual')));
	}

	/** The same workflow after an edit or a restart of n8n, or a trigger that is published later than this one. */
	again(change: Partial<TriggerOptions> = {}, activation: WorkflowActivateMode = 'update') {
		return new ActiveTrigger(
			{ ...this.options, ...change },
			this.kept,
			this.workflowId,
			activation,
		);
	}

	/** The same workflow in a new process of n8n, which knows only what was saved. Another ID does that: nothing is known of it. */
	restarted(): ActiveTrigger {
		const kept = JSON.parse(JSON.stringify(this.kept)) as Kept;
		return new ActiveTrigger(this.options, kept, undefined, 'init');
	}

	/** Another trigger of the same workflow that is published together with this one. */
	beside(change: Partial<TriggerOptions>) {
		return new ActiveTrigger(
			{ ...this.options, ...change },
			this.kept,
			this.workflowId,
			this.activation,
			this.workflow,
		);
	}

	private save(): void {
		this.kept.staticData = JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	private newContext(
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
		scheduled?: { data?: IDataObject; budget: number },
	): PollContext {
		const additionalData = {
			credentialsHelper: new OneCredential(this.options.credential),
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
		const fixed = [this.workflow, this.node, additionalData, mode, activation] as const;
		if (!scheduled) return new PollContext(...fixed);
		const { data, budget } = scheduled;
		const unused = undefined;
		return new PollContext(
			...fixed,
			unused,
			unused,
			unused,
			unused,
			data && (() => data),
			() => budget,
		);
	}
}

const jsonOf = (items: INodeExecutionData[][] | null) => items && items[0].map(({ json }) => json);

/** The IDs of the results of a poll; `undefined` if it starts nothing. */
export const idsOf = (items: IDataObject[] | null) => items?.map(({ id }) => id);

/** The error of a poll. */
export const errorOf = async (poll: Promise<unknown>) =>
	(await poll.catch((thrown: Error) => thrown)) as NodeApiError;
