import type { NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import { isPassing } from './retry';

/** What happened and why, in one sentence: AI agents see nothing but this. */
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
			return 'The request was not sent: the execution was stopped';
		case 'exists':
			return `An invoice with this number exists already: ${reason}`;
		case 'uncertain':
			return `An earlier request with the invoice number ${reason} may have been processed, so this one was not sent`;
		case 'unsafe':
			return `The invoice was not sent, because the service changes invoice numbers: ${reason}`;
		case 'renumbered':
			return `The service changed the invoice number: ${reason}. By the number that was sent it could not be found again, and a second run would bill the customer twice`;
		case 'pausing':
			return 'The request was not sent: the service has asked for a pause that is longer than Max Wait';
		case 'cut':
			return `The answer of ${baseURL} breaks off in the middle`;
		case 'network':
			return networkMessage(failure);
		case 'redirect':
			return `The service answered with a redirect to ${reason}. It was not followed, so that the API key goes nowhere else: check the Base URL in the credential`;
		case 'notJson':
			return `${baseURL} did not answer as the service does: it sent ${reason} instead of JSON. Check the Base URL in the credential`;
		case 'unexpected':
			return `The service answered something else than expected${because}`;
		case 'status':
			break;
	}
	if (status === 401) return `The service did not accept the API key${because}`;
	if (status === 403) return `The service does not allow this for the API key${because}`;
	if (status === 404) return `The service found nothing at ${failure.path}${because}`;
	if (status === 429) {
		const { retryAfterMs: ms } = failure;
		const asks = ms ? ` and asks to wait ${Math.ceil(ms / 1000)} s` : '';
		return `The service is receiving too many requests${asks}${because}`;
	}
	if (status >= 500) return `The service failed (status ${status})${because}`;
	return `The service refused the request (status ${status})${because}`;
}

function networkMessage({ code = '', reason, baseURL = '', proxy }: Failure): string {
	const service = baseURL.replace(/^https?:\/\//, '').split('/')[0];
	const host = proxy ? `${service} (through the proxy ${proxy})` : service;
	if (code === 'ECONNREFUSED') return `Nothing answers at ${host}: the connection was refused`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host ${host} was not found`;
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return `${host} did not answer in time`;
	if (code === 'ECONNRESET') return `The connection to ${host} was closed before an answer came`;
	if (code === 'ERR_CANCELED') return 'The request was cancelled';
	return `The connection to ${host} failed: ${reason || code || 'no reason given'}`;
}

/** What the user can do. */
export function adviceOf(failure: Failure): string {
	const { kind, method, status = 0 } = failure;
	if (kind === 'renumbered') return asStored;
	if (method === 'POST' && mayHaveBeenDone(failure)) return adviceOfLost(failure);
	if (kind === 'exists')
		return 'Give it another number, or set If Invoice Number Exists to Return Existing.';
	if (kind === 'uncertain')
		return 'Look for the invoice in the service. If it is still not there ten minutes after that request, run this again.';
	if (kind === 'unsafe') return asStored;
	if (kind === 'configuration' || status === 401)
		return 'Open the credential and check the API key and the Base URL.';
	if (kind === 'network')
		return 'Check the Base URL in the credential and whether the service can be reached from n8n.';
	if (status === 429 || kind === 'pausing')
		return 'Wait a little, lower the option Max Requests in Flight, or raise Max Wait.';
	if (isPassing(failure)) return 'Try again later, or raise the option Max Wait.';
	return '';
}

const asStored =
	'Write invoice numbers as the service stores them, or set If Invoice Number Exists to Create Anyway.';

/** After a create whose answer was lost. */
function adviceOfLost({ lost, path }: Failure): string {
	if (!lost) {
		const what = path.endsWith('/members') ? 'team member' : 'invoice';
		return `The ${what} may still have been created. Look for it in the service before you run this again.`;
	}
	const { number, lookedFor, problem, description } = lost;
	if (number === undefined) {
		return `The invoice may still have been created. Look in the service for ${description}, before you run this again.`;
	}
	const search = problem
		? `It could not be looked up by its number "${number}" (${problem})`
		: `It was not found by its number "${number}" within ${lookedFor} s, but a slow service can finish late`;
	return `The invoice may still have been created: ${description}. ${search}. Wait ten minutes, then run this again with If Invoice Number Exists set to Return Existing, which creates only what does not exist.`;
}

/** Why it failed, in the terms in which n8n decides whether and when to try again. */
export function causeOf(failure: Failure): NonNullable<NodeApiError['failure']> {
	const { kind, status = 0, retryAfterMs } = failure;
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (status === 429 || kind === 'pausing') return { cause: 'rate-limited', ...wait };
	if (isPassing(failure) || kind === 'stopped')
		return { cause: 'temporarily-unavailable', ...wait };
	return { cause: 'configuration-invalid' };
}
