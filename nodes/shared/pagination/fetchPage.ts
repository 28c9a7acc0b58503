import type { Failure } from '../transport/failure';
import type { PageOutcome } from './page';
import { isRefusal, toPage } from './page';
import type { RequestPolicy, Client, ServiceRequest } from '../transport/client';
import { sendRequest } from '../transport/client';

interface PageSize {
	startPage: number;
	/** Results per page, unless a request asks for another size. `undefined`: the service decides. */
	size: number | undefined;
	/** The user set the size. If not, and the service refuses it, the service decides. */
	isUserSetting: boolean;
}

/** Returns a reader for the pages of a list (spec 4.2, 4.3). The reader never throws. */
export function pageFetcher(
	client: Client,
	request: ServiceRequest,
	{ startPage, isUserSetting, ...options }: PageSize,
	policyFor: (isProbe?: boolean) => RequestPolicy,
	send = sendRequest,
): (page: number, size?: number, isProbe?: boolean) => Promise<PageOutcome> {
	let { size: defaultSize } = options;
	return async function fetchPage(page, size = defaultSize, isProbe = false): Promise<PageOutcome> {
		const query = { ...request.query, page, ...(size && { page_size: size }) };
		const answer = await send(client, { ...request, query }, policyFor(isProbe));
		if ('body' in answer) {
			const read = toPage(answer.body);
			return typeof read === 'string' ? unexpected(request, read) : { page: read };
		}
		const isFirst = page === startPage && size === defaultSize;
		const mayBeSize = isFirst && size !== undefined && !isUserSetting;
		const failed = { failure: { ...answer.failure, page } };
		if (!mayBeSize || !isRefusal(answer.failure)) return failed;
		// The largest page size is unknown (spec 8), so fall back to the service's own.
		defaultSize = undefined;
		const again = await fetchPage(page);
		return 'failure' in again ? failed : again;
	};
}

/** The failure for an answer that breaks the specification. */
export function unexpected({ method, path }: ServiceRequest, reason: string): { failure: Failure } {
	return { failure: { kind: 'unexpected', method, path, reason } };
}
