import type { IDataObject } from 'n8n-workflow';
import { passTime } from '../helpers/n8n/clock';
import { idsOf } from '../helpers/n8n/pollEngine';
import { minute, useCharges } from '../helpers/n8n/useTrigger';

/** New Charge with a filter by status, which a charge may get long after its creation. */
const { service, pay, payTimes, begin, trigger, published } = useCharges();

const captured = { filters: { status: { __rl: true, mode: 'name', value: 'captured' } } };
const capture = (...ids: string[]) =>
	ids.forEach((id) => service.world.account.changeCharge(id, 'captured'));
const sorted = (items: IDataObject[] | null) => (idsOf(items) ?? []).map(String).sort();

test('[T16] delivers charges once that get the status three hours later', async () => {
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

test.each(['newOnly', 'since', 'all'])('delivers the right charges with %s', async (startWith) => {
	begin({ charges: 0 });
	const old = pay({ status: 'captured' }, 60 * minute);
	const [first, second] = [10, 5].map((ago) => pay({ status: 'captured' }, ago * minute));
	const later = pay({ status: 'authorised' }, 8 * minute);
	const since = new Date(Date.now() - 15 * minute).toISOString();
	const active = trigger({ ...captured, startWith, ...(startWith === 'since' && { since }) });
	const expected = { newOnly: [], since: [first, second], all: [old, first, second] }[startWith];
	expect(idsOf((await active.activate()) ?? [])).toEqual(expected);
	capture(later);
	expect(idsOf(await active.poll())).toEqual([later]);
	expect(await active.poll()).toBeNull();
});

test('delivers no more than Max per Run at once', async () => {
	begin({ charges: 0 });
	const ids = payTimes(25, { status: 'captured' }, minute);
	const since = new Date(Date.now() - 15 * minute).toISOString();
	const active = trigger({ ...captured, startWith: 'since', since, options: { maxPerRun: 10 } });
	const all = [await active.activate(), await active.poll(), await active.poll()];
	expect(all.flatMap((items) => idsOf(items)).sort()).toEqual([...ids].sort());
	expect(await active.poll()).toBeNull();
});

test('[T10] delivers nothing again if the filter is removed', async () => {
	const active = await published(captured, { charges: 60 });
	const id = pay({ status: 'captured' });
	expect(idsOf(await active.poll())).toEqual([id]);
	const free = active.again({ parameters: {} });
	expect(await free.activate()).toBeNull();
	const next = pay({ status: 'authorised' });
	expect(idsOf(await free.poll())).toEqual([next]);
});
