import { fs, nodeProcess, os, path, projectFolder } from '../node';
import { N8nApi } from './api';
import type { Log } from './install';
import { ensureHost } from './install';
import type { RunningN8n } from './n8n';
import { installPackage, packPackage, startN8n } from './n8n';

/** Shares the n8n with the processes of a test run. */
const variable = 'SHARED_N8N';

export interface SharedN8n {
	/** Contains the other folders, and notes about the test run. */
	root: string;
	n8n: Pick<RunningN8n, 'url' | 'logFile' | 'pid'>;
	userFolder: string;
	filesFolder: string;
	/** A user folder with the package installed, never started. */
	template: string;
	/** Where requests to other services go: see outside.cjs. */
	outsideFile: string;
}

export function sharedN8n(): SharedN8n | undefined {
	const text = nodeProcess.env[variable];
	return text === undefined ? undefined : (JSON.parse(text) as SharedN8n);
}

/** Workers share one n8n, so IDs and names differ per worker. */
export const ownId = (id: string): string => `${id}${nodeProcess.env.JEST_WORKER_ID ?? ''}`;

let end: ((inspection: Inspection) => Promise<void>) | undefined;

/** Inspects n8n's folder before and after n8n is stopped. Throws if something is wrong. */
interface Inspection {
	before(shared: SharedN8n): Promise<void>;
	after(shared: SharedN8n): Promise<void>;
}

/** In the process that called {@link shareN8n}. Throws what `inspection` throws, after all has ended. */
export async function endSharedN8n(inspection: Inspection): Promise<void> {
	await end?.(inspection);
}

/** Packs and installs the package once for all test files, and starts their n8n. */
export async function shareN8n(log: Log): Promise<void> {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-e2e-'));
	const remove = () => fs.rmSync(folder, { recursive: true, force: true });
	try {
		const template = path.join(folder, 'template');
		const host = await ensureHost(log);
		await installPackage(template, await packPackage(path.join(folder, 'package'), log), log);
		const settings = { host, filesFolder: path.join(folder, 'files') };
		fs.mkdirSync(settings.filesFolder);
		const userFolder = path.join(folder, 'shared');
		fs.cpSync(template, userFolder, { recursive: true });
		// Not even a debug log may contain secrets.
		const outsideFile = path.join(folder, 'outside.json');
		const env = {
			N8N_LOG_LEVEL: 'debug',
			OUTSIDE_SERVICES: outsideFile,
			NODE_OPTIONS: `--require ${JSON.stringify(path.join(projectFolder, 'tools', 'host', 'outside.cjs'))}`,
		};
		const { stop, ...n8n } = await startN8n({ ...settings, userFolder, env });
		await new N8nApi(n8n.url).signIn();
		const shared: SharedN8n = {
			root: folder,
			n8n,
			userFolder,
			template,
			filesFolder: settings.filesFolder,
			outsideFile,
		};
		nodeProcess.env[variable] = JSON.stringify(shared);
		end = async ({ before, after }) => {
			try {
				await before(shared).finally(stop);
				await after(shared);
			} finally {
				remove();
			}
		};
	} catch (error) {
		remove();
		return await Promise.reject(error);
	}
}
