import { clock } from '../../nodes/shared/clock';
import type { SettingsInput } from '../../simulator/settings';
import { passTime } from '../helpers/n8n/clock';
import type { RunOptions, RunResult } from '../helpers/n8n/engine';
import { callAsTools, runNode } from '../helpers/n8n/engine';
import { ids, matches, numbersTo, outcomes, pageOf } from '../helpers/n8n/nodeRuns';
import { all, forHours, minute, useNumbers } from '../helpers/n8n/numberRuns';
import type { NamedInvoice } from '../helpers/service/ledgers';
import { doubleProblems, doublesOf } from '../helpers/service/ledgers';
import { preview } from '../helpers/sheets/fromRows';

/**
 * Runs that create the same invoices before the list of the service shows them: one after the other, at once, and in two n8n processes
 * at the same moment. A number has one invoice, or its duplicates are reported.
 */

const helpers = useNumbers();
const { service, posts, fault, runNumbers, row, fromRows, runRows } = helpers;
const { existing, send, outcomesOf, errorOf, tool, sentNumbers } = helpers;

/** Numbers without other spellings, which would be looked up as well. */
const digitsTo = (count: number) => Array.from({ length: count }, (_, index) => `2026-${index}`);

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
