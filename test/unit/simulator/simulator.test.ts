import { z } from 'zod/v4';
import { endpoints } from '../../../contract';
import type { FaultInput } from '../../../simulator/faults';
import type { Simulator } from '../../../simulator/server';
import { startSimulator } from '../../../simulator/server';
import type { Settings, SettingsInput } from '../../../simulator/settings';
import { errorBodyShape } from '../../../simulator/settings';
import { delay } from '../../../tools/node';
import { sampleOf } from '../../helpers/sampleOf';
import { testAtNight } from '../../helpers/someOf';

let simulator: Simulator;
beforeAll(async () => {
	simulator = await startSimulator();
});
beforeEach(() => void simulator.world.reset());
afterAll(async () => await simulator.close());

const world = () => simulator.world;
const account = () => simulator.world.account;

/** A body makes it a POST. */
async function send<T = unknown>(path: string, body?: object, init: RequestInit = {}) {
	const response = await fetch(`${simulator.url}${path}`, {
		method: body ? 'POST' : 'GET',
		body: body && JSON.stringify(body),
		redirect: 'manual',
		...init,
		headers: {
			'x-api-key': world().settings.apiKey,
			...(body && { 'content-type': 'application/json' }),
			...init.headers,
		},
	});
	const text = Buffer.from(await response.arrayBuffer()).toString();
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		data = text;
	}
	const { status, headers } = response;
	return { status, headers: Object.fromEntries(headers.entries()), text, data: data as T };
}

interface ListBody {
	count: number;
	next: string | null;
	results: Array<{ id: string; created: string; status?: string }>;
}
const list = async (query = '') => (await send<ListBody>(`/v1/charges${query}`)).data;
const idsOf = ({ results }: ListBody) => results.map(({ id }) => id);
const timesOf = ({ results }: ListBody) => results.map(({ created }) => Date.parse(created));
const inOrder = (times: number[], order: 'newestFirst' | 'oldestFirst') =>
	[...times].sort((a, b) => (order === 'oldestFirst' ? a - b : b - a));

const invoiceRequest = (change: object = {}) => ({
	currency: 'EUR',
	customer: account().customers[0].id,
	due_date: '2026-12-31',
	items: [{ name: 'Consulting', amount: '19.995', quantity: 2 }],
	discount_percentage: 10,
	...change,
});
const create = async (change?: object, init?: RequestInit) =>
	await send<Record<string, unknown>>('/v1/invoices', invoiceRequest(change), init);
const wrongKey = { headers: { 'x-api-key': 'wrong' } };
const text = (part: string) => expect.stringContaining(part) as string;
const notText = (part: string) => expect.not.stringContaining(part) as string;

type Endpoint = (typeof endpoints)[keyof typeof endpoints];
const creates = Object.entries(endpoints).flatMap(([name, endpoint]) =>
	endpoint.method === 'POST' ? [[name, endpoint] as const] : [],
);
/** The simulator knows its own customers. */
const withCustomer = (request: Record<string, unknown>) =>
	'customer' in request ? { ...request, customer: account().customers[0].id } : request;

/** Asks an endpoint for something that exists, or makes something. */
async function ask(endpoint: Endpoint) {
	if ('body' in endpoint)
		return await send<object>(
			endpoint.path,
			withCustomer(sampleOf(endpoint.body) as Record<string, unknown>),
		);
	const [{ id }] = account().at(endpoint.path);
	return await send<object>(endpoint.path.replace('{id}', id));
}

describe('responses follow the contract', () => {
	test.each(['present', 'missing'] as const)('with optional fields %s', async (optionalFields) => {
		world().reset({ optionalFields, cardData: 'present' });
		const answers = Object.fromEntries(
			await Promise.all(
				Object.entries(endpoints).map(async ([name, endpoint]) => [name, await ask(endpoint)]),
			),
		) as Record<keyof typeof endpoints, Awaited<ReturnType<typeof ask>>>;
		for (const [name, { data, status }] of Object.entries(answers)) {
			const { response } = endpoints[name as keyof typeof endpoints];
			expect([name, status]).toEqual([name, name.startsWith('create') ? 201 : 200]);
			expect([name, response.safeParse(data).error]).toEqual([name, undefined]);
		}
		const isMissing = optionalFields === 'missing';
		const { results } = answers.listInvoices.data as unknown as ListBody;
		expect('note' in results[0]).toBe(!isMissing);
		expect('volume' in answers.getMember.data).toBe(!isMissing);
	});

	test('an invoice comes to its items, less its discount', async () => {
		expect((await create()).data).toMatchObject({ amount: '35.991', discount: '3.999' });
	});

	test.each(creates)(
		'%s gives back what it was sent, in each field that its response and its list have',
		async (_name, endpoint) => {
			const request = sampleOf(endpoint.body) as Record<string, unknown>;
			const { data } = await send<Record<string, unknown>>(endpoint.path, withCustomer(request));
			const lists = Object.values(endpoints).filter(
				({ method, path }) => method === 'GET' && path === endpoint.path,
			);
			const listed = await Promise.all(
				lists.map(async ({ path, result }) => {
					const { data: page } = await send<ListBody | ListBody['results']>(path);
					const all = Array.isArray(page) ? page : page.results;
					return { result, shown: all.find(({ id }) => id === data.id) ?? {} };
				}),
			);
			for (const { result, shown } of [{ result: endpoint.result, shown: data }, ...listed]) {
				const given = shown as Record<string, unknown>;
				const both = Object.keys(request).filter((field) => field in result.shape);
				const plain = both.filter((field) =>
					[request, given].every((one) => typeof one[field] !== 'object'),
				);
				expect(Object.keys(given)).toEqual(expect.arrayContaining(both));
				for (const field of plain)
					expect([field, String(given[field])]).toEqual([
						field,
						expect.stringContaining(String(withCustomer(request)[field])),
					]);
			}
		},
	);

	test('creates nothing from an invalid body', async () => {
		for (const change of [
			{ currency: 'EURO' },
			{ discount_percentage: 101 },
			{ title: 'x'.repeat(51) },
			{ due_date: '2026-02-31' },
			{ customer: 'me' },
			{ customer: account().links[0].id },
			{ items: [] },
			{ items: [{ name: 'x' }] },
			{ unknown: 1 },
		]) {
			expect([change, (await create(change)).status]).toEqual([change, 400]);
		}
		expect(account().created).toEqual([]);
	});
});

describe('data', () => {
	test('is the same for the same seed, and different for another', async () => {
		const bodies: string[] = [];
		for (const seed of [7, 7, 8]) {
			world().reset({ seed });
			const { id, amount } = (await create()).data;
			bodies.push(JSON.stringify([await list(), id, amount, account().members]));
		}
		expect(bodies[0]).toBe(bodies[1]);
		expect(bodies[0]).not.toBe(bodies[2]);
	});

	test.each(['newestFirst', 'oldestFirst', 'none'] as const)(
		'has everything once on its pages, even added charges (order %s)',
		async (order) => {
			world().reset({ order, charges: 45, maxPageSize: 10 });
			const added = account().addCharge({ created: '2026-05-31T12:00:00.000Z' }, 0).id as string;
			const pages = await Promise.all(
				[1, 2, 3, 4, 5].map(async (page) => await list(`?page_size=10&page=${page}`)),
			);
			const ids = pages.flatMap(idsOf);
			expect([pages[0].count, ids.length, new Set(ids).size]).toEqual([46, 46, 46]);
			expect(ids).toContain(added);
			const times = pages.flatMap(timesOf);
			if (order === 'none') expect(times).not.toEqual(inOrder(times, 'newestFirst'));
			else expect(times).toEqual(inOrder(times, order));
			// The second removal does nothing.
			expect([1, 2].map(() => account().removeCharge(added))).toEqual([true, false]);
			expect((await list()).count).toBe(45);
		},
	);

	testAtNight('has no two charges with the same ID', () => {
		world().reset({ charges: 100_000 });
		const { results } = account().listCharges({}, 1, 100_000, 'none');
		expect(new Set(results.map(({ id }) => id)).size).toBe(100_000);
	});

	test('has 100,000 charges at once, and filters find what pages show', async () => {
		world().reset({ charges: 100_000, defaultPageSize: 100 });
		expect((await list('?page=1000')).results).toHaveLength(100);
		world().reset({ charges: 5000, chargesPerMoment: 7, defaultPageSize: 100 });
		const last = (await list('?page=50')).results[99];
		expect((await list(`?id=${last.id}`)).results).toEqual([last]);
	});

	test('can be filtered', async () => {
		world().reset({ charges: 500 });
		const refunded = await list('?status=refunded');
		expect(refunded.count).toBeGreaterThan(10);
		expect(new Set(refunded.results.map(({ status }) => status))).toEqual(new Set(['refunded']));
		const numbered = async (number: string) =>
			(await send<ListBody>(`/v1/invoices?invoice_number=${number}`)).data.count;
		expect(await numbered('2026-0990')).toBe(1);
		world().set({ invoiceNumberMatch: 'contains' });
		expect(await numbered('2026-09')).toBeGreaterThan(1);
	});
});

describe('objects of the same moment', () => {
	const sorted = (values: string[]) => [...values].sort();
	const distinct = (values: unknown[]) => new Set(values.map(String)).size;
	/** The IDs on the first pages. */
	const pagesOf = async (path: string, size: number, count: number) => {
		const pages: string[][] = [];
		for (let page = 1; page <= count; page++)
			pages.push(idsOf((await send<ListBody>(`${path}?page_size=${size}&page=${page}`)).data));
		return pages;
	};

	test('share a whole second, as many as the setting says', async () => {
		const newest = '2026-06-01T09:00:00.250Z';
		world().reset({ charges: 22, chargesPerMoment: 4, invoices: 7, invoicesPerMoment: 3, newest });
		const charges = timesOf(await list('?page_size=22'));
		const invoices = account().invoices.map(({ created }) => created);
		const sizes = (moments: number[]) =>
			[...new Set(moments)].map((one) => moments.filter((other) => other === one).length);
		expect([charges, invoices].map(sizes)).toEqual([
			[4, 4, 4, 4, 4, 2],
			[3, 3, 1],
		]);
		for (const moments of [charges, invoices]) {
			expect(moments).toEqual(inOrder(moments, 'newestFirst'));
			expect(moments.every((moment) => moment % 1000 === 0)).toBe(true);
		}
	});

	type Row = [Settings['timestampTies'], Settings['order'], path: string, boolean, boolean];
	test.each<Row>([
		['stable', 'newestFirst', '/v1/charges', true, true],
		['perPage', 'newestFirst', '/v1/charges', true, false],
		['perPage', 'oldestFirst', '/v1/charges', true, false],
		['perPage', 'newestFirst', '/v1/invoices', true, false],
		['perRequest', 'oldestFirst', '/v1/charges', false, false],
		['perRequest', 'newestFirst', '/v1/invoices', false, false],
		['perRequest', 'none', '/v1/charges', true, true],
	])(
		'in mode %s, %s, %s: pages repeat %p, small pages are complete %p',
		async (timestampTies, order, path, isSame, isWhole) => {
			const groups = { charges: 20, chargesPerMoment: 10, invoices: 30, invoicesPerMoment: 10 };
			world().reset({ order, timestampTies, ...groups });
			// Added charges are shuffled too.
			const created = '2026-01-01T00:00:00.000Z';
			for (let added = 0; added < 10; added++) account().addCharge({ created }, 0);
			const small = await pagesOf(path, 4, 8);
			expect(distinct([small, await pagesOf(path, 4, 8)]) === 1).toBe(isSame);
			for (const page of small) expect(new Set(page).size).toBe(page.length);
			expect(small.flat()).toHaveLength(30);
			expect(new Set(small.flat()).size === 30).toBe(isWhole);
			// Pages that hold whole groups show everything, in order of time.
			const whole = await pagesOf(path, 10, 3);
			expect(new Set(whole.flat()).size).toBe(30);
			if (order === 'none') return;
			const times = timesOf(await list('?page_size=30'));
			expect(times).toEqual(inOrder(times, order));
			world().set({ timestampTies: 'stable' });
			const stable = await pagesOf(path, 10, 3);
			expect(stable.map(sorted)).toEqual(whole.map(sorted));
			expect(distinct([stable, whole]) === 1).toBe(timestampTies === 'stable');
		},
	);
});

describe('settings cover what the spec leaves open', () => {
	const charges = '/v1/charges';
	const next = (url: unknown) => ({ data: { next: url } });
	const results = (length: number) => ({ status: 200, data: { results: { length } } });
	const absolute = /^http:..127.0.0.1:\d+\/v1\/charges\?currency=EUR&page=2$/;
	const tooFar = 'Result window is too large';
	test.each<[SettingsInput, string, object]>([
		[{}, `${charges}?type=unknown`, { status: 400 }],
		[{}, `${charges}?colour=red`, { status: 400 }],
		[{}, `${charges}?page=007`, { status: 200 }],
		[{}, '/v1/links/not-an-id', { status: 400 }],
		[{}, '/v1/links/00000000-0000-4000-8000-000000000000', { status: 404 }],
		[{ maxPageSize: 50 }, `${charges}?page_size=51`, results(50)],
		[{ maxPageSize: 50, overMaxPageSize: 'reject' }, `${charges}?page_size=51`, { status: 400 }],
		[{ defaultPageSize: 7 }, charges, results(7)],
		[{}, `${charges}?page=1000`, results(0)],
		[{ pastTheEnd: 'notFound' }, `${charges}?page=1000`, { status: 404 }],
		[{}, `${charges}?currency=EUR`, next(expect.stringMatching(absolute))],
		[{ next: 'relative' }, charges, next(`${charges}?page=2`)],
		[{ next: 'otherHost' }, charges, next(text('backend.internal.example'))],
		[{ maxResults: 100 }, `${charges}?page=5&page_size=20`, results(20)],
		[{ maxResults: 100 }, `${charges}?page=6&page_size=20`, { status: 400, text: text(tooFar) }],
		[{ maxResults: 9, beyondMaxResults: 500 }, '/v1/invoices?page_size=10', { status: 500 }],
		[{ cardData: 'present' }, charges, { text: text('security_code') }],
		[{ cardData: 'missing' }, charges, { text: notText('security_code') }],
	])('%j: %s', async (settings, path, answer) => {
		world().reset(settings);
		expect(await send(path)).toMatchObject(answer);
	});

	test.each(errorBodyShape.options)(
		'errors have the shape %s with any status',
		async (errorBody) => {
			world().reset({ errorBody, badKeyStatus: 403 });
			const words = errorBody === 'empty' ? notText('API key') : text('API key');
			expect(await send(charges, undefined, wrongKey)).toMatchObject({ status: 403, text: words });
		},
	);

	test('set required fields and the status of a creation', async () => {
		const unknownCustomer = 'accept';
		world().reset({ createdStatus: 200, requiredItemFields: ['quantity'], unknownCustomer });
		const customer = account().links[0].id;
		expect((await create({ customer, items: [{ quantity: 1 }] })).status).toBe(200);
	});

	test('delay created invoices in the list', async () => {
		world().reset({ invoices: 3, listLagMs: 600_000 });
		const count = async () => (await send<ListBody>('/v1/invoices?currency=EUR')).data.count;
		const before = await count();
		await create();
		expect(await count()).toBe(before);
		const [{ created, full }] = account().created;
		const shownAt = (now: number) =>
			account().listInvoices({ id: full.id }, 1, 10, world().settings, now);
		expect(shownAt(created + 599_999)).toEqual({ count: 0, results: [] });
		expect(shownAt(created + 600_000)).toMatchObject({ count: 1, results: [{ id: full.id }] });
		world().set({ listLagMs: 0 });
		expect(await count()).toBe(before + 1);
	});

	test.each([
		['kept', ' a 1\u00e9', ' a 1\u00e9'],
		['upperCase', 'inv-1', 'INV-1'],
		['withoutSpaces', ' INV  1 ', 'INV1'],
		['padded', 'INV-1', 'INV-1  '],
		['nfc', 'e\u0301', '\u00e9'],
		['truncated', '2026-00001', '2026-000'],
		['numeric', '007', '7'],
		['numeric', '000', '0'],
		['numeric', '007-A', '007-A'],
	] as const)('store invoice numbers %s: %j', async (storedNumbers, sent, stored) => {
		world().reset({ storedNumbers });
		expect((await create({ invoice_number: sent })).data.invoice_number).toBe(stored);
		const found = async (number: string) =>
			(await send<ListBody>(`/v1/invoices?invoice_number=${encodeURIComponent(number)}`)).data
				.results;
		expect(await found(stored)).toMatchObject([{ invoice_number: stored }]);
		if (stored !== sent) expect(await found(sent)).toEqual([]);
		expect(account().created[0].request.invoice_number).toBe(sent);
	});

	test.each<[Settings['count'], number | undefined]>([
		['right', 150],
		['missing', undefined],
		['pageLength', 20],
		['zero', 0],
		['cappedAt100', 100],
		['oneTooMany', 151],
	])('make the count %s: %p', async (is, count) => {
		world().reset({ charges: 150, count: is });
		const first = await list();
		expect([first.count, 'count' in first]).toEqual([count, is !== 'missing']);
		expect(first.next).toContain('page=2');
		expect((await list('?page=8')).next).toBe(null);
	});
});

describe('faults', () => {
	const created = () => account().created.length;
	const settle = async (wanted: number) => {
		const deadline = Date.now() + 20_000;
		while (created() !== wanted && Date.now() < deadline) await delay(10);
		return created();
	};
	const add = (action: FaultInput['action'], which: Omit<FaultInput, 'action'> = {}) =>
		world().faults.add({ ...which, action });
	const post = async (timeout = 60_000) =>
		await create({}, { signal: AbortSignal.timeout(timeout) }).catch(
			(error: Error & { cause?: { code: string } }) => ({ code: error.cause?.code ?? error.name }),
		);

	const reset = { code: 'ECONNRESET' };
	const odd = '{"id": 12345678901234567890, "id": 1e400}\n\ufeffé';
	const type = (contentType: string) => ({ 'content-type': contentType });
	const headers = { 'x-request-id': '42' };
	const ownStatus = { status: 503, contentType: 'text/x', headers, body: '' };
	const ownRaw = { kind: 'raw', ...ownStatus, work: 'done' } as const;
	const unpacked = ' '.repeat(3 * 1024 * 1024);
	const gzip = {
		'content-encoding': 'gzip',
		'content-length': expect.stringMatching(/^\d{1,4}$/) as string,
	};
	const busy = (as: 'seconds' | 'date') =>
		({ kind: 'status', status: 429, retryAfter: { seconds: 3, as } }) as const;
	const location = 'https://other.example/x';
	const badGateway = { kind: 'status', status: 502, work: 'done', body: 'html' } as const;
	test.each<[FaultInput['action'], object, number]>([
		[{ kind: 'reset', work: 'none' }, reset, 0],
		[{ kind: 'reset', work: 'done' }, reset, 1],
		[{ kind: 'reset', work: { lateMs: 100 } }, reset, 1],
		[{ kind: 'timeout', work: 'none' }, { code: 'TimeoutError' }, 0],
		[{ kind: 'timeout', work: 'done' }, { code: 'TimeoutError' }, 1],
		[{ kind: 'cutJson' }, { status: 201, data: text('"id"') }, 1],
		[{ kind: 'cutConnection' }, { code: 'UND_ERR_SOCKET' }, 1],
		[{ kind: 'emptyBody' }, { text: '' }, 1],
		[busy('seconds'), { status: 429, headers: { 'retry-after': '3' } }, 0],
		[busy('date'), { status: 429, headers: { 'retry-after': text('GMT') } }, 0],
		[badGateway, { status: 502, text: text('<title>') }, 1],
		[{ kind: 'html' }, { status: 200, headers: type('text/html') }, 0],
		[{ kind: 'redirect', location }, { status: 302, headers: { location } }, 0],
		[{ kind: 'json', body: [1] }, { status: 200, data: [1] }, 0],
		[{ kind: 'raw', body: odd }, { status: 200, headers: type('application/json'), text: odd }, 0],
		[ownRaw, { status: 503, headers: { ...type('text/x'), ...headers }, text: '' }, 1],
		[{ kind: 'bomb', megabytes: 3 }, { status: 200, headers: gzip, text: unpacked }, 0],
		[{ kind: 'nested', depth: 3 }, { status: 201, data: { amount: '35.991', extra: [[[]]] } }, 1],
	])('respond with %j', async (action, answer, invoices) => {
		add(action, { method: 'POST' });
		const isLate = 'work' in action && typeof action.work === 'object';
		expect(await post(action.kind === 'timeout' ? 500 : undefined)).toMatchObject(answer);
		if (isLate) expect(created()).toBe(0);
		expect(await settle(invoices)).toBe(invoices);
		expect(await post()).toMatchObject({ status: 201 });
	});

	test('apply to the chosen requests only', async () => {
		add({ kind: 'status', status: 429 }, { path: '/v1/members', skip: 1, times: 2 });
		add({ kind: 'status', status: 503 }, { path: '/v1/members' });
		add({ kind: 'html' }, { path: '/v1/nothing', skip: 1, times: null });
		add({ kind: 'json', body: [1] }, { contains: 'page=7' });
		const statuses = async (path: string, count: number) => {
			const all: number[] = [];
			while (all.length < count) all.push((await send(path)).status);
			return all;
		};
		expect(await statuses('/v1/members', 4)).toEqual([503, 429, 429, 200]);
		expect(await statuses('/v1/nothing', 3)).toEqual([404, 200, 200]);
		const seen = world().traffic.requests.map(({ status }) => status);
		expect(seen).toEqual([503, 429, 429, 200, 404, 200, 200]);
		expect([await list('?page=7'), (await list('?page=7')).results.length]).toEqual([[1], 20]);
	});

	test('send headers at once before an endless body, which ends with the simulator', async () => {
		const other = await startSimulator();
		other.world.faults.add({ action: { kind: 'drip', everyMs: 600_000 } });
		const answer = await fetch(`${other.url}/v1/charges`, {
			headers: { 'x-api-key': other.world.settings.apiKey },
		});
		expect(answer.status).toBe(200);
		const body = answer.text();
		await Promise.all([expect(body).rejects.toThrow(), other.close()]);
	});

	test('nest a field into the last object of a list', async () => {
		const members = (await send<object[]>('/v1/members')).data;
		add({ kind: 'nested', depth: 1 });
		const last = { ...members.at(-1), extra: [] };
		expect((await send('/v1/members')).data).toEqual([...members.slice(0, -1), last]);
	});
});

describe('control interface', () => {
	/** These requests need no key. */
	const control = async <T = unknown>(path: string, body?: object, init: RequestInit = {}) =>
		(await send<T>(`/control${path}`, body, { ...init, ...wrongKey })).data;

	test('does over HTTP what tests do in process', async () => {
		await control('/reset', { charges: 3 });
		const added = { total: '5.00', type: 'link' };
		const [charge] = await control<Array<{ id: string }>>('/charges', added);
		expect((await list('?type=link&page_size=1')).results[0].id).toBe(charge.id);
		await control(`/charges/${charge.id}`, undefined, { method: 'DELETE' });
		await control('/settings', { order: 'oldestFirst' });
		await control('/faults', { action: { kind: 'html' } });
		expect((await send('/v1/charges')).headers['content-type']).toContain('html');
		await create();
		expect(await control('/invoices')).toMatchObject([{ request: { due_date: '2026-12-31' } }]);
		const state = await control('/state');
		expect(state).toHaveProperty('traffic.requestCount', 3);
		expect(state).toHaveProperty('settings.order', 'oldestFirst');
		for (const shown of [state, await control('/requests')])
			expect(JSON.stringify(shown)).not.toContain(world().settings.apiKey);
	});

	test('explains what is wrong with a request', async () => {
		const problems = [{}];
		expect(await control('/settings', { colour: 1 })).toMatchObject({ problems });
		expect(await control('/settings', { seed: 2 })).toMatchObject({ problems });
		expect(await control('/faults', { action: { kind: 'fire' } })).toMatchObject({
			problems: [{ field: 'action.kind' }],
		});
		const unknown = await control('/unknown');
		expect(z.object({ detail: z.string() }).safeParse(unknown).success).toBe(true);
	});
});
