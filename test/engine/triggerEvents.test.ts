import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';
import type { Invoice } from '../../contract';
import { charge, invoiceListItem, member } from '../../contract';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { sampleOf } from '../../nodes/InvoicingPaymentsTrigger/samples';
import type { SettingsInput } from '../../simulator/settings';
import { startSimulator } from '../../simulator/server';
import { passTime } from '../helpers/clock';
import { ActiveTrigger } from '../helpers/pollEngine';
import { newKey, useSimulator } from '../helpers/service';

const service = useSimulator();
const account = () => service.world.account;
const idsOf = (items: IDataObject[] | null) => items?.map(({ id }) => id);
const begin = (settings: SettingsInput = {}) => service.world.reset({ invoices: 60, ...settings });
const minute = 60_000;

/** An invoice of the simulator that has, or has not, a status. */
const anyInvoice = (status: Invoice['status'], isIt: boolean) =>
	String(account().invoices.find(({ full }) => (full.status === status) === isIt)?.full.id);
const invoiceGets = (status: Invoice['status']) => () => {
	const id = anyInvoice(status, false);
	account().changeInvoice(id, status);
	return id;
};
const added = (status: Invoice['status']) => () => account().addInvoice({ status }, Date.now()).id;
const request = { first_name: 'Ada', last_name: 'Berg', email: 'ada@team.example' };
const invite = () => {
	const { id } = account().createMember({ ...request, job_title: 'Sales', role: 'staff' });
	return id;
};
const chargeWith = (status: string) => account().addCharge({ status }, Date.now()).id as string;

interface Case {
	event: string;
	parameters: INodeParameters;
	/** Makes it happen, in each of the ways in which it can. Gives the ID. */
	ways: Array<() => string | undefined>;
	/** Something else that must start nothing. */
	other: () => unknown;
	path: string;
}

const invoiceCase = (event: string, status: Invoice['status'], other: Invoice['status']): Case => ({
	event,
	parameters: { event },
	ways: [invoiceGets(status), added(status)],
	other: added(other),
	path: '/v1/invoices',
});

const cases: Case[] = [
	invoiceCase('invoicePaid', 'paid', 'unpaid'),
	invoiceCase('invoiceOverdue', 'overdue', 'scheduled'),
	invoiceCase('invoiceCancelled', 'cancelled', 'paid'),
	{
		event: 'newInvoice',
		parameters: { event: 'newInvoice' },
		ways: [added('unpaid'), added('paid')],
		other: invoiceGets('cancelled'),
		path: '/v1/invoices',
	},
	{
		event: 'chargeStatus',
		parameters: { event: 'chargeStatus', status: { __rl: true, mode: 'name', value: 'Refunded' } },
		ways: [
			() => {
				const id = chargeWith('authorised');
				account().changeCharge(id, 'Refunded');
				return id;
			},
			() => chargeWith('Refunded'),
		],
		other: () => chargeWith('authorised'),
		path: '/v1/charges',
	},
	{
		event: 'newMember',
		parameters: { event: 'newMember' },
		ways: [invite],
		other: () => account().changeMember(account().members[0].id, 'disabled'),
		path: '/v1/members',
	},
	{
		event: 'memberJoined',
		parameters: { event: 'memberJoined' },
		ways: [
			() => {
				const id = invite();
				account().changeMember(id, 'enabled');
				return id;
			},
		],
		other: invite,
		path: '/v1/members',
	},
];

test('every event but New Charge is tested here', () => {
	const tested = cases.map(({ event }) => event);
	expect([...tested, 'newCharge'].sort()).toEqual(events.map(({ value }) => value).sort());
});

describe.each(cases)('$event', ({ parameters, ways, other, path }) => {
	const trigger = (more: INodeParameters = {}) =>
		new ActiveTrigger({
			credential: service.credential,
			parameters: { ...parameters, ...more },
		});

	test('[T11] starts the workflow once for each, and for nothing that was there', async () => {
		begin();
		const active = trigger();
		expect(await active.activate()).toBeNull();
		expect(await active.poll()).toBeNull();
		other();
		expect(await active.poll()).toBeNull();
		const ids = ways.map((way) => way());
		expect(idsOf(await active.poll())?.sort()).toEqual([...ids].sort());
		expect(await active.poll()).toBeNull();
		expect(new Set(service.requests.map((one) => one.path))).toEqual(new Set([path]));
	});

	test('All Existing begins with what is there, in parts', async () => {
		begin();
		const ids = ways.map((way) => way());
		const active = trigger({ startWith: 'all', options: { maxPerRun: 3 } });
		const first = await active.activate();
		expect(first?.length).toBeLessThanOrEqual(3);
		const all = idsOf(first) ?? [];
		for (let polls = 0; polls < 40; polls++) all.push(...(idsOf(await active.poll()) ?? []));
		expect(new Set(all).size).toBe(all.length);
		expect(all).toEqual(expect.arrayContaining(ids));
		expect(await active.poll()).toBeNull();
	});

	test('goes on where it was, after a pause and under another name', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const [way] = ways;
		const first = way();
		expect(idsOf(await active.poll())).toEqual([first]);
		const second = way();
		const again = active.again({ name: 'Another name' }, 'init');
		expect(idsOf(await again.activate())).toEqual([second]);
		expect(await again.poll()).toBeNull();
	});

	test('with durable cursors: between activation and the first poll, and again after a poll that failed', async () => {
		begin();
		const active = trigger();
		expect(await active.activateDurably()).toBeNull();
		const [way] = ways;
		const first = way();
		expect(idsOf(await active.pollDurably())).toEqual([first]);
		expect(await active.pollDurably()).toBeNull();
		const second = way();
		const dropped = await active.pollDurably({ isKept: false });
		expect(idsOf(dropped)).toEqual([second]);
		// By then n8n has kept them, or never will.
		passTime(3 * minute);
		expect(idsOf(await active.pollDurably())).toEqual([second]);
		expect(await active.pollDurably()).toBeNull();
	});

	test('another Base URL begins with what is new there', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const elsewhere = await startSimulator({ seed: 7, apiKey: service.world.settings.apiKey });
		try {
			const moved = active.again({
				credential: { ...service.credential, baseUrl: elsewhere.url },
			});
			expect(await moved.activate()).toBeNull();
			expect(await moved.poll()).toBeNull();
		} finally {
			await elsewhere.close();
		}
	});

	test('[T15] the key of another account: what is there starts nothing', async () => {
		begin();
		const active = trigger();
		await active.activate();
		service.world.reset({ seed: 9, invoices: 80, members: 20, apiKey: newKey() });
		ways.forEach((way) => way());
		const moved = active.again({ credential: service.credential });
		expect(await moved.activate()).toBeNull();
		expect(await moved.poll()).toBeNull();
		const [way] = ways;
		const id = way();
		expect(idsOf(await moved.poll())).toEqual([id]);
	});

	test('[T15] a new key of the same account: what happened meanwhile starts the workflow', async () => {
		begin();
		ways.forEach((way) => way());
		const active = trigger();
		await active.activate();
		service.world.set({ apiKey: newKey() });
		const [way] = ways;
		const id = way();
		const moved = active.again({ credential: service.credential });
		const first = await moved.activate();
		const second = await moved.poll();
		expect([...(first ?? []), ...(second ?? [])].map((one) => one.id)).toEqual([id]);
		expect(await moved.poll()).toBeNull();
	});

	test('a service that is down while it is published does not end it', async () => {
		begin();
		service.world.faults.add({ times: null, action: { kind: 'status', status: 503 } });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		service.world.faults.clear();
		expect(await active.poll()).toBeNull();
		const [way] = ways;
		const id = way();
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('a wrong key is told while it is published', async () => {
		begin();
		const active = new ActiveTrigger({
			credential: { ...service.credential, apiKey: 'your-other-key' },
			parameters,
		});
		const error = (await active.activate().catch((thrown: Error) => thrown)) as NodeApiError;
		expect(error.message).toContain('The service did not accept the API key');
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
	});

	test('Fetch Test Event shows what is there, and changes nothing', async () => {
		begin();
		const ids = ways.map((way) => way());
		const active = trigger();
		await active.activate();
		const kept = JSON.stringify(active.kept);
		const shown = await active.show();
		expect(shown?.length).toBeGreaterThan(0);
		expect(shown?.[0]).not.toHaveProperty('sample');
		if (path !== '/v1/invoices')
			expect(idsOf(shown)).toEqual(expect.arrayContaining(ids.slice(-1)));
		expect(JSON.stringify(active.kept)).toBe(kept);
	});

	test('Fetch Test Event gives a sample where there is nothing yet', async () => {
		begin({ invoices: 0, charges: 0, members: 0 });
		const [sample, ...others] = (await trigger({ simplify: false }).show()) ?? [];
		expect(others).toEqual([]);
		expect(sample.sample).toMatch(/^This is a sample, because (there are no|nothing matches)/);
		expect(sample).toHaveProperty('id');
	});

	test('the state holds no key and no text of the service', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const id = ways[0]();
		await active.poll();
		const kept = JSON.stringify(active.kept);
		expect(kept).not.toContain(String(service.credential.apiKey));
		expect(kept).not.toContain(id);
	});
});

test.each(events)('the sample of $name is what the contract says', (event) => {
	const schema = { charges: charge, invoices: invoiceListItem, 'team members': member };
	const noun = event.list.noun as keyof typeof schema;
	expect(schema[noun].safeParse(sampleOf(event, event.status)).error).toBeUndefined();
	if (event.status) expect(sampleOf(event, event.status).status).toBe(event.status);
});

describe('Invoice Paid', () => {
	const trigger = (more: INodeParameters = {}) =>
		new ActiveTrigger({
			credential: service.credential,
			parameters: { event: 'invoicePaid', ...more },
		});
	const pay = invoiceGets('paid');

	test('gives what Invoice: Get Many gives, simplified or whole', async () => {
		begin();
		const simple = trigger();
		const whole = simple.beside({
			id: 'whole',
			name: 'Whole',
			parameters: { event: 'invoicePaid', simplify: false },
		});
		await simple.activate();
		await whole.activate();
		const id = pay();
		const [item] = (await simple.poll()) ?? [];
		expect(item).toMatchObject({ id, status: 'paid' });
		expect(Object.keys(item)).toEqual([
			...['invoice_number', 'title', 'status', 'amount', 'currency', 'due_date'],
			...['customer', 'url', 'id'],
		]);
		const [all] = (await whole.poll()) ?? [];
		expect(invoiceListItem.safeParse(all).success).toBe(true);
	});

	test('[T13] paid, cancelled and paid again: once within minutes, twice where hours lie between', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
		account().changeInvoice(id, 'cancelled');
		expect(await active.poll()).toBeNull();
		account().changeInvoice(id, 'paid');
		expect(await active.poll()).toBeNull();
		account().changeInvoice(id, 'cancelled');
		for (let polls = 0; polls < 3; polls++) {
			expect(await active.poll()).toBeNull();
			passTime(20 * minute);
		}
		account().changeInvoice(id, 'paid');
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('[T14] a list that is empty by mistake, for hours, starts nothing when it is back', async () => {
		begin({ invoices: 200 });
		const active = trigger();
		await active.activate();
		const empty = { count: 0, next: null, previous: null, results: [] };
		service.world.faults.add({ times: null, action: { kind: 'json', body: empty } });
		for (let polls = 0; polls < 5; polls++) {
			expect(await active.poll()).toBeNull();
			passTime(3 * 60 * minute);
		}
		service.world.faults.clear();
		expect(await active.poll()).toBeNull();
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('other filters: what they list by then is not new', async () => {
		begin();
		const active = trigger({ filters: { currency: 'EUR' } });
		await active.activate();
		const all = active.again({ parameters: { event: 'invoicePaid' } });
		expect(await all.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await all.poll())).toEqual([id]);
	});

	test('another event begins anew', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const other = active.again({ parameters: { event: 'newCharge' } });
		expect(await other.activate()).toBeNull();
		const { id } = account().addCharge({}, Date.now());
		expect(idsOf(await other.poll())).toEqual([id]);
		const back = other.again({ parameters: { event: 'invoicePaid' } });
		expect(await back.activate()).toBeNull();
	});

	test('triggers of different events in one workflow do not disturb one another', async () => {
		begin();
		const paid = trigger();
		const overdue = paid.beside({
			id: 'o',
			name: 'Overdue',
			parameters: { event: 'invoiceOverdue' },
		});
		const charges = paid.beside({ id: 'c', name: 'Charges', parameters: { event: 'newCharge' } });
		for (const one of [paid, overdue, charges]) expect(await one.activate()).toBeNull();
		const id = pay();
		const { id: chargeId } = account().addCharge({}, Date.now());
		expect(await overdue.poll()).toBeNull();
		expect(idsOf(await paid.poll())).toEqual([id]);
		expect(idsOf(await charges.poll())).toEqual([chargeId]);
		const late = added('overdue')();
		expect(idsOf(await overdue.poll())).toEqual([late]);
		for (const one of [paid, overdue, charges]) expect(await one.again().activate()).toBeNull();
	});

	test('a service that ignores the filter, or matches parts of it', async () => {
		begin();
		const active = trigger();
		// "paid" is a part of "unpaid".
		const { listInvoices } = account();
		account().listInvoices = (query, ...others) =>
			listInvoices.call(account(), { ...query, status: undefined }, ...others);
		expect(await active.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
		added('unpaid')();
		expect(await active.poll()).toBeNull();
	});

	test.each(['missing', 'pageLength', 'zero', 'cappedAt100', 'oneTooMany'] as const)(
		'a count that is wrong: %s',
		async (count) => {
			begin({ invoices: 2000, maxPageSize: 20, count });
			const active = trigger();
			await active.activate();
			for (let polls = 0; polls < 4; polls++) {
				expect(await active.poll()).toBeNull();
				passTime(16 * minute);
			}
			const id = pay();
			passTime(16 * minute);
			expect(idsOf(await active.poll())).toEqual([id]);
		},
		60_000,
	);

	test.each(['newestFirst', 'oldestFirst', 'none'] as const)(
		'one in the middle of a long list that is sorted %s, and an exchange that keeps the count',
		async (order) => {
			begin({ invoices: 3000, order, maxPageSize: 50 });
			const active = trigger();
			await active.activate();
			service.world.traffic.reset();
			expect(await active.poll()).toBeNull();
			expect(service.requests).toHaveLength(1);
			const middle = account()
				.invoices.slice(1400)
				.find(({ full }) => full.status === 'unpaid');
			const id = String(middle?.full.id);
			account().changeInvoice(id, 'paid');
			expect(idsOf(await active.poll())).toEqual([id]);
			const gone = account()
				.invoices.slice(1000)
				.find(({ full }) => full.status === 'paid');
			const come = account()
				.invoices.slice(1500)
				.find(({ full }) => full.status === 'unpaid');
			account().changeInvoice(String(gone?.full.id), 'cancelled');
			account().changeInvoice(String(come?.full.id), 'paid');
			passTime(16 * minute);
			expect(idsOf(await active.poll())).toEqual([come?.full.id]);
		},
		60_000,
	);

	test('a service that refuses deep pages is told when the workflow is published', async () => {
		begin({ invoices: 20_000, maxResults: 2000 });
		await expect(trigger().activate()).rejects.toThrow(
			/refuses to list more than about \d+ invoices.*Narrow the filters/,
		);
	});

	test('the option that was called Max Charges per Run still counts', async () => {
		begin({ charges: 10 });
		const options = { maxChargesPerRun: 4 };
		const parameters = { event: 'newCharge', startWith: 'all', options };
		const active = new ActiveTrigger({ credential: service.credential, parameters });
		expect(await active.activate()).toHaveLength(4);
	});

	test('bad fields are told with their names', async () => {
		const error = (await trigger({ startWith: 'since', options: { maxPerRun: 0 } })
			.activate()
			.catch((thrown: Error) => thrown)) as NodeApiError;
		expect(error.message).toContain('Start With');
		expect(error.message).toContain('Max per Run must be');
		const unset = trigger({ event: 'chargeStatus' });
		await expect(unset.activate()).rejects.toThrow('Status is empty, but it is required');
	});
});
