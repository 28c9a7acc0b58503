import type { INode } from 'n8n-workflow';
import { fs, path, projectFolder } from '../scripts/node';
import type { Simulator } from '../simulator/server';
import { startSimulator } from '../simulator/server';
import type { WorkflowFile } from './api';
import { N8nApi } from './api';
import type { Log } from './install';
import { ensureHost } from './install';
import type { RunningN8n } from './n8n';
import { installPackage, packPackage, startN8n } from './n8n';

/** A simulator and a real n8n that holds the package, the credential and the examples. */
export interface Stage {
	simulator: Simulator;
	n8n: RunningN8n;
	api: N8nApi;
	credentialId: string;
	/** A copy of the examples' data, which n8n may read and write. */
	filesFolder: string;
	/** Starts n8n again after it has ended, with what it had stored. */
	restart(): Promise<void>;
	close(): Promise<void>;
}

const examplesFolder = path.join(projectFolder, 'examples');
const dataFolder = path.join(examplesFolder, 'data');
/** Where the examples look for files: the folder that n8n's Docker image may read by default. */
const dockerFolder = '/home/node/.n8n-files';
const credentialName = 'Invoicing and Payments account';

export interface StageOptions {
	/** Kept from one start to the next, with everything that was made in n8n. */
	userFolder: string;
	log: Log;
	simulatorPort?: number;
	n8nPort?: number;
	env?: Record<string, string>;
}

/** Starts everything. Throws an Error that names the step that failed; what was started before it is stopped. */
export async function openStage(options: StageOptions): Promise<Stage> {
	const { userFolder, log } = options;
	const host = await ensureHost(log);
	const tarball = await packPackage(path.join(userFolder, 'package'), log);
	await installPackage(userFolder, tarball, log);
	const simulator = await startSimulator({}, options.simulatorPort);
	let n8n: RunningN8n | undefined;
	const close = async () => {
		await n8n?.stop();
		await simulator.close();
	};
	try {
		log('Starting n8n ...');
		const filesFolder = path.join(userFolder, 'files');
		fs.cpSync(dataFolder, filesFolder, { recursive: true });
		const settings = { host, userFolder, filesFolder, env: options.env };
		n8n = await startN8n({ ...settings, port: options.n8nPort });
		const api = new N8nApi(n8n.url);
		await api.signIn();
		const { apiKey } = simulator.world.settings;
		const credentialId = await api.saveCredential({
			name: credentialName,
			type: 'invoicingPaymentsApi',
			data: { apiKey, baseUrl: simulator.url },
		});
		const stage: Stage = { simulator, n8n, api, credentialId, filesFolder, restart, close };
		return stage;

		async function restart() {
			const port = Number(new URL(stage.n8n.url).port);
			n8n = stage.n8n = await startN8n({ ...settings, port, isRestart: true });
			api.moveTo(n8n.url);
		}
	} catch (error) {
		await close();
		return await Promise.reject(error);
	}
}

/** The names of the example workflows. */
export function exampleNames(): string[] {
	return fs
		.readdirSync(examplesFolder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'))
		.sort();
}

/** Reads an example as a user imports it, with the credential picked and the files where they are on this machine. */
export function readExample(
	name: string,
	{ credentialId, filesFolder }: Pick<Stage, 'credentialId' | 'filesFolder'>,
): WorkflowFile {
	const text = fs
		.readFileSync(path.join(examplesFolder, `${name}.json`), 'utf8')
		.replaceAll(`"${dockerFolder}/`, `"${filesFolder.split(path.sep).join('/')}/`);
	const workflow = JSON.parse(text) as WorkflowFile;
	const pick = (node: INode): INode =>
		node.credentials
			? {
					...node,
					credentials: { invoicingPaymentsApi: { id: credentialId, name: credentialName } },
				}
			: node;
	return { ...workflow, nodes: workflow.nodes.map(pick) };
}

/** The name of the node that starts a workflow. */
export function triggerOf({ nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
	if (!trigger) throw new Error('The workflow has no trigger');
	return trigger.name;
}
