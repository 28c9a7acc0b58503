import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	JsonObject,
} from 'n8n-workflow';
import { baseUrlOf } from './baseUrl';
import type { Failure } from './failure';
import { reasonOf } from './reason';

export const credentialName = 'invoicingPaymentsApi';

/** A request to the service: `path` begins with /v1 and holds no query. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
}

export type Answer = { body: unknown } | { failure: Failure };

/** What n8n needs to know besides: time-out, proxy, and the like. */
export type Transport = Pick<
	IHttpRequestOptions,
	'timeout' | 'proxy' | 'skipSslCertificateValidation'
>;

const defaultTimeout = 60_000;

/**
 * The one way to the network: sends a request with the key of the node's credential to its base URL and nowhere else
 * (redirects are not followed), and tells what came back. Throws only when the credential cannot be read, never because of the service or the network, and what it
 * returns never holds the key.
 */
export async function callService(
	context: Pick<IAllExecuteFunctions, 'getCredentials' | 'helpers'>,
	request: ServiceRequest,
	transport: Transport = {},
): Promise<Answer> {
	const about = { method: request.method, path: request.path };
	const credential = await context.getCredentials(credentialName);
	const baseUrl = baseUrlOf(credential);
	if ('problem' in baseUrl) {
		return { failure: { ...about, kind: 'configuration', reason: baseUrl.problem } };
	}
	const baseURL = baseUrl.value;
	const options: IHttpRequestOptions = {
		...transport,
		timeout: transport.timeout ?? defaultTimeout,
		method: request.method,
		baseURL,
		url: request.path,
		qs: request.query,
		body: request.body,
		json: true,
		encoding: 'text',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const where = { ...about, baseURL };
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			credentialName,
			options,
		)) as IN8nHttpFullResponse;
		return withoutKey(readAnswer(response, where), credential.apiKey);
	} catch (error) {
		const problem = networkProblem(error as JsonObject);
		return withoutKey({ failure: { ...where, kind: 'network', ...problem } }, credential.apiKey);
	}
}

/** A service may repeat the key in its error: nobody is to read it there. */
export function withoutKey(answer: Answer, apiKey: unknown): Answer {
	const key = String(apiKey ?? '').trim();
	if (!('failure' in answer) || !key) return answer;
	const hidden = Object.entries(answer.failure).map(([name, value]) => [
		name,
		typeof value === 'string' ? value.split(key).join('(API key)') : value,
	]);
	return { failure: Object.fromEntries(hidden) as Failure };
}

/** What an HTTP response means. Throws nothing. */
export function readAnswer(
	response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers' | 'body'>,
	where: Pick<Failure, 'method' | 'path' | 'baseURL'>,
): Answer {
	const { statusCode: status, headers } = response;
	const text =
		typeof response.body === 'string' ? response.body : JSON.stringify(response.body ?? '');
	if (status >= 300 && status < 400) {
		return { failure: { ...where, kind: 'redirect', status, reason: pointsTo(headers.location) } };
	}
	const reason = reasonOf(text);
	if (status >= 400) {
		return { failure: { ...where, kind: 'status', status, reason, text: text.slice(0, 2000) } };
	}
	try {
		return { body: JSON.parse(text) as unknown };
	} catch {
		// The text is not kept: it may be half of a charge, card data included.
		return { failure: { ...where, kind: 'notJson', status, reason } };
	}
}

/** Where a redirect leads, without its query: that may hold secrets. */
function pointsTo(location: unknown): string {
	return String(location ?? 'nowhere').split(/[?#]/)[0];
}

/** The code and the words of a broken connection. n8n wraps the error of its HTTP library, which holds the key: never pass it on. */
function networkProblem(error: JsonObject): { code: string; reason: string } {
	const cause = (error.cause ?? error) as { code?: unknown; message?: unknown };
	return { code: String(cause.code ?? error.httpCode ?? ''), reason: String(cause.message ?? '') };
}
