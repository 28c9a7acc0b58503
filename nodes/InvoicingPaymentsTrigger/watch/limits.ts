import type { Failure } from '../../shared/transport/failure';

/** The list is too long to find what is new. */
export class TooLong extends Error {}

/** Longer lists are not watched: their state would be too large for n8n's database. */
export const longestList = 250_000;
const nearlyTooLong = 0.8 * longestList;
/** Services may refuse pages with this many results before them. */
export const leastDepth = 1000;

const most = longestList.toLocaleString('en');

/** `count`: length of the list, if known. `noun`: e.g. "invoices". */
export function tooLong(noun: string, count?: number): TooLong {
	const has = count === undefined ? `more than ${most} ${noun}` : `${count} ${noun}`;
	return new TooLong(
		`The list has ${has}; the trigger can watch up to ${most}. Narrow the filters`,
	);
}

export const soonTooLong = (noun: string, count: number): string[] =>
	count < nearlyTooLong
		? []
		: [
				`The list has more than ${nearlyTooLong.toLocaleString('en')} ${noun}; the trigger can watch up to ${most}. Narrow its filters in time.`,
			];

export const tooDeep = (noun: string, seen: number): TooLong =>
	new TooLong(
		`The service refuses to list more than about ${seen} ${noun}, so new ones cannot be told from old ones. Narrow the filters`,
	);

/** Whether a service seems to refuse deep pages. `start`: number of results before the page. */
export const isOfDepth = ({ kind, status = 0 }: Failure, start: number): boolean =>
	kind === 'status' && [400, 413, 416, 422, 500, 501].includes(status) && start >= leastDepth;
