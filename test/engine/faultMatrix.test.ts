import type { INodeParameters } from 'n8n-workflow';
import type { FaultAction } from '../../simulator/faults';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import { pause, passTime } from '../helpers/n8n/clock';
import type { RunResult } from '../helpers/n8n/engine';
import { runNode } from '../helpers/n8n/engine';
import { invoiceItems } from '../helpers/service/invoiceItems';
import { fromRowsParameters, reading } from '../helpers/sheets/fromRows';
import { continues } from '../helpers/n8n/nodeRuns';
import { newKey } from '../helpers/service/useSimulator';
import { someOf } from '../helpers/someOf';

/**
 * Every way to lose the response to a create, for both operations that create. No invoice exists twice, and none is missing without an
 * error. Then the same items run again with Return Existing, at once and ten minutes later. In the end each invoice exists once.
 */

const maxWaitSeconds = 6;
const late = { lateMs: 2500 };
const tooLate = { lateMs: 12_000 };

type Outcome = 'created' | 'recovered' | 'failed';
const down = (status: number, work: 'none' | 'done'): FaultAction => ({
	kind: 'status',
	status,
	message: 'Down',
	work,
});

/** What happens to the first create, and the outcome of its item, with a number and without. */
const faults: Array<[what: string, action: FaultAction, numbered: Outcome, unnumbered: Outcome]> = [
	['timeout before', { kind: 'timeout', work: 'none' }, 'failed', 'failed'],
	['timeout after', { kind: 'timeout', work: 'done' }, 'recovered', 'failed'],
	['timeout, done seconds later', { kind: 'timeout', work: late }, 'recovered', 'failed'],
	['timeout, done after the search', { kind: 'timeout', work: tooLate }, 'failed', 'failed'],
	['reset before', { kind: 'reset', work: 'none' }, 'failed', 'failed'],
	['reset after', { kind: 'reset', work: 'done' }, 'recovered', 'failed'],
	['reset, done seconds later', { kind: 'reset', work: late }, 'recovered', 'failed'],
	['reset, done after the search', { kind: 'reset', work: tooLate }, 'failed', 'failed'],
	['drip before', { kind: 'drip', everyMs: 20, work: 'none' }, 'failed', 'failed'],
	['drip after', { kind: 'drip', everyMs: 20, work: 'done' }, 'recovered', 'failed'],
	['429', down(429, 'none'), 'created', 'created'],
	...[500, 502, 503].flatMap((status): typeof faults => [
		[`${status} before`, down(status, 'none'), 'failed', 'failed'],
		[`${status} after`, down(status, 'done'), 'recovered', 'failed'],
	]),
	['HTML', { kind: 'html' }, 'failed', 'failed'],
	['cut JSON', { kind: 'cutJson' }, 'recovered', 'failed'],
	['no body', { kind: 'emptyBody' }, 'recovered', 'failed'],
	['JSON that is no invoice', { kind: 'json', body: {} }, 'failed', 'failed'],
	['redirect', { kind: 'redirect', location: 'https://x.example', status: 302 }, 'failed', 'failed'],
]; // prettier-ignore

const cells = someOf(
	faults.flatMap(([name, action, numbered, unnumbered]) =>
		(['create', 'createFromRows'] as const).flatMap((operation) =>
			[true, false].flatMap((hasNumber) =>
				(['create', 'returnExisting'] as const).map((ifExists) => {
					// Create From Rows makes numbers from the content if Return Existing needs them.
					const getsNumber = operation === 'createFromRows' && ifExists === 'returnExisting';
					const isFindable = hasNumber || getsNumber;
					return {
						name: `${name}: ${operation}, ${hasNumber ? 'with' : 'without'} number, ${ifExists}`,
						...{ action, operation, hasNumber, isFindable, ifExists },
						expected: isFindable ? numbered : unnumbered,
					};
				}),
			),
		),
	),
);
type Cell = (typeof cells)[number];

const rowByRow =
	'Customer = customer; Currency = currency; Due Date = due_date; Title = title; Item Name = item; Line Total = amount; one invoice per row';

/** Parameters and items of two invoices with different titles. */
function inputOf({ operation, hasNumber, ifExists }: Cell, { world }: Simulator) {
	const items = invoiceItems(world.account.customers[0].id, ['one', 'two'], hasNumber);
	const shared = {
		ifInvoiceNumberExists: ifExists,
		options: { maxWait: maxWaitSeconds, maxRequestsInFlight: 1 },
		requestOptions: { timeout: 3000 },
	};
	const fields =
		operation === 'createFromRows'
			? fromRowsParameters(
					reading(`${hasNumber ? 'Invoice Number = invoice_number; ' : ''}${rowByRow}`),
				)
			: {
					resource: 'invoice',
					operation,
					customerId: '={{ $json.customer }}',
					currency: 'EUR',
					dueDate: '2026-12-31',
					itemsInput: 'json',
					itemsJson: '={{ [{ name: "Consulting", amount: $json.amount }] }}',
					additionalFields: {
						title: '={{ $json.title }}',
						invoiceNumber: '={{ $json.invoice_number }}',
					},
				};
	return { items, parameters: { ...shared, ...fields } as unknown as INodeParameters };
}

interface Ended {
	/** Of the first item. */
	outcome: string;
	message: string;
	/** The number of invoices of the first and of the second item. */
	counts: number[];
	/** After a second run at once, with Return Existing, and after a third one ten minutes later. */
	soon: { outcome: string; counts: number[] };
	later: number[];
	posts: number;
}

/** Runs a cell twice with a new simulator. Call the result ten minutes later. */
async function begin(cell: Cell): Promise<() => Promise<Ended>> {
	const simulator = await startSimulator({ apiKey: newKey() });
	const { world, url } = simulator;
	const credential = { apiKey: world.settings.apiKey, baseUrl: url };
	const { items, parameters } = inputOf(cell, simulator);
	const counts = () =>
		['one', 'two'].map(
			(title) => world.account.created.filter(({ request }) => request.title === title).length,
		);
	world.faults.add({ method: 'POST', path: '/v1/invoices', action: cell.action });
	const first = await runNode({ credential, parameters, items, node: continues });
	if ('work' in cell.action && typeof cell.action.work === 'object')
		await pause(tooLate.lateMs + 1000);
	const ended = {
		outcome: outcomeOf(first),
		message: String(first.json[0]?.error ?? first.error?.message ?? ''),
		counts: counts(),
		posts: world.traffic.requests.filter(({ method }) => method === 'POST').length,
	};
	const again = {
		...parameters,
		ifInvoiceNumberExists: 'returnExisting',
		requestOptions: {},
		// An invoice that was created without a number cannot be found by one.
		...(!cell.isFindable && {
			options: { ...(parameters.options as object), invoiceNumbers: 'fromSheet' },
		}),
	};
	const second = await runNode({ credential, parameters: again, items, node: continues });
	const soon = { outcome: outcomeOf(second), counts: counts() };
	return async () => {
		await runNode({ credential, parameters: again, items, node: continues });
		await simulator.close();
		return { ...ended, soon, later: counts() };
	};
}

const outcomeOf = ({ json: [first] }: RunResult) =>
	String(first?.error ? 'failed' : first?.outcome);

const results = new Map<Cell, Ended>();

beforeAll(async () => {
	const inSixteens = async (work: (cell: Cell) => Promise<void>) => {
		const waiting = [...cells];
		const worker = async () => {
			for (let cell = waiting.shift(); cell; cell = waiting.shift()) await work(cell);
		};
		await Promise.all(Array.from({ length: 16 }, worker));
	};
	const begun = new Map<Cell, () => Promise<Ended>>();
	await inSixteens(async (cell) => void begun.set(cell, await begin(cell)));
	passTime(10 * 60_000);
	await inSixteens(async (cell) => {
		const end = begun.get(cell);
		if (end) results.set(cell, await end());
	});
}, 240_000);

test.each(cells)('[R5] $name', (cell) => {
	const { action, isFindable, ifExists, expected } = cell;
	const { outcome, message, counts, soon, later, posts } = results.get(cell) as Ended;
	if (!isFindable && ifExists === 'returnExisting') {
		// Nothing is sent without a number to find it by.
		expect([outcome, posts, counts]).toEqual(['failed', 0, [0, 0]]);
		expect(message).toContain('Invoice Number');
		return;
	}
	expect(outcome).toBe(expected);
	for (const count of counts) expect(count).toBeLessThanOrEqual(1);
	if (outcome !== 'failed') expect(counts).toEqual([1, 1]);
	else expect(message).toContain('may still have been created');
	// One for each item, and another one if the service refused the first.
	expect(posts).toBe('status' in action && action.status === 429 ? 3 : 2);
	if (!isFindable) {
		expect([soon.counts, later]).toEqual([counts, counts]);
		return;
	}
	// A request that may still be on its way is not sent again for ten minutes.
	expect(soon.counts).toEqual(counts);
	expect(soon.outcome).toBe(counts[0] ? 'found' : 'failed');
	expect(later).toEqual([1, 1]);
});
