import { isEnd } from '../../shared/page';
import { dated } from './charge';
import type { Scan } from './cursor';
import { toJson } from './cursor';
import type { Block } from './list';
import type { Read, Reading } from './reading';
import { collect, deliver } from './reading';

/**
 * Reads the whole list: the only way where it has no order. Where that does not fit into one poll the next one goes on where
 * this one ended, and what is new is delivered in the order in which it is found.
 */
export async function readWhole(reading: Reading): Promise<Read> {
	const { cursor, list, first, position } = reading;
	const resumed = cursor.scan && (await resume(reading, cursor.scan));
	const seen = resumed && cursor.scan ? (cursor.scan.seen ?? -Infinity) : position.seen;
	const oldest = collect(reading);
	oldest.add(position.newOf(first.results));
	const undated = position.undated ? undefined : new Set<string>();
	let last = resumed ?? first;
	for await (const block of list.onFrom(last)) {
		oldest.add(position.newOf(block.results));
		for (const { time, hash } of undated ? block.results.map(dated) : []) {
			if (time === undefined) undated?.add(hash);
		}
		last = block;
		if (!isEnd(block) && list.budget.left === 0) break;
	}
	const isRead = isEnd(last);
	const isPart = !isRead || resumed !== undefined;
	// What was there from the beginning and does not say when it was made is not new.
	if (!isPart) position.undated ??= undated;
	const read = deliver(oldest, { isDeep: isRead, hasMore: !isRead });
	const isDone = isRead && !oldest.hasLeftOut;
	const scan = oldest.hasLeftOut ? resumed && cursor.scan : isDone ? undefined : scanAt(last, seen);
	return {
		...read,
		isPart,
		...((isDone || !isPart) && { readFrom: seen }),
		...(scan && { scan }),
	};
}

function scanAt({ number, size, start, results }: Block, seen: number): Scan {
	const page = results.map((charge) => dated(charge).hash);
	return { number, size, start, page, seen: toJson(seen) };
}

/** The page at which the reading ended, if what was on it is still there. */
async function resume({ list }: Reading, { page, number, size, start }: Scan) {
	if (size !== list.size && !list.mayOverlap) return undefined;
	const block = await list.read({ number, size, start });
	if (block.results.length < size && block.next) return undefined;
	const hashes = new Set(block.results.map((charge) => dated(charge).hash));
	return page.some((hash) => hashes.has(hash)) ? block : undefined;
}
