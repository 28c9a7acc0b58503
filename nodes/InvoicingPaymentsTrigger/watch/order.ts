/** How a list is sorted by when its results were made, if it is. */
export type Direction = 'newestFirst' | 'oldestFirst';

/** How far (milliseconds) results of a sorted list stand from where they belong. */
export type Order = { direction: Direction; slack: number } | { direction: 'none' };

/** When the results of a page were made, in the order of the list; `undefined`: it does not say. */
type Moments = Array<number | undefined>;

/** Runs of so many results are compared by their newest: single ones may stand anywhere, e.g. one that moved to the top. */
const longestRun = 5;
/** So many runs must be clearly older, or newer, than the one before: a few may look sorted by chance. */
const leastEvidence = 4;

const lengthOfRun = ({ length }: Moments) =>
	Math.max(1, Math.min(longestRun, Math.floor(length / 2)));

function newestOf(moments: Moments): number | undefined {
	const dated = moments.filter((time) => time !== undefined);
	return dated.length ? Math.max(...dated) : undefined;
}

/** When the newest of the first results of a page was made. */
export const newestAtStart = (page: Moments) => newestOf(page.slice(0, lengthOfRun(page)));
/** The same of the last ones. */
export const newestAtEnd = (page: Moments) => newestOf(page.slice(-lengthOfRun(page)));

/** The newest of each run of a page. */
function runsOf(page: Moments): number[] {
	const length = lengthOfRun(page);
	const count = Math.ceil(page.length / length);
	return Array.from({ length: count }, (_, at) =>
		newestOf(page.slice(at * length, (at + 1) * length)),
	).filter((time) => time !== undefined);
}

/**
 * How far (milliseconds) pages, given in the order of the list, are from being sorted: what comes later is at most so much newer,
 * or older, than what comes before.
 */
export function slackOf(pages: Moments[], direction: Direction): number {
	const sign = direction === 'newestFirst' ? 1 : -1;
	let least = Infinity;
	let slack = 0;
	for (const time of pages.flatMap(runsOf)) {
		slack = Math.max(slack, sign * time - least);
		least = Math.min(least, sign * time);
	}
	return slack;
}

/** How pages of a list are sorted (spec 4.8: not shown), as far as `most` milliseconds of disorder count as order. */
export function orderOf(pages: Moments[], most: number): Order {
	const runs = pages.flatMap(runsOf);
	const [down, up] = [slackOf(pages, 'newestFirst'), slackOf(pages, 'oldestFirst')];
	const slack = Math.min(down, up);
	const sign = down <= up ? 1 : -1;
	const steps = runs.filter((time, at) => at > 0 && sign * (runs[at - 1] - time) > slack);
	if (slack > most || steps.length < leastEvidence) return { direction: 'none' };
	return { direction: down <= up ? 'newestFirst' : 'oldestFirst', slack };
}
