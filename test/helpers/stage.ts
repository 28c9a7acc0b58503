import type { SharedStage, Stage } from '../../host/stage';
import { joinStage, openStage } from '../../host/stage';
import { sharedN8n } from '../../host/sharedN8n';
import { fs, os, path } from '../../scripts/node';

/** A simulator of its own and the n8n that files of end-to-end tests share. Call at the top level of a test file. */
export function useStage() {
	return stageFor<SharedStage>(joinStage);
}

/** The same with an n8n of its own, for tests that end it or set it up otherwise. */
export function useOwnStage(env?: Record<string, string>) {
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-e2e-'));
	afterAll(() => fs.rmSync(userFolder, { recursive: true, force: true }));
	return stageFor<Stage>(async (log) => await openStage({ userFolder, env, log }));
}

function stageFor<Opened extends SharedStage>(
	open: (log: (line: string) => void) => Promise<Opened>,
) {
	const lines: string[] = [];
	let stage: Opened | undefined;
	beforeAll(async () => {
		stage = await open((line) => lines.push(line));
	}, 10 * 60_000);
	beforeEach(() => stage?.simulator.world.reset());
	afterAll(async () => await stage?.close(), 60_000);
	const opened = () => {
		if (!stage) throw new Error(`n8n did not start:\n${lines.join('\n')}`);
		return stage;
	};
	const world = () => opened().simulator.world;
	return {
		get stage() {
			return opened();
		},
		world,
		/** The invoices that were created after the start, oldest first. */
		created: () => world().account.created,
	};
}

/** Everything that the shared n8n keeps. */
export const sharedFolder = () => sharedN8n()?.userFolder ?? '';
