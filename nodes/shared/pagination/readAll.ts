import type { Failure } from '../transport/failure';
import { Found } from './found';
import type { Page, PageOutcome } from './page';
import { isPastTheEnd } from './page';
import type { ListRequest, PassOptions } from './pass';
import { Pass, unreadable } from './pass';
import { centredRange, minOverlapping } from './overlap';
import { runConcurrently } from '../transport/concurrency';

/** `isSure`: nothing can be missing, because pages overlapped. Otherwise that is just very unlikely. */
export type ReadOutcome = { results: Page['results']; isSure: boolean } | { failure: Failure };

const maxPasses = 10;
const maxBarren = 2;

/**
 * Reads a list from `startPage` on, until `limit` results are found or the list ends: `next` is null, or a page is
 * empty. `next` itself is never requested. Later pages are read in parallel. No result is returned twice. With
 * `isWanted`, the limit counts wanted results only.
 *
 * A list may change while it is read, so its results move from page to page. A whole list is therefore read in pages
 * of slightly different sizes, which overlap. If two pages share a result, nothing that was listed throughout is
 * missing between them. If they share none, they are read again. Pages cannot overlap if the service ignores sizes,
 * or if there is a limit, which must not cost extra pages. They then fit together if both give the same count.
 *
 * A service may order equal results differently for each page, and so show some twice and others never. If fewer
 * results were found than the service counts, the list is read again: with another page size, and across the seams
 * between pages. The findings are merged.
 *
 * Failures: a page that repeats earlier ones but says that more follow; a list that is shorter than its count; one
 * that never ends; one that changes faster than it can be read.
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
			// The count may be wrong, but seams only exist where pages are.
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

/** Reads the list again across the seams between pages of this size. */
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
