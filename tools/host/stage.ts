import type { INode } from 'n8n-workflow';
import { fs, path, projectFolder, randomBytes } from '../node';
import { writeSheets } from '../commands/makeSpreadsheets';
import { comingStart } from '../commands/samples';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import type { CredentialData, WorkflowFile } from './api';
import { N8nApi } from './api';
import type { Log } from './install';
import { ensureHost } from './install';
import type { RunningN8n } from './n8n';
import { installPackage, packPackage, startN8n } from './n8n';
import { ownId, sharedN8n } from './sharedN8n';

/** A simulator and a real n8n with the package, the credential and the examples. */
export interface SharedStage {
	simulator: Simulator;
	n8n: Pick<RunningN8n, 'url' | 'logFile' | 'pid'>;
	api: N8nApi;
	credentialId: string;
	/** A copy of the examples' data with dates to come, which n8n may read and write. */
	filesFolder: string;
	/** The first day of their dates. It stays as it is if a new month begins meanwhile. */
	sheetsStart: Date;
	/** Starts over with a new account, of which the node remembers no invoices. */
	useKey(apiKey: string): Promise<string>;
	close(): Promise<void>;
}

export interface Stage extends SharedStage {
	n8n: RunningN8n;
	restart(): Promise<void>;
}

const examplesFolder = path.join(projectFolder, 'examples');
const dataFolder = path.join(examplesFolder, 'data');
/** The examples use the folder that n8n's Docker image may read. */
const dockerFolder = '/home/node/.n8n-files';
const credentialName = ownId('Invoicing and Payments account');

interface StageOptions {
	/** Kept between starts. */
	userFolder: string;
	log: Log;
	simulatorPort?: number;
	n8nPort?: number;
	env?: Record<string, string>;
}

/** No part of the key may occur by chance. */
const randomKey = () => `dummy-${randomBytes(18).toString('base64url')}`;

/** Throws an Error that names the failed step, after stopping the others. */
export async function openStage(options: StageOptions): Promise<Stage> {
	const { userFolder, log, env } = options;
	const host = await ensureHost(log);
	const { template } = sharedN8n() ?? {};
	if (template) fs.cpSync(template, userFolder, { recursive: true });
	else
		await installPackage(userFolder, await packPackage(path.join(userFolder, 'package'), log), log);
	const simulator = await startSimulator(
		template ? { apiKey: randomKey() } : {},
		options.simulatorPort,
	);
	let n8n: RunningN8n | undefined;
	const close = async () => {
		await n8n?.stop();
		await simulator.close();
	};
	try {
		log('Starting n8n ...');
		const filesFolder = path.join(userFolder, 'files');
		const settings = { host, userFolder, filesFolder, env };
		n8n = await startN8n({ ...settings, port: options.n8nPort });
		const stage: Stage = {
			...(await prepareN8n(simulator, n8n, filesFolder)),
			restart: async () => {
				const port = Number(new URL(stage.n8n.url).port);
				n8n = stage.n8n = await startN8n({ ...settings, port, isRestart: true });
				stage.api.setUrl(n8n.url);
			},
			close,
		};
		return stage;
	} catch (error) {
		await close();
		return await Promise.reject(error);
	}
}

/** Uses the shared n8n. Throws an Error if there is none. */
export async function joinStage(): Promise<SharedStage> {
	const shared = sharedN8n();
	if (!shared) throw new Error('There is no n8n to share: start the tests with npm run test:e2e');
	const simulator = await startSimulator({ apiKey: randomKey() });
	const filesFolder = fs.mkdtempSync(path.join(shared.filesFolder, 'stage-'));
	try {
		const furnished = await prepareN8n(simulator, shared.n8n, filesFolder);
		return { ...furnished, close: async () => await simulator.close() };
	} catch (error) {
		await simulator.close();
		return await Promise.reject(error);
	}
}

/** Adds a credential for the simulator and the examples' data. */
export async function prepareN8n<N8n extends Pick<RunningN8n, 'url'>>(
	simulator: Simulator,
	n8n: N8n,
	filesFolder: string,
) {
	fs.cpSync(dataFolder, filesFolder, { recursive: true });
	const sheetsStart = comingStart();
	await writeSheets(filesFolder, sheetsStart);
	const api = new N8nApi(n8n.url);
	await api.signIn();
	const useKey = async (apiKey: string) => {
		simulator.world.reset({ apiKey });
		return await api.saveCredential({
			name: credentialName,
			type: 'invoicingPaymentsApi',
			data: { apiKey, baseUrl: simulator.url },
		});
	};
	const credentialId = await useKey(simulator.world.settings.apiKey);
	return { simulator, n8n, api, credentialId, filesFolder, sheetsStart, useKey };
}

export function exampleNames(): string[] {
	return fs
		.readdirSync(examplesFolder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'))
		.sort();
}

/**
 * Imports an example as a user would, with credentials and local paths. `others`: credentials of n8n's own nodes, by node type.
 */
export function readExample(
	name: string,
	{ credentialId, filesFolder }: Pick<Stage, 'credentialId' | 'filesFolder'>,
	others: Record<string, Pick<CredentialData, 'type' | 'id'>> = {},
): WorkflowFile {
	const text = fs
		.readFileSync(path.join(examplesFolder, `${name}.json`), 'utf8')
		.replaceAll(`"${dockerFolder}/`, `"${filesFolder.split(path.sep).join('/')}/`)
		// Test files that share an n8n must not share the tables of its examples.
		.replaceAll(/"tableName": "[^"]+/g, ownId);
	const workflow = JSON.parse(text) as WorkflowFile;
	const pick = (node: INode): INode => {
		const own = { type: 'invoicingPaymentsApi', id: credentialId };
		const picked = node.credentials ? own : others[node.type];
		if (!picked) return node;
		return { ...node, credentials: { [picked.type]: { id: picked.id, name: credentialName } } };
	};
	return { ...workflow, id: ownId(workflow.id), nodes: workflow.nodes.map(pick) };
}

export function triggerOf({ nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
	if (!trigger) throw new Error('The workflow has no trigger');
	return trigger.name;
}
