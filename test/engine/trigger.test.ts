import { PollContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { startSimulator } from '../../simulator/server';
import type { SettingsInput } from '../../simulator/settings';
import { passTime } from '../helpers/clock';
import { errorOf, idsOf } from '../helpers/pollEngine';
import { minute, useCharges } from '../helpers/useCharges';

const {
	service,
	pay,
	payTimes,
	begin,
	trigger,
	published,
	expectNext,
	expectAtActivation,
	answerWith,
} = useCharges();

/** test/unit/newChargesServices.test.ts and the histories have all kinds of services; these show what HTTP and n8n add. */
const services: Array<[string, SettingsInput]> = [
	['newestFirst', { order: 'newestFirst' }],
	['oldestFirst', { order: 'oldestFirst' }],
	['none', { order: 'none' }],
	['oldestFirst, without a count', { order: 'oldestFirst', count: 'missing' }],
	['equal moments anew for each request', { timestampTies: 'perRequest', chargesPerMoment: 20 }],
];

describe.each(services)('[T4] a service that lists %s', (_, settings) => {
	test('only new charges start the workflow, once, oldest first', async () => {
		const active = await published({ charges: 150, ...settings });
		expect(await active.poll()).toBeNull();
		const ids = payTimes(3);
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test('all existing charges come in parts, and then new ones', async () => {
		begin({ charges: 150, ...settings });
		const active = trigger({ startWith: 'all', options: { maxChargesPerRun: 60 } });
		const parts = [await active.activate(), await active.poll(), await active.poll()];
		expect(parts.map((charges) => charges?.length)).toEqual([60, 60, 30]);
		const all = parts.flatMap((charges) => charges ?? []);
		expect(new Set(idsOf(all)).size).toBe(150);
		const dates = all.map(({ created }) => String(created));
		expect(dates).toEqual([...dates].sort());
		await expectNext(active);
	});

	test('shows its newest charges as a test event', async () => {
		begin({ charges: 150, ...settings });
		const ids = payTimes(2);
		const shown = idsOf(await trigger().show());
		expect(shown).toHaveLength(10);
		if (settings.order !== 'none') expect(shown?.slice(-2)).toEqual(ids);
	});
});

describe('deep pages that the service refuses', () => {
	const deep = { charges: 1500, maxResults: 1000 };
	const words = 'Result window is too large: at most 1000 results';

	test.each([400, 500])('[T7] newest first, status %i: new charges come', async (status) => {
		const active = await published({ ...deep, beyondMaxResults: status });
		expect(await active.show()).toHaveLength(10);
		await expectNext(active);
	});

	test('newest first: all that can be read comes, and the log says what cannot', async () => {
		const warn = jest.fn();
		const logger = { warn, error: warn, info: () => {}, debug: () => {} };
		const spy = jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
		begin(deep);
		const active = trigger({ startWith: 'all', options: { maxPerRun: 600 } });
		expect(await active.activate()).toHaveLength(600);
		expect(await active.poll()).toHaveLength(400);
		expect(await active.poll()).toBeNull();
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/^Trigger: .* refuses to list charges beyond .* \(status 400: /)],
		]);
		expect(warn.mock.calls[0][0]).toContain(words);
		spy.mockRestore();
	});

	test.each(['newOnly', 'all'])('oldest first, %s: an error, not silence', async (startWith) => {
		begin({ ...deep, order: 'oldestFirst' });
		const active = trigger({ startWith });
		await expect(active.activate()).rejects.toThrow(words);
		await expect(active.poll()).rejects.toThrow(words);
	});
});

describe('charges since a moment', () => {
	test('[T3] in the time zone of the workflow', async () => {
		begin({ newest: '2025-06-01T09:00:00Z' });
		// Noon in Stockholm is 10:00 in UTC.
		pay({ created: '2025-06-01T09:59:59Z' });
		const id = pay({ created: '2025-06-01T10:00:00Z' });
		const active = trigger({ startWith: 'since', since: '2025-06-01T12:00:00' });
		expect(idsOf(await active.activate())).toEqual([id]);
	});

	test.each(services.slice(0, 3))('[T3] delivered ones come again, listed %s', async (_, order) => {
		const active = await published({ charges: 150, newest: '2025-06-01T09:00:00Z', ...order });
		const ids = payTimes(25);
		const delivered = await active.poll();
		expect(idsOf(delivered)).toEqual(ids);
		passTime(minute);
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
		await expectNext(restarted);
		// Another moment begins there.
		const other = restarted.again({ parameters: since(20, 100) });
		expect(idsOf(await other.activate())?.slice(0, 5)).toEqual(ids.slice(20));
		expect(await other.poll()).toBeNull();
	});

	test.each([
		['', 'Since is empty, but it is required'],
		['31/12/2026', 'Since must be a date and time such as 2026-12-31T09:00:00, got "31/12/2026"'],
		['2026-02-30', 'Since must be a day of the calendar'],
		['2999-01-01T09:00:00Z', 'Since must not be in the future, got 2999-01-01T09:00:00.000Z'],
	])('%p is refused when it is published, and by Fetch Test Event', async (since, words) => {
		const active = trigger({ startWith: 'since', since });
		await expect(active.activate()).rejects.toThrow(words);
		await expect(active.show()).rejects.toThrow(words);
		expect(service.requests).toEqual([]);
	});

	test('a clock that is set back does not end a trigger that has begun', async () => {
		begin();
		const active = trigger({
			startWith: 'since',
			since: new Date(Date.now() - 1000).toISOString(),
		});
		await active.activate();
		passTime(-60 * minute);
		expect(await active.again({}, 'init').activate()).toBeNull();
		// The service's clock is right.
		const id = pay({}, -60 * minute);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('an expression that gives another moment in every poll', async () => {
		begin();
		const active = trigger({ startWith: 'since', since: '={{ $now.minus({ years: 3 }) }}' });
		expect(await active.activate()).toHaveLength(50);
		expect(await active.poll()).toBeNull();
		await expectAtActivation(active.again());
	});

	test('[T8] created in any form of ISO 8601', async () => {
		begin();
		const created = {
			third: '2026-06-01T09:00:02,5Z',
			second: '2026-06-01 09:00:01.123456789Z',
			first: '2026-06-01T11:00:00+02:00',
			none: '20260531T235959Z',
			zeroth: '20260601T085959Z',
		};
		answerWith(Object.entries(created).map(([id, at]) => ({ id, created: at, total: '1.00' })));
		const active = trigger({ startWith: 'since', since: '2026-06-01T00:00:00Z' });
		expect(idsOf(await active.activate())).toEqual(['zeroth', 'first', 'second', 'third']);
		expect(await active.poll()).toBeNull();
	});
});

test('bad fields are told with their names, together', async () => {
	const active = trigger({ filters: { customerId: 'ACME' }, options: { lookBackMinutes: 0 } });
	const error = await errorOf(active.activate());
	expect(error.message).toContain('Customer ID must be an ID in UUID format');
	expect(error.message).toContain('Look Back (Minutes) must be');
	expect(error.failure).toEqual({ cause: 'configuration-invalid' });
});

test('[R11] filters go to the service, and card data stays there unless it is asked for', async () => {
	const filters = { currency: 'sek', status: 'authorised' };
	const active = await published({ cardData: 'present' }, { filters });
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

test('[T6] charges without an ID or a date come once', async () => {
	begin();
	const charge = (more: object) => ({ total: '1.00', ...more });
	const list = (...results: object[]) => {
		service.world.faults.clear();
		answerWith(results);
	};
	const active = trigger();
	const old = charge({ note: 'old' });
	list(old);
	expect(await active.activate()).toBeNull();
	const paid = { created: new Date().toISOString(), currency: 'EUR' };
	list(old, charge({ note: 'new' }), charge({ id: 'no-date' }), paid);
	expect(await active.poll()).toHaveLength(3);
	expect(await active.poll()).toBeNull();
	list(old, { ...paid, status: 'refunded', refund_total: '1.00' });
	expect(await active.poll()).toBeNull();
});

describe('Fetch Test Event', () => {
	test('leaves alone what is remembered', async () => {
		const active = await published();
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
		const [filtered] = (await trigger({ filters: { currency: 'SEK' } }).show()) ?? [];
		expect(filtered.sample).toBe('This is a sample, because nothing matches yet');
	});
});

describe('goes on where it was', () => {
	test('after n8n lost everything since the last charge', async () => {
		const active = await published();
		await expectNext(active);
		await active.poll();
		await expectAtActivation(active.again({}, 'init'));
	});

	test('when the node gets another name, and its old one again', async () => {
		const active = await published();
		await expectNext(active);
		const renamed = active.again({ name: 'Payments' });
		await expectAtActivation(renamed);
		await expectNext(renamed);
		await expectAtActivation(renamed.again({ name: 'Trigger' }));
	});

	test('another node that takes over the name begins for itself', async () => {
		const active = await published();
		await expectNext(active);
		const other = active.again({ id: 'another-id' });
		expect(await other.activate()).toBeNull();
		await expectNext(other);
	});

	test('[T10] other filters go on with what is new, and skip what was there', async () => {
		const active = await published({}, { filters: { currency: 'EUR' } });
		const euro = pay({ currency: 'EUR' });
		expect(idsOf(await active.poll())).toEqual([euro]);
		const crown = pay({ currency: 'SEK' });
		const changed = active.again({ parameters: { filters: { currency: 'SEK' } } });
		expect(idsOf(await changed.activate())).toEqual([crown]);
		const all = active.again({ parameters: {} });
		expect(await all.activate()).toBeNull();
		await expectNext(all);
	});

	test('other filters lose neither late charges nor those of a service with a slow clock', async () => {
		const active = await published();
		await expectNext(active);
		const slow = pay({ currency: 'EUR' }, 1.5 * minute);
		const euros = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await euros.activate())).toEqual([slow]);
		const late = pay({ currency: 'EUR' }, 20 * minute);
		expect(idsOf(await euros.poll())).toEqual([late]);
	});

	test('other filters leave nothing behind that did not fit into one execution', async () => {
		begin({ charges: 120 });
		const ids = payTimes(20, { currency: 'EUR' }, 9 * minute);
		const parameters = { startWith: 'all', options: { maxChargesPerRun: 100 } };
		const active = trigger(parameters);
		expect(await active.activate()).toHaveLength(100);
		const changed = active.again({ parameters: { ...parameters, filters: { currency: 'EUR' } } });
		expect(idsOf(await changed.activate())).toEqual(expect.arrayContaining(ids));
		expect(await changed.poll()).toBeNull();
	});

	test('what a trigger remembered that is gone for months is not kept for ever', async () => {
		const active = await published();
		const copies = () => (active.kept.staticData.global as IDataObject).newCharges as IDataObject;
		const own = copies()['trigger-id'] as IDataObject;
		const day = 24 * 60 * minute;
		copies().gone = { ...own, node: 'gone', lookedAt: Date.now() - 91 * day };
		copies().other = { ...own, node: 'other', lookedAt: Date.now() - day };
		await active.again({}, 'init').activate();
		expect(Object.keys(copies()).sort()).toEqual(['other', 'trigger-id']);
	});

	test('another service begins with what is new there', async () => {
		begin({ charges: 10 });
		const active = trigger({ startWith: 'all' });
		expect(await active.activate()).toHaveLength(10);
		const { apiKey } = service.world.settings;
		const other = await startSimulator({ seed: 7, charges: 20, apiKey });
		const moved = active.again({ credential: { apiKey, baseUrl: other.url } });
		expect(await moved.activate()).toBeNull();
		const { id } = other.world.account.addCharge({}, Date.now());
		expect(idsOf(await moved.poll())).toEqual([id]);
		await other.close();
	});

	test('[T10] another Start With begins anew', async () => {
		const active = await published();
		const all = active.again({ parameters: { startWith: 'all' } });
		expect(await all.activate()).toHaveLength(50);
	});
});

describe('two triggers in one workflow', () => {
	const second = { id: 'second', name: 'Second' };

	test('the second published later, n8n started again', async () => {
		const active = await published();
		const later = active.again(second);
		expect(await later.activate()).toBeNull();
		const ids = payTimes(2);
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(idsOf(await later.poll())).toEqual(ids);
		const id = pay();
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(await active.again().activate()).toBeNull();
		expect(idsOf(await active.again(second).activate())).toEqual([id]);
	});

	test('one is published again after many polls without charges, and the other one saves', async () => {
		const active = await published();
		const beside = active.beside(second);
		await beside.activate();
		for (let polls = 0; polls < 10; polls++) await active.poll();
		const again = active.again();
		await again.activate();
		await expectNext(again);
		expect(await beside.poll()).toHaveLength(1);
		const restarted = active.again({}, 'init');
		expect(await restarted.activate()).toBeNull();
		passTime(minute);
		expect(await restarted.poll()).toBeNull();
	});

	test.each([
		['what n8n dropped when they were deactivated', false],
		['what comes of a poll that still runs when they are activated again', true],
	])('%s is not remembered for the other one', async (_, stillRuns) => {
		const active = await published();
		await active.beside(second).activate();
		const id = pay();
		const dropped = active.poll(false);
		if (!stillRuns) await dropped;
		const again = active.again({}, 'activate');
		// n8n may still be about to save it.
		expect(await again.activate()).toBeNull();
		expect(idsOf(await dropped)).toEqual([id]);
		expect(idsOf(await again.beside(second).activate())).toEqual([id]);
		passTime(minute);
		expect(idsOf(await again.poll())).toEqual([id]);
		expect(await again.poll()).toBeNull();
	});
});
