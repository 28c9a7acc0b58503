import { Draw } from '../../../simulator/draw';
import { startSimulator } from '../../../simulator/server';
import { Happenings, filteredPageSize } from '../../soak/happenings';

/** A loss is excused only if a list showed the item right before, so the soak must know of every list that its triggers read. */
test('the soak knows when lists showed what a trigger must deliver', async () => {
	const simulator = await startSimulator({ charges: 0, invoices: 0, members: 0 });
	try {
		const { world, url } = simulator;
		world.now = Date.now;
		const happenings = new Happenings(world, Date.now, new Draw(7, 'owner', 0));
		happenings.pay(3);
		happenings.refund();
		for (let left = 30; left > 0; left--) happenings.invoice();
		happenings.join();
		const wanted = new Set(happenings.duties().map(({ trigger }) => trigger));
		expect(wanted.size).toBe(9);
		expect(happenings.duties().flatMap(({ shownAt }) => shownAt)).toEqual([]);

		const invoices = '/v1/invoices?page_size=100';
		for (const path of [
			...[
				'/v1/charges',
				`/v1/charges?page_size=${filteredPageSize}`,
				'/v1/charges?status=refunded',
			],
			...[invoices, ...['paid', 'overdue', 'cancelled'].map((one) => `${invoices}&status=${one}`)],
			'/v1/members',
		])
			await fetch(url + path, { headers: { 'x-api-key': world.settings.apiKey } });
		const unseen = happenings.duties().filter(({ shownAt }) => shownAt.length !== 1);
		expect(unseen).toEqual([]);
	} finally {
		await simulator.close();
	}
});
