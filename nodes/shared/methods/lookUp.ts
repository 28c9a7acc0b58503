import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { plainName } from '../customers/customer';
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

const longest = 60;

/** Text as an entry of a list shows it. */
export const shorten = (text: string) =>
	text.length > longest ? `${text.slice(0, longest)}…` : text;

/** Whether an entry contains each word of a filter, in any case. */
export function containsWords(text: string, filter: string): boolean {
	const plain = plainName(text);
	return plainName(filter)
		.split(' ')
		.every((word) => plain.includes(word));
}
