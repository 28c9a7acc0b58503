import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';

/** Codes of connections that fail or break for a while. A refused certificate or a wrong address stays what it is. */
const passing = [
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

/** Whether the failure may be gone in a little while. */
export function isPassing({ kind, status = 0, code = '' }: Failure): boolean {
	if (kind === 'network') return passing.includes(code);
	if (kind === 'status') return status >= 500 || [408, 425, 429].includes(status);
	return kind === 'cut';
}

/** Whether the request may be sent again: a read after any passing failure, a create only if it certainly was not processed. */
export function mayRetry(failure: Failure): boolean {
	if (!isPassing(failure)) return false;
	if (failure.method === 'GET') return true;
	// 425 says that the request was not processed, but not that it will be the next time.
	return failure.status !== 425 && !mayHaveBeenDone(failure);
}

const firstWait = 500;
const longestWait = 20_000;

/**
 * Milliseconds to wait after the `attempt`-th try (1, 2, …): what the service asks for, or else exponential back-off with full
 * jitter. `random` gives numbers from 0 to 1.
 */
export function waitAfter(attempt: number, { retryAfterMs }: Failure, random: () => number) {
	const isTold = retryAfterMs !== undefined;
	const most = isTold ? firstWait : Math.min(longestWait, firstWait * 2 ** (attempt - 1));
	return Math.max(retryAfterMs ?? 0, Math.round(random() * most));
}

/** Reads a Retry-After header, seconds or an HTTP date, as milliseconds from `now` (milliseconds since 1970). */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = /\d:\d/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(date) ? Math.max(0, date - now) : undefined;
}
