import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../../simulator/settings';
import type { Simulator } from '../../../simulator/server';
import type { Dice } from '../anySheet/dice';
import { diceOf } from '../anySheet/dice';
import type { RunOptions, RunResult } from '../engine';
import { invoiceItems } from '../invoiceItems';
import { operations } from '../operations';
import type { DrawnPlan } from './drawPlan';
import { drawPlan } from './drawPlan';
import { claimedCount, objectsIn, pollution, strangePrototypes, wasSent } from './judge';
import type { Exchange, HostileProxy } from './proxy';

/** A service and the proxy in front of it, for one case after the other. */
export interface Lane {
	simulator: Simulator;
	proxy: HostileProxy;
}

/** Runs the node. Another one than n8n-core's own shows that what is wrong is found. */
export type RunNode = (options: RunOptions) => Promise<RunResult>;

/** How a case ended: what it was, and what was wrong. */
export interface CaseResult {
	words: string;
	problems: string[];
	/** How it ended, for the figures. */
	outcome: string;
	requests: number;
}

interface Work {
	key: string;
	parameters: INodeParameters;
	items: IDataObject[];
	/** What tells the items of a create apart: of each its title or name. */
	names: string[];
	/** The ID that was asked for. */
	id?: string;
	/** How many results come at most. */
	limit: number;
	isPart: boolean;
}

const account = ({ simulator }: Lane) => simulator.world.account;

/** The work of an operation, by its key. */
const works: Record<
	string,
	(lane: Lane, dice: Dice) => Partial<Work> & { parameters: INodeParameters }
> = {
	'charge/get': (lane, dice) => {
		const { results } = account(lane).listCharges({}, 1, 50, 'newestFirst');
		const id = String(dice.pick(results)?.id ?? '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d');
		return { parameters: { chargeId: locator(id) }, id, limit: 1 };
	},
	'charge/getAll': (_lane, dice) => listOf(dice),
	'customer/getAll': (_lane, dice) => listOf(dice),
	'invoice/get': (lane, dice) => {
		const { full } = dice.pick(account(lane).invoices) ?? {};
		const id = String(full?.id ?? '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d');
		if (dice.chance(50)) return { parameters: { invoiceId: locator(id) }, id, limit: 1 };
		return {
			parameters: { invoiceId: locator(full?.invoice_number ?? 'N-1', 'number') },
			limit: 1,
		};
	},
	'invoice/getAll': (_lane, dice) => listOf(dice),
	'invoice/create': (lane, dice) => {
		const names = namesOf(dice);
		return {
			names,
			items: itemsOf(lane, dice, names),
			parameters: {
				customerId: '={{ $json.customer }}',
				currency: 'EUR',
				dueDate: '2026-12-31',
				itemsInput: 'json',
				itemsJson: '={{ [{ name: "Consulting", amount: $json.amount }] }}',
				ifInvoiceNumberExists: dice.pick(['create', 'returnExisting', 'fail']),
				additionalFields: {
					title: '={{ $json.title }}',
					invoiceNumber: '={{ $json.invoice_number }}',
				},
			},
		};
	},
	'invoice/createFromRows': (lane, dice) => {
		const names = namesOf(dice);
		return {
			names,
			items: itemsOf(lane, dice, names),
			parameters: {
				columns: { mappingMode: 'autoMapInputData', value: null } as never,
				groupBy: 'row',
				ifInvoiceNumberExists: dice.pick(['create', 'returnExisting', 'fail']),
			},
		};
	},
	'paymentLink/get': (lane, dice) => {
		const { id } = dice.pick(account(lane).links);
		return { parameters: { linkId: id }, limit: 1 };
	},
	'member/create': (_lane, dice) => {
		const names = namesOf(dice);
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
	'member/get': (lane, dice) => {
		const { id } = dice.pick(account(lane).members);
		return { parameters: { memberId: locator(id) }, limit: 1 };
	},
	'member/getAll': (_lane, dice) => listOf(dice),
};

const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });
const namesOf = (dice: Dice) => ['T-one', 'T-two', 'T-three'].slice(0, dice.int(1, 3));

function listOf(dice: Dice) {
	const returnAll = dice.chance(60);
	const limit = dice.pick([1, 3, 30, 150]);
	return {
		parameters: { returnAll, ...(!returnAll && { limit }) },
		limit: returnAll ? Infinity : limit,
	};
}

const itemsOf = (lane: Lane, dice: Dice, names: string[]) =>
	invoiceItems(account(lane).customers[0].id, names, dice.chance(70));

/** Operations that read a list in pages. */
const paged = ['charge/get', 'charge/getAll', 'customer/getAll', 'invoice/get', 'invoice/getAll'];

for (const { key } of operations) {
	if (!works[key]) throw new Error(`There is nothing hostile for ${key} yet`);
}

let cases = 0;

/** One case: an operation of the node, and answers that are not what they should be. The same seed is the same case. */
export async function runNodeCase(lane: Lane, seed: number, run: RunNode): Promise<CaseResult> {
	const dice = diceOf(seed);
	const { simulator, proxy } = lane;
	const apiKey = `hostile-key-${seed}-${(cases += 1)}-secret`;
	simulator.world.reset(settingsOf(dice, apiKey));
	const { key } = dice.pick(operations);
	const creates = key.includes('/create');
	const drawn = works[key](lane, dice);
	const isPart = key !== 'customer/getAll' && dice.chance(50);
	const maxWait = dice.pick([0, 0, 0, 1, 2]);
	const plan = dice.chance(4) ? undefined : drawPlan(dice, paged.includes(key), creates);
	const onError = dice.pick([
		'continueRegularOutput',
		'continueRegularOutput',
		'stopWorkflow',
	] as const);
	const [resource, operation] = key.split('/');
	const hasSimplify = !/^member|^customer/.test(key);
	const work: Work = {
		key,
		items: [{}],
		names: [],
		limit: Infinity,
		isPart,
		...drawn,
		parameters: {
			resource,
			operation,
			...drawn.parameters,
			...(hasSimplify && { simplify: isPart }),
			options: {
				maxWait,
				maxRequestsInFlight: dice.pick([1, 5]),
				...(/^(charge|invoice)\/getAll/.test(key) &&
					dice.chance(50) && { pageSize: dice.pick([1, 7, 20, 100]) }),
			},
			requestOptions: { timeout: plan?.isSlow ? 700 : 120_000 },
		},
	};
	if (creates && dice.chance(30)) addExisting(lane, work, dice);
	proxy.begin(simulator.url, apiKey, plan);
	const credential = { apiKey, baseUrl: proxy.url };
	const before = ledgerOf(lane, work);
	const options: RunOptions = { credential, parameters: work.parameters, items: work.items };
	const retries = dice.chance(15) ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {};
	const result = await run({ ...options, node: { onError, ...retries } });
	const { exchanges } = proxy;
	const words = `${key}, ${onError}: ${plan?.words ?? 'nothing wrong'}`;
	const problems = [
		...judge(lane, work, plan, result, exchanges),
		...(creates ? judgeCreates(lane, work, result, exchanges, before) : []),
		...(result.error && result.stored.includes(apiKey) ? ['the error holds the API key'] : []),
		...(result.json.some(({ error }) => String(error).includes(apiKey))
			? ['an item holds the API key']
			: []),
	];
	// The service is well again.
	proxy.begin(simulator.url, apiKey);
	const again = await run({
		...options,
		parameters: {
			...work.parameters,
			requestOptions: { timeout: 120_000 },
			...(work.key.startsWith('invoice/create') && { ifInvoiceNumberExists: 'returnExisting' }),
		},
		node: { onError: 'continueRegularOutput' },
	});
	problems.push(...judgeAgain(lane, work, again, proxy.exchanges));
	problems.push(...pollution());
	if (proxy.foreign.length)
		problems.push(`a foreign host got ${proxy.foreign.splice(0).join('; ')}`);
	const isFailed =
		result.error !== undefined ||
		result.json.some(({ error }) => typeof error === 'string' && work.items.length);
	return { words, problems, outcome: isFailed ? 'error' : 'success', requests: exchanges.length };
}

function settingsOf(dice: Dice, apiKey: string): SettingsInput {
	return {
		apiKey,
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
	};
}

/** The first of the invoices that are to be made is there already. */
function addExisting(lane: Lane, { key, items }: Work, dice: Dice): void {
	const [{ invoice_number: number }] = items;
	if (!key.startsWith('invoice') || number === undefined || dice.chance(50)) return;
	account(lane).addInvoice(
		{ invoice_number: String(number), title: 'before' },
		Date.now() - 86_400_000,
	);
}

/** How many there are of each that was to be created. */
function ledgerOf(lane: Lane, { key, names }: Work): number[] {
	const { created, members } = account(lane);
	return names.map((name) =>
		key === 'member/create'
			? members.filter(({ user }) => user.first_name === name).length
			: created.filter(({ request }) => request.title === name).length,
	);
}

/** What the node adds to what the service sent. */
const addedByUs = ['outcome', 'differences', 'duplicates', 'duplicateOf', 'duplicatesChecked'];

/** What holds for every operation. */
function judge(
	lane: Lane,
	work: Work,
	plan: DrawnPlan | undefined,
	{ json, error }: RunResult,
	exchanges: Exchange[],
): string[] {
	const { key, limit, isPart, id, names } = work;
	const problems: string[] = [];
	const results = json.filter((one) => !isErrorItem(one));
	if (!plan && (error || results.length !== json.length) && !mayRefuse(work))
		problems.push(`nothing was wrong, but: ${error?.message ?? JSON.stringify(json)}`);
	problems.push(...strangePrototypes(json));
	const sent = exchanges.flatMap(objectsIn);
	if (results.length > Math.max(limit, names.length)) problems.push('more results than the limit');
	if (key === 'customer/getAll') {
		const texts = exchanges.map(({ text }) => text.toLowerCase()).join('\n');
		for (const result of results) {
			if (!texts.includes(String(result.id).toLowerCase()))
				problems.push(`a customer who was made up: ${JSON.stringify(result)}`);
		}
	} else if (key !== 'invoice/createFromRows') {
		const added = [...addedByUs, ...(isPart ? ['payer'] : [])];
		for (const result of results) {
			if (!wasSent(result, sent, added, isPart))
				problems.push(`a result that was not sent: ${JSON.stringify(result).slice(0, 500)}`);
		}
	}
	if (
		id !== undefined &&
		results.some((one) => String(one.id).trim().toLowerCase() !== id.toLowerCase())
	)
		problems.push('another one than was asked for');
	const ids = results.map((one) => one.id).filter((one) => typeof one === 'string' && one !== '');
	if (/getAll$/.test(key) && !key.startsWith('member') && new Set(ids).size < ids.length)
		problems.push('a result twice');
	if (!error && /(charge|invoice)\/getAll/.test(key) && results.length === json.length)
		problems.push(...judgeWhole(lane, work, plan, results.length, exchanges));
	return problems;
}

const isErrorItem = ({ error }: IDataObject) => typeof error === 'string' && error !== 'made up';
const mayRefuse = ({ parameters, items, key }: Work) =>
	// An invoice without a number could not be found again, and one that exists may not be wanted.
	key.startsWith('invoice/create') &&
	(parameters.ifInvoiceNumberExists === 'fail' ||
		(parameters.ifInvoiceNumberExists === 'returnExisting' &&
			items[0].invoice_number === undefined));

/** A list that was cut short must not pass for a whole one, where anything that the service said tells that it was. */
function judgeWhole(
	lane: Lane,
	{ key, limit }: Work,
	plan: DrawnPlan | undefined,
	length: number,
	exchanges: Exchange[],
): string[] {
	const { settings } = lane.simulator.world;
	const there = Math.min(limit, key.startsWith('charge') ? settings.charges : settings.invoices);
	if (length >= there) return [];
	if (!plan) return [`${length} of ${there} results, although nothing was wrong`];
	const claimed = Math.min(limit, claimedCount(exchanges) ?? 0);
	return length < Math.min(claimed, there) ? [`${length} results pass for all of ${claimed}`] : [];
}

/** What was created, and what is said of it. */
function judgeCreates(
	lane: Lane,
	work: Work,
	{ json, error }: RunResult,
	exchanges: Exchange[],
	before: number[],
): string[] {
	const { names, key } = work;
	const problems: string[] = [];
	const made = ledgerOf(lane, work).map((count, at) => count - before[at]);
	const told = `${error?.message ?? ''} ${error?.description ?? ''}`;
	const posts = exchanges.filter(({ method }) => method === 'POST');
	const field = key === 'member/create' ? 'first_name' : 'title';
	names.forEach((name, at) => {
		const own = posts.filter(
			({ body }) => (JSON.parse(body) as Record<string, unknown>)[field] === name,
		);
		if (made[at] > 1) problems.push(`${name} was created ${made[at]} times`);
		own.slice(0, -1).forEach(({ status, isWhole }) => {
			// So do redirects that ask for the same request elsewhere.
			const isRefused =
				(status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;
			if (!isRefused || !isWhole)
				problems.push(
					`${name} was sent again after an answer that does not say that nothing was done (${status})`,
				);
		});
		if (error) {
			const isTold =
				/may still have been created|changed the invoice number/.test(told) ||
				told.includes(`item ${at}`) ||
				// The first row of a sheet is its second line.
				told.includes(`row ${at + 2}`);
			if (made[at] && !isTold)
				problems.push(`${name} was created, and the error does not say so: ${told.slice(0, 600)}`);
			return;
		}
		const item = json[at];
		if (!item) return void problems.push(`nothing came of ${name}`);
		if (isErrorItem(item)) {
			const text = String(item.error);
			if (made[at] && !/may still have been created|changed the invoice number/.test(text))
				problems.push(`${name} was created, and its error does not say so: ${text}`);
			return;
		}
		const { outcome } = item;
		const isCreated = key === 'member/create' || outcome === 'created' || outcome === 'recovered';
		if (isCreated && made[at] !== 1)
			problems.push(`${name} is said to be ${String(outcome)}, but ${made[at]} are there`);
		if (outcome === 'created' || key === 'member/create') {
			const sent = own.flatMap(objectsIn).map(({ id }) => id);
			if (
				!sent.some(
					(id) =>
						String(id) === String(item.id) || (typeof id === 'number' && id === Number(item.id)),
				) ||
				!['string', 'number'].includes(typeof item.id) ||
				item.id === ''
			)
				problems.push(
					`${name} is said to be created without a usable ID: ${JSON.stringify(item.id)}`,
				);
		}
		if (!isCreated && made[at])
			problems.push(`${name} was created, and is said to be ${String(outcome)}`);
	});
	return problems;
}

/** The same once more, of a service that is well. */
function judgeAgain(
	lane: Lane,
	work: Work,
	{ json, error }: RunResult,
	exchanges: Exchange[],
): string[] {
	const { names, key, items } = work;
	const problems: string[] = [];
	const text = `${error?.message ?? ''} ${json.map((one) => String(one.error ?? '')).join(' ')}`;
	const isPausing = /asked for a pause/.test(text);
	if (names.length && key !== 'member/create' && items[0].invoice_number !== undefined) {
		ledgerOf(lane, work).forEach((count, at) => {
			if (count > 1) problems.push(`${names[at]} is there ${count} times after another run`);
		});
	} else if (!names.length) {
		if ((error || json.some(isErrorItem)) && !isPausing)
			problems.push(`the service is well, but: ${text}`);
		else if (!isPausing && !error)
			problems.push(...judge(lane, work, undefined, { json, error } as RunResult, exchanges));
	}
	return problems;
}
