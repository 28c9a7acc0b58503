import type { Failure } from '../../shared/transport/failure';

/** It cannot tell what is new. */
export class TooLong extends Error {}

/** Longer lists are not watched: what is remembered of them would be too much for n8n's database. */
export const longestList = 250_000;
/** From here on the administrator of n8n is warned. */
const nearlyTooLong = 0.8 * longestList;
/** A list that goes so deep may be refused for its depth. */
export const leastDepth = 1000;

const most = longestList.toLocaleString('en');

/** `count`: how many there are, where it is known. `noun`: what the list holds, e.g. "invoices". */
export function tooLong(noun: string, count?: number): TooLong {
	const has = count === undefined ? `more than ${most} ${noun}` : `${count} ${noun}`;
	return new TooLong(
		`The list has ${has}; the trigger can watch up to ${most}. Narrow the filters`,
	);
}

/** What the administrator of n8n should know of a list that will soon be too long. */
export const soonTooLong = (noun: string, count: number): string[] =>
	count < nearlyTooLong
		? []
		: [
				`The list has more than ${nearlyTooLong.toLocaleString('en')} ${noun}; the trigger can watch up to ${most}. Narrow its filters in time.`,
			];

/** `seen`: how many the service gave. */
export const tooDeep = (noun: string, seen: number): TooLong =>
	new TooLong(
		`The service refuses to list more than about ${seen} ${noun}, so new ones cannot be told from old ones. Narrow the filters`,
	);

/** Whether a failure is that of a service that refuses deep pages, of a page that begins after `start` results. */
export const isOfDepth = ({ kind, status = 0 }: Failure, start: number): boolean =>
	kind === 'status' && [400, 413, 416, 422, 500, 501].includes(status) && start >= leastDepth;
