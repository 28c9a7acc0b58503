import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { plainName } from '../customers/customer';
import { toNodeError } from '../errors/nodeErrors';
import { fetchResults } from '../pagination/fetchResults';
import type { ResultsRequest } from '../pagination/fetchResults';
import { openClient, defaultPolicy } from '../transport/client';

/** Short limits: the user sees an empty list meanwhile. */
export const editorPolicy = { ...defaultPolicy, timeout: 15_000, maxWait: 5000 };

/** Reads a list for the editor. Throws a NodeApiError, whose message the editor shows instead of the list. */
export async function lookUp(
	context: ILoadOptionsFunctions,
	path: string,
	{
		response,
		settings,
		query,
	}: Pick<ResultsRequest, 'response' | 'settings'> & { query?: IDataObject },
): Promise<Array<Record<string, unknown>>> {
	const request = { method: 'GET', path, query } as const;
	const client = await openClient(context);
	const performed =
		'problem' in client
			? { failure: { ...request, kind: 'configuration', reason: client.problem } as const }
			: await fetchResults(client, { request, response, settings, policy: editorPolicy });
	if ('failure' in performed) throw toNodeError(context.getNode(), performed.failure);
	return performed.results;
}

/** The editor asks for more entries as the user scrolls down. */
const pageSize = 100;

/** A page of the entries. `paginationToken` is the index of its first entry, and of the next page's in the result. */
export function pageOf(
	entries: INodeListSearchResult['results'],
	paginationToken: string,
): INodeListSearchResult {
	const end = Number(paginationToken) + pageSize;
	return {
		results: entries.slice(Number(paginationToken), end),
		...(end < entries.length && { paginationToken: String(end) }),
	};
}

/** Whether the text contains each word of the filter, in any case. */
export function containsWords(text: string, filter: string): boolean {
	const plain = plainName(text);
	return plainName(filter)
		.split(' ')
		.every((word) => plain.includes(word));
}
