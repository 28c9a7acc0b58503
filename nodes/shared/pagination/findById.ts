import { quote } from '../fields/text';
import { failed } from '../result';
import type { Client } from '../transport/client';
import type { Results, ResultsRequest } from './fetchResults';
import { fetchResults, unexpected } from './fetchResults';
import type { Result } from './page';
import { isUsableId } from './page';

/**
 * The only way to a single result is the list's `id` filter (spec 4.8). If the service ignores the filter, reads its list until the result
 * comes. Never throws.
 */
export async function findById(
	client: Client,
	{ request: { path }, policy }: ResultsRequest,
	id: string,
	{ noun }: { noun: string },
): Promise<Results> {
	const request = { method: 'GET', path, query: { id } } as const;
	let hasNoId = false;
	const isWanted = ({ id: own }: Result) => {
		hasNoId ||= !isUsableId(own);
		return String(own) === id;
	};
	const found = await fetchResults(client, {
		request,
		response: 'page',
		settings: { limit: 1 },
		isWanted,
		policy,
	});
	if (!found.ok || found.value.length) return found;
	if (hasNoId)
		return unexpected(
			request,
			`${noun}s without id, so it cannot be seen which of them is asked for`,
		);
	const message = `No ${noun} with the ID ${quote(id)} was found in the service`;
	const advice = `Check the ID. The service may list a new ${noun} only after some time: if it was created a moment ago, try again later.`;
	return failed({ kind: 'noMatch', method: 'GET', path, message, advice });
}
