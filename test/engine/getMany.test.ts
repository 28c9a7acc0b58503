/** What is read from the lists of the service: Get Many, Get, and the lists that the editor offers. */

import type { INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { InvoicingPayments } from '../../index';
import type { SettingsInput } from '../../simulator/settings';
import type { ListedIn, RunOptions } from '../helpers/n8n/engine';
import { listIn } from '../helpers/n8n/engine';
import {
	continues,
	ids,
	locator,
	matches,
	oneAtATime,
	pageOf,
	textOf,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { someOf, testAtNight } from '../helpers/someOf';

const { service, run, fault } = useNode();
afterEach(() => jest.restoreAllMocks());

const queries = () => service.requests.map(({ query }) => query);
const charges = () => service.world.account.listCharges({}, 1, 300, 'newestFirst').results;
const seeded = (index: number) => {
	const { id, invoice_number: number } = service.world.account.invoices[index].full;
	return { id, number };
};
/** Calls `act` before each page of invoices that the service gives. */
function beforeEachList(act: () => void): void {
	const { account } = service.world;
	const list = account.listInvoices.bind(account);
	jest.spyOn(account, 'listInvoices').mockImplementation((...args) => {
		act();
		return list(...args);
	});
}

const getMany = async (resource: string, change: object = {}, more: Partial<RunOptions> = {}) =>
	await run({ resource, operation: 'getAll', returnAll: true, ...change }, more);
const limited = async (resource: string, change: object = {}) =>
	await getMany(resource, { returnAll: false, ...change });

describe('Get Many', () => {
	test.each([
		['charge', 'listCharges', 230],
		['invoice', 'listInvoices', 130],
	] as const)('reads each %s once over all pages', async (resource, name, count) => {
		service.world.reset({ charges: 230, invoices: 130, maxPageSize: 50 });
		const { json, items } = await getMany(resource, { simplify: false });
		expect([json.length, new Set(ids(json)).size]).toEqual([count, count]);
		expect(endpoints[name].result.safeParse(json[0]).error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(json.map(() => ({ item: 0 })));
		expect(service.requests.length).toBe(Math.ceil(count / 50));
	});

	test('reads several pages up to Limit', async () => {
		service.world.reset({ charges: 230, maxPageSize: 50 });
		const { json } = await limited('charge', { limit: 120 });
		expect(ids(json)).toEqual(ids(charges()).slice(0, 120));
		expect(queries()).toEqual(['1', '2', '3'].map((page) => ({ page, page_size: '100' })));
	});

	test('begins at Start Page with Page Size', async () => {
		const { json } = await getMany('charge', { options: { pageSize: 20, startPage: 11 } });
		expect(ids(json)).toEqual(ids(charges()).slice(200));
	});

	// The other filters are in operations.test.ts.
	test('sends a filter that is off', async () => {
		const filters = { allowTip: false, shippingAddressRequired: 'true', invoiceNumber: 'å/1&2' };
		await limited('invoice', { limit: 5, filters });
		const sent = { allow_tip: 'false', shipping_address_required: 'true', invoice_number: 'å/1&2' };
		expect(queries()).toEqual([{ ...sent, page: '1', page_size: '5' }]);
	});

	test('pairs results with their item, also if some items have none', async () => {
		const fields = { limit: '={{ $json.limit }}', filters: { currency: '={{ $json.currency }}' } };
		const asking = [
			{ limit: 2, currency: 'EUR' },
			{ limit: 3, currency: 'XXX' },
			{ limit: '4', currency: '' },
		];
		const { items } = await getMany('charge', { returnAll: false, ...fields }, { items: asking });
		const from = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(from).toEqual([0, 0, 2, 2, 2, 2]);
	});

	test.each<[string, SettingsInput]>([
		['an empty account', { charges: 0 }],
		['a service that refuses the page size', { maxPageSize: 30, overMaxPageSize: 'reject' }],
		['a service that refuses it with another status', { maxPageSize: 30, overMaxPageSize: 'reject', invalidStatus: 422 }],
		['a service that responds with 404 past the end', { pastTheEnd: 'notFound' }],
		['relative addresses of the next page', { next: 'relative' }],
		['addresses of the next page that lead elsewhere', { next: 'otherHost' }],
		['charges with only some of their fields', { optionalFields: 'missing' }],
	])('reads the whole list with %s', async (_name, settings) => {
		const { charges = 130 } = settings;
		service.world.reset({ charges, ...settings });
		const { json, error } = await getMany('charge');
		expect(error).toBeUndefined();
		expect([json.length, new Set(ids(json)).size]).toEqual([charges, charges]);
	}); // prettier-ignore

	test('uses a limit of 50 if an expression gives none', async () => {
		expect((await limited('charge', { limit: '={{ $json.none }}' })).json).toHaveLength(50);
	});

	test('gives nothing past the last page, without an error', async () => {
		service.world.reset({ pastTheEnd: 'notFound' });
		const { json, error } = await limited('charge', { options: { startPage: 99 } });
		expect([json, error]).toEqual([[], undefined]);
	});

	// The editor saves locators in collections without their mark.
	test.each([
		['as n8n marks it', { __rl: true }],
		['without a mark', {}],
	])('filters by a customer from a list, %s', async (_how, mark) => {
		const customer = service.world.account.customers[1].id;
		const pick = async (mode: string, value: string) =>
			await getMany(
				'invoice',
				{ filters: { customerId: { ...mark, mode, value } } },
				{ items: [{ customer }] },
			);
		for (const mode of ['id', 'list'])
			expect((await pick(mode, '={{ $json.customer }}')).json.length).toBeGreaterThan(0);
		expect((await pick('list', '')).error).toBeUndefined();
		expect(queries().map((sent) => sent.customer_id)).toEqual([customer, customer, undefined]);
	});

	test.each<[string, INodeParameters[string]]>([
		['given as text', 'authorised'],
		['picked', locator('list', 'authorised')],
		['typed', locator('name', 'authorised')],
		['by an expression', '={{ "authorised" }}'],
	])('filters charges by a status, %s', async (_name, status) => {
		const { json } = await limited('charge', { filters: { status } });
		expect(new Set(json.map((one) => one.status))).toEqual(new Set(['authorised']));
		expect(queries()[0].status).toBe('authorised');
	});
});

describe('Invoice: Get Many with several statuses', () => {
	const many = async (status: unknown, change: object = {}) =>
		await getMany('invoice', { filters: { status }, ...change });
	const withStatus = (...wanted: string[]) =>
		service.world.account.invoices
			.filter(({ full }) => wanted.includes(full.status))
			.map(({ full }) => full.id)
			.sort();
	const asked = () => queries().map(({ status }) => status);
	const two = ['overdue', 'paid'];

	test.each<[string, unknown, string[]]>([
		['a list', ['paid', 'overdue'], ['overdue', 'paid']],
		['one text', 'paid', ['paid']],
		['an expression that gives a text', '={{ "Paid" }}', ['paid']],
		['an expression that gives a list', '={{ ["paid", "Overdue"] }}', ['overdue', 'paid']],
		['a text with commas', '={{ "paid, overdue, paid" }}', ['overdue', 'paid']],
		['JSON', '={{ \'["paid","unpaid"]\' }}', ['unpaid', 'paid']],
	])(
		'gives invoices in the order in which statuses follow each other: %s',
		async (_name, status, wanted) => {
			const { json } = await many(status);
			expect(ids(json).sort()).toEqual(withStatus(...wanted));
			const places = json.map((one) => wanted.indexOf(String(one.status)));
			expect(places).toEqual([...places].sort());
			expect(new Set(asked())).toEqual(new Set(wanted));
		},
	);

	test.each([[[]], ['={{ $json.none }}'], ['']])('does not filter by %j', async (status) => {
		expect((await many(status)).json).toHaveLength(40);
		expect(asked()).toEqual([undefined]);
	});

	test('reads no more than the limit needs', async () => {
		service.world.reset({ invoices: 500 });
		const first = withStatus('overdue').length;
		const list = async (limit: number) => (await many(two, { returnAll: false, limit })).json;
		expect(await list(10)).toHaveLength(10);
		expect(asked()).toEqual(['overdue']);
		expect((await list(first + 7)).map(({ status }) => status)).toEqual([
			...Array.from({ length: first }, () => 'overdue'),
			...Array.from({ length: 7 }, () => 'paid'),
		]);
	});

	test.each([{}, { returnAll: false, limit: 200 }])(
		'gives an invoice once that is paid between the two lists (%j)',
		async (change) => {
			const all = withStatus(...two);
			const [moved] = withStatus('overdue');
			let count = 0;
			beforeEachList(() => {
				count += 1;
				if (count === 2) service.world.account.changeInvoice(moved, 'paid');
			});
			expect(ids((await many(['paid', 'overdue'], change)).json).sort()).toEqual(all);
		},
	);

	const counts = ['missing', 'zero', 'pageLength', 'cappedAt100'] as const;
	test.each(counts)('reads all statuses if the count is %s', async (count) => {
		service.world.reset({ invoices: 700, count });
		const { json } = await many([...two, 'scheduled']);
		expect(ids(json).sort()).toEqual(withStatus(...two, 'scheduled'));
	});

	test.each([
		[{ kind: 'status', status: 403 }, 'does not allow this'],
		[{ kind: 'drip', everyMs: 20 }, 'did not respond in time'],
	] as const)('fails if the second list responds with %j', async (action, words) => {
		fault(action, { skip: 1, times: null });
		const more = { options: { maxWait: 0 }, requestOptions: { timeout: 600 } };
		const { json, error } = await many(two, more);
		expect(json).toEqual([]);
		expect(error?.message).toContain(words);
	});
});

describe('Invoice: Get Many with Due After and Due Before', () => {
	const many = async (filters: object, change: object = {}) =>
		await getMany('invoice', { filters, ...change });
	/** The days on which invoices are due, by their IDs. */
	const dueDays = () =>
		new Map<unknown, string>(
			service.world.account.invoices.map(({ full }) => [full.id, full.due_date.slice(0, 10)]),
		);
	const days = () => [...dueDays().values()].sort();
	const between = (after: string, before: string) =>
		[...dueDays()].flatMap(([id, day]) => (day > after && day < before ? [id] : [])).sort();

	test('compare calendar days, and exclude both limits', async () => {
		const [after, before] = [days()[8], days()[30]];
		const { json } = await many({ dueAfter: `${after}T00:00:00`, dueBefore: before });
		expect(json.length).toBeGreaterThan(5);
		expect(ids(json).sort()).toEqual(between(after, before));
		expect(queries()[0]).toEqual({ page: '1', page_size: '100' });
		expect(ids((await many({ dueAfter: after })).json).sort()).toEqual(between(after, '9'));
		expect(ids((await many({ dueBefore: before })).json).sort()).toEqual(between('', before));
	});

	test('stop reading when enough invoices match', async () => {
		service.world.reset({ invoices: 3000 });
		const after = days()[1500];
		const change = { returnAll: false, options: { maxRequestsInFlight: 2 } };
		const list = async (limit: number) =>
			(await many({ dueAfter: after }, { ...change, limit })).json;
		const json = await list(20);
		expect(json).toHaveLength(20);
		for (const { id } of json) expect(between(after, '9')).toContain(id);
		expect(service.requests.length).toBeLessThan(20);
		expect((await list(5000)).length).toBe(between(after, '9').length);
	});

	test('work with several statuses', async () => {
		const filters = { dueBefore: days()[20], status: ['unpaid', 'overdue'] };
		const { json } = await many(filters, { returnAll: false, limit: 4 });
		expect(json).toHaveLength(4);
		for (const { id, status } of json) {
			expect(between('', filters.dueBefore)).toContain(id);
			expect(filters.status).toContain(status);
		}
	});

	/** The service lists invoices with these due dates. */
	const due = (...dates: unknown[]) =>
		fault(pageOf(...dates.map((one, index) => ({ id: String(index), due_date: one }))));

	test.each<[unknown, boolean]>([
		['2026-03-31T00:00:00Z', true],
		// Midnight in Stockholm.
		['2026-03-30T22:00:00Z', true],
		['2026-03-31T23:59:59.999999Z', true],
		['2026-03-31T23:59:59+02:00', true],
		['2026-03-31', true],
		['2026-03-30T00:00:00Z', false],
		['2026-04-01T00:00:00.000Z', false],
		[null, false],
		['', false],
	])('count an invoice that is due at %p as due on 31 March: %p', async (date, isDue) => {
		due(date);
		const { json, error } = await many({ dueAfter: '2026-03-30', dueBefore: '2026-04-01' });
		expect([error, json.length]).toEqual([undefined, isDue ? 1 : 0]);
	});

	test.each<[unknown, string]>([
		[undefined, "invoices without due_date, so 'Due After' and 'Due Before' cannot be applied"],
		['soon', 'an invoice whose due_date must be a date'],
	])('report a due date of %p', async (date, words) => {
		due('2026-03-31', date);
		const { json, error } = await many({ dueAfter: '2026-03-30' });
		expect(json).toEqual([]);
		expect(error?.message).toContain(words);
	});

	const startPage = { options: { startPage: 2, pageSize: 2 } };
	test.each<[string, object, object]>([
		["combined with 'Due After' or 'Due Before'", { dueAfter: '2026-02-28' }, startPage],
		['combined with several values in Status', { status: ['paid', 'unpaid'] }, startPage],
		['Due After must be a date', { dueAfter: '={{ "01/02/2026" }}' }, {}],
		['Status must be one of cancelled, overdue, paid, scheduled, unpaid, got "open"', { status: ['paid', 'open'] }, {}],
	])('refuse before anything is sent: %s (%j)', async (words, filters, change) => {
		const { error } = await many(filters, change);
		expect(error?.message).toContain(words);
		expect(service.requests).toEqual([]);
	}); // prettier-ignore

	test('allow Start Page 1, and do not filter if empty', async () => {
		const first = await many({ dueAfter: '2020-01-01' }, { options: { startPage: 1 } });
		expect(first.json).toHaveLength(40);
		expect((await many({ status: ['paid'] }, startPage)).error).toBeUndefined();
		expect((await many({ dueAfter: '={{ $json.none }}', dueBefore: '' })).json).toHaveLength(40);
	});
});

testAtNight('more results than a declarative node of n8n can return', async () => {
	service.world.reset({ charges: 130_000, maxPageSize: 50_000, optionalFields: 'missing' });
	const { json } = await getMany('charge', { options: { pageSize: 50_000, maxWait: 0 } });
	expect(new Set(ids(json)).size).toBe(130_000);
});

const getInvoice = (invoiceId: unknown, change: object = {}) =>
	({ resource: 'invoice', operation: 'get', invoiceId, ...change }) as INodeParameters;
const invoice = (mode: string, value: string, change: object = {}) =>
	getInvoice(locator(mode, value), change);
const charge = (id: unknown, change: object = {}): INodeParameters => ({
	resource: 'charge',
	operation: 'get',
	chargeId: locator('id', String(id)),
	...change,
});
/** Gets an invoice for each item, by its field with the name of the mode. */
const each = (mode: string, options: object = {}) =>
	invoice(mode, `={{ $json.${mode} }}`, { options });
const idsOf = async (...args: Parameters<typeof run>) => ids((await run(...args)).json);
const errorOf = async (...args: Parameters<typeof run>) => {
	const result = await run(...args);
	expect(result.json).toEqual([]);
	return textOf(result);
};

const numbered = (invoice_number: string) =>
	service.world.account.addInvoice({ invoice_number }, Date.parse('2026-05-01T09:00:00Z')).id;
const created = async (invoiceNumber: string) =>
	(await run(service.invoice({ additionalFields: { invoiceNumber } }))).json[0];
const noId = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

describe('Invoice: Get', () => {
	test.each(['list', 'id'])('finds an invoice by ID with one request, mode %s', async (mode) => {
		const { id, number } = seeded(7);
		const { json, error } = await run(invoice(mode, ` ${id} `));
		expect([error, json]).toMatchObject([undefined, [{ id, invoice_number: number }]]);
		expect(Object.keys(json[0])).toHaveLength(10);
		expect(service.requests.map(({ query }) => query)).toEqual([
			{ id, page: '1', page_size: '100' },
		]);
	});

	test.each<[string, (one: ReturnType<typeof seeded>) => unknown]>([
		['by an ID without a mode', ({ id }) => id],
		['by a number without a mode', ({ number }) => number],
		['by number', ({ number }) => locator('number', number)],
	])('finds an invoice %s, and gives it whole without Simplify', async (_how, invoiceId) => {
		const { json } = await run(getInvoice(invoiceId(seeded(7)), { simplify: false }));
		expect(json).toEqual([service.world.account.invoices[7].listed]);
	});

	test('finds numeric numbers, and numbers with spaces and commas', async () => {
		const both = [numbered('4711'), numbered('Möbel, 3/1')];
		const items = [{ number: 4711 }, { number: ' Möbel, 3/1 ' }];
		expect(await idsOf(each('number'), { items })).toEqual(both);
	});

	test.each(matches)('never gives an invoice with another number (filter %s)', async (match) => {
		service.world.reset({ invoiceNumberMatch: match, invoices: 250, maxPageSize: 20 });
		for (const [id, number] of [
			[numbered('A-1'), 'A-1'],
			[numbered('A-12'), 'A-12'],
		] as const)
			expect(await idsOf(invoice('number', number))).toEqual([id]);
		for (const other of ['A-', 'A-123', '1']) {
			const words = await errorOf(invoice('number', other));
			const [message] = words.split('\n');
			expect(message).toBe(`No invoice with the number "${other}" was found in the service`);
			expect(words).toContain('created a moment ago');
		}
	});

	test.each<SettingsInput>([
		...(['newestFirst', 'oldestFirst', 'none'] as const).map((order) => ({ order })),
		...(['missing', 'zero', 'pageLength', 'cappedAt100'] as const).map((count) => ({ count })),
		{ maxPageSize: 30, overMaxPageSize: 'reject' },
		{ pastTheEnd: 'notFound' },
		{ invoicesPerMoment: 250, timestampTies: 'perPage' },
		{ invoicesPerMoment: 250, timestampTies: 'perRequest' },
	])('finds invoices by ID if the service ignores the filter, with %j', async (settings) => {
		service.world.reset({ idMatch: 'ignored', invoices: 250, ...settings });
		const items = [0, 122, 249, 122].map(seeded);
		const { json, error } = await run(each('id'), { items });
		expect([error, ids(json)]).toEqual([undefined, ids(items)]);
		expect(await errorOf(invoice('id', noId))).toContain(
			`No invoice with the ID "${noId}" was found in the service`,
		);
	});

	test('stops reading at the invoice if the service ignores the filter', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 2000 });
		await run(invoice('id', seeded(0).id, oneAtATime));
		expect(service.requests).toHaveLength(1);
	});

	test('finds the invoices before the pages that the service refuses', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 900, maxResults: 500 });
		const items = [10, 20, 30].map(seeded);
		expect(await idsOf(each('id'), { items })).toEqual(ids(items));
		expect(await errorOf(invoice('id', seeded(899).id))).toContain('Result window is too large');
	});

	const storedAs = ['upperCase', 'withoutSpaces', 'padded', 'nfc'] as const;
	test.each(storedAs)('finds a changed number: %s', async (storedNumbers) => {
		service.world.set({ storedNumbers, invoiceNumberMatch: 'ignored' });
		const number = 'inv 7e\u0301';
		const { id } = await created(number);
		expect(await idsOf(invoice('number', number))).toEqual([id]);
	});

	test('fails and names the IDs if several invoices have the number', async () => {
		const same = [numbered('A-1'), numbered('A-1')].sort();
		numbered('A-10');
		const words = await errorOf(invoice('number', 'A-1'));
		for (const part of ['Several invoices have the number "A-1": ', ...same, "Choose 'By ID'"])
			expect(words).toContain(part);
	});

	test('prefers an exact number to one in another case', async () => {
		const [small, capital, other] = [numbered('b-1'), numbered('B-1'), numbered('c-1')];
		service.world.set({ invoiceNumberMatch: 'ignored' });
		const items = ['b-1', 'B-1', ' C - 1 '].map((number) => ({ number }));
		expect(await idsOf(each('number'), { items })).toEqual([small, capital, other]);
	});

	test.each<[string, INodeParameters, string]>([
		['a number By ID', invoice('id', '2026-1'), `its number, choose 'By Number'`],
		['nothing', invoice('number', '={{ $json.none }}'), 'Invoice is empty, but it is required'],
		['an object', invoice('number', '={{ {} }}'), 'Invoice must be text'],
		['a charge that is no ID', charge('ch_1'), 'Charge must be an ID in UUID format'],
	])('refuses %s before anything is sent', async (_name, parameters, words) => {
		expect(await errorOf(parameters)).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('suggests By ID if an ID was not found By Number', async () => {
		const words = await errorOf(invoice('number', noId));
		expect(words).toContain("It looks like an ID: choose 'By ID'");
	});

	test.each<[string, INodeParameters]>([
		['invoices without invoice_number', invoice('number', 'A-1')],
		['invoices without id', invoice('id', noId)],
		['charges without id', charge(noId)],
	])('reports %s', async (words, parameters) => {
		fault(pageOf({ title: 'x' }), { times: null });
		expect(await errorOf(parameters)).toContain(words);
	});

	test('finds an invoice as soon as a slow list shows it', async () => {
		service.world.set({ listLagMs: 600 });
		const { id } = await created('');
		expect(await errorOf(invoice('id', String(id)))).toContain('only after some time');
		service.world.set({ listLagMs: 0 });
		expect(await idsOf(invoice('id', String(id)))).toEqual([id]);
	});

	test.each(['id', 'number'])('finds by %s an invoice that is listed late', async (mode) => {
		service.world.set({ listLagMs: 700, idMatch: 'ignored', invoiceNumberMatch: 'ignored' });
		const { id } = await created('late');
		const { json, error } = await run(each(mode), {
			items: [seeded(0), { id, number: 'late' }],
			node: { retryOnFail: true, maxTries: 4, waitBetweenTries: 400 },
		});
		expect([error, ids(json)]).toEqual([undefined, [seeded(0).id, id]]);
	});

	test.each(someOf([1, 2, 3, 4, 5]))('copes with a new order after request %i', async (request) => {
		service.world.reset({ idMatch: 'ignored', invoiceNumberMatch: 'ignored', invoices: 700 });
		let count = 0;
		beforeEachList(() => {
			count += 1;
			// From the next request on.
			if (count === request) service.world.set({ order: 'oldestFirst' });
		});
		for (const mode of ['id', 'number']) {
			for (const item of [5, 350, 695].map(seeded)) {
				count = 0;
				service.world.set({ order: 'newestFirst' });
				const { json, error } = await run(each(mode), { items: [item] });
				if (error) expect(error.message).toContain('unexpected response');
				else expect(ids(json)).toEqual([item.id]);
			}
		}
	});

	test('gives the other items with Continue, each with its pair', async () => {
		numbered('D-1');
		numbered('D-1');
		const { number } = seeded(2);
		const { items } = await run(each('number'), {
			items: ['D-1', number, 'D-2', number].map((one) => ({ number: one })),
			node: continues,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(items.map(({ json }) => json.error ?? json.invoice_number)).toEqual([
			expect.stringContaining('Several invoices have the number "D-1"'),
			number,
			'No invoice with the number "D-2" was found in the service [item 3]',
			number,
		]);
	});
});

describe('Charge: Get', () => {
	test.each(['exact', 'ignored'] as const)('finds a charge by ID (filter %s)', async (idMatch) => {
		service.world.set({ idMatch });
		for (const { id, total } of [0, 130, 249].map((index) => charges()[index]))
			expect((await run(charge(id))).json).toMatchObject([{ id, total }]);
		const { error } = await run(charge(noId));
		expect(error?.message).toBe(`No charge with the ID "${noId}" was found in the service`);
	});

	test.each<[object | null, string | undefined]>([
		[null, undefined],
		[{}, undefined],
		[{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
		[{ card_holder_name: ' ', name: 'Ada' }, 'Ada'],
		[{ card_holder_name: '4111 1111 1111 1111', name: 5 }, '(card number)'],
		[{ card_holder_name: 5, name: 'Ada 2' }, 'Ada 2'],
	])('names the payer of a charge with the source %j', async (source, payer) => {
		fault(pageOf({ id: noId, total: '1.00', source }));
		const { json } = await run(charge(noId));
		expect(json).toEqual([{ total: '1.00', ...(payer && { payer }), id: noId }]);
	});
});

const list = async (method: ListedIn, filter?: string, token?: string) =>
	await listIn(method, service.credential, filter, token);
const entries = async (...args: Parameters<typeof list>) => (await list(...args)).results;
const values = async (...args: Parameters<typeof list>) =>
	(await entries(...args)).map(({ value }) => value);
const byName = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));
/** The service lists invoices of these customers. */
const answerWith = (...customers: unknown[]) =>
	fault(pageOf(...customers.map((customer, index) => ({ id: String(index), customer }))));

describe('team members in the editor', () => {
	test('come in pages, sorted by name, each once', async () => {
		service.world.reset({ members: 250 });
		const found = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await list('getMembers', '', token);
			found.push(...results);
			token = paginationToken;
		} while (token);
		const { members } = service.world.account;
		expect(found.map(({ value }) => value).sort()).toEqual(members.map(({ id }) => id).sort());
		const names = found.map(({ name }) => name);
		expect(names).toEqual(byName(names));
	});

	test('are found by name, job title and ID', async () => {
		const [{ id, job_title: title, user }] = service.world.account.members;
		for (const filter of [user.last_name.toUpperCase(), ` ${title} `, id])
			expect(await values('getMembers', filter)).toContain(id);
		expect(await values('getMembers', 'nobody is called like this')).toEqual([]);
	});
});

describe('customers in the editor', () => {
	const [one, two, three] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

	test('are those of all invoices, each once, and read once in five minutes', async () => {
		service.world.reset({ invoices: 1000 });
		const all = await entries('getCustomers');
		const { customers } = service.world.account;
		expect(new Map(all.map(({ value, name }) => [value, name]))).toEqual(
			new Map(
				customers.map(({ id, name, email }) => [id, `${name}, ${email} (${id.slice(0, 8)})`]),
			),
		);
		expect(all).toHaveLength(customers.length);
		const [first] = all;
		expect(await entries('getCustomers', first.name.slice(0, 9).toUpperCase())).toContainEqual(
			first,
		);
		expect(await entries('getCustomers', String(first.value))).toEqual([first]);
		expect(service.requests.length).toBeLessThanOrEqual(11);
	});

	test.each<[string, object, string]>([
		['a name', { name: ' Northwind  AB' }, 'Northwind AB (00000000)'],
		[
			'a name and an email in inner objects, and no address, moment or other ID',
			{
				kind: 'company',
				contact: { first_name: 'Ann', last_name: 'Lee', email: 'ann@shop.example' },
				account: two,
				url: 'https://shop.example',
				created: '2026-01-01T00:00:00Z',
				city: 'Oslo',
			},
			'Ann Lee, ann@shop.example (00000000)',
		],
		['a long name', { name: 'x'.repeat(70) }, `${'x'.repeat(60)}… (00000000)`],
		['card data', { card_data: { name: '4111' }, name: 'Lee' }, 'Lee (00000000)'],
		['nothing but an ID', {}, one],
	])('show %s', async (_what, customer, name) => {
		answerWith({ ...customer, id: one }, { ...customer, id: 'no UUID' }, null, 'text');
		expect(await entries('getCustomers')).toEqual([{ name, value: one }]);
	});

	test('with the same name show their IDs, and a renamed customer shows once', async () => {
		const other = 'ffffffff-0000-4000-8000-000000000001';
		answerWith(
			{ id: other, name: 'Lee' },
			{ id: two, name: 'Lee' },
			{ id: other.toUpperCase(), name: 'Lee as it was' },
		);
		expect(await entries('getCustomers', 'LEE')).toEqual([
			{ name: 'Lee (00000000)', value: two },
			{ name: 'Lee (ffffffff)', value: other },
		]);
	});

	test.each(['nunez', 'NÚÑEZ', 'gmbh nunez', 'lodz', 'ostergard', 'strasse'])(
		'are found by names and emails, without accents, in any order (%s)',
		async (words) => {
			answerWith({ id: three, name: 'Núñez GmbH', company: 'Łódź, Østergård, Straße' });
			expect(await values('getCustomers', words)).toEqual([three]);
		},
	);

	test('without IDs are an error with advice', async () => {
		answerWith({ name: 'Northwind' });
		await expect(list('getCustomers')).rejects.toMatchObject({
			message: 'The invoices do not contain customer IDs',
			description: expect.stringContaining('By ID') as string,
		});
		service.world.reset({ invoices: 0 });
		expect(await values('getCustomers')).toEqual([]);
	});
});

describe('invoices in the editor', () => {
	test('are found by number, title, customer, amount and ID', async () => {
		const {
			id,
			invoice_number: number,
			title,
			amount,
			status,
			currency,
			customer,
		} = service.world.account.invoices[5].listed;
		const { name } = customer as { name: string };
		const all = await entries('getInvoices');
		expect(all).toHaveLength(40);
		const entry = all.find(({ value }) => value === id)?.name;
		for (const words of [number, name, `${amount} ${currency}`, `(${status})`])
			expect(entry).toContain(words);
		for (const filter of [number, title, name.toUpperCase(), amount, id, `${number} ${name}`])
			expect(await values('getInvoices', filter)).toContain(id);
		expect(await values('getInvoices', 'no such thing')).toEqual([]);
	});

	test('that are not offered are found by number or ID', async () => {
		service.world.reset({ invoices: 900 });
		const { id, number } = seeded(899);
		for (const filter of [number, id]) expect(await values('getInvoices', filter)).toEqual([id]);
		service.world.set({ invoiceNumberMatch: 'ignored', idMatch: 'ignored' });
		expect(await values('getInvoices', 'no such thing')).toEqual([]);
	});
});

describe('charges in the editor', () => {
	test('are found by day, total, payer and ID, newest first', async () => {
		const { results, paginationToken } = await list('getCharges');
		expect([results[0].value, results.length, paginationToken]).toEqual([
			charges()[0].id,
			100,
			'100',
		]);
		const { id, created, total, source } = charges()[3];
		const payer = source?.card_holder_name?.toLowerCase();
		for (const filter of [`${created?.slice(0, 10)} ${total}`, payer, String(id)])
			expect(await values('getCharges', filter)).toContain(id);
		service.world.reset({ charges: 900 });
		const [oldest] = service.world.account.listCharges({}, 1, 1, 'oldestFirst').results;
		expect(await values('getCharges', oldest.id)).toEqual([oldest.id]);
	});

	test('show no card data', async () => {
		service.world.reset({ cardData: 'present' });
		const shown = JSON.stringify(await entries('getCharges'));
		expect(shown).not.toContain(charges()[0].source?.card_data?.card_number);
	});

	test('have their existing statuses, or the one that is always known', async () => {
		const all = ['authorised', 'captured', 'declined', 'refunded'];
		expect(await entries('getChargeStatuses')).toEqual(
			all.map((status) => ({ name: status, value: status })),
		);
		expect(await values('getChargeStatuses', ' DECL ')).toEqual(['declined']);
		expect(await values('getChargeStatuses', 'xyz')).toEqual([]);
		for (const settings of [{ charges: 0 }, { optionalFields: 'missing' }] as const) {
			service.world.reset(settings);
			expect(await values('getChargeStatuses')).toEqual(['authorised']);
		}
	});
});

// The list of readings needs no request.
const methods = (Object.keys(new InvoicingPayments().methods.listSearch) as ListedIn[]).filter(
	(method) => method !== 'getReadings',
);
test.each(methods)('%s reports errors', async (method) => {
	const wrong = { ...service.credential, apiKey: 'wrong' };
	await expect(listIn(method, wrong)).rejects.toThrow('The service did not accept the API key');
	await expect(listIn(method, { apiKey: 'x', baseUrl: '' })).rejects.toThrow('Base URL');
	fault({ kind: 'json', body: [1] });
	await expect(list(method)).rejects.toThrow('an unexpected response');
});
