import { orderOf } from '../../nodes/InvoicingPaymentsTrigger/watch/order';
import { Draw } from '../../simulator/draw';

const minute = 60_000;
const hour = 60 * minute;
const newestFirst = (count: number, of = (at: number) => -at * hour) => Array.from({ length: count }, (_, at) => of(at)); // prettier-ignore

test('[T4] a list without an order is not taken for sorted by chance, however short it is', () => {
	const draw = new Draw(7, 'owner', 0);
	const shuffled = (count: number) => newestFirst(count, () => draw.int(0, 1e6) * minute);
	for (const count of [2, 5, 9, 12, 20, 26, 49, 100]) {
		const found = Array.from({ length: 1000 }, () => orderOf([shuffled(count)], hour).direction);
		expect([count, new Set(found)]).toEqual([count, new Set(['none'])]);
	}
});

test.each<[string, Array<number | undefined>]>([
	['ten', newestFirst(10)],
	['twenty, up to half an hour out of place', newestFirst(20, (at) => -at * hour + (at % 3) * 15 * minute)], // prettier-ignore
	['sixty, one of them out of place', [-100 * hour, ...newestFirst(60)]],
	['two hundred of five days', newestFirst(200, (at) => -Math.floor(at / 40) * 24 * hour)],
	['sixty, every fifth without a date', newestFirst(60).map((time, at) => (at % 5 ? time : undefined))], // prettier-ignore
])('[T4] a sorted list is seen to be sorted: %s', (_what, moments) => {
	expect(orderOf([moments], hour).direction).toBe('newestFirst');
	expect(orderOf([[...moments].reverse()], hour).direction).toBe('oldestFirst');
});
