import type { AxiosInstance } from 'axios';
import axios from 'axios';
import { parse } from 'flatted';
import type { IRunData, IWorkflowBase } from 'n8n-workflow';
import { delay, HttpAgent } from '../node';
import { until } from '../until';

/** The local account that owns the n8n of `npm start` and of the tests. */
export const owner = {
	email: 'owner@n8n.example',
	password: 'Invoices-2026',
	firstName: 'Local',
	lastName: 'Owner',
};

/** An execution as n8n stored it. */
export interface StoredExecution {
	id: string;
	status: string;
	workflowId: string;
	/** What every node gave, and the error that ended the execution. */
	data: { resultData: { runData: IRunData; error?: { message: string; description?: string } } };
}

export type WorkflowFile = Pick<
	IWorkflowBase,
	'name' | 'nodes' | 'connections' | 'settings' | 'pinData'
> & { id: string };

export interface CredentialData {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** n8n's REST API, as the editor uses it. Every method throws an Error that names the request and n8n's own words. */
export class N8nApi {
	private readonly http: AxiosInstance;
	/** What n8n 1 calls the workflows that were created under an id. */
	private readonly ids = new Map<string, string>();

	constructor(url: string) {
		// n8n ties a session to the browser that began it.
		const headers = { 'browser-id': 'host' };
		this.http = axios.create({
			baseURL: `${url}/rest`,
			timeout: 60_000,
			headers,
			// A busy n8n closes idle connections just when they are used again.
			httpAgent: new HttpAgent({ keepAlive: false }),
			proxy: false,
			validateStatus: () => true,
		});
	}

	/** Goes on with the same n8n at another address. */
	moveTo(url: string): void {
		this.http.defaults.baseURL = `${url}/rest`;
	}

	/** Creates the owner on a new n8n, and signs in. n8n answers a little before it takes sign-ins: tried for a while. */
	async signIn(): Promise<void> {
		await this.try('post', '/owner/setup', owner);
		const deadline = Date.now() + 30_000;
		for (;;) {
			const response = await this.try('post', '/login', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
			const cookies = response.headers['set-cookie'] as string[] | undefined;
			if (response.status === 200 && cookies) {
				this.http.defaults.headers.common.Cookie = cookies
					.map((cookie) => cookie.split(';')[0])
					.join('; ');
				return;
			}
			if (Date.now() > deadline) {
				throw new Error(
					`n8n did not let ${owner.email} in: ${words(response.data)}. If the password was changed, delete the folder of this n8n to start afresh`,
				);
			}
			await delay(500);
		}
	}

	/** Creates the credential, or replaces what it holds. Returns its id. */
	async saveCredential({ name, type, data }: Omit<CredentialData, 'id'>): Promise<string> {
		const all = await this.call<Array<{ id: string; name: string }>>('get', '/credentials');
		const known = all.find((one) => one.name === name);
		const body = { name, type, data };
		if (!known) return (await this.call<{ id: string }>('post', '/credentials', body)).id;
		await this.call('patch', `/credentials/${known.id}`, body);
		return known.id;
	}

	/** What n8n's "Test" of a credential says. */
	async testCredential(credentials: CredentialData): Promise<{ status: string; message: string }> {
		return await this.call('post', '/credentials/test', { credentials });
	}

	/** The id that n8n knows a workflow by: n8n 1 gives each one of its own. */
	idOf(workflowId: string): string {
		return this.ids.get(workflowId) ?? workflowId;
	}

	/** Creates the workflow under its own id, or puts the one with that id back to what is given. Returns n8n's id of it. */
	async saveWorkflow(workflow: WorkflowFile): Promise<string> {
		const path = `/workflows/${this.idOf(workflow.id)}`;
		const known = await this.try('get', path);
		const { id, ...body } = workflow;
		if (known.status === 200) {
			const { data } = known.data as { data: { versionId: string; isArchived?: boolean } };
			if (data.isArchived) await this.call('post', `${path}/unarchive`);
			const { versionId } = data;
			await this.call('patch', `${path}?forceSave=true`, { ...body, versionId });
		} else {
			// n8n 1 wants to be told that it is not active yet.
			const created = { ...workflow, active: false };
			this.ids.set(id, (await this.call<{ id: string }>('post', '/workflows', created)).id);
		}
		return this.idOf(id);
	}

	/** Runs a workflow as "Execute workflow" does, from the named trigger, and waits until it has ended. */
	async run(workflowId: string, trigger: string): Promise<StoredExecution> {
		return await this.ended(await this.start(workflowId, trigger));
	}

	/** Begins to run a workflow from the named trigger. Returns the id of the execution. */
	async start(workflowId: string, trigger: string): Promise<string> {
		const path = `/workflows/${this.idOf(workflowId)}`;
		// n8n 1 runs what it is sent, n8n 2 what is saved.
		const workflowData = await this.call('get', path);
		const body = { workflowData, triggerToStartFrom: { name: trigger } };
		return (await this.call<{ executionId: string }>('post', `${path}/run`, body)).executionId;
	}

	/** Publishes the workflow as it is saved, so that its trigger starts it. */
	async activate(workflowId: string): Promise<void> {
		const path = `/workflows/${this.idOf(workflowId)}`;
		const { versionId } = await this.call<{ versionId: string }>('get', path);
		await this.call('post', `${path}/activate`, { versionId });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.call('post', `/workflows/${this.idOf(workflowId)}/deactivate`, {});
	}

	/** The statuses of a workflow's last hundred executions, without their data. */
	async statusesOf(workflowId: string): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: this.idOf(workflowId) }));
		const path = `/executions?limit=100&filter=${filter}`;
		return (await this.call<{ results: Array<{ id: string; status: string }> }>('get', path))
			.results;
	}

	/** The executions of a workflow that have ended, oldest first. */
	async executionsOf(workflowId: string): Promise<StoredExecution[]> {
		const results = await this.statusesOf(workflowId);
		const ended = results.filter(({ status }) => ['success', 'error', 'crashed'].includes(status));
		const ids = ended.map(({ id }) => Number(id)).sort((a, b) => a - b);
		return await Promise.all(ids.map(async (id) => await this.ended(String(id))));
	}

	/** Cancels an execution, as the editor's stop button does. */
	async stop(executionId: string): Promise<void> {
		await this.call('post', `/executions/${executionId}/stop`);
	}

	/** Waits until an execution has ended. */
	async ended(executionId: string): Promise<StoredExecution> {
		let status = 'unknown';
		const look = async () => {
			const execution = await this.execution(executionId);
			status = execution.status;
			if (['new', 'running', 'waiting'].includes(status)) return false;
			// n8n 1 says how it ended a little before it stores what came out.
			const isStored = (execution.data as unknown) !== undefined || status === 'crashed';
			return isStored && execution;
		};
		return await until(look, () => `Execution ${executionId} was still ${status}`, 150);
	}

	async execution(id: string): Promise<StoredExecution> {
		const stored = await this.call<Omit<StoredExecution, 'data'> & { data: string }>(
			'get',
			`/executions/${id}`,
		);
		return { ...stored, data: parse(stored.data) as StoredExecution['data'] };
	}

	/** Anything else of the REST API. */
	async call<T = unknown>(
		method: 'get' | 'post' | 'patch' | 'delete',
		path: string,
		body?: unknown,
	): Promise<T> {
		const response = await this.try(method, path, body);
		if (response.status >= 400) {
			throw new Error(
				`n8n refused ${method.toUpperCase()} ${path} (${response.status}): ${words(response.data)}`,
			);
		}
		return (response.data as { data: T }).data;
	}

	/** As {@link call}, with whatever status n8n answers. */
	async try(method: string, path: string, body?: unknown) {
		const deadline = Date.now() + 60_000;
		for (;;) {
			const response = await this.http.request<unknown>({ method, url: path, data: body });
			// On a busy machine n8n 1 takes its database for gone, and refuses everything for a moment.
			const isBusy = response.status === 503 && words(response.data).startsWith('Database is not');
			if (!isBusy || Date.now() > deadline) return response;
			await delay(500);
		}
	}
}

function words(body: unknown): string {
	const { message } = (body ?? {}) as { message?: string };
	return message ?? JSON.stringify(body).slice(0, 300);
}
