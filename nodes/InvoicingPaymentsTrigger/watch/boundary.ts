import type { PlacedPage } from '../../shared/pagination/overlap';
import type { Budget } from './budget';

/** What a boundary is looked for in. */
interface Lookable {
	look(page: number): Promise<PlacedPage>;
}

/** Between which pages a boundary lies. Page numbers; 0 is before the first. */
export interface Bracket {
	/** A page that is known to be before it. */
	low: number;
	/** A page that is known not to be, if there is one. */
	high?: number;
}

interface Search extends Bracket {
	/** Where it probably is; the search begins there and moves off in growing steps. */
	guess?: number;
	/** How many requests are to be left over. */
	reserve: number;
}

/**
 * Finds the last page before a boundary. `isBefore` is true for every page up to there and false for all that follow. The bracket
 * is not narrow (`high` > `low` + 1) where the budget did not suffice. `block` is page `low` where it was read.
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
		// As long as it looks the same, further and further; then halves.
		const isGalloping = high === undefined || (guess !== undefined && (was ?? is) === is);
		if (!isGalloping) guess = undefined;
		probe = isGalloping ? at + (is ? step : -step) : undefined;
		step *= 2;
		was = is;
	}
	return { low, high, isFound: isFound(), ...(block?.number === low && { block }) };
}
