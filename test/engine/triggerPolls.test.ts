import { PollContext } from 'n8n-core';
import { nodeProcess } from '../../tools/node';
import { passTime, pause, setClockForward } from '../helpers/n8n/clock';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { errorOf, idsOf } from '../helpers/n8n/pollEngine';
import { minute, useCharges } from '../helpers/n8n/useTrigger';

/** How n8n polls, saves and drops polls: with durable cursors, with its scheduler alone, and while the service fails. */
const { service, pay, payTimes, begin, trigger, published, failing, expectNext, answerWith } =
	useCharges();

/** Until then n8n may still keep the result of a poll. */
const untilDropped = 3 * minute;

async function publishedDurably() {
	begin();
	const active = trigger();
	expect(await active.activateDurably()).toBeNull();
	return active;
}

/** The same after a first poll without charges. */
async function polledDurably() {
	const active = await publishedDurably();
	expect(await active.pollDurably()).toBeNull();
	return active;
}

describe('durable cursors', () => {
	test('go on from ordinary polls, also if another trigger saved older data', async () => {
		const first = await published();
		await expectNext(first);
		const second = first.again({ id: 'second', name: 'Second' });
		await second.activate();
		for (let polls = 0; polls < 3; polls++) await expectNext(first);
		expect(await second.poll()).toHaveLength(3);
		const durable = first.again({}, 'activate');
		expect(await durable.activateDurably()).toBeNull();
		expect(await durable.pollDurably()).toBeNull();
		await expectNext(durable, 'pollDurably');
	});

	test('work if a poll begins before the activation is saved', async () => {
		const active = await publishedDurably();
		active.kept.staticData = {};
		await expectNext(active, 'pollDurably');
	});

	test('deliver a dropped poll also with other filters', async () => {
		const active = await polledDurably();
		passTime(60 * minute);
		const id = pay({ currency: 'EUR' }, 30 * minute);
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([id]);
		passTime(untilDropped);
		const changed = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(idsOf(await changed.pollDurably())).toEqual([id]);
	});

	test('deliver what came in days without a poll, right after other filters', async () => {
		const active = await polledDurably();
		const changed = active.again({ parameters: { filters: { currency: 'EUR' } } });
		expect(await changed.activateDurably()).toBeNull();
		passTime(4 * 24 * 60 * minute);
		const id = pay({ currency: 'EUR' }, 60 * minute);
		expect(idsOf(await changed.pollDurably())).toEqual([id]);
	});

	test('lose nothing between other filters and the next poll, for events without creation times', async () => {
		begin();
		const invoice = () => String(service.world.account.addInvoice({}, Date.now()).id);
		const [open, other] = [invoice(), invoice()];
		const parameters = { event: 'invoicePaid' };
		const active = trigger(parameters);
		await active.activateDurably();
		service.world.account.changeInvoice(other, 'paid');
		expect(idsOf(await active.pollDurably())).toEqual([other]);
		const changed = active.again({ parameters: { ...parameters, filters: { currency: 'EUR' } } });
		expect(await changed.activateDurably()).toBeNull();
		service.world.account.changeInvoice(open, 'paid');
		expect(idsOf(await changed.pollDurably())).toEqual([open]);
	});

	test.each(['newOnly', 'all'])(
		'deliver nothing twice if n8n keeps a poll late (%s)',
		async (startWith) => {
			begin({ charges: startWith === 'all' ? 2 : 100 });
			const active = trigger({ startWith });
			if (startWith === 'newOnly') {
				await active.activateDurably();
				payTimes(2);
			}
			const before = active.readCursor();
			const same = active.readCursor();
			expect(await active.pollDurably({ isKept: false })).toHaveLength(2);
			expect(await active.pollDurably({ cursor: before })).toBeNull();
			passTime(untilDropped);
			// n8n dropped it, so it comes three minutes late.
			expect(await active.pollDurably({ cursor: same })).toHaveLength(2);
			await expectNext(active, 'pollDurably');
		},
	);

	test.each([
		['at once', 0],
		['more than a minute later', 100_000],
	])('ignore a poll with an outdated cursor %s', async (_, later) => {
		const active = await polledDurably();
		const before = active.readCursor();
		await expectNext(active, 'pollDurably');
		passTime(later);
		expect(await active.pollDurably({ cursor: before, isKept: later === 0 })).toBeNull();
		expect(await active.pollDurably()).toBeNull();
		await expectNext(active, 'pollDurably');
	});

	test('skip one of three simultaneous polls that does not know the one before', async () => {
		const active = await publishedDurably();
		const first = active.readCursor();
		await active.pollDurably();
		const between = active.readCursor();
		const id = pay();
		// n8n could save the two cursors in either order, and lose a charge.
		expect(await active.pollDurably({ cursor: first })).toBeNull();
		expect(idsOf(await active.pollDurably())).toEqual([id]);
		expect(await active.pollDurably({ cursor: between, isKept: false })).toBeNull();
		await expectNext(active, 'pollDurably');
	});

	test('wait no longer than a minute for a cursor that n8n could not save', async () => {
		const active = await polledDurably();
		await active.pollDurably({ isKept: false });
		const id = pay();
		expect(await active.pollDurably()).toBeNull();
		passTime(minute);
		expect(idsOf(await active.pollDurably())).toEqual([id]);
	});

	test('deliver nothing twice if the clock is set forward before n8n has saved', async () => {
		const active = await publishedDurably();
		const before = active.readCursor();
		await expectNext(active, 'pollDurably');
		setClockForward(40 * minute);
		expect(await active.pollDurably({ cursor: before, isKept: false })).toBeNull();
		// A dropped poll comes again when the time has really passed.
		passTime(untilDropped + 1000);
		expect(await active.pollDurably({ cursor: before })).toHaveLength(1);
	});

	test('apply another Start With at activation, not at the first poll', async () => {
		begin();
		const active = trigger({
			startWith: 'since',
			since: new Date(Date.now() - minute).toISOString(),
		});
		await active.activateDurably();
		for (let polls = 0; polls < 2; polls++) await active.pollDurably();
		const changed = active.again({ parameters: { startWith: 'newOnly' } });
		expect(await changed.activateDurably()).toBeNull();
		await expectNext(changed, 'pollDurably');
		expect(await changed.pollDurably()).toBeNull();
	});

	test('ignore the polls of an earlier workflow with the same ID', async () => {
		begin({ charges: 3 });
		const active = trigger({ startWith: 'all' });
		expect(await active.pollDurably()).toHaveLength(3);
		await expectNext(active, 'pollDurably');
		active.kept.durable = undefined;
		active.kept.staticData = {};
		const imported = active.again({}, 'activate');
		expect(await imported.activateDurably()).toHaveLength(4);
		await expectNext(imported, 'pollDurably');
	});
});

describe("n8n's scheduler without durable cursors", () => {
	test('delivers every charge once, also under another name and if n8n drops a poll', async () => {
		const active = await published();
		const first = pay();
		expect(idsOf(await active.pollScheduled())).toEqual([first]);
		expect(await active.pollScheduled()).toBeNull();
		const renamed = active.again({ name: 'Payments' });
		expect(await renamed.pollScheduled()).toBeNull();
		const second = pay();
		expect(idsOf(await renamed.pollScheduled(false))).toEqual([second]);
		expect(await renamed.pollScheduled()).toBeNull();
		passTime(untilDropped);
		expect(idsOf(await renamed.pollScheduled())).toEqual([second]);
		expect(await renamed.pollScheduled()).toBeNull();
	});

	test('delivers a long unsorted list that is read in parts', async () => {
		begin({ order: 'none', charges: 600 });
		const active = trigger({ startWith: 'all', options: { maxPerRun: 200 } });
		const ids = idsOf(await active.activate()) ?? [];
		for (let polls = 0; ids.length < 600 && polls < 20; polls++)
			ids.push(...(idsOf(await active.pollScheduled()) ?? []));
		expect([ids.length, new Set(ids).size]).toEqual([600, 600]);
	});

	test('keeps what polls without charges have learnt', async () => {
		const active = await published({}, { charges: 3000 });
		for (let polls = 0; polls < 2; polls++) await active.pollScheduled();
		service.world.traffic.reset();
		expect(await active.pollScheduled()).toBeNull();
		expect(service.requests).toHaveLength(1);
	});
});

describe('a service that fails', () => {
	test('does not prevent activation, and later charges are not lost', async () => {
		begin();
		failing();
		const active = trigger();
		expect(await active.activate()).toBeNull();
		service.world.faults.clear();
		const ids = [pay({}, 30_000), pay()];
		expect(idsOf(await active.poll())).toEqual(ids);
	});

	test('is not mistaken for an empty list at activation', async () => {
		begin();
		answerWith([], { count: 50, times: 1 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		await expectNext(active);

		begin({ newest: '2026-01-01T00:00:00Z' });
		answerWith([], { times: 1 });
		const other = trigger();
		expect(await other.activate()).toBeNull();
		expect(await other.poll()).toBeNull();
	});

	test('[T9] never throws while n8n starts', async () => {
		const active = await published();
		const id = pay();
		const { apiKey } = service.world.settings;
		service.world.set({ apiKey: 'your-other-key' });
		const restarted = active.again({}, 'init');
		expect(await restarted.activate()).toBeNull();
		await expect(restarted.poll()).rejects.toThrow('did not accept the API key');
		service.world.set({ apiKey });
		expect(idsOf(await active.again({}, 'init').activate())).toEqual([id]);

		// No matter what a workflow has saved.
		const staticData = jest.spyOn(PollContext.prototype, 'getWorkflowStaticData');
		staticData.mockImplementation((type) => (type === 'global' ? (null as never) : {}));
		expect(await active.again({}, 'init').activate()).toBeNull();
		staticData.mockRestore();
	});

	test('is an error at activation if the key is wrong', async () => {
		begin();
		const active = trigger();
		const key = String(service.credential.apiKey);
		service.world.set({ apiKey: 'another-key' });
		const error = await errorOf(active.activate());
		expect(error.message).toContain('The service did not accept the API key');
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
		expect(JSON.stringify([error, error.stack, error.cause])).not.toContain(key);
	});

	test('[T9] fails polls with the reason, and with growing pauses', async () => {
		const active = await published();
		const ids = [pay()];
		failing();
		for (let polls = 0; polls < 2; polls++) {
			const error = await errorOf(active.poll());
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
	});

	test('is also reported by polls that are a week apart', async () => {
		const active = await published();
		passTime(7 * 24 * 3_600_000);
		// Other workflows make this process forget what it has not used for a day.
		await trigger().activate();
		failing();
		await expect(active.poll()).rejects.toThrow('Asleep');
	});

	test('is paused by the trigger with the scheduler alone, and by n8n with durable cursors', async () => {
		const scheduled = await published();
		failing();
		for (let polls = 0; polls < 2; polls++)
			await expect(scheduled.pollScheduled()).rejects.toThrow('Asleep');
		expect(await scheduled.pollScheduled()).toBeNull();
		const durable = await publishedDurably();
		failing();
		for (let polls = 0; polls < 3; polls++)
			await expect(durable.pollDurably()).rejects.toThrow('Asleep');
	});

	test.each([60, 180])(
		'[T9] and asks for a pause is reported to n8n, and delays nothing if the clock of n8n is then set back by %i minutes',
		async (minutes) => {
			const active = await published({}, { newest: '2026-06-01T00:00:00Z' });
			passTime(minute);
			const retryAfter = { seconds: 60, as: 'seconds' } as const;
			service.world.faults.add({ action: { kind: 'status', status: 429, retryAfter } });
			const { failure } = await errorOf(active.poll());
			expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 60_000 });
			setClockForward(-minutes * minute);
			const { id } = service.world.account.addCharge({}, Date.now());
			passTime(minute);
			expect(idsOf(await active.poll())).toEqual([id]);
			setClockForward(minutes * minute);
		},
	);

	test('causes no loop if it contradicts itself, and new charges come later', async () => {
		const active = await published();
		answerWith([{ id: '1', created: '2026-01-01T00:00:00Z' }], { count: 500, next: 'x' });
		for (let polls = 0; polls < 5; polls++) await active.poll().catch(() => null);
		expect(service.requests.length).toBeLessThan(200);
		service.world.faults.clear();
		await expectNext(active);
	});
});

test('a poll does nothing while another one is running', async () => {
	const active = await published();
	const id = pay();
	service.world.set({ latency: 200 });
	const running = active.poll();
	await pause(50);
	expect(await active.poll()).toBeNull();
	expect(idsOf(await running)).toEqual([id]);
});

describe('many workflows on one account', () => {
	const requests = () => service.requests.length;
	const addInvoice = () => String(service.world.account.addInvoice({}, Date.now()).id);
	const many = (count: number, parameters = {}) =>
		Array.from({ length: count }, () => trigger(parameters));
	/** Triggers that were published a minute ago. */
	const manyPublished = async (count: number, charges = 10) => {
		begin({ charges });
		const triggers = many(count);
		for (const one of triggers) expect(await one.activate()).toBeNull();
		passTime(minute);
		return triggers;
	};
	const publish = async (triggers: ActiveTrigger[]) =>
		void (await Promise.all(triggers.map(async (one) => await one.activate())));
	/** The IDs that each of them delivers when all poll at the same moment. */
	const pollAll = async (triggers: ActiveTrigger[]): Promise<unknown[][]> =>
		await Promise.all(triggers.map(async (one) => idsOf(await one.poll().catch(() => null)) ?? []));
	/** Polls every minute. Gives the IDs that each has delivered. */
	const pollFor = async (
		minutes: number,
		triggers: ActiveTrigger[],
		before: () => void,
		poll = pollAll,
	) => {
		const came = triggers.map((): unknown[] => []);
		for (let left = minutes; left > 0; left--) {
			before();
			(await poll(triggers)).forEach((ids, at) => came[at].push(...ids));
			passTime(minute);
		}
		return came;
	};
	/** More at night. */
	const [most, hour] = nodeProcess.env.NIGHTLY ? [200, 60] : [20, 20];

	test('[T19] need as many requests as one, and each gets every charge once', async () => {
		const triggers = await manyPublished(10, 300);
		const paid: string[] = [];
		const before = requests();
		const came = await pollFor(10, triggers, () => paid.push(pay()));
		for (const ids of came) expect([...ids].sort()).toEqual([...paid].sort());
		// A list of up to five pages is read whole in every poll.
		expect(requests() - before).toBe(40);
	});

	test('[T19] never use reads from before their last poll', async () => {
		const [one, other] = await manyPublished(2);
		expect(await other.poll()).toBeNull();
		const id = pay();
		passTime(100);
		expect(idsOf(await other.poll())).toEqual([id]);
		expect(idsOf(await one.poll())).toEqual([id]);
	});

	test('[T19] share a failure of the service', async () => {
		const triggers = await manyPublished(20);
		failing();
		const before = requests();
		const ends = await Promise.allSettled(triggers.map(async (one) => await one.poll()));
		expect(ends.filter(({ status }) => status === 'rejected').length).toBe(20);
		expect(requests() - before).toBeLessThan(20);
	});

	test('[T9] make few requests in two hours without the service, and lose no charge', async () => {
		const triggers = await manyPublished(10);
		failing();
		const before = requests();
		const errors: unknown[] = [];
		const oneByOne = async () => {
			const came: unknown[][] = [];
			for (const one of triggers) {
				const items = await one.poll().catch((error: unknown) => void errors.push(error));
				came.push(idsOf(items ?? null) ?? []);
			}
			return came;
		};
		await pollFor(120, triggers, () => {}, oneByOne);
		const id = pay();
		// Each trigger fails once. Then one of them tries for all, less and less often.
		expect(errors.length).toBeLessThanOrEqual(25);
		expect(requests() - before).toBeLessThan(200);
		service.world.faults.clear();
		const came = await pollFor(31, triggers, () => {}, oneByOne);
		for (const ids of came) expect(ids).toEqual([id]);
	});

	test('[T19] that are published together are ready with one reading, although the service allows 60 requests a minute', async () => {
		begin({ charges: 10, invoices: 1500 });
		const triggers = many(most, { event: 'newInvoice' });
		const limitRate = () => {
			service.world.faults.clear();
			const retryAfter = { seconds: 60, as: 'seconds' } as const;
			service.world.faults.add({
				skip: 60,
				times: null,
				action: { kind: 'status', status: 429, retryAfter },
			});
		};
		limitRate();
		await publish(triggers);
		expect(requests()).toBeLessThan(60);
		passTime(minute);
		const ids: string[] = [];
		const before = requests();
		let minutes = 0;
		const came = await pollFor(hour, triggers, () => {
			limitRate();
			if (minutes % 10 === 0) ids.push(addInvoice());
			minutes += 1;
		});
		for (const found of came) expect(found).toEqual(ids);
		expect(requests() - before).toBeLessThan(400);
	});

	test('[T19] that are published together start with what happens from then on, although the service is slow', async () => {
		begin({ charges: 1500, invoices: 1500 });
		const charges = many(most, { event: 'newCharge' });
		const invoices = many(most, { event: 'newInvoice' });
		service.world.set({ latency: 300 });
		await publish([...charges, ...invoices]);
		const charge = pay();
		const invoice = addInvoice();
		passTime(minute);
		for (const found of await pollAll(charges)) expect(found).toEqual([charge]);
		for (const found of await pollAll(invoices)) expect(found).toEqual([invoice]);
	});
});
