import type { IDataObject } from 'n8n-workflow';
import type { FaultAction } from '../../simulator/faults';
import { pause, passTime } from '../helpers/n8n/clock';
import { callAsTools } from '../helpers/n8n/engine';
import { preview } from '../helpers/sheets/fromRows';
import { continues, ids, matches, outcomes, pageOf, useNode } from '../helpers/n8n/nodeRuns';
import { someOf } from '../helpers/someOf';

/** What the node remembers of created invoices until the list shows them. */
const { service, run, posts, fault, create, row, fromRows, runRows } = useNode();

const minute = 60_000;
/** Longer than any test moves the clock. */
const forHours = 10_000_000;
const unsent = 'may have been processed, so this one was not sent';

const parametersOf = (choice: string, change: object = {}) =>
	create(choice, { options: { maxWait: 0 }, ...change });
const send = async (choice: string, numbers: string[], change: object = {}) =>
	await run(parametersOf(choice, change), { items: numbers.map((number) => ({ number })) });
const outcomesOf = async (...args: Parameters<typeof send>) => outcomes((await send(...args)).json);
const errorOf = async (...args: Parameters<typeof send>) =>
	(await send(...args)).error?.message ?? '';
const tool = (choice: string) => ({
	credential: service.credential,
	parameters: parametersOf(choice, { additionalFields: { invoiceNumber: 'A' } }),
});
const sentNumbers = () => service.created.map(({ request }) => request.invoice_number).sort();
const always = (outcome: string, count: number) => Array.from({ length: count }, () => outcome);

describe.each(someOf(matches))('a list that shows invoices late (filter %s)', (match) => {
	beforeEach(() => service.world.set({ invoiceNumberMatch: match, listLagMs: 8000, latency: 10 }));

	describe.each([
		['Create', send],
		['Create From Rows', runRows],
	] as const)('%s', (_operation, sendAll) => {
		const numbers = Array.from({ length: 12 }, (_, index) => `N-${index}`);

		test('[R3] creates each invoice once if it runs twice at once', async () => {
			const runs = await Promise.all(
				[1, 2].map(async () => await sendAll('returnExisting', numbers)),
			);
			const [first, second] = runs.map(({ json }) => json);
			expect([...outcomes(first), ...outcomes(second)].sort()).toEqual([
				...always('created', 12),
				...always('found', 12),
			]);
			expect(ids(second)).toEqual(ids(first));
			expect(sentNumbers()).toEqual([...numbers].sort());
		});

		test('finds or refuses its own invoices in the next run', async () => {
			const [first, second] = [
				await sendAll('returnExisting', numbers),
				await sendAll('returnExisting', numbers),
			];
			expect(outcomes(first.json)).toEqual(always('created', 12));
			expect(outcomes(second.json)).toEqual(always('found', 12));
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

describe.each(someOf(matches))('an invoice is remembered for ten minutes (filter %s)', (match) => {
	beforeEach(() => service.world.set({ invoiceNumberMatch: match, listLagMs: forHours }));
	const emptyLists = () => fault(pageOf(), { method: 'GET', times: null });

	test.each([0.5, 2, 9])('and found after %d minutes if the list lacks it', async (minutes) => {
		const first = await send('returnExisting', ['A', 'B']);
		passTime(minutes * minute);
		const second = await send('returnExisting', ['A', 'B', 'C']);
		expect(outcomes(second.json)).toEqual(['found', 'found', 'created']);
		expect(ids(second.json).slice(0, 2)).toEqual(ids(first.json));
		expect(await errorOf('fail', ['A'])).toContain('already exists: "A" is invoice');
		expect(sentNumbers()).toEqual(['A', 'B', 'C']);
	});

	test('but created again if it disappears from the list after the first minute', async () => {
		service.world.set({ listLagMs: 0 });
		await send('returnExisting', ['A']);
		passTime(minute + 1000);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['found']);
		emptyLists();
		passTime(1000);
		const again = await send('returnExisting', ['A']);
		expect(outcomes(again.json)).toEqual(['created']);
		// And the new one is remembered.
		const { json } = await send('returnExisting', ['A']);
		expect(json).toMatchObject([{ outcome: 'found', id: again.json[0].id }]);
		expect(posts()).toHaveLength(2);
	});

	test.each<[string, number[]]>([
		['in the first minute, even if a list showed it before', [20_000, 30_000]],
		['after the first minute, if no list showed it', [0, 3 * minute]],
	])('and an empty list counts as late %s', async (_when, [untilSeen, untilGone]) => {
		service.world.set({ listLagMs: 0 });
		await send('returnExisting', ['A']);
		passTime(untilSeen);
		if (untilSeen) expect(await outcomesOf('returnExisting', ['A'])).toEqual(['found']);
		emptyLists();
		passTime(untilGone);
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['found']);
		expect(posts()).toHaveLength(1);
	});

	test('and still reported by a preview in the first minute, even if a list showed it before', async () => {
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

describe.each<[string, Partial<FaultAction>]>([
	['reset', { kind: 'reset', work: 'none' }],
	['time-out', { kind: 'timeout', work: 'none' }],
	['status 500', { kind: 'status', status: 500 }],
	['empty response', { kind: 'emptyBody' }],
])('a lost response (%s)', (_name, action) => {
	const inTime = { requestOptions: { timeout: 700 } };
	const lose = async (choice = 'returnExisting') => {
		fault(action, { method: 'POST' });
		expect(await errorOf(choice, ['A'], inTime)).toContain('may still have been created');
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
		fault(action, { method: 'POST' });
		const both = [1, 2].map(async () => await errorOf('returnExisting', ['A'], inTime));
		const words = await Promise.all(both);
		for (const part of ['may still have been created', unsent])
			expect(words.filter((word) => word.includes(part))).toHaveLength(1);
		expect(posts()).toHaveLength(1);
	});

	test('blocks only its own number with On Error: Continue', async () => {
		await lose();
		const { json } = await run(parametersOf('returnExisting'), {
			items: ['B', 'A', 'C', 'a'].map((number) => ({ number })),
			node: continues,
		});
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

describe('[O2] a lost response to a create that was done', () => {
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
		const items: IDataObject[] = [{ number: 'A' }];
		const cancelWhen = () => posts().length > 0;
		await run(parametersOf('returnExisting'), { items, cancelWhen });
		expect(posts()).toHaveLength(1);
		expect(await errorOf('returnExisting', ['A'])).toContain(unsent);
		expect(posts()).toHaveLength(1);
	});

	test('is not assumed after a refusal', async () => {
		service.world.set({ listLagMs: forHours });
		fault({ kind: 'status', status: 422 }, { method: 'POST' });
		expect(await errorOf('returnExisting', ['A'])).toContain('status 422');
		expect(await outcomesOf('returnExisting', ['A'])).toEqual(['created']);
	});
});
