import type { IDataObject } from 'n8n-workflow';
import type { RunOptions } from '../helpers/n8n/engine';
import { callAsTools } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	ids,
	itemsOf,
	outcomes,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';

const { service, run, fault } = useNode();

/** Errors after several tries are tested in network.test.ts. */
const oneTry = { options: { maxWait: 0 } };
const listCharges = { resource: 'charge', operation: 'getAll', ...oneTry };
const getMember = { resource: 'member', operation: 'get' };
const memberId = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

describe('[R10] an error names the item if there are several, and n8n stores neither the key nor its header', () => {
	async function expectError(parameters: object, words: string[], more: Partial<RunOptions> = {}) {
		const { error, stored, items } = await run(parameters, more);
		expect(items).toEqual([]);
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.message).not.toContain('[item');
		for (const hidden of [service.world.settings.apiKey, 'X-API-KEY', 'card_data', 'token=abc'])
			expect(stored).not.toContain(hidden);
		// n8n stores the parameters of the node, with the address of a proxy.
		expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
	}

	test.each<[string, unknown, object]>([
		['a bare list instead of a page', [1], listCharges],
		['no page with "results"', { count: 1 }, listCharges],
		['no page', null, listCharges],
		['no objects', { results: [null] }, listCharges],
		['no list of objects', {}, { resource: 'member', operation: 'getAll' }],
		['a list instead of an object', [], { ...getMember, memberId }],
		['JSON of type string instead of an object', 'text', { ...getMember, memberId }],
	])('reports %s for the response %j', async (words, body, parameters) => {
		fault({ kind: 'json', body });
		await expectError(parameters, ['an unexpected response', words]);
	});

	test.each<[string, object, object]>([
		['Nothing responds at 127.0.0.1:1', { baseUrl: 'http://127.0.0.1:1' }, {}],
		['service.invalid', { baseUrl: 'https://service.invalid' }, {}],
		[
			'through the proxy 127.0.0.1:1',
			{ baseUrl: 'https://service.invalid' },
			{ proxy: 'http://user:s3cret@127.0.0.1:1' },
		],
	])('says "%s" if there is no connection', async (words, change, requestOptions) => {
		const credential = { ...service.credential, ...change };
		await expectError({ ...listCharges, requestOptions }, [words], { credential });
	});

	test('reports a list that never ends', async () => {
		fault({ kind: 'json', body: { count: 9, next: 'x', results: [{ id: 'a' }] } }, { times: null });
		await expectError({ ...listCharges, returnAll: true }, ['page 2 of the list', 'earlier pages']);
	});
});

test.each(['http://x.example', 'x.example', ''])(
	'sends nothing to the Base URL %p',
	async (baseUrl) => {
		const { error } = await run(listCharges, { credential: { ...service.credential, baseUrl } });
		expect(error?.message).toContain('Base URL');
		expect(error?.description).toContain('Open the credential');
		expect(service.requests).toEqual([]);
	},
);

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

describe('several items', () => {
	test('are not sent after one that failed, and the error says what was done', async () => {
		fault({ kind: 'status', status: 500 }, { skip: 7 });
		const { error } = await run(service.invoice(), { items: itemsOf(100) });
		// Five are in flight when one fails.
		expect(service.requests.length).toBeLessThanOrEqual(12);
		const done = service.created.length;
		expect(error?.message).toContain('status 500');
		expect(error?.message).toContain(`(${done} other items were done, ${99 - done} were not sent)`);
		expect(error?.description).toMatch(/Not sent: \d+ items, the first of them item \d+\./);
		for (const { full } of service.created) expect(error?.description).toContain(full.id);
		expect(error?.message).toContain(`[item ${(error?.context.itemIndex as number) + 1}]`);
	});

	test('report several failures in one error', async () => {
		service.world.set({ latency: 50 });
		fault({ kind: 'status', status: 422, message: 'Too late' }, { skip: 1, times: 2 });
		const { error } = await run(service.invoice(), { items: itemsOf(5) });
		expect(error?.message).toContain('(3 other items were done, 1 other item failed as well)');
		expect(error?.description).toMatch(/Failed as well:.*Too late/);
	});

	test.each(continueModes)(
		'are all sent with Continue, with result or error (%s)',
		async (onError) => {
			fault({ kind: 'status', status: 422, message: 'No credit' }, { contains: '"N-7"' });
			fault({ kind: 'status', status: 500 }, { contains: '"N-9"' });
			const parameters = service.invoice({
				additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
				...oneTry,
			});
			const result = await run(parameters, { items: itemsOf(20), node: { onError } });
			const isFailed = ({ json }: { json: IDataObject }) => json.error !== undefined;
			const failed = [...result.items, ...result.errorItems].filter(isFailed);
			expect(failed.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
				[{ index: 7, error: expect.stringContaining('No credit [item 8]') }, { item: 7 }],
				[{ index: 9, error: expect.stringContaining('status 500') }, { item: 9 }],
			]);
			expect(result.items).toHaveLength(onError === 'continueErrorOutput' ? 18 : 20);
			const done = result.items.filter((one) => !isFailed(one));
			expect(done.map(({ json }) => json.invoice_number)).toEqual(
				done.map(({ pairedItem }) => `N-${(pairedItem as { item: number }).item}`),
			);
			expect([done.length, service.created.length]).toEqual([18, 18]);
			expect(service.world.traffic.mostOpenConnections).toBeLessThanOrEqual(5);
		},
	);

	test('fail alone if their expression cannot be evaluated', async () => {
		const dueDate = '={{ $json.index === 1 ? $("Nowhere").item.json.x : "2026-12-31" }}';
		const { items } = await run(service.invoice({ dueDate }), {
			items: itemsOf(3),
			node: continues,
		});
		const json = { index: 1, error: expect.any(String) as string };
		expect(items[1]).toMatchObject({ json, pairedItem: { item: 1 } });
		expect(service.created).toHaveLength(2);
	});
});

describe('Retry On Fail, which runs all items of the node again', () => {
	const tooMany = { kind: 'status', status: 429 } as const;
	const node = retry;
	const retryAndContinue = { ...retry, ...continues };

	test.each([false, true])(
		'repeats creates that were not done (Execute Once %p)',
		async (executeOnce) => {
			fault(tooMany, { method: 'POST', times: 2 });
			const { error, json } = await run(service.invoice(oneTry), {
				items: itemsOf(3),
				node: { ...node, executeOnce },
			});
			expect(error).toBeUndefined();
			expect([service.created.length, json.length]).toEqual(executeOnce ? [1, 1] : [3, 3]);
			expect(new Set(ids(json))).toEqual(new Set(service.created.map(({ full }) => full.id)));
		},
	);

	test.each([false, true])(
		'never repeats uncertain creates (Execute Once %p)',
		async (executeOnce) => {
			fault({ kind: 'reset', work: 'done' }, { method: 'POST' });
			const { error } = await run(service.invoice(), { node: { ...node, executeOnce } });
			expect(error?.message).toContain('may still have been created');
			expect([service.requests.length, service.created.length]).toEqual([1, 1]);
		},
	);

	test('never repeats uncertain creates of an AI agent', async () => {
		fault({ kind: 'reset', work: 'done' }, { method: 'POST' });
		const tool = { credential: service.credential, parameters: service.invoice(), node };
		const answers = await callAsTools([tool, tool]);
		const [error, ...others] = answers.filter((answer) => answer instanceof Error);
		expect(error.message).toContain('may still have been created');
		expect(others).toEqual([]);
		expect(outcomes(answers.flatMap((one) => (Array.isArray(one) ? one : [])))).toEqual([
			'created',
		]);
		expect([service.requests.length, service.created.length]).toEqual([2, 2]);
	});

	test('reports problems once with Continue, even if item 0 is never valid', async () => {
		const dueDate = '={{ $json.index ? "never" : $("Nowhere").item.json.x }}';
		const { json } = await run(service.invoice({ dueDate }), {
			items: itemsOf(2),
			node: retryAndContinue,
		});
		expect(String(json[1].error).match(/Due Date/g)).toHaveLength(1);
	});

	test('[R5] does not repeat creates with Continue', async () => {
		const dueDate = '={{ $json.index === 0 ? "never" : "2026-12-31" }}';
		const { json } = await run(service.invoice({ dueDate }), {
			items: itemsOf(3),
			node: retryAndContinue,
		});
		expect([json.length, service.created.length]).toEqual([3, 2]);
	});

	test.each([
		['an expression of the last try cannot be evaluated', '$("Nowhere").item.json.x', []],
		['the last try has invalid input', '"never"', ['Due Date', '1 other item was done']],
	])('says what an earlier try did if %s', async (_when, later, words) => {
		fault(tooMany, { method: 'POST', skip: 1, times: null });
		const dueDate = `={{ $json.index && Date.now() > $json.until ? ${later} : "2026-12-31" }}`;
		const until = Date.now() + 300;
		const { error } = await run(service.invoice({ dueDate, ...oneTry }), {
			items: itemsOf(2).map((item) => ({ ...item, until })),
			node: { ...node, waitBetweenTries: 400 },
		});
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.description).toContain(service.created[0].full.id);
		expect(service.created).toHaveLength(1);
	});
});
