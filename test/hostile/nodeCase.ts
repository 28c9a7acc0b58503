import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../simulator/settings';
import type { World } from '../../simulator/world';
import { previewedAs } from '../../tools/previewed';
import type { Dice } from '../helpers/dice';
import { diceOf } from '../helpers/dice';
import type { RunOptions, RunResult } from '../helpers/n8n/engine';
import { invoiceItems } from './invoiceItems';
import type { TestedOperation } from '../helpers/n8n/operations';
import { operations, sampleId } from '../helpers/n8n/operations';
import { responseKindOf } from '../../contract';
import { drawPlan } from './drawPlan';
import type { Exchange, HostileService, Plan } from './hostileService';
import { isRefusal } from './hostileService';
import {
	claimedCount,
	madeFields,
	objectsIn,
	pollution,
	strangePrototypes,
	wasSent,
} from './judge';

/** Runs the node, or a faulty one to show that faults are noticed. */
export type RunNode = (options: RunOptions) => Promise<RunResult>;

export interface CaseResult {
	words: string;
	problems: string[];
	isError: boolean;
	requests: number;
}

/** The task of an operation in a case. */
interface Work {
	key: string;
	parameters: INodeParameters;
	items: IDataObject[];
	/** Title or name of each item to create. */
	names: string[];
	/** The requested ID. */
	id?: string;
	/** Most results. */
	limit: number;
	isPart: boolean;
}

type Drawn = Partial<Work> & { parameters: INodeParameters };

const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });

function list(_world: World, dice: Dice): Drawn {
	const returnAll = dice.chance(60);
	const limit = dice.pick([1, 3, 30, 150]);
	return {
		parameters: { returnAll, ...(!returnAll && { limit }) },
		limit: returnAll ? Infinity : limit,
	};
}

const one =
	(name: string, allIn: (world: World) => ReadonlyArray<{ id: string }>) =>
	(world: World, dice: Dice) => {
		const id = dice.pick(allIn(world).map((each) => each.id)) ?? sampleId;
		return { parameters: { [name]: locator(id) }, limit: 1, id };
	};

const titlesOf = (dice: Dice) => ['T-one', 'T-two', 'T-three'].slice(0, dice.int(1, 3));
const invoices =
	(parameters: INodeParameters) =>
	({ account }: World, dice: Dice): Drawn => {
		const names = titlesOf(dice);
		const items = invoiceItems(account.customers[0].id, names, dice.chance(70));
		const ifInvoiceNumberExists = dice.pick(['create', 'returnExisting', 'fail']);
		return { names, items, parameters: { ...parameters, ifInvoiceNumberExists } };
	};

/** Creates, and what is read otherwise than by the only field that is required. */
const works: Record<string, ((world: World, dice: Dice) => Drawn) | undefined> = {
	'customer/getBalances': () => ({ parameters: {}, limit: Infinity }),
	'invoice/get': (world, dice) => {
		const { full } = dice.pick(world.account.invoices);
		if (dice.chance(50))
			return { parameters: { invoiceId: locator(full.id) }, limit: 1, id: full.id };
		const number = full.invoice_number ?? 'N-1';
		return { parameters: { invoiceId: locator(number, 'number') }, limit: 1 };
	},
	'invoice/create': invoices({
		customerId: '={{ $json.customer }}',
		currency: 'EUR',
		dueDate: '2026-12-31',
		itemsInput: 'json',
		itemsJson: '={{ [{ name: "Consulting", amount: $json.amount }] }}',
		additionalFields: {
			title: '={{ $json.title }}',
			invoiceNumber: '={{ $json.invoice_number }}',
		},
	}),
	'invoice/createFromRows': (world, dice) => {
		const drawn = invoices({ previewOnly: false })(world, dice);
		const number = drawn.items?.[0].invoice_number
			? '; Invoice Number = invoice_number (text)'
			: '';
		const text = `Customer = customer (id); Currency = currency (text); Due Date = due_date (date; 366 days apart; within 366 days); Title = title (text); Item Name = item (text); Line Total = amount (number; 1 to 10000)${number}; items repeat; rows repeat; one invoice per row`;
		return {
			...drawn,
			parameters: { ...drawn.parameters, reading: locator(previewedAs(text), 'text') },
		};
	},
	'member/create': (_world, dice) => {
		const names = titlesOf(dice);
		return {
			names,
			items: names.map((title) => ({ title })),
			parameters: {
				firstName: '={{ $json.title }}',
				lastName: 'Berg',
				email: 'ada@example.com',
				jobTitle: 'Sales',
				role: 'staff',
			},
		};
	},
};

/** The task of an operation: its own, else that of any list, or of anything that is read by an ID. */
function workOf({ key, endpoint, fields }: TestedOperation): (world: World, dice: Dice) => Drawn {
	const own = works[key];
	if (own) return own;
	if ('body' in endpoint) throw new Error(`There is nothing hostile for ${key} yet`);
	const asked = fields.find(({ required }) => required);
	return asked ? one(asked.name, ({ account }) => account.at(endpoint.path)) : list;
}

/** Fails at once if an operation has none. */
const workByKey = new Map(operations.map((tested) => [tested.key, workOf(tested)]));

const settingsOf = (dice: Dice): SettingsInput => ({
	seed: dice.int(1, 5),
	charges: dice.pick([1, 45, 120]),
	invoices: dice.pick([1, 25, 60]),
	maxPageSize: dice.pick([20, 100]),
	pastTheEnd: dice.pick(['empty', 'notFound']),
	next: dice.pick(['absolute', 'relative', 'otherHost']),
	idMatch: dice.pick(['exact', 'exact', 'ignored']),
	invoiceNumberMatch: dice.pick(['exact', 'exact', 'contains', 'ignored']),
	cardData: dice.pick(['missing', 'present']),
	errorBody: dice.pick(['detail', 'message', 'html']),
});

/** Operations that read a list in pages. */
const paged = operations.flatMap(({ key, endpoint }) =>
	responseKindOf(endpoint) === 'page' ? [key] : [],
);
/** Operations whose results are made of several. */
const isOfCustomers = (key: string) => key.startsWith('customer/');

let cases = 0;

/** Runs an operation of the node with spoiled responses. The same seed gives the same case. */
export async function runNodeCase(
	service: HostileService,
	seed: number,
	run: RunNode,
): Promise<CaseResult> {
	const dice = diceOf(seed);
	const { world } = service;
	const apiKey = `hostile-key-${seed}-${(cases += 1)}-secret`;
	world.reset({ ...settingsOf(dice), apiKey });
	const { key } = dice.pick(operations);
	const creates = key.includes('/create');
	const drawn = (workByKey.get(key) ?? list)(world, dice);
	const isPart = !isOfCustomers(key) && dice.chance(50);
	const plan = dice.chance(4) ? undefined : drawPlan(dice, paged.includes(key), creates);
	const onError = dice.pick(['continueRegularOutput', 'continueRegularOutput', 'stopWorkflow']);
	const [resource, operation] = key.split('/');
	const work: Work = {
		...{ key, items: [{}], names: [], limit: Infinity, isPart },
		...drawn,
		parameters: {
			...{ resource, operation, ...drawn.parameters },
			...(!/^member|^customer/.test(key) && { simplify: isPart }),
			options: {
				maxWait: dice.pick([0, 0, 0, 1, 2]),
				maxRequestsInFlight: dice.pick([1, 5]),
				...(/^(charge|invoice)\/getAll/.test(key) &&
					dice.chance(50) && { pageSize: dice.pick([1, 7, 20, 100]) }),
			},
		},
	};
	if (key.startsWith('invoice/create') && dice.chance(30)) addExisting(world, work);
	const before = countsOf(world, work);
	const options: RunOptions = {
		credential: service.credential,
		parameters: work.parameters,
		items: work.items,
	};
	const retries = dice.chance(15) ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {};
	service.begin(plan);
	const result = await run({ ...options, node: { onError: onError as never, ...retries } });
	const { exchanges } = service;
	const words = `${key}, ${onError}: ${plan?.words ?? 'nothing wrong'}`;
	const problems = judge(world, work, plan, result, exchanges);
	if (creates) problems.push(...judgeCreates(world, work, result, exchanges, before));
	if (result.stored.includes(apiKey)) problems.push('what n8n stores holds the API key');
	// Again, with correct responses.
	service.begin();
	const isInvoice = key.startsWith('invoice/create');
	const again = await run({
		...options,
		parameters: {
			...work.parameters,
			...(isInvoice && { ifInvoiceNumberExists: 'returnExisting' }),
		},
		node: { onError: 'continueRegularOutput' },
	});
	problems.push(...judgeAgain(world, work, again, service.exchanges), ...pollution());
	const { foreign } = service;
	if (foreign.length) problems.push(`a foreign host got ${foreign.splice(0).join('; ')}`);
	const isError = result.error !== undefined || result.json.some(isErrorItem);
	return { words, problems, isError, requests: exchanges.length };
}

/** Adds the first of the invoices to create, so that it exists already. */
function addExisting({ account }: World, { items: [{ invoice_number: number }] }: Work): void {
	if (number === undefined) return;
	const existing = { invoice_number: String(number), title: 'before' };
	account.addInvoice(existing, Date.now() - 86_400_000);
}

/** How often each item exists. */
function countsOf({ account }: World, { key, names }: Work): number[] {
	const made =
		key === 'member/create'
			? account.members.map(({ user }) => user.first_name)
			: account.created.map(({ request }) => request.title);
	return names.map((name) => made.filter((title) => title === name).length);
}

/** Fields that the node adds to results. */
const addedByUs = ['outcome', 'differences', 'duplicates', 'duplicateOf', 'duplicatesChecked'];

const isErrorItem = ({ error }: IDataObject) => typeof error === 'string' && error !== 'made up';

/** The node may refuse an invoice that has no number or that exists. */
const mayRefuse = ({ parameters: { ifInvoiceNumberExists: wanted }, items, key }: Work) =>
	key.startsWith('invoice/create') &&
	(wanted === 'fail' || (wanted === 'returnExisting' && items[0].invoice_number === undefined));

/** Problems of any operation. */
function judge(
	world: World,
	work: Work,
	plan: Plan | undefined,
	{ json, error }: Pick<RunResult, 'json' | 'error'>,
	exchanges: Exchange[],
): string[] {
	const { key, limit, isPart, id, names } = work;
	const results = json.filter((result) => !isErrorItem(result));
	const isFailed = error !== undefined || results.length !== json.length;
	const problems = strangePrototypes(json);
	if (!plan && isFailed && !mayRefuse(work))
		problems.push(`nothing was wrong, but: ${error?.message ?? JSON.stringify(json)}`);
	if (results.length > Math.max(limit, names.length)) problems.push('more results than the limit');
	const sent = exchanges.flatMap(objectsIn);
	// Not joined: together they may be longer than a text can be.
	const isIn = (id: string) => exchanges.some(({ text }) => text.toLowerCase().includes(id));
	const added = [...addedByUs, ...(isPart ? madeFields : [])];
	const isSent = (result: IDataObject) =>
		isOfCustomers(key)
			? isIn(String(result.id).toLowerCase())
			: key === 'invoice/createFromRows' || wasSent(result, sent, added, isPart);
	for (const result of results.filter((result) => !isSent(result)))
		problems.push(`a result that was not sent: ${JSON.stringify(result).slice(0, 500)}`);
	const ids = results.map((result) => result.id);
	const known = ids.filter((own) => typeof own === 'string' && own !== '').map(String);
	if (id !== undefined && known.some((own) => own.trim().toLowerCase() !== id.toLowerCase()))
		problems.push('another one than was asked for');
	if (/getAll$/.test(key) && !key.startsWith('member') && new Set(known).size < known.length)
		problems.push('a result twice');
	if (!isFailed && /(charge|invoice)\/getAll/.test(key)) {
		const { charges, invoices } = world.settings;
		const there = Math.min(limit, key.startsWith('charge') ? charges : invoices);
		// The node must notice a list that is shorter than any count says.
		const least = plan ? Math.min(there, claimedCount(exchanges)) : there;
		if (results.length < least) problems.push(`${results.length} results pass for all of ${least}`);
	}
	return problems;
}

const tellsOfIt = /may still have been created|was created, but|changed the invoice number/;

/** Compares what was created with what the node says. */
function judgeCreates(
	world: World,
	work: Work,
	{ json, error }: RunResult,
	exchanges: Exchange[],
	before: number[],
): string[] {
	const { names, key } = work;
	const isMember = key === 'member/create';
	const problems: string[] = [];
	const counts = countsOf(world, work).map((count, at) => count - before[at]);
	const told = `${error?.message ?? ''} ${error?.description ?? ''}`;
	names.forEach((name, at) => {
		const made = counts[at];
		const own = exchanges.filter(
			({ method, body }) =>
				method === 'POST' && (body as IDataObject)[isMember ? 'first_name' : 'title'] === name,
		);
		const note = (problem: string) => void problems.push(`${name} ${problem}`);
		if (made > 1) note(`was created ${made} times`);
		for (const { status, isWhole } of own.slice(0, -1))
			if (!isRefusal(status) || !isWhole)
				note(`was sent again after an answer that does not say that nothing was done (${status})`);
		if (error) {
			// The first row is line 2 of the sheet.
			const isNamed = told.includes(`item ${at + 1}`) || told.includes(`row ${at + 2}`);
			if (made && !tellsOfIt.test(told) && !isNamed)
				note(`was created, and the error does not say so: ${told.slice(0, 600)}`);
			return;
		}
		const item = json[at];
		if (!item) return note('has no item');
		if (isErrorItem(item)) {
			if (made && !tellsOfIt.test(String(item.error)))
				note(`was created, and its error does not say so: ${String(item.error)}`);
			return;
		}
		const { outcome = 'created', id } = item;
		const isCreated = outcome === 'created' || outcome === 'recovered' || isMember;
		if (isCreated !== (made === 1))
			note(`is said to be ${String(outcome)}, but ${made} were created`);
		if (outcome !== 'created' && !isMember) return;
		const sent = own.flatMap(objectsIn).map((object) => object.id);
		const isUsable = typeof id === 'number' || (typeof id === 'string' && id !== '');
		const isSent = sent.some(
			(value) =>
				String(value) === String(id) || (typeof value === 'number' && value === Number(id)),
		);
		if (!isUsable || !isSent)
			note(`is said to be created without a usable ID: ${JSON.stringify(id)}`);
	});
	return problems;
}

/** Problems of the second run, with correct responses. */
function judgeAgain(
	world: World,
	work: Work,
	{ json, error }: RunResult,
	exchanges: Exchange[],
): string[] {
	const { names, key, items } = work;
	if (names.length) {
		if (key === 'member/create' || items[0].invoice_number === undefined) return [];
		return countsOf(world, work).flatMap((count, at) =>
			count > 1 ? [`${names[at]} is there ${count} times after another run`] : [],
		);
	}
	const text = `${error?.message ?? ''} ${json.map((item) => String(item.error ?? '')).join(' ')}`;
	if (text.includes('asked for a pause')) return [];
	return judge(world, work, undefined, { json, error }, exchanges);
}
