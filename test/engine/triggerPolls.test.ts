import { startSimulator } from '../../simulator/server';
import { pause, passTime, setClockForward } from '../helpers/n8n/clock';
import { ActiveTrigger, errorOf, idsOf } from '../helpers/n8n/pollEngine';
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
	test('lose no charge between activation and the first poll', async () => {
		const active = await publishedDurably();
		expect(active.kept.durable).toBeUndefined();
		await expectNext(active, 'pollDurably');
		expect(await active.pollDurably()).toBeNull();
	});

	test('deliver a dropped poll again, also under another name', async () => {
		const active = await publishedDurably();
		await expectNext(active, 'pollDurably');
		const id = pay();
		expect(idsOf(await active.pollDurably({ isKept: false }))).toEqual([id]);
		// n8n may be about to keep it.
		expect(await active.pollDurably()).toBeNull();
		passTime(untilDropped);
		expect(idsOf(await active.pollDurably())).toEqual([id]);
		await expectNext(active.again({ name: 'Payments' }), 'pollDurably');
	});

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

	test('is reported to n8n if it asks to wait', async () => {
		// A separate service, because its other clients would wait as well.
		const { apiKey } = service.world.settings;
		const other = await startSimulator({ apiKey });
		const active = new ActiveTrigger({ credential: { apiKey, baseUrl: other.url } });
		await active.activate();
		const retryAfter = { seconds: 90, as: 'seconds' } as const;
		other.world.faults.add({ times: null, action: { kind: 'status', status: 429, retryAfter } });
		const { failure } = await errorOf(active.poll());
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 90_000 });
		await other.close();
	});

	test.each([60, 180])(
		'[T23] and asks for a pause delays nothing if the clock of n8n is then set back by %i minutes',
		async (minutes) => {
			const { apiKey } = service.world.settings;
			const other = await startSimulator({ apiKey });
			const active = new ActiveTrigger({ credential: { apiKey, baseUrl: other.url } });
			await active.activate();
			passTime(minute);
			const retryAfter = { seconds: 60, as: 'seconds' } as const;
			other.world.faults.add({ times: 1, action: { kind: 'status', status: 429, retryAfter } });
			await errorOf(active.poll());
			setClockForward(-minutes * minute);
			const { id } = other.world.account.addCharge({}, Date.now());
			passTime(minute);
			expect(idsOf(await active.poll())).toEqual([id]);
			setClockForward(minutes * minute);
			await other.close();
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
