/** Why a request failed. Plain data without the key. */
export interface Failure {
	/**
	 * Nothing was sent: `configuration` (the credential or Base URL is unusable), `stopped` (the run stopped), `pausing` (the
	 * service asked for a pause beyond Max Wait), `notSent` (the node decided against it, see `message`).
	 *
	 * Something was sent: `done` (done, but not as asked, see `message`), `network` (the connection failed), `redirect` (3xx),
	 * `status` (4xx or 5xx), `notJson` (a success without JSON), `cut` (JSON that breaks off), `unexpected` (JSON that breaks
	 * the specification).
	 */
	kind:
		| 'configuration'
		| 'stopped'
		| 'pausing'
		| 'notSent'
		| 'done'
		| 'network'
		| 'redirect'
		| 'status'
		| 'notJson'
		| 'cut'
		| 'unexpected';
	method: string;
	path: string;
	baseURL?: string;
	/** Host and port. */
	proxy?: string;
	status?: number;
	/** Code of a network error, e.g. ECONNREFUSED. */
	code?: string;
	/** The service's own words, or a description. */
	reason?: string;
	/** The beginning of the response. */
	text?: string;
	/** Milliseconds. */
	retryAfterMs?: number;
	/** The page of a list that was requested. */
	page?: number;
	/** The number of results according to the service, if fewer were found. */
	counted?: number;
	attempts?: number;
	/** Total wait between the attempts, in milliseconds. */
	waited?: number;
	/** The step that failed, if it is more than the request itself. */
	during?: string;
	/** Override the texts that follow from {@link kind}. */
	message?: string;
	advice?: string;
}

/** The connection was never established, or its certificate was refused before anything was sent. */
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

/** The outcome of a request without a status or network code. */
export function outcomeOf({ kind }: Failure): string {
	if (unsentKinds.includes(kind)) return 'not sent';
	return kind === 'done' ? 'done' : 'no usable response';
}

/**
 * Whether the service may have done what was asked although the answer is a failure. A refusal (4xx, but for 408), a redirect
 * that asks for the same request elsewhere (307, 308) and a connection that never came about prove that it did not; nothing
 * else does: a service may answer a create with a redirect to what it made.
 */
export function mayHaveBeenDone({ kind, method, status = 0, code = '' }: Failure): boolean {
	if (method === 'GET' || unsentKinds.includes(kind)) return false;
	if (kind === 'network') return !neverConnectedCodes.includes(code);
	if (kind === 'redirect') return status !== 307 && status !== 308;
	if (kind === 'status') return status >= 500 || status === 408;
	return true;
}

/** Network errors that may be temporary. A refused certificate or a wrong address is not. */
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

/**
 * Whether the request may be retried: a read after any temporary failure, a create only if it certainly was not processed.
 */
export function mayRetry(failure: Failure): boolean {
	if (!isTemporary(failure)) return false;
	if (failure.method === 'GET') return true;
	// 425 (Too Early) means not processed, but a retry may get the same answer.
	return failure.status !== 425 && !mayHaveBeenDone(failure);
}

const initialBackOff = 500;
const maxBackOff = 20_000;

/** Milliseconds after attempt 1, 2, …: what the service asks for, or exponential back-off with full jitter. */
export function waitAfter(attempt: number, { retryAfterMs }: Failure, random: () => number) {
	const hasRetryAfter = retryAfterMs !== undefined;
	const maxJitter = hasRetryAfter
		? initialBackOff
		: Math.min(maxBackOff, initialBackOff * 2 ** (attempt - 1));
	return Math.max(retryAfterMs ?? 0, Math.round(random() * maxJitter));
}

/** Parses a Retry-After header (seconds or an HTTP date) as milliseconds from `now`. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = /\d:\d/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(date) ? Math.max(0, date - now) : undefined;
}
