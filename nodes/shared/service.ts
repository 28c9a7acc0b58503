import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
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
 * (redirects are not followed), and tells what came back. Never throws, and failures never hold the key.
 */
export async function callService(
	context: Pick<IAllExecuteFunctions, 'getCredentials' | 'helpers'>,
	request: ServiceRequest,
	transport: Transport = {},
): Promise<Answer> {
	const about = { method: request.method, path: request.path };
	const notSent = (reason: string): Answer => ({
		failure: { ...about, kind: 'configuration', reason },
	});
	let credential: ICredentialDataDecryptedObject;
	try {
		credential = await context.getCredentials(credentialName);
	} catch (error) {
		return notSent((error as Error).message);
	}
	const baseUrl = baseUrlOf(credential);
	if ('problem' in baseUrl) return notSent(baseUrl.problem);
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
		return readAnswer(response, where, credential.apiKey);
	} catch (error) {
		return { failure: readBreak(error as JsonObject, where, credential.apiKey) };
	}
}

/** Takes out of a text what nobody is to read in an error: the key, which a service may repeat, and card data. */
export function hideSecrets(text: string, apiKey: unknown): string {
	const key = String(apiKey ?? '').trim();
	const escaped = JSON.stringify(key).slice(1, -1);
	const spellings = new Set([key, escaped, escaped.split('/').join('\\/')]);
	const withoutKey = key
		? [...spellings].reduce((rest, spelling) => rest.split(spelling).join('(API key)'), text)
		: text;
	return withoutKey.replace(/"card_data"\s*:\s*\{[^}]*\}?/g, '"card_data":"(hidden)"');
}

/** What an HTTP response means, in which the service's words hold no secrets. Throws nothing. */
export function readAnswer(
	response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers' | 'body'>,
	where: Pick<Failure, 'method' | 'path' | 'baseURL'>,
	apiKey: unknown,
): Answer {
	const { statusCode: status, headers } = response;
	const body =
		typeof response.body === 'string' ? response.body : JSON.stringify(response.body ?? '');
	if (status >= 300 && status < 400) {
		const reason = hideSecrets(pointsTo(headers.location), apiKey);
		return { failure: { ...where, kind: 'redirect', status, reason } };
	}
	if (status >= 400) {
		const text = hideSecrets(body, apiKey);
		const reason = reasonOf(text);
		return { failure: { ...where, kind: 'status', status, reason, text: text.slice(0, 2000) } };
	}
	try {
		return { body: JSON.parse(body) as unknown };
	} catch {
		return { failure: { ...where, kind: 'notJson', status, reason: kindOf(body) } };
	}
}

/** What came instead of JSON. Never its text: it may be half of a charge, card data included. */
function kindOf(body: string): string | undefined {
	const text = body.trim();
	if (!text) return undefined;
	if (text.startsWith('<')) return reasonOf(text);
	return /^[{[]/.test(text) ? 'JSON that breaks off' : 'text';
}

/** Where a redirect leads, without its query: that may hold secrets. */
function pointsTo(location: unknown): string {
	return String(location ?? 'nowhere').split(/[?#]/)[0];
}

/**
 * What a broken connection means, without secrets. n8n wraps the error of its HTTP library, which holds the key: never pass it
 * on.
 */
export function readBreak(
	error: JsonObject,
	where: Pick<Failure, 'method' | 'path' | 'baseURL'>,
	apiKey: unknown,
): Failure {
	const cause = (error.cause ?? error) as { code?: unknown; message?: unknown };
	const code = String(cause.code ?? error.code ?? error.httpCode ?? '');
	const reason = hideSecrets(String(cause.message ?? ''), apiKey);
	return { ...where, kind: 'network', code, reason };
}
