import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultAction } from '../../simulator/faults';
import { startSimulator } from '../../simulator/server';
import { passTime, pause } from '../helpers/n8n/clock';
import type { RunOptions } from '../helpers/n8n/engine';
import { callAsTools } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	ids,
	itemsOf,
	outcomes,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters, perRow } from '../helpers/sheets/fromRows';
import { isNight } from '../helpers/someOf';

/**
 * Requests that fail: which are sent again and when, which never, what happens to the other items, and what the error says. No invoice
 * exists twice, and none is missing without an error, however the answer to its create gets lost.
 */
const { service, run, posts, fault, row } = useNode();

const charges = (options: object = {}, change: object = {}) => ({
	resource: 'charge',
	operation: 'getAll',
	options,
	...change,
});
/** Reads three charges. */
const few = (change: object = {}) => charges({}, { limit: 3, ...change });
const allCharges = charges({}, { returnAll: true });
const invoices = (options: object = {}) =>
	service.invoice({ options, additionalFields: { invoiceNumber: '=N-{{ $json.index }}' } });
const oneTry = { options: { maxWait: 0 } };
const listCharges = charges({ maxWait: 0 });

const status = (code: number, change: object = {}) =>
	({ kind: 'status', status: code, ...change }) as Partial<FaultAction>;
const statuses = (...codes: number[]) =>
	codes.map((code): [string, Partial<FaultAction>] => [`status ${code}`, status(code)]);
const tooMany = (seconds?: number, as: 'seconds' | 'date' = 'seconds') =>
	status(429, seconds === undefined ? {} : { retryAfter: { seconds, as } });

/** Milliseconds from the first request to each. */
const times = () => service.requests.map(({ at }) => at - service.requests[0].at);
/** Sets each wait before another try to this part of the longest one. */
const setWaits = (part: number) => jest.spyOn(Math, 'random').mockReturnValue(part);
afterEach(() => jest.restoreAllMocks());

describe('requests in flight', () => {
	test('[R8] are at most five, and begin in the order of the items', async () => {
		service.world.set({ latency: 5 });
		const { json } = await run(invoices(), { items: itemsOf(100) });
		const { mostOpenConnections, mostInFlight } = service.world.traffic;
		expect([mostOpenConnections, mostInFlight]).toEqual([5, 5]);
		const sent = service.requests.map(({ body }) =>
			Number((body as { invoice_number: string }).invoice_number.slice(2)),
		);
		// Simultaneous requests may arrive in another order.
		sent.forEach((index, at) => expect(Math.abs(index - at)).toBeLessThan(5));
		const numbers = json.map(({ invoice_number: number }) => number);
		expect(numbers).toEqual(itemsOf(100).map(({ index }) => `N-${Number(index)}`));
	});

	test.each([1, 12, 50])('follow Max Requests in Flight: %i', async (maxRequestsInFlight) => {
		service.world.set({ latency: 10 * maxRequestsInFlight });
		await run(invoices({ maxRequestsInFlight }), { items: itemsOf(120) });
		expect(service.world.traffic.mostInFlight).toBe(maxRequestsInFlight);
	});

	test('are counted over simultaneous workflows and pages', async () => {
		service.world.reset({ latency: 10, charges: 1000 });
		const runs = await Promise.all([
			run(invoices(), { items: itemsOf(30) }),
			run(allCharges),
			run(allCharges, { items: itemsOf(3) }),
		]);
		expect(runs.map(({ json }) => json.length)).toEqual([30, 1000, 3000]);
		expect(service.world.traffic.mostInFlight).toBe(5);
	});
});

describe('a read is sent again', () => {
	beforeEach(() => setWaits(0.01));

	test.each<[string, Partial<FaultAction>]>([
		['reset', { kind: 'reset' }],
		['time-out', { kind: 'timeout' }],
		['cut JSON', { kind: 'cutJson' }],
		['a connection that ends in the middle of it', { kind: 'cutConnection' }],
		...statuses(408, 425, 429, 500, 502, 503, 504),
	])('after %s', async (_name, action) => {
		// Short only if nothing ever comes, because a busy machine needs time.
		const timeout = action.kind === 'timeout' ? 1000 : 20_000;
		fault(action, { times: 2 });
		const { json } = await run(few({ requestOptions: { timeout } }));
		expect([json.length, service.requests.length]).toEqual([3, 3]);
	});

	test.each<[string, Partial<FaultAction>]>([
		['a web page', { kind: 'html' }],
		['nothing', { kind: 'emptyBody' }],
		['something else', { kind: 'json', body: {} }],
		['a redirect', { kind: 'redirect', location: '/elsewhere', status: 302 }],
		...statuses(400, 401, 403, 404, 409, 422),
	])('but not after %s, which will not change', async (_name, action) => {
		fault(action, { times: null });
		const { error } = await run(charges({ pageSize: 10 }));
		expect(error).toBeDefined();
		expect(error?.message).not.toContain('tried');
		expect(service.requests).toHaveLength(1);
	});

	test('until Max Wait, and the error says how often and how long', async () => {
		setWaits(0.9);
		fault(status(503, { message: 'Maintenance' }), { times: null });
		const { error } = await run(charges({ maxWait: 3 }));
		// 0.45 s and 0.9 s; another 1.8 s would be too much.
		expect(error?.message).toMatch(
			/^The service failed \(status 503\): Maintenance \(tried 3 times in [123] s\)$/,
		);
		expect(service.requests).toHaveLength(3);
		expect(error?.failure?.cause).toBe('temporarily-unavailable');
	});

	test('but not with a Max Wait of 0', async () => {
		setWaits(0);
		fault(status(503));
		expect((await run(few(oneTry))).error).toBeDefined();
		expect(service.requests).toHaveLength(1);
	});

	test('also for a page in the middle of a list, without losses or doubles', async () => {
		service.world.reset({ charges: 1000, latency: 5 });
		fault(status(500), { skip: 3, times: 4 });
		fault({ kind: 'reset' }, { skip: 5, times: 2 });
		const { json } = await run(allCharges);
		expect([json.length, new Set(json.map(({ id }) => id)).size]).toEqual([1000, 1000]);
	});
});

test('[R5] a create is sent again after any number of 429', async () => {
	setWaits(0.01);
	fault(tooMany(), { times: 4 });
	const { json } = await run(service.invoice());
	expect([json.length, service.requests.length, service.created.length]).toEqual([1, 5, 1]);
});

test.each([
	['reads', () => few(), [3, 0]],
	['creates', () => service.invoice(), [1, 1]],
] as const)('%s are sent again without a server at first', async (_what, parameters, counts) => {
	setWaits(0.5);
	const { apiKey } = service.world.settings;
	const first = await startSimulator({ apiKey });
	await first.close();
	const running = run(parameters(), { credential: { apiKey, baseUrl: first.url } });
	await pause(300);
	const second = await startSimulator({ apiKey }, Number(new URL(first.url).port));
	const { json, error } = await running;
	const { created } = second.world.account;
	await second.close();
	expect(error).toBeUndefined();
	expect([json.length, created.length]).toEqual(counts);
});

describe('a service that asks to wait', () => {
	// A date has no fractions of a second.
	test.each([
		['seconds', 1],
		['date', 2],
	] as const)('is given the time that it asks for (%s)', async (as, seconds) => {
		fault(tooMany(seconds, as));
		expect((await run(few())).json).toHaveLength(3);
		const [, second] = times();
		expect(second).toBeGreaterThanOrEqual(995);
		// Less than a back-off.
		expect(second).toBeLessThan(20_000);
	});

	test('is given the time if that is most of Max Wait', async () => {
		fault(tooMany(1.5), { times: 2 });
		const { json } = await run(charges({ maxWait: 5 }, { limit: 1 }));
		expect([json.length, service.requests.length]).toEqual([1, 3]);
	});

	test('makes all requests to it wait', async () => {
		fault(tooMany(1), { skip: 3 });
		const [first, second] = await Promise.all([
			run(invoices({ maxRequestsInFlight: 2 }), { items: itemsOf(10) }),
			pause(100).then(async () => await run(few())),
		]);
		expect([first.json.length, second.json.length]).toEqual([10, 3]);
		expect(service.created).toHaveLength(10);
		// The request beside the fourth one, which has to wait, and then nothing for a second.
		const asked = times()[3];
		const during = times().filter((ms) => ms > asked && ms < asked + 990);
		expect(during.length).toBeLessThanOrEqual(2);
	});

	test('loses and doubles nothing, however often it refuses', async () => {
		setWaits(0.1);
		service.world.set({ latency: 5 });
		fault(tooMany(0.05), { skip: 20, times: 40 });
		const { json } = await run(invoices({ maxRequestsInFlight: 20 }), { items: itemsOf(100) });
		expect(new Set(json.map(({ id }) => id)).size).toBe(100);
		expect(service.created).toHaveLength(100);
	});

	test('is an error if that is longer than Max Wait, and no other requests are sent', async () => {
		fault(tooMany(3), { times: null });
		const begin = Date.now();
		const { json } = await run(invoices({ maxWait: 2, maxRequestsInFlight: 1 }), {
			items: itemsOf(3),
			node: continues,
		});
		expect(Date.now() - begin).toBeLessThan(20_000);
		const unsent =
			"The request was not sent: the service asked for a pause that is longer than 'Max Wait'";
		expect(json.map(({ error }) => error)).toEqual([
			'The service is receiving too many requests and asks to wait 3 s: Fault on request [item 1]',
			`${unsent} [item 2]`,
			`${unsent} [item 3]`,
		]);
		expect(service.requests).toHaveLength(1);
	});

	test('is waited for no longer than Max Wait by many requests', async () => {
		service.world.reset({ latency: 100 });
		fault(tooMany(), { times: null });
		const begin = Date.now();
		const { json } = await run(charges({ maxWait: 2, maxRequestsInFlight: 20 }), {
			items: itemsOf(20),
			node: continues,
		});
		expect(Date.now() - begin).toBeLessThan(20_000);
		for (const { error } of json) expect(error).toMatch(/too many requests|longer than 'Max Wait'/);
	});
});

describe('one item that fails for good', () => {
	test('ends the waits of the other items', async () => {
		fault(status(503), { contains: 'first', times: null });
		fault(status(422), { contains: 'second', times: null });
		const search = '={{ ["first", "second"][$json.index] ?? "" }}';
		const begin = Date.now();
		const { error } = await run(charges({}, { filters: { search } }), { items: itemsOf(2) });
		expect(Date.now() - begin).toBeLessThan(20_000);
		expect(error?.message).toContain('status 422');
		expect(error?.message).toContain('1 other item failed as well');
	});

	test('stops items that wait', async () => {
		service.world.set({ latency: 50 });
		setWaits(0.1);
		// Both have to wait, and then go one at a time.
		fault(tooMany(0.2), { times: 2 });
		fault(status(422), { contains: '"N-0"' });
		const parameters = invoices({ maxRequestsInFlight: 2, maxWait: 1 });
		const { error } = await run(parameters, { items: itemsOf(2) });
		expect(error?.description).toContain('[item 2]');
		expect(posts()).toHaveLength(3);
	});
});

describe('cancelling the execution', () => {
	test.each([
		['a back-off', status(503)],
		['a pause that the service asked for', tooMany(2)],
	])('ends %s', async (_name, action) => {
		setWaits(1);
		fault(action, { times: null });
		const begin = Date.now();
		const cancelWhen = () => service.requests.length > 0;
		await run(charges(), { items: itemsOf(20), cancelWhen });
		// Less than Max Wait, which is a minute.
		expect(Date.now() - begin).toBeLessThan(20_000);
		await pause(2500);
		// Requests that were on their way, and none of them twice.
		expect(service.requests.length).toBeLessThanOrEqual(5);
	});

	test.each([
		['the pages of a list', () => allCharges, 1, 39],
		['items that wait', () => service.invoice(), 100, 20],
	] as const)('stops %s', async (_name, parameters, count, most) => {
		service.world.reset({ charges: 5000, latency: 50 });
		const cancelWhen = () => service.requests.length > 3;
		const { error } = await run(parameters(), { items: itemsOf(count), cancelWhen });
		await pause(300);
		expect(error).toBeDefined();
		expect(service.requests.length).toBeLessThanOrEqual(most);
	});
});

type Outcome = 'created' | 'recovered' | 'failed';
/** Before the last look for the invoice of a lost response, and after it. */
const late = { lateMs: 2500 };
const tooLate = { lateMs: 40_000 };
const down = (code: number, work: 'none' | 'done') =>
	status(code, { message: 'Down', work, retryAfter: { seconds: 0, as: 'seconds' } });

/** What happens to the first create, and the outcome of its item, with a number and without. */
const losses: Array<[string, Partial<FaultAction>, numbered: Outcome, unnumbered: Outcome]> = [
	['timeout before', { kind: 'timeout', work: 'none' }, 'failed', 'failed'],
	['timeout after', { kind: 'timeout', work: 'done' }, 'recovered', 'failed'],
	['timeout, done seconds later', { kind: 'timeout', work: late }, 'recovered', 'failed'],
	['timeout, done after the search', { kind: 'timeout', work: tooLate }, 'failed', 'failed'],
	['reset before', { kind: 'reset', work: 'none' }, 'failed', 'failed'],
	['reset after', { kind: 'reset', work: 'done' }, 'recovered', 'failed'],
	['reset, done seconds later', { kind: 'reset', work: late }, 'recovered', 'failed'],
	['reset, done after the search', { kind: 'reset', work: tooLate }, 'failed', 'failed'],
	['drip before', { kind: 'drip', everyMs: 20, work: 'none' }, 'failed', 'failed'],
	['drip after', { kind: 'drip', everyMs: 20, work: 'done' }, 'recovered', 'failed'],
	['429', down(429, 'none'), 'created', 'created'],
	...[408, 425, 500, 502, 503, 504].flatMap((code): typeof losses => [
		[`${code} before`, down(code, 'none'), 'failed', 'failed'],
		[`${code} after`, down(code, 'done'), 'recovered', 'failed'],
	]),
	['HTML', { kind: 'html' }, 'failed', 'failed'],
	['cut JSON', { kind: 'cutJson' }, 'recovered', 'failed'],
	['half an answer', { kind: 'cutConnection' }, 'recovered', 'failed'],
	['no body', { kind: 'emptyBody' }, 'recovered', 'failed'],
	['JSON that is no invoice', { kind: 'json', body: {} }, 'failed', 'failed'],
	['redirect', { kind: 'redirect', location: 'https://x.example', status: 302 }, 'failed', 'failed'],
]; // prettier-ignore

const lossesByRun = losses.flatMap(([name, action, numbered, unnumbered]) =>
	(['create', 'createFromRows'] as const).flatMap((operation) =>
		[true, false].flatMap((hasNumber) =>
			(['create', 'returnExisting'] as const).map((choice) => {
				// Create From Rows makes numbers from the content if Return Existing needs them.
				const getsNumber = operation === 'createFromRows' && choice === 'returnExisting';
				const isFindable = hasNumber || getsNumber;
				return {
					name: `${name}: ${operation}, ${hasNumber ? 'with' : 'without'} number, ${choice}`,
					...{ action, operation, hasNumber, isFindable, choice },
					expected: isFindable ? numbered : unnumbered,
				};
			}),
		),
	),
);

describe('[R5] a create whose answer is lost is sent once, in later runs as well', () => {
	const titles = ['one', 'two'];
	/** The number of invoices of each title. */
	const counts = () =>
		titles.map((title) => service.created.filter(({ request }) => request.title === title).length);
	/** Creates an invoice for each title. */
	const parametersOf = ({ operation, hasNumber }: (typeof lossesByRun)[number]) =>
		operation === 'createFromRows'
			? fromRowsParameters(
					perRow('Title = Title', ...(hasNumber ? ['Invoice Number = Invoice Number'] : [])),
				)
			: service.invoice({
					additionalFields: {
						title: '={{ $json.Title }}',
						invoiceNumber: '={{ $json["Invoice Number"] }}',
					},
				});

	test.each(lossesByRun)('$name', async (one) => {
		const { action, operation, hasNumber, isFindable, choice, expected } = one;
		const isRefused = 'status' in action && action.status === 429;
		const items = titles.map((title) =>
			row(hasNumber ? `N-${title}` : undefined, { Title: title }),
		);
		const runOnce = async (change: object) => {
			const parameters = confirmedParameters(
				{ ...parametersOf(one), ...change } as INodeParameters,
				items,
			);
			const { json, hints } = await run(parameters, { items, node: continues });
			const [result] = json;
			const isWarned = hints.join().includes('For these invoices no response arrived');
			return { error: result.error, outcome: result.error ? 'failed' : result.outcome, isWarned };
		};
		const options = { maxWait: 6, maxRequestsInFlight: 1 };
		fault(action, { method: 'POST', path: '/v1/invoices' });
		const { outcome, error, isWarned } = await runOnce({
			ifInvoiceNumberExists: choice,
			options,
			requestOptions: { timeout: 3000 },
		});
		if (!isFindable && choice === 'returnExisting') {
			// Nothing is sent without a number to find it by.
			expect([outcome, posts(), counts()]).toEqual(['failed', [], [0, 0]]);
			expect(error).toContain('Invoice Number');
			return;
		}
		if ('work' in action && typeof action.work === 'object') await pause(tooLate.lateMs + 1000);
		const first = counts();
		expect(outcome).toBe(expected);
		expect(isWarned).toBe(outcome === 'recovered');
		for (const count of first) expect(count).toBeLessThanOrEqual(1);
		if (outcome === 'failed') expect(error).toContain('may still have been created');
		else expect(first).toEqual([1, 1]);
		// One for each item, and another one if the service refused the first.
		expect(posts()).toHaveLength(isRefused ? 3 : 2);
		// Create From Rows would make a number, by which an invoice that was created without one cannot be found.
		if (!isFindable && operation === 'createFromRows') return;
		const again = { ifInvoiceNumberExists: 'returnExisting', options };
		// A request that may still be on its way is not sent again for ten minutes.
		const soon = await runOnce(again);
		expect(counts()).toEqual(first);
		if (isFindable) expect(soon.outcome).toBe(first[0] ? 'found' : 'failed');
		passTime(10 * 60_000);
		await runOnce(again);
		expect(counts()).toEqual(isFindable ? [1, 1] : first);
	});
});

/** What the answer says: the JSON of an error, of a thing that is none, of a page that contradicts itself, or no JSON. */
const envelopes: Record<string, string> = {
	'an error': '{"message":"No"}',
	'an error with an ID': '{"id":"req_1","error":{"message":"No"}}',
	'a denied success': '{"id":"req_1","success":false}',
	'only an ID': '{"id":"req_1"}',
	'an ID and the status of an error': '{"id":"req_1","status":"error","code":"E1"}',
	'an error beside the fields of an invoice':
		'{"id":"req_1","currency":"EUR","title":"","errors":["No"]}',
	'an object without fields': '{}',
	'an empty list': '[]',
	'an empty page that says more follow': '{"count":0,"next":"https://x.example/2","results":[]}',
	'an empty page that was no success': '{"success":false,"results":[]}',
	'an empty page that counts -1': '{"count":-1,"next":null,"results":[]}',
	'an empty page that counts 3': '{"count":3,"next":null,"results":[]}',
	'an empty page with an error': '{"count":0,"next":null,"results":[],"error":"No"}',
	'a web page': '<html><title>Error</title></html>',
	nothing: '',
};
const everyStatus = [
	...[200, 201, 202, 204, 206, 299, 301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 420, 421, 422, 423],
	...[
		424, 425, 426, 428, 429, 431, 444, 451, 460, 499, 500, 501, 502, 503, 504, 507, 520, 524, 599,
	],
];
const ways = ['returnExisting', 'create', 'without a number'] as const;

const cells = Object.entries(envelopes).flatMap(([envelope, body], row) =>
	everyStatus.flatMap((status, column) =>
		(['none', 'done'] as const).flatMap((work, half) =>
			(['POST', 'GET'] as const).map((method) => ({
				...{ envelope, body, status, work, method },
				// By day 200 and 429 with each envelope, because most is at stake there, and the others with one.
				isRun: isNight || [200, 429].includes(status) || column % 15 === row,
				// Each way with each status and each envelope.
				way: method === 'GET' ? 'returnExisting' : ways[(row + column + half) % ways.length],
			})),
		),
	),
);
const parametersBy = (way: string): INodeParameters =>
	service.invoice({
		ifInvoiceNumberExists: way === 'returnExisting' ? way : 'create',
		additionalFields: way === 'without a number' ? {} : { invoiceNumber: 'N-1' },
		options: { maxWait: 2 },
	}) as INodeParameters;

test.each(Object.keys(envelopes))(
	'[R5] %s, with every status, leads to no second invoice, and to none that does not exist',
	async (name) => {
		const own = cells.filter(({ envelope, isRun }) => envelope === name && isRun);
		expect(own.length).toBeGreaterThan(11);
		const wrong: unknown[] = [];
		for (const { body, status, work, method, way } of own) {
			service.world.reset();
			const parameters = parametersBy(way);
			const headers = { 'retry-after': '0' };
			const action = { kind: 'raw', status, body, headers } as const;
			if (method === 'POST') fault({ ...action, work }, { method, path: '/v1/invoices' });
			else {
				// For a look-up, the work is done before: the invoice exists.
				if (work === 'done') await run(parameters);
				passTime(11 * 60_000);
				fault(action, { method, path: '/v1/invoices' });
			}
			const before = service.created.length;
			const first = await run(parameters, { node: retry });
			const created = service.created.length;
			const success = first.json.length > 0;
			const isInvented =
				success && !service.created.some(({ full }) => full.id === first.json[0].id);
			if (way === 'returnExisting') {
				passTime(11 * 60_000);
				const { json, error } = await run(parameters);
				if (json.length !== 1) wrong.push({ status, work, method, way, again: error?.message });
			}
			const { length } = service.created;
			// 429 says that nothing was done.
			const isPromised = status === 429 && work === 'done';
			if (length > 1 && !isPromised)
				wrong.push({ status, work, method, way, length, posts: posts().length });
			if (isInvented) wrong.push({ status, work, method, way, json: first.json });
			if (method === 'GET' && first.error && created > before) wrong.push({ status, way, created });
			if (!success && !first.error) wrong.push({ status, work, method, way, silent: true });
		}
		expect(wrong).toEqual([]);
	},
	120_000,
);

describe('[R10] an error names the item if there are several, and n8n stores neither the key nor its header', () => {
	const getMember = {
		resource: 'member',
		operation: 'get',
		memberId: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
	};

	async function expectError(parameters: object, words: string[], more: Partial<RunOptions> = {}) {
		const { error, stored, items } = await run(parameters, more);
		expect(items).toEqual([]);
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.message).not.toContain('[item');
		for (const hidden of [service.world.settings.apiKey, 'X-API-KEY', 'card_data', 'token=abc'])
			expect(stored).not.toContain(hidden);
		// n8n stores the parameters of the node, with the address of a proxy.
		expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
	}

	test.each<[string, unknown, object]>([
		['a bare list instead of a page', [1], listCharges],
		['no page with "results"', { count: 1 }, listCharges],
		['no page', null, listCharges],
		['no objects', { results: [null] }, listCharges],
		['no list of objects', {}, { resource: 'member', operation: 'getAll' }],
		['a list instead of an object', [], getMember],
		['JSON of type string instead of an object', 'text', getMember],
	])('reports %s for the response %j', async (words, body, parameters) => {
		fault({ kind: 'json', body });
		await expectError(parameters, ['an unexpected response', words]);
	});

	test.each<[string, object, object]>([
		['Nothing responds at 127.0.0.1:1', { baseUrl: 'http://127.0.0.1:1' }, {}],
		['service.invalid', { baseUrl: 'https://service.invalid' }, {}],
		[
			'through the proxy 127.0.0.1:1',
			{ baseUrl: 'https://service.invalid' },
			{ proxy: 'http://user:s3cret@127.0.0.1:1' },
		],
	])('says "%s" if there is no connection', async (words, change, requestOptions) => {
		const credential = { ...service.credential, ...change };
		await expectError({ ...listCharges, requestOptions }, [words], { credential });
	});

	test('reports a list that never ends', async () => {
		fault({ kind: 'json', body: { count: 9, next: 'x', results: [{ id: 'a' }] } }, { times: null });
		await expectError({ ...listCharges, returnAll: true }, ['page 2 of the list', 'earlier pages']);
	});
});

test.each(['http://x.example', 'x.example', ''])(
	'sends nothing to the Base URL %p',
	async (baseUrl) => {
		const { error } = await run(listCharges, { credential: { ...service.credential, baseUrl } });
		expect(error?.message).toContain('Base URL');
		expect(error?.description).toContain('Open the credential');
		expect(service.requests).toEqual([]);
	},
);

test('the wrong server is told by its address', async () => {
	fault({ kind: 'raw', status: 404, body: '<title>Error</title>' }, { times: null });
	const { error } = await run({ resource: 'charge', operation: 'getAll' });
	expect(error?.message).toBe(
		"The service found nothing at /v1/charges: Error. Check the 'Base URL' in the credential",
	);
});

describe('a create that may have been done', () => {
	test('may be done after a status 500 whose text names a network error', async () => {
		fault({ kind: 'status', status: 500, message: 'connect ECONNREFUSED 10.0.0.5' });
		const { error } = await run(service.invoice(oneTry));
		expect(error?.message).toContain('The invoice may still have been created');
		expect(service.requests).toHaveLength(1);
	});

	test('is not done after a redirect', async () => {
		fault({ kind: 'redirect', location: '/elsewhere', status: 307 });
		const { error } = await run(service.invoice(oneTry));
		expect(error?.message).toContain('redirect to');
		expect(error?.message).not.toContain('may still have been created');
	});
});

describe('several items', () => {
	test('are not sent after one that failed, and the error says what was done', async () => {
		fault({ kind: 'status', status: 500 }, { skip: 7 });
		const { error } = await run(service.invoice(), { items: itemsOf(100) });
		// Five are in flight when one fails.
		expect(service.requests.length).toBeLessThanOrEqual(12);
		const done = service.created.length;
		expect(error?.message).toContain('status 500');
		expect(error?.message).toContain(`(${done} other items were done, ${99 - done} were not sent)`);
		expect(error?.description).toMatch(/Not sent: \d+ items, the first of them item \d+\./);
		for (const { full } of service.created) expect(error?.description).toContain(full.id);
		expect(error?.message).toContain(`[item ${(error?.context.itemIndex as number) + 1}]`);
	});

	test('report several failures in one error', async () => {
		service.world.set({ latency: 50 });
		fault({ kind: 'status', status: 422, message: 'Too late' }, { skip: 1, times: 2 });
		const { error } = await run(service.invoice(), { items: itemsOf(5) });
		expect(error?.message).toContain('(3 other items were done, 1 other item failed as well)');
		expect(error?.description).toMatch(/Failed as well:.*Too late/);
	});

	test.each(continueModes)(
		'are all sent with Continue, with result or error (%s)',
		async (onError) => {
			fault({ kind: 'status', status: 422, message: 'No credit' }, { contains: '"N-7"' });
			fault({ kind: 'status', status: 500 }, { contains: '"N-9"' });
			const parameters = service.invoice({
				additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
				...oneTry,
			});
			const result = await run(parameters, { items: itemsOf(20), node: { onError } });
			const isFailed = ({ json }: { json: IDataObject }) => json.error !== undefined;
			const failed = [...result.items, ...result.errorItems].filter(isFailed);
			expect(failed.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
				[{ index: 7, error: expect.stringContaining('No credit [item 8]') }, { item: 7 }],
				[{ index: 9, error: expect.stringContaining('status 500') }, { item: 9 }],
			]);
			expect(result.items).toHaveLength(onError === 'continueErrorOutput' ? 18 : 20);
			const done = result.items.filter((one) => !isFailed(one));
			expect(done.map(({ json }) => json.invoice_number)).toEqual(
				done.map(({ pairedItem }) => `N-${(pairedItem as { item: number }).item}`),
			);
			expect([done.length, service.created.length]).toEqual([18, 18]);
			expect(service.world.traffic.mostOpenConnections).toBeLessThanOrEqual(5);
		},
	);

	test('fail alone if their expression cannot be evaluated', async () => {
		const dueDate = '={{ $json.index === 1 ? $("Nowhere").item.json.x : "2026-12-31" }}';
		const { items } = await run(service.invoice({ dueDate }), {
			items: itemsOf(3),
			node: continues,
		});
		const json = { index: 1, error: expect.any(String) as string };
		expect(items[1]).toMatchObject({ json, pairedItem: { item: 1 } });
		expect(service.created).toHaveLength(2);
	});
});

describe('Retry On Fail, which runs all items of the node again', () => {
	const tooMany = { kind: 'status', status: 429 } as const;
	const node = retry;
	const retryAndContinue = { ...retry, ...continues };

	test.each([false, true])(
		'repeats creates that were not done (Execute Once %p)',
		async (executeOnce) => {
			fault(tooMany, { method: 'POST', times: 2 });
			const { error, json } = await run(service.invoice(oneTry), {
				items: itemsOf(3),
				node: { ...node, executeOnce },
			});
			expect(error).toBeUndefined();
			expect([service.created.length, json.length]).toEqual(executeOnce ? [1, 1] : [3, 3]);
			expect(new Set(ids(json))).toEqual(new Set(service.created.map(({ full }) => full.id)));
		},
	);

	test.each([false, true])(
		'never repeats uncertain creates (Execute Once %p)',
		async (executeOnce) => {
			fault({ kind: 'reset', work: 'done' }, { method: 'POST' });
			const { error } = await run(service.invoice(), { node: { ...node, executeOnce } });
			expect(error?.message).toContain('may still have been created');
			expect([service.requests.length, service.created.length]).toEqual([1, 1]);
		},
	);

	test('never repeats uncertain creates of an AI agent', async () => {
		fault({ kind: 'reset', work: 'done' }, { method: 'POST' });
		const tool = { credential: service.credential, parameters: service.invoice(), node };
		const answers = await callAsTools([tool, tool]);
		const [error, ...others] = answers.filter((answer) => answer instanceof Error);
		expect(error.message).toContain('may still have been created');
		expect(others).toEqual([]);
		expect(outcomes(answers.flatMap((one) => (Array.isArray(one) ? one : [])))).toEqual([
			'created',
		]);
		expect([service.requests.length, service.created.length]).toEqual([2, 2]);
	});

	test('reports problems once with Continue, even if item 0 is never valid', async () => {
		const dueDate = '={{ $json.index ? "never" : $("Nowhere").item.json.x }}';
		const { json } = await run(service.invoice({ dueDate }), {
			items: itemsOf(2),
			node: retryAndContinue,
		});
		expect(String(json[1].error).match(/Due Date/g)).toHaveLength(1);
	});

	test('[R5] does not repeat creates with Continue', async () => {
		const dueDate = '={{ $json.index === 0 ? "never" : "2026-12-31" }}';
		const { json } = await run(service.invoice({ dueDate }), {
			items: itemsOf(3),
			node: retryAndContinue,
		});
		expect([json.length, service.created.length]).toEqual([3, 2]);
	});

	test.each([
		['an expression of the last try cannot be evaluated', '$("Nowhere").item.json.x', []],
		['the last try has invalid input', '"never"', ['Due Date', '1 other item was done']],
	])('says what an earlier try did if %s', async (_when, later, words) => {
		fault(tooMany, { method: 'POST', skip: 1, times: null });
		const dueDate = `={{ $json.index && Date.now() > $json.until ? ${later} : "2026-12-31" }}`;
		const until = Date.now() + 300;
		const { error } = await run(service.invoice({ dueDate, ...oneTry }), {
			items: itemsOf(2).map((item) => ({ ...item, until })),
			node: { ...node, waitBetweenTries: 400 },
		});
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.description).toContain(service.created[0].full.id);
		expect(service.created).toHaveLength(1);
	});
});
