import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction } from '../../simulator/faults';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import { pause, passTime } from '../helpers/clock';
import type { RunResult } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { invoiceItems } from '../helpers/invoiceItems';
import { newKey } from '../helpers/service';
import { someOf } from '../helpers/someOf';

/**
 * Every way in which the answer to a create can be lost, for both operations that create: no invoice is there twice, and none is
 * missing without an error. Then the same items are run again with Return Existing, at once and ten minutes later, and in the end
 * each invoice is there once.
 */

/** Seconds. */
const maxWait = 6;
const late = { lateMs: 2500 };
const tooLate = { lateMs: 12_000 };

/** What happens to the first create, and how its item ends where it has a number and where it has none. */
const faults: Array<
	[string, FaultAction, 'created' | 'recovered' | 'failed', 'created' | 'failed']
> = [
	['timeout before', { kind: 'timeout', work: 'none' }, 'failed', 'failed'],
	['timeout after', { kind: 'timeout', work: 'done' }, 'recovered', 'failed'],
	['timeout, done seconds later', { kind: 'timeout', work: late }, 'recovered', 'failed'],
	['timeout, done after the search', { kind: 'timeout', work: tooLate }, 'failed', 'failed'],
	['reset before', { kind: 'reset', work: 'none' }, 'failed', 'failed'],
	['reset after', { kind: 'reset', work: 'done' }, 'recovered', 'failed'],
	['reset, done seconds later', { kind: 'reset', work: late }, 'recovered', 'failed'],
	['reset, done after the search', { kind: 'reset', work: tooLate }, 'failed', 'failed'],
	[
		'429',
		{ kind: 'status', status: 429, message: 'Slow down', work: 'none' },
		'created',
		'created',
	],
	...[500, 502, 503].flatMap((status): typeof faults => [
		[
			`${status} before`,
			{ kind: 'status', status, message: 'Down', work: 'none' },
			'failed',
			'failed',
		],
		[
			`${status} after`,
			{ kind: 'status', status, message: 'Down', work: 'done' },
			'recovered',
			'failed',
		],
	]),
	['HTML', { kind: 'html' }, 'failed', 'failed'],
	['cut JSON', { kind: 'cutJson' }, 'recovered', 'failed'],
	['no body', { kind: 'emptyBody' }, 'recovered', 'failed'],
	['JSON that is no invoice', { kind: 'json', body: {} }, 'failed', 'failed'],
	[
		'redirect',
		{ kind: 'redirect', location: 'https://elsewhere.example', status: 302 },
		'failed',
		'failed',
	],
];

const cells = someOf(
	faults.flatMap(([name, action, numbered, unnumbered]) =>
		(['create', 'createFromRows'] as const).flatMap((operation) =>
			[true, false].flatMap((hasNumber) =>
				(['create', 'returnExisting'] as const).map((ifExists) => {
					// Numbers are made of what rows say, where they are needed.
					const isMade = operation === 'createFromRows' && ifExists === 'returnExisting';
					const isFindable = hasNumber || isMade;
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

/** Parameters and items of two invoices, which their titles tell apart. */
function inputOf({ operation, hasNumber, ifExists }: Cell, { world }: Simulator) {
	const items = invoiceItems(world.account.customers[0].id, ['one', 'two'], hasNumber);
	const shared = {
		resource: 'invoice',
		operation,
		ifInvoiceNumberExists: ifExists,
		options: { maxWait, maxRequestsInFlight: 1 },
		requestOptions: { timeout: 3000 },
	};
	const fields: INodeParameters =
		operation === 'createFromRows'
			? { columns: { mappingMode: 'autoMapInputData', value: null } as never, groupBy: 'row' }
			: {
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
	return { items: items as IDataObject[], parameters: { ...shared, ...fields } };
}

interface Ended {
	/** How the first item ended, and what was said. */
	outcome: string;
	message: string;
	/** How many invoices there are of the first and of the second item, when all is done. */
	counts: number[];
	/** The same after another run at once, with Return Existing, and after one ten minutes later. */
	soon: { outcome: string; counts: number[] };
	later: number[];
	posts: number;
}

/** Runs a cell with a simulator of its own, twice. What it gives is to be called ten minutes later. */
async function begin(cell: Cell): Promise<() => Promise<Ended>> {
	const simulator = await startSimulator({ apiKey: newKey() });
	const { world, url } = simulator;
	const credential = { apiKey: world.settings.apiKey, baseUrl: url };
	const { items, parameters } = inputOf(cell, simulator);
	const counts = () =>
		['one', 'two'].map(
			(title) => world.account.created.filter(({ request }) => request.title === title).length,
		);
	const node = { onError: 'continueRegularOutput' } as const;
	world.faults.add({ method: 'POST', path: '/v1/invoices', action: cell.action });
	const first = await runNode({ credential, parameters, items, node });
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
		// What was created without a number is not found by one.
		...(!cell.isFindable && { options: { ...parameters.options, invoiceNumbers: 'fromSheet' } }),
	};
	const second = await runNode({ credential, parameters: again, items, node });
	const soon = { outcome: outcomeOf(second), counts: counts() };
	return async () => {
		await runNode({ credential, parameters: again, items, node });
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
		// Nothing is sent that could not be found again.
		expect([outcome, posts, counts]).toEqual(['failed', 0, [0, 0]]);
		expect(message).toContain('Invoice Number');
		return;
	}
	expect(outcome).toBe(expected);
	for (const count of counts) expect(count).toBeLessThanOrEqual(1);
	if (outcome !== 'failed') expect(counts).toEqual([1, 1]);
	else expect(message).toContain('may still have been created');
	// One for each item, and one more only where the service refused the first.
	expect(posts).toBe('status' in action && action.status === 429 ? 3 : 2);
	if (!isFindable) {
		expect([soon.counts, later]).toEqual([counts, counts]);
		return;
	}
	// What may still be on its way is not sent again before ten minutes have passed.
	expect(soon.counts).toEqual(counts);
	expect(soon.outcome).toBe(counts[0] ? 'found' : 'failed');
	expect(later).toEqual([1, 1]);
});
