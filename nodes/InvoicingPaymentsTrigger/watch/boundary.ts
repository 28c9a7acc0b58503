import type { PageWithRange } from '../../shared/pagination/overlap';
import type { Budget } from './budget';

interface PageSource {
	peek(page: number): Promise<PageWithRange>;
}

/** Numbers of the pages around a boundary. 0 is before the first page. */
export interface Bracket {
	/** A page before the boundary. */
	low: number;
	/** A page that is not before it, if known. */
	high?: number;
}

interface BoundarySearch extends Bracket {
	guess?: number;
	/** Requests to leave unused. */
	reserve: number;
}

/**
 * Finds the last page before a boundary. `isBefore` is true up to that page, and false after it. If the budget runs
 * out, the bracket stays wide (`high` > `low` + 1).
 */
export async function findBoundary(
	pages: PageSource,
	budget: Budget,
	isBefore: (page: PageWithRange) => boolean,
	{ low, high, guess, reserve }: BoundarySearch,
): Promise<Bracket & { isFound: boolean }> {
	let step = 1;
	let candidate = guess;
	let lastAnswer: boolean | undefined;
	const isFound = () => high !== undefined && high - low <= 1;
	while (!isFound() && budget.left > reserve) {
		const isInside = candidate !== undefined && candidate > low && candidate < (high ?? Infinity);
		if (!isInside) candidate = high === undefined ? low + step : Math.floor((low + high) / 2);
		const at = candidate as number;
		const answer = isBefore(await pages.peek(at));
		if (answer) low = at;
		else high = at;
		// Take growing steps while the answers stay the same, then halve the bracket.
		const isGalloping =
			high === undefined || (guess !== undefined && (lastAnswer ?? answer) === answer);
		if (!isGalloping) guess = undefined;
		candidate = isGalloping ? at + (answer ? step : -step) : undefined;
		step *= 2;
		lastAnswer = answer;
	}
	return { low, high, isFound: isFound() };
}
