import fc from 'fast-check';
import type { Failure } from '../../nodes/shared/transport/failure';
import { mayRetry, readRetryAfter, waitAfter } from '../../nodes/shared/transport/retryPolicy';

const failure = (change: Partial<Failure>): Failure => ({
	kind: 'status',
	method: 'GET',
	path: '/v1/charges',
	...change,
});

test('the wait is somewhere between nothing and twice as long each time, up to 20 seconds', () => {
	const waits = (random: number) =>
		[1, 2, 3, 6, 7, 50].map((attempt) => waitAfter(attempt, failure({}), () => random));
	expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0]);
	expect(waits(1)).toEqual([500, 1000, 2000, 16_000, 20_000, 20_000]);
});

test('the service is never asked again before it says', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 30 }),
			fc.nat(100_000),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(attempt, retryAfterMs, random) => {
				const wait = waitAfter(attempt, failure({ retryAfterMs }), () => random);
				expect(wait).toBeGreaterThanOrEqual(retryAfterMs);
				expect(wait).toBeLessThanOrEqual(Math.max(retryAfterMs, 500));
			},
		),
	);
});

test.each([
	['3', 3000],
	[' 0 ', 0],
	['1.5', 1500],
	['Sat, 21 Nov 2026 10:00:07 GMT', 7000],
	['Sat, 21 Nov 2026 09:00:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	['-5', undefined],
	[undefined, undefined],
])('Retry-After: %p', (header, expected) => {
	expect(readRetryAfter(header, Date.parse('2026-11-21T10:00:00Z'))).toBe(expected);
});

test.each<[Partial<Failure>, boolean, boolean]>([
	[{ kind: 'network', code: 'ECONNREFUSED' }, true, true],
	[{ kind: 'network', code: 'ENOTFOUND' }, true, true],
	[{ kind: 'network', code: 'EAI_AGAIN' }, true, true],
	[{ kind: 'network', code: 'ECONNRESET' }, true, false],
	[{ kind: 'network', code: 'ECONNABORTED' }, true, false],
	[{ kind: 'network', code: 'ETIMEDOUT' }, true, false],
	[{ kind: 'network', code: 'CERT_HAS_EXPIRED' }, false, false],
	[{ kind: 'network', code: 'ERR_CANCELED' }, false, false],
	[{ kind: 'network' }, false, false],
	[{ status: 429 }, true, true],
	[{ status: 408 }, true, false],
	[{ status: 425 }, true, false],
	[{ status: 503 }, true, false],
	[{ status: 404 }, false, false],
	[{ kind: 'cut', status: 200 }, true, false],
	[{ kind: 'notJson', status: 200 }, false, false],
	[{ kind: 'redirect', status: 307 }, false, false],
	[{ kind: 'configuration' }, false, false],
	[{ kind: 'stopped' }, false, false],
	[{ kind: 'pausing' }, false, false],
])('%p: a read is sent again: %p, a create: %p', (change, read, create) => {
	expect(mayRetry(failure(change))).toBe(read);
	expect(mayRetry(failure({ ...change, method: 'POST' }))).toBe(create);
});
