import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { clock } from '../../nodes/shared/clock';
import { accountOf } from '../../nodes/shared/transport/account';
import type { Settings, SettingsInput } from '../../simulator/settings';
import type { SeenRequest } from '../../simulator/traffic';
import { passTime, pause } from '../helpers/n8n/clock';
import type { RunOptions, RunResult } from '../helpers/n8n/engine';
import { callAsTools, runNode } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	ids,
	matches,
	numbersTo,
	oneAtATime,
	outcomes,
	pageOf,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';
import type { NamedInvoice } from '../helpers/service/ledgers';
import { doubleProblems, doublesOf } from '../helpers/service/ledgers';
import { newKey } from '../helpers/service/useSimulator';
import { preview } from '../helpers/sheets/fromRows';

/**
 * A number has one invoice, whether it exists already, was created by the same run, by another one or by another n8n process at the
 * same moment, and also if answers get lost, lists lag behind or the service changes numbers.
 */

const { service, run, posts, fault, create, runNumbers, row, fromRows, runRows, confirmRows } =
	useNode();

const minute = 60_000;
/** Longer than any test moves the clock. */
const forHours = 10_000_000;
const oneTry = { options: { maxWait: 0 } };
const unsent = 'may have been processed, so this one was not sent';

const existing = (change: object = {}) => create('returnExisting', change);
/** Creates once, without another try. */
const send = async (choice: string, numbers: string[], change: object = {}) =>
	await runNumbers(create(choice, { ...oneTry, ...change }), numbers);
const outcomesOf = async (...args: Parameters<typeof send>) => outcomes((await send(...args)).json);
const errorOf = async (...args: Parameters<typeof send>) =>
	(await send(...args)).error?.message ?? '';
/** A tool of an agent that creates an invoice with the number. */
const tool = (choice: string, invoiceNumber = 'A') => ({
	credential: service.credential,
	parameters: create(choice, { ...oneTry, additionalFields: { invoiceNumber } }),
});
const sentNumbers = () => service.created.map(({ request }) => request.invoice_number);
/** Numbers without other spellings, which would be looked up as well. */
const digitsTo = (count: number) => Array.from({ length: count }, (_, index) => `2026-${index}`);
const all = (outcome: string, numbers: string[]) => numbers.map(() => outcome);
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

describe.each(matches)('a list that shows invoices late (filter %s)', (match) => {
	beforeEach(() => service.world.set({ invoiceNumberMatch: match, listLagMs: 8000, latency: 10 }));

	describe.each([
		['Create', send],
		['Create From Rows', runRows],
	] as const)('%s', (_operation, sendAll) => {
		const numbers = numbersTo(12);

		test('[R3] creates each invoice once if it runs twice at once', async () => {
			const runs = await Promise.all(
				[1, 2].map(async () => await sendAll('returnExisting', numbers)),
			);
			const [first, second] = runs.map(({ json }) => json);
			expect([...outcomes(first), ...outcomes(second)].sort()).toEqual([
				...all('created', numbers),
				...all('found', numbers),
			]);
			expect(ids(second)).toEqual(ids(first));
			expect(sentNumbers().sort()).toEqual([...numbers].sort());
		});

		test('finds or refuses its own invoices in the next run', async () => {
			const [first, second] = [
				await sendAll('returnExisting', numbers),
				await sendAll('returnExisting', numbers),
			];
			expect(outcomes(first.json)).toEqual(all('created', numbers));
			expect(outcomes(second.json)).toEqual(all('found', numbers));
			expect(ids(second.json)).toEqual(ids(first.json));
			const { error, json } = await sendAll('fail', ['N-0']);
			expect(json).toEqual([]);
			expect(error?.message).toContain('already exists: "N-0" is invoice');
			expect(posts()).toHaveLength(12);
		});
	});

	test.each([
		['returnExisting', 'found'],
		['fail', 'already exists: "A" is invoice'],
	])('repeated tool calls of an agent create one invoice (%s)', async (way, words) => {
		const answers = [
			...(await callAsTools([tool(way), tool(way)])),
			...(await callAsTools([tool(way)])),
		].map((one) => (one instanceof Error ? one.message : String(one[0].outcome)));
		const others = answers.filter((answer) => answer !== 'created');
		const isExpected = expect.stringContaining(words) as string;
		expect(others).toEqual([isExpected, isExpected]);
		expect(posts()).toHaveLength(1);
	});

	test('Create finds invoices of Create From Rows despite different case or spaces', async () => {
		await runRows('returnExisting', ['Inv 1']);
		expect(await outcomesOf('returnExisting', ['INV 1', 'inv1'])).toEqual(['found', 'found']);
		expect(await errorOf('fail', ['inv  1'])).toContain('already exists');
		expect(posts()).toHaveLength(1);
	});

	test('Create Anyway creates another one, and its invoices are found', async () => {
		expect(await outcomesOf('create', ['A', 'A'])).toEqual(['created', 'created']);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['found']);
		expect(await outcomesOf('create', ['A'])).toEqual(['created']);
		expect(posts()).toHaveLength(3);
	});
});

describe.each(matches)('an invoice is remembered for ten minutes (filter %s)', (match) => {
	beforeEach(() => service.world.set({ invoiceNumberMatch: match, listLagMs: forHours }));
	const emptyLists = () => fault(pageOf(), { method: 'GET', times: null });

	test.each([0.5, 2, 9])('and found after %d minutes if the list lacks it', async (minutes) => {
		const first = await send('returnExisting', ['A', 'B']);
		passTime(minutes * minute);
		const second = await send('returnExisting', ['A', 'B', 'C']);
		expect(outcomes(second.json)).toEqual(['found', 'found', 'created']);
		expect(ids(second.json).slice(0, 2)).toEqual(ids(first.json));
		expect(await errorOf('fail', ['A'])).toContain('already exists: "A" is invoice');
		expect(sentNumbers().sort()).toEqual(['A', 'B', 'C']);
	});

	test('and found for ten minutes if it was deleted', async () => {
		service.world.set({ listLagMs: 0 });
		await send('returnExisting', ['A']);
		emptyLists();
		passTime(9 * minute);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['found']);
		passTime(minute);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['created']);
		expect(posts()).toHaveLength(2);
	});

	test('and found by a preview if a list that showed it lacks it', async () => {
		service.world.set({ listLagMs: 0 });
		await runRows('returnExisting', ['A']);
		const actionNow = async () => (await fromRows(preview(), [row('A')])).json[0].action;
		passTime(10_000);
		expect(await actionNow()).toBe('exists');
		emptyLists();
		passTime(10_000);
		expect(await actionNow()).toBe('exists');
		expect(outcomes((await runRows('returnExisting', ['A'])).json)).toEqual(['found']);
		expect(posts()).toHaveLength(1);
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

/** The node of another n8n process, with separate locks and memory. */
function anotherProcess(): typeof runNode {
	let other: typeof runNode | undefined;
	jest.isolateModules(() => {
		other = (jest.requireActual('../helpers/n8n/engine') as { runNode: typeof runNode }).runNode;
		// Both share one clock.
		const own = jest.requireActual('../../nodes/shared/clock') as { clock: typeof clock };
		Object.assign(own.clock, clock);
	});
	if (!other) throw new Error('The modules could not be loaded again');
	return other;
}

const processes = [runNode, anotherProcess()];

const runIn = async (
	process: typeof runNode,
	numbers: string[],
	{ change, ...more }: Partial<RunOptions> & { change?: object } = {},
) =>
	await process({
		credential: service.credential,
		parameters: existing(change),
		items: numbers.map((number) => ({ number })),
		...more,
	});
/** Both processes create the same numbers at the same moment. */
const runBoth = async (numbers: string[], change: object = {}, executionIds: string[] = []) =>
	await Promise.all(
		processes.map(
			async (process, at) =>
				await runIn(process, numbers, { change, executionId: executionIds[at] }),
		),
	);

const created = () =>
	service.created.map(({ full }) => ({ id: full.id, number: full.invoice_number }));
const doubles = () => doublesOf(created()).size;
const problemsIn = (runs: RunResult[]) =>
	doubleProblems(
		created(),
		runs.flatMap(({ json }) => json as unknown as NamedInvoice[]),
	);

describe('the same invoices in two n8n processes at the same moment', () => {
	const numbers = digitsTo(100);
	const some = digitsTo(20);

	test('[R4] are rarely created twice, and then reported', async () => {
		service.world.reset({ latency: 50 });
		const runs = await runBoth(numbers, {}, ['17', '18']);
		expect(new Set(service.created.map(({ full }) => full.invoice_number)).size).toBe(100);
		// A few in most runs, but all 100 if both began with the first one.
		expect(doubles()).toBeLessThanOrEqual(20);
		expect(problemsIn(runs)).toEqual([]);
		expect(runs.map(({ json }) => json.length)).toEqual([100, 100]);
		// Two look-ups per number would take 400.
		expect(service.requests.length).toBeLessThan(350);
	});

	test.each<[string, SettingsInput]>([
		['all of them are created twice', {}],
		['the service sorts equal invoices differently on each page', { order: 'none', timestampTies: 'perRequest', invoicesPerMoment: 60 }],
		['the service counts wrong', { count: 'cappedAt100' }],
		['the service gives no count', { count: 'missing' }],
		['the service gives ten invoices on a page', { maxPageSize: 10 }],
		['the service refuses other page sizes', { maxPageSize: 50, overMaxPageSize: 'reject' }],
		['the service lists late', { listLagMs: 700 }],
	])('are reported if %s', async (_, settings) => {
		service.world.reset({ latency: 20, invoices: 120, ...settings });
		const runs = await runBoth(some);
		expect(doubles()).toBeGreaterThan(some.length / 2);
		expect(problemsIn(runs)).toEqual([]);
		for (const { hints, json } of runs) {
			const reported = json.filter(({ duplicates }) => duplicates).length;
			expect(hints.join()).toMatch(/same time: item .*keep the first ID and cancel the others/);
			expect(hints.join().match(/\bitem \d+/g)).toHaveLength(reported);
		}
	}); // prettier-ignore

	test('[R4] are not reported without the check', async () => {
		service.world.reset({ latency: 20 });
		const runs = await runBoth(some, { options: { checkForDuplicates: false } });
		expect(doubles()).toBeGreaterThan(some.length / 2);
		expect(problemsIn(runs)).toHaveLength(doubles());
	});

	test('are returned in the order of the input', async () => {
		const { json, items } = await runIn(runNode, numbers, { executionId: '17' });
		expect(json.map(({ invoice_number: number }) => number)).toEqual(numbers);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(numbers.map((_, item) => ({ item })));
		expect(sentNumbers()).not.toEqual(numbers);
	});

	test("are created in the order of the input without look-ups with 'Create Anyway'", async () => {
		const change = { ifInvoiceNumberExists: 'create', options: { maxRequestsInFlight: 1 } };
		await runIn(runNode, numbers, { change, executionId: '17' });
		expect(sentNumbers()).toEqual(numbers);
		expect(service.requests).toHaveLength(100);
	});
});

describe('the check for duplicates', () => {
	/** Adds another invoice with the number. */
	const addDuplicate = (number: string) =>
		service.world.account.addInvoice({ invoice_number: number }, Date.now());

	test('finds duplicates in a later run, and ignores cancelled ones', async () => {
		await runNumbers(existing(), ['A']);
		for (const number of ['A', 'A', 'A']) addDuplicate(number);
		const { json } = await runIn(processes[1], ['A']);
		const ids = service.world.account.invoices
			.filter(({ full }) => full.invoice_number === 'A')
			.map(({ full }) => full.id);
		expect(json[0]).toMatchObject({ outcome: 'found' });
		// The same order in every process, so that all keep the same one.
		expect(json[0].duplicates).toEqual([...ids].sort());
		expect(json[0].duplicateOf).toBeUndefined();
		const [, ...tooMany] = json[0].duplicates as string[];
		for (const id of tooMany) service.world.account.changeInvoice(id, 'cancelled');
		const later = await runIn(processes[1], ['A']);
		expect(later.json[0]).toMatchObject({ outcome: 'found', id: json[0].id });
		expect(later.json[0]).not.toHaveProperty('duplicates');
	});

	test('prefers an invoice that is not cancelled, also to one that was created a moment ago', async () => {
		service.world.set({ invoiceNumberMatch: 'ignored' });
		await runNumbers(existing(), ['A']);
		const [{ full }] = service.created;
		service.world.account.changeInvoice(full.id, 'cancelled');
		const [cancelled] = (await runNumbers(existing(), ['A'])).json;
		expect(cancelled).toMatchObject({ outcome: 'found, cancelled', id: full.id });
		addDuplicate('a');
		const [other] = (await runNumbers(existing(), ['A'])).json;
		expect(other).toMatchObject({ outcome: 'found', invoice_number: 'a' });
	});

	test('[R4] reports invoices that the service does not list yet', async () => {
		service.world.reset({ listLagMs: 60_000 });
		const { json, hints } = await runNumbers(existing(), ['A', 'B']);
		const unchecked = { outcome: 'created', duplicatesChecked: false };
		expect(json).toMatchObject([unchecked, unchecked]);
		expect(hints.join()).toContain(
			'could not be checked whether another n8n process created them as well: item 1; item 2.',
		);
	});

	test('stops reading a list that is longer than its count', async () => {
		service.world.reset({ invoices: 1500, count: 'cappedAt100' });
		const { json } = await runNumbers(existing(), digitsTo(20));
		expect(json.every((one) => !('duplicatesChecked' in one))).toBe(true);
		const pages = service.requests.filter(({ query }) => query.page_size && !query.invoice_number);
		expect(pages.length).toBeGreaterThan(1);
		expect(pages.length).toBeLessThan(10);
	});

	test('loses nothing if the service fails meanwhile', async () => {
		const parameters = existing({ options: { maxWait: 0, maxRequestsInFlight: 1 } });
		await runNumbers(parameters, ['A', 'B', 'C']);
		const reads = service.requests.filter(({ method }) => method === 'GET').length;
		service.world.reset();
		// The last three reads are the check.
		fault({ kind: 'status', status: 503 }, { method: 'GET', skip: reads - 3, times: null });
		const { json, error } = await runNumbers(parameters, ['A', 'B', 'C']);
		expect(error).toBeUndefined();
		const unchecked = { outcome: 'created', duplicatesChecked: false };
		expect(json).toMatchObject([unchecked, unchecked, unchecked]);
	});

	test('covers the invoices before a failed item, and the error reports them', async () => {
		const taken = service.world.account.invoices[0].full.invoice_number;
		const change = { ifInvoiceNumberExists: 'fail', options: { maxRequestsInFlight: 1 } };
		const runs = await runBoth(['A', taken], change);
		expect(doubles()).toBe(1);
		const descriptions = runs.map(({ error }) => error?.description ?? '').join();
		expect(descriptions).toContain('several invoices have its number');
	});
});
