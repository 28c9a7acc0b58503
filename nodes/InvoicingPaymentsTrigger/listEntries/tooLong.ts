import type { Failure } from '../../shared/transport/failure';

/** It cannot tell what is new. */
export class TooLong extends Error {}

/** Longer lists are not watched: what is remembered of them would be too much for n8n's database. */
export const longestList = 50_000;
/** A list that goes so deep may be refused for its depth. */
export const leastDepth = 1000;

/** `count`: how many there are, where it is known. `noun`: what the list holds, e.g. "invoices". */
export function tooLong(noun: string, count?: number): TooLong {
	const most = longestList.toLocaleString('en');
	const has = count === undefined ? `more than ${most} ${noun}` : `${count} ${noun}`;
	return new TooLong(
		`The list has ${has}; the trigger can watch up to ${most}. Narrow the filters`,
	);
}

/** `seen`: how many the service gave. */
export const tooDeep = (noun: string, seen: number): TooLong =>
	new TooLong(
		`The service refuses to list more than about ${seen} ${noun}, so new ones cannot be told from old ones. Narrow the filters`,
	);

/** Whether a failure is that of a service that refuses deep pages, of `size` results. */
export const isOfDepth = ({ kind, status = 0, page = 1 }: Failure, size: number): boolean =>
	kind === 'status' &&
	[400, 413, 416, 422, 501].includes(status) &&
	(page - 1) * size >= leastDepth;
