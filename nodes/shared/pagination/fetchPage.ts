import type { Failure } from '../transport/failure';
import type { PageOutcome } from './page';
import { isRefusal, toPage } from './page';
import type { RequestPolicy, Client, ServiceRequest } from '../transport/client';
import { sendRequest } from '../transport/client';

interface PageSize {
	/** The page that is read first. */
	startPage: number;
	/** How many results to ask for unless a page is asked for in another size. `undefined`: the service decides. */
	size: number | undefined;
	/** Whether the size is the user's wish. Where it is not and the service refuses it, the service decides. */
	isGiven: boolean;
}

/** Reads the pages of a list (spec 4.2, 4.3), by number and size. Never throws. `send`: how requests are sent. */
export function pageFetcher(
	client: Client,
	request: ServiceRequest,
	{ startPage, isGiven, ...asked }: PageSize,
	policyFor: (isProbe?: boolean) => RequestPolicy,
	send = sendRequest,
): (page: number, size?: number, isProbe?: boolean) => Promise<PageOutcome> {
	let { size: defaultSize } = asked;
	return async function fetchPage(page, size = defaultSize, isProbe = false): Promise<PageOutcome> {
		const query = { ...request.query, page, ...(size && { page_size: size }) };
		const came = await send(client, { ...request, query }, policyFor(isProbe));
		if ('body' in came) {
			const read = toPage(came.body);
			return typeof read === 'string' ? unexpected(request, read) : { page: read };
		}
		const isFirst = page === startPage && size === defaultSize;
		const mayBeSize = isFirst && size !== undefined && !isGiven;
		const failed = { failure: { ...came.failure, page } };
		if (!mayBeSize || !isRefusal(came.failure)) return failed;
		// The largest page is not known (spec 8): the service decides when it does not take ours.
		defaultSize = undefined;
		const again = await fetchPage(page);
		return 'failure' in again ? failed : again;
	};
}

/** The service answered, but not what the specification says. */
export function unexpected({ method, path }: ServiceRequest, reason: string): { failure: Failure } {
	return { failure: { kind: 'unexpected', method, path, reason } };
}
