import type { IDataObject } from 'n8n-workflow';
import { toDecimal, toThousandths } from '../../simulator/money';
import { continues, locator, pageOf, useNode } from '../helpers/n8n/nodeRuns';

/** What customers owe, compared with an independent sum over the simulator's ledger. */
const { service, run, fault } = useNode();

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
	return [...sums].map(([key, { amount, count }]) => `${key} ${toDecimal(amount)} ${count}`).sort();
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

test.each([40, 10_000])(
	'the balances of %i invoices are the sums of the ledger',
	async (invoices) => {
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
	},
);

test('amounts are added by age, to the last digit', async () => {
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

test('who is most overdue comes first, by currency', async () => {
	service.world.reset({ invoices: 2000, customers: 100 });
	const { json } = await balances({ overdueOnly: true });
	const amounts = json.map(({ currency, overdue }) => [String(currency), Number(overdue)] as const);
	const sorted = [...amounts].sort(([one, a], [other, b]) => one.localeCompare(other) || b - a);
	expect(amounts).toEqual(sorted);
	expect(amounts.every(([, overdue]) => overdue > 0)).toBe(true);
});

test('a customer is found by email, and days are those of the workflow', async () => {
	// Today in the westernmost time zone. It is always later in the easternmost one.
	const earliest = new Date(Date.now() - 11 * 3_600_000).toISOString().slice(0, 10);
	const { email } = add(0, '5.00', { due_date: earliest });
	const filters = { customerId: locator('email', String(email)), currency: 'NOK' };
	const inZone = async (timezone: string) => (await balances(filters, { timezone })).json[0];
	expect(await inZone('Pacific/Pago_Pago')).toMatchObject({ not_due: '5.00', overdue: '0.00' });
	expect(await inZone('Pacific/Kiritimati')).toMatchObject({ overdue_1_30: '5.00' });
});

test('an invoice that becomes overdue while the lists are read counts once', async () => {
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

test('a list that cannot be read whole is an error, not a smaller sum', async () => {
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
])('an invoice %s is an error that names it', async (says, change) => {
	fault(pageOf({ ...invoice, ...change }), { times: null });
	const { error } = await balances();
	expect(error?.message).toContain(`the invoice B-1 ${says}`);
});

test('a service that ignores the filters, or gives no IDs of customers, changes no balance', async () => {
	const others = [
		{ id: '1', status: 'paid' },
		{ id: '2', currency: 'USD' },
	];
	fault(
		pageOf(
			{ ...invoice, customer: { name: 'Sample Ltd' } },
			{ ...invoice, id: '3', customer: { name: 'Sample Ltd' } },
			...others.map((change) => ({ ...invoice, ...change })),
		),
		{ times: null },
	);
	const { json } = await balances({ currency: 'EUR' });
	expect(json).toMatchObject([{ name: 'Sample Ltd', id: null, invoices: 2, open: '10.00' }]);
});

test('with Continue, an item whose lists fail gets its error', async () => {
	fault({ kind: 'raw', status: 400, body: '{"detail":"No"}' }, { times: null });
	const { json } = await balances({}, { node: continues });
	expect(json[0].error).toContain('No');
});
