/** How a list is sorted by when its results were made, if it is. */
export type Direction = 'newestFirst' | 'oldestFirst';

/** How far (milliseconds) results of a sorted list stand from where they belong. */
export type Order = { direction: Direction; slack: number } | { direction: 'none' };

/** When the results of a page were made, in the order of the list; `undefined`: it does not say. */
type Moments = Array<number | undefined>;

/** Runs of so many results are compared by their newest: single ones may stand anywhere, e.g. one that moved to the top. */
const longestRun = 5;
/** So many runs must be clearly older, or newer, than the one before. */
const leastSteps = 4;
/** A list without an order may look sorted by chance, but not more often than this. */
const mostByChance = 1e-6;

const lengthOfRun = ({ length }: Moments) =>
	Math.max(1, Math.min(longestRun, Math.floor(length / 2)));
/** A short list is compared in more detail. */
const lengthForOrder = (count: number) => Math.max(1, Math.min(longestRun, Math.floor(count / 10)));

function newestOf(moments: Moments): number | undefined {
	const dated = moments.filter((time) => time !== undefined);
	return dated.length ? Math.max(...dated) : undefined;
}

/** When the newest of the first results of a page was made. */
export const newestAtStart = (page: Moments) => newestOf(page.slice(0, lengthOfRun(page)));
/** The same of the last ones. */
export const newestAtEnd = (page: Moments) => newestOf(page.slice(-lengthOfRun(page)));

/** The newest of each run of a page; what is left over belongs to the last one. */
function runsOf(page: Moments, length = lengthOfRun(page)): number[] {
	const count = Math.max(1, Math.floor(page.length / length));
	return Array.from({ length: count }, (_, at) =>
		newestOf(page.slice(at * length, at + 1 < count ? (at + 1) * length : undefined)),
	).filter((time) => time !== undefined);
}

/**
 * How far (milliseconds) pages, given in the order of the list, are from being sorted: what comes later is at most so much newer,
 * or older, than what comes before.
 */
export const slackOf = (pages: Moments[], direction: Direction): number =>
	slackOfRuns(
		pages.flatMap((page) => runsOf(page)),
		direction,
	);

function slackOfRuns(runs: number[], direction: Direction): number {
	const sign = direction === 'newestFirst' ? 1 : -1;
	let least = Infinity;
	let slack = 0;
	for (const time of runs) {
		slack = Math.max(slack, sign * time - least);
		least = Math.min(least, sign * time);
	}
	return slack;
}

/** How pages of a list are sorted (spec 4.8: not shown), as far as `most` milliseconds of disorder count as order. */
export function orderOf(pages: Moments[], most: number): Order {
	const length = lengthForOrder(pages.flat().length);
	const runs = pages.flatMap((page) => runsOf(page, length));
	const [down, up] = [slackOfRuns(runs, 'newestFirst'), slackOfRuns(runs, 'oldestFirst')];
	const slack = Math.min(down, up);
	const sign = down <= up ? 1 : -1;
	const steps = runs.filter((time, at) => at > 0 && sign * (runs[at - 1] - time) > slack);
	if (slack > most || steps.length < leastSteps || 2 * chanceOf(runs, slack) > mostByChance)
		return { direction: 'none' };
	const direction = down <= up ? 'newestFirst' : 'oldestFirst';
	return { direction, slack: slackOf(pages, direction) };
}

/** How probable it is that moments in any order look sorted, those counting as equal that are at most `slack` milliseconds apart. */
function chanceOf(moments: number[], slack: number): number {
	let chance = 1;
	let equal = 0;
	[...moments]
		.sort((a, b) => a - b)
		.forEach((time, at, all) => {
			equal = at > 0 && time - all[at - 1] <= slack ? equal + 1 : 1;
			chance *= equal / (at + 1);
		});
	return chance;
}
