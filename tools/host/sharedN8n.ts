import { fs, nodeProcess, os, path } from '../node';
import { N8nApi } from './api';
import type { Log } from './install';
import { ensureHost } from './install';
import type { RunningN8n } from './n8n';
import { installPackage, packPackage, startN8n } from './n8n';

/** What tells the processes of one run of tests about the n8n that they share. */
const variable = 'SHARED_N8N';

/** An n8n that several files of tests use, and a folder that is like that of an n8n before its first start. */
export interface SharedN8n {
	/** Holds all that follows, and what is noted about the run of tests. */
	root: string;
	n8n: Pick<RunningN8n, 'url' | 'logFile' | 'pid'>;
	userFolder: string;
	filesFolder: string;
	/** Holds a package that is installed. */
	template: string;
}

/** The n8n that this run of tests shares. `undefined`: there is none. */
export function sharedN8n(): SharedN8n | undefined {
	const text = nodeProcess.env[variable];
	return text === undefined ? undefined : (JSON.parse(text) as SharedN8n);
}

/** Several workers share one n8n, and each has workflows and credentials of its own in it. */
export const ownId = (id: string): string => `${id}${nodeProcess.env.JEST_WORKER_ID ?? ''}`;

let end: ((look: Look) => Promise<void>) | undefined;

/** What is done before and after the n8n is stopped, while its folder is there. Throws where something is wrong with it. */
export interface Look {
	before(shared: SharedN8n): Promise<void>;
	after(shared: SharedN8n): Promise<void>;
}

/** Ends what {@link shareN8n} has started, in the same process. Throws what `look` throws, when all has ended. */
export async function endSharedN8n(look: Look): Promise<void> {
	await end?.(look);
}

/** Packs and installs the package once, for all files of tests, and starts the n8n that they share. */
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
		// What must not be in a log must not be in one that tells everything either.
		const env = { N8N_LOG_LEVEL: 'debug' };
		const { stop, ...n8n } = await startN8n({ ...settings, userFolder, env });
		await new N8nApi(n8n.url).signIn();
		const shared: SharedN8n = {
			root: folder,
			n8n,
			userFolder,
			template,
			filesFolder: settings.filesFolder,
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
