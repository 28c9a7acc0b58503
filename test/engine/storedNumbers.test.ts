import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Settings } from '../../simulator/settings';
import type { SeenRequest } from '../../simulator/traffic';
import { passTime } from '../helpers/clock';
import type { RunOptions } from '../helpers/engine';
import { callAsTools, runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';
import { someOf } from '../helpers/someOf';

const service = useSimulator();

const create = (choice: string, change: object = {}): INodeParameters =>
	service.invoice({
		additionalFields: { invoiceNumber: '={{ $json.number }}' },
		ifInvoiceNumberExists: choice,
		...change,
	}) as INodeParameters;
const itemsOf = (numbers: string[]): IDataObject[] => numbers.map((number) => ({ number }));
const run = async (
	parameters: INodeParameters,
	numbers: string[],
	more: Partial<RunOptions> = {},
) =>
	await runNode({ credential: service.credential, parameters, items: itemsOf(numbers), ...more });
const fromRows = async (
	choice: string,
	numbers: string[],
	change: object = {},
	node: RunOptions['node'] = {},
) =>
	await runNode({
		credential: service.credential,
		parameters: {
			resource: 'invoice',
			operation: 'createFromRows',
			ifInvoiceNumberExists: choice,
			columns: { mappingMode: 'autoMapInputData', value: null } as never,
			...change,
		},
		items: numbers.map((number) => ({
			'Invoice Number': number,
			'Customer ID': service.world.account.customers[0].id,
			Currency: 'EUR',
			'Due Date': '2027-01-15',
			Item: 'Consulting',
			Amount: '19.99',
		})),
		node,
	});
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const storedNumbers = () => service.created.map(({ full }) => full.invoice_number);

/** Each way in which the simulator changes numbers, with numbers that it changes. */
const changes: Array<[Settings['storedNumbers'], string[]]> = [
	['upperCase', ['inv-1', 'inv-2', 'Inv-3', 'straße-4', 'inv-5', 'inv-6']],
	['withoutSpaces', ['A B', 'A C', 'A D', 'B 1 2', 'C 1', 'D 1']],
	['padded', ['INV-1', 'INV-2', 'INV-3', 'INV-4', 'INV-5', 'INV-6']],
	['nfc', ['e\u0301-1', 'e\u0301-2', 'cafe\u0301-3', 'A\u030a-4', 'e\u0301-5', 'e\u0301-6']],
	['truncated', ['2026-0000001', '2026-0000002', 'ABCDEFGHIJKL', 'MNOPQRSTUVWX', 'INVOICE-2027']],
	['numeric', ['007', '008', '0009', '010', '0011', '012']],
];

describe.each(someOf(changes))(
	'a service that stores numbers otherwise: %s',
	(storedAs, numbers) => {
		beforeEach(() => service.world.set({ storedNumbers: storedAs, latency: 10 }));

		/** One invoice, and an error that says what became of which number, of which invoice, and what to do. */
		function expectOne(error: Error & { description?: string | null }, count = 1) {
			expect(service.created).toHaveLength(count);
			const { request, full } = service.created[count - 1];
			expect(full.invoice_number).not.toBe(request.invoice_number);
			const words = `${error.message} ${error.description}`;
			expect(error.message).toContain('The service changed the invoice number');
			expect(error.message).toContain(
				`"${request.invoice_number}" became "${full.invoice_number}"`,
			);
			expect(error.message).toContain(`invoice ${full.id}`);
			expect(words).toContain('Write invoice numbers the way the service stores them');
			expect(words).toContain('Create Anyway');
		}

		describe.each(['returnExisting', 'fail'])('with %s', (choice) => {
			test.each([1, 2, 5, 50])(
				'one invoice is created, and then nothing more (%i at a time)',
				async (maxRequestsInFlight) => {
					const { error } = await run(
						create(choice, { options: { maxRequestsInFlight } }),
						numbers,
					);
					expectOne(error as Error);
					expect(posts()).toHaveLength(1);
				},
			);

			test('[O3] Create From Rows creates one and stops as well', async () => {
				const { error } = await fromRows(choice, numbers);
				expectOne(error as Error);
				expect(error?.message).toContain('row');
				expect(posts()).toHaveLength(1);
			});

			test('Retry On Fail sends nothing further', async () => {
				const { error } = await run(create(choice), numbers, {
					node: retry,
				});
				expectOne(error as Error);
				expect(posts()).toHaveLength(1);
				const rest = numbers.filter(
					(number) => number !== service.created[0].request.invoice_number,
				);
				const again = await fromRows(choice, rest, {}, retry);
				expectOne(again.error as Error, 2);
				expect(posts()).toHaveLength(2);
			});

			test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
				'%s: the others get an error and are not sent',
				async (onError) => {
					const node = { onError, ...retry };
					const { json, errorItems } = await run(create(choice), numbers, { node });
					const failed =
						onError === 'continueErrorOutput' ? errorItems.map((item) => item.json) : json;
					const errors = failed.map(({ error }) => String(error));
					expect(errors).toHaveLength(numbers.length);
					const [first, ...more] = errors.filter((error) => error.includes('The service changed'));
					expect(more).toEqual([]);
					expect(first).toContain(service.created[0].full.id);
					const others = errors.filter((error) => error !== first);
					for (const error of others) {
						expect(error).toContain(
							'The invoice was not sent because the service changes invoice numbers',
						);
					}
					expect(others).toHaveLength(numbers.length - 1);
					expect(posts()).toHaveLength(1);
				},
			);

			test('an agent that calls the tool is told, and nothing is sent again', async () => {
				const tool = {
					credential: service.credential,
					parameters: create(choice, { additionalFields: { invoiceNumber: numbers[0] } }),
					node: retry,
				};
				const [answer] = await callAsTools([tool]);
				expect((answer as Error).message).toContain(
					'Write invoice numbers the way the service stores them',
				);
				// What was created is known for a while: the second call sends nothing.
				const [again] = await callAsTools([tool]);
				if (choice === 'fail') expect((again as Error).message).toContain('already exists');
				else expect(again).toMatchObject([{ outcome: 'found' }]);
				expect(posts()).toHaveLength(1);
			});
		});

		test('a number before them that is kept by chance is no reason to let several go at once', async () => {
			const kept = await run(create('returnExisting'), ['7']);
			expect(outcomes(kept.json)).toEqual(storedAs === 'padded' ? [] : ['created']);
			const { error } = await run(create('returnExisting'), numbers);
			expectOne(error as Error, 2);
			expect(posts()).toHaveLength(2);
		});

		test('Create Anyway creates all, and says in what they differ', async () => {
			const { json, hints, error } = await run(create('create'), numbers);
			expect(error).toBeUndefined();
			expect(outcomes(json)).toEqual(numbers.map(() => 'created'));
			json.forEach(({ differences, invoice_number: stored }, index) => {
				expect(differences).toEqual([
					`invoice number: ${String(stored)} in the service, ${numbers[index]} here`,
				]);
			});
			expect(hints).toEqual([
				expect.stringContaining(
					'Existing invoices that differ from the request (see "differences" in the output)',
				),
			]);
			expect(service.created).toHaveLength(numbers.length);
			const rows = await fromRows('create', numbers);
			expect(outcomes(rows.json)).toEqual(numbers.map(() => 'created'));
			expect(rows.hints.join()).toContain('Existing invoices that differ from the request');
		});

		test.each(['exact', 'contains', 'ignored'] as const)(
			'what was created is found by the next execution within ten minutes (filter %s)',
			async (invoiceNumberMatch) => {
				service.world.set({ invoiceNumberMatch });
				await run(create('returnExisting'), [numbers[0]]);
				const [{ full }] = service.created;
				for (const minutes of [0, 5, 4]) {
					passTime(minutes * 60_000);
					const { json, hints } = await run(create('returnExisting'), [numbers[0]]);
					expect(json).toMatchObject([{ outcome: 'found', id: full.id }]);
					expect(json[0].differences).toEqual([
						`invoice number: ${full.invoice_number} in the service, ${numbers[0]} here`,
					]);
					expect(hints.join()).toContain('Existing invoices that differ');
				}
				// By the number that the service gave it as well.
				const { json } = await run(create('returnExisting'), [full.invoice_number.trim()]);
				expect(json).toMatchObject([{ outcome: 'found', id: full.id }]);
				expect(posts()).toHaveLength(1);
			},
		);
	},
);

describe('what is known is gone after eleven minutes', () => {
	const findable = changes.filter(([name]) => ['upperCase', 'nfc'].includes(name));

	describe.each(someOf(findable))('numbers are stored as %s', (storedAs, numbers) => {
		test.each(['exact', 'contains', 'ignored'] as const)(
			'the invoice is found all the same, and no second one is created (filter %s)',
			async (invoiceNumberMatch) => {
				service.world.set({ storedNumbers: storedAs, invoiceNumberMatch });
				await run(create('create'), numbers);
				const ids = service.created.map(({ full }) => full.id);
				passTime(11 * 60_000);
				const { json, error } = await run(
					create('returnExisting', { options: { maxRequestsInFlight: 1 } }),
					numbers,
				);
				expect(error).toBeUndefined();
				expect(outcomes(json)).toEqual(numbers.map(() => 'found'));
				expect(json.map(({ id }) => id)).toEqual(ids);
				for (const { differences } of json) {
					expect(differences).toEqual([expect.stringContaining('invoice number: ')]);
				}
				const fail = await run(create('fail'), [numbers[0]]);
				expect(fail.error?.message).toContain('already exists');
				expect(posts()).toHaveLength(numbers.length);
			},
		);

		test('after the run that was stopped, the one invoice that it made is found', async () => {
			service.world.set({ storedNumbers: storedAs });
			await run(create('returnExisting'), numbers.slice(0, 1));
			passTime(11 * 60_000);
			const { json } = await run(create('returnExisting'), numbers.slice(0, 1));
			expect(json).toMatchObject([{ outcome: 'found', id: service.created[0].full.id }]);
			expect(posts()).toHaveLength(1);
		});

		test('a new number before it that the service keeps does not hide it', async () => {
			service.world.set({ storedNumbers: storedAs });
			await run(create('create'), [numbers[0]]);
			passTime(11 * 60_000);
			const { json } = await run(
				create('returnExisting', { options: { maxRequestsInFlight: 1 } }),
				['NEW-1', numbers[0]],
			);
			expect(posts().map(({ body }) => (body as IDataObject).invoice_number)).toEqual([
				numbers[0],
				'NEW-1',
			]);
			expect(outcomes(json)).toEqual(['created', 'found']);
		});
	});
});

describe('two numbers of one sheet that differ in nothing but what a service may change', () => {
	test.each([
		['case', 'Inv-1', 'INV-1'],
		['a space', 'INV 1', 'INV1'],
		['two spaces', 'INV  1', 'INV 1'],
		['a space that does not break', 'INV\u00a01', 'INV 1'],
		['case and spaces', 'inv 1 a', 'INV1A'],
	])('%s: an error before anything is sent', async (_what, one, other) => {
		for (const choice of ['returnExisting', 'fail']) {
			const { error } = await fromRows(choice, [one, 'B', other]);
			expect(error?.message).toContain('Row 4: Invoice Number');
			expect(error?.message).toContain('is also used by another invoice (row 2)');
			expect(error?.description).toContain('Nothing was sent');
		}
		expect(service.requests).toEqual([]);
	});

	test('are two invoices with Create Anyway', async () => {
		const { json } = await fromRows('create', ['Inv-1', 'INV-1']);
		expect(outcomes(json)).toEqual(['created', 'created']);
	});

	test('in items of Create the second one is found, with what it differs in', async () => {
		const { json } = await run(create('returnExisting'), ['Inv-1', 'INV-1', 'inv -1']);
		expect(outcomes(json)).toEqual(['created', 'found', 'found']);
		expect(json[2].differences).toEqual(['invoice number: Inv-1 in the service, inv -1 here']);
		expect(posts()).toHaveLength(1);
	});
});

describe('a service that keeps numbers', () => {
	/** How many creations were under way when each began, itself included. */
	function watchCreations(): number[] {
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
	afterEach(() => jest.restoreAllMocks());

	test.each(['returnExisting', 'fail'])(
		'gets the first alone, and then several at a time (%s)',
		async (choice) => {
			service.world.set({ latency: 40 });
			const widths = watchCreations();
			const numbers = Array.from({ length: 40 }, (_, index) => `Inv ${index} e\u0301`);
			const { json } = await run(create(choice), numbers);
			expect(outcomes(json)).toEqual(numbers.map(() => 'created'));
			expect(storedNumbers().sort()).toEqual([...numbers].sort());
			expect(widths[0]).toBe(1);
			// Five requests are in flight, some of which look numbers up.
			expect(Math.max(...widths)).toBeGreaterThan(1);
			expect(service.world.traffic.mostInFlight).toBe(5);
		},
	);

	test('gets several at a time at once in the next execution', async () => {
		service.world.set({ latency: 40 });
		await run(create('returnExisting'), ['N']);
		const widths = watchCreations();
		const numbers = Array.from({ length: 20 }, (_, index) => `N-${index}`);
		const { json } = await fromRows('returnExisting', numbers);
		expect(outcomes(json)).toEqual(numbers.map(() => 'created'));
		expect(Math.max(...widths)).toBeGreaterThan(1);
		expect(service.world.traffic.mostInFlight).toBe(5);
	});

	test.each(['First', 'undefined', '__proto__', 'constructor'])(
		'takes the number %p as any other',
		async (number) => {
			const one = await run(create('returnExisting'), [number]);
			const two = await run(create('returnExisting'), [number]);
			expect([...outcomes(one.json), ...outcomes(two.json)]).toEqual(['created', 'found']);
			expect(posts()).toHaveLength(1);
		},
	);

	test('a first creation that fails for good, or whose answer is lost, does not block the others', async () => {
		service.world.faults.add({ method: 'POST', action: { kind: 'status', status: 422 } });
		service.world.faults.add({ method: 'POST', action: { kind: 'reset' } });
		const numbers = Array.from({ length: 10 }, (_, index) => `N-${index}`);
		const { json } = await run(create('returnExisting', { options: { maxWait: 0 } }), numbers, {
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcomes(json).filter((outcome) => outcome === 'created')).toHaveLength(8);
		expect(posts()).toHaveLength(10);
	});
});
