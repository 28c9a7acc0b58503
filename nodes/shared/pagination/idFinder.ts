import { quote } from '../fields/text';
import type { Client } from '../transport/client';
import type { Results, ResultsRequest } from './fetchResults';
import { unexpected, fetchResults } from './fetchResults';
import type { Result } from './page';
import { isUsableId } from './page';
import { RecentList } from './recentList';

/**
 * The only way to a single result is the list's `id` filter (spec 4.8). If the service ignores the filter, reads the whole list once
 * for all items of an attempt. A part of an attempt, because an old list may lack new results.
 */
export class IdFinder {
	private isFilterIgnored = false;
	private canReadAll = true;
	private readonly all = new RecentList(readAllById);

	/** Never throws. */
	async find(client: Client, task: ResultsRequest, id: string, noun: string): Promise<Results> {
		if (this.isFilterIgnored && this.canReadAll) {
			const list = await this.all.get(client, task).read;
			if ('failure' in list) this.canReadAll = false;
			else return oneOf(list.get(id), task, id, noun);
		}
		const request = { method: 'GET', path: task.request.path, query: { id } } as const;
		let hasOthers = false;
		let hasNoId = false;
		const isWanted = ({ id: other }: Result) => {
			const isMatch = String(other) === id;
			if (!isUsableId(other)) hasNoId = true;
			else if (!isMatch) hasOthers = true;
			return isMatch;
		};
		const settings = { limit: 1 };
		const { policy } = task;
		const outcome = await fetchResults(client, {
			request,
			response: 'page',
			settings,
			isWanted,
			policy,
		});
		if ('failure' in outcome) return outcome;
		if (hasOthers) this.isFilterIgnored = true;
		if (outcome.results.length) return outcome;
		if (hasNoId) {
			return unexpected(
				request,
				`${noun}s without id, so it cannot be seen which of them is asked for`,
			);
		}
		return oneOf(undefined, task, id, noun);
	}
}

async function readAllById(client: Client, { request: { path }, policy }: ResultsRequest) {
	const request = { method: 'GET', path } as const;
	const settings = { returnAll: true };
	const found = await fetchResults(client, { request, response: 'page', settings, policy });
	if ('failure' in found) return found;
	return new Map(found.results.map((result) => [String(result.id), result]));
}

function oneOf(result: Result | undefined, task: ResultsRequest, id: string, noun: string) {
	if (result) return { results: [result] };
	const { path } = task.request;
	const message = `No ${noun} with the ID ${quote(id)} was found in the service`;
	const advice = `Check the ID. The service may list a new ${noun} only after some time: if it was created a moment ago, try again later.`;
	return { failure: { kind: 'done', method: 'GET', path, message, advice } as const };
}
