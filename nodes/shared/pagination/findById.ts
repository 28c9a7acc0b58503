import { quote } from '../fields/text';
import type { Client } from '../transport/client';
import type { Results, ResultsRequest } from './fetchResults';
import { unexpected, fetchResults } from './fetchResults';
import { isUsableId } from './page';
import { RecentList } from './recentList';

type Result = Record<string, unknown>;

/** Services may change the case of a UUID. */
const plainId = (id: unknown) => String(id).trim().toLowerCase();

/**
 * Finds results of a list by ID, as the service has no endpoint for a single one (spec 4.8). Uses the list's filter
 * `id` (spec 4.2, 4.3), but compares the IDs, because the filter may be ignored or match parts. If it is ignored, the
 * whole list is read once for all further IDs.
 */
class IdFinder {
	private isIgnored = false;
	/** False if the service refused to list everything. Then each ID is searched for separately. */
	private canReadWhole = true;
	private readonly whole = new RecentList(readWhole);

	/** Returns one result, or a failure if there is none. Never throws. */
	async find(client: Client, task: ResultsRequest, id: string, noun: string): Promise<Results> {
		if (this.isIgnored && this.canReadWhole) {
			const list = await this.whole.get(client, task).read;
			if ('failure' in list) this.canReadWhole = false;
			else return oneOf(list.get(plainId(id)), task, id, noun);
		}
		// The service may compare IDs exactly, but write them in another case.
		for (const form of new Set([id, id.toLowerCase(), id.toUpperCase()])) {
			const asked = await this.ask(client, task, form, noun);
			if ('failure' in asked || asked.results.length || asked.hasOthers) return asked;
		}
		return oneOf(undefined, task, id, noun);
	}

	private async ask(client: Client, task: ResultsRequest, id: string, noun: string) {
		const request = { method: 'GET', path: task.request.path, query: { id } } as const;
		let hasOthers = false;
		let hasNoId = false;
		const isWanted = ({ id: other }: Result) => {
			const isMatch = plainId(other) === plainId(id);
			if (!isUsableId(other)) hasNoId = true;
			else if (!isMatch) hasOthers = true;
			return isMatch;
		};
		const settings = { limit: 1 };
		const { policy } = task;
		const found = await fetchResults(client, {
			request,
			response: 'page',
			settings,
			isWanted,
			policy,
		});
		if ('failure' in found) return found;
		if (hasOthers) this.isIgnored = true;
		if (found.results.length) return { ...found, hasOthers };
		if (hasNoId) {
			return unexpected(
				request,
				`${noun}s without id, so it cannot be seen which of them is asked for`,
			);
		}
		return hasOthers ? oneOf(undefined, task, id, noun) : { results: [], hasOthers };
	}
}

async function readWhole(client: Client, { request: { path }, policy }: ResultsRequest) {
	const request = { method: 'GET', path } as const;
	const settings = { returnAll: true };
	const found = await fetchResults(client, { request, response: 'page', settings, policy });
	if ('failure' in found) return found;
	return new Map(found.results.map((result) => [plainId(result.id), result]));
}

function oneOf(result: Result | undefined, task: ResultsRequest, id: string, noun: string) {
	if (result) return { results: [result], hasOthers: false };
	const { path } = task.request;
	const message = `No ${noun} with the ID ${quote(id)} was found in the service`;
	const advice = `Check the ID. The service may list a new ${noun} only after some time: if it was created a moment ago, try again later.`;
	return { failure: { kind: 'done', method: 'GET', path, message, advice } as const };
}

const finders = new WeakMap<Client, IdFinder>();

/**
 * Finds one result of a list by its ID. Never throws. `client`: all items of a run share one, and with it the list;
 * each retry needs a new one, because a lagging list may be right by then. `noun`: e.g. "charge".
 */
export async function findById(
	client: Client,
	task: ResultsRequest,
	{ id, noun }: { id: string; noun: string },
): Promise<Results> {
	const finder = finders.get(client) ?? new IdFinder();
	finders.set(client, finder);
	return await finder.find(client, task, id, noun);
}
