import type { Page } from '../../shared/pagination/page';
import type { SeenPage } from './between';
import { searchBetween } from './between';
import type { EntryCursor } from './cursor';
import type { EntryPoll, Outcome } from './entryPoll';
import { deliver } from './entryPoll';
import type { IdHash } from './ids';
import { packSet } from './ids';
import type { EntryPages } from './pages';

/** How often (milliseconds) long lists are read whole, although nothing seems to have changed. */
export const wholeEvery = 15 * 60_000;
/** What is not urgent waits for so long (milliseconds) for each page that the list has. */
const waitPerPage = 6_000;
/** The share of the pages that may be read to find single new entries: beyond it the whole list tells more. */
const searchedShare = 1 / 3;

/** What page 1 tells of a list of `pageCount` pages, and then single other pages. `undefined`: the whole list has to be read. */
export async function lookQuickly(
	poll: EntryPoll,
	pages: EntryPages,
	{ page: { count }, ids }: { page: Page; ids: IdHash[] },
	pageCount: number,
): Promise<Outcome | undefined> {
	const { cursor, known, task, ignoresCount } = poll;
	const { seen } = cursor;
	const age = Math.abs(poll.begin - (cursor.wholeAt ?? -Infinity));
	if (age + (task.interval ?? 0) > wholeEvery || seen === undefined) return undefined;
	if (task.today !== cursor.day) return undefined;
	const first = packSet(ids);
	const isCounted = count !== undefined && !ignoresCount;
	const grown = isCounted ? count - seen : pages.found.size;
	if (grown <= 0 && pages.found.size === 0) {
		const isChanged = grown < 0 || cursor.isStale === true || first !== cursor.first;
		if (isChanged && age >= pageCount * waitPerPage) return undefined;
		return { entries: [], cursor: grown < 0 ? { ...cursor, seen: count, isStale: true } : cursor };
	}
	if (!(await findWithin(poll, pages, { ids, pageCount, grown, count }))) return undefined;
	known.order = cursor.isStale !== true && isCounted ? orderWith(known.order, pages) : [];
	const { entries, waiting } = deliver(poll, pages);
	const kept: EntryCursor = {
		...cursor,
		ordered: undefined,
		...known.save(),
		seen: isCounted ? count : seen + pages.found.size,
		first,
		...(waiting.size > 0 && { hasMore: true }),
	};
	return { entries, cursor: kept };
}

/** A list of which page 1 was read. */
interface GrownList {
	/** What is on page 1. */
	ids: IdHash[];
	pageCount: number;
	/** By how much it has grown. */
	grown: number;
	count: number | undefined;
}

/** Whether as many new entries as the list has grown by are found on page 1, on the last page, and where pages in between have moved. */
async function findWithin(
	{ known, search }: EntryPoll,
	pages: EntryPages,
	{ ids, pageCount, grown, count }: GrownList,
): Promise<boolean> {
	const isFound = () => pages.found.size === grown;
	if (isFound()) return true;
	const read = async (page: number) => {
		const seen = await pages.look(page);
		return 'failure' in seen || seen.count !== count ? undefined : seen;
	};
	const first: SeenPage = { page: 1, start: 0, ids };
	const last = await read(pageCount);
	if (!last || isFound()) return last !== undefined;
	const most = Math.min(search.budget.left, Math.ceil(pageCount * searchedShare));
	return (await searchBetween(known.order, [first, last], read, most)) && isFound();
}

/** How a list stands in which nothing has changed but that new entries were found; empty where it was not known before. */
function orderWith(order: IdHash[], { found }: EntryPages): IdHash[] {
	const all = [...order];
	if (all.length === 0) return all;
	for (const [id, { place }] of [...found].sort(([, a], [, b]) => a.place - b.place))
		all.splice(place, 0, id);
	return all;
}
