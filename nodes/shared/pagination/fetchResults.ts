import type { Client, RequestPolicy, ServiceRequest } from '../transport/client';
import { sendRequest } from '../transport/client';
import type { Failure } from '../transport/failure';
import { pageFetcher, unexpected } from './fetchPage';
import { isListOfObjects, isUsableId } from './page';
import { readAll } from './readAll';

/** `isSure`: a whole list of which nothing that was there all the time can be missing. */
export type Results =
	| { results: Array<Record<string, unknown>>; isSure?: boolean }
	| { failure: Failure };

/** What the response is: one object, a page of a list (spec 4.2, 4.3), or an array (spec 4.7). */
export type ResponseKind = 'object' | 'page' | 'array';

/** Which results of a list are wanted. */
export interface ListSettings {
	returnAll?: boolean;
	limit?: number;
	/** The page to begin with, counted from 1. */
	startPage?: number;
	pageSize?: number;
}

/** How many results are asked for in one request by default. */
export const defaultPageSize = 100;
/** The limit that n8n's editor begins with applies as well where an expression gives none. */
const defaultLimit = 50;

/** One request, or as many as its pages need, and how the response is read. */
export interface ResultsRequest {
	request: ServiceRequest;
	response: ResponseKind;
	settings: ListSettings;
	/** Which results of a list count and are given, for what the service has no filter for. Without it all of them. */
	isWanted?: (result: Record<string, unknown>) => boolean;
	/** A list with more pages is given up, which is a failure. */
	maxPages?: number;
	policy: RequestPolicy;
}

/** Sends one request, or as many as its pages need. Gives the objects of the service, card data included. Never throws. */
export async function fetchResults(client: Client, request: ResultsRequest): Promise<Results> {
	return await (request.response === 'page' ? fetchList : fetchOne)(client, request);
}

/** How many results are wanted. */
export function limitOf({ returnAll, limit }: ListSettings): number {
	return returnAll ? Infinity : (limit ?? defaultLimit);
}

/** The page that is asked for first, and how many results of it. `isSelected`: not all results of a page count. */
export function firstPageOf(
	settings: ListSettings,
	isSelected = false,
): { page: number; page_size: number } {
	const { startPage: page = 1, pageSize } = settings;
	const isEnough = page === 1 && !isSelected;
	const most = isEnough ? Math.min(limitOf(settings), defaultPageSize) : defaultPageSize;
	return { page, page_size: pageSize ?? most };
}

export async function fetchOne(
	client: Client,
	{ request, response, settings, policy }: ResultsRequest,
): Promise<Results> {
	const answer = await sendRequest(client, request, policy);
	if ('failure' in answer) return answer;
	const { body, status } = answer;
	if (status === 202 && request.method !== 'GET') {
		return unexpected(request, 'status 202, which says that the request is still to be processed');
	}
	if (response === 'array') {
		if (isListOfObjects(body)) return { results: body.slice(0, limitOf(settings)) };
		return unexpected(request, 'no list of objects');
	}
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		return { results: [body as Record<string, unknown>] };
	}
	return unexpected(
		request,
		`${Array.isArray(body) ? 'a list' : `JSON of type ${typeof body}`} instead of an object`,
	);
}

/**
 * Sends a create. A response without an ID is not what was to be created, and a create that made nothing must not pass for one that
 * did. `noun`: what is created, e.g. "invoice". Never throws.
 */
export async function fetchCreated(
	client: Client,
	request: ResultsRequest,
	noun: string,
): Promise<Results> {
	const created = await fetchOne(client, request);
	if ('failure' in created || isUsableId(created.results[0].id)) return created;
	return unexpected(request.request, `no ${noun}: the response has no id`);
}

async function fetchList(
	client: Client,
	{ request, settings, isWanted, maxPages, policy }: ResultsRequest,
): Promise<Results> {
	const { page: startPage, page_size: size } = firstPageOf(settings, isWanted !== undefined);
	const isGiven = settings.pageSize !== undefined;
	const fetchPage = pageFetcher(client, request, { startPage, size, isGiven }, () => policy);
	const limit = limitOf(settings);
	const { maxRequestsInFlight: concurrency } = policy;
	const read = await readAll({ fetchPage, startPage, limit, isWanted, concurrency, maxPages });
	if ('results' in read || read.failure.path) return read;
	const { method, path } = request;
	return { failure: { ...read.failure, method, path } };
}
