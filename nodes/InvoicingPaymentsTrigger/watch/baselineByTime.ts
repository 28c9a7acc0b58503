import type { Cursor } from './cursor';
import { fromJson } from './cursor';
import type { Pages } from './pages';
import type { Outcome, Poll, Timed } from './task';
import { savedFields } from './task';

/** An empty list may be a mistake, so what is older than this is not new when it shows up. */
const maxAge = 24 * 3_600_000;

/** Notes listed results as not new, but for those created after `cursor.after`. `listed`: latest creation time. */
export function baselineByTime(
	poll: Poll,
	timed: Timed,
	pages: Pages,
	{ common, listed, floor = -Infinity }: { common: Cursor; listed: number; floor?: number },
): Outcome {
	const { known, position, lookBack } = timed;
	const { cursor, begin } = poll;
	const after = cursor.after === undefined ? Infinity : fromJson(cursor.after);
	known.add([...pages.seenNow].filter(([, time = -Infinity]) => time <= after && time > floor));
	const newest = Math.min(listed, after);
	position.listed = listed;
	position.newest = newest;
	position.floor = Math.max(
		floor,
		listed > -Infinity ? newest - lookBack : begin - Math.max(maxAge, lookBack),
	);
	position.deep = newest > -Infinity ? { at: begin, listed: newest } : undefined;
	const kept = { ...common, ...savedFields(poll, {}) };
	return cursor.after === undefined ? { entries: [], cursor: kept } : { again: kept };
}
