import { orderOf } from '../../nodes/InvoicingPaymentsTrigger/watch/order';
import { Draw } from '../../simulator/draw';

const minute = 60_000;
const hour = 60 * minute;
const newestFirst = (count: number, of = (at: number) => -at * hour) => Array.from({ length: count }, (_, at) => of(at)); // prettier-ignore

test('[T4] never takes a random list for sorted, however short', () => {
	const draw = new Draw(7, 'owner', 0);
	const shuffled = (count: number) => newestFirst(count, () => draw.int(0, 1e6) * minute);
	for (const count of [2, 5, 9, 12, 20, 26, 49, 100]) {
		const found = Array.from({ length: 1000 }, () => orderOf([shuffled(count)], hour).direction);
		expect([count, new Set(found)]).toEqual([count, new Set(['none'])]);
	}
});

test.each<[string, Array<number | undefined>]>([
	['ten charges', newestFirst(10)],
	['twenty charges, up to half an hour out of order', newestFirst(20, (at) => -at * hour + (at % 3) * 15 * minute)], // prettier-ignore
	['sixty charges, one out of order', [-100 * hour, ...newestFirst(60)]],
	['two hundred charges, dated by day', newestFirst(200, (at) => -Math.floor(at / 40) * 24 * hour)],
	['sixty charges, every fifth without a date', newestFirst(60).map((time, at) => (at % 5 ? time : undefined))], // prettier-ignore
])('[T4] recognizes a sorted list: %s', (_what, moments) => {
	expect(orderOf([moments], hour).direction).toBe('newestFirst');
	expect(orderOf([[...moments].reverse()], hour).direction).toBe('oldestFirst');
});
