import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';

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
