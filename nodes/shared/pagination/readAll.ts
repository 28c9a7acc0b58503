import type { Failure } from '../transport/failure';
import { Found } from './found';
import type { Page, PageOutcome } from './page';
import { isPastTheEnd } from './page';
import type { ListRequest, PassOptions } from './pass';
import { Pass, unreadable } from './pass';
import { centredRange, minOverlapping } from './overlap';
import { runConcurrently } from '../transport/concurrency';

/** `isSure`: nothing that was there all the time can be missing, as pages overlapped; elsewhere it is very unlikely. */
export type ReadOutcome = { results: Page['results']; isSure: boolean } | { failure: Failure };

/** How often a list is read before it is given up. */
const maxPasses = 10;
/** How many looks that find nothing new are enough. */
const maxBarren = 2;

/**
 * Reads a list from `startPage` on until `limit` results are there or the list ends: `next` is null or a page is empty. `next`
 * itself is never requested. Pages after the first are read at the same time, and no result is given twice. With `isWanted`, only
 * such results are given, and the limit is one of them.
 *
 * A list may change while it is read, and its results move from page to page. A whole list is therefore read in pages that
 * overlap by a few results, because their sizes differ a little. The results of a page are neighbours: where two pages share one
 * of them, nothing that was in the list all the time can have slipped between the two, whatever was added or removed and
 * whichever was read first. Pages that share none are read again. Where pages cannot overlap (with a limit of results of any kind, which is to
 * cost no page more than it needs, or when the service decides on the size), two pages fit together if the count is the same in both.
 *
 * A service may order equal results anew for each page, and then shows some twice and others not at all. So a whole list is
 * never given with fewer results than the service counts: it is read again, in pages of one size, in pages of other sizes, and
 * wherever two pages met, and the parts are put together.
 *
 * Failures: a page that holds only what earlier pages held although more should follow; a list that ends before its count, or of
 * which not as many results could be found; one that never ends; one that changes faster than it can be read.
 */
export async function readAll(reading: ListRequest): Promise<ReadOutcome> {
	const found = new Found();
	const { limit, isWanted = () => true } = reading;
	const results = () => ({ results: found.inOrder().filter(isWanted).slice(0, limit) });
	let way: PassOptions = { mayOverlap: limit === Infinity || reading.isWanted !== undefined };
	let hasOwnSizes = false;
	let expected = 0;
	let barren = 0;
	for (let round = 0; round < maxPasses && barren < maxBarren; round++) {
		const before = found.size;
		const pass = new Pass(reading, found, way);
		const outcome = await pass.read();
		if (outcome === 'moved') continue;
		if (outcome === 'otherSizes' || outcome === 'otherOrder') {
			hasOwnSizes ||= outcome === 'otherSizes';
			way = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return outcome;
		expected = Math.max(expected, outcome.expected);
		const isThere = () => outcome.isComplete || found.size >= expected;
		if (isThere()) {
			const isSure =
				pass.isOnePage || (way.mayOverlap && pass.size >= minOverlapping && outcome.isComplete);
			return { ...results(), isSure };
		}
		if (reading.startPage === 1 && !hasOwnSizes) {
			// A count may be any number, but pages meet only where the list is.
			const length = Math.min(outcome.most, pass.reach);
			const seams = await readSeams(reading, found, pass.size, length);
			if (seams) return seams;
			if (found.size >= expected) return { ...results(), isSure: false };
			way = { mayOverlap: false, size: Math.max(1, pass.size - 1) };
		}
		barren = found.size === before ? barren + 1 : 0;
	}
	return found.size < expected
		? unreadable(
				`it counts ${expected} results, but only ${found.size} different ones were found, even after reading the list several times. Narrow the filters, or try again`,
				expected,
			)
		: unreadable('the list changes faster than it can be read. Narrow the filters, or try again');
}

/** Reads the list again wherever two pages of this size meet, each place in the middle of a page. */
async function readSeams(
	{ fetchPage, concurrency: width }: ListRequest,
	found: Found,
	size: number,
	count: number,
): Promise<{ failure: Failure } | undefined> {
	const seams = Array.from({ length: Math.ceil(count / size) - 1 }, (_, index) =>
		centredRange((index + 1) * size, size),
	);
	let failure: Failure | undefined;
	await runConcurrently(seams.length, width, async (index) => {
		const place = seams[index];
		if (!place) return true;
		const outcome: PageOutcome = await fetchPage(place.number, place.size);
		if ('page' in outcome) found.add({ ...outcome.page, start: place.start });
		else if (!isPastTheEnd(outcome)) failure ??= outcome.failure;
		return !failure;
	});
	return failure && { failure };
}
