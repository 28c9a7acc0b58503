import { minute } from '../../helpers/lists/history';
import { Watch } from '../../helpers/lists/watch';
import { someOf } from '../../helpers/someOf';

/**
 * A poll of 36 seconds has time for five to eighteen requests of a slow service. A busy list has more pages within Look Back than that. New
 * ones still come with the next poll, and everything else after some more.
 */
const seconds = 1000;
const slow = (['newestFirst', 'oldestFirst'] as const).flatMap((order) =>
	([2, 5, 7] as const).flatMap((latency) =>
		(['told', 'zero'] as const).flatMap((count) =>
			(['given', 'ignored'] as const).flatMap((sizes) =>
				[20, 100].map((cap) => ({ order, latency, count, sizes, cap })),
			),
		),
	),
);

/** A list with ten charges a minute, whose service has become slow. */
async function busy({ latency, ...list }: (typeof slow)[number]): Promise<Watch> {
	const watch = Watch.charges(0, list);
	watch.list.latency = 50;
	watch.list.fill(10_000, 6 * seconds);
	watch.time = 36 * seconds;
	await watch.beginWithNew();
	expect(await watch.polls(3)).toEqual([]);
	watch.list.latency = latency * seconds;
	return watch;
}

test.each(someOf(slow))(
	'[R6] each new charge comes with the next poll, or the one after it: $order, $latency s per request, count $count, page sizes $sizes, at most $cap',
	async (service) => {
		const watch = await busy(service);
		const ids: string[] = [];
		const found: string[] = [];
		for (let polls = 0; polls < 90; polls++) {
			const due = ids.length;
			ids.push(...watch.list.pay(5, 1));
			found.push(...(await watch.pollIds()));
			expect(found.length).toBeGreaterThanOrEqual(due);
			expect(watch.bytes).toBeLessThan(20_000);
		}
		watch.list.latency = 50;
		found.push(...(await watch.polls(20)));
		expect(found).toEqual(ids);
	},
);

const able = slow.filter(({ latency, cap }) => latency === 2 || cap === 100);

test.each(someOf(able))(
	'[T5] a late charge comes, too: $order, $latency s per request, count $count, page sizes $sizes, at most $cap',
	async (service) => {
		const watch = await busy(service);
		watch.list.pay(5, 1);
		await watch.polls(20);
		const late = watch.list.add(40 * minute).id;
		const found: string[] = [];
		for (let polls = 0; polls < 60; polls++) {
			watch.list.pay(5, 1);
			found.push(...(await watch.pollIds()));
		}
		expect(found).toContain(late);
	},
);

test.each(['newestFirst', 'oldestFirst'] as const)(
	'[T5] what is listed late behind a pass that takes longer than Look Back comes with the next one: %s',
	async (order) => {
		const watch = await busy({ order, latency: 7, count: 'zero', sizes: 'given', cap: 20 });
		watch.lookBack = 20 * minute;
		const late: string[] = [];
		const found: string[] = [];
		for (let polls = 0; polls < 120; polls++) {
			watch.list.pay(5, 1);
			if (polls >= 60) late.push(watch.list.add(18 * minute).id);
			found.push(...(await watch.pollIds()));
		}
		watch.list.latency = 50;
		watch.interval = 6 * minute;
		found.push(...(await watch.polls(10)));
		expect(found).toEqual(expect.arrayContaining(late));
	},
);

test.each(someOf(slow))(
	'a backlog of a night comes: $order, $latency s per request, count $count, page sizes $sizes, at most $cap',
	async (service) => {
		const watch = await busy(service);
		const ids = watch.list.pay(600, 30 * seconds);
		const found: string[] = [];
		for (let polls = 0; polls < 250 && found.length < ids.length; polls++)
			found.push(...(await watch.pollIds()));
		expect(found).toEqual(ids);
	},
);

test.each(['charges', 'invoices'] as const)(
	'a list of %s without an order is read in parts, although the service decides on the size of its pages',
	async (kind) => {
		const watch = Watch[kind](300, { order: 'none', sizes: 'ignored', cap: 20 });
		await (kind === 'charges' ? watch.beginWithNew() : watch.poll());
		Object.assign(watch, { time: 36 * seconds }).list.latency = 7 * seconds;
		const ids = watch.list.pay(30);
		const found = await watch.polls(60);
		expect(found.sort()).toEqual(ids.sort());
	},
);
