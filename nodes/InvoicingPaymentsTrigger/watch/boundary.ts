import type { PlacedPage } from '../../shared/pagination/overlap';
import type { Budget } from './budget';

interface Lookable {
	look(page: number): Promise<PlacedPage>;
}

/** Numbers of the pages around a boundary. 0 is before the first page. */
export interface Bracket {
	/** A page before the boundary. */
	low: number;
	/** A page that is not before it, if known. */
	high?: number;
}

interface Search extends Bracket {
	guess?: number;
	/** Requests to leave unused. */
	reserve: number;
}

/**
 * Finds the last page before a boundary. `isBefore` is true up to that page, and false after it. If the budget runs
 * out, the bracket stays wide (`high` > `low` + 1). `block` is page `low`, if it was read.
 */
export async function findBoundary(
	pages: Lookable,
	budget: Budget,
	isBefore: (block: PlacedPage) => boolean,
	{ low, high, guess, reserve }: Search,
): Promise<Bracket & { isFound: boolean; block?: PlacedPage }> {
	let block: PlacedPage | undefined;
	let step = 1;
	let probe = guess;
	let was: boolean | undefined;
	const isFound = () => high !== undefined && high - low <= 1;
	while (!isFound() && budget.left > reserve) {
		const isInside = probe !== undefined && probe > low && probe < (high ?? Infinity);
		if (!isInside) probe = high === undefined ? low + step : Math.floor((low + high) / 2);
		const at = probe as number;
		const read = await pages.look(at);
		const is = isBefore(read);
		if (is) {
			low = at;
			block = read;
		} else high = at;
		// Take growing steps while the answers stay the same, then halve the bracket.
		const isGalloping = high === undefined || (guess !== undefined && (was ?? is) === is);
		if (!isGalloping) guess = undefined;
		probe = isGalloping ? at + (is ? step : -step) : undefined;
		step *= 2;
		was = is;
	}
	return { low, high, isFound: isFound(), ...(block?.number === low && { block }) };
}
