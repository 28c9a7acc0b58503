import fc from 'fast-check';
import { beginOrder } from '../../nodes/InvoicingPayments/execution/beginOrder';

const inOrder = (count: number) => Array.from({ length: count }, (_, index) => index);

test('each index once, and the same order for the same key', () => {
	fc.assert(
		fc.property(fc.nat(500), fc.string(), (count, key) => {
			const order = beginOrder(count, key);
			expect([...order].sort((a, b) => a - b)).toEqual(inOrder(count));
			expect(beginOrder(count, key)).toEqual(order);
		}),
	);
});

test('two keys seldom have the same index in the same place, also those that follow one another', () => {
	for (const key of inOrder(300)) {
		const [one, other] = [beginOrder(200, String(key)), beginOrder(200, String(key + 1))];
		// One on average.
		expect(one.filter((index, place) => index === other[place]).length).toBeLessThan(12);
	}
});

test('every index comes first as often as any other', () => {
	const first = new Map<number, number>();
	for (const key of inOrder(10_000)) {
		const [index] = beginOrder(10, `execution ${key}`);
		first.set(index, (first.get(index) ?? 0) + 1);
	}
	for (const index of inOrder(10)) expect(first.get(index)).toBeGreaterThan(800);
});
