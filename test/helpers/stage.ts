import type { SharedStage, Stage } from '../../tools/host/stage';
import { joinStage, openStage } from '../../tools/host/stage';
import { note, noteSecretsOf, wantedIn } from '../../tools/host/secretNotes';
import { sharedN8n } from '../../tools/host/sharedN8n';
import { fs, os, path } from '../../tools/node';

/** A simulator of its own and the n8n that files of end-to-end tests share. Call at the top level of a test file. */
export function useStage() {
	return stageFor<SharedStage>(joinStage);
}

/** The same with an n8n of its own, for tests that end it or set it up otherwise. */
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

/** Notes what of the keys and cards is in the folder of an n8n that has ended; looked at when all tests have. */
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
		// A card that is not sent cannot be kept by mistake.
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

/** Everything that the shared n8n keeps. */
export const sharedFolder = () => sharedN8n()?.userFolder ?? '';
