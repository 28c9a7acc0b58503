import type { Stage } from '../../host/stage';
import { openStage } from '../../host/stage';
import { fs, os, path } from '../../scripts/node';

/** A stage of its own for one file of end-to-end tests, with a new n8n. Call at the top level of a test file. */
export function useStage(env?: Record<string, string>) {
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-e2e-'));
	const lines: string[] = [];
	let stage: Stage | undefined;
	beforeAll(async () => {
		stage = await openStage({ userFolder, env, log: (line) => lines.push(line) });
	}, 10 * 60_000);
	beforeEach(() => stage?.simulator.world.reset());
	afterAll(async () => {
		await stage?.close();
		fs.rmSync(userFolder, { recursive: true, force: true });
	}, 60_000);
	const opened = () => {
		if (!stage) throw new Error(`n8n did not start:\n${lines.join('\n')}`);
		return stage;
	};
	const world = () => opened().simulator.world;
	return {
		get stage() {
			return opened();
		},
		userFolder,
		world,
		/** The invoices that were created after the start, oldest first. */
		created: () => world().account.created,
	};
}
