import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { fetchResults } from '../pagination/fetchResults';
import type { ResultsRequest } from '../pagination/fetchResults';
import { openClient, defaultPolicy } from '../transport/client';

/** Somebody looks at an empty list. */
export const editorPolicy = { ...defaultPolicy, timeout: 15_000, maxWait: 5000 };

/** What the service lists, for a list in n8n's editor. Throws a NodeApiError, whose words the editor shows in the list's place. */
export async function lookUp(
	context: ILoadOptionsFunctions,
	path: string,
	{ response, settings }: Pick<ResultsRequest, 'response' | 'settings'>,
): Promise<Array<Record<string, unknown>>> {
	const request = { method: 'GET', path } as const;
	const client = await openClient(context);
	const performed =
		'problem' in client
			? { failure: { ...request, kind: 'configuration', reason: client.problem } as const }
			: await fetchResults(client, { request, response, settings, policy: editorPolicy });
	if ('failure' in performed) throw toNodeError(context.getNode(), performed.failure);
	return performed.results;
}

/** How many entries the editor gets at a time; it asks for more when one scrolls down. */
const pageSize = 100;

/** The entries from the place in the list on that `paginationToken` says, and where to go on. */
export function partOf(
	entries: INodeListSearchResult['results'],
	paginationToken: string,
): INodeListSearchResult {
	const end = Number(paginationToken) + pageSize;
	return {
		results: entries.slice(Number(paginationToken), end),
		...(end < entries.length && { paginationToken: String(end) }),
	};
}
