import type { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../transport/failure';
import { isTemporary, mayHaveBeenDone } from '../transport/failure';

/** The problem and its reason: AI agents see nothing else. */
export function messageOf(failure: Failure): string {
	const { attempts = 1, waited = 0 } = failure;
	const tries = attempts > 1 ? ` (tried ${attempts} times in ${Math.ceil(waited / 1000)} s)` : '';
	return [failure.during, `${whatHappened(failure)}${tries}`].filter(Boolean).join(': ');
}

function whatHappened(failure: Failure): string {
	const { kind, reason, status = 0, baseURL = '' } = failure;
	const because = reason ? `: ${reason}` : '';
	switch (kind) {
		case 'configuration':
			return reason ?? 'The credential is not complete';
		case 'stopped':
			return failure.message ?? 'The request was not sent: the execution was stopped';
		case 'notSent':
		case 'done':
		case 'noMatch':
			return failure.message ?? 'The request was not sent';
		case 'pausing':
			return (
				failure.message ??
				"The request was not sent: the service asked for a pause that is longer than 'Max Wait'"
			);
		case 'cut':
			return `The response from ${baseURL} was cut off`;
		case 'network':
			return networkMessage(failure);
		case 'redirect':
			return `The service answered with a redirect to ${reason}. It was not followed, to keep the API key safe. Check the 'Base URL' in the credential`;
		case 'notJson':
			return `${baseURL} returned ${reason} instead of JSON. Check the 'Base URL' in the credential`;
		case 'unexpected':
			return `The service returned an unexpected response${because}`;
		case 'status':
			break;
	}
	if (status === 401) return `The service did not accept the API key${because}`;
	if (status === 403) return `The service does not allow this for the API key${because}`;
	if (status === 404) {
		const hint = isOtherAddress(failure) ? ". Check the 'Base URL' in the credential" : '';
		return `The service found nothing at ${failure.path}${because}${hint}`;
	}
	if (status === 429) {
		const { retryAfterMs: ms } = failure;
		const asks = ms ? ` and asks to wait ${Math.ceil(ms / 1000)} s` : '';
		return `The service is receiving too many requests${asks}${because}`;
	}
	if (status >= 500) return `The service failed (status ${status})${because}`;
	return `The service refused the request (status ${status})${because}`;
}

/** Whether another server seems to answer: with 404 where lists and creates always exist, or without JSON. */
const isOtherAddress = ({ path, text = '' }: Failure) =>
	/^\/v1\/[a-z_-]+$/.test(path) || !/^\s*[{[]/.test(text);

function networkMessage({ code = '', reason, baseURL = '', proxy }: Failure): string {
	const service = baseURL.replace(/^https?:\/\//, '').split('/')[0];
	const host = proxy ? `${service} (through the proxy ${proxy})` : service;
	if (code === 'ECONNREFUSED') return `Nothing responds at ${host}: the connection was refused`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host ${host} was not found`;
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return `${host} did not respond in time`;
	if (code === 'ECONNRESET')
		return `The connection to ${host} was closed before the whole response arrived`;
	if (code === 'ERR_CANCELED') return 'The request was cancelled';
	return `The connection to ${host} failed: ${reason || code || 'no reason given'}`;
}

/** What the user can do. `creates`: what the request creates, e.g. "invoice". */
export function adviceOf(failure: Failure, creates = 'request'): string {
	const { kind, status = 0 } = failure;
	if (failure.advice !== undefined) return failure.advice;
	if (mayHaveBeenDone(failure))
		return `The ${creates} may still have been created. Look for it in the service before you run this again.`;
	if (kind === 'configuration' || status === 401)
		return "Open the credential and check the 'API Key' and the 'Base URL'.";
	if (kind === 'network')
		return "Check the 'Base URL' in the credential and whether n8n can reach the service.";
	if (status === 429 || kind === 'pausing')
		return "Wait a little, lower 'Max Requests in Flight', or raise 'Max Wait'.";
	if (isTemporary(failure)) return "Try again later, or raise 'Max Wait'.";
	return '';
}

/** n8n decides by the cause whether and when to try again. */
export function causeOf(failure: Failure): NonNullable<NodeApiError['failure']> {
	const { kind, status = 0, retryAfterMs } = failure;
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (status === 429 || kind === 'pausing') return { cause: 'rate-limited', ...wait };
	if (isTemporary(failure) || kind === 'stopped')
		return { cause: 'temporarily-unavailable', ...wait };
	return { cause: 'configuration-invalid' };
}
