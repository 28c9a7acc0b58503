import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction, FaultInput } from '../../simulator/faults';
import { pause, passTime } from '../helpers/clock';
import type { RunOptions } from '../helpers/engine';
import { callAsTools, runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';
import { someOf } from '../helpers/someOf';

const service = useSimulator();

const minute = 60_000;
/** Longer than any test moves the clock. */
const forHours = 10_000_000;
const matches = ['exact', 'contains', 'ignored'] as const;

const create = (choice: string, change: object = {}): INodeParameters =>
	service.invoice({
		additionalFields: { invoiceNumber: '={{ $json.number }}' },
		ifInvoiceNumberExists: choice,
		options: { maxWait: 0 },
		...change,
	}) as INodeParameters;
const itemsOf = (...numbers: string[]): IDataObject[] => numbers.map((number) => ({ number }));
const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<RunOptions> = {},
) => await runNode({ credential: service.credential, parameters, items, ...more });
const fromRows = async (choice: string, ...numbers: string[]) =>
	await run(
		{
			resource: 'invoice',
			operation: 'createFromRows',
			ifInvoiceNumberExists: choice,
			columns: { mappingMode: 'autoMapInputData', value: null } as never,
		},
		numbers.map((number) => ({
			'Invoice Number': number,
			'Customer ID': service.world.account.customers[0].id,
			Currency: 'EUR',
			'Due Date': '2027-01-15',
			Item: 'Consulting',
			Amount: '19.99',
		})),
	);
const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const sentNumbers = () => service.created.map(({ request }) => request.invoice_number).sort();
const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
	service.world.faults.add({ action: action as FaultAction, ...more });
const emptyLists = () =>
	fault(
		{ kind: 'json', body: { count: 0, next: null, previous: null, results: [] } },
		{ method: 'GET', times: null },
	);
const unsent = 'may have been processed, so this one was not sent';

describe.each(someOf(matches))(
	'a list that lags, of a service whose number filter is %s',
	(match) => {
		beforeEach(() =>
			service.world.set({ invoiceNumberMatch: match, listLagMs: 8000, latency: 10 }),
		);

		test('Return Existing creates one invoice per number in two executions at once', async () => {
			const numbers = ['A', 'B', 'C', 'D', 'E', 'F'];
			const runs = await Promise.all(
				[1, 2].map(async () => await run(create('returnExisting'), itemsOf(...numbers))),
			);
			const all = runs.flatMap(({ json }) => outcomes(json));
			expect(all.filter((outcome) => outcome === 'created')).toHaveLength(6);
			expect(all.filter((outcome) => outcome === 'found')).toHaveLength(6);
			expect(sentNumbers()).toEqual(numbers);
			const [first, second] = runs.map(({ json }) => json.map(({ id }) => id));
			expect(second).toEqual(first);
		});

		test('Return Existing finds the same items when they come twice in a row', async () => {
			const first = await run(create('returnExisting'), itemsOf('A', 'B', 'C'));
			const second = await run(create('returnExisting'), itemsOf('A', 'B', 'C'));
			expect(outcomes(first.json)).toEqual(['created', 'created', 'created']);
			expect(outcomes(second.json)).toEqual(['found', 'found', 'found']);
			expect(second.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id));
			expect(posts()).toHaveLength(3);
		});

		test('Fail fails with the second of two executions at once, and creates one invoice', async () => {
			const runs = await Promise.all(
				[1, 2].map(async () => await run(create('fail'), itemsOf('A'))),
			);
			expect(runs.flatMap(({ json }) => outcomes(json))).toEqual(['created']);
			const [error] = runs.flatMap((one) => (one.error ? [one.error] : []));
			expect(error.message).toContain(
				`An invoice with this number already exists: "A" is invoice ${service.created[0].full.id}`,
			);
			expect(posts()).toHaveLength(1);
		});

		test('Fail fails when the same item comes twice in a row', async () => {
			await run(create('fail'), itemsOf('A'));
			const { error, json } = await run(create('fail'), itemsOf('A'));
			expect(json).toEqual([]);
			expect(error?.message).toContain('already exists: "A" is invoice');
			expect(posts()).toHaveLength(1);
		});

		test('the number in other case and with other spaces is the same number', async () => {
			await run(create('returnExisting'), itemsOf('Inv 1'));
			const { json } = await run(create('returnExisting'), itemsOf('INV 1', 'inv1'));
			expect(outcomes(json)).toEqual(['found', 'found']);
			expect(json[0].differences).toEqual(['invoice number: Inv 1 in the service, INV 1 here']);
			const { error } = await run(create('fail'), itemsOf('inv  1'));
			expect(error?.message).toContain('already exists');
			expect(posts()).toHaveLength(1);
		});

		test.each(['returnExisting', 'fail'])(
			'an agent that calls the tool twice gets one invoice (%s)',
			async (choice) => {
				const tool = {
					credential: service.credential,
					parameters: create(choice, { additionalFields: { invoiceNumber: 'A' } }),
				};
				const answers = [...(await callAsTools([tool, tool])), ...(await callAsTools([tool]))];
				const words = answers.map((answer) =>
					answer instanceof Error ? answer.message : String(answer[0].outcome),
				);
				expect(words.filter((word) => word === 'created')).toHaveLength(1);
				const others = words.filter((word) => word !== 'created');
				expect(others).toHaveLength(2);
				for (const other of others) {
					expect(other).toContain(choice === 'fail' ? 'already exists: "A" is invoice' : 'found');
				}
				expect(posts()).toHaveLength(1);
			},
		);

		test('Create From Rows finds the rows when they come again', async () => {
			const first = await fromRows('returnExisting', 'A', 'B', 'A', 'C');
			const second = await fromRows('returnExisting', 'A', 'B', 'A', 'C');
			expect(outcomes(first.json)).toEqual(['created', 'created', 'created']);
			expect(outcomes(second.json)).toEqual(['found', 'found', 'found']);
			const third = await fromRows('fail', 'A', 'B');
			expect(third.error?.message).toContain('already exists: "A" is invoice');
			expect(sentNumbers()).toEqual(['A', 'B', 'C']);
		});

		test('[R3] Create From Rows twice at once creates each invoice once', async () => {
			const numbers = Array.from({ length: 12 }, (_, index) => `N-${index}`);
			const runs = await Promise.all(
				[1, 2].map(async () => await fromRows('returnExisting', ...numbers)),
			);
			expect(runs.flatMap(({ json }) => outcomes(json)).sort()).toEqual([
				...numbers.map(() => 'created'),
				...numbers.map(() => 'found'),
			]);
			expect(sentNumbers()).toEqual([...numbers].sort());
		});

		test('Create and Create From Rows know of each other', async () => {
			await fromRows('returnExisting', 'A');
			const { json } = await run(create('returnExisting'), itemsOf('A'));
			expect(outcomes(json)).toEqual(['found']);
			expect(posts()).toHaveLength(1);
		});

		test('Create Anyway creates anyway, and what it created is found', async () => {
			const first = await run(create('create'), itemsOf('A', 'A'));
			expect(outcomes(first.json)).toEqual(['created', 'created']);
			const second = await run(create('returnExisting'), itemsOf('A'));
			expect(outcomes(second.json)).toEqual(['found']);
			const third = await run(create('create'), itemsOf('A'));
			expect(outcomes(third.json)).toEqual(['created']);
			expect(posts()).toHaveLength(3);
		});
	},
);

describe.each(someOf(matches))('what was created counts for ten minutes (filter %s)', (match) => {
	beforeEach(() => service.world.set({ invoiceNumberMatch: match, listLagMs: forHours }));

	test.each([0.5, 2, 9])('it is found after %d minutes although the list lags', async (minutes) => {
		const first = await run(create('returnExisting'), itemsOf('A', 'B'));
		passTime(minutes * minute);
		const second = await run(create('returnExisting'), itemsOf('A', 'B', 'C'));
		expect(outcomes(second.json)).toEqual(['found', 'found', 'created']);
		expect(second.json.slice(0, 2).map(({ id }) => id)).toEqual(first.json.map(({ id }) => id));
		const third = await run(create('fail'), itemsOf('A'));
		expect(third.error?.message).toContain('already exists: "A" is invoice');
		expect(sentNumbers()).toEqual(['A', 'B', 'C']);
	});

	test('what a list had and has no more was deleted, and is created again', async () => {
		service.world.set({ listLagMs: 0 });
		const first = await run(create('returnExisting'), itemsOf('A'));
		passTime(minute + 1000);
		const second = await run(create('returnExisting'), itemsOf('A'));
		expect(outcomes(second.json)).toEqual(['found']);
		emptyLists();
		passTime(1000);
		const third = await run(create('returnExisting'), itemsOf('A'));
		expect(outcomes(third.json)).toEqual(['created']);
		expect(third.json[0].id).not.toBe(first.json[0].id);
		// And that one counts as new.
		const fourth = await run(create('returnExisting'), itemsOf('A'));
		expect(fourth.json).toMatchObject([{ outcome: 'found', id: third.json[0].id }]);
		expect(posts()).toHaveLength(2);
	});

	test('in the first minute an empty list is one that lags, even where a list had it before', async () => {
		service.world.set({ listLagMs: 0 });
		await run(create('returnExisting'), itemsOf('A'));
		passTime(20_000);
		expect(outcomes((await run(create('returnExisting'), itemsOf('A'))).json)).toEqual(['found']);
		emptyLists();
		passTime(30_000);
		expect(outcomes((await run(create('returnExisting'), itemsOf('A'))).json)).toEqual(['found']);
		expect(posts()).toHaveLength(1);
	});

	test('after the first minute an empty list is one that lags where no list had it', async () => {
		service.world.set({ listLagMs: 0 });
		await run(create('returnExisting'), itemsOf('A'));
		emptyLists();
		passTime(3 * minute);
		expect(outcomes((await run(create('returnExisting'), itemsOf('A'))).json)).toEqual(['found']);
		expect(posts()).toHaveLength(1);
	});
});

describe.each<[string, Partial<FaultAction>]>([
	['reset', { kind: 'reset', work: 'none' }],
	['time-out', { kind: 'timeout', work: 'none' }],
	['status 500', { kind: 'status', status: 500 }],
	['empty answer', { kind: 'emptyBody' }],
])('an answer that is lost (%s)', (name, action) => {
	/** Whether the service has made the invoice. */
	const isMade = name === 'empty answer';
	const lose = async (parameters: INodeParameters, number = 'A') => {
		fault(action, { method: 'POST' });
		return await run({ ...parameters, requestOptions: { timeout: 700 } }, itemsOf(number));
	};
	beforeEach(() => service.world.set({ listLagMs: forHours }));

	test.each(['returnExisting', 'fail', 'create'])(
		'is lost for other executions as well, when it was that of a run with %s',
		async (choice) => {
			const { error } = await lose(create(choice));
			expect(error?.message).toContain('may still have been created');
			for (const other of ['returnExisting', 'fail']) {
				const again = await run(create(other), itemsOf('A'));
				expect(again.error?.message).toContain(
					'An earlier request with the invoice number "A" (sent at 2',
				);
				expect(again.error?.message).toContain(unsent);
				expect(again.error?.description).toContain('ten minutes');
			}
			const rows = await fromRows('returnExisting', 'A');
			expect(rows.error?.message).toContain(unsent);
			const tool = {
				credential: service.credential,
				parameters: create('returnExisting', { additionalFields: { invoiceNumber: 'A' } }),
			};
			const [answer] = await callAsTools([tool]);
			expect((answer as Error).message).toContain(unsent);
			expect(posts()).toHaveLength(1);
		},
	);

	test('is lost for an execution at the same time', async () => {
		service.world.set({ latency: 50 });
		fault(action, { method: 'POST' });
		const parameters = { ...create('returnExisting'), requestOptions: { timeout: 700 } };
		const runs = await Promise.all([1, 2].map(async () => await run(parameters, itemsOf('A'))));
		const words = runs.map(({ error }) => error?.message ?? '');
		expect(words.filter((word) => word.includes('may still have been created'))).toHaveLength(1);
		expect(words.filter((word) => word.includes(unsent))).toHaveLength(1);
		expect(posts()).toHaveLength(1);
	});

	test('keeps no other number from being created, and with Continue only its own item fails', async () => {
		await lose(create('returnExisting'));
		const { json } = await run(create('returnExisting'), itemsOf('B', 'A', 'C', 'a'), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcomes(json)).toEqual(['created', undefined, 'created', undefined]);
		expect(json[1].error).toContain(unsent);
		expect(json[3].error).toContain(unsent);
		expect(posts()).toHaveLength(3);
	});

	test('is still lost nine minutes later', async () => {
		await lose(create('returnExisting'));
		passTime(9 * minute);
		const { error } = await run(create('returnExisting'), itemsOf('A'));
		expect(error?.message).toContain(unsent);
		expect(posts()).toHaveLength(1);
	});

	test('no more counts after ten minutes: it is created where the list does not have it', async () => {
		service.world.set({ listLagMs: isMade ? forHours : 0 });
		await lose(create('returnExisting'));
		passTime(10 * minute);
		const { json } = await run(create('returnExisting'), itemsOf('A'));
		expect(outcomes(json)).toEqual(['created']);
		expect(posts()).toHaveLength(2);
	});

	test('Create Anyway creates anyway', async () => {
		await lose(create('returnExisting'));
		const { json } = await run(create('create'), itemsOf('A'));
		expect(outcomes(json)).toEqual(['created']);
		expect(posts()).toHaveLength(2);
		const again = await run(create('returnExisting'), itemsOf('A'));
		expect(again.json).toMatchObject([{ outcome: 'found', id: json[0].id }]);
		expect(posts()).toHaveLength(2);
	});
});

describe('[O2] a lost answer of a service that made the invoice', () => {
	test.each(['done', 'late'] as const)('is found as soon as the list has it (%s)', async (when) => {
		service.world.set({ listLagMs: 3 * minute });
		const work = when === 'done' ? 'done' : { lateMs: 300 };
		fault({ kind: 'reset', work }, { method: 'POST' });
		const { error } = await run(create('returnExisting'), itemsOf('A'));
		expect(error?.message).toContain('may still have been created');
		while (service.created.length === 0) await pause(20);
		expect((await run(create('returnExisting'), itemsOf('A'))).error?.message).toContain(unsent);
		passTime(4 * minute);
		const { json } = await run(create('returnExisting'), itemsOf('A'));
		expect(json).toMatchObject([{ outcome: 'found', id: service.created[0].full.id }]);
		expect(posts()).toHaveLength(1);
	});

	test.each(someOf(matches))('is found after ten minutes as well (filter %s)', async (match) => {
		service.world.set({ listLagMs: 3 * minute, invoiceNumberMatch: match });
		fault({ kind: 'timeout', work: 'done' }, { method: 'POST' });
		await run({ ...create('returnExisting'), requestOptions: { timeout: 700 } }, itemsOf('A'));
		passTime(11 * minute);
		const { json } = await run(create('returnExisting'), itemsOf('A'));
		expect(json).toMatchObject([{ outcome: 'found', id: service.created[0].full.id }]);
		const { error } = await run(create('fail'), itemsOf('A'));
		expect(error?.message).toContain('already exists');
		expect(posts()).toHaveLength(1);
	});

	test('an execution that was cancelled while its request was under way leaves it uncertain', async () => {
		service.world.set({ listLagMs: forHours });
		fault({ kind: 'timeout' }, { method: 'POST' });
		await run(create('returnExisting'), itemsOf('A'), {
			cancelWhen: () => posts().length > 0,
		});
		expect(posts()).toHaveLength(1);
		const { error } = await run(create('returnExisting'), itemsOf('A'));
		expect(error?.message).toContain(unsent);
		expect(posts()).toHaveLength(1);
	});

	test('a refusal leaves nothing uncertain', async () => {
		service.world.set({ listLagMs: forHours });
		fault({ kind: 'status', status: 422 }, { method: 'POST' });
		const { error } = await run(create('returnExisting'), itemsOf('A'));
		expect(error?.message).toContain('status 422');
		expect(outcomes((await run(create('returnExisting'), itemsOf('A'))).json)).toEqual(['created']);
	});
});
