import type { Failure } from '../transport/failure';
import type { PageOutcome, Result } from './page';
import { isPastTheEnd, pagingFailure, UniqueResults } from './page';
import type { ListRequest, ReadOptions } from './listReader';
import { ListReader } from './listReader';
import { centredRange, minOverlapping } from './overlap';
import { runConcurrently } from '../transport/concurrency';

/** `isSure`: no result can be missing, because pages overlapped. Otherwise a missing result is very unlikely. */
type ReadOutcome = { results: Result[]; isSure: boolean } | { failure: Failure };

const maxRounds = 10;
const maxRoundsWithoutProgress = 2;

interface WholeRequest extends ListRequest {
	/** The service is known to ignore page sizes. */
	ignoresSize?: boolean;
	/** Called after each round, even if time is up. */
	onRound?: (reader: ListReader, ignoresSize: boolean) => void;
}

/**
 * Returns no result twice. If the list changes during the reading, every result that stays listed is still found.
 *
 * A whole list is read in pages of slightly different sizes, which overlap. If two pages share a result, nothing is missing between
 * both. Otherwise both are read again. With a limit, or if the service ignores page sizes, pages cannot overlap. Then two pages fit
 * together if both give the same count.
 *
 * A service may reorder equal results for each page, and so show some twice and others never. If fewer results are found than the
 * service counts, the list is read again with another page size, and with pages across the borders of the previous ones.
 */
export async function readAll(request: WholeRequest): Promise<ReadOutcome> {
	const unique = new UniqueResults();
	const { limit, isWanted = () => true } = request;
	const results = () => ({ results: unique.inOrder().filter(isWanted).slice(0, limit) });
	let isSizeIgnored = request.ignoresSize === true;
	const isWhole = limit === Infinity || request.isWanted !== undefined;
	let options: ReadOptions = { mayOverlap: isWhole && !isSizeIgnored };
	let expected = 0;
	let roundsWithoutProgress = 0;
	for (
		let round = 0;
		round < maxRounds && roundsWithoutProgress < maxRoundsWithoutProgress;
		round++
	) {
		const sizeBefore = unique.size;
		const reader = new ListReader(request, unique, options);
		const outcome = await reader.read();
		request.onRound?.(reader, outcome === 'ignoresSize');
		if (outcome === 'changed') continue;
		if (outcome === 'ignoresSize' || outcome === 'reorders') {
			isSizeIgnored ||= outcome === 'ignoresSize';
			options = { mayOverlap: false };
			continue;
		}
		if ('failure' in outcome) return outcome;
		expected = Math.max(expected, outcome.expected);
		if (outcome.isComplete || unique.size >= expected) {
			const isSure =
				reader.isOnePage ||
				(options.mayOverlap && reader.pageLength >= minOverlapping && outcome.isComplete);
			return { ...results(), isSure };
		}
		if (request.startPage === 1 && !isSizeIgnored) {
			// The count may be too high, so stop at the last page that was read.
			const length = Math.min(outcome.maxCount, reader.reach);
			const failed = await readAcrossBorders(request, unique, reader.pageLength, length);
			if (failed) return failed;
			if (unique.size >= expected) return { ...results(), isSure: false };
			options = { mayOverlap: false, size: Math.max(1, reader.pageLength - 1) };
		}
		roundsWithoutProgress = unique.size === sizeBefore ? roundsWithoutProgress + 1 : 0;
	}
	return unique.size < expected
		? pagingFailure(
				`it counts ${expected} results, but only ${unique.size} different ones were found, even after reading the list several times. Narrow the filters, or try again`,
				expected,
			)
		: pagingFailure(
				'the list changes faster than it can be read. Narrow the filters, or try again',
			);
}

async function readAcrossBorders(
	{ fetchPage, concurrency }: ListRequest,
	unique: UniqueResults,
	size: number,
	length: number,
): Promise<{ failure: Failure } | undefined> {
	const ranges = Array.from({ length: Math.ceil(length / size) - 1 }, (_, index) =>
		centredRange((index + 1) * size, size),
	);
	let failure: Failure | undefined;
	await runConcurrently(ranges.length, concurrency, async (index) => {
		const range = ranges[index];
		if (!range) return true;
		const outcome: PageOutcome = await fetchPage(range.number, range.size);
		if ('page' in outcome) unique.add({ ...outcome.page, start: range.start });
		else if (!isPastTheEnd(outcome)) failure ??= outcome.failure;
		return !failure;
	});
	return failure && { failure };
}
