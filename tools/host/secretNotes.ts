import { fs, path } from '../node';
import { Account } from '../../simulator/account';
import type { Settings } from '../../simulator/settings';
import type { World } from '../../simulator/world';
import type { Finding, Searched, Secret } from './findSecrets';
import { SecretFinder } from './findSecrets';

/** What processes of one run of tests tell about secrets. */
type Note =
	| { key: string }
	/** A service whose charges have cards: what decides their numbers. */
	| { cards: Pick<Settings, 'seed' | 'charges' | 'customers' | 'newest' | 'chargesPerMoment'> }
	/** Cards that a test asks for on purpose, by the seed of their service, and which test. */
	| { askedFor: number; by: string }
	/** A key that a test writes somewhere on purpose, so that it has to be found. */
	| { planted: string; by: string }
	/** A folder of an n8n that was looked through when it ended. */
	| { searched: Searched; executions: number };

const fileIn = (root: string) => path.join(root, 'secrets.jsonl');

/** Adds a note. `root`: the folder of the run of tests, which is not looked through itself. */
export function note(root: string, what: Note): void {
	fs.appendFileSync(fileIn(root), `${JSON.stringify(what)}\n`);
}

function notesIn(root: string): Note[] {
	if (!fs.existsSync(fileIn(root))) return [];
	const lines = fs.readFileSync(fileIn(root), 'utf8').trim().split('\n').filter(Boolean);
	return [...new Set(lines)].map((line) => JSON.parse(line) as Note);
}

/** Notes every key and every card that a simulator takes, from now on. */
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

/** So many charges that a service begins with are looked for, and as many that are added while it runs. */
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

/** What is looked for. */
export interface Wanted {
	finder: SecretFinder;
	keys: number;
	cards: number;
}

const isPlanted = (one: Note): one is Extract<Note, { planted: string }> => 'planted' in one;

/** All keys and cards that were noted; with `planted`, what was put somewhere on purpose, and nothing else. */
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

/** What the searches of folders that are gone came to. */
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

/** Which tests put something somewhere on purpose. */
export const allowances = (root: string): string[] =>
	notesIn(root).flatMap((one) => ('by' in one ? [one.by] : []));
