import { PollContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import type { TriggerEvent } from '../../nodes/InvoicingPaymentsTrigger/events';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { logDelivered } from '../../nodes/InvoicingPaymentsTrigger/handedOver';
import type { Memory } from '../../nodes/InvoicingPaymentsTrigger/state/trigger';
import type { SettingsInput } from '../../simulator/settings';
import { fs, path, projectFolder } from '../../tools/node';
import { passTime, setClockForward } from '../helpers/n8n/clock';
import { locator } from '../helpers/n8n/nodeRuns';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { errorOf, idsOf } from '../helpers/n8n/pollEngine';
import { dayIn, minute, useCharges } from '../helpers/n8n/useTrigger';

const {
	service,
	pay,
	payTimes,
	begin,
	trigger,
	published,
	failing,
	expectNext,
	expectAtActivation,
	answerWith,
} = useCharges();

/** What the trigger wrote into n8n's log. */
const infos: string[] = [];
const warnings: string[] = [];
beforeEach(() => {
	infos.length = 0;
	warnings.length = 0;
	const warn = (text: string) => void warnings.push(text);
	const info = (text: string) => void infos.push(text);
	const logger = { error: warn, warn, info, debug: () => {} };
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
});
afterEach(() => jest.restoreAllMocks());

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

	test('are named in the log if listed newest first, and all other charges come', async () => {
		begin(deep);
		const active = trigger({ startWith: 'all', options: { maxPerRun: 600 } });
		expect(await active.activate()).toHaveLength(600);
		expect(await active.poll()).toHaveLength(400);
		expect(await active.poll()).toBeNull();
		expect(warnings).toEqual([
			expect.stringMatching(/^Trigger: .* refuses to list charges beyond .* \(status 400: /),
		]);
		expect(warnings[0]).toContain(words);
	});

	test('are an error if listed oldest first', async () => {
		begin({ ...deep, order: 'oldestFirst' });
		const active = trigger();
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

test.each([
	['an id', { id: null }, 'lists charges without an id'],
	['a date', { created: 'soon' }, 'The charge new has no created that can be read'],
])(
	'[T8] a charge without %s fails each poll until the service has mended it',
	async (_, spoiled, message) => {
		begin();
		const created = new Date().toISOString();
		const list = (...results: object[]) => {
			service.world.faults.clear();
			answerWith(results);
		};
		const old = { id: 'old', created, total: '1.00' };
		const charge = { id: 'new', created, total: '2.00' };
		const active = trigger();
		list({ ...charge, ...spoiled });
		await expect(active.activate()).rejects.toThrow(message);
		list(old);
		passTime(minute);
		const again = trigger();
		expect(await again.activate()).toBeNull();
		list(old, { ...charge, ...spoiled });
		await expect(again.poll()).rejects.toThrow(message);
		list(old, charge);
		passTime(3 * minute);
		expect(await again.poll()).toHaveLength(1);
	},
);

test('Fetch Test Event gives a sample that says why there is no result', async () => {
	begin({ charges: 0 });
	const [{ sample, ...shown }] = (await trigger().show()) ?? [];
	expect(sample).toBe('This is a sample, because there are no charges yet');
	expect(shown).toMatchObject({ status: 'authorised', total: '120.00', payer: 'Ada Sample' });
	const [filtered] = (await trigger({ filters: { currency: 'SEK' } }).show()) ?? [];
	expect(filtered.sample).toBe('This is a sample, because nothing matches yet');
});

describe('a trigger that is published again', () => {
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

describe('New Charge with a filter by status, which a charge may get long after its creation,', () => {
	const captured = { filters: { status: { __rl: true, mode: 'name', value: 'captured' } } };
	const capture = (...ids: string[]) =>
		ids.forEach((id) => service.world.account.changeCharge(id, 'captured'));
	const sorted = (items: IDataObject[] | null) => (idsOf(items) ?? []).map(String).sort();

	test('[T5] delivers charges once that get the status three hours later', async () => {
		const active = await published(captured, { charges: 300 });
		const ids = payTimes(40, { status: 'authorised' });
		expect(await active.poll()).toBeNull();
		passTime(180 * minute);
		capture(...ids.slice(0, 25));
		expect(sorted(await active.poll())).toEqual([...ids.slice(0, 25)].sort());
		capture(...ids.slice(25));
		expect(sorted(await active.poll())).toEqual([...ids.slice(25)].sort());
		passTime(60 * minute);
		expect(await active.poll()).toBeNull();
	});

	test.each(['newOnly', 'since', 'all'])(
		'delivers the right charges with %s, no more than Max per Run at once',
		async (startWith) => {
			begin({ charges: 0 });
			const old = pay({ status: 'captured' }, 60 * minute);
			const [first, second, third] = [11, 10, 5].map((ago) =>
				pay({ status: 'captured' }, ago * minute),
			);
			const later = pay({ status: 'authorised' }, 8 * minute);
			const since = new Date(Date.now() - 15 * minute).toISOString();
			const active = trigger({
				...captured,
				...(startWith === 'since' ? { startWith, since } : { startWith }),
				options: { maxPerRun: 2 },
			});
			const parts = [await active.activate(), await active.poll()];
			// The service lists the newest first.
			expect(parts.map((part) => idsOf(part) ?? [])).toEqual(
				{
					newOnly: [[], []],
					since: [[second, third], [first]],
					all: [
						[second, third],
						[old, first],
					],
				}[startWith],
			);
			capture(later);
			expect(idsOf(await active.poll())).toEqual([later]);
			expect(await active.poll()).toBeNull();
		},
	);

	test('[T10] delivers nothing again if the filter is removed', async () => {
		const active = await published(captured, { charges: 60 });
		const id = pay({ status: 'captured' });
		expect(idsOf(await active.poll())).toEqual([id]);
		const free = active.again({ parameters: {} });
		expect(await free.activate()).toBeNull();
		const next = pay({ status: 'authorised' });
		expect(idsOf(await free.poll())).toEqual([next]);
	});
});

describe('the saved memory', () => {
	const second = { id: 'second', name: 'Second' };
	const damageOf = (name: string) =>
		`${name}: The state saved by earlier polls is damaged. The trigger begins anew: only what is new counts.`;
	/** By node ID. */
	const copiesIn = ({ kept }: ActiveTrigger) =>
		(kept.staticData.global as Record<string, Record<string, Memory>>).invoicingPaymentsTriggers;

	/** A field of a state, also inside others, and what it becomes. `undefined`: it is gone. */
	const damagesOf = (value: unknown, path: string[] = []): Array<{ path: string[]; other: unknown }> => {
		const others = [null, undefined, '', 'AAAAAAAA', -1, 0.5, 5e12, Date.now() - 180 * minute, true, [], {}, [[1, 2]]];
		const own = others.map((other) => ({ path, other }));
		if (typeof value !== 'object' || value === null) return own;
		const fields = Object.entries(value);
		const pairs = { path, other: [...fields].sort() };
		return [...own, pairs, ...fields.flatMap(([name, one]) => damagesOf(one, [...path, name]))];
	}; // prettier-ignore
	const changed = (value: unknown, [name, ...path]: string[], other: unknown): unknown => {
		if ((name as string | undefined) === undefined) return other;
		const copy = (
			Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
		) as Record<string, unknown>;
		copy[name] = changed(copy[name], path, other);
		return copy;
	};

	test.each<[string, IDataObject]>([
		['New Charge', {}],
		['New Charge, in a backlog', { options: { maxPerRun: 2 } }],
		['Invoice Paid', { event: 'invoicePaid' }],
	])('[T20] of %s is reported once if any of its fields is damaged; nothing old comes, and what is new does', async (_, parameters) => {
		begin({ charges: 3, invoices: 8 });
		const active = trigger({ startWith: 'all', ...parameters });
		await active.activate();
		const state = JSON.parse(JSON.stringify(copiesIn(active)['trigger-id'])) as unknown;
		const wrong: string[] = [];
		const tried = new Set<unknown>([JSON.stringify(state), undefined]);
		for (const { path, other } of damagesOf(state)) {
			const damaged = changed(state, path, other);
			const text = JSON.stringify(damaged) as string | undefined;
			if (tried.has(text)) continue;
			tried.add(text);
			copiesIn(active)['trigger-id'] = damaged as Memory;
			warnings.length = 0;
			const again = active.restarted();
			const found = [await again.activate()];
			const id = parameters.event ? String(service.world.account.addInvoice({ status: 'paid' }, Date.now()).id) : pay();
			found.push(await again.poll(), await again.poll());
			service.world.account.removeCharge(id);
			const reports = warnings.filter((one) => one.includes('is damaged')).length;
			const ids = found.map((one) => idsOf(one ?? []));
			if (reports !== 1 || JSON.stringify(ids) !== JSON.stringify([[], [id], []]))
				wrong.push(`${path.join('.')} = ${JSON.stringify(other)}: ${reports} ${JSON.stringify(ids)}`);
		}
		expect(wrong).toEqual([]);
	}); // prettier-ignore

	test.each([null, '', 'abc', 0, 5, true, false, [[]], [[1]]])(
		'[T20] is reported by each trigger of the workflow if what holds their states is %j',
		async (damaged) => {
			begin({ charges: 3 });
			const active = trigger({ startWith: 'all' });
			await active.activate();
			await active.again(second).activate();
			(active.kept.staticData.global as IDataObject).invoicingPaymentsTriggers = damaged;
			const again = active.restarted();
			const beside = again.beside(second);
			expect([await again.activate(), await beside.activate()]).toEqual([null, null]);
			expect(warnings).toEqual([damageOf('Trigger'), damageOf('Second')]);
			const id = pay();
			expect(idsOf(await again.poll())).toEqual([id]);
			expect(idsOf(await beside.poll())).toEqual([id]);
		},
	);

	test('[T20] is reported if it is that of another trigger, or another trigger of the workflow saves first', async () => {
		begin({ charges: 3 });
		const active = trigger({ startWith: 'all' });
		await active.activate();
		await active.again(second).activate();
		copiesIn(active).second = copiesIn(active)['trigger-id'];
		const again = active.restarted();
		const beside = again.beside(second);
		expect([await again.activate(), await beside.activate()]).toEqual([null, null]);
		expect(warnings).toEqual([damageOf('Second')]);
	});

	test.each([
		['what a node has left that had the name before counts as nothing', 'Trigger', 3, []],
		['[T20] what another node has left is damage', 'Other', 0, [damageOf('Other')]],
	])('with durable cursors: %s', async (_, name, count, reports) => {
		begin({ charges: 3 });
		const active = trigger({ startWith: 'all' });
		await active.activateDurably();
		active.kept.staticData[`node:${name}`] = active.kept.durable;
		active.kept.durable = undefined;
		const other = active.again({ id: 'other', name });
		expect((await other.activateDurably()) ?? []).toHaveLength(count);
		expect(warnings).toEqual(reports);
	});

	test('[T20] stays damaged until its trigger could begin anew, also if another one of the workflow saves', async () => {
		begin({ charges: 3 });
		const active = trigger({ startWith: 'all' });
		await active.activate();
		await active.again(second).activate();
		copiesIn(active).second = {} as Memory;
		const again = active.restarted();
		// Activations at the same time would share an answer.
		passTime(minute);
		failing(401);
		expect(await again.beside(second).activate()).toBeNull();
		service.world.faults.clear();
		await again.activate();
		warnings.length = 0;
		expect(await again.restarted().beside(second).activate()).toBeNull();
		expect(warnings).toEqual([damageOf('Second')]);
	});

	test('contains each list once', async () => {
		const active = await published();
		pay();
		await active.poll();
		const { length } = JSON.stringify(active.kept.staticData).split('"cursor"');
		expect(length).toBe(2);
		expect(service.requests.length).toBeGreaterThan(1);
	});

	test('forgets triggers that are gone for months', async () => {
		const active = await published();
		const day = 24 * 60 * minute;
		await active.again({ id: 'gone', name: 'Gone' }).activate();
		passTime(90 * day);
		await active.again({ id: 'other', name: 'Other' }).activate();
		passTime(day);
		const again = active.restarted();
		await again.activate();
		expect(Object.keys(copiesIn(again)).sort()).toEqual(['other', 'trigger-id']);
	});
});

describe("n8n's log", () => {
	const status = locator('name', 'refunded');
	/** All texts of an item, except its ID and its time. */
	const textsOf = (item: unknown): string[] => {
		if (typeof item === 'string') return item.length > 3 ? [item] : [];
		if (typeof item !== 'object' || item === null) return [];
		return Object.entries(item).flatMap(([name, value]) =>
			['id', 'created', 'reference_id'].includes(name) ? [] : textsOf(value),
		);
	};

	test.each(events)(
		'[T2] names every ID that starts the workflow, and no other data: $name',
		async ({ name, value: event }) => {
			service.world.reset({ charges: 130, invoices: 130, members: 130 });
			for (let count = 0; count < 3; count++)
				service.world.account.addCharge({ status: 'refunded' }, Date.now() - 60_000);
			service.world.account.addInvoice({ status: 'unpaid', due_date: dayIn(0) }, Date.now());
			const parameters = { event, ...(event === 'chargeStatus' && { status }), simplify: false };
			await trigger(parameters).show();
			expect(infos).toEqual([]);
			const active = trigger({ ...parameters, startWith: 'all', options: { maxPerRun: 120 } });
			const items: IDataObject[] = (await active.activate()) ?? [];
			expect(items.length).toBeGreaterThan(0);
			expect(infos).toHaveLength(Math.ceil(items.length / 100));
			for (let part = await active.poll(); part; part = await active.poll()) items.push(...part);
			const log = infos.join('\n');
			expect(items.filter(({ id }) => !log.includes(String(id)))).toEqual([]);
			for (const line of infos) {
				expect(line).toContain(`Trigger in workflow "Test" (ID w`);
				expect(line).toContain(`: ${name}, `);
				expect(line.length).toBeLessThan(5000);
			}
			// An ID may contain the digits of a card.
			const rest = items
				.reduce((text, { id }) => text.replaceAll(String(id), ''), log)
				.replace(/created \S+ to \S+,/g, '');
			const own = `${name} Trigger Test`.toLowerCase();
			const others = [...items.flatMap(textsOf), String(service.credential.apiKey)];
			const isTold = (text: string) => !own.includes(text.toLowerCase()) && rest.includes(text);
			expect(others.filter(isTold)).toEqual([]);
		},
	);

	test('has no line for a poll that fails or finds nothing', async () => {
		const active = await published({}, { charges: 5 });
		expect(await active.poll()).toBeNull();
		failing(401);
		await expect(active.poll()).rejects.toThrow('API key');
		expect(infos).toEqual([]);
	});

	/** The log lines for these new charges. */
	const logOf = (results: IDataObject[], name = 'Thank customers'): string[] => {
		const logged: string[] = [];
		const context = {
			getWorkflow: () => ({ id: 'Jx2p0aWfTq8sN1Zk', name, active: true }),
			getNode: () => ({ name: 'Invoicing and Payments Trigger' }),
			logger: { info: (text: string) => void logged.push(text) },
		};
		const event = events.find(({ value }) => value === 'newCharge') as TriggerEvent;
		logDelivered(context as never, { event }, results);
		return logged;
	};

	test('has a line that trigger.md shows', () => {
		const [line] = logOf([
			{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', created: '2026-06-01T10:00:12Z' },
			{ id: '0f8fad5b-d9cb-469f-a165-70867728950e', created: '2026-06-01T10:04:55.250Z' },
		]);
		const text = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');
		expect(text).toContain(`${line}\n`);
	});

	test('shortens long IDs, and has one line for one poll', () => {
		const odd = [{ id: 17 }, { id: 'a\nINFO b' }, { id: 'x'.repeat(500) }];
		expect(logOf(odd, 'Two\r\nlines')).toEqual([
			`Invoicing and Payments Trigger in workflow "Two lines" (ID Jx2p0aWfTq8sN1Zk): New Charge, 3 handed over, IDs 1 to 3: 17, a INFO b, ${'x'.repeat(100)}`,
		]);
		expect(logOf([])).toEqual([]);
	});
});
