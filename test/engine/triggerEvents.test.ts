import type { INodeParameters } from 'n8n-workflow';
import type { Invoice } from '../../contract';
import { charge, invoiceListItem, member } from '../../contract';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import type { Account } from '../../simulator/account';
import { passTime, setClockForward } from '../helpers/n8n/clock';
import { eventTriggers } from '../helpers/n8n/eventsWorkflow';
import { happenings } from '../helpers/service/happenings';
import { locator } from '../helpers/n8n/nodeRuns';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { idsOf } from '../helpers/n8n/pollEngine';
import { newKey, useSimulator } from '../helpers/service/useSimulator';
import { dayIn, minute, useTrigger } from '../helpers/n8n/useTrigger';

const { service, begin, trigger, published, failing, answerWith } = useTrigger(() => ({
	invoices: 60,
}));
const elsewhere = useSimulator();
const account = () => service.world.account;
const hour = 60 * minute;

/** Each test begins at noon in Stockholm, the time zone of the workflow, because some events depend on the day. */
beforeEach(() => setClockForward(Date.parse('2026-06-15T10:00:00Z') - Date.now()));

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

/** Listed long after it was made. */
const oldCharge = () => account().addCharge({}, Date.now() - 2400 * hour);
const newCharge = charges('newCharge', [chargeWith('authorised')], oldCharge);
const listEvents: Case[] = [
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

const cases = [newCharge, ...listEvents];

test('all events are tested: here, in a real n8n, and against a hostile service', () => {
	const all = events.map(({ value }) => value).sort();
	expect(cases.map(({ parameters }) => parameters.event).sort()).toEqual(all);
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

	test('goes on after a pause, under another name and under its old one', async () => {
		let active = await published(parameters);
		for (const name of ['Another name', 'Trigger']) {
			const missed = ways[0]();
			active = active.again({ name }, 'init');
			expect(idsOf(await active.activate())).toEqual([missed]);
			expect(await active.poll()).toBeNull();
			const next = ways[0]();
			expect(idsOf(await active.poll())).toEqual([next]);
		}
	});

	test('delivers once between activation and the first poll, again after a dropped poll, and under another name, with durable cursors', async () => {
		begin();
		const active = trigger(parameters);
		expect(await active.activateDurably()).toBeNull();
		expect(active.kept.durable).toBeUndefined();
		const first = ways[0]();
		expect(idsOf(await active.pollDurably())).toEqual([first]);
		expect(await active.pollDurably()).toBeNull();
		const second = ways[0]();
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([second]);
		// n8n may be about to keep it.
		expect(await active.pollDurably()).toBeNull();
		passTime(3 * minute);
		expect(idsOf(await active.pollDurably())).toEqual([second]);
		const third = ways[0]();
		const renamed = active.again({ name: 'Another name' });
		expect(idsOf(await renamed.pollDurably())).toEqual([third]);
	});

	test('[T10] goes on with a new key of the same account', async () => {
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
		const next = ways[0]();
		const shown = (await active.show()) ?? [];
		expect(shown[0]).not.toHaveProperty('sample');
		expect(shown[0]).toHaveProperty('id');
		if (path !== '/v1/invoices')
			expect(idsOf(shown)).toEqual(expect.arrayContaining([...ids.slice(-1), next]));
		expect(idsOf(await active.poll())).toEqual([next]);
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

test.each(listEvents)(
	'[T10] $parameters.event starts nothing for existing results with the key of another account',
	async ({ parameters, ways }) => {
		const active = await published(parameters);
		service.world.reset({ seed: 9, invoices: 80, members: 20, apiKey: newKey() });
		ways.forEach((way) => way());
		const moved = active.again({ credential: service.credential });
		expect(await moved.activate()).toBeNull();
		expect(await moved.poll()).toBeNull();
		const id = ways[0]();
		expect(idsOf(await moved.poll())).toEqual([id]);
	},
);

test.each<[string, (other: Account) => unknown]>([
	['newCharge', (other) => other.addCharge({}, Date.now()).id],
	['newInvoice', (other) => other.addInvoice({}, Date.now()).id],
])('[T10] %s begins anew with another Base URL, with new results only', async (event, happen) => {
	begin();
	const active = trigger({ event, startWith: 'all' });
	expect(await active.activate()).not.toBeNull();
	const { apiKey } = service.world.settings;
	elsewhere.world.reset({ seed: 7, apiKey });
	const moved = active.again({ credential: elsewhere.credential });
	expect(await moved.activate()).toBeNull();
	expect(await moved.poll()).toBeNull();
	const id = happen(elsewhere.world.account);
	expect(idsOf(await moved.poll())).toEqual([id]);
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

describe('Invoice Due Soon and Invoice Overdue by Days, which depend on the day as well as on the list,', () => {
	const soon = { event: 'invoiceDueSoon', days: 3 };
	const add = (days: number, status: Status = 'unpaid') => String(dueIn(days, status)());

	/** Polls every ten minutes, or every so many. Gives the delivered IDs. */
	async function pollFor(active: ActiveTrigger, hours: number, minutes = 10): Promise<string[]> {
		const ids: string[] = [];
		for (let left = (hours * 60) / minutes; left > 0; left--) {
			passTime(minutes * minute);
			ids.push(...(idsOf(await active.poll()) ?? []).map(String));
		}
		return ids;
	}

	test.each([0, 1000])(
		'[T18] deliver an invoice on its day, which begins at midnight in the time zone of the workflow, among %d others',
		async (others) => {
			const active = await published(soon, { invoices: 0 });
			for (let made = 0; made < others; made++) add(200);
			const id = add(5);
			expect(await active.poll()).toBeNull();
			passTime(34 * hour + 50 * minute);
			// Until 23:50 in Stockholm, which is 21:50 in UTC.
			expect(await pollFor(active, 1)).toEqual([]);
			expect(await pollFor(active, 1)).toEqual([id]);
			passTime(24 * hour);
			expect(await pollFor(active, 1)).toEqual([]);
		},
	);

	test('[T18] deliver an invoice again after another due date, but no paid ones', async () => {
		const active = await published(soon, { invoices: 0 });
		const [moved, paid] = [add(2), add(5)];
		expect(idsOf(await active.poll())).toEqual([moved]);
		account().postponeInvoice(moved, dayIn(8));
		account().changeInvoice(paid, 'paid');
		expect(await pollFor(active, 4 * 24, 60)).toEqual([]);
		expect(await pollFor(active, 36, 60)).toEqual([moved]);
	});

	test('[T18] deliver an invoice once for each of three reminder triggers', async () => {
		begin({ invoices: 0 });
		const late = [1, 7, 14].map((days) => trigger({ event: 'invoiceOverdueByDays', days }));
		for (const one of late) await one.activate();
		const id = add(0, 'overdue');
		const days: number[] = [];
		for (let day = 1; day <= 20; day++) {
			passTime(24 * hour);
			for (const one of late) if (idsOf(await one.poll())?.includes(id)) days.push(day);
		}
		expect(days).toEqual([1, 7, 14]);
	});

	test('[T18] ignore invoices without a due date', async () => {
		const active = await published(soon, { invoices: 3 });
		answerWith([{ id: 'a', status: 'unpaid' }]);
		expect(await active.poll()).toBeNull();
	});
});
