import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import type { SettingsInput } from '../../simulator/settings';
import { startSimulator } from '../../simulator/server';
import { pause, passTime, setClockForward } from '../helpers/clock';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const key = 'your-simulator-key';

/** A charge that is made now, or so many milliseconds ago. Gives its ID. */
let last = 0;
const pay = (change: object = {}, ago = 0): string => {
	// Not two at the same moment.
	last = Math.max(last + 1, Date.now());
	return service.world.account.addCharge(change, last - ago).id as string;
};
const begin = (settings: SettingsInput = {}) =>
	service.world.reset({
		newest: new Date(Date.now() - 600_000).toISOString().slice(0, 19) + 'Z',
		...settings,
	});
const trigger = (parameters: INodeParameters = {}) =>
	new ActiveTrigger({ credential: service.credential, parameters });
const idsOf = (charges: IDataObject[] | null) => charges?.map(({ id }) => id);
const orders = ['newestFirst', 'oldestFirst', 'none'] as const;
const failing = (times: number | null = null) =>
	service.world.faults.add({ times, action: { kind: 'status', status: 503, message: 'Asleep' } });

describe.each(orders)('[T4] a service that lists %s', (order) => {
	test('only new charges start the workflow, once, oldest first', async () => {
		begin({ order, charges: 300 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		expect(await active.poll()).toBeNull();
		const ids = [pay(), pay(), pay()];
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test('all existing charges come in parts, and then new ones', async () => {
		begin({ order, charges: 300 });
		const active = trigger({ startWith: 'all', options: { maxChargesPerRun: 120 } });
		const first = await active.activate();
		const second = await active.poll();
		const third = await active.poll();
		expect([first, second, third].map((charges) => charges?.length)).toEqual([120, 120, 60]);
		const all = [first, second, third].flatMap((charges) => charges ?? []);
		expect(new Set(idsOf(all)).size).toBe(300);
		const dates = all.map(({ created }) => String(created));
		expect(dates).toEqual([...dates].sort());
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('[T3] charges since a moment in the time zone of the workflow', async () => {
		begin({ order, charges: 50, newest: '2025-06-01T09:00:00Z' });
		// Noon in Stockholm is 10:00 in UTC.
		const before = pay({ created: '2025-06-01T09:59:59Z' });
		const at = pay({ created: '2025-06-01T10:00:00Z' });
		const active = trigger({ startWith: 'since', since: '2025-06-01T12:00:00' });
		const ids = idsOf(await active.activate());
		expect(ids).toContain(at);
		expect(ids).not.toContain(before);
		expect(ids).toHaveLength(1);
	});

	test('charges that were delivered come again since a moment, in parts, and then new ones', async () => {
		begin({ order, charges: 700, newest: '2025-06-01T09:00:00Z' });
		const active = trigger();
		await active.activate();
		const ids = Array.from({ length: 25 }, () => pay());
		const delivered = await active.poll();
		expect(idsOf(delivered)).toEqual(ids);
		passTime(60_000);
		const since = (charge: number, maxPerRun: number) => ({
			startWith: 'since',
			since: String(delivered?.[charge].created),
			options: { maxPerRun },
		});
		const again = active.again({ parameters: since(5, 8) });
		expect(idsOf(await again.activate())).toEqual(ids.slice(5, 13));
		// Published once more, and n8n started anew, with the same value: it goes on where it was.
		expect(idsOf(await again.again().activate())).toEqual(ids.slice(13, 21));
		const restarted = again.again({}, 'init');
		expect(idsOf(await restarted.activate())).toEqual(ids.slice(21));
		expect(await restarted.poll()).toBeNull();
		const id = pay();
		expect(idsOf(await restarted.poll())).toEqual([id]);
		// Another moment begins there.
		const other = restarted.again({ parameters: since(20, 100) });
		expect(idsOf(await other.activate())).toEqual([...ids.slice(20), id]);
		expect(await other.poll()).toBeNull();
	});
});

test.each([
	['', 'Since is empty, but it is required'],
	['31/12/2026', 'Since must be a date and time such as 2026-12-31T09:00:00, got "31/12/2026"'],
	['2026-02-30', 'Since must be a day of the calendar'],
])('since %p is refused when the workflow is activated', async (since, words) => {
	await expect(trigger({ startWith: 'since', since }).activate()).rejects.toThrow(words);
	expect(service.requests).toEqual([]);
});

describe('since a moment in the future', () => {
	const since = '2999-01-01T09:00:00Z';
	const words = 'Since must not be in the future, got 2999-01-01T09:00:00.000Z';

	test('is refused when the workflow is published, and by Fetch Test Event', async () => {
		begin({ charges: 5 });
		await expect(trigger({ startWith: 'since', since }).activate()).rejects.toThrow(words);
		await expect(trigger({ startWith: 'since', since }).show()).rejects.toThrow(words);
		expect(service.requests).toEqual([]);
	});

	test('a clock that is set back does not end a trigger that has begun', async () => {
		begin({ charges: 5 });
		const parameters = { startWith: 'since', since: new Date(Date.now() - 1000).toISOString() };
		const active = trigger(parameters);
		await active.activate();
		const hour = 3_600_000;
		passTime(-hour);
		expect(await active.again({}, 'init').activate()).toBeNull();
		// The service's clock is right.
		const id = pay({}, -hour);
		expect(idsOf(await active.poll())).toEqual([id]);
	});
});

test('bad fields are told with their names, together', async () => {
	const active = trigger({ filters: { customerId: 'ACME' }, options: { lookBackMinutes: 0 } });
	const error = (await active.activate().catch((thrown: Error) => thrown)) as NodeApiError;
	expect(error.message).toContain('Customer ID must be an ID in UUID format');
	expect(error.message).toContain('Look Back (Minutes) must be');
	expect(error.failure).toEqual({ cause: 'configuration-invalid' });
});

test('[R11] filters go to the service, and card data stays there unless it is asked for', async () => {
	begin({ charges: 30, cardData: 'present' });
	const filters = { currency: 'sek', status: 'authorised' };
	const active = trigger({ filters });
	await active.activate();
	pay({ currency: 'EUR' });
	const id = pay({ currency: 'SEK', status: 'authorised' });
	const [charge] = (await active.poll()) ?? [];
	expect(charge.id).toBe(id);
	expect(charge).not.toHaveProperty('source');
	expect(service.requests.at(-1)?.query).toMatchObject({ currency: 'SEK', status: 'authorised' });
	const open = trigger({ filters, options: { includeCardData: true } });
	await open.activate();
	pay({ currency: 'SEK', status: 'authorised' });
	const [shown] = (await open.poll()) ?? [];
	expect(shown.source).toHaveProperty('card_data.card_number');
});

describe('Fetch Test Event', () => {
	test.each(orders)('shows the newest charges of a list that is sorted %s', async (order) => {
		begin({ order, charges: 250 });
		const ids = [pay(), pay()];
		const active = trigger();
		const shown = idsOf(await active.show());
		expect(shown).toHaveLength(10);
		if (order !== 'none') expect(shown?.slice(-2)).toEqual(ids);
	});

	test('leaves alone what is remembered', async () => {
		begin({ charges: 5 });
		const active = trigger();
		await active.activate();
		const id = pay();
		const before = JSON.stringify(active.kept);
		await active.show();
		expect(JSON.stringify(active.kept)).toBe(before);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('gives a sample that says why there is nothing to show', async () => {
		begin({ charges: 0 });
		const [{ sample, ...shown }] = (await trigger().show()) ?? [];
		expect(sample).toBe('This is a sample, because there are no charges yet');
		expect(shown).toMatchObject({ status: 'authorised', total: '120.00', payer: 'Ada Sample' });
		const filtered = trigger({ filters: { currency: 'SEK' } });
		const [{ sample: reason }] = (await filtered.show()) ?? [];
		expect(reason).toBe('This is a sample, because nothing matches yet');
	});
});

describe('goes on where it was', () => {
	test('after n8n lost everything since the last charge', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const first = pay();
		expect(idsOf(await active.poll())).toEqual([first]);
		await active.poll();
		const second = pay();
		const restarted = active.again({}, 'init');
		expect(idsOf(await restarted.activate())).toEqual([second]);
	});

	test('when the node gets another name, and its old one again', async () => {
		begin();
		let active = trigger();
		await active.activate();
		const first = pay();
		expect(idsOf(await active.poll())).toEqual([first]);
		const second = pay();
		active = active.again({ name: 'Payments' });
		expect(idsOf(await active.activate())).toEqual([second]);
		const third = pay();
		expect(idsOf(await active.poll())).toEqual([third]);
		active = active.again({ name: 'Trigger' });
		const fourth = pay();
		expect(idsOf(await active.activate())).toEqual([fourth]);
	});

	test('another node that takes over the name begins for itself', async () => {
		begin({ charges: 3 });
		const active = trigger();
		await active.activate();
		pay();
		await active.poll();
		const other = active.again({ id: 'another-id' });
		expect(await other.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await other.poll())).toEqual([id]);
	});

	test('[T10] other filters go on with what is new, and skip what was there', async () => {
		begin({ charges: 100 });
		const active = trigger({ filters: { currency: 'EUR' } });
		await active.activate();
		const euro = pay({ currency: 'EUR' });
		expect(idsOf(await active.poll())).toEqual([euro]);
		const crown = pay({ currency: 'SEK' });
		const changed = active.again({ parameters: { filters: { currency: 'SEK' } } });
		expect(idsOf(await changed.activate())).toEqual([crown]);
		const all = active.again({ parameters: {} });
		expect(await all.activate()).toBeNull();
		const next = pay();
		expect(idsOf(await all.poll())).toEqual([next]);
	});

	test('other filters lose neither late charges nor those of a service with a slow clock', async () => {
		begin({ charges: 100 });
		const active = trigger({});
		await active.activate();
		const first = pay();
		expect(idsOf(await active.poll())).toEqual([first]);
		const slow = pay({ currency: 'EUR' }, 90_000);
		const euros = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await euros.activate())).toEqual([slow]);
		const late = pay({ currency: 'EUR' }, 20 * 60_000);
		expect(idsOf(await euros.poll())).toEqual([late]);
	});

	test('other filters leave nothing behind that did not fit into one execution', async () => {
		begin({ charges: 120 });
		const euros = Array.from({ length: 20 }, () => pay({ currency: 'EUR' }, 9 * 60_000));
		const options = { maxChargesPerRun: 100 };
		const active = trigger({ startWith: 'all', options });
		expect(await active.activate()).toHaveLength(100);
		const filters = { currency: 'EUR' };
		const changed = active.again({ parameters: { startWith: 'all', options, filters } });
		expect(idsOf(await changed.activate())).toEqual(expect.arrayContaining(euros));
		expect(await changed.poll()).toBeNull();
	});

	test('an expression for Since gives another moment in every poll', async () => {
		begin({ charges: 50 });
		const active = trigger({ startWith: 'since', since: '={{ $now.minus({ years: 3 }) }}' });
		expect(await active.activate()).toHaveLength(50);
		expect(await active.poll()).toBeNull();
		const id = pay();
		expect(idsOf(await active.again().activate())).toEqual([id]);
	});

	test('two triggers in one workflow, the second published later, n8n started again', async () => {
		begin({ charges: 20 });
		const active = trigger();
		await active.activate();
		const second = active.again({ id: 'another-id', name: 'Second' });
		expect(await second.activate()).toBeNull();
		const ids = [pay(), pay()];
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(idsOf(await second.poll())).toEqual(ids);
		const third = pay();
		expect(idsOf(await active.poll())).toEqual([third]);
		expect(await active.again().activate()).toBeNull();
		const again = active.again({ id: 'another-id', name: 'Second' });
		expect(idsOf(await again.activate())).toEqual([third]);
	});

	test('what a trigger remembered that is gone for months is not kept for ever', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const copies = () => (active.kept.staticData.global as IDataObject).newCharges as IDataObject;
		const own = copies()['trigger-id'] as IDataObject;
		const day = 24 * 3_600_000;
		copies().gone = { ...own, node: 'gone', lookedAt: Date.now() - 91 * day };
		copies().other = { ...own, node: 'other', lookedAt: Date.now() - day };
		await active.again({}, 'init').activate();
		expect(Object.keys(copies()).sort()).toEqual(['other', 'trigger-id']);
	});

	test.each([{}, 'text', { known: 5 }, { undated: {} }, { scan: {} }, { floor: 'x' }])(
		'what was remembered is damaged: %j',
		async (damage) => {
			begin({ charges: 20 });
			const active = trigger();
			await active.activate();
			pay();
			await active.poll();
			const spoil = (memory: IDataObject) => {
				const isPart = Object.keys(damage).length > 0 && typeof damage === 'object';
				memory.cursor = isPart ? { ...(memory.cursor as object), ...damage } : damage;
			};
			const { global, 'node:Trigger': own } = active.kept.staticData as Record<string, IDataObject>;
			spoil(own.memory as IDataObject);
			spoil((global.newCharges as Record<string, IDataObject>)['trigger-id']);
			const again = active.again();
			expect(await again.activate()).toBeNull();
			const id = pay();
			expect(idsOf(await again.poll())).toEqual([id]);
		},
	);

	test('another service begins with what is new there', async () => {
		begin({ charges: 10 });
		const active = trigger({ startWith: 'all' });
		expect(await active.activate()).toHaveLength(10);
		const other = await startSimulator({
			seed: 7,
			charges: 20,
			apiKey: service.world.settings.apiKey,
		});
		try {
			const credential = { ...service.credential, baseUrl: other.url };
			const moved = active.again({ credential });
			expect(await moved.activate()).toBeNull();
			const { id } = other.world.account.addCharge({}, Date.now());
			expect(idsOf(await moved.poll())).toEqual([id]);
		} finally {
			await other.close();
		}
	});

	test('[T10] another Start With begins anew', async () => {
		begin({ charges: 10 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		const all = active.again({ parameters: { startWith: 'all' } });
		expect(await all.activate()).toHaveLength(10);
	});
});

describe('two triggers in one workflow', () => {
	const others = { id: 'second', name: 'Second' };

	test('one is published again after many polls without charges, and the other one saves', async () => {
		begin({ charges: 100 });
		const first = trigger();
		const second = first.beside(others);
		await first.activate();
		await second.activate();
		for (let polls = 0; polls < 10; polls++) await first.poll();
		const again = first.again();
		await again.activate();
		pay();
		expect(await again.poll()).toHaveLength(1);
		expect(await second.poll()).toHaveLength(1);
		const restarted = first.again({}, 'init');
		expect(await restarted.activate()).toBeNull();
		passTime(60_000);
		expect(await restarted.poll()).toBeNull();
	});

	test.each([
		['what n8n dropped when they were deactivated', false],
		['what comes of a poll that still runs when they are activated again', true],
	])('%s is not remembered for the other one', async (_, stillRuns) => {
		begin({ charges: 100 });
		const first = trigger();
		const second = first.beside(others);
		await first.activate();
		await second.activate();
		const id = pay();
		const dropped = first.poll(false);
		if (!stillRuns) await dropped;
		const again = first.again({}, 'activate');
		const secondAgain = again.beside(others);
		// n8n may still be about to save it.
		expect(await again.activate()).toBeNull();
		expect(idsOf(await dropped)).toEqual([id]);
		expect(idsOf(await secondAgain.activate())).toEqual([id]);
		passTime(60_000);
		expect(idsOf(await again.poll())).toEqual([id]);
		expect(await again.poll()).toBeNull();
	});
});

describe('durable cursors', () => {
	test('a charge between activation and the first poll is not lost', async () => {
		begin({ charges: 100 });
		const active = trigger();
		expect(await active.activateDurably()).toBeNull();
		expect(active.kept.durable).toBeUndefined();
		const id = pay();
		expect(idsOf(await active.pollDurably())).toEqual([id]);
		expect(await active.pollDurably()).toBeNull();
	});

	test('what was not kept comes again, also when the node gets another name', async () => {
		begin();
		const active = trigger();
		await active.activateDurably();
		const first = pay();
		expect(idsOf(await active.pollDurably())).toEqual([first]);
		const second = pay();
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([second]);
		// n8n may be about to keep it.
		expect(await active.pollDurably()).toBeNull();
		passTime(180_000);
		expect(idsOf(await active.pollDurably())).toEqual([second]);
		const third = pay();
		const renamed = active.again({ name: 'Payments' });
		expect(idsOf(await renamed.pollDurably())).toEqual([third]);
	});

	test('what polls before remember counts, also where a trigger that was published later saved something older', async () => {
		begin({ charges: 100 });
		const first = trigger();
		await first.activate();
		pay();
		await first.poll();
		const second = first.again({ id: 'second', name: 'Second' });
		await second.activate();
		for (let polls = 0; polls < 3; polls++) {
			pay();
			expect(await first.poll()).toHaveLength(1);
		}
		expect(await second.poll()).toHaveLength(3);
		const durable = first.again({}, 'activate');
		expect(await durable.activateDurably()).toBeNull();
		expect(await durable.pollDurably()).toBeNull();
		const id = pay();
		expect(idsOf(await durable.pollDurably())).toEqual([id]);
	});

	test('a poll that begins before what the one at activation left is saved', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		active.kept.staticData = {};
		const id = pay();
		expect(idsOf(await active.pollDurably())).toEqual([id]);
	});

	test('other filters begin with what n8n has dropped', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		await active.pollDurably();
		passTime(3_600_000);
		const id = pay({ currency: 'EUR' }, 1_800_000);
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([id]);
		passTime(180_000);
		const changed = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await changed.pollDurably())).toEqual([id]);
	});

	test.each([
		['only new charges', 'newOnly'],
		['all charges, from the first one', 'all'],
	])(
		'%s: a poll that begins before n8n has kept what another one gave does not give it again',
		async (_, startWith) => {
			begin({ charges: startWith === 'all' ? 2 : 100 });
			const active = trigger({ startWith });
			if (startWith === 'newOnly') {
				await active.activateDurably();
				pay();
				pay();
			}
			const before = active.readCursor();
			const same = active.readCursor();
			expect(await active.pollDurably({ isKept: false })).toHaveLength(2);
			expect(await active.pollDurably({ cursor: before })).toBeNull();
			passTime(180_000);
			// n8n did not keep it, and it is late by three minutes instead of lost.
			expect(await active.pollDurably({ cursor: same })).toHaveLength(2);
			const id = pay();
			expect(idsOf(await active.pollDurably())).toEqual([id]);
		},
	);

	test('what an older poll remembers does not take the place of what is newer', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		await active.pollDurably();
		const before = active.readCursor();
		pay();
		expect(await active.pollDurably()).toHaveLength(1);
		expect(await active.pollDurably({ cursor: before })).toBeNull();
		const id = pay();
		expect(idsOf(await active.pollDurably())).toEqual([id]);
	});

	test('three polls at once: one that does not know what the one before it has left is let be', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		const first = active.readCursor();
		await active.pollDurably();
		const between = active.readCursor();
		const ids = [pay()];
		// n8n could save what the two remember in either order, and forget the charge that it was given.
		expect(await active.pollDurably({ cursor: first })).toBeNull();
		expect(idsOf(await active.pollDurably())).toEqual(ids);
		expect(await active.pollDurably({ cursor: between, isKept: false })).toBeNull();
		const id = pay();
		expect(idsOf(await active.pollDurably())).toEqual([id]);
	});

	test('a poll that begins with what n8n read more than a minute ago', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		await active.pollDurably();
		const before = active.readCursor();
		pay();
		expect(await active.pollDurably()).toHaveLength(1);
		passTime(100_000);
		expect(await active.pollDurably({ cursor: before, isKept: false })).toBeNull();
		expect(await active.pollDurably()).toBeNull();
	});

	test('what a poll without charges left, and n8n could not save, is waited for no longer than a minute', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		await active.pollDurably();
		await active.pollDurably({ isKept: false });
		const id = pay();
		expect(await active.pollDurably()).toBeNull();
		passTime(60_000);
		expect(idsOf(await active.pollDurably())).toEqual([id]);
	});

	test('a clock that is put forward before n8n has saved what a poll gave', async () => {
		begin({ charges: 100 });
		const active = trigger();
		await active.activateDurably();
		const before = active.readCursor();
		pay();
		expect(await active.pollDurably()).toHaveLength(1);
		setClockForward(40 * 60_000);
		expect(await active.pollDurably({ cursor: before, isKept: false })).toBeNull();
		// What n8n has dropped comes again when time has really passed.
		passTime(181_000);
		expect(await active.pollDurably({ cursor: before })).toHaveLength(1);
	});

	test('another Start With begins when the workflow is activated, not with the first poll after that', async () => {
		begin({ charges: 100 });
		const since = new Date(Date.now() - 60_000).toISOString();
		const active = trigger({ startWith: 'since', since });
		await active.activateDurably();
		await active.pollDurably();
		await active.pollDurably();
		const changed = active.again({ parameters: { startWith: 'newOnly' } });
		expect(await changed.activateDurably()).toBeNull();
		const id = pay();
		expect(idsOf(await changed.pollDurably())).toEqual([id]);
		expect(await changed.pollDurably()).toBeNull();
	});

	test('what an earlier workflow of the same ID was given does not count', async () => {
		begin({ charges: 3 });
		const active = trigger({ startWith: 'all' });
		expect(await active.pollDurably()).toHaveLength(3);
		pay();
		expect(await active.pollDurably()).toHaveLength(1);
		active.kept.durable = undefined;
		active.kept.staticData = {};
		const imported = active.again({}, 'activate');
		expect(await imported.activateDurably()).toHaveLength(4);
		pay();
		expect(await imported.pollDurably()).toHaveLength(1);
	});
});

describe("n8n's scheduler without durable cursors", () => {
	test('every charge once, also when the node gets another name and when n8n drops a poll', async () => {
		begin({ charges: 100 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		const first = pay();
		expect(idsOf(await active.pollScheduled())).toEqual([first]);
		expect(await active.pollScheduled()).toBeNull();
		const renamed = active.again({ name: 'Payments' });
		expect(await renamed.pollScheduled()).toBeNull();
		const second = pay();
		expect(idsOf(await renamed.pollScheduled(false))).toEqual([second]);
		expect(await renamed.pollScheduled()).toBeNull();
		passTime(180_000);
		expect(idsOf(await renamed.pollScheduled())).toEqual([second]);
		expect(await renamed.pollScheduled()).toBeNull();
	});

	test('a long list without order, which is read in parts, comes to its end', async () => {
		begin({ order: 'none', charges: 3000, latency: 0 });
		const active = trigger({ startWith: 'all', options: { maxChargesPerRun: 1000 } });
		const ids = new Set<unknown>();
		await active.activate().then((charges) => charges?.forEach(({ id }) => ids.add(id)));
		for (let polls = 0; ids.size < 3000 && polls < 20; polls++) {
			const charges = await active.pollScheduled();
			charges?.forEach(({ id }) => ids.add(id));
		}
		expect(ids.size).toBe(3000);
	});

	test('what polls without charges have learnt is not lost', async () => {
		begin({ charges: 3000 });
		const active = trigger();
		await active.activate();
		await active.pollScheduled();
		await active.pollScheduled();
		const { length } = service.requests;
		expect(await active.pollScheduled()).toBeNull();
		expect(service.requests.length - length).toBe(1);
	});

	test('the trigger itself makes the pauses after errors', async () => {
		begin();
		const active = trigger();
		await active.activate();
		failing(null);
		for (let polls = 0; polls < 2; polls++) {
			const poll = active.pollScheduled();
			await expect(poll).rejects.toThrow('Asleep');
		}
		expect(await active.pollScheduled()).toBeNull();
	}, 60_000);
});

describe('a service that fails', () => {
	test('at activation: n8n must not give up the trigger, and what is made meanwhile is not lost', async () => {
		begin({ charges: 50 });
		failing();
		const active = trigger();
		expect(await active.activate()).toBeNull();
		service.world.faults.clear();
		const ids = [pay({}, 30_000), pay()];
		expect(idsOf(await active.poll())).toEqual(ids);
	});

	test('at activation: an answer that breaks off is not taken for the whole list', async () => {
		begin({ charges: 50 });
		const active = trigger();
		const answer = (body: object) =>
			service.world.faults.add({ times: 1, action: { kind: 'json', body } });
		answer({ count: 50, next: null, results: [] });
		expect(await active.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);

		begin({ charges: 50, newest: '2026-01-01T00:00:00Z' });
		const other = trigger();
		answer({ count: 0, next: null, results: [] });
		expect(await other.activate()).toBeNull();
		expect(await other.poll()).toBeNull();
	});

	test('[T9] while n8n starts: nothing is thrown, whatever it is', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const id = pay();
		const { apiKey } = service.world.settings;
		service.world.set({ apiKey: 'your-other-key' });
		const restarted = active.again({}, 'init');
		expect(await restarted.activate()).toBeNull();
		await expect(restarted.poll()).rejects.toThrow('did not accept the API key');
		service.world.set({ apiKey });
		expect(idsOf(await active.again({}, 'init').activate())).toEqual([id]);
	});

	test('a wrong key is told when the workflow is activated', async () => {
		begin();
		const active = trigger();
		service.world.set({ apiKey: 'your-other-key' });
		const error = (await active.activate().catch((thrown: Error) => thrown)) as NodeApiError;
		expect(error.message).toContain('The service did not accept the API key');
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
		expect(JSON.stringify([error, error.stack, error.cause])).not.toContain(key);
	});

	test('[T9] scheduled polls fail with the reason, and with growing pauses', async () => {
		begin();
		const active = trigger();
		await active.activate();
		const ids = [pay()];
		failing();
		for (let polls = 0; polls < 2; polls++) {
			const error = (await active.poll().catch((thrown: Error) => thrown)) as NodeApiError;
			expect(error.message).toContain('The service failed (status 503): Asleep');
			expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		}
		const { length } = service.requests;
		expect(await active.poll()).toBeNull();
		expect(service.requests).toHaveLength(length);
		service.world.faults.clear();
		ids.push(pay());
		passTime(61_000);
		expect(idsOf(await active.poll())).toEqual(ids);
	}, 60_000);

	test('with durable cursors n8n makes the pauses', async () => {
		begin();
		const active = trigger();
		await active.activateDurably();
		failing(null);
		for (let polls = 0; polls < 3; polls++) {
			const poll = active.pollDurably();
			await expect(poll).rejects.toThrow('Asleep');
		}
	}, 120_000);

	test('a service that asks to wait says so to n8n', async () => {
		// The others are not to wait as well.
		const other = await startSimulator({ apiKey: service.world.settings.apiKey });
		try {
			const retryAfter = { seconds: 90, as: 'seconds' } as const;
			const credential = { ...service.credential, baseUrl: other.url };
			const active = new ActiveTrigger({ credential });
			await active.activate();
			other.world.faults.add({ times: null, action: { kind: 'status', status: 429, retryAfter } });
			const error = (await active.poll().catch((thrown: Error) => thrown)) as NodeApiError;
			expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 90_000 });
		} finally {
			await other.close();
		}
	});
});

test('a poll that begins while another one is running does nothing', async () => {
	begin();
	const active = trigger();
	await active.activate();
	const id = pay();
	service.world.set({ latency: 200 });
	const running = active.poll();
	await pause(50);
	expect(await active.poll()).toBeNull();
	expect(idsOf(await running)).toEqual([id]);
});

test('a service that contradicts itself is an error, not a loop', async () => {
	begin({ charges: 50 });
	const active = trigger();
	await active.activate();
	service.world.faults.add({
		times: null,
		action: {
			kind: 'json',
			body: { count: 500, next: 'x', results: [{ id: '1', created: '2026-01-01T00:00:00Z' }] },
		},
	});
	await expect(active.poll()).rejects.toThrow(/repeats earlier pages|changes faster/);
	expect(service.requests.length).toBeLessThan(100);
});

test('charges without an ID or a date come once', async () => {
	begin({ charges: 0 });
	const charge = (more: object) => ({ total: '1.00', ...more });
	const list = (results: object[]) => ({ count: results.length, next: null, results });
	const answer = (results: object[]) => {
		service.world.faults.clear();
		service.world.faults.add({ times: null, action: { kind: 'json', body: list(results) } });
	};
	const active = trigger();
	answer([charge({ note: 'old' })]);
	expect(await active.activate()).toBeNull();
	const created = new Date().toISOString();
	const paid = { created, currency: 'EUR' };
	answer([charge({ note: 'old' }), charge({ note: 'new' }), charge({ id: 'no-date' }), paid]);
	expect(await active.poll()).toHaveLength(3);
	expect(await active.poll()).toBeNull();
	answer([charge({ note: 'old' }), { ...paid, status: 'refunded', refund_total: '1.00' }]);
	expect(await active.poll()).toBeNull();
});
