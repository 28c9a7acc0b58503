import type { FetchPage } from '../../nodes/shared/pagination/page';
import type { Charge } from '../helpers/lists/chargeModel';
import { ChargeWatch } from '../helpers/lists/chargeWatch';
import { EntryWatch } from '../helpers/lists/entryWatch';
import { isNight } from '../helpers/someOf';

/** Services that once made the trigger lose charges, or read the whole list in every poll. */
const minute = 60_000;
const sum = (costs: number[]) => costs.reduce((all, one) => all + one, 0);
const numberOf = ({ id }: Charge) => Number(String(id).split('-').pop());
const movedBy = (ms: number, created: unknown) =>
	new Date(Date.parse(String(created)) + ms).toISOString();

/** Polls for an hour, with a new charge every three minutes. `costs`: requests of each poll. */
async function pollForAnHour(watch: ChargeWatch) {
	const ids: string[] = [];
	const delivered: string[] = [];
	const costs: number[] = [];
	for (let polls = 0; polls < 60; polls++) {
		if (polls % 3 === 0) ids.push(...watch.pay());
		delivered.push(...(await watch.pollIds()));
		costs.push(watch.requests);
	}
	for (let polls = 0; polls < 10; polls++) delivered.push(...(await watch.pollIds()));
	const lost = ids.filter((id) => !delivered.includes(id));
	const unexpected = delivered.filter((id) => !ids.includes(id));
	return { costs, lost, unexpected };
}

/** How a service shows a charge, by its number from 1 (oldest) to 20,000. */
const almostSorted: Record<string, (charge: Charge, number: number) => Charge> = {
	'one charge is 5 ms out of order': (charge, number) =>
		number === 19_950 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'every seventh charge is 5 ms out of order': (charge, number) =>
		number % 7 === 0 ? { ...charge, created: movedBy(-minute - 5, charge.created) } : charge,
	'one charge has no date': (charge, number) =>
		number === 19_950 ? { ...charge, created: undefined } : charge,
	'one date is not a date': (charge, number) =>
		number === 19_950 ? { ...charge, created: 'yesterday' } : charge,
	'the newest charge has an old date': (charge, number) =>
		number === 20_000 ? { ...charge, created: '2020-01-01T00:00:00Z' } : charge,
	'dates are local times, and the clocks went back': (charge, number) => ({
		...charge,
		created: movedBy((number < 19_400 ? 2 : 1) * 60 * minute, charge.created).replace('Z', ''),
	}),
	'dates are days': (charge) => ({ ...charge, created: String(charge.created).slice(0, 10) }),
};

test.each(
	Object.entries(almostSorted).flatMap(([name, shown]) =>
		(['newestFirst', 'oldestFirst'] as const).map((order) => [name, order, shown] as const),
	),
)('[T4] delivers from an almost sorted list: %s (%s)', async (name, order, shown) => {
	const watch = ChargeWatch.filled(20_000, { order });
	watch.shown = (charge) => shown(charge, numberOf(charge));
	await watch.beginWithNew();
	const { costs, lost, unexpected } = await pollForAnHour(watch);
	expect({ lost, unexpected }).toEqual({ lost: [], unexpected: [] });
	// All charges of a day share one moment.
	const perPoll = name === 'dates are days' ? 5 : order === 'newestFirst' ? 1.1 : 4.2;
	expect(sum(costs)).toBeLessThanOrEqual(60 * perPoll);
});

test.each([60, 3000, ...(isNight ? [10_000] : [])])(
	'[T17] loses nothing in a list of %i charges that is grouped',
	async (count) => {
		const watch = new ChargeWatch({ order: 'grouped' });
		watch.pay(count, minute);
		await watch.beginWithNew();
		expect(await pollForAnHour(watch)).toMatchObject({ lost: [] });
	},
);

test.each([10, 60, 120])(
	'[T5] loses nothing if every other response is %i seconds old',
	async (lag) => {
		const watch = ChargeWatch.filled(20_000);
		const { model } = watch;
		await watch.beginWithNew();
		const ids: string[] = [];
		const delivered: string[] = [];
		model.lagging = (request) => (request % 2 === 0 ? lag * 1000 : 0);
		for (let polls = 0; polls < 15; polls++) {
			ids.push(...watch.pay(120, 500));
			model.now -= minute;
			delivered.push(...(await watch.pollIds()));
			expect(watch.requests).toBeLessThanOrEqual(100);
		}
		model.lagging = () => 0;
		for (let polls = 0; polls < 15; polls++) delivered.push(...(await watch.pollIds()));
		expect(ids.filter((id) => !delivered.includes(id))).toEqual([]);
		expect(new Set(delivered).size).toBe(delivered.length);
	},
);

test('[T12] finds each new invoice if one enters and one leaves every minute', async () => {
	const watch = new EntryWatch(2000);
	const { model } = watch;
	await watch.poll();
	const ids: string[] = [];
	const delivered: string[] = [];
	const costs: number[] = [];
	for (let polls = 0; polls < 60; polls++) {
		model.leave(model.any(true) ?? '');
		ids.push(...watch.pay());
		delivered.push(...(await watch.poll()));
		costs.push(model.requests);
	}
	expect(sum(costs)).toBeLessThanOrEqual(60 * 4);
	for (let polls = 0; polls < 16; polls++) delivered.push(...(await watch.poll()));
	expect(ids.filter((id) => model.isIn(id) && !delivered.includes(id))).toEqual([]);
});

test.each([1000, 2000])(
	'[T7] delivers from a list of %i invoices whose last page says that more follow',
	async (count) => {
		const watch = new EntryWatch(count, 'newest');
		const fetchPage: FetchPage = async (page, size = 100) => {
			const outcome = await watch.model.fetchPage(page, size);
			if (!('page' in outcome) || outcome.page.results.length < size) return outcome;
			return { page: { ...outcome.page, next: 'more' } };
		};
		await watch.poll(fetchPage);
		const ids = watch.pay();
		expect(await watch.poll(fetchPage)).toEqual(ids);
	},
);
