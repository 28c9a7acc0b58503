import type { Failure } from './failure';
import type { PageOutcome } from './page';
import { isRefusal, toPage } from './page';
import type { Manner, Service, ServiceRequest } from './service';
import { callService } from './service';

interface PageSize {
	/** The page that is read first. */
	startPage: number;
	/** How many results to ask for unless a page is asked for in another size. `undefined`: the service decides. */
	size: number | undefined;
	/** Whether the size is the user's wish. Where it is not and the service refuses it, the service decides. */
	isGiven: boolean;
}

/** Reads the pages of a list (spec 4.2, 4.3), by number and size. Never throws. */
export function pageFetcher(
	service: Service,
	request: ServiceRequest,
	{ startPage, isGiven, ...asked }: PageSize,
	manner: (isProbe?: boolean) => Manner,
): (page: number, size?: number, isProbe?: boolean) => Promise<PageOutcome> {
	let { size: standardSize } = asked;
	return async function fetchPage(
		page,
		size = standardSize,
		isProbe = false,
	): Promise<PageOutcome> {
		const query = { ...request.query, page, ...(size && { page_size: size }) };
		const came = await callService(service, { ...request, query }, manner(isProbe));
		if ('body' in came) {
			const read = toPage(came.body);
			return typeof read === 'string' ? unexpected(request, read) : { page: read };
		}
		const isFirst = page === startPage && size === standardSize;
		const mayBeSize = isFirst && size !== undefined && !isGiven;
		if (!mayBeSize || !isRefusal(came.failure)) return came;
		// The largest page is not known (spec 8): the service decides when it does not take ours.
		standardSize = undefined;
		const again = await fetchPage(page);
		return 'failure' in again ? came : again;
	};
}

/** The service answered, but not what the specification says. */
export function unexpected({ method, path }: ServiceRequest, reason: string): { failure: Failure } {
	return { failure: { kind: 'unexpected', method, path, reason } };
}
