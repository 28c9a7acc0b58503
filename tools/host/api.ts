import type { AxiosInstance } from 'axios';
import axios from 'axios';
import { parse } from 'flatted';
import type { IRunData, IWorkflowBase } from 'n8n-workflow';
import { delay, HttpAgent } from '../node';
import { until } from '../until';

/** The owner account of `npm start` and the tests. */
export const owner = {
	email: 'owner@n8n.example',
	password: 'Invoices-2026',
	firstName: 'Local',
	lastName: 'Owner',
};

export interface StoredExecution {
	id: string;
	status: string;
	workflowId: string;
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

interface Publication {
	data: { status: string };
}

/** n8n's REST API, as the editor uses it. Every method throws an Error with the request and n8n's message. */
export class N8nApi {
	private readonly http: AxiosInstance;
	/** IDs in n8n 1, which assigns its own, by ours. */
	private readonly ids = new Map<string, string>();

	constructor(url: string) {
		// n8n binds a session to a browser.
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

	setUrl(url: string): void {
		this.http.defaults.baseURL = `${url}/rest`;
	}

	/** Creates the owner on a new n8n. Retries, because n8n responds before it accepts sign-ins. */
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

	/** Creates or replaces the credential. Returns its ID. */
	async saveCredential({ name, type, data }: Omit<CredentialData, 'id'>): Promise<string> {
		const all = await this.call<Array<{ id: string; name: string }>>('get', '/credentials');
		const known = all.find((one) => one.name === name);
		const body = { name, type, data };
		if (!known) return (await this.call<{ id: string }>('post', '/credentials', body)).id;
		await this.call('patch', `/credentials/${known.id}`, body);
		return known.id;
	}

	async testCredential(credentials: CredentialData): Promise<{ status: string; message: string }> {
		return await this.call('post', '/credentials/test', { credentials });
	}

	idOf(workflowId: string): string {
		return this.ids.get(workflowId) ?? workflowId;
	}

	/** Creates or replaces the workflow. Returns n8n's ID. */
	async saveWorkflow(workflow: WorkflowFile): Promise<string> {
		const path = `/workflows/${this.idOf(workflow.id)}`;
		const known = await this.try('get', path);
		// If the pinned data is null, n8n's editor cannot execute a step twice.
		const { id, ...body } = { pinData: {}, ...workflow };
		if (known.status === 200) {
			const { data } = known.data as { data: { versionId: string; isArchived?: boolean } };
			if (data.isArchived) await this.call('post', `${path}/unarchive`);
			const { versionId } = data;
			await this.call('patch', `${path}?forceSave=true`, { ...body, versionId });
		} else {
			// n8n 1 requires `active`.
			const created = { id, ...body, active: false };
			this.ids.set(id, (await this.call<{ id: string }>('post', '/workflows', created)).id);
		}
		return this.idOf(id);
	}

	/** Runs a workflow from this trigger until it ends, like "Execute workflow". */
	async run(workflowId: string, trigger: string): Promise<StoredExecution> {
		return await this.ended(await this.start(workflowId, trigger));
	}

	/** Returns the execution's ID. */
	async start(workflowId: string, trigger: string): Promise<string> {
		const path = `/workflows/${this.idOf(workflowId)}`;
		// n8n 1 runs what it is sent, n8n 2 what is saved.
		const workflowData = await this.call('get', path);
		const body = { workflowData, triggerToStartFrom: { name: trigger } };
		return (await this.call<{ executionId: string }>('post', `${path}/run`, body)).executionId;
	}

	/** Publishes the workflow, and waits until its triggers are set up, which n8n 2 does a little later than it says. */
	async activate(workflowId: string): Promise<void> {
		const path = `/workflows/${this.idOf(workflowId)}`;
		const { versionId } = await this.call<{ versionId: string }>('get', path);
		await this.call('post', `${path}/activate`, { versionId });
		const isDone = async () => {
			const { status, data } = await this.try('get', `${path}/publication-status`);
			// n8n 1, and n8n 2 without its publication service, are done when they answer.
			return status !== 200 || (data as Publication).data.status !== 'in_progress';
		};
		await until(isDone, () => `n8n does not publish ${workflowId}`);
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.call('post', `/workflows/${this.idOf(workflowId)}/deactivate`, {});
	}

	/** Statuses of the last hundred executions, without data. */
	async statusesOf(workflowId: string): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: this.idOf(workflowId) }));
		const path = `/executions?limit=100&filter=${filter}`;
		return (await this.call<{ results: Array<{ id: string; status: string }> }>('get', path))
			.results;
	}

	/** Ended executions, oldest first. Adds them to `known`, and does not read those again: they stay as they are. */
	async executionsOf(
		workflowId: string,
		known: Map<number, StoredExecution>,
	): Promise<StoredExecution[]> {
		const results = await this.statusesOf(workflowId);
		const ended = results.filter(({ status }) => ['success', 'error', 'crashed'].includes(status));
		const ids = ended.map(({ id }) => Number(id)).sort((a, b) => a - b);
		const read = async (id: number) => {
			const execution = known.get(id) ?? (await this.ended(String(id)));
			// n8n stores the data of a crashed one later.
			if (execution.status !== 'crashed') known.set(id, execution);
			return execution;
		};
		return await Promise.all(ids.map(read));
	}

	async stop(executionId: string): Promise<void> {
		await this.call('post', `/executions/${executionId}/stop`);
	}

	async ended(executionId: string): Promise<StoredExecution> {
		let status = 'unknown';
		const look = async () => {
			const execution = await this.execution(executionId);
			status = execution.status;
			if (['new', 'running', 'waiting'].includes(status)) return false;
			// n8n 1 sets the status shortly before it stores the data.
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

	/** Like {@link call}, but returns any status. */
	async try(method: string, path: string, body?: unknown) {
		const deadline = Date.now() + 60_000;
		for (;;) {
			const response = await this.http.request<unknown>({ method, url: path, data: body });
			const { status, data } = response;
			// A busy n8n 1 may consider its database lost for a moment, and refuse everything.
			const isLost = status === 503 && words(data).startsWith('Database is not');
			// A busy n8n 2 may wait too long for a connection to its database.
			const isLate =
				status === 500 && method === 'get' && words(data).includes('timeout exceeded when trying');
			if (!(isLost || isLate) || Date.now() > deadline) return response;
			await delay(500);
		}
	}
}

function words(body: unknown): string {
	const { message } = (body ?? {}) as { message?: string };
	return message ?? JSON.stringify(body).slice(0, 300);
}
