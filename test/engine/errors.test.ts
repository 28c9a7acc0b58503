import type { INodeParameters } from 'n8n-workflow';
import { callAsTools, runNode } from '../helpers/engine';
import { pause } from '../helpers/clock';
import { useSimulator } from '../helpers/service';
import { testAtNight } from '../helpers/someOf';

const service = useSimulator();
/** The key of the test that runs. */
const key = () => service.world.settings.apiKey;

/** One try only: what is said after several is tested with them. */
const oneTry = { options: { maxWait: 0 } };
const listCharges: INodeParameters = { resource: 'charge', operation: 'getAll', ...oneTry };
const run = async (parameters: INodeParameters, more: object = {}) =>
	await runNode({ credential: service.credential, parameters, ...more });

/** Whatever went wrong: the key is nowhere in what n8n stores, and the item is named. */
async function expectError(parameters: INodeParameters, words: string[], more: object = {}) {
	const { error, stored, items } = await run(parameters, more);
	expect(items).toEqual([]);
	for (const word of words) expect(error?.message).toContain(word);
	expect(error?.message).toContain('[item 0]');
	expect(stored).not.toContain(key());
	expect(stored).not.toContain('X-API-KEY');
	return error;
}

describe('answers that are not what they should be', () => {
	test('half of a charge does not show card data', async () => {
		service.world.reset({ cardData: 'present', defaultPageSize: 1 });
		const [{ source }] = service.world.account.listCharges({}, 1, 1, 'newestFirst').results;
		service.world.faults.add({ action: { kind: 'cutJson' } });
		const { stored } = await run({ ...listCharges, limit: 2 });
		expect(stored).not.toContain(source?.card_data?.card_number);
		expect(stored).not.toContain('card_data');
	});

	test('the key is hidden where the service repeats it', async () => {
		const message = `Not a key: ${key()}`;
		service.world.faults.add({ times: null, action: { kind: 'status', status: 400, message } });
		await expectError(listCharges, ['Not a key: (API key)']);
	});

	test.each<[string, INodeParameters, unknown, string]>([
		['a list instead of a page', listCharges, [1], 'a bare list instead of a page'],
		['an object without results', listCharges, { count: 1 }, 'no page with "results"'],
		['null', listCharges, null, 'no page'],
		['results that are no objects', listCharges, { results: [null] }, 'no objects'],
		[
			'an object instead of the members',
			{ resource: 'member', operation: 'getAll' },
			{},
			'no list of objects',
		],
		[
			'a list instead of a member',
			{ resource: 'member', operation: 'get', memberId: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d' },
			[],
			'a list instead of an object',
		],
		[
			'a text instead of a member',
			{ resource: 'member', operation: 'get', memberId: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d' },
			'your-simulator-key',
			'JSON of type string instead of an object',
		],
	])('%s', async (_name, parameters, body, words) => {
		service.world.faults.add({ action: { kind: 'json', body } });
		await expectError(parameters, ['an unexpected response', words]);
	});

	test('a redirect is not followed, and its query is not shown', async () => {
		const location = `http://127.0.0.1:1/elsewhere?token=abc`;
		service.world.faults.add({ action: { kind: 'redirect', location } });
		const error = await expectError(listCharges, [
			'redirect to http://127.0.0.1:1/elsewhere',
			'not followed',
		]);
		expect(JSON.stringify(error)).not.toContain('token=abc');
	});

	test('a list that never ends', async () => {
		service.world.faults.add({
			times: null,
			action: { kind: 'json', body: { count: 9, next: 'x', results: [{ id: 'a' }] } },
		});
		await expectError({ ...listCharges, returnAll: true }, ['page 2 of the list', 'earlier pages']);
	});
});

describe('connections that fail', () => {
	test('nobody listens', async () => {
		const credential = { ...service.credential, baseUrl: 'http://127.0.0.1:1' };
		await expectError(listCharges, ['Nothing responds at 127.0.0.1:1'], { credential });
	});

	test('a proxy that does not answer is named, its password is not', async () => {
		const requestOptions = { proxy: 'http://user:s3cret@127.0.0.1:1' };
		const error = await expectError({ ...listCharges, requestOptions }, [
			'through the proxy 127.0.0.1:1',
		]);
		expect(error?.message).not.toContain('s3cret');
	});

	test('no such host', async () => {
		const credential = { ...service.credential, baseUrl: 'https://service.invalid' };
		await expectError(listCharges, ['service.invalid'], { credential });
	});

	test('a base URL that must not be used: nothing is sent', async () => {
		for (const baseUrl of ['http://service.example', 'service.example', '']) {
			const { error } = await runNode({
				credential: { ...service.credential, baseUrl },
				parameters: listCharges,
			});
			expect(error?.message).toContain('Base URL');
			expect(error?.description).toContain('Open the credential');
		}
		expect(service.requests).toEqual([]);
	});
});

describe('a create that may have been done', () => {
	test('the code of a network error in the words of the service is no network error', async () => {
		const message = 'connect ECONNREFUSED 10.0.0.5';
		service.world.faults.add({ action: { kind: 'status', status: 500, message } });
		await expectError(service.invoice(oneTry), ['The invoice may still have been created']);
		expect(service.requests).toHaveLength(1);
	});

	test('a redirect to do the same elsewhere: was certainly not done', async () => {
		const action = { kind: 'redirect', location: '/elsewhere', status: 307 } as const;
		service.world.faults.add({ action });
		const { error } = await run(service.invoice(oneTry));
		expect(error?.message).not.toContain('may have been created');
	});

	test('after an item that failed, later items are not sent, and the error tells the whole story', async () => {
		service.world.faults.add({ skip: 7, action: { kind: 'status', status: 500 } });
		const items = Array.from({ length: 100 }, (_, index) => ({ index }));
		const { error } = await run(service.invoice(), { items });
		// At most those that were under way with the one that failed: five at a time.
		expect(service.requests.length).toBeLessThanOrEqual(12);
		const done = service.created.length;
		expect(error?.message).toContain('status 500');
		expect(error?.message).toContain(
			`(${done} other items were done, ${100 - done - 1} were not sent)`,
		);
		expect(error?.description).toMatch(/Not sent: \d+ items, the first of them item \d+\./);
		for (const { full } of service.created) expect(error?.description).toContain(full.id);
		expect(error?.context.itemIndex).toEqual(
			Number(/\[item (\d+)\]/.exec(error?.message ?? '')?.[1]),
		);
	});

	test('several failures are told by one error', async () => {
		service.world.set({ latency: 50 });
		service.world.faults.add({
			skip: 1,
			times: 2,
			action: { kind: 'status', status: 422, message: 'Too late' },
		});
		const { error } = await run(service.invoice(), {
			items: Array.from({ length: 5 }, () => ({})),
		});
		expect(error?.message).toContain('(3 other items were done, 1 other item failed as well)');
		expect(error?.description).toMatch(/Failed as well:.*Too late/);
	});

	test('with Continue all items are sent and each gets its result or its error', async () => {
		service.world.faults.add({ skip: 2, times: 2, action: { kind: 'status', status: 500 } });
		const items = Array.from({ length: 20 }, (_, index) => ({ index }));
		const result = await run(service.invoice(), {
			items,
			node: { onError: 'continueErrorOutput' },
		});
		expect([result.json.length, result.errorItems.length, service.created.length]).toEqual([
			18, 2, 18,
		]);
		expect(result.errorItems[0].json).toMatchObject({
			index: expect.any(Number) as number,
			error: expect.stringContaining('status 500') as string,
		});
		expect(service.world.traffic.mostOpenConnections).toBeLessThanOrEqual(5);
	});
});

describe('Retry On Fail, which runs all items of the node again', () => {
	const retry = (more: object = {}) => ({
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, ...more },
	});
	const items = [{ index: 0 }, { index: 1 }, { index: 2 }];

	test.each([{}, { executeOnce: true }])(
		'sends only what was certainly not done (%p)',
		async (more) => {
			service.world.faults.add({
				method: 'POST',
				times: 2,
				action: { kind: 'status', status: 429 },
			});
			const { error, json } = await run(service.invoice(oneTry), { items, ...retry(more) });
			expect(error).toBeUndefined();
			const wanted = 'executeOnce' in more ? 1 : 3;
			expect([service.created.length, json.length]).toEqual([wanted, wanted]);
			expect(new Set(json.map(({ id }) => id))).toEqual(
				new Set(service.created.map(({ full }) => full.id)),
			);
		},
	);

	test.each([{}, { executeOnce: true }])(
		'never sends again what may have been done (%p)',
		async (more) => {
			service.world.faults.add({ method: 'POST', action: { kind: 'reset', work: 'done' } });
			const { error } = await run(service.invoice(), { items: [{}], ...retry(more) });
			expect(error?.message).toContain('may still have been created');
			expect([service.requests.length, service.created.length]).toEqual([1, 1]);
		},
	);

	test('nor does a tool that an AI agent calls, each try of which is a run of its own', async () => {
		const { credential } = service;
		service.world.faults.add({ method: 'POST', action: { kind: 'reset', work: 'done' } });
		const tool = { credential, parameters: service.invoice(), ...retry() };
		const [answer, other] = await callAsTools([tool, tool]);
		const [error, done] = answer instanceof Error ? [answer, other] : [other, answer];
		expect((error as Error).message).toContain('may still have been created');
		expect(done).toHaveLength(1);
		expect([service.requests.length, service.created.length]).toEqual([2, 2]);
	});

	test('with Continue, problems of a try before are not told again when item 0 never gets ready', async () => {
		const parameters = service.invoice({
			dueDate: '={{ $json.index ? "never" : $("Nowhere").item.json.x }}',
		});
		const result = await run(parameters, {
			items: items.slice(0, 2),
			...retry({ onError: 'continueRegularOutput' }),
		});
		expect(String(result.json[1].error).match(/Due Date/g)).toHaveLength(1);
	});

	test('[R5] does not repeat creates with Continue either', async () => {
		const parameters = service.invoice({
			dueDate: '={{ $json.index === 0 ? "never" : "2026-12-31" }}',
		});
		const result = await run(parameters, { items, ...retry({ onError: 'continueRegularOutput' }) });
		expect(result.json).toHaveLength(3);
		expect(service.created).toHaveLength(2);
	});

	test('tells what a try before did when an expression of the last one cannot be evaluated', async () => {
		service.world.faults.add({ skip: 1, times: null, action: { kind: 'status', status: 429 } });
		const until = Date.now() + 300;
		const dueDate =
			'={{ $json.index && Date.now() > $json.until ? $("Nowhere").item.json.x : "2026-12-31" }}';
		const { error } = await run(service.invoice({ dueDate, ...oneTry }), {
			items: items.slice(0, 2).map((item) => ({ ...item, until })),
			...retry({ waitBetweenTries: 400 }),
		});
		expect(error?.description).toContain(service.created[0].full.id);
		expect(service.created).toHaveLength(1);
	});

	test('tells what a try before did when the last one cannot even begin', async () => {
		service.world.faults.add({
			method: 'POST',
			skip: 1,
			times: null,
			action: { kind: 'status', status: 429 },
		});
		const dueDate = '={{ $json.index && Date.now() > $json.until ? "never" : "2026-12-31" }}';
		const until = Date.now() + 300;
		const { error } = await run(service.invoice({ dueDate, ...oneTry }), {
			items: items.slice(0, 2).map((item) => ({ ...item, until })),
			...retry({ waitBetweenTries: 400 }),
		});
		expect(error?.message).toContain('Due Date');
		expect(error?.message).toContain('1 other item was done');
		expect(error?.description).toContain(service.created[0].full.id);
		expect(service.created).toHaveLength(1);
	});
});

testAtNight('more results than n8n itself can hand on from a declarative node', async () => {
	service.world.reset({ charges: 130_000, maxPageSize: 50_000, optionalFields: 'missing' });
	const parameters = { ...listCharges, returnAll: true, options: { pageSize: 50_000 } };
	const { items } = await run(parameters);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(130_000);
});

test('cancelling the execution stops what waits', async () => {
	service.world.set({ latency: 100 });
	const items = Array.from({ length: 100 }, (_, index) => ({ index }));
	const cancelWhen = () => service.requests.length > 5;
	const { error } = await run(service.invoice(), { items, cancelWhen });
	await pause(300);
	expect(error).toBeDefined();
	expect(service.requests.length).toBeLessThanOrEqual(20);
});
