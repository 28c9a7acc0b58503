import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callAsTools, runNode } from '../helpers/engine';
import { pause } from '../helpers/clock';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const numbered = (change: object = {}): INodeParameters =>
	service.invoice({
		additionalFields: { invoiceNumber: '={{ $json.number }}' },
		...change,
	}) as INodeParameters;
const existing = (change: object = {}) =>
	numbered({ ifInvoiceNumberExists: 'returnExisting', ...change });
const itemsOf = (...numbers: unknown[]) => numbers.map((number) => ({ number }) as IDataObject);
const run = async (parameters: INodeParameters, items: IDataObject[], more: object = {}) =>
	await runNode({ credential: service.credential, parameters, items, ...more });
const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);
const posts = () => service.requests.filter(({ method }) => method === 'POST');

describe('an invoice whose number exists', () => {
	test.each(['exact', 'contains', 'ignored'] as const)(
		'is found whatever the service gives for a number: %s',
		async (invoiceNumberMatch) => {
			service.world.reset({ invoiceNumberMatch, invoices: 250, maxPageSize: 20 });
			const [{ full }] = service.world.account.invoices;
			const near = full.invoice_number.slice(0, -1);
			const { json, items } = await run(
				existing(),
				itemsOf(full.invoice_number, near, `${near}00`),
			);
			expect(outcomes(json)).toEqual(['found', 'created', 'created']);
			expect(json[0]).toMatchObject({ id: full.id, invoice_number: full.invoice_number });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			expect(service.created).toHaveLength(2);
		},
	);

	test('costs no reading of the whole list for each, where the service gives it whatever it is asked', async () => {
		service.world.reset({ invoiceNumberMatch: 'ignored', invoices: 500 });
		const numbers = Array.from({ length: 200 }, (_, index) => `N-${index}`);
		const runs = [existing(), existing()].map(
			async (parameters) => await run(parameters, itemsOf(...numbers)),
		);
		const all = (await Promise.all(runs)).flatMap(({ json }) => outcomes(json));
		expect(all.filter((outcome) => outcome === 'created')).toHaveLength(200);
		expect(all).toHaveLength(400);
		expect(service.created).toHaveLength(200);
		// 200 creates; some ten pages for each of the first few numbers, and then once in a while.
		expect(service.requests.length).toBeLessThan(450);
		const again = await run(existing(), itemsOf(...numbers));
		expect(outcomes(again.json).every((outcome) => outcome === 'found')).toBe(true);
	});

	test('says in what it differs', async () => {
		await run(existing(), itemsOf('A'));
		const { json } = await run(existing({ currency: 'SEK' }), itemsOf('A'));
		expect(json[0]).toMatchObject({
			outcome: 'found',
			differences: ['currency: EUR in the service, SEK here'],
		});
	});

	test('fails if that is what the user wants, and nothing is sent after it', async () => {
		await run(numbered(), itemsOf('A'));
		const fail = numbered({ ifInvoiceNumberExists: 'fail', options: { maxRequestsInFlight: 1 } });
		const { error } = await run(fail, itemsOf('B', 'A', 'C'));
		const [first] = service.created;
		expect(error?.message).toContain(
			`An invoice with this number already exists: "A" is invoice ${first.full.id} (unpaid) [item 1]`,
		);
		expect(error?.message).toContain('1 other item was done, 1 was not sent');
		expect(error?.description).toContain('Return Existing');
		expect(service.created.map(({ request }) => request.invoice_number)).toEqual(['A', 'B']);
	});

	test('is created again by Create Anyway, without a look', async () => {
		const { json } = await run(numbered(), itemsOf('A', 'A'));
		expect(outcomes(json)).toEqual(['created', 'created']);
		expect(service.requests).toHaveLength(2);
	});

	test('in the same run counts as existing, however many are under way', async () => {
		service.world.set({ latency: 20 });
		const { json } = await run(existing(), itemsOf('A', 'A', 'B', 'A', 'B'));
		expect(outcomes(json)).toEqual(['created', 'found', 'created', 'found', 'found']);
		expect(service.created).toHaveLength(2);
	});

	test('[R3] in another execution at the same time as well', async () => {
		service.world.set({ latency: 20 });
		const numbers = Array.from({ length: 20 }, (_, index) => `N-${index}`);
		const runs = await Promise.all(
			[1, 2, 3].map(async () => await run(existing(), itemsOf(...numbers))),
		);
		expect(service.created).toHaveLength(20);
		expect(
			runs.flatMap(({ json }) => outcomes(json)).filter((one) => one === 'created'),
		).toHaveLength(20);
	});

	test('for an agent that calls the tool again', async () => {
		const options = {
			credential: service.credential,
			parameters: existing({ additionalFields: { invoiceNumber: 'A' } }),
		};
		const answers = await callAsTools([options, options]);
		expect(answers.flatMap((answer) => outcomes(answer as IDataObject[])).sort()).toEqual([
			'created',
			'found',
		]);
	});

	test.each(['returnExisting', 'fail'])(
		'%s needs a number, and says so before anything is sent',
		async (choice) => {
			const { error } = await run(numbered({ ifInvoiceNumberExists: choice }), itemsOf('A', ''));
			expect(error?.message).toBe(
				"Invoice Number is empty, but 'If Invoice Number Exists' needs it [item 1]",
			);
			expect(service.requests).toEqual([]);
		},
	);

	test('cannot be seen where the list does not tell numbers: nothing is created', async () => {
		service.world.set({ optionalFields: 'missing', invoiceNumberMatch: 'ignored' });
		const { error } = await run(existing(), itemsOf('A'));
		expect(error?.message).toContain(
			'The invoice number "A" could not be looked up, so nothing was created',
		);
		expect(error?.message).toContain('without invoice_number');
		expect(service.created).toHaveLength(0);
	});

	test('cannot be looked up while the service is down: nothing is created', async () => {
		service.world.faults.add({
			method: 'GET',
			times: null,
			action: { kind: 'status', status: 503 },
		});
		const { error } = await run(existing({ options: { maxWait: 0 } }), itemsOf('A', 'B'));
		expect(error?.message).toContain(
			'could not be looked up, so nothing was created: The service failed',
		);
		expect(error?.message).not.toContain('may still have been');
		expect(posts()).toHaveLength(0);
	});

	test('Retry On Fail looks again where the look had failed', async () => {
		service.world.faults.add({ method: 'GET', action: { kind: 'status', status: 500 } });
		const { json } = await run(existing({ options: { maxWait: 0 } }), itemsOf('A'), {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(outcomes(json)).toEqual(['created']);
	});

	test('an execution that is cancelled while it waits lets no other one pass', async () => {
		service.world.set({ latency: 300 });
		const begin = Date.now();
		const cancelWhen = () => Date.now() > begin + 200;
		const runs = [{}, { cancelWhen }, {}].map(async (more, index) => {
			await pause(index * 100);
			return await run(existing(), itemsOf('A'), more);
		});
		const [first, , third] = await Promise.all(runs);
		expect([first.json[0].outcome, third.json[0].outcome]).toEqual(['created', 'found']);
		expect(service.created).toHaveLength(1);
	});

	test('[O1] Retry On Fail gives all items, and creates nothing twice', async () => {
		service.world.faults.add({ method: 'POST', skip: 2, action: { kind: 'status', status: 422 } });
		const { json } = await run(
			existing({ options: { maxRequestsInFlight: 1 } }),
			itemsOf('A', 'B', 'C', 'A'),
			{
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
			},
		);
		expect(outcomes(json)).toEqual(['created', 'created', 'created', 'found']);
		expect(service.created).toHaveLength(3);
	});
});

describe('an answer that is lost', () => {
	const lose = (work: 'none' | 'done' | { lateMs: number }, more: object = {}) =>
		service.world.faults.add({ method: 'POST', action: { kind: 'reset', work }, ...more });
	const quick = { options: { maxWait: 1, maxRequestsInFlight: 1 } };

	test('[O2] nothing else is sent until it is known what became of it', async () => {
		lose({ lateMs: 700 });
		const { json } = await run(
			numbered({ options: { maxWait: 5, maxRequestsInFlight: 5 } }),
			itemsOf('A', 'B'),
			{},
		);
		expect(outcomes(json)).toEqual(['recovered', 'created']);
		service.world.reset();
		lose('none', { contains: '"A"' });
		service.world.set({ latency: 30 });
		const width = { options: { maxWait: 1, maxRequestsInFlight: 2 } };
		const { error } = await run(numbered(width), itemsOf('A', 'B', 'C', 'D'));
		expect(error?.message).toContain('may still have been created');
		// The second was under way already.
		expect(posts()).toHaveLength(2);
	});

	test('another item with the number is not sent after one that may have been created', async () => {
		lose('none');
		const { json } = await run(existing(quick), itemsOf('A', 'A', 'B'), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(json[0].error).toContain('may still have been created');
		expect(json[1].error).toContain('An earlier request with the invoice number "A" (sent at 2');
		expect(json[2].outcome).toBe('created');
		expect(posts()).toHaveLength(2);
	});

	test('with Create Anyway an older invoice with the number is not taken for it', async () => {
		await run(numbered({ currency: 'SEK' }), itemsOf('A'));
		lose('none');
		const { error } = await run(numbered(quick), itemsOf('A'));
		expect(error?.message).toContain('may still have been created');
		// Neither is the one that an item before it made.
		service.world.reset();
		lose('none', { skip: 1 });
		const { json } = await run(numbered(quick), itemsOf('A', 'A'), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(json.map(({ outcome, error: words }) => outcome ?? words)).toEqual([
			'created',
			expect.stringContaining('may still have been created'),
		]);
	});

	test('without a number: customer, amount and time are named', async () => {
		lose('none');
		const { error } = await run(service.invoice(quick) as INodeParameters, [{}]);
		const { id } = service.world.account.customers[0];
		expect(error?.message).toMatch(
			new RegExp(`Look in the service for customer ${id}, items of 39.98 EUR, sent at 20..-..-..T`),
		);
	});

	test('the search ends with the execution', async () => {
		lose('none');
		const begin = Date.now();
		const { error } = await run(numbered(), itemsOf('A'), {
			cancelWhen: () => service.requests.length > 2,
		});
		expect(Date.now() - begin).toBeLessThan(12_000);
		expect(error?.message).toContain('cancelled');
	});

	test('a failure of another item does not end it', async () => {
		lose({ lateMs: 900 }, { contains: '"A"' });
		service.world.faults.add({ contains: '"B"', action: { kind: 'status', status: 422 } });
		service.world.set({ latency: 100 });
		const { error } = await run(
			numbered({ options: { maxWait: 5, maxRequestsInFlight: 2 } }),
			itemsOf('A', 'B'),
		);
		expect(error?.message).toContain('status 422');
		expect(error?.description).toContain(`item 0: ${service.created[0].full.id}`);
		await pause(100);
		expect(service.created).toHaveLength(1);
	});
});
