import { PollContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { startSimulator } from '../../simulator/server';
import type { SettingsInput } from '../../simulator/settings';
import { passTime, setClockForward } from '../helpers/n8n/clock';
import { errorOf, idsOf } from '../helpers/n8n/pollEngine';
import { minute, useCharges } from '../helpers/n8n/useTrigger';

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

/** The unit tests and histories cover all kinds of services. These tests add HTTP and n8n. */
const services: Array<[string, SettingsInput]> = [
	['newestFirst', { order: 'newestFirst' }],
	['oldestFirst', { order: 'oldestFirst' }],
	['none', { order: 'none' }],
	['oldestFirst, without a count', { order: 'oldestFirst', count: 'missing' }],
	['equal moments in a new order for each request', { timestampTies: 'perRequest', chargesPerMoment: 20 }],
]; // prettier-ignore

describe.each(services)('[T4] a service that lists %s', (_, settings) => {
	test('starts the workflow once for new charges, oldest first', async () => {
		const active = await published({}, { charges: 150, ...settings });
		expect(await active.poll()).toBeNull();
		const ids = payTimes(3);
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test('delivers all existing charges in parts, and then new ones', async () => {
		begin({ charges: 150, ...settings });
		const active = trigger({ startWith: 'all', options: { maxPerRun: 60 } });
		const parts = [await active.activate(), await active.poll(), await active.poll()];
		expect(parts.map((charges) => charges?.length)).toEqual([60, 60, 30]);
		const all = parts.flatMap((charges) => charges ?? []);
		expect(new Set(idsOf(all)).size).toBe(150);
		const dates = all.map(({ created }) => String(created));
		expect(dates).toEqual([...dates].sort());
		await expectNext(active);
	});

	test('gives its newest charges as test event', async () => {
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

	test.each([400, 500])('[T7] do not matter if listed newest first, status %i', async (status) => {
		const active = await published({}, { ...deep, beyondMaxResults: status });
		expect(await active.show()).toHaveLength(10);
		await expectNext(active);
	});

	test('are named in the log if listed newest first, and all other charges come', async () => {
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

	test.each(['newOnly', 'all'])('are an error if listed oldest first: %s', async (startWith) => {
		begin({ ...deep, order: 'oldestFirst' });
		const active = trigger({ startWith });
		await expect(active.activate()).rejects.toThrow(words);
		await expect(active.poll()).rejects.toThrow(words);
	});
});

describe('charges since a moment', () => {
	test('[T3] start at a moment in the time zone of the workflow', async () => {
		begin({ newest: '2025-06-01T09:00:00Z' });
		// Noon in Stockholm is 10:00 in UTC.
		pay({ created: '2025-06-01T09:59:59Z' });
		const id = pay({ created: '2025-06-01T10:00:00Z' });
		const active = trigger({ startWith: 'since', since: '2025-06-01T12:00:00' });
		expect(idsOf(await active.activate())).toEqual([id]);
	});

	test.each(services.slice(0, 3))(
		'[T3] come again after a delivery, listed %s',
		async (_, order) => {
			const active = await published(
				{},
				{ charges: 150, newest: '2025-06-01T09:00:00Z', ...order },
			);
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
			// With the same value, it goes on after publishing again and after a restart of n8n.
			expect(idsOf(await again.again().activate())).toEqual(ids.slice(13, 21));
			const restarted = again.again({}, 'init');
			expect(idsOf(await restarted.activate())).toEqual(ids.slice(21));
			expect(await restarted.poll()).toBeNull();
			await expectNext(restarted);
			// Another moment is a new start.
			const other = restarted.again({ parameters: since(20, 100) });
			expect(idsOf(await other.activate())?.slice(0, 5)).toEqual(ids.slice(20));
			expect(await other.poll()).toBeNull();
		},
	);

	test.each([
		['', 'Since is empty, but it is required'],
		['31/12/2026', 'Since must be a date and time such as 2026-12-31T09:00:00, got "31/12/2026"'],
		['2026-02-30', 'Since must be a day of the calendar'],
		['2999-01-01T09:00:00Z', 'Since must not be in the future, got 2999-01-01T09:00:00.000Z'],
	])('refuse %p when the workflow is published, and in Fetch Test Event', async (since, words) => {
		const active = trigger({ startWith: 'since', since });
		await expect(active.activate()).rejects.toThrow(words);
		await expect(active.show()).rejects.toThrow(words);
		expect(service.requests).toEqual([]);
	});

	test('still come after the clock was set back', async () => {
		begin();
		const active = trigger({
			startWith: 'since',
			since: new Date(Date.now() - 1000).toISOString(),
		});
		await active.activate();
		setClockForward(-60 * minute);
		expect(await active.again({}, 'init').activate()).toBeNull();
		// The clock of the service is right.
		const id = pay({}, -60 * minute);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('come once if an expression gives another moment in each poll', async () => {
		begin();
		const active = trigger({ startWith: 'since', since: '={{ $now.minus({ years: 3 }) }}' });
		expect(await active.activate()).toHaveLength(50);
		expect(await active.poll()).toBeNull();
		await expectAtActivation(active.again());
	});

	test('[T8] may have any ISO 8601 time', async () => {
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

test('reports all bad fields together, with their names', async () => {
	const active = trigger({ filters: { customerId: 'ACME' }, options: { lookBackMinutes: 0 } });
	const error = await errorOf(active.activate());
	expect(error.message).toContain('Customer must be an ID in UUID format');
	expect(error.message).toContain('Look Back (Minutes) must be');
	expect(error.failure).toEqual({ cause: 'configuration-invalid' });
});

test('[R11] sends filters, and gives card data only if the user asks for it', async () => {
	const filters = { currency: 'sek', status: 'authorised' };
	const active = await published({ filters }, { cardData: 'present' });
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

test('[T6] delivers charges without an ID or a date once', async () => {
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
	test('does not change the memory', async () => {
		const active = await published();
		const id = pay();
		const before = JSON.stringify(active.kept);
		await active.show();
		expect(JSON.stringify(active.kept)).toBe(before);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('gives a sample that says why there is no result', async () => {
		begin({ charges: 0 });
		const [{ sample, ...shown }] = (await trigger().show()) ?? [];
		expect(sample).toBe('This is a sample, because there are no charges yet');
		expect(shown).toMatchObject({ status: 'authorised', total: '120.00', payer: 'Ada Sample' });
		const [filtered] = (await trigger({ filters: { currency: 'SEK' } }).show()) ?? [];
		expect(filtered.sample).toBe('This is a sample, because nothing matches yet');
	});
});

describe('a trigger that is published again', () => {
	test('goes on after n8n lost everything since the last charge', async () => {
		const active = await published();
		await expectNext(active);
		await active.poll();
		await expectAtActivation(active.again({}, 'init'));
	});

	test('goes on under another name, and under its old one', async () => {
		const active = await published();
		await expectNext(active);
		const renamed = active.again({ name: 'Payments' });
		await expectAtActivation(renamed);
		await expectNext(renamed);
		await expectAtActivation(renamed.again({ name: 'Trigger' }));
	});

	test('begins anew in another node with the same name', async () => {
		const active = await published();
		await expectNext(active);
		const other = active.again({ id: 'another-id' });
		expect(await other.activate()).toBeNull();
		await expectNext(other);
	});

	test('[T10] goes on with other filters, and skips existing charges', async () => {
		const active = await published({ filters: { currency: 'EUR' } });
		const euro = pay({ currency: 'EUR' });
		expect(idsOf(await active.poll())).toEqual([euro]);
		const crown = pay({ currency: 'SEK' });
		const changed = active.again({ parameters: { filters: { currency: 'SEK' } } });
		expect(idsOf(await changed.activate())).toEqual([crown]);
		const all = active.again({ parameters: {} });
		expect(await all.activate()).toBeNull();
		await expectNext(all);
	});

	test('[T10] goes on with other filters after days without a poll', async () => {
		const active = await published();
		await expectNext(active);
		passTime(4 * 24 * 60 * minute);
		const id = pay({ currency: 'EUR' }, 60 * minute);
		const euros = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await euros.activate())).toEqual([id]);
		expect(await euros.poll()).toBeNull();
	});

	test('loses no late charges with other filters, even if the clock of the service is slow', async () => {
		const active = await published();
		await expectNext(active);
		const slow = pay({ currency: 'EUR' }, 1.5 * minute);
		const euros = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await euros.activate())).toEqual([slow]);
		const late = pay({ currency: 'EUR' }, 20 * minute);
		expect(idsOf(await euros.poll())).toEqual([late]);
	});

	test('delivers the rest of its backlog with other filters', async () => {
		begin({ charges: 120 });
		const ids = payTimes(20, { currency: 'EUR' }, 9 * minute);
		const parameters = { startWith: 'all', options: { maxPerRun: 100 } };
		const active = trigger(parameters);
		expect(await active.activate()).toHaveLength(100);
		const changed = active.again({ parameters: { ...parameters, filters: { currency: 'EUR' } } });
		expect(idsOf(await changed.activate())).toEqual(expect.arrayContaining(ids));
		expect(await changed.poll()).toBeNull();
	});

	test('forgets triggers that are gone for months', async () => {
		const active = await published();
		const copies = () =>
			(active.kept.staticData.global as IDataObject).invoicingPaymentsTriggers as IDataObject;
		const own = copies()['trigger-id'] as IDataObject;
		const day = 24 * 60 * minute;
		copies().gone = { ...own, node: 'gone', lookedAt: Date.now() - 91 * day };
		copies().other = { ...own, node: 'other', lookedAt: Date.now() - day };
		await active.again({}, 'init').activate();
		expect(Object.keys(copies()).sort()).toEqual(['other', 'trigger-id']);
	});

	test('begins anew with another service', async () => {
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

	test('[T10] begins anew with another Start With', async () => {
		const active = await published();
		const all = active.again({ parameters: { startWith: 'all' } });
		expect(await all.activate()).toHaveLength(50);
	});
});

describe('two triggers in one workflow', () => {
	const second = { id: 'second', name: 'Second' };

	test('work if the second one is published later, and after a restart of n8n', async () => {
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

	test('that share an ID, as copied JSON may have it, are refused at publishing, but not by a restart', async () => {
		const active = (await published()).again();
		const twin = active.beside({ name: 'Copy' });
		for (const one of [twin, active])
			expect((await errorOf(one.activate())).message).toMatch(
				/^'(Trigger|Copy)' and '(Trigger|Copy)' have the same node ID, so only one of them/,
			);
		const restarted = active.again({}, 'init').beside({ name: 'Copy' });
		expect(await restarted.activate()).toBeNull();
	});

	test('work if one is published again after many empty polls, and the other one saves', async () => {
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
		['n8n dropped at deactivation', false],
		['are polled while both are activated again', true],
	])('lose no charges that %s', async (_, stillRuns) => {
		const active = await published();
		await active.beside(second).activate();
		const id = pay();
		const dropped = active.poll(false);
		if (!stillRuns) await dropped;
		const again = active.again({}, 'activate');
		// n8n may still save it.
		expect(await again.activate()).toBeNull();
		expect(idsOf(await dropped)).toEqual([id]);
		expect(idsOf(await again.beside(second).activate())).toEqual([id]);
		passTime(minute);
		expect(idsOf(await again.poll())).toEqual([id]);
		expect(await again.poll()).toBeNull();
	});
});
