import fc from 'fast-check';
import { notRead, ok } from '../../../nodes/shared/result';
import { baseUrlOf } from '../../../nodes/shared/transport/baseUrl';
import { clock, withDeadline } from '../../../nodes/shared/clock';
import { onAbort } from '../../../nodes/shared/onAbort';
import type { Failure } from '../../../nodes/shared/transport/failure';
import { mayRetry, readRetryAfter, waitAfter } from '../../../nodes/shared/transport/failure';
import type { QueueRequest } from '../../../nodes/shared/transport/requestQueue';
import { RequestQueue } from '../../../nodes/shared/transport/requestQueue';
import { serviceMessageOf } from '../../../nodes/shared/transport/response';
import { errorBody } from '../../../simulator/failures';
import { errorBodyShape } from '../../../simulator/settings';
import { casesOf } from '../../helpers/casesOf';
import '../../setup/useClock';

describe('the base URL', () => {
	test.each(
		casesOf(
			['https://api.example.com', 'https://api.example.com', '  https://api.example.com/ '],
			['https://api.example.com', 'https://api.example.com///', 'https://api.example.com/v1/'],
			['https://example.com/payments', 'https://example.com/payments/v1'],
			['https://api.example.com:8443/x', 'HTTPS://API.Example.com:8443/x/'],
			['http://localhost:4010', 'http://localhost:4010'],
			['http://127.0.0.1:4010', 'http://127.0.0.1:4010/'],
			['http://[::1]:4010', 'http://[::1]:4010'],
		),
	)('reads %p as %p', (baseUrl, value) => expect(baseUrlOf({ baseUrl })).toEqual(ok(value)));

	test.each(
		casesOf(
			['empty', '', '  '],
			['must be a complete address that starts with https://', 'api.example.com'],
			['must start with https://', 'api.example.com:443', 'ftp://api.example.com'],
			['Allow Unencrypted HTTP', 'http://api.example.com', 'http://localhost.example.com'],
			['Allow Unencrypted HTTP', 'http://127.0.0.1.example.com'],
			['must not contain a user name', 'https://user:secret@api.example.com'],
			['must not contain', 'https://api.example.com?x=1', 'https://api.example.com#x'],
		),
	)('refuses %p: %s', (baseUrl, words) => {
		expect(baseUrlOf({ baseUrl })).toEqual(notRead(expect.stringContaining(words) as string));
	});

	test('accepts http to another machine if the setting allows it', () => {
		const value = 'http://10.0.0.5:8080';
		expect(baseUrlOf({ baseUrl: value, allowUnencryptedHttp: true })).toEqual(ok(value));
	});

	test('does not repeat the input, because it may be the key', () => {
		expect(JSON.stringify(baseUrlOf({ baseUrl: 'dummy-example-key' }))).not.toContain('dummy');
	});
});

describe('the error message of the service', () => {
	const words = 'due_date: must be in the future';
	const shapes = errorBodyShape.options.filter((shape) => shape !== 'empty');
	test.each(shapes)('is found in the shape %s', (shape) => {
		const { body } = errorBody(shape, [{ field: 'due_date', message: words }], 400);
		expect(serviceMessageOf(body)).toContain(words);
	});

	test.each([
		...casesOf([undefined, '', '{}', '[]', 'null']),
		['"just text"', 'just text'],
		['{"error":"invalid_grant","error_description":"Key expired"}', 'invalid_grant'],
		['{"error":{"error":{"message":"deep"}}}', 'deep'],
		...casesOf(
			...[
				'{"amount":["Big","Odd"],"title":["Too long"]}',
				'{"items":[{"name":["Required"]}]}',
				'{"message":"Bad","errors":["A","B"]}',
				'["A","B"]',
			].map((body): [string, string] => [body, body]),
		),
		['<html><body>no title</body></html>', 'a web page without a title'],
		['<html><h1>502 Bad Gateway</h1></html>', '502 Bad Gateway'],
		['  many \n\n spaces ', 'many spaces'],
	])('of %p is %p', (body, reason) => expect(serviceMessageOf(body)).toBe(reason));

	test('is cut if it is long', () => {
		expect(serviceMessageOf('x'.repeat(10_000))?.length).toBeLessThan(600);
	});
});

describe('the retry policy', () => {
	const failure = (change: Partial<Failure>): Failure => ({
		...{ kind: 'status', method: 'GET', path: '/v1/charges' },
		...change,
	});

	test('waits a random time, up to twice as long each time, at most 20 seconds', () => {
		const waits = (random: number) =>
			[1, 2, 3, 6, 7, 50].map((attempt) => waitAfter(attempt, failure({}), () => random));
		expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0]);
		expect(waits(1)).toEqual([500, 1000, 2000, 16_000, 20_000, 20_000]);
	});

	test('never retries before Retry-After', () => {
		const anyRandom = fc.double({ min: 0, max: 1, noNaN: true });
		fc.assert(
			fc.property(fc.nat(29), fc.nat(100_000), anyRandom, (before, retryAfterMs, random) => {
				const wait = waitAfter(before + 1, failure({ retryAfterMs }), () => random);
				expect(wait).toBeGreaterThanOrEqual(retryAfterMs);
				expect(wait).toBeLessThanOrEqual(Math.max(retryAfterMs, 500));
			}),
		);
	});

	test.each([
		['3', 3000],
		[' 0 ', 0],
		['1.5', 1500],
		['Sat, 21 Nov 2026 10:00:07 GMT', 7000],
		['Sat, 21 Nov 2026 09:00:00 GMT', 0],
		...casesOf([undefined, 'soon', '', '-5', undefined]),
	])('reads Retry-After: %p', (header, expected) => {
		const now = Date.parse('2026-11-21T10:00:00Z');
		expect(readRetryAfter(header, now)).toBe(expected);
	});

	const network = (code?: string): Partial<Failure> => ({ kind: 'network', code });
	const status = (code: number): Partial<Failure> => ({ status: code });
	test.each<[string, Array<Partial<Failure>>, { read: boolean; create: boolean }]>([
		[
			'certainly not processed',
			[...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map(network), status(429)],
			{ read: true, create: true },
		],
		[
			'perhaps processed',
			[
				...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'].map(network),
				...[408, 425, 503].map(status),
				{ kind: 'cut', status: 200 },
			],
			{ read: true, create: false },
		],
		[
			'a retry would not help',
			[
				...['CERT_HAS_EXPIRED', 'ERR_CANCELED', undefined].map(network),
				...[status(404), { kind: 'notJson', status: 200 }, { kind: 'redirect', status: 307 }],
				...[{ kind: 'configuration' }, { kind: 'stopped' }, { kind: 'pausing' }],
			] as Array<Partial<Failure>>,
			{ read: false, create: false },
		],
	])('%s: %j: %j', (_name, failures, again) => {
		for (const change of failures) {
			const read = mayRetry(failure(change));
			const create = mayRetry(failure({ ...change, method: 'POST' }));
			expect({ ...change, read, create }).toEqual({ ...change, ...again });
		}
	});
});

describe('the request queue', () => {
	/** A queue. `news` gives the requests that were admitted or dismissed since the last call. */
	function newLine() {
		const queue = new RequestQueue();
		const seen: string[] = [];
		const stand = (names: string, change: Partial<QueueRequest> = {}) => {
			const { signal } = new AbortController();
			for (const name of names.split(' ')) {
				const entered = queue.enter({ size: 2, mayWait: () => true, signal, ...change });
				void entered.then((admission) => seen.push(`${name} ${admission}`));
			}
		};
		const news = async (afterMs = 0) => {
			await clock.sleep(afterMs);
			return seen.splice(0);
		};
		return { queue, stand, news };
	}

	test('admits as many as the first request allows, retries first', async () => {
		const { queue, stand, news } = newLine();
		stand('a b c d');
		stand('e f', { isRepeat: true });
		expect(await news()).toEqual(['a admitted', 'b admitted']);
		for (const name of 'efcd') {
			queue.leave();
			expect(await news()).toEqual([`${name} admitted`]);
		}
	});

	test('lets no larger request overtake a small one', async () => {
		const { queue, stand, news } = newLine();
		stand('a b', { size: 5 });
		stand('small', { size: 1 });
		stand('c', { size: 5 });
		queue.leave();
		expect(await news()).toEqual(['a admitted', 'b admitted']);
		queue.leave();
		expect(await news()).toEqual(['small admitted', 'c admitted']);
	});

	test('dismisses aborted requests, waiting or new', async () => {
		const { queue, stand, news } = newLine();
		const stop = new AbortController();
		stand('a', { size: 1 });
		stand('b', { size: 1, signal: stop.signal });
		stand('c', { size: 1 });
		stop.abort();
		queue.dismissAborted();
		stand('d', { signal: stop.signal });
		expect((await news()).sort()).toEqual(['a admitted', 'b stopped', 'd stopped']);
		queue.leave();
		expect(await news()).toEqual(['c admitted']);
	});

	test('holds requests during a pause, and admits fewer at a time afterwards', async () => {
		const { queue, stand, news } = newLine();
		stand('a b c d', { size: 4 });
		expect(await news()).toHaveLength(4);
		queue.pause(150);
		for (let left = 0; left < 4; left++) queue.leave();
		stand('hasty', { mayWait: (ms) => ms <= 50 });
		stand('e f g', { size: 4 });
		expect(await news(100)).toEqual(['hasty pausing']);
		expect(await news(100)).toEqual(['e admitted', 'f admitted']);
		queue.leave();
		expect(await news()).toEqual(['g admitted']);
	});
});

test('a signal with many callbacks has one listener, and calls those that are left', () => {
	const stop = new AbortController();
	const listen = jest.spyOn(stop.signal, 'addEventListener');
	const called: number[] = [];
	const releases = Array.from({ length: 20 }, (_, at) =>
		onAbort(stop.signal, () => called.push(at)),
	);
	releases.slice(2).forEach((release) => release());
	stop.abort();
	expect(listen).toHaveBeenCalledTimes(1);
	expect(called).toEqual([0, 1]);
});

test('work that ends in time is not aborted afterwards', async () => {
	let own: AbortSignal | undefined;
	const work = async (signal: AbortSignal) => {
		own = signal;
		return await Promise.resolve('done');
	};
	expect(await withDeadline(50, undefined, work)).toBe('done');
	await clock.sleep(200);
	// Node makes an error with a stack for each abort, which costs 1 % of the time of a create.
	expect(own?.aborted).toBe(false);
});
