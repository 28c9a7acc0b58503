import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodeProcess } from '../../tools/node';
import type { SettingsInput } from '../../simulator/settings';
import { passTime } from '../helpers/clock';
import type { RunOptions } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';
import { testAtNight } from '../helpers/someOf';

const service = useSimulator();

const run = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	await runNode({ credential: service.credential, parameters, ...more });
const reads = () => service.requests.filter(({ method }) => method === 'GET');
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const billed = () => service.created.map(({ request }) => request.customer);

const row = (cells: IDataObject): IDataObject => ({
	Item: 'Consulting',
	'Unit Price': 5,
	...cells,
});
const rows = async (options: INodeParameters, items: IDataObject[], more: INodeParameters = {}) =>
	await run(
		{
			resource: 'invoice',
			operation: 'createFromRows',
			columns: { mappingMode: 'autoMapInputData', value: null } as never,
			ifInvoiceNumberExists: 'create',
			defaults: { currency: 'EUR', dueInDays: 30 },
			options,
			...more,
		},
		{ items: items.map(row) },
	);
const byName = { matchCustomersBy: 'idEmailOrName' };

/** Customers of whom there are invoices, those of whom each name is that of one first. */
function known() {
	const { customers, invoices } = service.world.account;
	const billedIds = new Set(invoices.map(({ listed }) => (listed.customer as { id?: string }).id));
	const all = customers.filter(({ id }) => billedIds.has(id));
	return all.filter(({ name }) => all.filter((one) => one.name === name).length === 1);
}

describe('rows', () => {
	test('by email, in any case, and by ID, without looking for it', async () => {
		const [one, other] = known();
		const { json, hints } = await rows({}, [
			{ Customer: ` ${one.email.toUpperCase()} ` },
			{ Email: other.email },
		]);
		expect(billed()).toEqual([one.id, other.id]);
		expect(json[0].customer_match).toEqual({
			by: 'email',
			name: one.name,
			email: one.email.toUpperCase(),
			id: one.id,
		});
		expect(hints).toContain('Found 2 customers by email.');
		const before = reads().length;
		await rows({}, [
			{ Customer: other.id, Email: other.email },
			{ Customer: one.id, Client: 'A' },
		]);
		expect([reads().length, billed().slice(2)]).toEqual([before, [other.id, one.id]]);
	});

	test('by name only where that is allowed, without case and repeated spaces', async () => {
		const [one] = known();
		const written = ` ${one.name.toUpperCase().replace(' ', '   ')} `;
		const { error } = await rows({}, [{ Client: written }]);
		expect(error?.message).toContain("set 'Match Customers By' to 'ID, Email or Name'");
		const strict = await rows({ matchCustomersBy: 'id' }, [{ Email: one.email }]);
		expect(strict.error?.message).toContain('is not an ID in UUID format');
		expect(service.requests).toEqual([]);
		const { hints } = await rows(byName, [{ Client: written }]);
		expect([billed(), hints.includes('Found 1 customer by name.')]).toEqual([[one.id], true]);
	});

	test('one name, or one email, of two customers is an error that lists both', async () => {
		const customers = [0, 1].map((index) => ({
			id: `00000000-0000-4000-8000-00000000000${index}`,
			name: 'Kaya Ltd',
			email: 'billing@kaya.example',
		}));
		const invoices = customers.map((customer, index) => ({ id: String(index), customer }));
		const body = { count: 2, next: null, previous: null, results: invoices };
		service.world.faults.add({ method: 'GET', times: null, action: { kind: 'json', body } });
		for (const cells of [{ Customer: 'kaya  ltd' }, { Email: 'Billing@Kaya.example' }]) {
			const { error } = await rows(byName, [cells]);
			expect(error?.message).toContain('matches 2 customers');
			for (const { id } of customers) expect(error?.message).toContain(id);
		}
		expect(posts()).toEqual([]);
	});

	test('a name and an email in one row must lead to one customer', async () => {
		const [one, other] = known();
		const { error } = await rows({}, [{ Customer: other.name, Email: one.email }]);
		expect(error?.message).toContain('belong to different customers');
		expect(posts()).toEqual([]);
		await rows({}, [{ Customer: one.name, Email: one.email }]);
		// A name that nobody has contradicts no email.
		await rows({}, [{ Customer: 'Accounts payable', Email: one.email }]);
		expect(billed()).toEqual([one.id, one.id]);
	});

	test('an email that is not that of the ID', async () => {
		const [one, other] = known();
		const { error } = await rows({}, [{ Customer: one.id, Email: other.email }]);
		expect(error?.message).toContain('belongs to another customer');
		expect(posts()).toEqual([]);
		await rows({ matchCustomersBy: 'id' }, [{ Customer: one.id, Email: other.email }]);
		await rows({}, [{ Customer: one.id, Email: 'new@nowhere.example' }]);
		expect(billed()).toEqual([one.id, one.id]);
	});

	test('who is not there: where was looked, who is almost called so, and what to do', async () => {
		const [one] = known();
		const { error } = await rows(byName, [
			{ Customer: `${one.name}x` },
			{ Customer: 'Nobody at all' },
			{ Customer: one.name },
		]);
		const text = String(error?.description);
		expect(text).toMatch(/was found among the \d+ customers of 40 invoices/);
		expect(text).toContain(`Similar: "${one.name}`);
		expect(text).toContain("add the customer to 'Customer List'");
		expect(text).toContain('Row 3');
		expect(text).not.toContain('Row 4');
		expect(posts()).toEqual([]);
	});

	test.each<[string, unknown]>([
		['JSON', '[{"Customer ID": "THE-ID", "Company": "New & Sons", "E-mail": "new@sons.example"}]'],
		['objects', [{ id: 'THE-ID', name: 'New & Sons', email: 'new@sons.example', invoices: 0 }]],
		['items of n8n', [{ json: { id: 'THE-ID', name: 'New & Sons', email: 'new@sons.example' } }]],
	])('a customer without invoices, in a Customer List of %s', async (_kind, list) => {
		const { customers } = service.world.account;
		const { id } = customers[customers.length - 1];
		const text = typeof list === 'string' ? list : JSON.stringify(list);
		const customerList = text.replaceAll('THE-ID', id);
		await rows({ ...byName, customerList }, [
			{ Client: 'new & sons' },
			{ Email: 'NEW@sons.example' },
		]);
		expect(billed()).toEqual([id, id]);
		expect(reads()).toEqual([]);
	});

	test.each<[unknown, string]>([
		['nothing', 'Customer List must be a JSON list such as'],
		['[{"name": "A"}]', 'Customer List, entry 1 has no ID in UUID format'],
	])('a Customer List of %p is told', async (customerList, words) => {
		const { error } = await rows({ customerList: customerList as string }, [
			{ Email: 'a@b.example' },
		]);
		expect(error?.message).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('somebody who is missing in what was read before is looked for once more', async () => {
		service.world.set({ unknownCustomer: 'accept' });
		const [one] = known();
		await rows({}, [{ Email: one.email }]);
		const first = reads().length;
		await rows({}, [{ Email: one.email }]);
		expect(reads()).toHaveLength(first);
		const stranger = {
			id: '00000000-0000-4000-8000-00000000000a',
			name: 'X',
			email: 'x@x.example',
		};
		service.world.account.customers.push(stranger);
		await rows({}, [{ Customer: stranger.id }]);
		await rows({}, [{ Email: stranger.email }]);
		expect(billed().slice(-1)).toEqual([stranger.id]);
		expect(reads().length).toBeGreaterThan(first);
		const second = reads().length;
		passTime(6 * 60_000);
		await rows({}, [{ Email: one.email }]);
		expect(reads().length).toBeGreaterThan(second);
	});

	test.each<[SettingsInput['customerFields'], INodeParameters, 'name' | 'email', boolean]>([
		['company', byName, 'name', true],
		['company', {}, 'email', true],
		['person', byName, 'name', true],
		['person', {}, 'email', true],
		['nested', byName, 'name', true],
		['nested', {}, 'email', true],
		['onlyName', byName, 'name', true],
		['onlyName', byName, 'email', false],
		['onlyId', byName, 'name', false],
	])(
		'a service with customers of the form %s: %j by %s',
		async (customerFields, options, by, isThere) => {
			service.world.reset({ customerFields });
			const [one] = known();
			const { error } = await rows(options, [{ [by === 'email' ? 'Email' : 'Customer']: one[by] }]);
			if (isThere) expect([error, billed()]).toEqual([undefined, [one.id]]);
			else expect(error?.message).toMatch(/No customer|do not contain customer IDs/);
		},
	);

	test.each([500, 100, 1000])(
		'a first name alone is nobody, nor is a city (%p invoices)',
		async (invoices) => {
			service.world.reset({ customerFields: 'person', invoices });
			const [first] = known()[0].name.split(' ');
			expect((await rows(byName, [{ Customer: first }])).error?.message).toContain('No customer');
			service.world.reset({ customerFields: 'company', invoices });
			expect((await rows(byName, [{ Customer: 'Oslo' }])).error?.message).toContain('No customer');
		},
	);

	testAtNight(
		'20,001 invoices: the first 20,000 are looked through, and errors say so',
		async () => {
			service.world.reset({ invoices: 20_001, customers: 500, maxPageSize: 100 });
			const [one] = known();
			const { error } = await rows({}, [{ Email: one.email }, { Email: 'nobody@nowhere.example' }]);
			expect(error?.message).toContain(
				'was found among the 500 customers of the first 20,000 invoices',
			);
			expect(reads().length).toBeLessThanOrEqual(201);
		},
	);

	testAtNight('a service that refuses deep pages: fewer invoices have to do', async () => {
		service.world.reset({ invoices: 15_000, maxResults: 10_000 });
		const [one] = known();
		const { error } = await rows({}, [{ Email: one.email }, { Email: 'nobody@nowhere.example' }]);
		expect(error?.message).toContain(
			'was found among the 12 customers of the first 10,000 invoices',
		);
	});

	test('a service that does not answer is told once, and with Continue in every row', async () => {
		service.world.faults.add({ times: null, action: { kind: 'status', status: 403 } });
		const { error } = await rows({}, [{ Email: 'a@b.example' }, { Email: 'c@d.example' }]);
		expect(error?.message).toContain('does not allow this');
		expect(reads()).toHaveLength(1);
	});

	test('1,000 rows with 1,000 emails and 5,000 invoices: fifty pages', async () => {
		service.world.reset({ invoices: 5000, customers: 1000 });
		const emails = new Set(
			service.world.account.invoices.map(
				({ listed }) => (listed.customer as { email: string }).email,
			),
		);
		expect(emails.size).toBeGreaterThan(950);
		const all = [...emails];
		const items = Array.from({ length: 1000 }, (_, index) => ({ Email: all[index % all.length] }));
		const { error, json } = await rows({}, items, { onlyValidate: true });
		expect([error?.message, json.length]).toEqual([undefined, 1000]);
		expect(reads().length).toBeLessThanOrEqual(50);
	});
});

describe('the locator mode By Email', () => {
	const locator = (value: string) => ({ __rl: true, mode: 'email', value });

	test('finds the customer of an invoice, and of a list', async () => {
		const [one, other] = known();
		const parameters = service.invoice({ customerId: locator('={{ $json.email }}') });
		const items = [{ email: one.email }, { email: other.email.toUpperCase() }];
		const { error } = await run(parameters as INodeParameters, { items });
		expect([error, billed()]).toEqual([undefined, [one.id, other.id]]);
		const { json } = await run({
			resource: 'invoice',
			operation: 'getAll',
			returnAll: true,
			filters: { customerId: locator(one.email) },
			simplify: false,
		});
		expect(json.length).toBeGreaterThan(0);
		for (const { customer } of json) expect((customer as { id: string }).id).toBe(one.id);
		await run({
			resource: 'charge',
			operation: 'getAll',
			filters: { customerId: locator(one.email) },
		});
		expect(service.requests.slice(-1)[0].query.customer_id).toBe(one.id);
	});

	test('one who is not there: nothing is sent, and with Continue the others are', async () => {
		const [one] = known();
		const parameters = service.invoice({ customerId: locator('={{ $json.email }}') });
		const items = [{ email: 'nobody@nowhere.example' }, { email: one.email }];
		const { error } = await run(parameters as INodeParameters, { items });
		expect(error?.message).toContain(
			'Customer ID: No customer with the email "nobody@nowhere.example" was found among the',
		);
		expect(posts()).toEqual([]);
		const node = { onError: 'continueRegularOutput' as const };
		const { json } = await run(parameters as INodeParameters, { items, node });
		expect(json.map(({ id, error: words }) => Boolean(id ?? !words))).toEqual([false, true]);
		expect(billed()).toEqual([one.id]);
	});
});

test('By Email of two customers with one email: nobody is billed, and both are listed', async () => {
	const customers = [0, 1].map((index) => ({
		id: `00000000-0000-4000-8000-00000000000${index}`,
		email: 'billing@kaya.example',
	}));
	const results = customers.map((customer, index) => ({ id: String(index), customer }));
	const body = { count: 2, next: null, previous: null, results };
	service.world.faults.add({ method: 'GET', times: null, action: { kind: 'json', body } });
	const customerId = { __rl: true, mode: 'email', value: customers[0].email };
	const { error } = await run(service.invoice({ customerId }) as INodeParameters);
	expect(error?.message).toContain('matches 2 customers');
	for (const { id } of customers) expect(error?.message).toContain(id);
	expect(posts()).toEqual([]);
});

describe('Customer: Get Many', () => {
	const list = { resource: 'customer', operation: 'getAll', returnAll: true };

	test('gives each customer once, by name, with its invoices and currencies', async () => {
		const { json } = await run(list);
		const counts = new Map<string, number>();
		for (const { listed } of service.world.account.invoices) {
			const { id } = listed.customer as { id: string };
			counts.set(id, (counts.get(id) ?? 0) + 1);
		}
		expect(new Map(json.map(({ id, invoices }) => [id, invoices]))).toEqual(counts);
		expect(Object.keys(json[0])).toEqual(['id', 'name', 'email', 'invoices', 'currencies']);
		const names = json.map(({ name }) => String(name));
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		const { json: few } = await run({ ...list, returnAll: false, limit: 3 });
		expect(few).toEqual(json.slice(0, 3));
	});

	test('what it gives is a Customer List', async () => {
		const { json } = await run(list);
		const [one] = json.filter(({ name }) => known().some((customer) => customer.name === name));
		const before = reads().length;
		await rows({ ...byName, customerList: JSON.stringify(json) }, [{ Customer: one.name }]);
		expect([billed(), reads().length]).toEqual([[one.id], before]);
	});

	test('customers without names or emails, and invoices without customers', async () => {
		service.world.reset({ customerFields: 'onlyId' });
		expect((await run(list)).json[0]).toMatchObject({ name: null, email: null });
		service.world.reset({ invoices: 0 });
		expect((await run(list)).json).toEqual([]);
		const body = { count: 1, next: null, previous: null, results: [{ id: '1', customer: {} }] };
		service.world.faults.add({ action: { kind: 'json', body } });
		expect((await run(list)).error?.message).toContain('unexpected response');
	});
});

test('a thousand strangers among a thousand customers do not hold up n8n', async () => {
	service.world.reset({ invoices: 2000, customers: 1000 });
	const items = Array.from({ length: 1000 }, (_, index) => ({
		Email: `x${index}@customer.example`,
	}));
	const begin = nodeProcess.cpuUsage();
	const { error } = await rows({}, items);
	expect(error?.message).toContain('1000 cells in 1000 rows need a correction');
	expect(String(error?.description).match(/Similar: /g)?.length).toBeLessThanOrEqual(20);
	// Comparing each with each takes half a minute.
	expect(nodeProcess.cpuUsage(begin).user / 1e6).toBeLessThan(15);
});
