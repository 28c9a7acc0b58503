import { findBoundary } from './boundary';
import { reserve } from '../common/budget';
import { toJson } from './cursor';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { Depth, Read, Reading } from './reading';
import { collect, deliver, goOnAt, pageAt, reachesBelow, searchFrom } from './reading';

/**
 * Reads from the first page on to one that reaches strictly below the boundary: one request where nothing is new. An insertion
 * pushes charges to later pages, so reading pages in rising order may meet one twice, but loses none.
 */
export async function readNewestFirst(
	reading: Reading,
	{ boundary, isDeep }: Depth,
): Promise<Read> {
	const { list, first, position, cursor } = reading;
	// What the service refuses to give may be given later, and is to be found then.
	const readFrom = () => (isDeep && !list.refusal ? list.newest : undefined);
	let low = 1;
	if (!cursor.backlog || reachesBelow(first, boundary)) {
		const oldest = collect(reading);
		for await (const block of list.onFrom(first)) {
			oldest.add(position.newOf(block.results));
			if (reachesBelow(block, boundary)) return deliver(oldest, { isDeep, readFrom: readFrom() });
			low = Math.max(1, Math.floor((block.start + block.size) / list.size));
			if (oldest.isFull || list.budget.left <= 2 * reserve) break;
		}
	}
	return await readBacklog(reading, { boundary, isDeep }, low, readFrom);
}

/** More than one poll delivers: the oldest part lies around the last page that holds any of it. */
async function readBacklog(
	reading: Reading,
	{ boundary, isDeep }: Depth,
	low: number,
	readFrom: () => number | undefined,
): Promise<Read> {
	const { list, position, settings } = reading;
	const until = { boundary: toJson(boundary) };
	const isBefore = (block: PlacedPage) => !reachesBelow(block, boundary);
	const spent = list.budget.requests;
	const bracket = await findBoundary(list, isBefore, searchFrom(reading, boundary, low));
	// What is known already lies in between, and has to be read all the same.
	const least = Math.ceil(position.knownFrom(boundary) / list.size) + 2;
	const isTimeUp = list.budget.requests > spent && list.budget.left <= least;
	if (!bracket.isFound || isTimeUp) {
		return goOnAt({ low: bracket.low, high: bracket.high, ...until });
	}

	const most = least + Math.ceil(settings.maxCharges / list.size);
	const pages = Math.max(least, Math.min(most, list.budget.left - 1));
	const start = Math.max(1, bracket.low + 2 - pages);
	const oldest = collect(reading);
	let end: PlacedPage | undefined;
	for await (const block of list.onFrom(await list.page(start))) {
		oldest.add(position.newOf(block.results));
		end = block;
		if (reachesBelow(block, boundary)) break;
		// So much was added meanwhile that the boundary is far away.
		if (list.budget.left === 0 && block.start > (start + 2 * pages) * list.size) {
			return goOnAt({ low: pageAt(block, list), ...until });
		}
	}
	const isFromStart = start === 1;
	if (oldest.isEmpty && !isFromStart) {
		// So much was removed meanwhile that the boundary is further to the front.
		return goOnAt({ low: 1, high: start + 1, ...until });
	}
	const read = deliver(oldest, { isDeep, readFrom: readFrom(), hasMore: !isFromStart });
	if (read.isAll || !end) return read;
	const next = pageAt(end, list) - Math.floor(read.delivered.length / list.size);
	return { ...read, backlog: { low: Math.max(1, next), boundary: null } };
}
