import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NewInvoice } from '../../simulator/account';
import type { SettingsInput } from '../../simulator/settings';
import type { RunOptions } from '../helpers/engine';
import { callAsTools, listIn, runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
afterEach(() => jest.restoreAllMocks());

const run = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	await runNode({ credential: service.credential, parameters, ...more });

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
const invoice = (mode: string, value: string, change: INodeParameters = {}): INodeParameters => ({
	resource: 'invoice',
	operation: 'get',
	invoiceId: locator(mode, value),
	...change,
});
const charge = (value: string, change: INodeParameters = {}): INodeParameters => ({
	resource: 'charge',
	operation: 'get',
	chargeId: locator('id', value),
	...change,
});
const many = async (filters: INodeParameters, change: INodeParameters = {}) =>
	await run({ resource: 'invoice', operation: 'getAll', returnAll: true, filters, ...change });

const addInvoice = (change: NewInvoice) =>
	service.world.account.addInvoice(change, Date.parse('2026-05-01T09:00:00Z'));
const numbered = (number: string) => String(addInvoice({ invoice_number: number }).id);
const seeded = (index: number) => service.world.account.invoices[index].full;
const charges = () => service.world.account.listCharges({}, 1, 300, 'newestFirst').results;
const ids = (json: IDataObject[]) => json.map(({ id }) => id);
const noId = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

describe('Invoice: Get', () => {
	test.each(['list', 'id'])('by ID, mode %s: one request, one invoice', async (mode) => {
		const { id, invoice_number: number } = seeded(7);
		const { json, error } = await run(invoice(mode, ` ${id} `));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id, invoice_number: number }]);
		expect(Object.keys(json[0])).toHaveLength(9);
		expect(service.requests.map(({ query }) => query)).toEqual([
			{ id, page: '1', page_size: '100' },
		]);
	});

	test('by number, whole without Simplify', async () => {
		const { id, invoice_number: number } = seeded(7);
		const { json } = await run(invoice('number', number, { simplify: false }));
		expect(json).toEqual([service.world.account.invoices[7].listed]);
		expect(ids(json)).toEqual([id]);
	});

	test('a value without a mode is an ID where it looks like one, else a number', async () => {
		const { id, invoice_number: number } = seeded(3);
		for (const value of [id, number]) {
			const { json } = await run({ ...invoice('id', ''), invoiceId: value });
			expect(ids(json)).toEqual([id]);
		}
	});

	test('a number as a number, and one with spaces and commas', async () => {
		const first = numbered('4711');
		const second = numbered('Möbel, 3/1');
		const parameters = invoice('number', '={{ $json.number }}');
		const items = [{ number: 4711 }, { number: ' Möbel, 3/1 ' }];
		expect(ids((await run(parameters, { items })).json)).toEqual([first, second]);
	});

	test.each(['exact', 'contains', 'ignored'] as const)(
		'a filter for numbers that is %s gives no other invoice',
		async (invoiceNumberMatch) => {
			service.world.reset({ invoiceNumberMatch, invoices: 250, maxPageSize: 20 });
			const [short, long] = [numbered('A-1'), numbered('A-12')];
			const get = async (number: string) => await run(invoice('number', number));
			expect(ids((await get('A-1')).json)).toEqual([short]);
			expect(ids((await get('A-12')).json)).toEqual([long]);
			for (const other of ['A-', 'A-123', '1']) {
				const { error, json } = await get(other);
				expect(json).toEqual([]);
				expect(error?.message).toBe(
					`No invoice with the number "${other}" was found in the service [item 0]`,
				);
				expect(error?.description).toContain('created a moment ago');
			}
		},
	);

	test.each(['newestFirst', 'oldestFirst', 'none'] as const)(
		'a filter for IDs that is ignored: the invoice is found all the same (%s)',
		async (order) => {
			service.world.reset({ idMatch: 'ignored', invoices: 450, order });
			for (const index of [0, 200, 449]) {
				const { id } = seeded(index);
				expect(ids((await run(invoice('id', id.toUpperCase()))).json)).toEqual([id]);
			}
			const { error } = await run(invoice('id', noId));
			expect(error?.message).toContain(`No invoice with the ID "${noId}" was found in the service`);
		},
	);

	test('reads on until the invoice is there, and the whole list once for many', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 2000 });
		await run(invoice('id', seeded(0).id, { options: { maxRequestsInFlight: 1 } }));
		expect(service.requests).toHaveLength(1);
		const items = Array.from({ length: 50 }, (_, index) => ({ id: seeded(index * 40).id }));
		const options = { maxRequestsInFlight: 1 };
		const { json } = await run(invoice('id', '={{ $json.id }}', { options }), { items });
		expect(ids(json)).toEqual(items.map(({ id }) => id));
		expect(service.requests.length).toBeLessThan(30);
	});

	test('a service that refuses deep pages gives what lies before them', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 900, maxResults: 500 });
		const items = [10, 20, 30].map((index) => ({ id: seeded(index).id }));
		const { json, error } = await run(invoice('id', '={{ $json.id }}'), { items });
		expect(error).toBeUndefined();
		expect(ids(json)).toEqual(items.map(({ id }) => id));
		const deep = await run(invoice('id', seeded(899).id));
		expect(deep.error?.message).toContain('Result window is too large');
	});

	test('an ID in capitals, of a service that compares exactly', async () => {
		const { id } = seeded(1);
		expect(ids((await run(invoice('id', id.toUpperCase()))).json)).toEqual([id]);
	});

	test.each(['upperCase', 'withoutSpaces', 'padded', 'nfc'] as const)(
		'a number that the service stored otherwise: %s',
		async (storedNumbers) => {
			service.world.set({ storedNumbers, invoiceNumberMatch: 'ignored' });
			const number = 'inv 7e\u0301';
			const request = { additionalFields: { invoiceNumber: number } };
			const { json: made } = await run(service.invoice(request) as INodeParameters);
			expect(ids((await run(invoice('number', number))).json)).toEqual(ids(made));
			if (storedNumbers !== 'upperCase' && storedNumbers !== 'nfc') return;
			service.world.set({ invoiceNumberMatch: 'exact' });
			expect(ids((await run(invoice('number', number))).json)).toEqual(ids(made));
		},
	);

	test('after many numbers that no invoice has, other forms are still looked for', async () => {
		service.world.set({ storedNumbers: 'upperCase' });
		await run(service.invoice({ additionalFields: { invoiceNumber: 'last' } }) as INodeParameters);
		const items = Array.from({ length: 30 }, (_, index) => ({ number: `none-${index}` }));
		const { json } = await run(invoice('number', '={{ $json.number }}'), {
			items: [...items, { number: 'last' }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(json).toHaveLength(31);
		expect(json[30]).toMatchObject({ invoice_number: 'LAST' });
	});

	test('several with one number: an error that names the IDs, or all of them', async () => {
		const same = [numbered('A-1'), numbered('A-1')];
		numbered('A-10');
		const { error, json } = await run(invoice('number', 'A-1'));
		expect(json).toEqual([]);
		expect(error?.message).toContain('Several invoices have the number "A-1": ');
		for (const id of same) expect(error?.message).toContain(id);
		expect(error?.description).toContain("Choose 'By ID'");
		const options = { returnAllMatches: true };
		const all = await run(invoice('number', 'A-1', { options }));
		expect(ids(all.json).sort()).toEqual([...same].sort());
		expect(all.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
		const none = await run(invoice('number', 'A-2', { options }));
		expect(none.error?.message).toContain('was found in the service');
	});

	test('an invoice with the number to the letter comes before those in other case', async () => {
		const [small, capital] = [numbered('b-1'), numbered('B-1')];
		service.world.set({ invoiceNumberMatch: 'ignored' });
		expect(ids((await run(invoice('number', 'b-1'))).json)).toEqual([small]);
		expect(ids((await run(invoice('number', 'B-1'))).json)).toEqual([capital]);
		numbered('c-1');
		expect((await run(invoice('number', ' C - 1 '))).json).toMatchObject([
			{ invoice_number: 'c-1' },
		]);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'a number By ID',
			invoice('id', '2026-1'),
			`got "2026-1". To find an invoice by its number, choose 'By Number'`,
		],
		['nothing', invoice('number', '={{ $json.none }}'), 'Invoice is empty, but it is required'],
		['an object', invoice('number', '={{ {} }}'), 'Invoice must be text'],
		['a charge that is no ID', charge('ch_1'), 'Charge ID must be an ID in UUID format'],
	])('%s is told before anything is sent', async (_name, parameters, words) => {
		const { error } = await run(parameters);
		expect(error?.message).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('an ID By Number is told when nothing was found', async () => {
		const { error } = await run(invoice('number', noId));
		expect(error?.message).toContain("It looks like an ID: choose 'By ID'");
	});

	test('a list without numbers or IDs is told, and nothing else comes', async () => {
		const body = { count: 1, next: null, previous: null, results: [{ title: 'x' }] };
		service.world.faults.add({ times: null, action: { kind: 'json', body } });
		expect((await run(invoice('number', 'A-1'))).error?.message).toContain(
			'invoices without invoice_number',
		);
		expect((await run(invoice('id', noId))).error?.message).toContain('invoices without id');
		expect((await run(charge(noId))).error?.message).toContain('charges without id');
	});

	test('a list that lags: not found at first, and found later', async () => {
		service.world.set({ listLagMs: 600 });
		const [{ id }] = (await run(service.invoice() as INodeParameters)).json;
		const { error } = await run(invoice('id', String(id)));
		expect(error?.description).toContain('only after some time');
		service.world.set({ listLagMs: 0 });
		expect(ids((await run(invoice('id', String(id)))).json)).toEqual([id]);
	});

	test.each(['id', 'number'])(
		'Retry On Fail finds by %s what a list shows late, also where filters are ignored',
		async (mode) => {
			service.world.set({ listLagMs: 700, idMatch: 'ignored', invoiceNumberMatch: 'ignored' });
			const request = { additionalFields: { invoiceNumber: 'late' } };
			const [{ id, invoice_number: number }] = (
				await run(service.invoice(request) as INodeParameters)
			).json;
			const items = [
				{ id: seeded(0).id, number: seeded(0).invoice_number },
				{ id, number },
			];
			const { json, error } = await run(invoice(mode, `={{ $json.${mode} }}`), {
				items,
				node: { retryOnFail: true, maxTries: 4, waitBetweenTries: 400 },
			});
			expect(error).toBeUndefined();
			expect(ids(json)).toEqual([seeded(0).id, id]);
		},
	);

	test.each<SettingsInput>([
		{ count: 'missing' },
		{ count: 'zero' },
		{ count: 'pageLength' },
		{ count: 'cappedAt100' },
		{ maxPageSize: 30, overMaxPageSize: 'reject' },
		{ pastTheEnd: 'notFound' },
		{ invoicesPerMoment: 450, equalMoments: 'perPage' },
		{ invoicesPerMoment: 450, equalMoments: 'perRequest' },
	])('a service that ignores the ID, with %j', async (settings) => {
		service.world.reset({ idMatch: 'ignored', invoices: 450, ...settings });
		const items = [3, 222, 449, 222].map((index) => ({ id: seeded(index).id }));
		const { json, error } = await run(invoice('id', '={{ $json.id }}'), { items });
		expect(error).toBeUndefined();
		expect(ids(json)).toEqual(items.map(({ id }) => id));
		expect((await run(invoice('id', noId))).error?.message).toContain('No invoice with the ID');
	});

	test.each([1, 2, 3, 4, 5])(
		'an order that changes after request %i: the invoice is found, or an error says why not',
		async (request) => {
			service.world.reset({ idMatch: 'ignored', invoiceNumberMatch: 'ignored', invoices: 700 });
			const { account } = service.world;
			const list = account.listInvoices.bind(account);
			let calls = 0;
			jest.spyOn(account, 'listInvoices').mockImplementation((query, page, size, match, now) => {
				calls += 1;
				const order = calls > request ? 'oldestFirst' : 'newestFirst';
				return list(query, page, size, { ...match, order }, now);
			});
			for (const mode of ['id', 'number']) {
				for (const index of [5, 350, 695]) {
					calls = 0;
					const { id, invoice_number: number } = seeded(index);
					const { json, error } = await run(invoice(mode, mode === 'id' ? id : number));
					if (error) expect(error.message).toContain('unexpected response');
					else expect(ids(json)).toEqual([id]);
				}
			}
		},
	);

	test('a second list that drips is an error, not half of the invoices', async () => {
		service.world.faults.add({ skip: 1, times: null, action: { kind: 'drip', everyMs: 20 } });
		const { json, error } = await many(
			{ status: ['overdue', 'paid'] },
			{ options: { maxWait: 0 }, requestOptions: { timeout: 600 } },
		);
		expect(json).toEqual([]);
		expect(error?.message).toContain('did not respond in time');
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s the other items come, each paired with its own',
		async (onError) => {
			numbered('D-1');
			numbered('D-1');
			const { invoice_number: number } = seeded(2);
			const items = [{ number: 'D-1' }, { number }, { number: 'D-2' }, { number }];
			const parameters = invoice('number', '={{ $json.number }}');
			const result = await run(parameters, { items, node: { onError } });
			const all = [...result.items, ...result.errorItems];
			const told = all.map(({ json, pairedItem }) => [
				(pairedItem as { item: number }).item,
				String(json.error ?? json.invoice_number).replace(/: .*/, ''),
			]);
			expect(told.sort()).toEqual([
				[0, 'Several invoices have the number "D-1"'],
				[1, number],
				[2, 'No invoice with the number "D-2" was found in the service [item 2]'],
				[3, number],
			]);
		},
	);

	test('without Continue the error says what was found before', async () => {
		const { invoice_number: number, id } = seeded(2);
		const options = { maxRequestsInFlight: 1 };
		const { error } = await run(invoice('number', '={{ $json.number }}', { options }), {
			items: [{ number }, { number: 'none' }, { number }],
		});
		expect(error?.message).toContain('"none" was found in the service [item 1]');
		expect(error?.description).toContain(id);
	});

	test('a busy service is asked again; a failure is told', async () => {
		const { id } = seeded(0);
		service.world.faults.add({ action: { kind: 'status', status: 503 } });
		expect(ids((await run(invoice('id', id))).json)).toEqual([id]);
		service.world.faults.add({ times: null, action: { kind: 'status', status: 403 } });
		for (const mode of ['id', 'number']) {
			const { error } = await run(invoice(mode, id));
			expect(error?.message).toContain('does not allow this for the API key');
		}
	});
});

describe('Charge: Get', () => {
	test.each(['exact', 'ignored'] as const)('by ID, with a filter that is %s', async (idMatch) => {
		service.world.set({ idMatch });
		for (const index of [0, 130, 249]) {
			const { id, total } = charges()[index];
			const { json, error } = await run(charge(String(id)));
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id, total }]);
		}
		const { error } = await run(charge(noId));
		expect(error?.message).toBe(
			`No charge with the ID "${noId}" was found in the service [item 0]`,
		);
	});

	test('says who paid, and card data only if it is asked for', async () => {
		service.world.reset({ cardData: 'present' });
		const [{ id, source }] = charges();
		const simple = await run(charge(String(id)));
		expect(simple.json[0].payer).toBe(source?.card_holder_name);
		expect(Object.keys(simple.json[0])).toHaveLength(10);
		expect(simple.json[0]).not.toHaveProperty('source');
		const whole = await run(charge(String(id), { simplify: false }));
		expect(whole.json[0]).toHaveProperty('source.last4');
		expect(whole.stored).not.toContain('card_number');
		const options = { includeCardData: true };
		const secret = await run(charge(String(id), { options }));
		expect(secret.json[0]).toHaveProperty('source.card_data.card_number');
	});

	test.each<[object | null, string | undefined]>([
		[null, undefined],
		[{}, undefined],
		[{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
		[{ card_holder_name: ' ', name: 'Ada' }, 'Ada'],
		[{ card_holder_name: '4111 1111 1111 1111', name: 5 }, undefined],
		[{ card_holder_name: '4111-1111-1111-1111', name: 'Ada 2' }, 'Ada 2'],
	])('the payer of a charge with the source %j', async (source, payer) => {
		const result = { id: noId, total: '1.00', source };
		const body = { count: 1, next: null, previous: null, results: [result] };
		service.world.faults.add({ action: { kind: 'json', body } });
		const { json } = await run(charge(noId));
		expect(json).toEqual([{ total: '1.00', ...(payer && { payer }), id: noId }]);
	});
});

describe('as tools of an AI agent', () => {
	test('a model gives a number, an ID, or what does not exist', async () => {
		const { id, invoice_number: number } = seeded(4);
		const [{ id: chargeId }] = charges();
		const { credential } = service;
		const told = await callAsTools(
			[
				invoice('number', number),
				invoice('id', id),
				charge(String(chargeId)),
				invoice('number', 'nope'),
				invoice('id', number),
			].map((parameters) => ({ credential, parameters })),
		);
		const words = told.map((one) => (one instanceof Error ? one.message : one[0].id));
		expect(words.slice(0, 3)).toEqual([id, id, chargeId]);
		expect(words[3]).toContain('No invoice with the number "nope" was found');
		expect(words[4]).toContain("choose 'By Number'");
	});
});

describe('Invoice: Get Many with several statuses', () => {
	const withStatus = (...wanted: string[]) =>
		service.world.account.invoices
			.filter(({ full }) => wanted.includes(full.status))
			.map(({ full }) => full.id);
	const asked = () => service.requests.map(({ query }) => query.status);

	test.each<[string, INodeParameters[string], string[]]>([
		['a list', ['paid', 'overdue'], ['paid', 'overdue']],
		['one text, as older workflows hold it', 'paid', ['paid']],
		['an expression that gives a text', '={{ "Paid" }}', ['paid']],
		['an expression that gives a list', '={{ ["paid", "Overdue"] }}', ['paid', 'overdue']],
		['a text with commas', '={{ "paid, overdue, paid" }}', ['paid', 'overdue']],
		['JSON', '={{ \'["paid","unpaid"]\' }}', ['paid', 'unpaid']],
	])('%s', async (_name, status, wanted) => {
		const { json, error } = await many({ status });
		expect(error).toBeUndefined();
		expect(ids(json).sort()).toEqual(withStatus(...wanted).sort());
		expect(json.map((one) => wanted.indexOf(String(one.status)))).toEqual(
			json.map((one) => wanted.indexOf(String(one.status))).sort(),
		);
		expect(new Set(asked())).toEqual(new Set(wanted));
	});

	test.each<[string, INodeParameters[string]]>([
		['an empty list', []],
		['an expression that gives nothing', '={{ $json.none }}'],
		['an empty text', ''],
	])('%s is no filter', async (_name, status) => {
		const { json } = await many({ status });
		expect(json).toHaveLength(40);
		expect(asked()).toEqual([undefined]);
	});

	test('a status that does not exist is told', async () => {
		const { error } = await many({ status: ['paid', 'open'] });
		expect(error?.message).toBe(
			'Status must be one of cancelled, overdue, paid, scheduled, unpaid, got "open" [item 0]',
		);
		expect(service.requests).toEqual([]);
	});

	test('the limit counts all of them, and nothing is read that is not needed', async () => {
		service.world.reset({ invoices: 500 });
		const first = withStatus('overdue').length;
		const list = async (limit: number) =>
			(await many({ status: ['overdue', 'paid'] }, { returnAll: false, limit })).json;
		expect(await list(10)).toHaveLength(10);
		expect(asked()).toEqual(['overdue']);
		const json = await list(first + 7);
		expect(json.map(({ status }) => status)).toEqual([
			...Array.from({ length: first }, () => 'overdue'),
			...Array.from({ length: 7 }, () => 'paid'),
		]);
	});

	/** Changes statuses before the request with this number reaches the list. */
	function changeBefore(request: number, ...changes: string[]) {
		const { account } = service.world;
		const list = account.listInvoices.bind(account);
		let calls = 0;
		jest.spyOn(account, 'listInvoices').mockImplementation((...args) => {
			calls += 1;
			for (let at = 0; calls === request && at < changes.length; at += 2) {
				account.changeInvoice(changes[at], changes[at + 1] as 'paid');
			}
			return list(...args);
		});
	}

	test.each([true, false])(
		'one that is paid between the two lists comes once (Return All %p)',
		async (returnAll) => {
			const [moved] = withStatus('overdue');
			const all = withStatus('overdue', 'paid').sort();
			changeBefore(2, moved, 'paid');
			const filters = { status: ['overdue', 'paid'] };
			const { json } = await many(filters, { returnAll, limit: 200 });
			expect(ids(json).sort()).toEqual(all);
		},
	);

	test('one that moves to the list that was read already comes as well', async () => {
		const [moved] = withStatus('paid');
		const all = withStatus('overdue', 'paid').sort();
		changeBefore(2, moved, 'overdue');
		const { json } = await many({ status: ['overdue', 'paid'] });
		expect(ids(json).sort()).toEqual(all);
	});

	test('two that change places while the lists are read come both', async () => {
		const [first] = withStatus('overdue');
		const [second] = withStatus('paid');
		const all = withStatus('overdue', 'paid').sort();
		changeBefore(2, first, 'paid', second, 'overdue');
		const { json } = await many({ status: ['overdue', 'paid'] });
		expect(ids(json).sort()).toEqual(all);
	});

	test('of a long list that has not changed only the count is asked again', async () => {
		service.world.reset({ invoices: 1200 });
		expect(withStatus('overdue').length).toBeGreaterThan(150);
		await many({ status: ['overdue', 'paid'] });
		expect(service.requests.at(-1)?.query).toEqual({
			status: 'overdue',
			page: '1',
			page_size: '1',
		});
	});

	test('one that moves to a long list that was read already comes as well', async () => {
		service.world.reset({ invoices: 1200 });
		const [moved] = withStatus('paid');
		const all = withStatus('overdue', 'paid').sort();
		changeBefore(6, moved, 'overdue');
		const { json } = await many({ status: ['overdue', 'paid'] });
		expect(ids(json).sort()).toEqual(all);
	});

	test.each(['missing', 'zero', 'pageLength', 'cappedAt100'] as const)(
		'a service whose count is %s',
		async (count) => {
			service.world.reset({ invoices: 700, count });
			const { json, error } = await many({ status: ['overdue', 'paid', 'scheduled'] });
			expect(error).toBeUndefined();
			expect(ids(json).sort()).toEqual(withStatus('overdue', 'paid', 'scheduled').sort());
		},
	);

	test('a failure of one list is the failure of the item', async () => {
		service.world.faults.add({ skip: 1, times: null, action: { kind: 'status', status: 403 } });
		const { json, error } = await many({ status: ['overdue', 'paid'] });
		expect(json).toEqual([]);
		expect(error?.message).toContain('does not allow this');
	});
});

describe('Invoice: Get Many with Due After and Due Before', () => {
	const day = (invoiceId: unknown) =>
		service.world.account.invoices
			.find(({ full }) => full.id === invoiceId)
			?.full.due_date.slice(0, 10) ?? '';
	const between = (after: string, before: string) =>
		service.world.account.invoices
			.filter(({ full }) => day(full.id) > after && day(full.id) < before)
			.map(({ full }) => full.id)
			.sort();
	const days = () => service.world.account.invoices.map(({ full }) => day(full.id)).sort();

	test('calendar days, without the two themselves', async () => {
		const all = days();
		const [after, before] = [all[8], all[30]];
		const range = { dueAfter: `${after}T00:00:00`, dueBefore: before };
		const { json, error } = await many(range);
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(5);
		expect(ids(json).sort()).toEqual(between(after, before));
		expect(service.requests[0].query).toEqual({ page: '1', page_size: '100' });
		expect(ids((await many({ dueAfter: after })).json).sort()).toEqual(between(after, '9'));
		expect(ids((await many({ dueBefore: before })).json).sort()).toEqual(between('', before));
	});

	test('the limit counts what passes, and reading stops when it is reached', async () => {
		service.world.reset({ invoices: 3000 });
		const [, after] = [0, days()[1500]];
		const options = { maxRequestsInFlight: 2 };
		const list = async (limit: number) =>
			(await many({ dueAfter: after }, { returnAll: false, limit, options })).json;
		const json = await list(20);
		expect(json).toHaveLength(20);
		for (const { id } of json) expect(day(id) > after).toBe(true);
		expect(service.requests.length).toBeLessThan(20);
		expect((await list(5000)).length).toBe(between(after, '9').length);
	});

	test('together with several statuses', async () => {
		const before = days()[20];
		const { json } = await many(
			{ dueBefore: before, status: ['unpaid', 'overdue'] },
			{ returnAll: false, limit: 4 },
		);
		expect(json).toHaveLength(4);
		for (const { id, status } of json) {
			expect(day(id) < before).toBe(true);
			expect(['unpaid', 'overdue']).toContain(status);
		}
	});

	const due = (...dates: unknown[]) => {
		const results = dates.map((one, index) => ({ id: String(index), due_date: one }));
		const body = { count: results.length, next: null, previous: null, results };
		service.world.faults.add({ action: { kind: 'json', body } });
	};

	test.each<[string, unknown, boolean]>([
		['midnight in UTC', '2026-03-31T00:00:00Z', true],
		['midnight in Stockholm', '2026-03-30T22:00:00Z', true],
		['the end of the day in UTC', '2026-03-31T23:59:59.999999Z', true],
		['the end of the day with an offset', '2026-03-31T23:59:59+02:00', true],
		['a day', '2026-03-31', true],
		['the day before', '2026-03-30T00:00:00Z', false],
		['the day after', '2026-04-01T00:00:00.000Z', false],
		['null', null, false],
		['an empty text', '', false],
	])('an invoice that is due at %s', async (_name, date, isThere) => {
		due(date);
		const { json, error } = await many({ dueAfter: '2026-03-30', dueBefore: '2026-04-01' });
		expect([error, json.length]).toEqual([undefined, isThere ? 1 : 0]);
	});

	test.each<[unknown, string]>([
		[undefined, "invoices without due_date, so 'Due After' and 'Due Before' cannot be applied"],
		['soon', 'an invoice whose due_date must be a date'],
	])('a due date of %p is told', async (date, words) => {
		due('2026-03-31', date);
		const { json, error } = await many({ dueAfter: '2026-03-30' });
		expect(json).toEqual([]);
		expect(error?.message).toContain(words);
	});

	test.each<[string, INodeParameters, INodeParameters, string]>([
		[
			'swapped days',
			{ dueAfter: '2026-02-01', dueBefore: '2026-01-01' },
			{},
			'There is no day between Due After (2026-02-01) and Due Before (2026-01-01)',
		],
		[
			'days next to each other',
			{ dueAfter: '2026-02-28', dueBefore: '2026-03-01' },
			{},
			'There is no day between',
		],
		[
			'Start Page with Due After',
			{ dueAfter: '2026-02-28' },
			{ startPage: 2 },
			"Start Page cannot be combined with 'Due After' and 'Due Before'",
		],
		[
			'Start Page with two statuses',
			{ status: ['paid', 'unpaid'] },
			{ startPage: 2 },
			'Start Page cannot be combined with several values in Status',
		],
		['a day that is guessed', { dueAfter: '={{ "01/02/2026" }}' }, {}, 'Due After must be a date'],
	])('%s is told before anything is sent', async (_name, filters, options, words) => {
		const { error } = await many(filters, { options });
		expect(error?.message).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('Start Page 1 goes with them, and another with one status', async () => {
		expect(
			(await many({ dueAfter: '2020-01-01' }, { options: { startPage: 1 } })).json,
		).toHaveLength(40);
		const options = { startPage: 2, pageSize: 2 };
		expect((await many({ status: ['paid'] }, { options })).error).toBeUndefined();
	});

	test('an expression that gives nothing is no filter', async () => {
		expect((await many({ dueAfter: '={{ $json.none }}', dueBefore: '' })).json).toHaveLength(40);
	});
});

describe('lists in the editor', () => {
	const names = async (...args: Parameters<typeof listIn>) =>
		(await listIn(...args)).results.map(({ name }) => name);

	test('invoices are found by number, title, customer, amount and ID', async () => {
		const { listed } = service.world.account.invoices[5];
		const { id, invoice_number: number, title, amount, status, currency } = listed;
		const { name } = listed.customer as { name: string };
		const { results } = await listIn('getInvoices', service.credential);
		expect(results).toHaveLength(40);
		const entry = results.find(({ value }) => value === id)?.name;
		for (const words of [number, name, `${amount} ${currency}`, `(${status})`]) {
			expect(entry).toContain(words);
		}
		for (const filter of [number, title, name.toUpperCase(), amount, id, `${number} ${name}`]) {
			const found = await listIn('getInvoices', service.credential, filter);
			expect(found.results.map(({ value }) => value)).toContain(id);
		}
		expect(await names('getInvoices', service.credential, 'no such thing')).toEqual([]);
	});

	test('an invoice beyond those that are offered is found by its number or ID', async () => {
		service.world.reset({ invoices: 900 });
		const { id, invoice_number: number } = seeded(899);
		for (const filter of [number, id]) {
			const { results } = await listIn('getInvoices', service.credential, filter);
			expect(results.map(({ value }) => value)).toEqual([id]);
		}
		service.world.set({ invoiceNumberMatch: 'ignored', idMatch: 'ignored' });
		expect(await names('getInvoices', service.credential, 'no such thing')).toEqual([]);
	});

	test('charges are found by day, total, payer and ID, newest first', async () => {
		const all = charges();
		const { results, paginationToken } = await listIn('getCharges', service.credential);
		expect(results[0].value).toBe(all[0].id);
		expect([results.length, paginationToken]).toEqual([100, '100']);
		const { id, created, total, source } = all[3];
		const payer = source?.card_holder_name ?? '';
		for (const filter of [`${created?.slice(0, 10)} ${total}`, payer.toLowerCase(), String(id)]) {
			const found = await listIn('getCharges', service.credential, filter);
			expect(found.results.map(({ value }) => value)).toContain(id);
		}
		service.world.reset({ charges: 900 });
		const [oldest] = service.world.account.listCharges({}, 1, 1, 'oldestFirst').results;
		const { results: deep } = await listIn('getCharges', service.credential, oldest.id);
		expect(deep.map(({ value }) => value)).toEqual([oldest.id]);
	});

	test('card data is in no entry', async () => {
		service.world.reset({ cardData: 'present' });
		const [{ source }] = charges();
		const all = (await names('getCharges', service.credential)).join();
		expect(all).not.toContain(source?.card_data?.card_number);
	});

	test('statuses of charges: those that there are, and the one that is always known', async () => {
		const status = async (filter?: string) =>
			(await listIn('getChargeStatuses', service.credential, filter)).results;
		const all = ['authorised', 'captured', 'declined', 'refunded'];
		expect((await status()).map(({ value }) => value)).toEqual(all);
		expect((await status()).map(({ name }) => name)).toEqual(all);
		expect((await status(' DECL ')).map(({ value }) => value)).toEqual(['declined']);
		expect(await status('xyz')).toEqual([]);
		service.world.reset({ charges: 0 });
		expect((await status()).map(({ value }) => value)).toEqual(['authorised']);
		service.world.reset({ optionalFields: 'missing' });
		expect((await status()).map(({ value }) => value)).toEqual(['authorised']);
	});

	test.each(['getCharges', 'getInvoices', 'getChargeStatuses'] as const)(
		'%s says why it cannot be read',
		async (method) => {
			service.world.faults.add({ times: null, action: { kind: 'status', status: 401 } });
			await expect(listIn(method, service.credential)).rejects.toThrow(
				'did not accept the API key',
			);
		},
	);

	test.each<[string, INodeParameters[string]]>([
		['as an older workflow holds it', 'authorised'],
		['picked', locator('list', 'authorised')],
		['typed', locator('name', 'authorised')],
		['by an expression', '={{ "authorised" }}'],
	])('a status of charges, %s, filters', async (_name, status) => {
		const { json, error } = await run({
			resource: 'charge',
			operation: 'getAll',
			filters: { status },
		});
		expect(error).toBeUndefined();
		expect(new Set(json.map((one) => one.status))).toEqual(new Set(['authorised']));
		expect(service.requests[0].query.status).toBe('authorised');
	});
});
