import type { Failure } from '../transport/failure';
import type { Page, PageOutcome } from './page';
import { UniqueResults, isPastTheEnd, pagingFailure } from './page';
import type { ListRequest, ReadOptions } from './listReader';
import { ListReader } from './listReader';
import { centredRange, minOverlapping } from './overlap';
import { runConcurrently } from '../transport/concurrency';

/** `isSure`: nothing can be missing, because pages overlapped. Otherwise that is just very unlikely. */
export type ReadOutcome = { results: Page['results']; isSure: boolean } | { failure: Failure };

const maxRounds = 10;
const maxRoundsWithoutProgress = 2;

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
export async function readAll(request: ListRequest): Promise<ReadOutcome> {
	const found = new UniqueResults();
	const { limit, isWanted = () => true } = request;
	const results = () => ({ results: found.inOrder().filter(isWanted).slice(0, limit) });
	let options: ReadOptions = { mayOverlap: limit === Infinity || request.isWanted !== undefined };
	let ignoresPageSize = false;
	let expected = 0;
	let roundsWithoutProgress = 0;
	for (
		let round = 0;
		round < maxRounds && roundsWithoutProgress < maxRoundsWithoutProgress;
		round++
	) {
		const before = found.size;
		const reader = new ListReader(request, found, options);
		const outcome = await reader.read();
		if (outcome === 'moved') continue;
		if (outcome === 'otherSizes' || outcome === 'otherOrder') {
			ignoresPageSize ||= outcome === 'otherSizes';
			options = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return outcome;
		expected = Math.max(expected, outcome.expected);
		const isThere = () => outcome.isComplete || found.size >= expected;
		if (isThere()) {
			const isSure =
				reader.isOnePage ||
				(options.mayOverlap && reader.size >= minOverlapping && outcome.isComplete);
			return { ...results(), isSure };
		}
		if (request.startPage === 1 && !ignoresPageSize) {
			// The count may be wrong, but seams only exist where pages are.
			const length = Math.min(outcome.maxCount, reader.reach);
			const seams = await readSeams(request, found, reader.size, length);
			if (seams) return seams;
			if (found.size >= expected) return { ...results(), isSure: false };
			options = { mayOverlap: false, size: Math.max(1, reader.size - 1) };
		}
		roundsWithoutProgress = found.size === before ? roundsWithoutProgress + 1 : 0;
	}
	return found.size < expected
		? pagingFailure(
				`it counts ${expected} results, but only ${found.size} different ones were found, even after reading the list several times. Narrow the filters, or try again`,
				expected,
			)
		: pagingFailure(
				'the list changes faster than it can be read. Narrow the filters, or try again',
			);
}

/** Reads the list again across the seams between pages of this size. */
async function readSeams(
	{ fetchPage, concurrency: width }: ListRequest,
	found: UniqueResults,
	size: number,
	count: number,
): Promise<{ failure: Failure } | undefined> {
	const seams = Array.from({ length: Math.ceil(count / size) - 1 }, (_, index) =>
		centredRange((index + 1) * size, size),
	);
	let failure: Failure | undefined;
	await runConcurrently(seams.length, width, async (index) => {
		const range = seams[index];
		if (!range) return true;
		const outcome: PageOutcome = await fetchPage(range.number, range.size);
		if ('page' in outcome) found.add({ ...outcome.page, start: range.start });
		else if (!isPastTheEnd(outcome)) failure ??= outcome.failure;
		return !failure;
	});
	return failure && { failure };
}
