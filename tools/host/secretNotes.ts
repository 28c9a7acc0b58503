import { fs, path } from '../node';
import { Account } from '../../simulator/account';
import type { Settings } from '../../simulator/settings';
import type { World } from '../../simulator/world';
import type { Finding, Searched, Secret } from './findSecrets';
import { SecretFinder } from './findSecrets';

/** What the processes of a test run share about secrets. */
type Note =
	| { key: string }
	/** Settings that determine the card numbers of a service. */
	| { cards: Pick<Settings, 'seed' | 'charges' | 'customers' | 'newest' | 'chargesPerMoment'> }
	/** The seed of a service whose cards a test requests on purpose. */
	| { askedFor: number; by: string }
	/** A key that a test writes somewhere on purpose. It must be found. */
	| { planted: string; by: string }
	/** The result for a folder that no longer exists. */
	| { searched: Searched; executions: number };

const fileIn = (root: string) => path.join(root, 'secrets.jsonl');

/** `root`: the folder of the test run, which is not searched. */
export function note(root: string, what: Note): void {
	fs.appendFileSync(fileIn(root), `${JSON.stringify(what)}\n`);
}

function notesIn(root: string): Note[] {
	if (!fs.existsSync(fileIn(root))) return [];
	const lines = fs.readFileSync(fileIn(root), 'utf8').trim().split('\n').filter(Boolean);
	return [...new Set(lines)].map((line) => JSON.parse(line) as Note);
}

/** Also notes later keys and cards of the simulator. */
export function noteSecretsOf(world: World, root: string): void {
	const noteAll = () => {
		const { apiKey, seed, charges, customers, newest, chargesPerMoment } = world.settings;
		note(root, { key: apiKey });
		note(root, { cards: { seed, charges, customers, newest, chargesPerMoment } });
	};
	const [reset, set] = [world.reset.bind(world), world.set.bind(world)];
	world.reset = (input) => {
		reset(input);
		noteAll();
	};
	world.set = (change) => {
		set(change);
		noteAll();
	};
	noteAll();
}

/** Charges to search for: initial ones, and as many added later. */
const mostCards = 5000;

function cardsOf(settings: Extract<Note, { cards: unknown }>['cards']): string[] {
	const account = new Account({
		...settings,
		invoices: 0,
		links: 0,
		members: 0,
		customerFields: 'onlyId',
	} as Settings);
	for (let added = 0; added < 200; added++) account.addCharge({}, 0);
	const { results } = account.listCharges({}, 1, mostCards, 'newestFirst');
	return results.map(({ source }) => String(source?.card_data?.card_number));
}

export interface Wanted {
	finder: SecretFinder;
	keys: number;
	cards: number;
}

const isPlanted = (one: Note): one is Extract<Note, { planted: string }> => 'planted' in one;

/** With `planted`, only what must be found; otherwise only what must not. */
export function wantedIn(root: string, planted = false): Wanted {
	const notes = notesIn(root);
	const plantedKeys = notes.filter(isPlanted).map((one) => one.planted);
	const own = notes.flatMap((one) => ('key' in one ? [one.key] : []));
	const keys = [
		...new Set(planted ? plantedKeys : own.filter((key) => !plantedKeys.includes(key))),
	];
	const askedFor = notes.flatMap((one) => ('askedFor' in one ? [one.askedFor] : []));
	const seeds = notes.flatMap((one) =>
		'cards' in one && askedFor.includes(one.cards.seed) === planted ? [one.cards] : [],
	);
	const cards = new Set(seeds.flatMap(cardsOf));
	const secrets = keys.map(
		(value, at): Secret => ({ name: `API key ${at + 1} of ${keys.length}`, value }),
	);
	return { finder: new SecretFinder(secrets, cards), keys: keys.length, cards: cards.size };
}

/** The sum of searches in folders that no longer exist. */
export function searchedBefore(root: string): {
	searched: Searched;
	executions: number;
	folders: number;
} {
	const all = notesIn(root).flatMap((one) => ('searched' in one ? [one] : []));
	const sum = (figure: (one: (typeof all)[number]) => number) =>
		all.reduce((total, one) => total + figure(one), 0);
	return {
		searched: {
			findings: all.flatMap(({ searched }): Finding[] => searched.findings),
			bytes: sum(({ searched }) => searched.bytes),
			files: sum(({ searched }) => searched.files),
		},
		executions: sum(({ executions }) => executions),
		folders: all.length,
	};
}

/** Tests that wrote secrets on purpose. */
export const plantedBy = (root: string): string[] =>
	notesIn(root).flatMap((one) => ('by' in one ? [one.by] : []));
