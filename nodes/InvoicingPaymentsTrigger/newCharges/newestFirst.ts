import { reserve } from '../common/budget';
import { readBacklog } from './newestFirstBacklog';
import type { Depth, Read, Reading } from './reading';
import { collect, deliver, reachesBelow } from './reading';

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
