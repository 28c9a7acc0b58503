import type { INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/shared/clock';
import type { RunResult } from '../helpers/n8n/engine';
import { runNode } from '../helpers/n8n/engine';
import type { NamedInvoice } from '../helpers/service/ledgers';
import { doubleProblems, doublesOf } from '../helpers/service/ledgers';
import { useSimulator } from '../helpers/service/useSimulator';
import type { SettingsInput } from '../../simulator/settings';

const service = useSimulator();

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
const numbers = Array.from({ length: 100 }, (_, index) => `2026-${index}`);
const some = numbers.slice(0, 20);

const parameters = (change: object = {}): INodeParameters =>
	service.invoice({
		additionalFields: { invoiceNumber: '={{ $json.number }}' },
		ifInvoiceNumberExists: 'returnExisting',
		...change,
	}) as INodeParameters;

const runIn = async (
	run: typeof runNode,
	sent: string[],
	{ change, ...more }: Partial<Parameters<typeof runNode>[0]> & { change?: object } = {},
) =>
	await run({
		credential: service.credential,
		parameters: parameters(change),
		items: sent.map((number) => ({ number })),
		...more,
	});

/** Both processes create the same numbers at the same moment. */
const runBoth = async (
	sent: string[],
	change: object = {},
	executionIds: string[] = [],
): Promise<RunResult[]> =>
	await Promise.all(
		processes.map(
			async (run, at) => await runIn(run, sent, { change, executionId: executionIds[at] }),
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
			expect(hints.join()).toContain('keep the first invoice and cancel the others: item ');
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
		const sent = service.created.map(({ request }) => request.invoice_number);
		expect(sent).not.toEqual(numbers);
	});

	test("are created in the order of the input without look-ups with 'Create Anyway'", async () => {
		const change = { ifInvoiceNumberExists: 'create', options: { maxRequestsInFlight: 1 } };
		await runIn(runNode, numbers, { change, executionId: '17' });
		expect(service.created.map(({ request }) => request.invoice_number)).toEqual(numbers);
		expect(service.requests).toHaveLength(100);
	});
});

describe('the check for duplicates', () => {
	/** Adds another invoice with the number. */
	const addDuplicate = (number: string) =>
		service.world.account.addInvoice({ invoice_number: number }, Date.now());

	test('finds duplicates in a later run, and ignores cancelled ones', async () => {
		await runIn(runNode, ['A']);
		addDuplicate('A');
		const { json } = await runIn(anotherProcess(), ['A']);
		const ids = service.world.account.invoices
			.filter(({ full }) => full.invoice_number === 'A')
			.map(({ full }) => full.id);
		expect(json[0]).toMatchObject({ outcome: 'found' });
		expect([...(json[0].duplicates as string[])].sort()).toEqual([...ids].sort());
		expect(json[0].duplicateOf).toBeUndefined();
		const [, tooMany] = json[0].duplicates as string[];
		service.world.account.changeInvoice(tooMany, 'cancelled');
		const later = await runIn(anotherProcess(), ['A']);
		expect(later.json[0]).toMatchObject({ outcome: 'found', id: json[0].id });
		expect(later.json[0]).not.toHaveProperty('duplicates');
	});

	test('[O4] reports invoices that the service does not list yet', async () => {
		service.world.reset({ listLagMs: 60_000 });
		const { json, hints } = await runIn(runNode, ['A', 'B']);
		const unchecked = { outcome: 'created', duplicatesChecked: false };
		expect(json).toMatchObject([unchecked, unchecked]);
		expect(hints.join()).toContain(
			'could not be checked whether another n8n process created them as well: item 1; item 2.',
		);
	});

	test('stops reading a list that is longer than its count', async () => {
		service.world.reset({ invoices: 1500, count: 'cappedAt100' });
		const { json } = await runIn(runNode, numbers.slice(0, 20));
		expect(json.every((one) => !('duplicatesChecked' in one))).toBe(true);
		const pages = service.requests.filter(({ query }) => query.page_size && !query.invoice_number);
		expect(pages.length).toBeGreaterThan(1);
		expect(pages.length).toBeLessThan(10);
	});

	test('waits a moment for a list that is late', async () => {
		service.world.reset({ listLagMs: 1000 });
		const { json } = await runIn(runNode, ['A', 'B']);
		expect(json.every((one) => !('duplicatesChecked' in one))).toBe(true);
	});

	test('loses nothing if the service fails meanwhile', async () => {
		const change = { options: { maxWait: 0, maxRequestsInFlight: 1 } };
		await runIn(runNode, ['A', 'B', 'C'], { change });
		const reads = service.requests.filter(({ method }) => method === 'GET').length;
		service.world.reset();
		// The last three reads are the check.
		const check = { method: 'GET', skip: reads - 3, times: null } as const;
		service.world.faults.add({ ...check, action: { kind: 'status', status: 503 } });
		const { json, error } = await runIn(runNode, ['A', 'B', 'C'], { change });
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
