import { until } from '../../tools/until';
import { useEngines } from '../helpers/n8n/triggerEngines';

jest.setTimeout(600_000);
const inEach = useEngines();

inEach(
	'delivers every charge once, oldest first: one by one, in bursts, and 2,500 at once among 100,000',
	async ({ world, pay, save, executions, idsOf, afterPolls, delivered, activate }) => {
		world().reset({ charges: 100_000 });
		await save();
		await activate();
		const first = pay(1);
		expect(await delivered(1)).toEqual(first);
		const burst = pay(40);
		expect(new Set(await delivered(41))).toEqual(new Set([...first, ...burst]));
		const many = pay(2500);
		const ids = await delivered(2541);
		await afterPolls(2);
		expect(idsOf(await executions())).toHaveLength(2541);
		expect(new Set(ids)).toEqual(new Set([...first, ...burst, ...many]));
		expect((await executions()).every(({ status }) => status === 'success')).toBe(true);
	},
);

inEach(
	'loses no charge between activation and the first scheduled poll',
	async ({ pay, save, delivered, activate }) => {
		// A long interval leaves time between the two.
		await save({}, { everySeconds: 15 });
		await activate();
		const ids = pay(3);
		expect(new Set(await delivered(3))).toEqual(new Set(ids));
	},
);

inEach(
	'begins with new charges after a change of filters, and loses none',
	async ({ pay, save, executions, idsOf, afterPolls, delivered, activate }) => {
		await save({ filters: { currency: 'EUR' } });
		await activate();
		const euros = pay(2, { currency: 'EUR' });
		await delivered(2);
		pay(3, { currency: 'USD' });
		await afterPolls(2);
		await save({ filters: { currency: 'SEK' } });
		const crowns = pay(2, { currency: 'SEK' });
		await activate();
		crowns.push(...pay(2, { currency: 'SEK' }));
		pay(2, { currency: 'EUR' });
		expect(new Set(await delivered(6))).toEqual(new Set([...euros, ...crowns]));
		await afterPolls(2);
		expect(idsOf(await executions())).toHaveLength(6);
	},
);

inEach(
	'fails two executions with the reason if the service fails, and then delivers every charge',
	async ({ world, pay, save, executions, delivered, activate }) => {
		await save();
		await activate();
		world().faults.add({ times: null, action: { kind: 'status', status: 503, message: 'Asleep' } });
		const ids = pay(3);
		const failed = async () => (await executions()).filter(({ status }) => status === 'error');
		const [{ data }] = await until(
			async () => {
				const found = await failed();
				return found.length >= 2 && found;
			},
			() => 'Two polls did not fail',
			1000,
		);
		expect(data.resultData.error?.message).toContain('The service failed (status 503): Asleep');
		world().faults.clear();
		expect(await delivered(3)).toEqual(ids);
		expect((await failed()).length).toBeLessThan(5);
	},
);
