import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { clearInterval, nodeProcess, setInterval } from '../../tools/node';
import type { FaultInput } from '../../simulator/faults';
import { InvoicingPayments } from '../../index';
import type { RunOptions } from '../helpers/engine';
import { pause } from '../helpers/clock';
import { runNode } from '../helpers/engine';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

/** Answers that never end, or that unpack to more than any answer may have. */
const service = useSimulator();

const late = 'did not respond in time';
const options = { maxWait: 0 };
const hasty = { options, requestOptions: { timeout: 600 } };
const charges = (change: object = hasty) => ({
	resource: 'charge',
	operation: 'getAll',
	limit: 3,
	...change,
});
const run = async (parameters: object, more: Partial<RunOptions> = {}) =>
	await runNode({
		credential: service.credential,
		parameters: parameters as INodeParameters,
		...more,
	});
const drip = (more: Partial<FaultInput> = {}, work: 'none' | 'done' = 'none') =>
	service.world.faults.add({ ...more, action: { kind: 'drip', everyMs: 20, work } });
const bomb = (megabytes: number) =>
	service.world.faults.add({ action: { kind: 'bomb', megabytes } });
const itemsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));
const sentPosts = () => service.requests.filter(({ method }) => method === 'POST').length;

/** Resolves when the service has no request left that is under way: the connections of those that dripped are closed. */
async function untilQuiet(): Promise<void> {
	const { traffic } = service.world;
	for (traffic.reset(); traffic.mostInFlight > 0; traffic.reset()) await pause(20);
}
afterEach(untilQuiet);

describe('an answer that drips without end', () => {
	test('a later page that drips is an error as well', async () => {
		drip({ skip: 2 });
		const change = { returnAll: true, options: { ...options, pageSize: 20 } };
		const { error, json } = await run(charges({ ...hasty, ...change }));
		expect(json).toEqual([]);
		expect(error?.message).toContain(late);
	});

	test('a read is tried again', async () => {
		drip();
		const { error, json } = await run(charges({ ...hasty, options: { maxWait: 30 } }));
		expect([error, json.length]).toEqual([undefined, 3]);
		expect(service.requests.length).toBeGreaterThan(1);
	});

	test.each(['none', 'done'] as const)(
		'a creation may have been done, and is sent once (work %s)',
		async (work) => {
			drip({ method: 'POST' }, work);
			const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
			const { error } = await run(service.invoice(hasty), { node });
			expect(error?.message).toContain(late);
			expect(error?.message).toContain('The invoice may still have been created');
			expect([sentPosts(), service.created.length]).toEqual([1, work === 'done' ? 1 : 0]);
		},
	);

	test.each(['none', 'done'] as const)(
		'a creation with a number is looked up (work %s)',
		async (work) => {
			drip({ method: 'POST' }, work);
			const parameters = service.invoice({
				...hasty,
				additionalFields: { invoiceNumber: 'A' },
				ifInvoiceNumberExists: 'returnExisting',
			});
			const ends = [await run(parameters), await run(parameters)];
			const told = ends.map(({ json, error }) => json[0]?.outcome ?? error?.message);
			if (work === 'done') expect(told).toEqual(['recovered', 'found']);
			else {
				expect(told[0]).toContain('The invoice may still have been created');
				expect(told[1]).toContain('so this one was not sent');
			}
			expect(sentPosts()).toBe(1);
		},
	);

	test('a search that drips ends as well, and says so', async () => {
		service.world.faults.add({ method: 'POST', action: { kind: 'reset' } });
		drip({ method: 'GET', times: null });
		const additionalFields = { invoiceNumber: 'A' };
		const { error } = await run(service.invoice({ ...hasty, additionalFields }));
		expect(error?.message).toContain('It could not be looked up by its number "A"');
		expect(error?.message).toContain(late);
	});

	const five = { ...hasty, options: { ...options, maxRequestsInFlight: 5 } };
	const runFive = async () =>
		await run(charges(five), { items: itemsOf(5), node: { onError: 'continueRegularOutput' } });

	test('five items that drip each get an error, and do not block another execution with the same key', async () => {
		drip({ times: 5 });
		const dripping = await runFive();
		expect(dripping.json).toHaveLength(5);
		for (const { error } of dripping.json) expect(error).toContain(late);
		expect(service.requests).toHaveLength(5);
		const other = await run(charges({ options: five.options }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
	});

	test('an execution that comes while five drip gets its turn when they have ended', async () => {
		drip({ times: 5 });
		const dripping = runFive();
		while (service.requests.length < 5) await pause(5);
		const other = await run(charges({ options: { maxRequestsInFlight: 5 } }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
		expect((await dripping).json).toHaveLength(5);
		expect(service.world.traffic.mostInFlight).toBeLessThanOrEqual(6);
	});

	test.each<[string, () => object, number]>([
		['reads', () => charges({ options }), 5],
		['a create', () => service.invoice({ additionalFields: { invoiceNumber: 'A' } }), 1],
	])(
		'an execution of %s that is cancelled ends, although it has a minute left',
		async (_, parameters, most) => {
			drip({ times: null });
			const begin = Date.now();
			const cancelWhen = () => service.requests.length >= most;
			await run(parameters(), { items: itemsOf(most === 1 ? 1 : 10), cancelWhen });
			expect(Date.now() - begin).toBeLessThan(30_000);
			// Nothing more was sent, and the service is rid of it.
			expect(service.requests.length).toBeLessThanOrEqual(most);
			await untilQuiet();
			service.world.faults.clear();
			expect((await run(charges())).json).toHaveLength(3);
		},
	);

	test('the credential test ends within its own time', async () => {
		drip();
		const { testCredential } = new InvoicingPayments().methods.credentialTest;
		const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		const data = service.credential;
		const credential = { id: '1', name: 'Test', type: 'invoicingPaymentsApi', data };
		const tested = await testCredential.call(context, credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringContaining(late) as string });
	});
});

test.each<[string, () => void, string]>([
	['drips', () => drip({ times: null }), late],
	['unpacks to hundreds of megabytes', () => bomb(200), 'more than 64 MB'],
])(
	'a poll whose answer %s ends with an error, and a later one delivers',
	async (_, arrange, says) => {
		service.world.reset({ charges: 60, newest: new Date(Date.now() - 600_000).toISOString() });
		const active = new ActiveTrigger({ credential: service.credential });
		await active.activate();
		const { id } = service.world.account.addCharge({}, Date.now());
		arrange();
		// n8n gives it little time, and the page no more than that.
		const error = await active.pollScheduled(true, 5000).catch((thrown: Error) => thrown);
		expect((error as Error).message).toContain(says);
		service.world.faults.clear();
		expect((await active.poll())?.map((charge) => charge.id)).toEqual([id]);
		expect(await active.poll()).toBeNull();
	},
);

/** By how many bytes the process grew at most while something was done. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
	const before = nodeProcess.memoryUsage().rss;
	let most = before;
	const look = () => {
		most = Math.max(most, nodeProcess.memoryUsage().rss);
	};
	const timer = setInterval(look, 5);
	await work();
	look();
	clearInterval(timer);
	return most - before;
}

test.each([200, 3000])(
	'[O8] the process does not grow with a small answer that unpacks to %i megabytes',
	async (megabytes) => {
		// The first one pays for what every answer needs.
		bomb(100);
		await run(charges({ options }));
		bomb(megabytes);
		const growth = await growthOf(async () => await run(charges({ options })));
		// 64 MB are read, and what the collector leaves lying about comes on top.
		expect(growth / 1024 ** 2).toBeLessThan(600);
	},
);
