import { failed, ok } from '../result';
import type { Client, RequestPolicy, ServiceRequest } from '../transport/client';
import { sendRequest } from '../transport/client';
import type { Answer, FailedAnswer } from '../transport/failure';
import { errorIn } from '../transport/response';
import type { FetchPage, PageOutcome, Result } from './page';
import { contradictionIn, isListOfObjects, isRefusal, isUsableId, toPage } from './page';
import { readAll } from './readAll';

/** `isSure`: no result that was listed all the time is missing. */
export type Results = Answer<Result[]> & { isSure?: boolean };

/** `array`: a list without pages (spec 4.7). */
export type ResponseKind = 'object' | 'page' | 'array';

export interface ListSettings {
	returnAll?: boolean;
	limit?: number;
	startPage?: number;
	pageSize?: number;
}

export const defaultPageSize = 100;
/** Applies if the expression of a limit returns nothing. */
const defaultLimit = 50;

export interface ResultsRequest {
	request: ServiceRequest;
	response: ResponseKind;
	settings: ListSettings;
	/** A filter that the service does not have. */
	isWanted?: (result: Result) => boolean;
	maxPages?: number;
	/** Pages that contradict themselves are failures, because it matters what is not there. */
	mustBeConsistent?: boolean;
	policy: RequestPolicy;
}

/** Results still contain card data. Never throws. */
export async function fetchResults(client: Client, request: ResultsRequest): Promise<Results> {
	return await (request.response === 'page' ? fetchList : fetchOne)(client, request);
}

export function limitOf({ returnAll, limit }: ListSettings): number {
	return returnAll ? Infinity : (limit ?? defaultLimit);
}

function firstPageOf(
	settings: ListSettings,
	isFiltered = false,
): { page: number; page_size: number } {
	const { startPage: page = 1, pageSize } = settings;
	const isOnePageEnough = page === 1 && !isFiltered;
	const size = isOnePageEnough ? Math.min(limitOf(settings), defaultPageSize) : defaultPageSize;
	return { page, page_size: pageSize ?? size };
}

export async function fetchOne(
	client: Client,
	{ request, response, settings, policy }: ResultsRequest,
): Promise<Results> {
	const answer = await sendRequest(client, request, policy);
	if (!answer.ok) return answer;
	const { body, status } = answer.value;
	if (status === 202 && request.method !== 'GET') {
		return unexpected(request, 'status 202, which says that the request is still to be processed');
	}
	if (response === 'array') {
		if (isListOfObjects(body)) return ok(body.slice(0, limitOf(settings)));
		return unexpected(request, 'no list of objects');
	}
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		const result = body as Result;
		if (request.method === 'GET' && isUsableId(result.id)) {
			return String(result.id) === askedId(request)
				? ok([result])
				: unexpected(request, 'another ID than the one that was asked for');
		}
		const error = errorIn(body);
		return error === undefined
			? ok([result])
			: unexpected(request, `an answer that reports an error: ${error}`);
	}
	return unexpected(
		request,
		`${Array.isArray(body) ? 'a list' : `JSON of type ${typeof body}`} instead of an object`,
	);
}

/** The ID is the end of the path (spec 4.4, 4.6). */
const askedId = ({ path }: ServiceRequest) => decodeURIComponent(path.split('/').pop() ?? '');

/** What a create makes: its name, and the fields by which the answer shows that it was made. */
export interface Created {
	noun: string;
	fields: readonly string[];
}

/** Never throws. An answer that is not the created thing is a failure: maybe nothing was created. */
export async function fetchCreated(
	client: Client,
	request: ResultsRequest,
	{ noun, fields }: Created,
): Promise<Results> {
	const created = await fetchOne(client, request);
	if (!created.ok) return created;
	const [result] = created.value;
	if (!isUsableId(result.id))
		return unexpected(request.request, `no ${noun}: the response has no id`);
	const shown = fields.filter((name) => result[name] !== undefined && result[name] !== null);
	return shown.length > 1
		? created
		: unexpected(request.request, `no ${noun}: the response has an id, but not its fields`);
}

async function fetchList(
	client: Client,
	{ request, settings, isWanted, maxPages, mustBeConsistent, policy }: ResultsRequest,
): Promise<Results> {
	const { page: startPage, page_size: size } = firstPageOf(settings, isWanted !== undefined);
	const isUserSetting = settings.pageSize !== undefined;
	const options = { startPage, size, isUserSetting, mustBeConsistent };
	const fetchPage = pageFetcher(client, request, options, { policyFor: () => policy });
	const limit = limitOf(settings);
	const { maxRequestsInFlight: concurrency } = policy;
	const read = await readAll({ fetchPage, startPage, limit, isWanted, concurrency, maxPages });
	if (read.ok || read.failure.path) return read;
	const { method, path } = request;
	return failed({ ...read.failure, method, path });
}

interface PageSize {
	startPage: number;
	/** Default size. `undefined`: the service decides. */
	size: number | undefined;
	/** If the service refuses a size that the user did not set, the service's own size is used. */
	isUserSetting: boolean;
	mustBeConsistent?: boolean;
}

export function pageFetcher(
	client: Client,
	request: ServiceRequest,
	{ startPage, isUserSetting, mustBeConsistent, ...options }: PageSize,
	{
		policyFor,
		send = sendRequest,
	}: { policyFor: (isProbe?: boolean) => RequestPolicy; send?: typeof sendRequest },
): FetchPage {
	let { size: defaultSize } = options;
	return async function fetchPage(page, size = defaultSize, isProbe = false): Promise<PageOutcome> {
		const query = { ...request.query, page, ...(size && { page_size: size }) };
		const answer = await send(client, { ...request, query }, policyFor(isProbe));
		if (answer.ok) {
			const read = toPage(answer.value.body);
			if (!read.ok) return unexpected(request, read.problem);
			const doubt = mustBeConsistent ? contradictionIn(read.value, page) : undefined;
			return doubt === undefined ? read : unexpected(request, doubt);
		}
		const isFirst = page === startPage && size === defaultSize;
		const mayBeSize = isFirst && size !== undefined && !isUserSetting;
		const refused = failed({ ...answer.failure, page });
		if (!mayBeSize || !isRefusal(answer.failure)) return refused;
		// The largest page size is unknown (spec 8), so fall back to the service's own.
		defaultSize = undefined;
		const retried = await fetchPage(page);
		return retried.ok ? retried : refused;
	};
}

export function unexpected({ method, path }: ServiceRequest, reason: string): FailedAnswer {
	return failed({ kind: 'unexpected', method, path, reason });
}
