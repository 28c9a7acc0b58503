import fc from 'fast-check';
import { seededShuffle } from '../../../nodes/InvoicingPayments/execution/sendUnits';
import { duplicatesIn } from '../../../nodes/InvoicingPayments/invoices/duplicates';

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

test('of several invoices with a number, the same one is to be kept in whatever order they are listed', () => {
	const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c', status: 'cancelled' }];
	for (const listed of [
		[a, b, c],
		[c, b, a],
	]) {
		expect(duplicatesIn('a', listed)).toEqual({ duplicates: ['a', 'b'] });
		expect(duplicatesIn('b', listed)).toEqual({ duplicates: ['a', 'b'], duplicateOf: 'a' });
	}
	expect(duplicatesIn('a', [a, c])).toEqual({});
});
