import type { INodeParameters } from 'n8n-workflow';
import type { Invoice } from '../../contract';
import { charge, invoiceListItem, member } from '../../contract';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { startSimulator } from '../../simulator/server';
import { passTime } from '../helpers/n8n/clock';
import { eventTriggers } from '../helpers/n8n/eventsWorkflow';
import { happenings } from '../helpers/service/happenings';
import { locator } from '../helpers/n8n/nodeRuns';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { idsOf } from '../helpers/n8n/pollEngine';
import { newKey } from '../helpers/service/useSimulator';
import { dayIn, minute, useTrigger } from '../helpers/n8n/useTrigger';

const { service, begin, trigger, published, failing, answerWith } = useTrigger(() => ({
	invoices: 60,
}));
const account = () => service.world.account;

type Status = Invoice['status'];
const invoiceGets = (status: Status) => () => {
	const id = String(account().invoices.find(({ full }) => full.status !== status)?.full.id);
	account().changeInvoice(id, status);
	return id;
};
const added = (status: Status) => () => account().addInvoice({ status }, Date.now()).id;
const invite = () => {
	const name = { first_name: 'Ada', last_name: 'Berg', email: 'ada@team.example' };
	return account().createMember({ ...name, job_title: 'Sales', role: 'staff' }).id;
};
const chargeWith = (status: string) => () =>
	account().addCharge({ status }, Date.now()).id as string;
/** Something that exists already changes. */
const then = (make: () => string | undefined, change: (id: string) => void) => () => {
	const id = String(make());
	change(id);
	return id;
};

interface Case {
	parameters: INodeParameters & { event: string };
	/** The ways in which the event can happen. Each gives the ID. */
	ways: Array<() => string | undefined>;
	/** Something that must start nothing. */
	other: () => unknown;
	path: string;
}

const eventCase =
	(path: string) =>
	(event: string, ways: Case['ways'], other: Case['other'], more: INodeParameters = {}): Case => ({
		...{ parameters: { event, ...more }, ways, other, path },
	});
const [invoices, charges, members] = ['invoices', 'charges', 'members'].map((list) =>
	eventCase(`/v1/${list}`),
);
const dueIn = (days: number, status: Status) => () =>
	account().addInvoice({ status, due_date: dayIn(days) }, Date.now()).id;
const all = (...ways: Case['ways']) => () => ways.map((way) => way()); // prettier-ignore
const refund = (id: string) => account().changeCharge(id, 'Refunded');
const join = (id: string) => account().changeMember(id, 'enabled');

const cases: Case[] = [
	invoices('invoicePaid', [invoiceGets('paid'), added('paid')], added('unpaid')),
	invoices('invoiceOverdue', [invoiceGets('overdue'), added('overdue')], added('scheduled')),
	invoices('invoiceCancelled', [invoiceGets('cancelled'), added('cancelled')], added('paid')),
	invoices('invoiceDueSoon', [dueIn(0, 'unpaid'), dueIn(3, 'unpaid')], all(dueIn(4, 'unpaid'), dueIn(-1, 'unpaid'), dueIn(1, 'scheduled')), { days: 3 }),
	invoices('invoiceOverdueByDays', [dueIn(-7, 'overdue'), dueIn(-30, 'overdue')], all(dueIn(-6, 'overdue'), dueIn(-8, 'paid')), { days: 7 }),
	invoices('newInvoice', [added('unpaid'), added('paid')], invoiceGets('cancelled')),
	charges('chargeStatus', [then(chargeWith('authorised'), refund), chargeWith('Refunded')], chargeWith('authorised'), { status: locator('name', 'Refunded') }),
	members('newMember', [invite], () => account().changeMember(account().members[0].id, 'disabled')),
	members('memberJoined', [then(invite, join)], invite),
]; // prettier-ignore

test('all events are tested: here (except New Charge), in a real n8n, and against a hostile service', () => {
	const all = events.map(({ value }) => value).sort();
	expect([...cases.map(({ parameters }) => parameters.event), 'newCharge'].sort()).toEqual(all);
	expect(Object.values(eventTriggers).map(({ event }) => event).sort()).toEqual(all); // prettier-ignore
	expect(Object.keys(happenings).sort()).toEqual(all);
});

describe.each(cases)('$parameters.event', ({ parameters, ways, other, path }) => {
	test('[T11] starts the workflow once for each new result, and for no existing one', async () => {
		const active = await published(parameters);
		other();
		expect(await active.poll()).toBeNull();
		const ids = ways.map((way) => way());
		expect(idsOf(await active.poll())?.sort()).toEqual([...ids].sort());
		expect(await active.poll()).toBeNull();
		expect(new Set(service.requests.map((one) => one.path))).toEqual(new Set([path]));
		// The state contains no key and no text of the service.
		const kept = JSON.stringify(active.kept);
		for (const text of [String(service.credential.apiKey), ...ids])
			expect(kept).not.toContain(text);
	});

	test('delivers existing results in parts with All Existing', async () => {
		begin();
		const ids = ways.map((way) => way());
		const active = trigger({ ...parameters, startWith: 'all', options: { maxPerRun: 7 } });
		const all = idsOf(await active.activate()) ?? [];
		expect(all.length).toBeLessThanOrEqual(7);
		for (let part = await active.poll(); part; part = await active.poll())
			all.push(...part.map(({ id }) => id));
		expect(new Set(all).size).toBe(all.length);
		expect(all).toEqual(expect.arrayContaining(ids));
	});

	test('delivers once between activation and the first poll, and again after a dropped poll, with durable cursors', async () => {
		begin();
		const active = trigger(parameters);
		expect(await active.activateDurably()).toBeNull();
		const first = ways[0]();
		expect(idsOf(await active.pollDurably())).toEqual([first]);
		expect(await active.pollDurably()).toBeNull();
		const second = ways[0]();
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([second]);
		// n8n has dropped it for good.
		passTime(3 * minute);
		expect(idsOf(await active.pollDurably())).toEqual([second]);
	});

	test('[T15] starts nothing for existing results with the key of another account', async () => {
		const active = await published(parameters);
		service.world.reset({ seed: 9, invoices: 80, members: 20, apiKey: newKey() });
		ways.forEach((way) => way());
		const moved = active.again({ credential: service.credential });
		expect(await moved.activate()).toBeNull();
		expect(await moved.poll()).toBeNull();
		const id = ways[0]();
		expect(idsOf(await moved.poll())).toEqual([id]);
	});

	test('[T15] goes on with a new key of the same account', async () => {
		begin();
		ways.forEach((way) => way());
		const active = trigger(parameters);
		await active.activate();
		service.world.set({ apiKey: newKey() });
		const id = ways[0]();
		const moved = active.again({ credential: service.credential });
		const both = [await moved.activate(), await moved.poll()];
		expect(both.flatMap((items) => idsOf(items) ?? [])).toEqual([id]);
		expect(await moved.poll()).toBeNull();
	});

	test('gives existing results in Fetch Test Event, and changes nothing', async () => {
		begin();
		const ids = ways.map((way) => way());
		const active = trigger(parameters);
		await active.activate();
		const kept = JSON.stringify(active.kept);
		const shown = (await active.show()) ?? [];
		expect(shown[0]).not.toHaveProperty('sample');
		expect(shown[0]).toHaveProperty('id');
		if (path !== '/v1/invoices')
			expect(idsOf(shown)).toEqual(expect.arrayContaining(ids.slice(-1)));
		expect(JSON.stringify(active.kept)).toBe(kept);
	});

	test('gives a sample in Fetch Test Event if there is no result yet', async () => {
		begin({ invoices: 0, charges: 0, members: 0 });
		const [sample, ...others] = (await trigger({ ...parameters, simplify: false }).show()) ?? [];
		expect(others).toEqual([]);
		expect(sample.sample).toMatch(
			/^This is a sample, because (there are no|no .* have the status|nothing matches)/,
		);
		expect(sample).toHaveProperty('id');
	});
});

test.each(events)('the sample of $name matches the contract', (event) => {
	const schema = { charges: charge, invoices: invoiceListItem, 'team members': member };
	const noun = event.list.noun as keyof typeof schema;
	const { list, status } = event;
	const sample = { ...list.sample, ...(status && { status }) };
	expect(schema[noun].safeParse(sample).error).toBeUndefined();
});

/** Behaviour of all events, tested with one. */
describe('Invoice Paid', () => {
	const paid = { event: 'invoicePaid' };
	const pay = invoiceGets('paid');
	/** Expects an invoice that is paid now in the next poll. */
	const expectNext = async (active: ActiveTrigger) => {
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
		return id;
	};

	test('goes on after a pause and under another name', async () => {
		const active = await published(paid);
		await expectNext(active);
		const id = pay();
		const again = active.again({ name: 'Another name' }, 'init');
		expect(idsOf(await again.activate())).toEqual([id]);
		expect(await again.poll()).toBeNull();
	});

	test('begins anew with another Base URL', async () => {
		const active = await published(paid);
		const { apiKey } = service.world.settings;
		const elsewhere = await startSimulator({ seed: 7, apiKey });
		const moved = active.again({ credential: { apiKey, baseUrl: elsewhere.url } });
		expect(await moved.activate()).toBeNull();
		expect(await moved.poll()).toBeNull();
		await elsewhere.close();
	});

	test('is published although the service is down', async () => {
		begin();
		failing();
		const active = trigger(paid);
		expect(await active.activate()).toBeNull();
		service.world.faults.clear();
		expect(await active.poll()).toBeNull();
		await expectNext(active);
	});

	test('gives the same fields as Invoice: Get Many, simplified or whole', async () => {
		const simple = await published(paid);
		const parameters = { ...paid, simplify: false };
		const whole = simple.beside({ id: 'whole', name: 'Whole', parameters });
		await whole.activate();
		const id = pay();
		const [item] = (await simple.poll()) ?? [];
		expect(item).toMatchObject({ id, status: 'paid' });
		expect(Object.keys(item).join(' ')).toBe(
			'invoice_number title status amount currency due_date customer customer_email url id',
		);
		const [all] = (await whole.poll()) ?? [];
		expect(invoiceListItem.safeParse(all).success).toBe(true);
	});

	test('[T13] starts again for an invoice that is paid again after hours, but not after minutes', async () => {
		const active = await published(paid);
		const id = await expectNext(active);
		for (const status of ['cancelled', 'paid', 'cancelled'] as const) {
			account().changeInvoice(id, status);
			expect(await active.poll()).toBeNull();
		}
		for (let polls = 0; polls < 3; polls++) {
			passTime(20 * minute);
			expect(await active.poll()).toBeNull();
		}
		account().changeInvoice(id, 'paid');
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('[T14] starts nothing after a list was empty by mistake', async () => {
		const active = await published(paid, { invoices: 200 });
		answerWith([]);
		for (let polls = 0; polls < 5; polls++) {
			expect(await active.poll()).toBeNull();
			passTime(180 * minute);
		}
		service.world.faults.clear();
		expect(await active.poll()).toBeNull();
		await expectNext(active);
	});

	test('starts nothing for existing results of other filters', async () => {
		const active = await published({ ...paid, filters: { currency: 'EUR' } });
		const all = active.again({ parameters: paid });
		expect(await all.activate()).toBeNull();
		await expectNext(all);
	});

	test('begins anew with another event', async () => {
		const active = await published(paid);
		const other = active.again({ parameters: { event: 'newCharge' } });
		expect(await other.activate()).toBeNull();
		const id = chargeWith('authorised')();
		expect(idsOf(await other.poll())).toEqual([id]);
		expect(await other.again({ parameters: paid }).activate()).toBeNull();
	});

	test('is independent of triggers of other events in the workflow', async () => {
		const active = await published(paid);
		const beside = (event: string) =>
			active.beside({ id: event, name: event, parameters: { event } });
		const overdue = beside('invoiceOverdue');
		const charges = beside('newCharge');
		for (const one of [overdue, charges]) expect(await one.activate()).toBeNull();
		const id = pay();
		const chargeId = chargeWith('authorised')();
		expect(await overdue.poll()).toBeNull();
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(idsOf(await charges.poll())).toEqual([chargeId]);
		const late = added('overdue')();
		expect(idsOf(await overdue.poll())).toEqual([late]);
		for (const one of [active, overdue, charges]) expect(await one.again().activate()).toBeNull();
	});

	test('works if the service ignores the filter or matches parts of it', async () => {
		begin();
		const active = trigger(paid);
		// "paid" is a part of "unpaid".
		const { listInvoices } = account();
		account().listInvoices = (query, ...others) =>
			listInvoices.call(account(), { ...query, status: undefined }, ...others);
		expect(await active.activate()).toBeNull();
		await expectNext(active);
		added('unpaid')();
		expect(await active.poll()).toBeNull();
	});

	const orders = ['newestFirst', 'oldestFirst', 'none'] as const;
	test.each(orders)('finds changes and exchanges in a long list sorted %s', async (order) => {
		const active = await published(paid, { invoices: 1000, order, maxPageSize: 20 });
		service.world.traffic.reset();
		expect(await active.poll()).toBeNull();
		expect(service.requests).toHaveLength(1);
		const change = (from: number, is: Status, becomes: Status) => {
			const one = account()
				.invoices.slice(from)
				.find(({ full }) => full.status === is);
			const id = String(one?.full.id);
			account().changeInvoice(id, becomes);
			return id;
		};
		const middle = change(450, 'unpaid', 'paid');
		expect(idsOf(await active.poll())).toEqual([middle]);
		change(330, 'paid', 'cancelled');
		const come = change(500, 'unpaid', 'paid');
		passTime(16 * minute);
		expect(idsOf(await active.poll())).toEqual([come]);
	});

	test('reports a service that refuses deep pages when the workflow is published', async () => {
		begin({ invoices: 6000, maxResults: 1000 });
		await expect(trigger(paid).activate()).rejects.toThrow(
			/refuses to list more than about \d+ invoices.*Narrow the filters/,
		);
	});

	test.each<[INodeParameters, RegExp]>([
		[{ ...paid, startWith: 'since', options: { maxPerRun: 0 } }, /Start With.*Max per Run must be/s],
		[{ event: 'chargeStatus' }, /Status is empty, but it is required/],
	])('reports bad fields with their names: %j', async (parameters, words) => {
		await expect(trigger(parameters).activate()).rejects.toThrow(words);
	}); // prettier-ignore
});
