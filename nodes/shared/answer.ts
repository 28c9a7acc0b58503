import type { IN8nHttpFullResponse, JsonObject } from 'n8n-workflow';
import type { Failure } from './failure';
import { reasonOf } from './reason';
import { readRetryAfter } from './retry';

/** What came back: the body, read as JSON, or why there is none. */
export type Answer = { body: unknown } | { failure: Failure };

/** Takes out of a text what nobody is to read in an error: the key, which a service may repeat, and card data. */
export function hideSecrets(text: string, apiKey: unknown): string {
	const key = String(apiKey ?? '').trim();
	const escaped = JSON.stringify(key).slice(1, -1);
	const spellings = new Set([key, escaped, escaped.split('/').join('\\/')]);
	const withoutKey = key
		? [...spellings].reduce((rest, spelling) => rest.split(spelling).join('(API key)'), text)
		: text;
	try {
		return JSON.stringify(JSON.parse(withoutKey, hideCardData));
	} catch {
		return cutCardData(withoutKey);
	}
}

function hideCardData(name: string, value: unknown): unknown {
	if (name === 'card_data') return undefined;
	return typeof value === 'string' ? cutCardData(value) : value;
}

/** Where it cannot be told where card data ends, all that follows is left out. */
const cutCardData = (text: string) => text.replace(/card_data[^]*/, 'card_data (hidden)');

/** What an HTTP response means, in which the service's words hold no secrets. Throws nothing. */
export function readAnswer(
	response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers' | 'body'>,
	where: Pick<Failure, 'method' | 'path' | 'baseURL' | 'proxy'>,
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
		const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
		const words = { reason, text: text.slice(0, 2000), retryAfterMs };
		return { failure: { ...where, kind: 'status', status, ...words } };
	}
	try {
		return { body: JSON.parse(body) as unknown };
	} catch {
		return { failure: { ...where, status, ...insteadOfJson(hideSecrets(body, apiKey)) } };
	}
}

/** What came instead of JSON. Never its text: it may be half of a charge, card data included. */
function insteadOfJson(body: string): Pick<Failure, 'kind' | 'reason'> {
	const text = body.trim();
	if (/^[{[]/.test(text)) return { kind: 'cut' };
	const page = text.startsWith('<') ? `"${reasonOf(text)}"` : 'text';
	return { kind: 'notJson', reason: text ? page : 'nothing' };
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
	where: Pick<Failure, 'method' | 'path' | 'baseURL' | 'proxy'>,
	apiKey: unknown,
): Failure {
	const cause = (error.cause ?? error) as { code?: unknown; message?: unknown };
	const code = String(cause.code ?? error.code ?? error.httpCode ?? '');
	const reason = hideSecrets(String(cause.message ?? ''), apiKey);
	return { ...where, kind: 'network', code, reason };
}
