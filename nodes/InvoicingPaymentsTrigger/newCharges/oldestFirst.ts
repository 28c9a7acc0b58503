import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { findBoundary } from './boundary';
import { timeOf } from './charge';
import { toJson } from './cursor';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { List } from './list';
import { Moved, Unreadable } from '../common/problems';
import type { Depth, Read, Reading } from './reading';
import { collect, deliver, goOnAt, pageAt, searchFrom } from './reading';

/**
 * Looks at the last page first, and from there back to the last one that begins strictly before the boundary; then reads from it
 * on in rising order, because removals pull charges to earlier pages.
 */
export async function readOldestFirst(
	reading: Reading,
	{ boundary, isDeep }: Depth,
): Promise<Read> {
	const { list, position } = reading;
	const known = position.knownFrom(boundary);
	const start = await findStart(reading, boundary);
	const readFrom = isDeep ? list.newest : undefined;
	checkReadable(list);
	if (!('block' in start)) return goOnAt({ ...start, boundary: toJson(boundary) });
	const oldest = collect(reading);
	let last = start.block;
	for await (const block of list.onFrom(start.block)) {
		oldest.add(position.newOf(block.results));
		last = block;
		if (oldest.isFull || (list.budget.left === 0 && !oldest.isEmpty)) break;
	}
	if (!oldest.isFull) checkReadable(list);
	const read = deliver(oldest, { isDeep, readFrom, hasMore: !isEnd(last) });
	if (read.isAll) return read;
	const { block } = start;
	const at = block.results.findIndex((charge) => (timeOf(charge) ?? Infinity) >= boundary);
	const before = block.start + (at < 0 ? block.results.length : at);
	const newest = Math.max(...read.delivered.map(({ time }) => time ?? -Infinity));
	const older = read.delivered.filter(({ time }) => time !== newest);
	// The next part begins with a charge that is older than the newest ones that were delivered.
	const place = Math.max(0, before + known + older.length - 1);
	return { ...read, backlog: { low: pageAt(last, list), place, boundary: null } };
}

/** The newest charges are on the last pages: without them nothing can be said of what is new. Throws Unreadable. */
export function checkReadable({ refusal }: List): void {
	if (refusal) throw new Unreadable(refusal.failure);
}

/** The page to begin with, or how far the search for it came. */
export async function findStart(
	reading: Reading,
	boundary: number,
): Promise<{ block: PlacedPage } | { low: number; high?: number }> {
	const { list, first } = reading;
	const begins = ({ results: [charge] }: Page) =>
		charge !== undefined && (timeOf(charge) ?? Infinity) < boundary;
	if (!begins(first)) return { block: first };
	const { backlog } = reading.cursor;
	if (backlog?.place !== undefined) {
		// Where the last poll ended, and so the boundary is near.
		const block = await list.pageFrom(backlog.place);
		if (begins(block)) return { block };
	}
	const { guess = list.lastPage(first), ...search } = searchFrom(reading, boundary, 1);
	const { isFound, block, low, high } = await findBoundary(list, begins, { ...search, guess });
	if (!isFound) return { low, high };
	if (low === 1) return { block: first };
	const start = block ?? (await list.page(low));
	// Charges were removed since it was looked at.
	if (!begins(start)) throw new Moved();
	return { block: start };
}
