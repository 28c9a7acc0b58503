import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { clearInterval, nodeProcess, setInterval } from '../../tools/node';
import type { FaultInput } from '../../simulator/faults';
import { InvoicingPayments } from '../../index';
import { pause } from '../helpers/n8n/clock';
import { continues, itemsOf, useNode } from '../helpers/n8n/nodeRuns';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';

/** Responses that never end, or that unpack to more than the limit. */
const { service, run, fault } = useNode();

const late = 'did not respond in time';
const options = { maxWait: 0 };
const hasty = { options, requestOptions: { timeout: 600 } };
const charges = (change: object = hasty) => ({
	resource: 'charge',
	operation: 'getAll',
	limit: 3,
	...change,
});
const drip = (more: Partial<FaultInput> = {}, work: 'none' | 'done' = 'none') =>
	fault({ kind: 'drip', everyMs: 20, work }, more);
const bomb = (megabytes: number) => fault({ kind: 'bomb', megabytes });

/** Resolves when the service has no open request: the connections of dripping responses are closed. */
async function untilQuiet(): Promise<void> {
	const { traffic } = service.world;
	for (traffic.reset(); traffic.mostInFlight > 0; traffic.reset()) await pause(20);
}
afterEach(untilQuiet);

describe('a response that drips without end', () => {
	test('is an error if it is a later page', async () => {
		drip({ skip: 2 });
		const change = { returnAll: true, options: { ...options, pageSize: 20 } };
		const { error, json } = await run(charges({ ...hasty, ...change }));
		expect(json).toEqual([]);
		expect(error?.message).toContain(late);
	});

	test('is read again', async () => {
		drip();
		const { error, json } = await run(charges({ ...hasty, options: { maxWait: 30 } }));
		expect([error, json.length]).toEqual([undefined, 3]);
		expect(service.requests.length).toBeGreaterThan(1);
	});

	test('ends a look-up with an error that says so', async () => {
		fault({ kind: 'reset' }, { method: 'POST' });
		drip({ method: 'GET', times: null });
		const additionalFields = { invoiceNumber: 'A' };
		const { error } = await run(service.invoice({ ...hasty, additionalFields }));
		expect(error?.message).toContain('It could not be looked up by its number "A"');
		expect(error?.message).toContain(late);
	});

	const five = { ...hasty, options: { ...options, maxRequestsInFlight: 5 } };
	const runFive = async () => await run(charges(five), { items: itemsOf(5), node: continues });

	test('does not block other executions: each of five items gets an error', async () => {
		drip({ times: 5 });
		const dripping = await runFive();
		expect(dripping.json).toHaveLength(5);
		for (const { error } of dripping.json) expect(error).toContain(late);
		expect(service.requests).toHaveLength(5);
		const other = await run(charges({ options: five.options }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
	});

	test('delays another execution only until it has ended', async () => {
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
	])('ends when an execution of %s is cancelled', async (_, parameters, most) => {
		drip({ times: null });
		const begin = Date.now();
		const cancelWhen = () => service.requests.length >= most;
		await run(parameters(), { items: itemsOf(most === 1 ? 1 : 10), cancelWhen });
		expect(Date.now() - begin).toBeLessThan(30_000);
		// Nothing else was sent, and the service can close the connection.
		expect(service.requests.length).toBeLessThanOrEqual(most);
		await untilQuiet();
		service.world.faults.clear();
		expect((await run(charges())).json).toHaveLength(3);
	});

	test('ends the credential test in time', async () => {
		drip();
		const { testCredential } = new InvoicingPayments().methods.credentialTest;
		const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		const data = service.credential;
		const credential = { id: '1', name: 'Test', type: 'invoicingPaymentsApi', data };
		const tested = await testCredential.call(context, credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringContaining(late) as string });
	});
});

test('a poll fails if its response drips, and a later poll delivers', async () => {
	service.world.reset({ charges: 60, newest: new Date(Date.now() - 600_000).toISOString() });
	const active = new ActiveTrigger({ credential: service.credential });
	await active.activate();
	const { id } = service.world.account.addCharge({}, Date.now());
	drip({ times: null });
	// Less time than a page may take.
	const error = await active.pollScheduled(true, 5000).catch((thrown: Error) => thrown);
	expect((error as Error).message).toContain(late);
	service.world.faults.clear();
	expect((await active.poll())?.map((charge) => charge.id)).toEqual([id]);
	expect(await active.poll()).toBeNull();
});

/** The largest growth of the process during some work, in bytes. */
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

test('[O8] memory does not grow with 1,000 megabytes in a small response', async () => {
	// The first one allocates what every response needs.
	bomb(100);
	await run(charges({ options }));
	bomb(1000);
	const growth = await growthOf(async () => await run(charges({ options })));
	// 64 MB are read, and the collector leaves some garbage.
	expect(growth / 1024 ** 2).toBeLessThan(400);
});
