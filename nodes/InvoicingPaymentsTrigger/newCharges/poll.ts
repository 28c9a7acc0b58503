import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { findBoundary } from './boundary';
import { Budget, reserve } from '../common/budget';
import type { Charge } from './charge';
import type { Cursor } from './cursor';
import { cursorFrom } from './cursor';
import { maxKnown, Position } from './position';
import { List } from './list';
import { Inconsistent, Moved } from '../common/problems';
import { readNewestFirst } from './newestFirst';
import { readOldestFirst } from './oldestFirst';
import { OldestBuffer } from './oldestBuffer';
import { OrderWatch } from './order';
import type { Depth, Mode, PollTask, Read, Reading } from './reading';
import { goOnAt } from './reading';
import type { Baseline } from './baseline';
import { everything, noteBaseline } from './baseline';
import { readWholeList } from './readWholeList';

export interface FoundCharges {
	/** Oldest first. */
	charges: Charge[];
	cursor: Cursor;
	/** What the administrator of n8n should know. */
	notes: string[];
}

const readers: Record<Mode, (reading: Reading, depth: Depth) => Promise<Read>> = {
	newestFirst: readNewestFirst,
	oldestFirst: readOldestFirst,
	whole: readWholeList,
	learning: async ({ cursor }) => ({ ...goOnAt(cursor.backlog), scan: cursor.scan }),
};

/** Lists of so few pages are read whole in every poll: it is cheap, and no order has to be trusted. */
const smallPages = 5;
/** How many pages may be read only to get to know the order. */
const pagesForOrder = 10;
/** How often a poll begins again when the list moved too much. */
const maxAttempts = 3;

/**
 * One poll: finds charges that are new since the cursor, at most {@link PollTask.settings} `maxCharges` of them, oldest first. What is
 * not delivered stays new. Nothing changes until the cursor that it gives is saved.
 *
 * Throws Unreadable, {@link Inconsistent} and TooMany.
 */
export async function findNewCharges(task: PollTask, cursor: Cursor): Promise<FoundCharges> {
	return await poll(task, cursor, async (reading, mode) => {
		const { settings, position, list, now } = reading;
		const isDeep = mode === 'whole' || isDeepPossible(reading);
		const boundary = isDeep ? position.floor : position.newest;
		const read = await readers[mode](reading, { boundary, isDeep });
		const counted = countedIn(reading, mode, read);
		const unsettled = unsettledIn(reading);
		const isGivenUp = unsettled && isTooLong(unsettled, reading);
		const held = isGivenUp ? undefined : unsettled?.time;
		const hasForgotten = position.settle(
			// Until it is known where the others are, nothing is too old to be new.
			{
				...read,
				...(counted?.unseen && { readFrom: undefined }),
				unsettled: held,
			},
			{
				now: task.now(),
				lookBack: settings.lookBack,
				listed: list.newest,
			},
		);
		return {
			charges: read.delivered.map(({ charge }) => charge),
			kept: {
				deepAt: read.isDeep ? now : cursor.deepAt,
				deepFrom: read.isDeep ? (read.readFrom ?? cursor.deepFrom) : cursor.deepFrom,
				hasMore: !read.isAll,
				counted,
				backlog: read.backlog,
				scan: read.scan,
				unsettled,
			},
			notes: [
				// Not while there is a backlog: what comes late comes long after that.
				...(hasForgotten && read.isAll && isDeep ? [shortened(position)] : []),
				...(isGivenUp ? [notAllSeen(unsettled.time)] : []),
			],
		};
	});
}

/**
 * The cursor for which what is listed now is not new, and whatever is listed later is. Throws Unreadable, {@link Inconsistent},
 * TooMany and OutOfTime.
 */
export async function takeBaseline(
	task: PollTask,
	skip: Baseline = everything,
): Promise<FoundCharges> {
	const begin = { ...cursorFrom(null), known: skip.known };
	return await poll(task, begin, async (reading, mode) => {
		await noteBaseline(reading, mode, skip);
		const { count, trustsCount } = reading.list;
		const counted = trustsCount && count !== undefined ? { count } : undefined;
		return { charges: [], kept: { deepAt: reading.now, counted }, notes: [] };
	});
}

/** The newest charges, oldest first, as {@link findNewCharges} would give them. Throws Unreadable. */
export async function newestCharges(task: PollTask, most: number): Promise<Charge[]> {
	const reading = await begin(task, cursorFrom(null), new Budget(task.now, task.until));
	const { list, first, position } = reading;
	const newest = new OldestBuffer(Infinity, list.watch.direction === 'newestFirst');
	const add = ({ results }: Page) => newest.add(position.newOf(results));
	add(first);
	// The new ones may be at either end. Where there is no order, the newest of both ends will do.
	const last = isEnd(first) ? 1 : (list.lastPage(first) ?? (await findEnd(list)));
	for (const number of [last, last - 1]) if (number > 1) add(await list.page(number, true));
	return newest.charges.slice(-most).map(({ charge }) => charge);
}

/** The last page of a list that does not say how long it is, as far as it can be found. */
async function findEnd(list: List): Promise<number> {
	const isThere = ({ results }: Page) => results.length > 0;
	return (await findBoundary(list, isThere, { low: 1, reserve })).low;
}

type Kept = Pick<
	Cursor,
	'deepAt' | 'deepFrom' | 'hasMore' | 'counted' | 'backlog' | 'scan' | 'unsettled'
>;

/** So many polls wait for what the service counts and does not show yet, before one looks for late charges, and the next everywhere. */
const pollsBeforeDeep = 2;

/**
 * What the service counts, and how many charges were found less than it has grown by: in the order that is trusted, they may stand where
 * nobody looks. A reading of the whole list settles it.
 */
function countedIn({ list, cursor }: Reading, mode: Mode, read: Read): Cursor['counted'] {
	const { count } = list;
	const { counted: before } = cursor;
	if (!list.trustsCount || count === undefined) return undefined;
	if (mode === 'learning' || (mode === 'whole' && (read.isPart || !read.isAll))) return before;
	if (mode === 'whole') return { count };
	if (!before) return read.isAll ? { count } : undefined;
	const unseen = Math.max(0, (before.unseen ?? 0) + count - before.count - read.delivered.length);
	if (unseen === 0) return { count };
	return { count, unseen, ...(read.isAll && { polls: (before.polls ?? 0) + 1 }) };
}

/** The charges of one moment that are to be looked for again by the next poll. */
function unsettledIn({ list, cursor, now }: Reading): Cursor['unsettled'] {
	// A reading of the whole list that goes on in this poll has not looked at its earlier parts again.
	const earlier = cursor.scan ? cursor.unsettled?.time : undefined;
	const time = Math.min(list.unsettled ?? Infinity, earlier ?? Infinity);
	if (time === Infinity) return undefined;
	const before = cursor.unsettled?.time === time ? cursor.unsettled : { polls: 0, since: now };
	return { ...before, time, polls: before.polls + 1 };
}

/** How long (in milliseconds), and in how many polls at least, they are looked for before reading goes on without them. */
const longestSearch = 24 * 3_600_000;
const leastPolls = 5;

/** Whether there is no use in looking for them any longer: all charges since are read, and remembered, in every poll. */
function isTooLong(
	{ polls, since }: NonNullable<Cursor['unsettled']>,
	{ now, position }: Reading,
): boolean {
	const isLong = Math.abs(now - since) > longestSearch || position.known.size > maxKnown;
	return polls > leastPolls && isLong;
}

async function poll(
	task: PollTask,
	cursor: Cursor,
	read: (
		reading: Reading,
		mode: Mode,
	) => Promise<Pick<FoundCharges, 'charges' | 'notes'> & { kept: Kept }>,
): Promise<FoundCharges> {
	const budget = new Budget(task.now, task.until);
	let from = cursor;
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const reading = await begin(task, from, budget);
		const { list, position } = reading;
		const found = await readOnce(reading).catch((error: Error) => error);
		// An order that turned out not to be one: what was read in it is worth nothing.
		const isNone = list.watch.direction === 'none';
		const isWrong = isNone && !(found instanceof Error) && found.mode !== 'whole';
		if (found instanceof Moved || isWrong) {
			from = { ...from, ...learntOf(list), backlog: undefined };
			// An order that was never proved may be what keeps the pages from going together.
			if (attempt === maxAttempts - 1 && !from.order.isTrusted) from.order = noneOf(from.order);
			continue;
		}
		if (found instanceof Error) throw found;
		const hasLost = isNone && cursor.order.direction !== 'none';
		return {
			charges: found.charges,
			cursor: position.save({ ...found.kept, ...learntOf(list) }),
			notes: [
				...found.notes,
				...(hasLost ? [noOrder] : []),
				...(list.refusal ? [notReadable(list.refusal)] : []),
				...(list.trustsCount || cursor.hasWrongCount ? [] : [wrongCount]),
			],
		};
	}
	throw new Inconsistent(
		'The list of charges changes faster than it can be read. Narrow the filters',
	);

	async function readOnce(reading: Reading) {
		const mode = await modeOf(reading);
		return { mode, ...(await read(reading, mode)) };
	}
}

const noneOf = (order: Cursor['order']): Cursor['order'] => ({ ...order, direction: 'none' });

/** What is known of the service's lists. */
const learntOf = ({ watch, mayOverlap, trustsCount }: List) => ({
	order: watch.known,
	hasOwnSizes: !mayOverlap,
	hasWrongCount: !trustsCount,
});

async function begin({ fetchPage, settings, now }: PollTask, cursor: Cursor, budget: Budget) {
	const watch = new OrderWatch(cursor.order);
	const list = new List(fetchPage, budget, watch, now(), {
		mayOverlap: !cursor.hasOwnSizes,
		trustsCount: !cursor.hasWrongCount,
	});
	const first = await list.first(settings.pageSize);
	const position = new Position(cursor);
	return { settings, cursor, list, first, position, now: now() } satisfies Reading;
}

/** Small lists and those without a known order are read whole, and once those of which no earlier count tells whether it can be relied on. */
async function modeOf({ list, first, cursor }: Reading): Promise<Mode> {
	const { watch } = list;
	const isSmall = isEnd(first) || (first.count ?? Infinity) <= smallPages * list.size;
	const { counted } = cursor;
	const isMissed = (counted?.polls ?? 0) > pollsBeforeDeep;
	const { count = Infinity } = first;
	const isToCheck = !counted && list.trustsCount && count <= Math.max(1000, 50 * list.size);
	if (isSmall || isMissed || isToCheck) return 'whole';
	if (!watch.isTrusted && watch.direction !== 'none') await learnOrder(list, first);
	const { isTrusted, hasEnough, direction = 'none' } = watch;
	if (direction === 'none' || !hasEnough) return 'whole';
	return isTrusted ? direction : 'learning';
}

/**
 * Reads on until the order is clear, or it is clear that there is none, and then looks at some places all over the list. What
 * does not fit into one poll is left to the next.
 */
async function learnOrder(list: List, first: Reading['first']): Promise<void> {
	const { watch, budget } = list;
	for await (const { number } of list.onFrom(first, { settlesEquals: false })) {
		const isClear = watch.hasEnough || watch.direction === 'none';
		if (isClear || number > pagesForOrder || budget.left <= reserve) break;
	}
	if (!watch.hasEnough) return;
	let last = list.lastPage(first) ?? (await findEnd(list));
	let before: Pick<Reading['first'], 'number' | 'results'> = first;
	while (watch.hasEnough && watch.nextPlace !== undefined && budget.left > reserve) {
		const number = Math.max(2, Math.ceil(last * watch.nextPlace));
		const block = await list.page(number, true);
		if (list.isRefused(block)) {
			// The order is learnt from what can be read.
			const isThere = ({ results }: Page) => results.length > 0;
			({ low: last } = await findBoundary(list, isThere, { low: 1, high: number, reserve }));
			if (last === 1) watch.sample([], before.results);
			continue;
		}
		// Pages that lie side by side tell nothing of one another: the list may have moved.
		const isFurther = number > before.number + 1;
		watch.sample(block.results, isFurther ? before.results : []);
		if (isFurther && block.results.length) before = block;
	}
}

/**
 * Whether to look for late charges: now and then, and not where the service is too slow for it. Known charges lie in between
 * and have to be read.
 */
function isDeepPossible({ cursor, now, settings, position, list }: Reading): boolean {
	const { deepAt = -Infinity, deepFrom = -Infinity, hasMore } = cursor;
	const isMissed = (cursor.counted?.polls ?? 0) >= pollsBeforeDeep;
	const isDue = isMissed || Math.abs(now - deepAt) >= settings.lookBack / 4;
	// Whatever has been listed since then, or will be, is newer than all that a backlog has delivered.
	if (hasMore && position.newest < deepFrom - settings.lookBack) return false;
	return isDue && Math.ceil(position.known.size / list.size) + 2 * reserve <= list.budget.left;
}

const noOrder =
	'The service lists charges in no reliable order, so every poll reads the whole list from now on.';

const wrongCount =
	"The service's count of charges does not match its list, so the count is ignored from now on.";

function notReadable({ from, failure }: NonNullable<List['refusal']>): string {
	const why = [failure.status, failure.reason].filter((part) => part !== undefined).join(': ');
	return `The service refuses to list charges beyond the first ${from} (status ${why}). What lies there cannot be read; the charges before it are.`;
}

const notAllSeen = (time: number) =>
	`Some charges of ${new Date(time).toISOString()} may be missing: the service orders charges of the same moment anew for each page, and there are more of them than one page holds.`;

function shortened({ newest, floor }: Position): string {
	const minutes = Math.max(0, Math.round((newest - floor) / 60_000));
	return `Too many new charges: late ones are only looked for ${minutes} minutes back.`;
}
