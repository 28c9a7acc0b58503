import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../../simulator/settings';
import type { SeenRequest } from '../../simulator/traffic';
import { passTime } from '../helpers/n8n/clock';
import { callAsTools } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	ids,
	matches,
	numbersTo,
	oneAtATime,
	outcomes,
	retry,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { someOf } from '../helpers/someOf';

/** Services that change the invoice numbers that they store. */
const { service, posts, fault, create, runNumbers, runRows } = useNode();

const existing = (change: object = {}) => create('returnExisting', change);
const all = (outcome: string, numbers: string[]) => numbers.map(() => outcome);

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

describe.each(someOf(changes))('a service that changes numbers: %s', (how, numbers) => {
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
			const additionalFields = { invoiceNumber: numbers[0] };
			const parameters = create(choice, { additionalFields });
			const tool = { credential: service.credential, parameters, node: retry };
			const [answer] = await callAsTools([tool]);
			expectStopped(answer as unknown as Error);
			// The invoice is remembered, so the second call sends nothing.
			const [again] = await callAsTools([tool]);
			if (choice === 'fail') expect((again as Error).message).toContain('already exists');
			else expect(again).toMatchObject([{ outcome: 'found' }]);
			expect(posts()).toHaveLength(1);
		});
	});

	test('still sends one at a time after a number that stays the same by chance', async () => {
		const kept = await runNumbers(existing(), ['7']);
		expect(outcomes(kept.json)).toEqual(how === 'padded' ? [] : ['created']);
		expectStopped((await runNumbers(existing(), numbers)).error, 2);
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
			passTime(minutes * 60_000);
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

const findable = changes.filter(([name]) => ['upperCase', 'nfc'].includes(name));

describe.each(someOf(findable))('eleven minutes after numbers became %s', (how, numbers) => {
	beforeEach(() => service.world.set({ storedNumbers: how }));
	const createAnyway = async (some: string[]) => {
		await runNumbers(create('create'), some);
		passTime(11 * 60_000);
	};

	test.each(matches)('finds the invoices by their old numbers (filter %s)', async (match) => {
		service.world.set({ invoiceNumberMatch: match });
		await createAnyway(numbers);
		const { json } = await runNumbers(existing(oneAtATime), numbers);
		expect(outcomes(json)).toEqual(all('found', numbers));
		expect(ids(json)).toEqual(service.created.map(({ full }) => full.id));
		for (const { differences } of json)
			expect(differences).toEqual([expect.stringContaining('invoice number: ')]);
		const { error } = await runNumbers(create('fail'), [numbers[0]]);
		expect(error?.message).toContain('already exists');
		expect(posts()).toHaveLength(numbers.length);
	});

	test('finds the invoice after a new number that the service keeps', async () => {
		await createAnyway([numbers[0]]);
		const { json } = await runNumbers(existing(oneAtATime), ['NEW-1', numbers[0]]);
		expect(outcomes(json)).toEqual(['created', 'found']);
		const sent = posts().map(({ body }) => (body as IDataObject).invoice_number);
		expect(sent).toEqual([numbers[0], 'NEW-1']);
	});
});

test('two numbers that differ only in case and spaces are one invoice in Create', async () => {
	const { json } = await runNumbers(existing(), ['Inv-1', 'INV-1', 'inv -1']);
	expect(outcomes(json)).toEqual(['created', 'found', 'found']);
	expect(json[2].differences).toEqual(['invoice number: Inv-1 in the service, inv -1 here']);
	expect(posts()).toHaveLength(1);
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

	test('gets several creates at once in the next execution', async () => {
		await runNumbers(existing(), ['N']);
		const widths = watchCreates();
		const { json } = await runRows('returnExisting', numbersTo(20));
		expect(outcomes(json)).toEqual(all('created', numbersTo(20)));
		expectSeveral(widths);
	});

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
