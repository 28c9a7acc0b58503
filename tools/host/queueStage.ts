import { fs, path, randomBytes } from '../node';
import { startSimulator } from '../../simulator/server';
import type { Log } from './install';
import { ensureHost } from './install';
import type { RunningN8n } from './n8n';
import { installPackage, packPackage, startN8n } from './n8n';
import { queueEnvironment, workerConcurrency, workerCount } from './queueSettings';
import { checkServices, startPostgres, startRedis } from './services';
import type { Stage } from './stage';
import { prepareN8n } from './stage';

export interface QueueStage extends Stage {
	/** Ended ones stay in the list until they are started again. */
	workers: RunningN8n[];
	startWorker(number: number, concurrency?: number): Promise<void>;
}

/** `env` adds to the settings of all n8n processes. Throws an Error that names the failed step, after stopping the others. */
export async function openQueueStage(
	folder: string,
	log: Log,
	env: Record<string, string> = {},
	workersAtFirst = workerCount,
): Promise<QueueStage> {
	checkServices();
	const host = await ensureHost(log);
	const folderOf = (name: string) => path.join(folder, name);
	const started: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const stop of started.reverse()) await stop();
		started.length = 0;
	};
	const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
		started.push(() => one.stop());
		return one;
	};
	try {
		log('Starting PostgreSQL and Redis ...');
		const postgres = keep(await startPostgres());
		const redis = keep(await startRedis());
		const tarball = await packPackage(folderOf('package'), log);
		await installPackage(folderOf('main'), tarball, log);
		const simulator = await startSimulator();
		started.push(() => simulator.close());
		const filesFolder = folderOf('files');
		const shared = {
			...queueEnvironment(postgres, redis, randomBytes(24).toString('hex')),
			// Manual executions must run on a worker, as n8n 3.0 always does.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		};
		const settings = { host, filesFolder, env: { ...shared, ...env } };
		const startMain = async (port?: number) => {
			const userFolder = folderOf('main');
			return keep(await startN8n({ ...settings, userFolder, port, isRestart: port !== undefined }));
		};
		const workers: RunningN8n[] = [];
		const startWorker = async (number: number, concurrency = workerConcurrency) => {
			const userFolder = folderOf(`worker-${number}`);
			const isRestart = fs.existsSync(userFolder);
			if (!isRestart) {
				const nodes = path.join('.n8n', 'nodes');
				const from = path.join(folderOf('main'), nodes);
				fs.cpSync(from, path.join(userFolder, nodes), { recursive: true });
			}
			workers[number] = keep(await startN8n({ ...settings, userFolder, concurrency, isRestart }));
		};
		log('Starting n8n and its workers ...');
		// The main process creates the database tables for the workers.
		const n8n = await startMain();
		const numbers = Array.from({ length: workersAtFirst }, (_, number) => number);
		await Promise.all(numbers.map(async (number) => await startWorker(number)));
		const stage: QueueStage = {
			...(await prepareN8n(simulator, n8n, filesFolder)),
			workers,
			startWorker,
			restart: async () => {
				stage.n8n = await startMain(Number(new URL(stage.n8n.url).port));
				stage.api.setUrl(stage.n8n.url);
			},
			close,
		};
		return stage;
	} catch (error) {
		await close();
		return await Promise.reject(error);
	}
}
