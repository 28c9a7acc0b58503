/** Why a request did not give what it should. Plain data; holds no key. */
export interface Failure {
	/**
	 * `configuration`: the credential or the Base URL cannot be used; `stopped`: nothing more was to be sent; `pausing`: the service
	 * had asked for a pause that is too long to wait; `notSent`: the node decided against it (see `message`); after none of these
	 * was anything sent. `done`: it was done, but not as asked (see `message`). `network`: the connection failed or broke;
	 * `redirect`: 3xx; `status`: 4xx or 5xx; `notJson`: a success that is no JSON; `cut`: JSON that breaks off; `unexpected`: JSON,
	 * but not what the specification says.
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
	/** Host and port of the proxy that the request was to go through. */
	proxy?: string;
	status?: number;
	/** Code of a network error, e.g. ECONNREFUSED. */
	code?: string;
	/** The service's own words, or what is known instead. */
	reason?: string;
	/** The beginning of the answer. */
	text?: string;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** The page of a list that was asked for. */
	page?: number;
	/** How many results of a list the service counts, where not as many were found. */
	counted?: number;
	/** How often the request was sent. */
	attempts?: number;
	/** How long it waited in between, in milliseconds. */
	waited?: number;
	/** What was being done when it failed, where that is not the request itself. */
	during?: string;
	/** What happened and what to do, where the caller knows it better than {@link kind} tells. */
	message?: string;
	advice?: string;
}

/** The connection never came about, or its certificate was refused before anything was sent. */
const neverSent = [
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

const nothingSent = ['configuration', 'stopped', 'pausing', 'notSent'];

/** How a request ended that has neither a status nor the code of a network error. */
export function outcomeOf({ kind }: Failure): string {
	if (nothingSent.includes(kind)) return 'not sent';
	return kind === 'done' ? 'done' : 'no usable response';
}

/**
 * Whether the service may have done what was asked although the answer is a failure. A refusal (4xx, but for 408), a redirect
 * that asks for the same request elsewhere (307, 308) and a connection that never came about prove that it did not; nothing
 * else does: a service may answer a create with a redirect to what it made.
 */
export function mayHaveBeenDone({ kind, method, status = 0, code = '' }: Failure): boolean {
	if (method === 'GET' || nothingSent.includes(kind)) return false;
	if (kind === 'network') return !neverSent.includes(code);
	if (kind === 'redirect') return status !== 307 && status !== 308;
	if (kind === 'status') return status >= 500 || status === 408;
	return true;
}
