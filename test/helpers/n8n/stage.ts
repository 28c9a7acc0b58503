import type { SharedStage, Stage } from '../../../tools/host/stage';
import { joinStage, openStage } from '../../../tools/host/stage';
import { note, noteSecretsOf, wantedIn } from '../../../tools/host/secretNotes';
import { sharedN8n } from '../../../tools/host/sharedN8n';
import { fs, os, path } from '../../../tools/node';

/** A new simulator and the n8n that all end-to-end tests share. Call at the top level of a test file. */
export function useStage() {
	return stageFor<SharedStage>(joinStage);
}

/** The same with a new n8n, for tests that end or configure it. */
export function useOwnStage(env?: Record<string, string>) {
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-e2e-'));
	return stageFor<Stage>(
		async (log) => await openStage({ userFolder, env, log }),
		() => {
			searchWhatIsLeft(userFolder);
			fs.rmSync(userFolder, { recursive: true, force: true });
		},
	);
}

/** Searches keys and cards in the folder of an ended n8n, and notes them for the check after all tests. */
function searchWhatIsLeft(userFolder: string): void {
	const { root } = sharedN8n() ?? {};
	if (!root) return;
	const { finder } = wantedIn(root);
	note(root, { searched: finder.searchFolder(userFolder), executions: 0 });
}

function stageFor<Opened extends SharedStage>(
	open: (log: (line: string) => void) => Promise<Opened>,
	whenClosed: () => void = () => {},
) {
	const lines: string[] = [];
	let stage: Opened | undefined;
	beforeAll(async () => {
		stage = await open((line) => lines.push(line));
		const { world } = stage.simulator;
		const { apiKey } = world.settings;
		const { root } = sharedN8n() ?? {};
		if (root) noteSecretsOf(world, root);
		const reset = world.reset.bind(world);
		// The service sends cards, so that a test can find stored ones.
		world.reset = (input = {}) => reset({ apiKey, cardData: 'present', ...input });
	}, 10 * 60_000);
	beforeEach(() => stage?.simulator.world.reset());
	afterAll(async () => {
		await stage?.close();
		whenClosed();
	}, 120_000);
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
