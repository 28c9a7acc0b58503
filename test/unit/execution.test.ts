import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import { seededShuffle, Progress } from '../../nodes/InvoicingPayments/execution/sendUnits';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the order in which items start', () => {
	test('has each index once, and the same order for the same key', () => {
		fc.assert(
			fc.property(fc.nat(500), fc.string(), (count, key) => {
				const order = seededShuffle(count, key);
				expect([...order].sort((a, b) => a - b)).toEqual(upTo(count));
				expect(seededShuffle(count, key)).toEqual(order);
			}),
		);
	});

	test('differs almost everywhere between two keys, even similar ones', () => {
		for (const key of upTo(20)) {
			const [one, other] = [seededShuffle(200, String(key)), seededShuffle(200, String(key + 1))];
			// On average, one index is in the same place.
			expect(one.filter((index, place) => index === other[place]).length).toBeLessThan(12);
		}
	});
});

test('reports progress every five seconds, but not at the end', () => {
	const said: string[] = [];
	const context = {
		getNode: () => ({ name: 'Create Invoices' }),
		logger: { info: (message: string) => said.push(message) },
		sendMessageToUI: (message: string) => said.push(message),
	} as unknown as IExecuteFunctions;
	let now = 0;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	const progress = new Progress(context, 100, 'invoice');
	for (now = 120; now <= 12_000; now += 120) progress.step();
	clock.mockRestore();
	const message = (done: number) => `Create Invoices: ${done} of 100 invoices are done`;
	expect(said).toEqual([42, 42, 84, 84].map(message));
});
