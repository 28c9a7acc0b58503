import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { clearInterval, nodeProcess, setInterval } from '../../tools/node';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import { InvoicingPayments } from '../../index';
import type { RunOptions } from '../helpers/engine';
import { pause } from '../helpers/clock';
import { runNode } from '../helpers/engine';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const hasty = { options: { maxWait: 0 }, requestOptions: { timeout: 600 } };
const patient = { options: { maxWait: 0 } };
const charges = (change: object = hasty): INodeParameters => ({
	resource: 'charge',
	operation: 'getAll',
	limit: 3,
	...change,
});
const member = (change: object = hasty): INodeParameters => ({
	resource: 'member',
	operation: 'get',
	memberId: service.world.account.members[0].id,
	...change,
});
const run = async (parameters: object, more: Partial<RunOptions> = {}) =>
	await runNode({
		credential: service.credential,
		parameters: parameters as INodeParameters,
		...more,
	});
const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
	service.world.faults.add({ action: action as FaultAction, ...more });
const drip = (more: Partial<FaultInput> = {}, change: object = {}) =>
	fault({ kind: 'drip', everyMs: 20, ...change } as Partial<FaultAction>, more);
const itemsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const late = 'did not respond in time';

/** Resolves when the service has no request left that is under way: the connections of those that dripped are closed. */
async function untilQuiet(): Promise<void> {
	const { traffic } = service.world;
	for (traffic.reset(); traffic.mostInFlight > 0; traffic.reset()) await pause(20);
}

describe('an answer that drips without end', () => {
	test('a later page that drips is an error as well', async () => {
		drip({ skip: 2 });
		const change = { ...hasty, returnAll: true, options: { ...hasty.options, pageSize: 20 } };
		const { error, json } = await run(charges(change));
		expect(json).toEqual([]);
		expect(error?.message).toContain(late);
		await untilQuiet();
	});

	test('a read is tried again', async () => {
		drip();
		const { error, json } = await run(charges({ ...hasty, options: { maxWait: 30 } }));
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
		expect(service.requests.length).toBeGreaterThan(1);
	});

	test.each(['none', 'done'] as const)(
		'a creation may have been done, and is sent once (work %s)',
		async (work) => {
			drip({ method: 'POST' }, { work });
			const { error } = await run(service.invoice(hasty), {
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
			});
			expect(error?.message).toContain(late);
			expect(error?.message).toContain('The invoice may still have been created');
			expect(posts()).toHaveLength(1);
			expect(service.created).toHaveLength(work === 'done' ? 1 : 0);
			await untilQuiet();
		},
	);

	test.each(['none', 'done'] as const)(
		'a creation with a number is looked up (work %s)',
		async (work) => {
			drip({ method: 'POST' }, { work });
			const parameters = service.invoice({
				...hasty,
				additionalFields: { invoiceNumber: 'A' },
				ifInvoiceNumberExists: 'returnExisting',
			});
			const { error, json } = await run(parameters);
			if (work === 'done') expect(json).toMatchObject([{ outcome: 'recovered' }]);
			else expect(error?.message).toContain('The invoice may still have been created');
			const again = await run(parameters);
			if (work === 'done') expect(again.json).toMatchObject([{ outcome: 'found' }]);
			else expect(again.error?.message).toContain('so this one was not sent');
			expect(posts()).toHaveLength(1);
		},
	);

	test('a search that drips ends as well, and says so', async () => {
		fault({ kind: 'reset' }, { method: 'POST' });
		drip({ method: 'GET', times: null });
		const { error } = await run(
			service.invoice({ ...hasty, additionalFields: { invoiceNumber: 'A' } }),
		);
		expect(error?.message).toContain('It could not be looked up by its number "A"');
		expect(error?.message).toContain(late);
	});

	test('several items that drip at the same time each get an error', async () => {
		drip({ times: 5 });
		const { errorItems } = await run(member(), {
			items: itemsOf(5),
			node: { onError: 'continueErrorOutput' },
		});
		expect(errorItems).toHaveLength(5);
		for (const { json } of errorItems) expect(json.error).toContain(late);
	});

	test('five of them do not block another execution with the same key', async () => {
		drip({ times: 5 });
		const dripping = await run(
			charges({ ...hasty, options: { maxRequestsInFlight: 5, maxWait: 0 } }),
			{
				items: itemsOf(5),
				node: { onError: 'continueRegularOutput' },
			},
		);
		for (const { error } of dripping.json) expect(error).toContain(late);
		expect(service.requests).toHaveLength(5);
		const other = await run(charges({ options: { maxRequestsInFlight: 5 } }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
		await untilQuiet();
	});

	test('an execution that comes while five drip gets its turn when they have ended', async () => {
		drip({ times: 5 });
		const dripping = run(charges({ ...hasty, options: { maxRequestsInFlight: 5, maxWait: 0 } }), {
			items: itemsOf(5),
			node: { onError: 'continueRegularOutput' },
		});
		while (service.requests.length < 5) await pause(5);
		const other = await run(charges({ options: { maxRequestsInFlight: 5 } }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
		expect((await dripping).json).toHaveLength(5);
		expect(service.world.traffic.mostInFlight).toBeLessThanOrEqual(6);
	});

	test('an execution that is cancelled ends, although it has a minute left', async () => {
		drip({ times: null });
		const begin = Date.now();
		await run(charges(patient), {
			items: itemsOf(10),
			cancelWhen: () => service.requests.length > 4,
		});
		expect(Date.now() - begin).toBeLessThan(30_000);
		// Nothing more was sent, and the service is rid of it.
		expect(service.requests.length).toBeLessThanOrEqual(5);
		await untilQuiet();
		const creation = Date.now();
		const before = service.requests.length;
		await run(service.invoice({ additionalFields: { invoiceNumber: 'A' } }), {
			cancelWhen: () => service.requests.length > before,
		});
		expect(Date.now() - creation).toBeLessThan(30_000);
		await untilQuiet();
		service.world.faults.clear();
		expect((await run(charges())).json).toHaveLength(3);
	}, 90_000);
});

test('the credential test ends within its own time when the answer drips', async () => {
	drip();
	const { testCredential } = new InvoicingPayments().methods.credentialTest;
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const data = service.credential;
	const credential = { id: '1', name: 'Test', type: 'invoicingPaymentsApi', data };
	const tested = await testCredential.call(context, credential);
	expect(tested).toEqual({ status: 'Error', message: expect.stringContaining(late) as string });
	await untilQuiet();
}, 60_000);

describe('a trigger', () => {
	const begin = () =>
		service.world.reset({
			charges: 60,
			newest: `${new Date(Date.now() - 600_000).toISOString().slice(0, 19)}Z`,
		});

	test('a poll that drips ends with an error, and a later one delivers', async () => {
		begin();
		const active = new ActiveTrigger({ credential: service.credential });
		await active.activate();
		const { id } = service.world.account.addCharge({}, Date.now());
		drip({ times: null });
		// n8n gives it little time, and the page no more than that.
		const dripping = active.pollScheduled(true, 5000);
		const error = (await dripping.catch((thrown: Error) => thrown)) as Error;
		expect(error.message).toContain(late);
		await untilQuiet();
		service.world.faults.clear();
		const charges_ = await active.poll();
		expect(charges_?.map((charge) => charge.id)).toEqual([id]);
		expect(await active.poll()).toBeNull();
	}, 300_000);

	test('an answer that unpacks to hundreds of megabytes is an error, and a later poll delivers', async () => {
		begin();
		const active = new ActiveTrigger({ credential: service.credential });
		await active.activate();
		const { id } = service.world.account.addCharge({}, Date.now());
		fault({ kind: 'bomb', megabytes: 200 });
		const error = (await active.poll().catch((thrown: Error) => thrown)) as Error;
		expect(error.message).toContain('more than 64 MB');
		const charges_ = await active.poll();
		expect(charges_?.map((charge) => charge.id)).toEqual([id]);
	}, 120_000);
});

describe('[O8] a small answer that unpacks to hundreds of megabytes', () => {
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
		'the process does not grow with it (%i megabytes)',
		async (megabytes) => {
			// The first one pays for what every answer needs.
			fault({ kind: 'bomb', megabytes: 100 });
			await run(charges(patient));
			fault({ kind: 'bomb', megabytes });
			const growth = await growthOf(async () => await run(charges(patient)));
			// 64 MB are read, and what the collector leaves lying about comes on top.
			expect(growth / 1024 ** 2).toBeLessThan(600);
		},
		120_000,
	);
});
