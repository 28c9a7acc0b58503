import type { Budget } from './budget';
import { reservedRequests } from './budget';
import type { Bracket } from './cursor';
import type { ListPage, Poll } from './poll';

/**
 * Finds the last page for which `isBefore` is true: `low`. If the budget runs out, `high` stays further away. With a `guess`, it takes
 * growing steps from there, and then halves.
 */
export async function findBoundary(
	list: Pick<Poll, 'peek'> & { readonly budget: Pick<Budget, 'left'> },
	isBefore: (page: ListPage) => boolean,
	{ low, high, guess }: Bracket & { guess?: number },
): Promise<{ bracket: Bracket; isFound: boolean }> {
	let step = 1;
	let candidate = guess;
	let lastAnswer: boolean | undefined;
	const isFound = () => high !== undefined && high - low <= 1;
	while (!isFound() && list.budget.left > reservedRequests) {
		const isInside = candidate !== undefined && candidate > low && candidate < (high ?? Infinity);
		if (!isInside) candidate = high === undefined ? low + step : Math.floor((low + high) / 2);
		const number = candidate as number;
		const answer = isBefore(await list.peek(number));
		if (answer) low = number;
		else high = number;
		// Until the answer changes.
		const isGalloping =
			high === undefined || (guess !== undefined && (lastAnswer ?? answer) === answer);
		if (!isGalloping) guess = undefined;
		candidate = isGalloping ? number + (answer ? step : -step) : undefined;
		step *= 2;
		lastAnswer = answer;
	}
	return { bracket: { low, ...(high !== undefined && { high }) }, isFound: isFound() };
}
