/** Why a request did not give what it should. Plain data; holds no key. */
export interface Failure {
	/**
	 * `configuration`: nothing was sent; `network`: the connection failed or broke; `redirect`: 3xx; `status`: 4xx or 5xx;
	 * `notJson`: a success that is no JSON; `unexpected`: JSON, but not what the specification says.
	 */
	kind: 'configuration' | 'network' | 'redirect' | 'status' | 'notJson' | 'unexpected';
	method: string;
	path: string;
	baseURL?: string;
	status?: number;
	/** Code of a network error, e.g. ECONNREFUSED. */
	code?: string;
	/** The service's own words, or what is known instead. */
	reason?: string;
	/** The beginning of the answer. */
	text?: string;
}

const neverSent = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_INVALID_URL',
];

/**
 * Whether the service may have done what was asked although the answer is a failure. A refusal (4xx, but for 408) and a
 * connection that never came about prove that it did not; nothing else does.
 */
export function mayHaveBeenDone({ kind, status = 0, code = '' }: Failure): boolean {
	if (kind === 'configuration' || kind === 'redirect') return false;
	if (kind === 'network') return !neverSent.includes(code);
	if (kind === 'status') return status >= 500 || status === 408;
	return true;
}
