import type { IDataObject } from 'n8n-workflow';
import type { SettingsInput } from '../../simulator/settings';
import { nodeProcess } from '../../tools/node';
import { passTime } from '../helpers/n8n/clock';
import { preview } from '../helpers/sheets/fromRows';
import { continues, locator, pageOf, textOf, useNode } from '../helpers/n8n/nodeRuns';
import { someOf, testAtNight } from '../helpers/someOf';

const { service, run, posts, fault, fromRows, confirmRows } = useNode();

const reads = () => service.requests.filter(({ method }) => method === 'GET').length;
const billed = () => service.created.map(({ request }) => request.customer);

/** Parameters and rows of such an invoice for each customer. `cells` name it. */
const inputOf = (options: IDataObject, cells: IDataObject[]) =>
	[
		{
			ifInvoiceNumberExists: 'create',
			defaults: { currency: 'EUR', dueInDays: 30 },
			options,
		},
		cells.map((own) => ({ Item: 'Consulting', 'Unit Price': 5, ...own })),
	] as const;
const rows = async (options: IDataObject, cells: IDataObject[]) =>
	await confirmRows(...inputOf(options, cells));
/** The error of rows that must create nothing, and their preview. */
const errorOf = async (options: IDataObject, cells: IDataObject[]) => {
	const [change, items] = inputOf(options, cells);
	const result = await fromRows(change, items);
	expect(posts()).toEqual([]);
	return textOf(result);
};
const byName = { matchCustomersBy: 'idEmailOrName' };

/** Customers with invoices and a unique name. */
function known() {
	const { customers, invoices } = service.world.account;
	const billedIds = new Set(invoices.map(({ listed }) => (listed.customer as { id?: string }).id));
	const all = customers.filter(({ id }) => billedIds.has(id));
	return all.filter(({ name }) => all.filter((one) => one.name === name).length === 1);
}
const addCustomer = (email: string) => {
	const stranger = { id: '00000000-0000-4000-8000-00000000000a', name: 'X', email };
	service.world.account.customers.push(stranger);
	return stranger.id;
};

/** The service lists two customers with the same name and email. */
function answerWithTwins(): string[] {
	const twins = [0, 1].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
	const customer = { name: 'Kaya Ltd', email: 'billing@kaya.example' };
	const invoices = twins.map((id, index) => ({ id: String(index), customer: { ...customer, id } }));
	fault(pageOf(...invoices), { method: 'GET', times: null });
	return twins;
}

describe('rows', () => {
	test('find customers by email in any case, and take IDs without a search', async () => {
		const [one, other] = known();
		const email = one.email.toUpperCase();
		const { json } = await rows({}, [{ Email: ` ${email} ` }, { Email: other.email }]);
		const match = { by: 'email', name: one.name, email: one.email, id: one.id };
		expect(json[0].customer_match).toEqual(match);
		const before = reads();
		await rows({}, [{ Customer: other.id, Email: other.email }]);
		await rows({}, [{ Customer: one.id, Client: 'A' }]);
		expect([reads(), billed()]).toEqual([before, [one.id, other.id, other.id, one.id]]);
	});

	test('find customers by name only if that is allowed, regardless of case and repeated spaces', async () => {
		const [one] = known();
		const Client = ` ${one.name.toUpperCase().replace(' ', '   ')} `;
		expect(await errorOf({ matchCustomersBy: 'idOrEmail' }, [{ Client }])).toContain(
			"set 'Match Customers By' to 'ID, Email or Name'",
		);
		const onlyIds = { matchCustomersBy: 'id' };
		expect(await errorOf(onlyIds, [{ Email: one.email }])).toContain('is not an ID in UUID format');
		expect(service.requests).toEqual([]);
		await rows({}, [{ Client }]);
		expect(billed()).toEqual([one.id]);
	});

	const shared = [{ Customer: 'kaya  ltd' }, { Email: 'Billing@Kaya.example' }];
	test.each(shared)(
		'fail and list both customers if two share a name or email: %j',
		async (cells) => {
			const twins = answerWithTwins();
			const words = await errorOf(byName, [cells]);
			for (const part of ['matches 2 customers', ...twins]) expect(words).toContain(part);
		},
	);

	test('stop if name, ID and email of a row belong to different customers', async () => {
		const [one, other] = known();
		const { email: Email } = one;
		expect(await errorOf({}, [{ Customer: other.name, Email }])).toContain(
			`Row 2: Customer: "${Email}" and "${other.name}" are two customers. Correct one of them`,
		);
		const id = { Customer: other.id, Email };
		expect(await errorOf({}, [id])).toContain('another customer');
		const [change, items] = inputOf({}, [id]);
		const { seen, error } = await confirmRows(change, items);
		expect(seen.json[0]).toMatchObject({ action: 'stop', why: expect.stringContaining('belongs to another customer') as string }); // prettier-ignore
		expect(error?.message).toContain('belongs to another customer');
		expect(posts()).toEqual([]);
	});

	test('take the email if a name is unknown, and the ID if an email is unknown or does not count', async () => {
		const [one, other] = known();
		const { email: Email } = one;
		await rows({}, [{ Customer: one.name, Email }]);
		await rows({}, [{ Customer: 'Accounts payable', Email }]);
		await rows({}, [{ Customer: one.id, Email: 'new@nowhere.example' }]);
		await rows({ matchCustomersBy: 'id' }, [{ Customer: one.id, Email: other.email }]);
		expect(billed()).toEqual([one.id, one.id, one.id, one.id]);
	});

	test('report for an unknown customer the searched list, similar names and what to do', async () => {
		const [{ name }] = known();
		const names = [`${name}x`, 'Nobody at all', name];
		const words = await errorOf(
			byName,
			names.map((Customer) => ({ Customer })),
		);
		expect(words).toMatch(/was found among the \d+ customers of 40 invoices/);
		for (const part of [`Similar: "${name}`, "add the customer to 'Customer List'", 'Row 3'])
			expect(words).toContain(part);
		expect(words).not.toContain('Row 4');
	});

	test.each([
		['JSON', '[{"Customer ID": "THE-ID", "Company": "New & Sons", "E-mail": "new@sons.example"}]'],
		['objects', '[{"id":"THE-ID","name":"New & Sons","email":"new@sons.example","invoices":0}]'],
		['items', '[{"json":{"id":"THE-ID","name":"New & Sons","email":"new@sons.example"}}]'],
	])('find a customer without invoices in a Customer List of %s', async (_kind, list) => {
		const { id } = service.world.account.customers.slice(-1)[0];
		const customerList = list.replace('THE-ID', id);
		for (const cells of [{ Client: 'new & sons' }, { Email: 'NEW@sons.example' }])
			await rows({ ...byName, customerList }, [cells]);
		expect([billed(), reads()]).toEqual([[id, id], 0]);
	});

	test.each([
		['nothing', 'Customer List must be a JSON list such as'],
		['[{"name": "A"}]', 'Customer List, entry 1 has no ID in UUID format'],
	])('refuse a Customer List of %p', async (customerList, words) => {
		expect(await errorOf({ customerList }, [{ Email: 'a@b.example' }])).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('remember customers for five minutes, and search once more for missing ones', async () => {
		service.world.set({ unknownCustomer: 'accept' });
		const [{ email: Email }] = known();
		await rows({}, [{ Email }]);
		const first = reads();
		await rows({}, [{ Email }]);
		expect(reads()).toBe(first);
		const stranger = addCustomer('x@x.example');
		await rows({}, [{ Customer: stranger }]);
		await rows({}, [{ Email: 'x@x.example' }]);
		expect(billed().slice(-1)).toEqual([stranger]);
		const second = reads();
		expect(second).toBeGreaterThan(first);
		passTime(6 * 60_000);
		await rows({}, [{ Email }]);
		expect(reads()).toBeGreaterThan(second);
	});

	test.each<
		[fields: SettingsInput['customerFields'], header: 'Customer' | 'Email', isFound: boolean]
	>([
		['company', 'Customer', true],
		['company', 'Email', true],
		['person', 'Customer', true],
		['person', 'Email', true],
		['nested', 'Customer', true],
		['nested', 'Email', true],
		['onlyName', 'Customer', true],
		['onlyName', 'Email', false],
		['onlyId', 'Customer', false],
	])('read customers of the form %s, by %s', async (customerFields, header, isFound) => {
		service.world.reset({ customerFields });
		const [{ id, name, email }] = known();
		const options = header === 'Email' && customerFields !== 'onlyName' ? {} : byName;
		const { error } = await rows(options, [{ [header]: header === 'Email' ? email : name }]);
		if (isFound) expect([error, billed()]).toEqual([undefined, [id]]);
		else expect(error?.message).toMatch(/No customer|do not contain customer IDs/);
	});

	test.each(someOf([500, 100, 1000]))(
		'match no first name or city (%p invoices)',
		async (invoices) => {
			service.world.reset({ customerFields: 'person', invoices });
			const [first] = known()[0].name.split(' ');
			expect(await errorOf(byName, [{ Customer: first }])).toContain('No customer');
			service.world.reset({ customerFields: 'company', invoices });
			expect(await errorOf(byName, [{ Customer: 'Oslo' }])).toContain('No customer');
		},
	);

	testAtNight('search the first 20,000 invoices, and say so', async () => {
		service.world.reset({ invoices: 20_001, customers: 500, maxPageSize: 100 });
		const [{ email: Email }] = known();
		const words = await errorOf({}, [{ Email }, { Email: 'nobody@nowhere.example' }]);
		expect(words).toContain('was found among the 500 customers of the first 20,000 invoices');
		expect(reads()).toBeLessThanOrEqual(201);
	});

	testAtNight('search fewer invoices if the service refuses deep pages', async () => {
		service.world.reset({ invoices: 15_000, maxResults: 10_000 });
		const [{ email: Email }] = known();
		const words = await errorOf({}, [{ Email }, { Email: 'nobody@nowhere.example' }]);
		expect(words).toContain('was found among the 12 customers of the first 10,000 invoices');
		const { hints } = await rows({}, [{ Email }]);
		expect(hints.join()).toContain('1 customer by email, among the first 10,000 invoices');
	});

	test('report a failing service once', async () => {
		fault({ kind: 'status', status: 403 }, { times: null });
		const words = await errorOf({}, [{ Email: 'a@b.example' }, { Email: 'c@d.example' }]);
		expect(words).toContain('does not allow this');
		expect(reads()).toBe(1);
	});

	test('read at most twenty pages for 500 emails and 2,000 invoices', async () => {
		service.world.reset({ invoices: 2000, customers: 500 });
		const emails = service.world.account.invoices.map(
			({ listed }) => (listed.customer as { email: string }).email,
		);
		const all = [...new Set(emails)];
		expect(all.length).toBeGreaterThan(450);
		const cells = Array.from({ length: 500 }, (_, index) => ({ Email: all[index % all.length] }));
		const [options, items] = inputOf({}, cells);
		const { error, json } = await fromRows(preview(options), items);
		const allRows = json.reduce((sum, { rows: own }) => sum + String(own).split(',').length, 0);
		expect([error?.message, allRows]).toEqual([undefined, 500]);
		expect(reads()).toBeLessThanOrEqual(20);
	});
});

describe('the locator mode By Email', () => {
	const invoice = () => service.invoice({ customerId: locator('email', '={{ $json.email }}') });
	const itemsOf = (...emails: string[]) => ({ items: emails.map((email) => ({ email })) });

	test('finds the customer for an invoice and for a list', async () => {
		const [one, other] = known();
		await run(invoice(), itemsOf(one.email, other.email.toUpperCase()));
		expect(billed()).toEqual([one.id, other.id]);
		const getAll = { operation: 'getAll', filters: { customerId: locator('email', one.email) } };
		const { json } = await run({
			...getAll,
			resource: 'invoice',
			returnAll: true,
			simplify: false,
		});
		expect(json.length).toBeGreaterThan(0);
		for (const { customer } of json) expect(customer).toMatchObject({ id: one.id });
		await run({ ...getAll, resource: 'charge' });
		expect(service.requests.at(-1)?.query.customer_id).toBe(one.id);
	});

	test('sends nothing for an unknown customer, and sends the other items with Continue', async () => {
		const [one] = known();
		const items = itemsOf('nobody@nowhere.example', one.email);
		const { error } = await run(invoice(), items);
		expect(error?.message).toContain(
			'Customer: No customer with the email "nobody@nowhere.example" was found among the',
		);
		expect(posts()).toEqual([]);
		const { json } = await run(invoice(), { ...items, node: continues });
		expect(json).toMatchObject([{ error: expect.any(String) as string }, { outcome: 'created' }]);
		expect(billed()).toEqual([one.id]);
	});

	test('bills nobody if two customers share an email, and lists both', async () => {
		const twins = answerWithTwins();
		const { error } = await run(invoice(), itemsOf('billing@kaya.example'));
		for (const part of ['matches 2 customers', ...twins]) expect(error?.message).toContain(part);
		expect(posts()).toEqual([]);
	});
});

describe('Customer: Get Many', () => {
	const list = { resource: 'customer', operation: 'getAll', returnAll: true };

	test('gives each customer once, sorted by name, with invoices and currencies', async () => {
		const { json } = await run(list);
		const counts = new Map<string, number>();
		for (const { listed } of service.world.account.invoices) {
			const { id } = listed.customer as { id: string };
			counts.set(id, (counts.get(id) ?? 0) + 1);
		}
		expect(new Map(json.map(({ id, invoices }) => [id, invoices]))).toEqual(counts);
		expect(Object.keys(json[0])).toEqual(['name', 'email', 'id', 'invoices', 'currencies']);
		const names = json.map(({ name }) => String(name));
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		const { json: few } = await run({ ...list, returnAll: false, limit: 3 });
		expect(few).toEqual(json.slice(0, 3));
	});

	test('gives a list that can be used as Customer List', async () => {
		const { json } = await run(list);
		const [{ id, name: Customer }] = known();
		const before = reads();
		await rows({ ...byName, customerList: JSON.stringify(json) }, [{ Customer }]);
		expect([billed(), reads()]).toEqual([[id], before]);
	});

	test('copes with missing names, emails and customers', async () => {
		service.world.reset({ customerFields: 'onlyId' });
		expect((await run(list)).json[0]).toMatchObject({ name: null, email: null });
		service.world.reset({ invoices: 0 });
		expect((await run(list)).json).toEqual([]);
		fault(pageOf({ id: '1', customer: {} }));
		expect((await run(list)).error?.message).toContain('unexpected response');
	});
});

test('a thousand unknown customers do not block n8n', async () => {
	service.world.reset({ invoices: 2000, customers: 1000 });
	const begin = nodeProcess.cpuUsage();
	const text = await errorOf(
		{},
		Array.from({ length: 1000 }, (_, index) => ({ Email: `x${index}@customer.example` })),
	);
	expect(text).toContain('(and 999 more below)');
	expect(text.match(/Similar: /g)?.length).toBeLessThanOrEqual(20);
	// Comparing each with each takes half a minute.
	expect(nodeProcess.cpuUsage(begin).user / 1e6).toBeLessThan(15);
});
