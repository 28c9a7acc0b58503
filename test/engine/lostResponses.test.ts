import type { INodeParameters } from 'n8n-workflow';
import type { FaultAction } from '../../simulator/faults';
import { passTime, pause } from '../helpers/n8n/clock';
import { callAsTools } from '../helpers/n8n/engine';
import { continues, oneTry, outcomes, retry } from '../helpers/n8n/nodeRuns';
import { forHours, minute, unsent, useNumbers } from '../helpers/n8n/numberRuns';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters, perRow } from '../helpers/sheets/fromRows';
import { isNight } from '../helpers/someOf';

/**
 * Creates whose response is lost or says nothing certain: the invoice is looked for by its number, and no invoice exists twice or is
 * missing without an error, in later runs as well.
 */

const helpers = useNumbers();
const { service, run, posts, fault, create, runNumbers, row, runRows } = helpers;
const { existing, send, outcomesOf, errorOf, tool } = helpers;

describe('a lost response to a create', () => {
	const lose = (work: 'none' | { lateMs: number }, more: object = {}) =>
		fault({ kind: 'reset', work }, { method: 'POST', ...more });
	const waiting = (maxWait: number, maxRequestsInFlight: number) =>
		create('create', { options: { maxWait, maxRequestsInFlight } });
	const quick = () => waiting(1, 1);

	test('[R5] stops a run whose invoice is not found, and recovers one that is', async () => {
		lose({ lateMs: 700 });
		const { json } = await runNumbers(waiting(5, 5), ['A', 'B']);
		expect(outcomes(json)).toEqual(['recovered', 'created']);
		service.world.reset({ latency: 30 });
		lose('none', { contains: '"A"' });
		const { error } = await runNumbers(waiting(1, 1), ['A', 'B', 'C', 'D']);
		expect(error?.message).toContain('may still have been created');
		expect(posts()).toHaveLength(1);
	});

	test('is looked for until a slow service has created it, whatever Max Wait is', async () => {
		lose({ lateMs: 9000 });
		const { json } = await runNumbers(waiting(0, 1), ['A']);
		expect(outcomes(json)).toEqual(['recovered']);
		expect(posts()).toHaveLength(1);
	});

	test('is not looked for any longer than 15 seconds, however long Max Wait is', async () => {
		const begin = Date.now();
		lose('none');
		const lost = await runNumbers(waiting(3600, 1), ['A']);
		expect(lost.error?.message).toContain('It was not found by its number "A" within 15 s');
		expect(Date.now() - begin).toBeLessThan(20_000);
		lose('none');
		fault({ kind: 'status', status: 503 }, { method: 'GET', times: null });
		const failed = await runNumbers(waiting(3600, 1), ['B']);
		expect(failed.error?.message).toContain('It could not be looked up by its number "B"');
		expect(Date.now() - begin).toBeLessThan(60_000);
	});

	test('is not confused with an older invoice of the same number with Create Anyway', async () => {
		await runNumbers(create('create', { currency: 'SEK' }), ['A']);
		lose('none');
		const { error } = await runNumbers(quick(), ['A']);
		expect(error?.message).toContain('may still have been created');
		// Nor with the invoice of an earlier item.
		service.world.reset();
		lose('none', { skip: 1 });
		const { json } = await runNumbers(quick(), ['A', 'A'], { node: continues });
		expect(json[0].outcome).toBe('created');
		expect(json[1].error).toContain('may still have been created');
	});

	test('is not confused with the invoice of an earlier lost response with Create Anyway', async () => {
		fault({ kind: 'reset', work: 'done' }, { method: 'POST' });
		lose('none');
		const { json } = await runNumbers(quick(), ['A', 'A'], { node: continues });
		expect(json[0].outcome).toBe('recovered');
		expect(json[1].error).toContain('may still have been created');
	});

	test('names customer, amount and time if there is no number', async () => {
		lose('none');
		const { error } = await run(service.invoice({ options: { maxWait: 1 } }));
		const { id } = service.world.account.customers[0];
		expect(error?.message).toMatch(
			new RegExp(`Look in the service for customer ${id}, items of 39.98 EUR, sent at 20..-..-..T`),
		);
	});

	test('ends its look-up when the execution is cancelled', async () => {
		lose('none');
		const begin = Date.now();
		const cancelWhen = () => service.requests.length > 2;
		const { error } = await runNumbers(create('create'), ['A'], { cancelWhen });
		expect(Date.now() - begin).toBeLessThan(12_000);
		expect(error?.message).toContain('cancelled');
	});

	test('continues its look-up when another item fails', async () => {
		lose({ lateMs: 900 }, { contains: '"A"' });
		fault({ kind: 'status', status: 422 }, { contains: '"B"' });
		service.world.set({ latency: 100 });
		const { error } = await runNumbers(waiting(5, 2), ['A', 'B']);
		expect(error?.message).toContain('status 422');
		expect(error?.description).toContain(`item 1: ${service.created[0].full.id}`);
		await pause(100);
		expect(service.created).toHaveLength(1);
	});
});

describe('a lost response that may have created an invoice', () => {
	const lose = async (choice = 'returnExisting') => {
		fault({ kind: 'reset', work: 'none' }, { method: 'POST' });
		expect(await errorOf(choice, ['A'])).toContain('may still have been created');
	};
	beforeEach(() => service.world.set({ listLagMs: forHours }));

	test.each(['returnExisting', 'fail', 'create'])(
		'blocks other executions after a run with %s',
		async (choice) => {
			await lose(choice);
			for (const other of ['returnExisting', 'fail']) {
				const { error } = await send(other, ['A']);
				expect(error?.message).toContain(
					'An earlier request with the invoice number "A" (sent at 2',
				);
				expect(error?.message).toContain(unsent);
				expect(error?.description).toContain('ten minutes');
			}
			expect((await runRows('returnExisting', ['A'])).error?.message).toContain(unsent);
			const [answer] = await callAsTools([tool('returnExisting')]);
			expect((answer as Error).message).toContain(unsent);
			expect(posts()).toHaveLength(1);
		},
	);

	test('blocks the number in a simultaneous execution', async () => {
		service.world.set({ latency: 50 });
		fault({ kind: 'reset', work: 'none' }, { method: 'POST' });
		const both = [1, 2].map(async () => await errorOf('returnExisting', ['A']));
		const words = await Promise.all(both);
		for (const part of ['may still have been created', unsent])
			expect(words.filter((word) => word.includes(part))).toHaveLength(1);
		expect(posts()).toHaveLength(1);
	});

	test('blocks only its own number with On Error: Continue', async () => {
		await lose();
		const numbers = ['B', 'A', 'C', 'a'];
		const { json } = await runNumbers(existing(oneTry), numbers, { node: continues });
		const error = expect.stringContaining(unsent) as string;
		const created = { outcome: 'created' };
		expect(json).toMatchObject([created, { error }, created, { error }]);
		expect(posts()).toHaveLength(3);
	});

	test('blocks the number for ten minutes', async () => {
		await lose();
		passTime(9 * minute);
		expect(await errorOf('returnExisting', ['A'])).toContain(unsent);
		passTime(minute);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['created']);
		expect(posts()).toHaveLength(2);
	});

	test('does not block Create Anyway', async () => {
		await lose();
		const { json } = await send('create', ['A']);
		expect(outcomes(json)).toEqual(['created']);
		const again = await send('returnExisting', ['A']);
		expect(again.json).toMatchObject([{ outcome: 'found', id: json[0].id }]);
		expect(posts()).toHaveLength(2);
	});
});

describe('[R5] a lost response to a create that was done', () => {
	test.each(['done', { lateMs: 300 }] as const)(
		'is found once the list shows it: %j',
		async (work) => {
			service.world.set({ listLagMs: 3 * minute });
			fault({ kind: 'reset', work }, { method: 'POST' });
			expect(await errorOf('returnExisting', ['A'])).toContain('may still have been created');
			while (service.created.length === 0) await pause(20);
			expect(await errorOf('returnExisting', ['A'])).toContain(unsent);
			passTime(4 * minute);
			const { json } = await send('returnExisting', ['A']);
			expect(json).toMatchObject([{ outcome: 'found', id: service.created[0].full.id }]);
			expect(posts()).toHaveLength(1);
		},
	);

	test('is uncertain after the execution was cancelled', async () => {
		service.world.set({ listLagMs: forHours });
		fault({ kind: 'timeout' }, { method: 'POST' });
		const cancelWhen = () => posts().length > 0;
		await runNumbers(existing(oneTry), ['A'], { cancelWhen });
		expect(posts()).toHaveLength(1);
		expect(await errorOf('returnExisting', ['A'])).toContain(unsent);
		expect(posts()).toHaveLength(1);
	});
});

describe('a create that may have been done', () => {
	test('may be done after a status 500 whose text names a network error', async () => {
		fault({ kind: 'status', status: 500, message: 'connect ECONNREFUSED 10.0.0.5' });
		const { error } = await run(service.invoice(oneTry));
		expect(error?.message).toContain('The invoice may still have been created');
		expect(service.requests).toHaveLength(1);
	});

	test('is not done after a redirect', async () => {
		fault({ kind: 'redirect', location: '/elsewhere', status: 307 });
		const { error } = await run(service.invoice(oneTry));
		expect(error?.message).toContain('redirect to');
		expect(error?.message).not.toContain('may still have been created');
	});
});

type Outcome = 'created' | 'recovered' | 'failed';
/** Before the last look for the invoice of a lost response, and after it. */
const late = { lateMs: 2500 };
const tooLate = { lateMs: 40_000 };
const down = (code: number, work: 'none' | 'done') =>
	({
		kind: 'status',
		status: code,
		message: 'Down',
		work,
		retryAfter: { seconds: 0, as: 'seconds' },
	}) as const;

/** What happens to the first create, and the outcome of its item, with a number and without. */
const losses: Array<[string, Partial<FaultAction>, numbered: Outcome, unnumbered: Outcome]> = [
	['timeout before', { kind: 'timeout', work: 'none' }, 'failed', 'failed'],
	['timeout after', { kind: 'timeout', work: 'done' }, 'recovered', 'failed'],
	['timeout, done seconds later', { kind: 'timeout', work: late }, 'recovered', 'failed'],
	['timeout, done after the search', { kind: 'timeout', work: tooLate }, 'failed', 'failed'],
	['reset before', { kind: 'reset', work: 'none' }, 'failed', 'failed'],
	['reset after', { kind: 'reset', work: 'done' }, 'recovered', 'failed'],
	['reset, done seconds later', { kind: 'reset', work: late }, 'recovered', 'failed'],
	['reset, done after the search', { kind: 'reset', work: tooLate }, 'failed', 'failed'],
	['drip before', { kind: 'drip', everyMs: 20, work: 'none' }, 'failed', 'failed'],
	['drip after', { kind: 'drip', everyMs: 20, work: 'done' }, 'recovered', 'failed'],
	['429', down(429, 'none'), 'created', 'created'],
	...[408, 425, 500, 502, 503, 504].flatMap((code): typeof losses => [
		[`${code} before`, down(code, 'none'), 'failed', 'failed'],
		[`${code} after`, down(code, 'done'), 'recovered', 'failed'],
	]),
	['HTML', { kind: 'html' }, 'failed', 'failed'],
	['cut JSON', { kind: 'cutJson' }, 'recovered', 'failed'],
	['half an answer', { kind: 'cutConnection' }, 'recovered', 'failed'],
	['no body', { kind: 'emptyBody' }, 'recovered', 'failed'],
	['JSON that is no invoice', { kind: 'json', body: {} }, 'failed', 'failed'],
	['redirect', { kind: 'redirect', location: 'https://x.example', status: 302 }, 'failed', 'failed'],
]; // prettier-ignore

const lossesByRun = losses.flatMap(([name, action, numbered, unnumbered]) =>
	(['create', 'createFromRows'] as const).flatMap((operation) =>
		[true, false].flatMap((hasNumber) =>
			(['create', 'returnExisting'] as const).map((choice) => {
				// Create From Rows makes numbers from the content if Return Existing needs them.
				const getsNumber = operation === 'createFromRows' && choice === 'returnExisting';
				const isFindable = hasNumber || getsNumber;
				return {
					name: `${name}: ${operation}, ${hasNumber ? 'with' : 'without'} number, ${choice}`,
					...{ action, operation, hasNumber, isFindable, choice },
					expected: isFindable ? numbered : unnumbered,
				};
			}),
		),
	),
);

describe('[R5] a create whose answer is lost is sent once, in later runs as well', () => {
	const titles = ['one', 'two'];
	/** The number of invoices of each title. */
	const counts = () =>
		titles.map((title) => service.created.filter(({ request }) => request.title === title).length);
	/** Creates an invoice for each title. */
	const parametersOf = ({ operation, hasNumber }: (typeof lossesByRun)[number]) =>
		operation === 'createFromRows'
			? fromRowsParameters(
					perRow('Title = Title', ...(hasNumber ? ['Invoice Number = Invoice Number'] : [])),
				)
			: service.invoice({
					additionalFields: {
						title: '={{ $json.Title }}',
						invoiceNumber: '={{ $json["Invoice Number"] }}',
					},
				});

	test.each(lossesByRun)('$name', async (one) => {
		const { action, operation, hasNumber, isFindable, choice, expected } = one;
		const isRefused = 'status' in action && action.status === 429;
		const items = titles.map((title) =>
			row(hasNumber ? `N-${title}` : undefined, { Title: title }),
		);
		const runOnce = async (change: object) => {
			const parameters = confirmedParameters(
				{ ...parametersOf(one), ...change } as INodeParameters,
				items,
			);
			const { json, hints } = await run(parameters, { items, node: continues });
			const [result] = json;
			const isWarned = hints.join().includes('For these invoices no response arrived');
			return { error: result.error, outcome: result.error ? 'failed' : result.outcome, isWarned };
		};
		const options = { maxWait: 6, maxRequestsInFlight: 1 };
		fault(action, { method: 'POST', path: '/v1/invoices' });
		const { outcome, error, isWarned } = await runOnce({
			ifInvoiceNumberExists: choice,
			options,
			requestOptions: { timeout: 3000 },
		});
		if (!isFindable && choice === 'returnExisting') {
			// Nothing is sent without a number to find it by.
			expect([outcome, posts(), counts()]).toEqual(['failed', [], [0, 0]]);
			expect(error).toContain('Invoice Number');
			return;
		}
		if ('work' in action && typeof action.work === 'object') await pause(tooLate.lateMs + 1000);
		const first = counts();
		expect(outcome).toBe(expected);
		expect(isWarned).toBe(outcome === 'recovered');
		for (const count of first) expect(count).toBeLessThanOrEqual(1);
		if (outcome === 'failed') expect(error).toContain('may still have been created');
		else expect(first).toEqual([1, 1]);
		// One for each item, and another one if the service refused the first.
		expect(posts()).toHaveLength(isRefused ? 3 : 2);
		// Create From Rows would make a number, by which an invoice that was created without one cannot be found.
		if (!isFindable && operation === 'createFromRows') return;
		const again = { ifInvoiceNumberExists: 'returnExisting', options };
		// A request that may still be on its way is not sent again for ten minutes.
		const soon = await runOnce(again);
		expect(counts()).toEqual(first);
		if (isFindable) expect(soon.outcome).toBe(first[0] ? 'found' : 'failed');
		passTime(10 * 60_000);
		await runOnce(again);
		expect(counts()).toEqual(isFindable ? [1, 1] : first);
	});
});

/** What the answer says: the JSON of an error, of a thing that is none, of a page that contradicts itself, or no JSON. */
const envelopes: Record<string, string> = {
	'an error': '{"message":"No"}',
	'an error with an ID': '{"id":"req_1","error":{"message":"No"}}',
	'a denied success': '{"id":"req_1","success":false}',
	'only an ID': '{"id":"req_1"}',
	'an ID and the status of an error': '{"id":"req_1","status":"error","code":"E1"}',
	'an error beside the fields of an invoice':
		'{"id":"req_1","currency":"EUR","title":"","errors":["No"]}',
	'an object without fields': '{}',
	'an empty list': '[]',
	'an empty page that says more follow': '{"count":0,"next":"https://x.example/2","results":[]}',
	'an empty page that was no success': '{"success":false,"results":[]}',
	'an empty page that counts -1': '{"count":-1,"next":null,"results":[]}',
	'an empty page that counts 3': '{"count":3,"next":null,"results":[]}',
	'an empty page with an error': '{"count":0,"next":null,"results":[],"error":"No"}',
	'a web page': '<html><title>Error</title></html>',
	nothing: '',
};
const everyStatus = [
	...[200, 201, 202, 204, 206, 299, 301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 420, 421, 422, 423],
	...[
		424, 425, 426, 428, 429, 431, 444, 451, 460, 499, 500, 501, 502, 503, 504, 507, 520, 524, 599,
	],
];
const ways = ['returnExisting', 'create', 'without a number'] as const;

const cells = Object.entries(envelopes).flatMap(([envelope, body], row) =>
	everyStatus.flatMap((status, column) =>
		(['none', 'done'] as const).flatMap((work, half) =>
			(['POST', 'GET'] as const).map((method) => ({
				...{ envelope, body, status, work, method },
				// By day 200 and 429 with each envelope, because most is at stake there, and the others with one.
				isRun: isNight || [200, 429].includes(status) || column % 15 === row,
				// Each way with each status and each envelope.
				way: method === 'GET' ? 'returnExisting' : ways[(row + column + half) % ways.length],
			})),
		),
	),
);
const parametersBy = (way: string): INodeParameters =>
	service.invoice({
		ifInvoiceNumberExists: way === 'returnExisting' ? way : 'create',
		additionalFields: way === 'without a number' ? {} : { invoiceNumber: 'N-1' },
		options: { maxWait: 2 },
	}) as INodeParameters;

test.each(Object.keys(envelopes))(
	'[R5] %s, with every status, leads to no second invoice, and to none that does not exist',
	async (name) => {
		const own = cells.filter(({ envelope, isRun }) => envelope === name && isRun);
		expect(own.length).toBeGreaterThan(11);
		const wrong: unknown[] = [];
		for (const { body, status, work, method, way } of own) {
			service.world.reset();
			const parameters = parametersBy(way);
			const headers = { 'retry-after': '0' };
			const action = { kind: 'raw', status, body, headers } as const;
			if (method === 'POST') fault({ ...action, work }, { method, path: '/v1/invoices' });
			else {
				// For a look-up, the work is done before: the invoice exists.
				if (work === 'done') await run(parameters);
				passTime(11 * 60_000);
				fault(action, { method, path: '/v1/invoices' });
			}
			const before = service.created.length;
			const first = await run(parameters, { node: retry });
			const created = service.created.length;
			const success = first.json.length > 0;
			const isInvented =
				success && !service.created.some(({ full }) => full.id === first.json[0].id);
			if (way === 'returnExisting') {
				passTime(11 * 60_000);
				const { json, error } = await run(parameters);
				if (json.length !== 1) wrong.push({ status, work, method, way, again: error?.message });
			}
			const { length } = service.created;
			// 429 says that nothing was done.
			const isPromised = status === 429 && work === 'done';
			if (length > 1 && !isPromised)
				wrong.push({ status, work, method, way, length, posts: posts().length });
			if (isInvented) wrong.push({ status, work, method, way, json: first.json });
			if (method === 'GET' && first.error && created > before) wrong.push({ status, way, created });
			if (!success && !first.error) wrong.push({ status, work, method, way, silent: true });
		}
		expect(wrong).toEqual([]);
	},
	120_000,
);
