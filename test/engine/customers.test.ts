/** Customers: how rows and fields name them, their list, and what they owe. */

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { toDecimal, toThousandths } from '../../simulator/money';
import type { SettingsInput } from '../../simulator/settings';
import { nodeProcess } from '../../tools/node';
import { passTime } from '../helpers/n8n/clock';
import { preview } from '../helpers/sheets/fromRows';
import { continues, locator, pageOf, textOf, useNode } from '../helpers/n8n/nodeRuns';
import { isNight, someOf, testAtNight } from '../helpers/someOf';

const { service, run, posts, fault, fromRows, confirmRows } = useNode();

const reads = () => service.requests.filter(({ method }) => method === 'GET').length;
const billed = () => service.created.map(({ request }) => request.customer);

/** Parameters of Create From Rows, and a row of an invoice for each customer, whom its cells name. */
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
/** The error of rows that must create nothing. */
const errorOf = async (options: IDataObject, cells: IDataObject[]) => {
	const result = await fromRows(...inputOf(options, cells));
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

describe('rows of a sheet', () => {
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
		const fine = known()
			.slice(2, 5)
			.map(({ id: Customer, email }) => ({ Customer, Email: email }));
		for (const [text, says] of [
			[`Desk <${Email}>;`, 'another customer'],
			[`new@nowhere.example, ${Email}`, 'another customer'],
			[`${Email} urgent`, 'urgent" is not an email address'],
		])
			expect(await errorOf({}, [...fine, { ...id, Email: text }])).toContain(says);
		const { seen, error } = await rows({}, [id]);
		const why = expect.stringContaining('belongs to another customer') as string;
		expect(seen.json[0]).toMatchObject({ action: 'stop', why });
		expect(error?.message).toEqual(why);
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
		const cells = [`${name}x`, 'Nobody at all', name].map((Customer) => ({ Customer }));
		const words = await errorOf(byName, cells);
		expect(words).toMatch(/was found among the \d+ customers of 40 invoices/);
		for (const part of [
			`Similar: "${name}`,
			"enter the customer's ID, which the service shows",
			'Row 3',
		])
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

	testAtNight('search the first 10,000 invoices, and say so', async () => {
		service.world.reset({ invoices: 10_001, customers: 500, maxPageSize: 100 });
		const [{ email: Email }] = known();
		const words = await errorOf({}, [{ Email }, { Email: 'nobody@nowhere.example' }]);
		expect(words).toContain('was found among the 500 customers of the first 10,000 invoices');
		expect(reads()).toBeLessThanOrEqual(101);
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

	test('do not block n8n if a thousand customers are unknown', async () => {
		service.world.reset({ invoices: 2000, customers: 1000 });
		const begin = nodeProcess.cpuUsage();
		const cells = Array.from({ length: 1000 }, (_, at) => ({ Email: `x${at}@customer.example` }));
		const text = await errorOf({}, cells);
		expect(text).toContain('(and 999 more below)');
		expect(nodeProcess.cpuUsage(begin).user / 1e6).toBeLessThan(15);
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
		const whole = { returnAll: true, simplify: false };
		const { json } = await run({ ...getAll, resource: 'invoice', ...whole });
		expect(json.length).toBeGreaterThan(0);
		for (const { customer } of json) expect(customer).toMatchObject({ id: one.id });
		await run({ ...getAll, resource: 'charge' });
		expect(service.requests.at(-1)?.query.customer_id).toBe(one.id);
	});

	test('sends nothing for an unknown customer, and sends the other items with Continue', async () => {
		const [one] = known();
		const items = itemsOf('nobody@nowhere.example', one.email);
		const { error } = await run(invoice(), items);
		const words = 'Customer: No customer with the email "nobody@nowhere.example" was found among';
		expect(error?.message).toContain(words);
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

/** Compared with an independent sum over the simulator's ledger. */
describe('Customer: Get Balances', () => {
	const day = 86_400_000;
	const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);
	const balances = async (filters: object = {}, settings: object = {}) =>
		await run({ resource: 'customer', operation: 'getBalances', filters }, settings);
	const isOpen = (status: string) => status === 'unpaid' || status === 'overdue';

	/** Customer, currency, open amount and number of open invoices, added up from the ledger. */
	function ledgerSums(): string[] {
		const sums = new Map<string, { amount: bigint; count: number }>();
		for (const { listed, full } of service.world.account.invoices) {
			if (!isOpen(full.status)) continue;
			const key = `${(listed.customer as { id: string }).id} ${full.currency}`;
			const { amount, count } = sums.get(key) ?? { amount: 0n, count: 0 };
			sums.set(key, { amount: amount + toThousandths(full.amount), count: count + 1 });
		}
		return [...sums]
			.map(([key, { amount, count }]) => `${key} ${toDecimal(amount)} ${count}`)
			.sort();
	}
	const found = (json: IDataObject[]) =>
		json
			.map(
				({ id, currency, open, invoices }) =>
					`${String(id)} ${String(currency)} ${String(open)} ${String(invoices)}`,
			)
			.sort();
	/** An open invoice of the first customer in Norwegian kroner. */
	const add = (days: number, amount: string, change: object = {}) => {
		const [customer] = service.world.account.customers;
		service.world.account.addInvoice(
			{
				...{ items: [{ name: 'Work', amount, quantity: 1 }], due_date: daysAgo(days) },
				...{ currency: 'NOK', customer_id: customer.id, ...change },
			},
			Date.now(),
		);
		return customer;
	};

	test.each([40, 10_000])('gives for %i invoices the sums of the ledger', async (invoices) => {
		service.world.reset({ invoices, customers: 200 });
		const { json, error } = await balances();
		expect(error).toBeUndefined();
		expect(found(json)).toEqual(ledgerSums());
		expect(new Set(json.map(({ currency }) => currency)).size).toBeGreaterThan(2);
		for (const one of json) {
			const sum = (...fields: string[]) =>
				toDecimal(fields.reduce((all, field) => all + toThousandths(String(one[field])), 0n));
			const late = ['overdue_1_30', 'overdue_31_60', 'overdue_61_90', 'overdue_over_90'];
			expect([sum(...late), sum('not_due', ...late)]).toEqual([one.overdue, one.open]);
		}
	});

	test('adds amounts by age, to the last digit', async () => {
		[-30, 0, 1, 30].forEach((days) => add(days, '0.10'));
		add(31, '9007199254740993.005', { status: 'overdue' });
		[60, 61, 90, 91, 400].forEach((days) => add(days, '0.20', { status: 'overdue' }));
		for (const status of ['paid', 'cancelled', 'scheduled']) add(45, '77.00', { status });
		const { name, email, id } = add(-2, '0.01');
		const { json } = await balances({ currency: 'NOK' });
		expect(json).toEqual([
			{
				...{ name, email, id, currency: 'NOK', invoices: 11, oldest_due_date: daysAgo(400) },
				...{ open: '9007199254740994.415', overdue: '9007199254740994.205', not_due: '0.21' },
				...{ overdue_1_30: '0.20', overdue_31_60: '9007199254740993.205', overdue_61_90: '0.40' },
				overdue_over_90: '0.40',
			},
		]);
	});

	test('gives first who is most overdue, by currency', async () => {
		service.world.reset({ invoices: 2000, customers: 100 });
		const { json } = await balances({ overdueOnly: true });
		const amounts = json.map(
			({ currency, overdue }) => [String(currency), Number(overdue)] as const,
		);
		const sorted = [...amounts].sort(([one, a], [other, b]) => one.localeCompare(other) || b - a);
		expect(amounts).toEqual(sorted);
		expect(amounts.every(([, overdue]) => overdue > 0)).toBe(true);
	});

	test('finds a customer by email, and counts days in the time zone of the workflow', async () => {
		// Today in the westernmost time zone. It is always later in the easternmost one.
		const earliest = new Date(Date.now() - 11 * 3_600_000).toISOString().slice(0, 10);
		const { email } = add(0, '5.00', { due_date: earliest });
		const filters = { customerId: locator('email', String(email)), currency: 'NOK' };
		const inZone = async (timezone: string) => (await balances(filters, { timezone })).json[0];
		expect(await inZone('Pacific/Pago_Pago')).toMatchObject({ not_due: '5.00', overdue: '0.00' });
		expect(await inZone('Pacific/Kiritimati')).toMatchObject({ overdue_1_30: '5.00' });
	});

	test('counts an invoice once that becomes overdue while the lists are read', async () => {
		service.world.reset({ invoices: 1200 });
		const { account } = service.world;
		const list = account.listInvoices.bind(account);
		const moved = account.invoices.filter(({ full }) => full.status === 'unpaid').slice(0, 5);
		let calls = 0;
		jest.spyOn(account, 'listInvoices').mockImplementation((...args) => {
			calls += 1;
			if (calls === 3) for (const { full } of moved) account.changeInvoice(full.id, 'overdue');
			return list(...args);
		});
		const { json } = await balances();
		expect(found(json)).toEqual(ledgerSums());
	});

	/** Calls `change` before each list that the service gives. */
	const changeWhileRead = (change: (call: number, status?: string) => void) => {
		const { account } = service.world;
		const list = account.listInvoices.bind(account);
		let calls = 0;
		jest.spyOn(account, 'listInvoices').mockImplementation((...args) => {
			change((calls += 1), args[0].status);
			return list(...args);
		});
		return account;
	};

	test('counts an invoice whose due date is extended while the lists are read', async () => {
		service.world.reset({ invoices: 1200 });
		const { invoices } = service.world.account;
		const moved = invoices.filter(({ full }) => full.status === 'overdue').slice(0, 5);
		// The list of unpaid invoices has been read, that of overdue ones has not.
		const account = changeWhileRead((_call, status) => {
			if (status === 'overdue')
				for (const { full } of moved.splice(0)) account.changeInvoice(full.id, 'unpaid');
		});
		const { json } = await balances();
		expect(found(json)).toEqual(ledgerSums());
	});

	test('counts each invoice that is open all the time, or gives an error, of accounts that change while they are read', async () => {
		const kinds = ['pay', 'make', 'extend', 'age'] as const;
		const property = fc.asyncProperty(
			fc.constantFrom(3, 9, 20, 100),
			fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom(...kinds), fc.nat(1000)), { maxLength: 12 }),
			async (maxPageSize, changes) => {
				jest.restoreAllMocks();
				service.world.reset({ invoices: 60, maxPageSize, defaultPageSize: maxPageSize });
				const openIds = () =>
					new Set(service.world.account.invoices.filter(({ full }) => isOpen(full.status)).map(({ full }) => full.id));
				const always = openIds();
				const ever = new Set(always);
				const account = changeWhileRead((call) => {
					for (const [at, kind, pick] of changes) {
						if (at !== call) continue;
						const open = account.invoices.filter(({ full }) => isOpen(full.status));
						const { id } = open[pick % open.length].full;
						if (kind === 'make') account.addInvoice({}, Date.now());
						else account.changeInvoice(id, ({ pay: 'paid', extend: 'unpaid', age: 'overdue' } as const)[kind]);
					}
					const now = openIds();
					for (const id of always) if (!now.has(id)) always.delete(id);
					for (const id of now) ever.add(id);
				});
				const { json, error } = await balances();
				if (error) return;
				const count = json.reduce((sum, one) => sum + Number(one.invoices), 0);
				expect(count).toBeGreaterThanOrEqual(always.size);
				expect(count).toBeLessThanOrEqual(ever.size);
			},
		);
		await fc.assert(property, { numRuns: isNight ? 2000 : 60 });
	}); // prettier-ignore

	test('gives an error, and no smaller sum, if a list cannot be read whole', async () => {
		service.world.reset({ invoices: 1200, maxResults: 100 });
		const { json, error } = await balances();
		expect(json).toEqual([]);
		expect(error?.message).toBeDefined();
	});

	const invoice = {
		...{ id: '33333333-3333-4333-8333-333333333333', invoice_number: 'B-1', status: 'unpaid' },
		...{ amount: '5.00', currency: 'EUR', due_date: '2026-01-31T00:00:00Z' },
		customer: { id: '55555555-5555-4555-8555-555555555555', name: 'Sample Ltd' },
	};
	test.each<[string, object]>([
		['with the amount "5,00"', { amount: '5,00' }],
		['without the field amount', { amount: undefined }],
		['with the due date "soon"', { due_date: 'soon' }],
		['without the field status', { status: undefined }],
		['with the status "partly paid"', { status: 'partly paid' }],
		['without a customer', { customer: {} }],
		['without a currency', { currency: null }],
	])('gives an error that names an invoice %s', async (says, change) => {
		fault(pageOf({ ...invoice, ...change }), { times: null });
		const { error } = await balances();
		expect(error?.message).toContain(`the invoice B-1 ${says}`);
	});

	test('gives the same if the service ignores the status, or gives no IDs of customers', async () => {
		fault(
			pageOf(
				{ ...invoice, customer: { name: 'Sample Ltd' } },
				{ ...invoice, id: '3', customer: { name: 'Sample Ltd' } },
				{ ...invoice, id: '1', status: 'paid' },
			),
			{ times: null },
		);
		const { json } = await balances({ currency: 'EUR' });
		expect(json).toMatchObject([{ name: 'Sample Ltd', id: null, invoices: 2, open: '10.00' }]);
	});

	test('gives with Continue the error of an item whose lists fail', async () => {
		fault({ kind: 'raw', status: 400, body: '{"detail":"No"}' }, { times: null });
		const { json } = await balances({}, { node: continues });
		expect(json[0].error).toContain('No');
	});
});
