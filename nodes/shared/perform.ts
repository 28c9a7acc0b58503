import type { DeclarativeRestApiSettings, IExecuteSingleFunctions } from 'n8n-workflow';
import type { Failure } from './failure';
import type { PageOutcome } from './pages';
import { isListOfObjects, readPages, toPage } from './pages';
import { withoutCardData } from './redact';
import type { ItemSettings } from './run';
import type { ServiceRequest, Transport } from './service';
import { callService } from './service';

export type Performed = { results: Array<Record<string, unknown>> } | { failure: Failure };

const defaultPageSize = 100;
/** n8n hands the results of an item on as the arguments of a call, which it can no longer do a little above this. */
const maxResults = 100_000;

/** Does what one item asks: one request, or as many as its pages need. Gives the objects that become the output's items. */
export async function perform(
	context: IExecuteSingleFunctions,
	options: DeclarativeRestApiSettings.HttpRequestOptions,
	settings: ItemSettings,
): Promise<Performed> {
	const { method = 'GET', url: path = '', qs: query, body } = options;
	const request: ServiceRequest = { method, path, query, body };
	const transport: Transport = {
		timeout: options.timeout,
		proxy: options.proxy,
		skipSslCertificateValidation: Boolean(options.skipSslCertificateValidation),
	};
	const performed =
		settings.answer === 'page'
			? await performList(context, request, transport, settings)
			: await performOne(context, request, transport, settings);
	if ('failure' in performed || settings.include_card_data) return performed;
	return { results: performed.results.map(withoutCardData) };
}

/** The limit that n8n's editor begins with holds as well where an expression gives none. */
const defaultLimit = 50;

function limitOf({ return_all: returnAll, limit }: ItemSettings): number {
	return returnAll ? Infinity : (limit ?? defaultLimit);
}

async function performOne(
	context: IExecuteSingleFunctions,
	request: ServiceRequest,
	transport: Transport,
	settings: ItemSettings,
): Promise<Performed> {
	const answer = await callService(context, request, transport);
	if ('failure' in answer) return answer;
	const { body } = answer;
	if (settings.answer === 'array') {
		if (isListOfObjects(body)) return { results: body.slice(0, limitOf(settings)) };
		return unexpected(request, 'no list of objects');
	}
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		return { results: [body as Record<string, unknown>] };
	}
	return unexpected(
		request,
		`${Array.isArray(body) ? 'a list' : JSON.stringify(body).slice(0, 100)} instead of an object`,
	);
}

async function performList(
	context: IExecuteSingleFunctions,
	request: ServiceRequest,
	transport: Transport,
	settings: ItemSettings,
): Promise<Performed> {
	const { page: startPage = 1 } = settings;
	const limit = limitOf(settings);
	let pageSize: number | undefined =
		settings.page_size ?? (startPage === 1 ? Math.min(limit, defaultPageSize) : defaultPageSize);

	const fetchPage = async (page: number): Promise<PageOutcome> => {
		const query = { ...request.query, page, ...(pageSize && { page_size: pageSize }) };
		const answer = await callService(context, { ...request, query }, transport);
		if ('body' in answer) {
			const read = toPage(answer.body);
			return typeof read === 'string' ? unexpected(request, read) : { page: read };
		}
		const { status } = answer.failure;
		const refusedSize = (status === 400 || status === 422) && settings.page_size === undefined;
		if (!refusedSize || pageSize === undefined || page !== startPage) return answer;
		// The largest page is not known (spec 8): the service decides when it does not take ours.
		pageSize = undefined;
		const again = await fetchPage(page);
		return 'failure' in again ? answer : again;
	};
	const read = await readPages(fetchPage, { startPage, limit: Math.min(limit, maxResults + 1) });
	if ('failure' in read || read.results.length <= maxResults) return read;
	const { method, path } = request;
	const reason = `There are more than ${maxResults} results, more than n8n can take from one item. Narrow the filters, or read them in parts with Limit and the option Start Page`;
	return { failure: { kind: 'tooMany', method, path, reason } };
}

function unexpected({ method, path }: ServiceRequest, reason: string): { failure: Failure } {
	return { failure: { kind: 'unexpected', method, path, reason } };
}
