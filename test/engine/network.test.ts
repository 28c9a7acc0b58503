import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { clearInterval, setInterval } from '../../tools/node';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import { startSimulator } from '../../simulator/server';
import { pause, passTime } from '../helpers/clock';
import type { RunOptions } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { timeoutFor, useSimulator } from '../helpers/service';

const service = useSimulator();

const charges = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	resource: 'charge',
	operation: 'getAll',
	options,
	...more,
});
const run = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	await runNode({ credential: service.credential, parameters, ...more });
const itemsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));
const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
	service.world.faults.add({ action: action as FaultAction, ...more });
const tooMany = (seconds?: number, as: 'seconds' | 'date' = 'seconds'): Partial<FaultAction> => ({
	kind: 'status',
	status: 429,
	...(seconds !== undefined && { retryAfter: { seconds, as } }),
});
/** Milliseconds from the first request to each. */
const times = () => service.requests.map(({ at }) => at - service.requests[0].at);

describe('bounded', () => {
	test('[R8] five at a time, however many items, and they begin in order', async () => {
		service.world.set({ latency: 5 });
		const parameters = service.invoice({
			additionalFields: { invoiceNumber: '={{ $json.index }}' },
		});
		const { json } = await run(parameters, { items: itemsOf(100) });
		expect(json).toHaveLength(100);
		const { mostOpenConnections, mostInFlight } = service.world.traffic;
		expect([mostOpenConnections, mostInFlight]).toEqual([5, 5]);
		const sent = service.requests.map(({ body }) =>
			Number((body as { invoice_number: string }).invoice_number),
		);
		// Requests that are sent at the same moment may arrive in another order.
		sent.forEach((index, at) => expect(Math.abs(index - at)).toBeLessThan(5));
		expect(json.map(({ invoice_number: number }) => number)).toEqual(
			itemsOf(100).map(({ index }) => String(index)),
		);
	});

	test.each([1, 12, 50])('Max Requests in Flight %i', async (maxRequestsInFlight) => {
		service.world.set({ latency: 10 * maxRequestsInFlight });
		await run(service.invoice({ options: { maxRequestsInFlight } }), { items: itemsOf(120) });
		expect(service.world.traffic.mostInFlight).toBe(maxRequestsInFlight);
	});

	test.each([0, 51, 2.5])('Max Requests in Flight %p is told', async (maxRequestsInFlight) => {
		const { error } = await run(charges({ maxRequestsInFlight }));
		expect(error?.message).toContain('Max Requests in Flight must be');
		expect(service.requests).toEqual([]);
	});

	test('workflows that run at the same time, and pages, count together', async () => {
		service.world.reset({ latency: 10, charges: 1000 });
		const runs = await Promise.all([
			run(service.invoice(), { items: itemsOf(30) }),
			run(charges({}, { returnAll: true })),
			run(charges({}, { returnAll: true }), { items: itemsOf(3) }),
		]);
		expect(runs.map(({ json }) => json.length)).toEqual([30, 1000, 3000]);
		expect(service.world.traffic.mostInFlight).toBe(5);
	});

	test("n8n's own batching: so many items begin, then it waits", async () => {
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

describe('reads are sent again', () => {
	// Short waits: how long they are is tested with waitAfter.
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.01));
	afterEach(() => jest.restoreAllMocks());

	test.each<[string, Partial<FaultAction>]>([
		['reset', { kind: 'reset' }],
		['time-out', { kind: 'timeout' }],
		['cut JSON', { kind: 'cutJson' }],
		...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Partial<FaultAction>] => [
			`status ${status}`,
			{ kind: 'status', status },
		]),
	])('after %s', async (_name, action) => {
		fault(action, { times: 2 });
		const requestOptions = { timeout: timeoutFor(action) };
		const { error, json } = await run(charges({}, { limit: 3, requestOptions }));
		expect(error).toBeUndefined();
		expect([json.length, service.requests.length]).toEqual([3, 3]);
	});

	test.each<[string, Partial<FaultAction>]>([
		['a web page', { kind: 'html' }],
		['nothing', { kind: 'emptyBody' }],
		['something else', { kind: 'json', body: {} }],
		['a redirect', { kind: 'redirect', location: '/elsewhere', status: 302 }],
		...[400, 401, 403, 404, 409, 422].map((status): [string, Partial<FaultAction>] => [
			`status ${status}`,
			{ kind: 'status', status },
		]),
	])('but not after %s', async (_name, action) => {
		fault(action, { times: null });
		const { error } = await run(charges({ pageSize: 10 }));
		expect(error).toBeDefined();
		expect(error?.message).not.toContain('tried');
		expect(service.requests).toHaveLength(1);
	});

	test('when nobody answers at first', async () => {
		const { apiKey } = service.world.settings;
		const first = await startSimulator({ apiKey });
		await first.close();
		const port = Number(new URL(first.url).port);
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const running = run(charges({}, { limit: 2 }), {
			credential: { ...service.credential, baseUrl: first.url },
		});
		await pause(300);
		const second = await startSimulator({ apiKey }, port);
		const { error, json } = await running;
		await second.close();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
	});

	test('until Max Wait: the error tells how often and how long', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.9);
		fault({ kind: 'status', status: 503, message: 'Maintenance' }, { times: null });
		const { error } = await run(charges({ maxWait: 3 }));
		// 0.45 s and 0.9 s; another 1.8 s would be too much.
		expect(error?.message).toMatch(
			/^The service failed \(status 503\): Maintenance \(tried 3 times in [123] s\) \[item 0\]$/,
		);
		expect(service.requests).toHaveLength(3);
		expect(error?.failure?.cause).toBe('temporarily-unavailable');
	});

	test('but not with a Max Wait of 0, not even when there would be no wait', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		fault({ kind: 'status', status: 503 });
		const { error } = await run(charges({ maxWait: 0 }));
		expect(error).toBeDefined();
		expect(service.requests).toHaveLength(1);
	});

	test('pages in the middle of a list as well, and nothing is lost or given twice', async () => {
		service.world.reset({ charges: 1000, latency: 5 });
		fault({ kind: 'status', status: 500 }, { skip: 3, times: 4 });
		fault({ kind: 'reset' }, { skip: 5, times: 2 });
		const { json } = await run(charges({}, { returnAll: true }));
		expect(new Set(json.map(({ id }) => id)).size).toBe(1000);
		expect(json).toHaveLength(1000);
	});
});

describe('creates are sent again only when they certainly were not processed', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.01));
	afterEach(() => jest.restoreAllMocks());

	test('[R5] after 429, however often', async () => {
		fault(tooMany(), { times: 4 });
		const { json } = await run(service.invoice());
		expect(json).toHaveLength(1);
		expect([service.requests.length, service.created.length]).toEqual([5, 1]);
	});

	test('when nobody answers at first', async () => {
		const { apiKey } = service.world.settings;
		const first = await startSimulator({ apiKey });
		await first.close();
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const running = run(service.invoice(), {
			credential: { ...service.credential, baseUrl: first.url },
		});
		await pause(300);
		const second = await startSimulator({ apiKey }, Number(new URL(first.url).port));
		const { json } = await running;
		const { created } = second.world.account;
		await second.close();
		expect(json).toHaveLength(1);
		expect(created).toHaveLength(1);
	});

	test.each<[string, Partial<FaultAction>]>([
		['reset', { kind: 'reset' }],
		['time-out', { kind: 'timeout' }],
		['cut JSON', { kind: 'cutJson' }],
		...[408, 425, 500, 502, 503, 504].map((status): [string, Partial<FaultAction>] => [
			`status ${status}`,
			{ kind: 'status', status, retryAfter: { seconds: 0, as: 'seconds' } },
		]),
	])('not after %s', async (_name, action) => {
		fault(action, { times: null });
		const requestOptions = { timeout: timeoutFor(action) };
		const { error } = await run(service.invoice({ requestOptions }));
		expect(error).toBeDefined();
		expect(service.requests).toHaveLength(1);
	});
});

describe('a service that asks to wait', () => {
	test.each(['seconds', 'date'] as const)('gets what it asks for (%s)', async (as) => {
		// A date has no fractions of a second.
		const seconds = as === 'date' ? 2 : 1;
		fault(tooMany(seconds, as));
		const { json } = await run(charges({}, { limit: 1 }));
		expect(json).toHaveLength(1);
		const [, second] = times();
		expect(second).toBeGreaterThanOrEqual(995);
		// Not what a back-off would have come to.
		expect(second).toBeLessThan(20_000);
	});

	test('gets it as well when that is most of Max Wait', async () => {
		fault(tooMany(1.5), { times: 2 });
		const { error, json } = await run(charges({ maxWait: 5 }, { limit: 1 }));
		expect(error).toBeUndefined();
		expect([json.length, service.requests.length]).toEqual([1, 3]);
	});

	test('while one request waits, the others to the same service wait as well', async () => {
		fault(tooMany(1), { skip: 3 });
		const [first, second] = await Promise.all([
			run(service.invoice({ options: { maxRequestsInFlight: 2 } }), { items: itemsOf(10) }),
			pause(100).then(async () => await run(charges({}, { limit: 1 }))),
		]);
		expect([first.json.length, second.json.length]).toEqual([10, 1]);
		expect(service.created).toHaveLength(10);
		// What was under way beside the fourth, which was asked to wait, and then nothing for a second.
		const asked = times()[3];
		const during = times().filter((ms) => ms > asked && ms < asked + 990);
		expect(during.length).toBeLessThanOrEqual(2);
	});

	test('a storm of refusals loses nothing and doubles nothing', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.1);
		service.world.set({ latency: 5 });
		fault(tooMany(0.05), { skip: 20, times: 40 });
		const parameters = service.invoice({ options: { maxRequestsInFlight: 20 } });
		const { json, error } = await run(parameters, { items: itemsOf(100) });
		expect(error).toBeUndefined();
		expect(new Set(json.map(({ id }) => id)).size).toBe(100);
		expect(service.created).toHaveLength(100);
		jest.restoreAllMocks();
	});

	test('longer than Max Wait: the error says so, and the others are not even sent', async () => {
		fault(tooMany(3), { times: null });
		const parameters = service.invoice({ options: { maxWait: 2, maxRequestsInFlight: 1 } });
		const begin = Date.now();
		const { json } = await run(parameters, {
			items: itemsOf(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(Date.now() - begin).toBeLessThan(20_000);
		expect(json.map(({ error }) => error)).toEqual([
			'The service is receiving too many requests and asks to wait 3 s: Fault on request [item 0]',
			"The request was not sent: the service asked for a pause that is longer than 'Max Wait' [item 1]",
			"The request was not sent: the service asked for a pause that is longer than 'Max Wait' [item 2]",
		]);
		expect(service.requests).toHaveLength(1);
	});

	test('Max Wait holds for many requests that are all asked to wait', async () => {
		service.world.reset({ latency: 100 });
		fault(tooMany(), { times: null });
		const begin = Date.now();
		const { json } = await run(charges({ maxWait: 2, maxRequestsInFlight: 20 }), {
			items: itemsOf(20),
			node: { onError: 'continueRegularOutput' },
		});
		expect(Date.now() - begin).toBeLessThan(20_000);
		for (const { error } of json) expect(error).toMatch(/too many requests|longer than 'Max Wait'/);
	});

	// The pause of the test before must not reach the next ones.
	afterAll(async () => await pause(3000));
});

describe('one item that fails for good', () => {
	test('ends the waiting of those that would have been sent again', async () => {
		fault({ kind: 'status', status: 503 }, { contains: 'first', times: null });
		fault({ kind: 'status', status: 422 }, { contains: 'second', times: null });
		const search = '={{ ["first", "second"][$json.index] ?? "" }}';
		const begin = Date.now();
		const { error } = await run(charges({}, { filters: { search } }), { items: itemsOf(2) });
		expect(Date.now() - begin).toBeLessThan(20_000);
		expect(error?.message).toContain('status 422');
		expect(error?.message).toContain('1 other item failed as well');
	});

	test('keeps those that wait for it from being sent, whatever is wrong with it', async () => {
		for (const action of [
			{ kind: 'status', status: 422 },
			{ kind: 'json', body: [] },
		] as const) {
			service.world.reset({ latency: 50 });
			jest.spyOn(Math, 'random').mockReturnValue(0.1);
			// Both are asked to wait, and then one goes at a time.
			fault(tooMany(0.2), { times: 2 });
			fault(action, { contains: '"N-0"' });
			const { error } = await run(
				service.invoice({
					additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
					options: { maxRequestsInFlight: 2, maxWait: 1 },
				}),
				{ items: itemsOf(2) },
			);
			jest.restoreAllMocks();
			expect(error?.description).toContain('[item 1]');
			expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
		}
	});

	test('among 200 with each way to continue', async () => {
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			service.world.reset();
			fault({ kind: 'status', status: 422, message: 'No credit' }, { contains: '"N-77"' });
			const parameters = service.invoice({
				additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
			});
			const { items, errorItems } = await run(parameters, {
				items: itemsOf(200),
				node: { onError },
			});
			const failed = [...items, ...errorItems].filter(({ json }) => json.error);
			expect(failed).toEqual([
				{
					json: { index: 77, error: expect.stringContaining('No credit [item 77]') as string },
					pairedItem: { item: 77 },
				},
			]);
			expect(items).toHaveLength(onError === 'continueErrorOutput' ? 199 : 200);
			expect(service.created).toHaveLength(199);
			items.forEach(({ pairedItem, json }) => {
				const { item } = pairedItem as { item: number };
				if (!json.error) expect(json.invoice_number).toBe(`N-${item}`);
			});
		}
	});

	test('an expression that cannot be evaluated is the error of its item', async () => {
		const dueDate = '={{ $json.index === 1 ? $("Nowhere").item.json.x : "2026-12-31" }}';
		const { items } = await run(service.invoice({ dueDate }), {
			items: itemsOf(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[1]).toMatchObject({
			json: { index: 1, error: expect.any(String) as string },
			pairedItem: { item: 1 },
		});
		expect(service.created).toHaveLength(2);
	});
});

describe('cancelling the execution', () => {
	test.each<[string, Partial<FaultAction>]>([
		['a back-off', { kind: 'status', status: 503 }],
		['a pause that the service asked for', tooMany(2)],
	])('ends %s', async (_name, action) => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		fault(action, { times: null });
		const begin = Date.now();
		await run(charges(), {
			items: itemsOf(20),
			cancelWhen: () => service.requests.length > 0,
		});
		jest.restoreAllMocks();
		// Not the minute that Max Wait would have allowed.
		expect(Date.now() - begin).toBeLessThan(20_000);
		await pause(2500);
		// Those that were on their way when it was cancelled, and none of them again.
		expect(service.requests.length).toBeLessThanOrEqual(5);
	});

	test('stops the pages of a list', async () => {
		service.world.reset({ charges: 5000, latency: 50 });
		await run(charges({}, { returnAll: true }), { cancelWhen: () => service.requests.length > 3 });
		await pause(200);
		expect(service.requests.length).toBeLessThan(40);
	});
});

describe('lists', () => {
	const ids = (json: IDataObject[]) => new Set(json.map(({ id }) => id));

	test.each<[string, object]>([
		['any cap', { maxPageSize: 7 }],
		['a size of 100 that is rejected', { maxPageSize: 30, overMaxPageSize: 'reject' }],
		['any default', { maxPageSize: 60, defaultPageSize: 3, overMaxPageSize: 'reject' }],
		['404 past the end', { pastTheEnd: 'notFound' }],
		['addresses of the next page that lead elsewhere', { next: 'otherHost' }],
		['no order', { order: 'none' }],
	])('whole with %s', async (_name, settings) => {
		service.world.reset({ charges: 333, ...settings });
		const { json } = await run(charges({}, { returnAll: true }));
		expect([json.length, ids(json).size]).toEqual([333, 333]);
	});

	test('a limit reads no more pages than it needs, 100 results each', async () => {
		const { json } = await run(charges({}, { limit: 150 }));
		expect(json).toHaveLength(150);
		expect(service.requests.map(({ query }) => query)).toEqual([
			{ page: '1', page_size: '100' },
			{ page: '2', page_size: '100' },
		]);
	});

	test('charges that come in while the list is read do not push others out of it', async () => {
		service.world.reset({ charges: 2000, latency: 5 });
		const before = service.world.account.listCharges({}, 1, 2000, 'newestFirst').results;
		const adding = setInterval(() => service.world.account.addCharge({}, Date.now()), 7);
		const { json, error } = await run(charges({}, { returnAll: true }));
		clearInterval(adding);
		expect(error).toBeUndefined();
		expect(ids(json).size).toBe(json.length);
		expect(before.filter(({ id }) => !ids(json).has(id))).toEqual([]);
	});
});

test('[R10] the key is in nothing that n8n stores, whatever goes wrong', async () => {
	const actionsWith = (key: string): Array<Partial<FaultAction>> => [
		{ kind: 'reset' },
		{ kind: 'cutJson' },
		{ kind: 'html' },
		{ kind: 'status', status: 401, message: `bad key ${key}` },
		{ kind: 'redirect', location: `/?key=${key}`, status: 302 },
		{ kind: 'timeout' },
		tooMany(1),
	];
	for (let at = 0; at < actionsWith('').length; at++) {
		service.world.reset();
		const key = service.world.settings.apiKey;
		const action = actionsWith(key)[at];
		fault(action, { times: null });
		const { error, stored } = await run(
			charges({ maxWait: 0 }, { requestOptions: { timeout: timeoutFor(action) } }),
		);
		expect(error).toBeDefined();
		expect(stored).not.toContain(key);
		expect(stored).not.toContain('X-API-KEY');
	}
});
