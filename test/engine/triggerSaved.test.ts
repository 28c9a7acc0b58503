import type { Memory } from '../../nodes/InvoicingPaymentsTrigger/state/trigger';
import type { Kept } from '../helpers/n8n/pollEngine';
import { idsOf } from '../helpers/n8n/pollEngine';
import { useCharges } from '../helpers/n8n/useTrigger';

/** Saved data that was edited by hand. */
const { service, pay, published, trigger, begin } = useCharges();

const copiesIn = ({ staticData }: Kept) =>
	(staticData.global as Record<string, Record<string, Memory>>).invoicingPaymentsTriggers;

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
