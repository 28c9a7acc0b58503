import axios from 'axios';
import { z } from 'zod/v4';
import { endpoints } from '../../contract';
import { delay } from '../../scripts/node';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import type { SettingsInput } from '../../simulator/settings';
import { errorBodyShape } from '../../simulator/settings';

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
) {
	return await axios.request<T>({
		method,
		url: `${simulator.url}${path}`,
		data,
		headers: { 'X-API-KEY': key },
		maxRedirects: 0,
		proxy: false,
		timeout: 1000,
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

	test('no two charges have the same id', () => {
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
	const post = async () =>
		await send('post', '/v1/invoices', invoiceRequest()).catch((error: { code: string }) => error);
	const settle = async (wanted: number) => {
		const deadline = Date.now() + 3000;
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
		expect(await post()).toMatchObject({ code: 'ECONNABORTED' });
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
