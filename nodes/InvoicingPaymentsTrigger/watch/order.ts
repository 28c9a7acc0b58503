export type Direction = 'newestFirst' | 'oldestFirst';

/** `slack`: how far creation times are out of order (milliseconds). */
export type Order = { direction: Direction; slack: number } | { direction: 'none' };

type CreationTimes = Array<number | undefined>;

/** Compares runs of this many results by their newest, because single results may be anywhere. */
const maxRunLength = 5;
/** This many runs must be clearly older, or newer, than the one before. */
const minSteps = 4;
/** Maximum probability that an unsorted list looks sorted by chance. */
const maxProbability = 1e-6;

const lengthOfRun = ({ length }: CreationTimes) =>
	Math.max(1, Math.min(maxRunLength, Math.floor(length / 2)));
const lengthForOrder = (count: number) =>
	Math.max(1, Math.min(maxRunLength, Math.floor(count / 10)));

function latestOf(times: CreationTimes): number | undefined {
	const dated = times.filter((time) => time !== undefined);
	return dated.length ? Math.max(...dated) : undefined;
}

export const newestAtStart = (page: CreationTimes) => latestOf(page.slice(0, lengthOfRun(page)));
export const newestAtEnd = (page: CreationTimes) => latestOf(page.slice(-lengthOfRun(page)));

function runsOf(page: CreationTimes, length = lengthOfRun(page)): number[] {
	const count = Math.max(1, Math.floor(page.length / length));
	return Array.from({ length: count }, (_, at) =>
		latestOf(page.slice(at * length, at + 1 < count ? (at + 1) * length : undefined)),
	).filter((time) => time !== undefined);
}

/** How far results are out of order at most (milliseconds). */
export const slackOf = (pages: CreationTimes[], direction: Direction): number =>
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

/** The spec does not say how lists are sorted (4.8). `tolerance`: in milliseconds. */
export function orderOf(pages: CreationTimes[], tolerance: number): Order {
	const length = lengthForOrder(pages.flat().length);
	const runs = pages.flatMap((page) => runsOf(page, length));
	const [down, up] = [slackOfRuns(runs, 'newestFirst'), slackOfRuns(runs, 'oldestFirst')];
	const slack = Math.min(down, up);
	const sign = down <= up ? 1 : -1;
	const steps = runs.filter((time, at) => at > 0 && sign * (runs[at - 1] - time) > slack);
	if (
		slack > tolerance ||
		steps.length < minSteps ||
		2 * probabilityOf(runs, slack) > maxProbability
	)
		return { direction: 'none' };
	const direction = down <= up ? 'newestFirst' : 'oldestFirst';
	return { direction, slack: slackOf(pages, direction) };
}

/** Probability that random times look sorted. Times up to `slack` milliseconds apart count as equal. */
function probabilityOf(times: number[], slack: number): number {
	let chance = 1;
	let equal = 0;
	[...times]
		.sort((a, b) => a - b)
		.forEach((time, at, all) => {
			equal = at > 0 && time - all[at - 1] <= slack ? equal + 1 : 1;
			chance *= equal / (at + 1);
		});
	return chance;
}
