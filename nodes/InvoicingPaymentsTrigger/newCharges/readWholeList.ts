import { isEnd } from '../../shared/pagination/page';
import { reserve } from '../common/budget';
import { dated } from './charge';
import type { Scan } from './cursor';
import { toJson } from './cursor';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { List } from './list';
import type { Read, Reading } from './reading';
import { collect, deliver } from './reading';

/** How many readings that find nothing new are enough where fewer charges were seen than the service counts. */
const maxBarren = 3;

/**
 * Reads the whole list: the only way where it has no order. Where that does not fit into one poll the next one goes on where
 * this one ended, and what is new is delivered in the order in which it is found.
 */
export async function readWholeList(reading: Reading): Promise<Read> {
	const { cursor, list, first, position } = reading;
	const oldest = collect(reading);
	oldest.add(position.newOf(first.results));
	// Without an order, whatever any page shows counts.
	list.onResults = (results) => oldest.add(position.newOf(results));
	const resumed = cursor.scan && (await resume(reading, cursor.scan));
	const seen = resumed && cursor.scan ? (cursor.scan.seen ?? -Infinity) : position.seen;
	const undated = position.undated ? undefined : new Set<string>();
	const take = ({ results }: PlacedPage) => {
		for (const { time, hash } of undated ? results.map(dated) : []) {
			if (time === undefined) undated?.add(hash);
		}
	};
	let last = resumed ?? first;
	for await (const block of list.onFrom(last, { isResumed: resumed !== undefined })) {
		take(block);
		last = block;
		if (!isEnd(block) && list.budget.left === 0) break;
	}
	const isCut = list.refusal !== undefined;
	const isRead = isEnd(last) || isCut;
	if (isEnd(last) && !resumed) await readAgain(list, take);
	// Fewer different charges than the service counts: it orders them anew for each page. The next poll looks again.
	const isShort = !resumed && !isCut && list.isShort;
	// What fails may be given later; what is refused will not.
	const isFailed = isCut && (list.refusal?.failure.status ?? 0) >= 500;
	const isPart = !isRead || resumed !== undefined || isShort || isFailed;
	// What was there from the beginning and does not say when it was made is not new.
	if (!isPart) position.undated ??= undated;
	const read = deliver(oldest, { isDeep: isRead, hasMore: !isRead });
	const isDone = isRead && !oldest.hasLeftOut && !isShort && !isFailed;
	const scan = oldest.hasLeftOut ? resumed && cursor.scan : isRead ? undefined : scanAt(last, seen);
	return {
		...read,
		isPart,
		...((isDone || !isPart) && { readFrom: seen }),
		...(scan && { scan }),
	};
}

/** Reads the list in other pages, as long as fewer different charges were seen than the service counts and time is left. */
export async function readAgain(list: List, take: (block: PlacedPage) => void): Promise<void> {
	const { budget } = list;
	let size = list.size;
	for (let barren = 0; list.isShort && barren < maxBarren; ) {
		const before = list.seenCount;
		size = list.mayOverlap && size > 1 ? size - 1 : list.size;
		for await (const block of list.inPagesOf(size)) {
			take(block);
			if (budget.left <= reserve) return;
		}
		barren = list.seenCount > before ? 0 : barren + 1;
	}
}

function scanAt({ number, size, start, results }: PlacedPage, seen: number): Scan {
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
