/** Get Many: pages, Limit, filters, and the invoices of several statuses or due dates. */

import type { INodeParameters } from 'n8n-workflow';
import { endpoints } from '../../contract';
import type { SettingsInput } from '../../simulator/settings';
import type { RunOptions } from '../helpers/n8n/engine';
import { useLists } from '../helpers/n8n/listRuns';
import { ids, locator, pageOf } from '../helpers/n8n/nodeRuns';
import { testAtNight } from '../helpers/someOf';

const { service, run, fault, charges, beforeEachList } = useLists();

const queries = () => service.requests.map(({ query }) => query);

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

	test('asks once more without Page Size if the service refuses the list, and then gives up', async () => {
		fault({ kind: 'status', status: 422 }, { times: 9 });
		const { error } = await getMany('charge');
		expect(error?.message).toContain('422');
		expect(queries()).toEqual([{ page: '1', page_size: '100' }, { page: '1' }]);
	});

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
