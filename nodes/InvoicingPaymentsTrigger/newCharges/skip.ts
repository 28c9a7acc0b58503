import { isEnd } from '../../shared/pages';
import { dated } from './charge';
import type { Block } from './list';
import { findStart } from './oldestFirst';
import type { Mode } from './poll';
import type { Reading } from './reading';
import { oldestOf, reachesBelow } from './reading';

/** A reading that has to be complete did not fit into its time. */
export class OutOfTime extends Error {}

/**
 * Notes everything that is listed as not new. What was made within the look-back is remembered, so that charges that show up late
 * can be told from it. Throws {@link OutOfTime}.
 */
export async function skipListed(reading: Reading, mode: Mode): Promise<void> {
	const { list, position, settings } = reading;
	for await (const block of blocksOf(reading, mode)) {
		position.skip(block.results.map(dated), list.newest - settings.lookBack);
		if (mode === 'newestFirst' && reachesBelow(block, position.floor)) break;
		if (isEnd(block) || list.budget.left > 0) continue;
		if (mode !== 'newestFirst') throw new OutOfTime();
		// What comes after it is older still.
		position.skip([], oldestOf(block));
		break;
	}
	position.newest = position.seen = list.newest;
}

async function* blocksOf(reading: Reading, mode: Mode): AsyncGenerator<Block> {
	const { list, first, settings } = reading;
	if (mode !== 'oldestFirst') return yield* list.onFrom(first);
	// The newest one is on the last page.
	await list.page(list.lastPage(first) ?? 1);
	const start = await findStart(reading, list.newest - settings.lookBack);
	if (!('block' in start)) throw new OutOfTime();
	return yield* list.onFrom(start.block);
}
