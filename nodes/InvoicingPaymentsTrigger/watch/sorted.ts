import type { Cursor, Times } from './cursor';
import { maxListLength } from './errors';
import type { ListPage } from './list';
import { timesOf } from './list';
import type { NewestStretch, OutOfTime } from './newestEnd';
import { readNewest } from './newestEnd';
import type { SortedOrder } from './order';
import { slackOf } from './order';
import type { Delivery, Search } from './search';
import type { Stretch } from './stretch';
import type { Outcome } from './task';

/** The list may have grown by more than what is found for this many polls. After that, the whole list is read. */
export const maxMissedPolls = 2;
const maxRemembered = 10_000;
/** Polls in a row that could not see everything. After that, the rest is given up. */
const maxGaps = 10;

export const noOrderNote =
	'The service lists them in no reliable order, so the whole list is read every 15 minutes, and whenever it has grown by what is not on its first or last page.';
const gapNote =
	'Some may be missing: the service orders those of the same moment anew for each page, lists some twice, or changes its list all the time.';

/**
 * Finds what is new in a list that is sorted by creation time: reads its newest end, starts over if it is less sorted than expected, and
 * delivers.
 */
export async function searchSorted(
	search: Search,
	order: SortedOrder,
	first: ListPage,
): Promise<Outcome> {
	const { cursor, list, begin, task } = search;
	const { seen, missed = 0, times } = cursor;
	const growth = list.count === undefined || seen === undefined ? undefined : list.count - seen;
	const sinceDeep = Math.abs(begin - (times?.deepAt ?? -Infinity));
	const isDue = missed > 0 || sinceDeep >= task.settings.lookBack / 4;
	const found = await readFarEnough(search, order, first, { growth, isDue });
	if (!('pages' in found)) {
		const change = { order, bracket: found.bracket };
		return { entries: [], cursor: { ...cursor, ...search.saved(change), hasMore: true } };
	}
	return restartIfDisordered(search, order, found) ?? deliverSorted(search, order, found);
}

/** Mostly reads what explains the growth of the list. If that is too little or a deep reading is due, reads down to the bottom. */
async function readFarEnough(
	search: Search,
	order: SortedOrder,
	first: ListPage,
	{ growth, isDue }: { growth: number | undefined; isDue: boolean },
): Promise<NewestStretch | OutOfTime> {
	const { hasMore } = search.cursor;
	const readEarly = async () => await readNewest(search, order, first, { isEarly: true, growth });
	const readDeep = async () => await readNewest(search, order, first, { isEarly: false, growth });
	if (hasMore) return await readDeep();
	if (!isDue) {
		const early = await readEarly();
		const isUnexplained =
			'pages' in early && !early.isDeep && growth !== undefined && growth > early.newIds.size;
		return isUnexplained ? await readDeep() : early;
	}
	const deep = await readDeep();
	if (isGapless(deep)) return deep;
	// If the deep pages do not fit together, at least the newest results are read and delivered.
	const early = await readEarly();
	return isGapless(early) ? early : deep;
}

const isGapless = (found: NewestStretch | OutOfTime) => 'pages' in found && !found.isGap;

/** If results are further out of order than expected, the search starts over. */
export function restartIfDisordered(
	{ cursor, notes, task }: Search,
	{ direction, slack: expected }: SortedOrder,
	{ pages }: Stretch,
): Outcome | undefined {
	const seen = new Set<unknown>();
	// Overlapping pages repeat results, which count once.
	const times = pages.map(({ results }) => {
		const own = results.filter(({ id }) => !seen.has(id));
		for (const { id } of results) seen.add(id);
		return timesOf({ results: own });
	});
	const slack = slackOf(times, direction);
	if (slack <= expected) return undefined;
	const isSorted = slack <= task.settings.lookBack;
	if (!isSorted) notes.push(noOrderNote);
	const change: Partial<Times> = isSorted
		? { order: { direction, slack } }
		: { order: { direction: 'none' }, deepAt: undefined, bottom: undefined };
	return {
		retryFrom: {
			...cursor,
			times: { ...(cursor.times as Times), ...change, bracket: undefined },
		},
	};
}

function deliverSorted(search: Search, order: SortedOrder, found: NewestStretch): Outcome {
	const { cursor, begin, list, notes } = search;
	const { seen, missed = 0, times } = cursor;
	const { count } = list;
	const delivery = search.deliver(order.direction, found.newIds);
	const { entries } = delivery;
	const gaps = found.isGap ? (times?.gaps ?? 0) + 1 : 0;
	const isGivenUp = gaps >= maxGaps;
	if (isGivenUp) notes.push(gapNote);
	const isComplete = !found.isGap || isGivenUp;
	const isAll = found.coversAllNew && delivery.waiting.size === 0 && isComplete;
	const mayRaiseFloor = found.isDeep && isComplete;
	const expected = seen === undefined ? undefined : seen + entries.length;
	const unfound = count !== undefined && expected !== undefined ? count - expected : 0;
	// The whole of a longer list cannot be read, so its count must be wrong.
	const isCountWrong = missed >= maxMissedPolls && Number(count) > maxListLength;
	if (isCountWrong) notes.push(`The service's count is ${unfound} too high, which is ignored.`);
	const isExplained = unfound <= 0 || isCountWrong;
	if (mayRaiseFloor) raiseFloor(search, order, delivery, { isAll, isExplained });
	forgetTooMany(search, isAll);
	// Otherwise the bottom stays: an unfound result may be older, and the floor of a long list is too far for one poll.
	if (isAll && isExplained) search.bottom = search.floor;
	const next: Cursor = {
		...(cursor.ignoresCount && { ignoresCount: true }),
		...search.saved({
			order,
			deepAt: mayRaiseFloor && isAll ? begin : times?.deepAt,
			bracket: undefined,
			gaps: gaps || undefined,
		}),
		...(count !== undefined && { seen: isAll && isExplained ? count : expected }),
		...(!isExplained && isAll && { missed: missed + 1 }),
		...(!isAll && missed > 0 && { missed }),
		...(!isAll && { hasMore: true }),
	};
	return { entries, cursor: next };
}

/**
 * After a deep reading, everything created up to `knownUntil` is known: Look Back before the newest result that an earlier poll saw, because
 * what is listed late from now on is newer. In a backlog, it also ends before the oldest result that waits.
 */
function raiseFloor(
	search: Search,
	{ slack }: SortedOrder,
	{ waiting, last }: Delivery,
	{ isAll, isExplained }: { isAll: boolean; isExplained: boolean },
): void {
	const { task, begin, listedBefore } = search;
	const horizon = listedBefore > -Infinity ? listedBefore : search.listed - (task.now() - begin);
	if (horizon === -Infinity) return;
	const before = isAll ? Infinity : last - slack - 1;
	const knownUntil = Math.min(
		horizon - task.settings.lookBack,
		search.oldest(waiting, slack, before),
	);
	// Unfound results can be of any age.
	if (isExplained) search.floor = Math.max(search.floor, knownUntil);
	search.bottom = Math.max(search.bottom, search.floor, knownUntil);
}

/** Raises the floor so far that few enough results are remembered. In a backlog, what is newer than the bottom was not delivered. */
function forgetTooMany(search: Search, isAll: boolean): void {
	const newest = isAll ? search.listedBefore : search.bottom;
	const raised = search.recent.floorFor(maxRemembered, newest);
	if (raised <= search.floor) return;
	search.floor = raised;
	const minutes = Math.max(0, Math.round((search.listed - raised) / 60_000));
	if (isAll)
		search.notes.push(
			`Too many new charges: late ones are only looked for ${minutes} minutes back.`,
		);
}
