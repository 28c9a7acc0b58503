import { isEnd } from '../../shared/pagination/page';
import { dated } from './charge';
import type { PlacedPage } from '../../shared/pagination/overlap';
import { checkReadable, findStart } from './oldestFirst';
import type { Mode, Reading } from './reading';
import { oldestOf, reachesBelow } from './reading';
import { readAgain } from './readWholeList';

/** A reading that has to be complete did not fit into its time. */
export class OutOfTime extends Error {}

/** What is not new. */
export interface Baseline {
	/** Only what was made before this, in milliseconds since 1970; Infinity: everything. */
	before: number;
	/** Charges that are not new either, packed as in a cursor. */
	known: string;
}

export const everything: Baseline = { before: Infinity, known: '' };

/** Where nothing is listed, what is older than this is not new when it shows up: an empty answer may have been a mistake. */
const longestAge = 24 * 3_600_000;

/**
 * Notes what is listed as not new. What was made within the look-back is remembered, so that charges that show up late can be
 * told from it. Throws {@link OutOfTime}.
 */
export async function noteBaseline(
	reading: Reading,
	mode: Mode,
	{ before }: Pick<Baseline, 'before'>,
): Promise<void> {
	const { list, position, settings, now } = reading;
	if (mode === 'learning') throw new OutOfTime();
	const upTo = (floor: number) => Math.min(floor, before - 1);
	const skip = ({ results }: PlacedPage) => {
		const old = results.map(dated).filter(({ time }) => time === undefined || time < before);
		position.note(old, upTo(list.newest - settings.lookBack), list.newest);
	};
	let last: PlacedPage | undefined;
	for await (const block of blocksOf(reading, mode, upTo)) {
		last = block;
		skip(block);
		if (mode === 'newestFirst' && reachesBelow(block, position.floor)) break;
		if (isEnd(block) || list.budget.left > 0) continue;
		if (mode !== 'newestFirst') throw new OutOfTime();
		// What comes after it is older still.
		position.note([], upTo(oldestOf(block)), list.newest);
		break;
	}
	if (mode === 'whole' && !list.refusal) await readAgain(list, skip);
	if (mode === 'newestFirst' && list.refusal && last)
		position.note([], upTo(oldestOf(last)), list.newest);
	if (mode === 'oldestFirst') checkReadable(list);
	const isPart = mode === 'whole' ? list.isShort : (list.unsettled ?? -Infinity) > position.floor;
	// What was not seen would be taken for new.
	if (isPart) throw new OutOfTime();
	if (list.newest === -Infinity)
		position.note([], upTo(now - Math.max(longestAge, settings.lookBack)), now);
	position.newest = position.seen = Math.min(list.newest, before);
}

async function* blocksOf(
	reading: Reading,
	mode: Mode,
	upTo: (floor: number) => number,
): AsyncGenerator<PlacedPage> {
	const { list, first, settings } = reading;
	if (mode !== 'oldestFirst') return yield* list.onFrom(first);
	// The newest one is on the last page.
	await list.page(list.lastPage(first) ?? 1);
	const start = await findStart(reading, upTo(list.newest - settings.lookBack));
	if (!('block' in start)) throw new OutOfTime();
	return yield* list.onFrom(start.block);
}
