import type { PageOutcome, Result } from './page';
import { isPastTheEnd, pagingFailure, UniqueResults } from './page';
import type { ListRequest, ReadOptions } from './listReader';
import { ListReader } from './listReader';
import { centredRange, minOverlapping } from './overlap';
import type { Ok } from '../result';
import { failed, ok } from '../result';
import { runConcurrently } from '../transport/concurrency';
import type { FailedAnswer, Failure } from '../transport/failure';

/** `isSure`: no result can be missing, because pages overlapped. Otherwise a missing result is very unlikely. */
type ReadOutcome = (Ok<Result[]> & { isSure: boolean }) | FailedAnswer;

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
	const read = () => ok(unique.inOrder().filter(isWanted).slice(0, limit));
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
		const failure = outcome.ok ? undefined : outcome.failure;
		request.onRound?.(reader, failure === 'ignoresSize');
		if (typeof failure === 'object') return failed(failure);
		if (failure === 'changed') continue;
		if (!outcome.ok) {
			isSizeIgnored ||= failure === 'ignoresSize';
			options = { mayOverlap: false };
			continue;
		}
		const { isComplete, maxCount } = outcome.value;
		expected = Math.max(expected, outcome.value.expected);
		if (isComplete || unique.size >= expected) {
			const isSure =
				reader.isOnePage ||
				(options.mayOverlap && reader.pageLength >= minOverlapping && isComplete);
			return { ...read(), isSure };
		}
		if (request.startPage === 1 && !isSizeIgnored) {
			// The count may be too high, so stop at the last page that was read.
			const length = Math.min(maxCount, reader.reach);
			const notRead = await readAcrossBorders(request, unique, reader.pageLength, { length });
			if (notRead) return notRead;
			if (unique.size >= expected) return { ...read(), isSure: false };
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
	{ length }: { length: number },
): Promise<FailedAnswer | undefined> {
	const ranges = Array.from({ length: Math.ceil(length / size) - 1 }, (_, index) =>
		centredRange((index + 1) * size, size),
	);
	let failure: Failure | undefined;
	await runConcurrently(ranges.length, concurrency, async (index) => {
		const range = ranges[index];
		if (!range) return true;
		const outcome: PageOutcome = await fetchPage(range.number, range.size);
		if (outcome.ok) unique.add({ ...outcome.value, start: range.start });
		else if (!isPastTheEnd(outcome)) failure ??= outcome.failure;
		return !failure;
	});
	return failure && failed(failure);
}
