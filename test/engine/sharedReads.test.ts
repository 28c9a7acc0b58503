import { nodeProcess } from '../../tools/node';
import { passTime } from '../helpers/n8n/clock';
import { idsOf } from '../helpers/n8n/pollEngine';
import { minute, useCharges } from '../helpers/n8n/useTrigger';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';

/** Many workflows on one account: simultaneous polls share their reads. */
const { service, pay, begin, trigger, failing } = useCharges();

const requests = () => service.requests.length;

test('[T19] ten triggers on one account need as many requests as one, and each gets every charge once', async () => {
	begin({ charges: 300 });
	const triggers = Array.from({ length: 10 }, () => trigger());
	for (const one of triggers) expect(await one.activate()).toBeNull();
	const came = triggers.map((): string[] => []);
	const paid: string[] = [];
	const all = async () =>
		await Promise.all(
			triggers.map(async (one, at) =>
				came[at].push(...(idsOf(await one.poll()) ?? []).map(String)),
			),
		);
	passTime(minute);
	const before = requests();
	for (let minutes = 0; minutes < 10; minutes++) {
		paid.push(pay());
		await all();
		passTime(minute);
	}
	for (const ids of came) expect([...ids].sort()).toEqual([...paid].sort());
	// A list of up to five pages is read whole in every poll.
	expect(requests() - before).toBe(40);
});

test('[T19] a poll never uses reads from before its last poll', async () => {
	begin({ charges: 10 });
	const [one, other] = [trigger(), trigger()];
	for (const each of [one, other]) await each.activate();
	passTime(minute);
	expect(await other.poll()).toBeNull();
	const id = pay();
	passTime(100);
	expect(idsOf(await other.poll())).toEqual([id]);
	expect(idsOf(await one.poll())).toEqual([id]);
});

test('[T19] simultaneous polls share a failure of the service', async () => {
	begin({ charges: 10 });
	const triggers = Array.from({ length: 20 }, () => trigger());
	for (const one of triggers) await one.activate();
	passTime(minute);
	failing();
	const before = requests();
	const ends = await Promise.allSettled(triggers.map(async (one) => await one.poll()));
	expect(ends.filter(({ status }) => status === 'rejected').length).toBe(20);
	expect(requests() - before).toBeLessThan(20);
});

test('[T9] two hours without the service cost ten triggers few requests, and no charge', async () => {
	begin({ charges: 10 });
	const triggers = Array.from({ length: 10 }, () => trigger());
	for (const one of triggers) await one.activate();
	passTime(minute);
	failing();
	const before = requests();
	const errors: unknown[] = [];
	const all = async () => {
		const came: unknown[][] = [];
		for (const one of triggers) {
			const items = await one.poll().catch((error: unknown) => void errors.push(error));
			came.push(idsOf(items ?? null) ?? []);
		}
		return came;
	};
	for (let minutes = 0; minutes < 120; minutes++) {
		await all();
		passTime(minute);
	}
	const id = pay();
	// Each trigger fails once. Then one of them tries for all, less and less often.
	expect(errors.length).toBeLessThanOrEqual(25);
	expect(requests() - before).toBeLessThan(200);
	service.world.faults.clear();
	const came = triggers.map((): unknown[] => []);
	for (let minutes = 0; minutes < 31; minutes++) {
		(await all()).forEach((ids, at) => came[at].push(...ids));
		passTime(minute);
	}
	for (const ids of came) expect(ids).toEqual([id]);
});

/** More at night. */
const [count, hour] = nodeProcess.env.NIGHTLY ? [200, 60] : [20, 20];

describe(`${count} triggers that are published together`, () => {
	const many = (parameters: object) =>
		Array.from({ length: count }, () => trigger({ ...parameters }));
	const publish = async (triggers: ActiveTrigger[]) =>
		void (await Promise.all(triggers.map(async (one) => await one.activate())));
	const pollAll = async (triggers: ActiveTrigger[]) =>
		await Promise.all(triggers.map(async (one) => idsOf(await one.poll().catch(() => null)) ?? []));
	/** At most 60 requests a minute. */
	const limitRate = () => {
		service.world.faults.clear();
		const action = {
			kind: 'status',
			status: 429,
			retryAfter: { seconds: 60, as: 'seconds' },
		} as const;
		service.world.faults.add({ skip: 60, times: null, action });
	};

	test('[T19] are ready with one reading, although the service allows 60 requests a minute', async () => {
		begin({ charges: 10, invoices: 1500 });
		const triggers = many({ event: 'newInvoice' });
		limitRate();
		await publish(triggers);
		expect(requests()).toBeLessThan(60);
		passTime(minute);
		const ids: string[] = [];
		const came = triggers.map((): unknown[] => []);
		const before = requests();
		for (let minutes = 0; minutes < hour; minutes++) {
			limitRate();
			if (minutes % 10 === 0) ids.push(String(service.world.account.addInvoice({}, Date.now()).id));
			(await pollAll(triggers)).forEach((found, at) => came[at].push(...found));
			passTime(minute);
		}
		for (const found of came) expect(found).toEqual(ids);
		expect(requests() - before).toBeLessThan(400);
	});

	test('[T19] start with what happens from then on, although the service is slow', async () => {
		begin({ charges: 1500, invoices: 1500 });
		const charges = many({ event: 'newCharge' });
		const invoices = many({ event: 'newInvoice' });
		service.world.set({ latency: 300 });
		const published = publish([...charges, ...invoices]);
		await published;
		const charge = pay();
		const invoice = String(service.world.account.addInvoice({}, Date.now()).id);
		passTime(minute);
		for (const found of await pollAll(charges)) expect(found).toEqual([charge]);
		for (const found of await pollAll(invoices)) expect(found).toEqual([invoice]);
	});
});
