import type { IDataObject } from 'n8n-workflow';
import type { Memory } from '../../nodes/InvoicingPaymentsTrigger/state/memory';
import { unpackIds } from '../../nodes/InvoicingPaymentsTrigger/watch/ids';
import type { Kept } from '../helpers/pollEngine';
import { idsOf } from '../helpers/pollEngine';
import { minute, useCharges } from '../helpers/useTrigger';

/** Saved data of an older version of the package, and data that was edited by hand. */
const { service, pay, payTimes, published, trigger, begin } = useCharges();

const copiesIn = ({ staticData }: Kept) =>
	(staticData.global as Record<string, Record<string, Memory>>).newCharges;

/** Converts the memory of a trigger to that of version 0.1: other names, and a copy in the static data of the node. */
function asOld(kept: Kept): void {
	const memory = { ...copiesIn(kept)['trigger-id'], check: undefined };
	const { times, seen, hasMore } = memory.cursor;
	if (!times) throw new Error('It is not a memory of New Charge');
	let before = 0;
	const rows = times.known.flatMap(([until, ids]) =>
		unpackIds(ids).map((id) => {
			const gap = until - 1 - before;
			before = until - 1;
			return `${id.toString(36)} ${gap.toString(36)}`;
		}),
	);
	const cursor = {
		newest: times.newest,
		floor: times.floor,
		seen: times.listed,
		known: rows.join(','),
		undated: [],
		order: { agreed: 50, isTrusted: true, direction: 'newestFirst' },
		deepAt: times.deep?.at,
		deepFrom: times.deep?.listed,
		...(seen !== undefined && { counted: { count: seen } }),
		...(hasMore && { hasMore }),
	};
	const old = { ...memory, cursor } as unknown as Memory;
	copiesIn(kept)['trigger-id'] = old;
	kept.staticData['node:Trigger'] = { memory: old } as unknown as IDataObject;
}

test.each([60, 700])('[T1] New Charge goes on from version 0.1, %i charges', async (charges) => {
	const active = await published({}, { charges });
	const known = payTimes(3);
	expect(idsOf(await active.poll())).toEqual(known);
	asOld(active.kept);
	const missed = payTimes(2);
	const late = pay({}, 20 * minute);
	const resumed = active.again({}, 'init');
	expect(idsOf(await resumed.activate())?.sort()).toEqual([...missed, late].sort());
	expect(await resumed.poll()).toBeNull();
	expect(JSON.stringify(resumed.kept.staticData)).not.toContain('deepFrom');
});

test('[T1] a backlog goes on from version 0.1', async () => {
	begin({ charges: 900 });
	const active = trigger({ startWith: 'all', options: { maxPerRun: 400 } });
	const first = idsOf(await active.activate()) ?? [];
	asOld(active.kept);
	const resumed = active.again({}, 'init');
	const rest = [await resumed.activate(), await resumed.poll(), await resumed.poll()];
	const all = [...first, ...rest.flatMap((items) => idsOf(items) ?? [])];
	expect([all.length, new Set(all).size]).toEqual([900, 900]);
});

const damages: Array<(memory: Memory) => void> = [
	(memory) => Object.assign(memory, { cursor: {} }),
	(memory) => Object.assign(memory, { cursor: 'text' }),
	({ cursor }) => Object.assign(cursor, { known: 5 }),
	({ cursor }) => Object.assign(cursor, { known: '', times: undefined }),
	({ cursor }) => Object.assign(cursor.times ?? {}, { known: [] }),
	({ cursor }) => Object.assign(cursor.times ?? {}, { floor: 1e308 }),
	({ cursor }) => Object.assign(cursor.times ?? {}, { floor: 'x' }),
];

test.each(damages.map((damage) => [String(damage), damage] as const))(
	'[T20] begins with new charges if its data was damaged (%s)',
	async (_, damage) => {
		begin({ charges: 20 });
		const active = trigger({ startWith: 'all' });
		expect(await active.activate()).toHaveLength(20);
		damage(copiesIn(active.kept)['trigger-id']);
		const again = active.again({}, 'init');
		expect(await again.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await again.poll())).toEqual([id]);
	},
);

test('the memory is saved once', async () => {
	const active = await published();
	pay();
	await active.poll();
	const { length } = JSON.stringify(active.kept.staticData).split('"cursor"');
	expect(length).toBe(2);
	expect(service.requests.length).toBeGreaterThan(1);
});
