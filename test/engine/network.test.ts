import type { FaultAction } from '../../simulator/faults';
import { startSimulator } from '../../simulator/server';
import { pause, passTime } from '../helpers/n8n/clock';
import { continues, itemsOf, useNode } from '../helpers/n8n/nodeRuns';
import { timeoutFor } from '../helpers/service/useSimulator';

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

	test('wait between batches of n8n', async () => {
		const requestOptions = { batching: { batch: { batchSize: 3, batchInterval: 60_000 } } };
		const running = run(service.invoice({ requestOptions }), { items: itemsOf(8) });
		for (const count of [3, 6]) {
			while (service.created.length < count) await pause(10);
			await pause(200);
			expect(service.requests).toHaveLength(count);
			passTime(60_000);
		}
		expect((await running).json).toHaveLength(8);
	});
});

const lost: Array<[string, Partial<FaultAction>]> = [
	['reset', { kind: 'reset' }],
	['time-out', { kind: 'timeout' }],
	['cut JSON', { kind: 'cutJson' }],
];

describe('a read is sent again', () => {
	beforeEach(() => setWaits(0.01));

	test.each([...lost, ...statuses(408, 425, 429, 500, 502, 503, 504)])(
		'after %s',
		async (_name, action) => {
			fault(action, { times: 2 });
			const { json } = await run(few({ requestOptions: { timeout: timeoutFor(action) } }));
			expect([json.length, service.requests.length]).toEqual([3, 3]);
		},
	);

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
		expect((await run(charges({ maxWait: 0 }))).error).toBeDefined();
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

describe('a create is only sent again if it was certainly not processed', () => {
	beforeEach(() => setWaits(0.01));

	test('[R5] after any number of 429', async () => {
		fault(tooMany(), { times: 4 });
		const { json } = await run(service.invoice());
		expect([json.length, service.requests.length, service.created.length]).toEqual([1, 5, 1]);
	});

	const afterNothing = { retryAfter: { seconds: 0, as: 'seconds' } };
	test.each([
		...lost,
		...[408, 425, 500, 502, 503, 504].map(
			(code) => [`status ${code}`, status(code, afterNothing)] as const,
		),
	])('not after %s', async (_name, action) => {
		fault(action, { times: null });
		const requestOptions = { timeout: timeoutFor(action) };
		expect((await run(service.invoice({ requestOptions }))).error).toBeDefined();
		expect(service.requests).toHaveLength(1);
	});
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

	// The pause of the test before must not reach the next ones.
	afterAll(async () => await pause(3000));
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

	test.each([status(422), { kind: 'json', body: [] }] as const)(
		'stops items that wait (%j)',
		async (action) => {
			service.world.set({ latency: 50 });
			setWaits(0.1);
			// Both have to wait, and then go one at a time.
			fault(tooMany(0.2), { times: 2 });
			fault(action, { contains: '"N-0"' });
			const parameters = invoices({ maxRequestsInFlight: 2, maxWait: 1 });
			const { error } = await run(parameters, { items: itemsOf(2) });
			expect(error?.description).toContain('[item 2]');
			expect(posts()).toHaveLength(3);
		},
	);
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
