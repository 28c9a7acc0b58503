import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../nodes/InvoicingPayments/execution/operation';
import type { FaultAction } from '../../simulator/faults';
import { startSimulator } from '../../simulator/server';
import { pause } from '../helpers/n8n/clock';
import type { RunOptions } from '../helpers/n8n/engine';
import { callAsTools } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	ids,
	itemsOf,
	oneTry,
	outcomes,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { operations } from '../helpers/n8n/operations';

/** Requests that fail: which are sent again and when, which never, what happens to the other items, and what the error says. */
const { service, run, posts, fault } = useNode();

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

describe('a fault in the node itself after the create', () => {
	const tested = operations.find(({ key }) => key === 'invoice/create');
	const create = tested?.operation as Required<Operation>;

	test('[R5] is an error that says so, and is not created again, if the result cannot be shown', async () => {
		const { perform } = create;
		jest.spyOn(create, 'perform').mockImplementation(async (...args) => {
			const created = await perform(...args);
			// `String` fails for such a date.
			for (const one of created.ok ? created.value : []) one.due_date = { toString: 1 };
			return created;
		});
		const { error } = await run(service.invoice(), { node: retry });
		expect(error?.message).toContain('may still have been created');
		expect([service.requests.length, service.created.length]).toEqual([1, 1]);
	});

	test('[R5] lists what was created if the review of all fails', async () => {
		jest.spyOn(create, 'review').mockRejectedValueOnce(new Error('A planted fault'));
		const { error } = await run(service.invoice(), { items: itemsOf(2) });
		expect(error?.message).toBe('A planted fault (2 items were done)');
		for (const { full } of service.created) expect(error?.description).toContain(full.id);
		expect(service.created).toHaveLength(2);
	});
});
