import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { accountOf } from '../../nodes/shared/transport/account';
import type { FaultAction } from '../../simulator/faults';
import type { Settings } from '../../simulator/settings';
import type { SeenRequest } from '../../simulator/traffic';
import { passTime, pause } from '../helpers/n8n/clock';
import type { RunOptions } from '../helpers/n8n/engine';
import { callAsTools } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	matches,
	numbersTo,
	oneAtATime,
	oneTry,
	outcomes,
	retry,
} from '../helpers/n8n/nodeRuns';
import { all, forHours, minute, unsent, useNumbers } from '../helpers/n8n/numberRuns';
import { newKey } from '../helpers/service/useSimulator';

/**
 * A number has one invoice in an account, whether it exists already or was created by the same run, however the number is written, and
 * also if the service changes numbers.
 */

const helpers = useNumbers();
const { service, posts, fault, create, runNumbers, row, runRows, confirmRows } = helpers;
const { existing, tool, sentNumbers } = helpers;

const createdIn = (runs: Array<{ json: IDataObject[] }>) =>
	runs.flatMap(({ json }) => outcomes(json)).filter((outcome) => outcome === 'created').length;

describe('an existing invoice number', () => {
	test.each(matches)('is found with a filter that is %s', async (match) => {
		service.world.reset({ invoiceNumberMatch: match, invoices: 250, maxPageSize: 20 });
		const [{ full }] = service.world.account.invoices;
		const near = full.invoice_number.slice(0, -1);
		const { json, items } = await runNumbers(existing(), [full.invoice_number, near, `${near}00`]);
		expect(outcomes(json)).toEqual(['found', 'created', 'created']);
		expect(json[0]).toMatchObject({ id: full.id, invoice_number: full.invoice_number });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(json.map((_, item) => ({ item })));
		expect(service.created).toHaveLength(2);
	});

	test('reports differences to the existing invoice', async () => {
		await runNumbers(existing(), ['A']);
		const { json } = await runNumbers(existing({ currency: 'SEK' }), ['A']);
		const differences = ['currency: EUR in the service, SEK here'];
		expect(json).toMatchObject([{ outcome: 'found', differences }]);
	});

	test('fails if the user wants that, and stops the run', async () => {
		await runNumbers(create('create'), ['A']);
		const { error } = await runNumbers(create('fail', oneAtATime), ['B', 'A', 'C']);
		const [{ full }] = service.created;
		expect(error?.message).toContain(
			`An invoice with this number already exists: "A" is invoice ${full.id} (unpaid) [item 2]`,
		);
		expect(error?.message).toContain('1 other item was done, 1 was not sent');
		expect(error?.description).toContain('Return Existing');
		expect(sentNumbers()).toEqual(['A', 'B']);
	});

	test('counts as existing within the same run, however it is written', async () => {
		service.world.set({ latency: 20 });
		const { json } = await runNumbers(existing(), [
			...['INV-7', 'INV-7', 'B', 'inv-7', 'INV - 7', 'ＩＮＶ-7', 'ІNV-7', 'B'],
		]);
		const [first, second, third, ...others] = outcomes(json);
		expect([first, second, third]).toEqual(['created', 'found', 'created']);
		expect(others).toEqual(Array(5).fill('found'));
		expect(json[4].differences).toEqual(['invoice number: INV-7 in the service, INV - 7 here']);
		expect(posts()).toHaveLength(2);
	});

	test.each(['returnExisting', 'fail'])('is required with %s, and nothing is sent', async (way) => {
		const { error } = await runNumbers(create(way), ['A', '']);
		expect(error?.message).toBe(
			"Invoice Number is empty, but 'If Invoice Number Exists' needs it [item 2]",
		);
		expect(service.requests).toEqual([]);
	});

	test.each<[string, () => void, string]>([
		['the list contains no numbers', () => service.world.set({ optionalFields: 'missing', invoiceNumberMatch: 'ignored' }), 'without invoice_number'],
		[
			'the service is down',
			() => fault({ kind: 'status', status: 503 }, { method: 'GET', times: null }),
			'could not be looked up, so its invoice was not created: The service failed',
		],
	])('is not created if %s', async (_what, arrange, words) => {
		arrange();
		const { error } = await runNumbers(existing(oneTry), ['A', 'B']);
		expect(error?.message).toContain(
			'The invoice number "A" could not be looked up, so its invoice was not created',
		);
		expect(error?.message).toContain(words);
		expect(error?.message).not.toContain('may still have been');
		expect(posts()).toEqual([]);
	}); // prettier-ignore

	test('is looked up again with Retry On Fail', async () => {
		fault({ kind: 'status', status: 500 }, { method: 'GET' });
		const { json } = await runNumbers(existing(oneTry), ['A'], { node: retry });
		expect(outcomes(json)).toEqual(['created']);
	});

	test('[R3] is not created twice with Retry On Fail, which gives all items', async () => {
		fault({ kind: 'status', status: 422 }, { method: 'POST', skip: 2 });
		const numbers = ['A', 'B', 'C', 'A'];
		const { json } = await runNumbers(existing(oneAtATime), numbers, { node: retry });
		expect(outcomes(json)).toEqual(['created', 'created', 'created', 'found']);
		expect(service.created).toHaveLength(3);
	});

	test.each([400, 401, 403, 404, 409, 410, 422])(
		'[R3] is not created twice if the service makes it, answers %i and lists it three seconds later, with Retry On Fail',
		async (status) => {
			service.world.set({ listLagMs: 3000 });
			fault({ kind: 'status', status, work: 'done' }, { method: 'POST' });
			const { json } = await runNumbers(existing(), ['A'], { node: retry });
			expect(service.created).toHaveLength(1);
			const [result] = json;
			// After a 409, which may come after the work, the lost invoice is searched at once.
			expect(result.outcome).toBe(status === 409 ? 'recovered' : 'found');
		},
	);

	test('costs no waiting and no look-up more if its create was not refused', async () => {
		const begin = Date.now();
		await runNumbers(existing(), ['A', 'B']);
		const [requests, lasted] = [service.requests.length, Date.now() - begin];
		service.world.reset();
		fault({ kind: 'status', status: 422 }, { method: 'POST', skip: 1, times: null });
		await runNumbers(existing(oneAtATime), ['C', 'D']);
		passTime(20_000);
		const again = Date.now();
		const count = service.requests.length;
		await runNumbers(existing(oneAtATime), ['C', 'D']);
		expect(Date.now() - again).toBeLessThan(lasted + 1000);
		expect(service.requests.length - count).toBeLessThan(requests);
	});

	test.each<[string, Partial<FaultAction>]>([
		['was only too busy', { kind: 'status', status: 429 }],
		['only asked to send it elsewhere', { kind: 'redirect', location: '/else', status: 307 }],
	])('waits for no second look-up if the service %s', async (_what, action) => {
		fault(action, { method: 'POST' });
		const begin = Date.now();
		expect((await runNumbers(existing(oneTry), ['A'])).error).toBeDefined();
		const { json } = await runNumbers(existing(oneTry), ['A']);
		expect(outcomes(json)).toEqual(['created']);
		expect(Date.now() - begin).toBeLessThan(5000);
	});

	test('stays locked if a waiting execution is cancelled', async () => {
		service.world.set({ latency: 300 });
		const begin = Date.now();
		const cancelWhen = () => Date.now() > begin + 200;
		const runs = [{}, { cancelWhen }, {}].map(async (more, index) => {
			await pause(index * 100);
			return await runNumbers(existing(), ['A'], more);
		});
		const [first, , third] = await Promise.all(runs);
		expect([...outcomes(first.json), ...outcomes(third.json)]).toEqual(['created', 'found']);
		expect(service.created).toHaveLength(1);
	});
});

describe('accounts', () => {
	const charges = { resource: 'charge', operation: 'getAll', limit: 1, ...oneTry };
	const hour = { seconds: 3600, as: 'seconds' } as const;
	const paused = "asked for a pause that is longer than 'Max Wait'";
	const quickly = (change: object = {}) => existing({ ...oneTry, ...change });
	let first: string;
	let second: string;
	beforeEach(() => {
		[first, second] = [newKey(), newKey()];
		// Created invoices never show in the list, because both keys see the same list here.
		service.world.set({ listLagMs: forHours });
	});

	/** Runs the node with a key. The service accepts that key from then on. */
	async function runWith(
		apiKey: string,
		parameters: object = quickly(),
		numbers = ['INV-1'],
		credential: IDataObject = {},
	) {
		service.world.set({ apiKey });
		const used = { ...service.credential, apiKey, ...credential } as RunOptions['credential'];
		return await runNumbers(parameters, numbers, { credential: used });
	}
	const outcomesWith = async (...args: Parameters<typeof runWith>) =>
		outcomes((await runWith(...args)).json);
	const errorWith = async (...args: Parameters<typeof runWith>) =>
		(await runWith(...args)).error?.message;

	describe('two keys with the same Base URL', () => {
		test('create the same number once each', async () => {
			const one = await runWith(first);
			const two = await runWith(second);
			expect(createdIn([one, two])).toBe(2);
			expect(two.json[0].id).not.toBe(one.json[0].id);
			for (const [key, { json }] of [[first, one] as const, [second, two] as const]) {
				const again = await runWith(key);
				expect(again.json).toMatchObject([{ outcome: 'found', id: json[0].id }]);
			}
			expect(posts()).toHaveLength(2);
		});

		test('do not share uncertain creates', async () => {
			fault({ kind: 'reset' }, { method: 'POST' });
			expect(await errorWith(first)).toContain('may still have been created');
			expect(await outcomesWith(second)).toEqual(['created']);
			expect(await errorWith(first)).toContain(unsent);
			expect(posts()).toHaveLength(2);
		});

		test('do not share pauses', async () => {
			fault({ kind: 'status', status: 429, retryAfter: hour });
			expect(await errorWith(first, charges)).toContain('asks to wait 3600 s');
			expect(await errorWith(first, charges)).toContain(paused);
			expect(service.requests).toHaveLength(1);
			expect((await runWith(second, charges)).json).toHaveLength(1);
			expect(await outcomesWith(second)).toEqual(['created']);
			expect(await errorWith(first)).toContain(paused);
		});
	});

	test.each<[string, () => IDataObject]>([
		['spaces around it', () => ({ apiKey: `  ${first} ` })],
		['the end of a line behind it', () => ({ apiKey: `${first}\n` })],
		['a slash behind the Base URL', () => ({ baseUrl: `${service.url}/` })],
		['/v1 behind the Base URL', () => ({ baseUrl: ` ${service.url}/v1/ ` })],
	])('one key is one account, also with %s', async (_name, written) => {
		service.world.set({ latency: 20 });
		const credential = written();
		const both = [runWith(first), runWith(first, quickly(), ['INV-1'], credential)];
		const all = (await Promise.all(both)).flatMap(({ json }) => outcomes(json));
		expect(all.sort()).toEqual(['created', 'found']);
		expect(posts()).toHaveLength(1);
		// Uncertain creates and pauses belong to the account as well.
		fault({ kind: 'reset' }, { method: 'POST' });
		await runWith(first, quickly(), ['INV-2'], credential);
		expect(await errorWith(first, quickly(), ['INV-2'])).toContain(unsent);
		fault({ kind: 'status', status: 429, retryAfter: hour });
		await runWith(first, charges);
		expect(await errorWith(first, charges, [''], credential)).toContain(paused);
	});

	test('all names of a service on this machine are one account', () => {
		const accounts = ['localhost', '127.0.0.1', '[::1]', '127.1.2.3'].map((host) =>
			accountOf(`http://${host}:4010`, 'a key'),
		);
		expect(new Set(accounts).size).toBe(1);
	});
});

const unseen = {
	'a soft hyphen': '\u00ad',
	'a left-to-right mark': '\u200e',
	'a right-to-left mark': '\u200f',
	'a zero-width space': '\u200b',
	'a zero-width joiner': '\u200d',
	'a word joiner': '\u2060',
	'an isolate': '\u2066',
	'an end of isolates': '\u2069',
	'a byte order mark': '\ufeff',
	'a variation selector': '\ufe0f',
	'a variation selector of the second plane': '\u{e0101}',
	'a grapheme joiner': '\u034f',
	'a Hangul filler': '\u3164',
	'a Mongolian vowel separator': '\u180e',
	'a tag': '\u{e0041}',
	NUL: '\u0000',
	'a control character': '\u0007',
	'an invisible times': '\u2062',
	'an Arabic letter mark': '\u061c',
};
const lookAlikes: Record<string, string> = {
	...Object.fromEntries(Object.entries(unseen).map(([name, char]) => [name, `INV-${char}7`])),
	'an en dash': 'INV\u20137',
	'a non-breaking hyphen': 'INV\u20117',
	'a minus sign': 'INV\u22127',
	'a space that does not break': 'INV-7\u00a0A',
};

describe('an invoice number that looks like another', () => {
	test.each(Object.entries(lookAlikes))('with %s is not sent, and the error says where', async (_name, number) => {
		await runNumbers(existing(), ['INV-7', 'INV-7 A']);
		const { json, error } = await runNumbers(existing(), [number]);
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/^Invoice Number has an? .*\(U\+[0-9A-F]{4,5}\)\. (?:Delete|Type)/);
		expect(service.created).toHaveLength(2);
	}); // prettier-ignore

	test.each(Object.entries(lookAlikes))('with %s is what it looks like in a sheet', async (_name, number) => {
		const items = [row('INV-7'), row('INV-7 A')];
		await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, items);
		const again = [row(number)];
		const { json } = await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, again);
		expect(outcomes(json)).toEqual(['found']);
		expect(service.created).toHaveLength(2);
	}); // prettier-ignore
});

/** How the simulator may change numbers, and numbers that it then changes. */
const changes: Array<[Settings['storedNumbers'], string[]]> = [
	['upperCase', ['inv-1', 'inv-2', 'Inv-3', 'straße-4', 'inv-5', 'inv-6']],
	['withoutSpaces', ['A B', 'A C', 'A D', 'B 1 2', 'C 1', 'D 1']],
	['padded', ['INV-1', 'INV-2', 'INV-3', 'INV-4', 'INV-5', 'INV-6']],
	['nfc', ['e\u0301-1', 'e\u0301-2', 'cafe\u0301-3', 'A\u030a-4', 'e\u0301-5', 'e\u0301-6']],
	['truncated', ['2026-0000001', '2026-0000002', 'ABCDEFGHIJKL', 'MNOPQRSTUVWX', 'INVOICE-2027']],
	['numeric', ['007', '008', '0009', '010', '0011', '012']],
];

/** Expects `count` creates, one after the other, and an error about the number of the last one. */
function expectStopped(
	error: { message: string; description?: string | null } | undefined,
	count = 1,
) {
	expect([service.created.length, posts().length]).toEqual([count, count]);
	const { request, full } = service.created[count - 1];
	expect(full.invoice_number).not.toBe(request.invoice_number);
	for (const words of [
		'The service changed the invoice number',
		`"${request.invoice_number}" became "${full.invoice_number}"`,
		`invoice ${full.id}`,
	])
		expect(error?.message).toContain(words);
	for (const words of ['Write invoice numbers the way the service stores them', 'Create Anyway'])
		expect(`${error?.message} ${error?.description}`).toContain(words);
}

describe.each(changes)('a service that changes numbers: %s', (how, numbers) => {
	beforeEach(() => service.world.set({ storedNumbers: how, latency: 10 }));

	describe.each(['returnExisting', 'fail'])('with %s', (choice) => {
		test.each([1, 2, 5, 50])('creates one invoice and stops (%i at a time)', async (count) => {
			const options = { maxRequestsInFlight: count };
			const parameters = create(choice, { options });
			expectStopped((await runNumbers(parameters, numbers)).error);
		});

		test('[O3] creates one invoice and stops in Create From Rows', async () => {
			const { error } = await runRows(choice, numbers);
			expectStopped(error);
			expect(error?.message).toContain('row');
		});

		test('sends nothing else with Retry On Fail', async () => {
			expectStopped((await runNumbers(create(choice), numbers, { node: retry })).error);
			const [{ request }] = service.created;
			const rest = numbers.filter((number) => number !== request.invoice_number);
			expectStopped((await runRows(choice, rest, retry)).error, 2);
		});

		test.each(continueModes)('fails the other items with %s', async (onError) => {
			const node = { onError, ...retry };
			const { items, errorItems } = await runNumbers(create(choice), numbers, { node });
			const failed = onError === 'continueErrorOutput' ? errorItems : items;
			const errors = failed.map(({ json }) => String(json.error));
			const isFirst = (error: string) => error.includes('The service changed');
			expect(errors.filter(isFirst)).toEqual([expect.stringContaining(service.created[0].full.id)]);
			expect(errors.filter((error) => !isFirst(error))).toEqual(
				numbers
					.slice(1)
					.map(() =>
						expect.stringContaining('not sent because the service changes invoice numbers'),
					),
			);
			expect(posts()).toHaveLength(1);
		});

		test('tells an agent, and sends nothing again', async () => {
			const one = { ...tool(choice, numbers[0]), node: retry };
			const [answer] = await callAsTools([one]);
			expectStopped(answer as unknown as Error);
			expect((answer as NodeApiError).description).not.toContain('not sent');
			// The invoice is remembered, so the second call sends nothing.
			const [again] = await callAsTools([one]);
			if (choice === 'fail') expect((again as Error).message).toContain('already exists');
			else expect(again).toMatchObject([{ outcome: 'found' }]);
			expect(posts()).toHaveLength(1);
		});
	});

	test('creates all with Create Anyway, and reports the differences', async () => {
		for (const { json, hints } of [
			await runNumbers(create('create'), numbers),
			await runRows('create', numbers),
		]) {
			expect(outcomes(json)).toEqual(all('created', numbers));
			expect(json.map(({ differences }) => differences)).toEqual(
				json.map(({ invoice_number: stored }, index) => [
					`invoice number: ${String(stored)} in the service, ${numbers[index]} here`,
				]),
			);
			const words = 'Invoices that differ from the request (see "differences" in the output)';
			expect(hints.filter((hint) => hint.includes(words))).toHaveLength(1);
		}
		expect(posts()).toHaveLength(2 * numbers.length);
	});

	test.each(matches)('finds its own invoices for ten minutes (filter %s)', async (match) => {
		service.world.set({ invoiceNumberMatch: match });
		await runNumbers(existing(), [numbers[0]]);
		const [{ full }] = service.created;
		const found = { outcome: 'found', id: full.id };
		const differences = [
			`invoice number: ${full.invoice_number} in the service, ${numbers[0]} here`,
		];
		for (const minutes of [0, 5, 4]) {
			passTime(minutes * minute);
			const { json, hints } = await runNumbers(existing(), [numbers[0]]);
			expect(json).toMatchObject([{ ...found, differences }]);
			expect(hints.join()).toContain('Invoices that differ');
		}
		// Also by the number that the service gave it.
		const { json } = await runNumbers(existing(), [full.invoice_number.trim()]);
		expect(json).toMatchObject([found]);
		expect(posts()).toHaveLength(1);
	});
});

describe('a service that keeps numbers', () => {
	/** The number of creates in flight when each one begins, including itself. */
	function watchCreates(): number[] {
		const { traffic } = service.world;
		const widths: number[] = [];
		const started = traffic.started.bind(traffic);
		jest.spyOn(traffic, 'started').mockImplementation((request: SeenRequest) => {
			started(request);
			if (request.method !== 'POST') return;
			widths.push(posts().filter(({ status }) => status === undefined).length);
		});
		return widths;
	}
	/** Five requests are in flight; some of them are look-ups. */
	function expectSeveral(widths: number[]) {
		expect(Math.max(...widths)).toBeGreaterThan(1);
		expect(service.world.traffic.mostInFlight).toBe(5);
	}
	beforeEach(() => service.world.set({ latency: 40 }));
	afterEach(() => jest.restoreAllMocks());

	test.each(['returnExisting', 'fail'])(
		'gets several creates after the first (%s)',
		async (choice) => {
			const widths = watchCreates();
			const numbers = numbersTo(40).map((number) => `${number} e\u0301`);
			const { json } = await runNumbers(create(choice), numbers);
			expect(outcomes(json)).toEqual(all('created', numbers));
			const stored = service.created.map(({ full }) => full.invoice_number);
			expect(stored.sort()).toEqual([...numbers].sort());
			expect(widths[0]).toBe(1);
			expectSeveral(widths);
		},
	);

	test.each(['undefined', '__proto__', 'constructor'])('accepts the number %p', async (number) => {
		for (const outcome of ['created', 'found'])
			expect(outcomes((await runNumbers(existing(), [number])).json)).toEqual([outcome]);
		expect(posts()).toHaveLength(1);
	});

	test('gets the other creates if the first one fails or its response is lost', async () => {
		fault({ kind: 'status', status: 422 }, { method: 'POST' });
		fault({ kind: 'reset' }, { method: 'POST' });
		const parameters = existing({ options: { maxWait: 0 } });
		const { json } = await runNumbers(parameters, numbersTo(10), { node: continues });
		expect(outcomes(json).filter((outcome) => outcome === 'created')).toHaveLength(8);
		expect(posts()).toHaveLength(10);
	});
});
