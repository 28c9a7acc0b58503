import type { Failed, Outcome } from '../result';

/** What a request has given. */
export type Answer<T> = Outcome<T, Failure>;
export type FailedAnswer = Failed<Failure>;

/** Why a request failed. Never contains the key. */
export interface Failure {
	kind: // Nothing was sent:
	| 'configuration' // The credential is unusable.
		| 'stopped' // The run has ended.
		| 'pausing' // The service asked for a pause that is longer than Max Wait.
		| 'notSent' // The node decided against it: see `message`.
		// Something was sent:
		| 'done' // The service did something other than the request: see `message`.
		| 'noMatch' // The service has no such thing, or several: see `message`.
		| 'network'
		| 'redirect' // 3xx
		| 'status' // 4xx or 5xx
		| 'notJson'
		| 'cut' // The JSON breaks off.
		| 'unexpected'; // The JSON contradicts the spec.
	method: string;
	path: string;
	baseURL?: string;
	/** Host and port. */
	proxy?: string;
	status?: number;
	code?: string;
	/** The service's own words, or a description. */
	reason?: string;
	/** Beginning of the response. */
	text?: string;
	retryAfterMs?: number;
	page?: number;
	/** The service's count, if fewer results were found. */
	counted?: number;
	attempts?: number;
	/** Total wait between attempts (milliseconds). */
	waited?: number;
	/** The step that failed, e.g. a search that takes several requests. */
	during?: string;
	/** Replaces the text that follows from `kind`. */
	message?: string;
	/** Replaces the advice that follows from `kind`. */
	advice?: string;
}

/** The connection or its certificate was refused before anything was sent. */
const neverConnectedCodes = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ERR_INVALID_URL',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const unsentKinds = ['configuration', 'stopped', 'pausing', 'notSent'];

export function outcomeOf({ kind }: Failure): string {
	if (unsentKinds.includes(kind)) return 'not sent';
	if (kind === 'noMatch') return 'no match';
	return kind === 'done' ? 'done' : 'no usable response';
}

/**
 * Refusals of HTTP: the service has read the request and will not do it, or not yet (429). Others may come after the work, from the
 * service (409: it exists, perhaps by this very request) or from something in front of it (408, 460, 499: nobody waited any longer).
 */
const refusals = [
	...[400, 401, 402, 403, 404, 405, 406, 410, 411, 412, 413, 414, 415, 416, 417],
	...[421, 422, 426, 428, 429, 431, 451],
];

/**
 * Whether the service may have carried out the request, although it failed. Only three failures say that it did not: a refusal, a
 * redirect that asks to repeat the request elsewhere (307, 308), and a connection that never came about. Other redirects may lead to
 * the object that a create has made.
 */
export function mayHaveBeenDone({ kind, method, status = 0, code = '' }: Failure): boolean {
	if (method === 'GET' || unsentKinds.includes(kind)) return false;
	if (kind === 'network') return !neverConnectedCodes.includes(code);
	if (kind === 'redirect') return status !== 307 && status !== 308;
	if (kind === 'status') return !refusals.includes(status);
	return true;
}

/**
 * Whether another attempt of the run may send the request again. A create that was refused would be refused again, and nothing proves
 * that a service has not done what it refuses.
 */
export const mayBeSentAgain = (failure: Failure) =>
	!mayHaveBeenDone(failure) &&
	(failure.method === 'GET' || failure.status === undefined || failure.status === 429);

/** A refused certificate, for example, is not temporary. */
const temporaryCodes = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_NETWORK',
	'ERR_BAD_RESPONSE',
];

export function isTemporary({ kind, status = 0, code = '' }: Failure): boolean {
	if (kind === 'network') return temporaryCodes.includes(code);
	if (kind === 'status') return status >= 500 || [408, 425, 429].includes(status);
	return kind === 'cut';
}

/** Reads may be retried after any temporary failure. Creates only if the service says, or the connection shows, that nothing was done. */
export function mayRetry(failure: Failure): boolean {
	return isTemporary(failure) && !mayHaveBeenDone(failure);
}

const initialBackOff = 500;
const maxBackOff = 20_000;

/** In milliseconds: the time that the service asks for, or exponential back-off with full jitter. `attempt`: from 1. */
export function waitAfter(attempt: number, { retryAfterMs }: Failure, random: () => number) {
	const hasRetryAfter = retryAfterMs !== undefined;
	const maxJitter = hasRetryAfter
		? initialBackOff
		: Math.min(maxBackOff, initialBackOff * 2 ** (attempt - 1));
	return Math.max(retryAfterMs ?? 0, Math.round(random() * maxJitter));
}

/** Seconds or an HTTP date. Returns milliseconds from `now`. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = /\d:\d/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(date) ? Math.max(0, date - now) : undefined;
}
