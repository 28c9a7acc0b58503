/** Why a request failed. Never contains the key. */
export interface Failure {
	kind: // Nothing was sent:
	| 'configuration' // The credential is unusable.
		| 'stopped' // The run has ended.
		| 'pausing' // The service asked for a pause that is longer than Max Wait.
		| 'notSent' // The node decided against it: see `message`.
		// Something was sent:
		| 'done' // The service did something other than the request: see `message`.
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
	return kind === 'done' ? 'done' : 'no usable response';
}

/**
 * Whether the service may have carried out the request, although it failed. Only three failures prove that it did not: a refusal
 * (4xx except 408), a redirect that asks to repeat the request elsewhere (307, 308), and a connection that never came about.
 * Other redirects may lead to the object that a create has made.
 */
export function mayHaveBeenDone({ kind, method, status = 0, code = '' }: Failure): boolean {
	if (method === 'GET' || unsentKinds.includes(kind)) return false;
	if (kind === 'network') return !neverConnectedCodes.includes(code);
	if (kind === 'redirect') return status !== 307 && status !== 308;
	if (kind === 'status') return status >= 500 || status === 408;
	return true;
}

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

/** Reads may be retried after any temporary failure. Creates only if the service certainly did not process them. */
export function mayRetry(failure: Failure): boolean {
	if (!isTemporary(failure)) return false;
	if (failure.method === 'GET') return true;
	// 425 (Too Early) means not processed, but a retry may get the same answer.
	return failure.status !== 425 && !mayHaveBeenDone(failure);
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
