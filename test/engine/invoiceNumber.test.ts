import type { IDataObject } from 'n8n-workflow';
import { pause } from '../helpers/n8n/clock';
import type { RunOptions } from '../helpers/n8n/engine';
import {
	continues,
	matches,
	numbersTo,
	oneAtATime,
	outcomes,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { newKey } from '../helpers/service/useSimulator';

/** Invoice numbers that exist in the service, in the same run, in another run or in another account. */
const { service, run, posts, fault, create, runNumbers } = useNode();

const existing = (change: object = {}) => create('returnExisting', change);
const oneTry = { options: { maxWait: 0 } };
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

	test('does not cost a whole list each if the service ignores the filter', async () => {
		service.world.reset({ invoiceNumberMatch: 'ignored', invoices: 500 });
		const both = [1, 2].map(async () => await runNumbers(existing(), numbersTo(200)));
		expect(createdIn(await Promise.all(both))).toBe(200);
		expect(service.created).toHaveLength(200);
		// 200 creates; some ten pages for each of the first few numbers, and then once in a while.
		expect(service.requests.length).toBeLessThan(450);
		const again = await runNumbers(existing(), numbersTo(200));
		expect(new Set(outcomes(again.json))).toEqual(new Set(['found']));
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
		expect(service.created.map(({ request }) => request.invoice_number)).toEqual(['A', 'B']);
	});

	test('counts as existing within the same run', async () => {
		service.world.set({ latency: 20 });
		const { json } = await runNumbers(existing(), ['A', 'A', 'B', 'A', 'B']);
		expect(outcomes(json)).toEqual(['created', 'found', 'created', 'found', 'found']);
		expect(service.created).toHaveLength(2);
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

	test('[O1] is not created twice with Retry On Fail, which gives all items', async () => {
		fault({ kind: 'status', status: 422 }, { method: 'POST', skip: 2 });
		const numbers = ['A', 'B', 'C', 'A'];
		const { json } = await runNumbers(existing(oneAtATime), numbers, { node: retry });
		expect(outcomes(json)).toEqual(['created', 'created', 'created', 'found']);
		expect(service.created).toHaveLength(3);
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

	test('[O2] stops other requests until the outcome is known', async () => {
		lose({ lateMs: 700 });
		const { json } = await runNumbers(waiting(5, 5), ['A', 'B']);
		expect(outcomes(json)).toEqual(['recovered', 'created']);
		service.world.reset({ latency: 30 });
		lose('none', { contains: '"A"' });
		const { error } = await runNumbers(waiting(1, 2), ['A', 'B', 'C', 'D']);
		expect(error?.message).toContain('may still have been created');
		// The second one was already on its way.
		expect(posts()).toHaveLength(2);
	});

	test('prevents another create with the same number', async () => {
		lose('none');
		const parameters = { ...quick(), ifInvoiceNumberExists: 'returnExisting' };
		const { json } = await runNumbers(parameters, ['A', 'A', 'B'], { node: continues });
		expect(json[0].error).toContain('may still have been created');
		expect(json[1].error).toContain('An earlier request with the invoice number "A" (sent at 2');
		expect(json[2].outcome).toBe('created');
		expect(posts()).toHaveLength(2);
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
	const notSent = 'may have been processed, so this one was not sent';
	const paused = "asked for a pause that is longer than 'Max Wait'";
	const quickly = (change: object = {}) => existing({ ...oneTry, ...change });
	let first: string;
	let second: string;
	beforeEach(() => {
		[first, second] = [newKey(), newKey()];
		// Created invoices never show in the list, because both keys see the same list here.
		service.world.set({ listLagMs: 10_000_000 });
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

		test('create the same number once each with Fail', async () => {
			const fail = quickly({ ifInvoiceNumberExists: 'fail' });
			for (const key of [first, second]) expect(await outcomesWith(key, fail)).toEqual(['created']);
			expect(await errorWith(first, fail)).toContain('already exists');
		});

		test('do not share uncertain creates', async () => {
			fault({ kind: 'reset' }, { method: 'POST' });
			expect(await errorWith(first)).toContain('may still have been created');
			expect(await outcomesWith(second)).toEqual(['created']);
			expect(await errorWith(first)).toContain(notSent);
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

		test('do not share what the service does to numbers', async () => {
			service.world.set({ storedNumbers: 'upperCase' });
			expect(await errorWith(first, quickly(), ['a-1'])).toContain('"a-1" became "A-1"');
			service.world.set({ storedNumbers: 'kept' });
			expect(await outcomesWith(second, quickly(), ['a-1', 'a-2'])).toEqual(['created', 'created']);
		});

		test('do not share that the service keeps numbers', async () => {
			service.world.set({ latency: 20 });
			const numbers = ['a-1', 'a-2', 'a-3', 'a-4', 'a-5'];
			expect(createdIn([await runWith(first, quickly(), numbers)])).toBe(5);
			service.world.set({ storedNumbers: 'upperCase' });
			const words = await errorWith(second, quickly(), numbers);
			expect(words).toContain('The service changed the invoice number');
			expect(service.created).toHaveLength(6);
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
		expect(await errorWith(first, quickly(), ['INV-2'])).toContain(notSent);
		fault({ kind: 'status', status: 429, retryAfter: hour });
		await runWith(first, charges);
		expect(await errorWith(first, charges, [''], credential)).toContain(paused);
	});
});
