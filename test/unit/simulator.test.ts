import axios from 'axios';
import { z } from 'zod/v4';
import { endpoints, invoiceRequest as invoiceSchema } from '../../contract';
import { delay } from '../../tools/node';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import type { Settings, SettingsInput } from '../../simulator/settings';
import { errorBodyShape } from '../../simulator/settings';
import { testAtNight } from '../helpers/someOf';

let simulator: Simulator;
beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.close());

const world = () => simulator.world;

interface ListBody {
	count: number;
	next: string | null;
	previous: string | null;
	results: Array<{ id: string; created: string }>;
}

async function send<T = unknown>(
	method: 'get' | 'post',
	path: string,
	data?: unknown,
	key = world().settings.apiKey,
	timeout = 60_000,
) {
	return await axios.request<T>({
		method,
		url: `${simulator.url}${path}`,
		data,
		headers: { 'X-API-KEY': key },
		maxRedirects: 0,
		proxy: false,
		timeout,
		validateStatus: () => true,
	});
}
const list = async (query = '') => (await send<ListBody>('get', `/v1/charges${query}`)).data;

const invoiceRequest = () => ({
	currency: 'EUR',
	customer: world().account.customers[0].id,
	due_date: '2026-12-31',
	items: [{ name: 'Consulting', amount: '19.995', quantity: 2 }],
	discount_percentage: 10,
});
/** The same as the API reads it, for creations within the process. */
const invoiceRequestChecked = () => invoiceSchema.parse(invoiceRequest());
const memberRequest = {
	first_name: 'Hana',
	last_name: 'Kaya',
	email: 'h@team.example',
	job_title: 'Sales',
	role: 'staff',
};

describe('answers as the contract says', () => {
	test.each(['present', 'missing'] as const)('with optional fields %s', async (optionalFields) => {
		world().reset({ optionalFields, cardData: 'present' });
		const { links, members } = world().account;
		const answers = {
			createInvoice: await send('post', '/v1/invoices', invoiceRequest()),
			listInvoices: await send('get', '/v1/invoices'),
			listCharges: await send('get', '/v1/charges'),
			getPaymentLink: await send('get', `/v1/links/${links[0].id}`),
			createMember: await send('post', '/v1/members', memberRequest),
			getMember: await send('get', `/v1/members/${members[0].id}`),
			listMembers: await send('get', '/v1/members'),
		};
		// A new endpoint has to be answered by simulator/api.ts.
		expect(Object.keys(answers).sort()).toEqual(Object.keys(endpoints).sort());
		for (const [name, { data, status }] of Object.entries(answers)) {
			const { response } = endpoints[name as keyof typeof endpoints];
			expect([name, status]).toEqual([name, name.startsWith('create') ? 201 : 200]);
			expect([name, response.safeParse(data).error]).toEqual([name, undefined]);
		}
		const { results } = answers.listInvoices.data as { results: object[] };
		const isMissing = optionalFields === 'missing';
		expect('note' in results[0]).toBe(!isMissing);
		expect('volume' in (answers.getMember.data as object)).toBe(!isMissing);
		expect(answers.createInvoice.data).toMatchObject({ amount: '35.991', discount: '3.999' });
	});

	test('checks bodies and queries', async () => {
		world().reset();
		const created = (change: object) =>
			send('post', '/v1/invoices', { ...invoiceRequest(), ...change });
		for (const change of [
			{ currency: 'EURO' },
			{ discount_percentage: 101 },
			{ title: 'x'.repeat(51) },
			{ due_date: '2026-02-31' },
			{ customer: 'me' },
			{ customer: world().account.links[0].id },
			{ items: [] },
			{ items: [{ name: 'x' }] },
			{ unknown: 1 },
		]) {
			expect([change, (await created(change)).status]).toEqual([change, 400]);
		}
		expect((await send('get', '/v1/charges?type=unknown')).status).toBe(400);
		expect((await send('get', '/v1/charges?colour=red')).status).toBe(400);
		expect((await send('get', '/v1/charges?page=007')).status).toBe(200);
		expect((await send('get', '/v1/links/not-an-id')).status).toBe(400);
		expect((await send('get', `/v1/links/${world().account.members[0].id}`)).status).toBe(404);
		expect((await send('get', '/v1/charges', undefined, 'wrong')).status).toBe(401);
		expect(world().account.created).toEqual([]);
	});
});

describe('data', () => {
	test('the same seed gives the same, another seed something else', async () => {
		const bodies: string[] = [];
		for (const seed of [7, 7, 8]) {
			world().reset({ seed });
			const created = await send<{ id: string; amount: string }>(
				'post',
				'/v1/invoices',
				invoiceRequest(),
			);
			bodies.push(
				JSON.stringify([
					await list(),
					created.data.id,
					created.data.amount,
					world().account.members,
				]),
			);
		}
		expect(bodies[0]).toBe(bodies[1]);
		expect(bodies[0]).not.toBe(bodies[2]);
	});

	test.each(['newestFirst', 'oldestFirst', 'none'] as const)(
		'pages of the order %s hold everything once',
		async (order) => {
			world().reset({ order, charges: 45, maxPageSize: 10 });
			const [added] = [world().account.addCharge({ created: '2026-05-31T12:00:00.000Z' }, 0)];
			const pages = await Promise.all(
				[1, 2, 3, 4, 5].map(async (page) => await list(`?page_size=10&page=${page}`)),
			);
			const all = pages.flatMap(({ results }) => results);
			expect(pages[0].count).toBe(46);
			expect(new Set(all.map(({ id }) => id)).size).toBe(46);
			expect(all.map(({ id }) => id)).toContain(added.id);
			const times = all.map(({ created }) => Date.parse(created));
			const sorted = [...times].sort((a, b) => (order === 'oldestFirst' ? a - b : b - a));
			if (order === 'none') expect(times).not.toEqual(sorted);
			else expect(times).toEqual(sorted);
			expect(world().account.removeCharge(added.id as string)).toBe(true);
			expect((await list()).count).toBe(45);
		},
	);

	testAtNight('no two charges have the same id', () => {
		world().reset({ charges: 100_000 });
		const { results } = world().account.listCharges({}, 1, 100_000, 'none');
		expect(new Set(results.map(({ id }) => id)).size).toBe(100_000);
	});

	test('removing a charge twice removes no other', async () => {
		world().reset({ charges: 5 });
		const { id } = world().account.addCharge({}, Date.now());
		const removed = [1, 2].map(() => world().account.removeCharge(id as string));
		expect([removed, (await list()).count]).toEqual([[true, false], 5]);
	});

	test('filters', async () => {
		world().reset({ charges: 500 });
		const all = await list('?page_size=100');
		const refunded = await list('?status=refunded&page_size=100');
		expect(refunded.count).toBeGreaterThan(10);
		expect(
			refunded.results.every((charge) => (charge as { status?: string }).status === 'refunded'),
		).toBe(true);
		expect((await list(`?id=${all.results[3].id}`)).results).toEqual([all.results[3]]);
		const numbers = await send<ListBody>('get', '/v1/invoices?invoice_number=2026-0990');
		expect(numbers.data.count).toBe(1);
		world().set({ invoiceNumberMatch: 'contains' });
		const similar = await send<ListBody>('get', '/v1/invoices?invoice_number=2026-09');
		expect(similar.data.count).toBeGreaterThan(1);
	});

	test('a hundred thousand charges are there at once', async () => {
		world().reset({ charges: 100_000, defaultPageSize: 100 });
		expect((await list('?page=1000')).results.length).toBe(100);
		expect((await list('?page=1&currency=KWD')).count).toBeGreaterThan(10_000);
	});
});

describe('objects of the same moment', () => {
	const ids = ({ results }: ListBody) => results.map(({ id }) => id);
	const sorted = (values: string[]) => [...values].sort();
	const pages = async (path: string, size: number, numbers: number[]) => {
		const all: string[][] = [];
		for (const page of numbers) {
			const { data } = await send<ListBody>('get', `${path}?page_size=${size}&page=${page}`);
			all.push(ids(data));
		}
		return all;
	};
	const chargePages = async (size: number, ...numbers: number[]) =>
		await pages('/v1/charges', size, numbers);

	test('so many seeded ones share a whole second', async () => {
		const newest = '2026-06-01T09:00:00.250Z';
		world().reset({ charges: 22, chargesPerMoment: 4, invoices: 7, invoicesPerMoment: 3, newest });
		const sizes = (moments: number[]) =>
			[...new Set(moments)].map((one) => moments.filter((other) => other === one).length);
		const charges = (await list('?page_size=22')).results.map(({ created }) => Date.parse(created));
		const invoices = world().account.invoices.map(({ created }) => created);
		expect([sizes(charges), sizes(invoices)]).toEqual([
			[4, 4, 4, 4, 4, 2],
			[3, 3, 1],
		]);
		for (const moments of [charges, invoices]) {
			expect(moments).toEqual([...moments].sort((a, b) => b - a));
			expect(moments.every((moment) => moment % 1000 === 0)).toBe(true);
		}
		expect(() => world().set({ chargesPerMoment: 2 })).toThrow('chargesPerMoment');
	});

	test('filters find what the pages show', async () => {
		world().reset({ charges: 100_000, chargesPerMoment: 7 });
		const [last] = (await list('?page_size=100&page=1000')).results.slice(-1);
		expect((await list(`?id=${last.id}`)).results).toEqual([last]);
	});

	test.each(['newestFirst', 'oldestFirst'] as const)(
		'another order on every page, %s',
		async (order) => {
			world().reset({ order, charges: 30, chargesPerMoment: 10, equalMoments: 'perPage' });
			const all = await chargePages(4, 1, 2, 3, 4, 5, 6, 7, 8);
			expect(await chargePages(4, 1, 2, 3, 4, 5, 6, 7, 8)).toEqual(all);
			for (const page of all) expect(new Set(page).size).toBe(page.length);
			expect(all.flat().length).toBe(30);
			expect(new Set(all.flat()).size).toBeLessThan(30);

			// Pages that end where groups end show everything, in the right order of moments.
			const whole = (await chargePages(10, 1, 2, 3)).flat();
			expect(new Set(whole).size).toBe(30);
			const { results } = await list('?page_size=30');
			const times = results.map(({ created }) => Date.parse(created));
			expect(times).toEqual([...times].sort((a, b) => (order === 'oldestFirst' ? a - b : b - a)));
			world().set({ equalMoments: 'stable' });
			const stable = await chargePages(10, 1, 2, 3);
			expect(stable.flat()).not.toEqual(whole);
			expect(stable.map(sorted)).toEqual(
				[whole.slice(0, 10), whole.slice(10, 20), whole.slice(20)].map(sorted),
			);
			expect((await chargePages(4, 1, 2, 3, 4, 5, 6, 7, 8)).flat()).toEqual(stable.flat());
		},
	);

	test('another order on every request, but not where there is no order', async () => {
		world().reset({ charges: 30, chargesPerMoment: 10, equalMoments: 'perRequest' });
		const seen = await chargePages(10, 1, 1, 1, 1);
		expect(new Set(seen.map(String)).size).toBe(4);
		expect(new Set(seen.map((page) => String(sorted(page)))).size).toBe(1);
		world().set({ order: 'none' });
		const unordered = await chargePages(10, 1, 1);
		expect(unordered[0]).toEqual(unordered[1]);
	});

	test('added charges and created invoices take part', async () => {
		world().reset({ charges: 5, invoices: 5, equalMoments: 'perRequest' });
		const created = '2026-05-01T00:00:00.000Z';
		const now = Date.now();
		const added = Array.from({ length: 6 }, () => {
			world().account.createInvoice(invoiceRequestChecked(), now);
			return world().account.addCharge({ created }, now).id as string;
		});
		const charges = await chargePages(11, 1, 1, 1, 1);
		expect(new Set(charges.map(String)).size).toBeGreaterThan(1);
		for (const page of charges) expect(sorted(page.slice(-6))).toEqual(sorted(added));
		const invoices = await pages('/v1/invoices', 11, [1, 1, 1, 1]);
		expect(new Set(invoices.map(String)).size).toBeGreaterThan(1);
		expect(new Set(invoices.map((page) => String(sorted(page)))).size).toBe(1);
		const split = (await pages('/v1/invoices', 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).flat();
		expect(new Set(split).size).toBeLessThan(11);
	});
});

describe('what the spec does not show is a switch', () => {
	const status = async (settings: SettingsInput, path: string, key?: string) => {
		world().reset(settings);
		return (await send('get', path, undefined, key)).status;
	};

	test('page sizes and ends', async () => {
		expect(
			await status({ maxPageSize: 50, overMaxPageSize: 'reject' }, '/v1/charges?page_size=51'),
		).toBe(400);
		world().reset({ maxPageSize: 50, defaultPageSize: 7 });
		expect((await list('?page_size=51')).results.length).toBe(50);
		expect((await list()).results.length).toBe(7);
		expect((await list('?page=1000')).results).toEqual([]);
		expect(await status({ pastTheEnd: 'notFound' }, '/v1/charges?page=1000')).toBe(404);
	});

	test('turning one switch leaves the others alone', () => {
		world().reset({ latency: 5, maxPageSize: 30 });
		world().set({ order: 'oldestFirst' });
		expect(world().settings).toMatchObject({ latency: 5, maxPageSize: 30, order: 'oldestFirst' });
	});

	test('next', async () => {
		world().reset();
		expect((await list('?currency=EUR')).next).toBe(
			`${simulator.url}/v1/charges?currency=EUR&page=2`,
		);
		world().set({ next: 'relative' });
		expect((await list()).next).toBe('/v1/charges?page=2');
		world().set({ next: 'otherHost' });
		expect((await list()).next).toContain('backend.internal.example');
	});

	test('statuses', async () => {
		expect(await status({ badKeyStatus: 403 }, '/v1/charges', 'wrong')).toBe(403);
		world().reset({
			createdStatus: 200,
			requiredItemFields: ['quantity'],
			unknownCustomer: 'accept',
		});
		const customer = world().account.links[0].id;
		const items = [{ quantity: 1 }];
		expect(
			(await send('post', '/v1/invoices', { ...invoiceRequest(), customer, items })).status,
		).toBe(200);
	});

	test.each(errorBodyShape.options)('errors of the shape %s', async (errorBody) => {
		world().reset({ errorBody });
		const { data } = await send('get', '/v1/charges', undefined, 'wrong');
		expect(JSON.stringify(data).includes('API key')).toBe(errorBody !== 'empty');
	});

	test('created invoices show up in the list later', async () => {
		world().reset({ invoices: 3, listLagMs: 600_000 });
		const count = async () => (await send<ListBody>('get', '/v1/invoices?currency=EUR')).data.count;
		const before = await count();
		await send('post', '/v1/invoices', invoiceRequest());
		expect(await count()).toBe(before);
		const [{ created, full }] = world().account.created;
		const shownAt = (now: number) =>
			world().account.listInvoices({ id: full.id }, 1, 10, world().settings, now);
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
	] as const)('invoice numbers are stored %s: %j', async (storedNumbers, sent, stored) => {
		world().reset({ storedNumbers });
		const request = { ...invoiceRequest(), invoice_number: sent };
		const answer = await send<{ invoice_number: string }>('post', '/v1/invoices', request);
		expect(answer.data.invoice_number).toBe(stored);
		const found = async (number: string) => {
			const query = `?invoice_number=${encodeURIComponent(number)}`;
			return (await send<ListBody>('get', `/v1/invoices${query}`)).data.results;
		};
		expect(await found(stored)).toMatchObject([{ invoice_number: stored }]);
		if (stored !== sent) expect(await found(sent)).toEqual([]);
		expect(world().account.created[0].request.invoice_number).toBe(sent);
	});

	test('no page beyond so many results', async () => {
		expect(await status({ maxResults: 100 }, '/v1/charges?page=5&page_size=20')).toBe(200);
		const refused = await send('get', '/v1/charges?page=6&page_size=20');
		expect([refused.status, JSON.stringify(refused.data)]).toEqual([
			400,
			expect.stringContaining('Result window is too large'),
		]);
		world().set({ beyondMaxResults: 500 });
		expect((await send('get', '/v1/invoices?page=6&page_size=20')).status).toBe(500);
	});

	test.each([
		['right', 150],
		['missing', undefined],
		['pageLength', 20],
		['zero', 0],
		['cappedAt100', 100],
		['oneTooMany', 151],
	] as Array<[Settings['count'], number | undefined]>)('the count is %s: %p', async (is, count) => {
		world().reset({ charges: 150, count: is });
		const first = await list();
		expect([first.count, 'count' in first]).toEqual([count, is !== 'missing']);
		expect(first.next).toContain('page=2');
		expect((await list('?page=8')).next).toBe(null);
	});

	test('card data', async () => {
		const body = async (cardData: 'present' | 'missing') => {
			world().reset({ cardData });
			return JSON.stringify(await list());
		};
		expect(await body('present')).toContain('security_code');
		expect(await body('missing')).not.toContain('security_code');
	});
});

describe('faults', () => {
	const created = () => world().account.created.length;
	const post = async (timeout?: number) =>
		await send('post', '/v1/invoices', invoiceRequest(), undefined, timeout).catch(
			(error: { code: string }) => error,
		);
	const settle = async (wanted: number) => {
		const deadline = Date.now() + 20_000;
		while (created() !== wanted && Date.now() < deadline) await delay(10);
		return created();
	};

	test.each([
		['none', 0],
		['done', 1],
		[{ lateMs: 100 }, 1],
	] as const)('a connection reset, work %p: %i invoices', async (work, invoices) => {
		world().reset();
		world().faults.add({ method: 'POST', action: { kind: 'reset', work } });
		expect(await post()).toMatchObject({ code: 'ECONNRESET' });
		if (typeof work === 'object') expect(created()).toBe(0);
		expect(await settle(invoices)).toBe(invoices);
		expect(await post()).toMatchObject({ status: 201 });
	});

	test.each([
		['none', 0],
		['done', 1],
	] as const)('a time-out, work %p: %i invoices', async (work, invoices) => {
		world().reset();
		world().faults.add({ method: 'POST', action: { kind: 'timeout', work } });
		expect(await post(1000)).toMatchObject({ code: 'ECONNABORTED' });
		expect(created()).toBe(invoices);
	});

	test('cut JSON and an empty body come after the work', async () => {
		world().reset();
		world().faults.add({ action: { kind: 'cutJson' } });
		world().faults.add({ action: { kind: 'emptyBody' } });
		const cut = (await post()) as { data: unknown; status: number };
		expect([typeof cut.data, cut.status]).toEqual(['string', 201]);
		expect(await post()).toMatchObject({ data: '' });
		expect(created()).toBe(2);
	});

	test('statuses with and without the work, and Retry-After as seconds and as a date', async () => {
		world().reset();
		const retryAfter = (as: 'seconds' | 'date') => ({ seconds: 3, as });
		world().faults.add({
			action: { kind: 'status', status: 429, retryAfter: retryAfter('seconds') },
		});
		world().faults.add({ action: { kind: 'status', status: 429, retryAfter: retryAfter('date') } });
		world().faults.add({ action: { kind: 'status', status: 502, work: 'done', body: 'html' } });
		expect(await post()).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
		const dated = (await post()) as { headers: Record<string, string> };
		expect(Date.parse(dated.headers['retry-after'])).toBeGreaterThan(Date.now());
		expect(created()).toBe(0);
		expect(await post()).toMatchObject({
			status: 502,
			data: expect.stringContaining('<title>') as string,
		});
		expect(created()).toBe(1);
	});

	test('a fault that still lets requests pass does not hide the next one', async () => {
		world().reset();
		world().faults.add({ skip: 1, action: { kind: 'status', status: 429 } });
		world().faults.add({ action: { kind: 'status', status: 503 } });
		expect([
			(await send('get', '/v1/charges')).status,
			(await send('get', '/v1/charges')).status,
		]).toEqual([503, 429]);
		expect(world().traffic.requests.map(({ status }) => status)).toEqual([503, 429]);
	});

	test('a redirect, a web page, and any JSON; only on the chosen requests', async () => {
		world().reset();
		world().faults.add({ path: '/v1/members', skip: 1, times: 2, action: { kind: 'html' } });
		world().faults.add({
			path: '/v1/links',
			times: null,
			action: { kind: 'redirect', location: 'https://other.example/x' },
		});
		world().faults.add({ contains: 'page=7', action: { kind: 'json', body: [1] } });
		const types = [];
		for (let at = 0; at < 4; at++)
			types.push((await send('get', '/v1/members')).headers['content-type']);
		expect(types.map((type) => String(type).includes('html'))).toEqual([false, true, true, false]);
		for (let at = 0; at < 3; at++) expect((await send('get', '/v1/links/x')).status).toBe(302);
		expect((await list('?page=7')) as unknown).toEqual([1]);
		expect((await list('?page=7')).results.length).toBe(20);
	});

	/** An answer as it comes, its body unread. */
	const fetched = async (path: string, init: RequestInit = {}, { url } = simulator) =>
		await fetch(`${url}${path}`, {
			...init,
			headers: { 'x-api-key': world().settings.apiKey, 'content-type': 'application/json' },
		});
	const creation = () => ({ method: 'POST', body: JSON.stringify(invoiceRequest()) });

	test.each([
		['none', 0],
		['done', 1],
	] as const)('a body that never ends, work %p: %i invoices', async (work, invoices) => {
		world().reset();
		world().faults.add({ action: { kind: 'drip', everyMs: 5, work } });
		const client = new AbortController();
		const answer = await fetched('/v1/invoices', { ...creation(), signal: client.signal });
		expect([answer.status, answer.headers.get('content-type')]).toEqual([
			200,
			'application/json; charset=utf-8',
		]);
		expect(created()).toBe(invoices);
		const reader = answer.body!.getReader();
		let text = '';
		while (text.length < 3) text += Buffer.from((await reader.read()).value!).toString();
		expect(text.trim()).toBe('');
		expect(world().traffic.requests).toMatchObject([{ fault: 'drip', status: 200 }]);
		client.abort();
		const inFlight = () => {
			world().traffic.reset();
			return world().traffic.mostInFlight;
		};
		while (inFlight() > 0) await delay(5);
	});

	test('a body that never ends: the headers do not wait, and closing the simulator ends it', async () => {
		const other = await startSimulator();
		other.world.faults.add({ action: { kind: 'drip', everyMs: 600_000 } });
		const answer = await fetched('/v1/charges', {}, other);
		expect(answer.status).toBe(200);
		const body = answer.text();
		await Promise.all([expect(body).rejects.toThrow(), other.close()]);
	});

	test('exactly this text', async () => {
		world().reset();
		const body = '{"id": 12345678901234567890, "id": 1e400}\n\ufeffé';
		world().faults.add({ action: { kind: 'raw', body } });
		const contentType = 'application/vnd.api+json';
		const headers = { 'x-request-id': '42' };
		world().faults.add({
			action: { kind: 'raw', status: 503, contentType, headers, body: '', work: 'done' },
		});
		const plain = await fetched('/v1/invoices', creation());
		expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/json']);
		expect(Buffer.from(await plain.arrayBuffer()).toString()).toBe(body);
		expect(created()).toBe(0);
		const other = await fetched('/v1/invoices', creation());
		expect([other.status, other.headers.get('content-type')]).toEqual([503, contentType]);
		expect([other.headers.get('x-request-id'), await other.text()]).toEqual(['42', '']);
		expect(created()).toBe(1);
	});

	test('a small gzip body that becomes large', async () => {
		world().reset();
		world().faults.add({ action: { kind: 'bomb', megabytes: 3 } });
		const answer = await fetched('/v1/charges');
		expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
		expect(Number(answer.headers.get('content-length'))).toBeLessThan(10_000);
		const text = await answer.text();
		expect([text.length, text.trim()]).toEqual([3 * 1024 * 1024, '']);
	});

	test('a field nested deep beside the right ones', async () => {
		world().reset();
		const right = await (await fetched('/v1/members')).text();
		const rightList = await list();
		for (const depth of [3, 1_000_000, 1]) {
			world().faults.add({ action: { kind: 'nested', depth } });
		}
		const made = (await post()) as { data: object; status: number };
		expect(made).toMatchObject({ status: 201, data: { amount: '35.991', extra: [[[]]] } });
		expect(created()).toBe(1);
		const deep = await (await fetched('/v1/charges')).text();
		const extra = `,"extra":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
		expect(deep.endsWith(extra)).toBe(true);
		expect(JSON.parse(`${deep.slice(0, -extra.length)}}`)).toEqual(rightList);
		const members = JSON.parse(right) as object[];
		const expected = members.map((one, at) =>
			at === members.length - 1 ? { ...one, extra: [] } : one,
		);
		expect(await (await fetched('/v1/members')).json()).toEqual(expected);
	});
});

describe('control interface', () => {
	const control = async <T = unknown>(
		method: 'get' | 'post' | 'delete',
		path: string,
		data?: unknown,
	) =>
		(
			await axios.request<T>({
				method,
				url: `${simulator.url}/control${path}`,
				data,
				validateStatus: () => true,
			})
		).data;

	test('does over HTTP what tests do in the process', async () => {
		await control('post', '/reset', { charges: 3 });
		const [charge] = await control<Array<{ id: string }>>('post', '/charges', {
			total: '5.00',
			type: 'link',
		});
		expect((await list('?type=link&page_size=1')).results[0].id).toBe(charge.id);
		await control('delete', `/charges/${charge.id}`);
		await control('post', '/settings', { order: 'oldestFirst' });
		await control('post', '/faults', { action: { kind: 'html' } });
		expect((await send('get', '/v1/charges')).headers['content-type']).toContain('html');
		await send('post', '/v1/invoices', invoiceRequest());
		const invoices = await control<Array<{ request: unknown }>>('get', '/invoices');
		expect(invoices).toMatchObject([{ request: { due_date: '2026-12-31' } }]);
		const state = await control<{ traffic: { requestCount: number }; settings: object }>(
			'get',
			'/state',
		);
		expect(state.traffic.requestCount).toBe(3);
		expect(JSON.stringify(state)).not.toContain(world().settings.apiKey);
		expect(JSON.stringify(await control('get', '/requests'))).not.toContain(
			world().settings.apiKey,
		);
	});

	test('says what is wrong with a request', async () => {
		expect(await control('post', '/settings', { colour: 1 })).toMatchObject({ problems: [{}] });
		expect(await control('post', '/settings', { seed: 2 })).toMatchObject({ problems: [{}] });
		expect(await control('post', '/faults', { action: { kind: 'fire' } })).toMatchObject({
			problems: [{ field: 'action.kind' }],
		});
		expect(
			z.object({ detail: z.string() }).safeParse(await control('get', '/unknown')).success,
		).toBe(true);
	});
});
