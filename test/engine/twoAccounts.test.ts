import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import type { RunOptions } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { newKey, useSimulator } from '../helpers/service';

const service = useSimulator();

const create = (change: object = {}): INodeParameters =>
	service.invoice({
		additionalFields: { invoiceNumber: '={{ $json.number }}' },
		ifInvoiceNumberExists: 'returnExisting',
		options: { maxWait: 0 },
		...change,
	}) as INodeParameters;
const charges: INodeParameters = {
	resource: 'charge',
	operation: 'getAll',
	limit: 1,
	options: { maxWait: 0 },
};
const itemsOf = (...numbers: string[]): IDataObject[] => numbers.map((number) => ({ number }));
const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
	service.world.faults.add({ action: action as FaultAction, ...more });
const posts = () => service.requests.filter(({ method }) => method === 'POST');
const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);

let first: string;
let second: string;

/** Runs the node with a key, which is the one that the service knows from then on. */
async function runWith(
	apiKey: string,
	parameters: INodeParameters,
	more: Partial<RunOptions> = {},
	credential: IDataObject = {},
) {
	service.world.set({ apiKey });
	return await runNode({
		credential: { ...service.credential, apiKey, ...credential } as RunOptions['credential'],
		parameters,
		items: itemsOf('INV-1'),
		...more,
	});
}

beforeEach(() => {
	[first, second] = [newKey(), newKey()];
	// What one account made shows in no list: both keys have the same one here.
	service.world.set({ listLagMs: 10_000_000 });
});

describe('two keys with the same Base URL', () => {
	test('have numbers of their own: what one created is created by the other as well', async () => {
		const one = await runWith(first, create());
		const two = await runWith(second, create());
		expect([...outcomes(one.json), ...outcomes(two.json)]).toEqual(['created', 'created']);
		expect(two.json[0].id).not.toBe(one.json[0].id);
		// Each finds its own.
		for (const [key, { json }] of [[first, one] as const, [second, two] as const]) {
			const again = await runWith(key, create());
			expect(again.json).toMatchObject([{ outcome: 'found', id: json[0].id }]);
		}
		expect(posts()).toHaveLength(2);
	});

	test('what exists for one does not exist for the other with Fail either', async () => {
		const fail = create({ ifInvoiceNumberExists: 'fail' });
		await runWith(first, fail);
		const { error, json } = await runWith(second, fail);
		expect(error).toBeUndefined();
		expect(outcomes(json)).toEqual(['created']);
		expect((await runWith(first, fail)).error?.message).toContain('already exists');
	});

	test('what is uncertain for one is not uncertain for the other', async () => {
		fault({ kind: 'reset' }, { method: 'POST' });
		const lost = await runWith(first, create());
		expect(lost.error?.message).toContain('may still have been created');
		const { json } = await runWith(second, create());
		expect(outcomes(json)).toEqual(['created']);
		const again = await runWith(first, create());
		expect(again.error?.message).toContain('may have been processed, so this one was not sent');
		expect(posts()).toHaveLength(2);
	});

	test('a pause that one is asked for does not keep the other from sending', async () => {
		const retryAfter = { seconds: 3600, as: 'seconds' } as const;
		fault({ kind: 'status', status: 429, retryAfter });
		const { error } = await runWith(first, charges);
		expect(error?.message).toContain('asks to wait 3600 s');
		const paused = await runWith(first, charges);
		expect(paused.error?.message).toContain("asked for a pause that is longer than 'Max Wait'");
		expect(service.requests).toHaveLength(1);
		const other = await runWith(second, charges);
		expect([other.error, other.json.length]).toEqual([undefined, 1]);
		const created = await runWith(second, create());
		expect(outcomes(created.json)).toEqual(['created']);
		const still = await runWith(first, create());
		expect(still.error?.message).toContain("asked for a pause that is longer than 'Max Wait'");
	});

	test('the service changing the numbers of one says nothing of the other', async () => {
		service.world.set({ storedNumbers: 'upperCase' });
		const changed = await runWith(first, create(), { items: itemsOf('a-1') });
		expect(changed.error?.message).toContain('"a-1" became "A-1"');
		service.world.set({ storedNumbers: 'kept' });
		const { json } = await runWith(second, create(), { items: itemsOf('a-1', 'a-2') });
		expect(outcomes(json)).toEqual(['created', 'created']);
	});

	test('that one keeps numbers does not let several of the other go at once', async () => {
		service.world.set({ latency: 20 });
		const items = itemsOf('a-1', 'a-2', 'a-3', 'a-4', 'a-5');
		const kept = await runWith(first, create(), { items });
		expect(outcomes(kept.json)).toEqual(items.map(() => 'created'));
		service.world.set({ storedNumbers: 'upperCase' });
		const { error } = await runWith(second, create(), { items });
		expect(error?.message).toContain('The service changed the invoice number');
		expect(service.created).toHaveLength(6);
	});
});

describe('one key is one account', () => {
	test.each<[string, (key: string) => IDataObject]>([
		['with spaces around it', (key) => ({ apiKey: `  ${key} ` })],
		['with the end of a line behind it', (key) => ({ apiKey: `${key}\n` })],
		['with a slash behind the Base URL', () => ({ baseUrl: `${service.url}/` })],
		['with /v1 behind the Base URL', () => ({ baseUrl: ` ${service.url}/v1/ ` })],
	])('%s', async (_name, credential) => {
		const one = await runWith(first, create());
		const two = await runWith(first, create(), {}, credential(first));
		expect(two.json).toMatchObject([{ outcome: 'found', id: one.json[0].id }]);
		expect(posts()).toHaveLength(1);
		// What is uncertain, and a pause, are those of the account as well.
		fault({ kind: 'reset' }, { method: 'POST' });
		await runWith(first, create(), { items: itemsOf('INV-2') }, credential(first));
		const lost = await runWith(first, create(), { items: itemsOf('INV-2') });
		expect(lost.error?.message).toContain('may have been processed, so this one was not sent');
		const retryAfter = { seconds: 3600, as: 'seconds' } as const;
		fault({ kind: 'status', status: 429, retryAfter });
		await runWith(first, charges);
		const paused = await runWith(first, charges, {}, credential(first));
		expect(paused.error?.message).toContain("asked for a pause that is longer than 'Max Wait'");
	});

	test('in two executions at once, with spaces around it and without', async () => {
		service.world.set({ latency: 20 });
		const runs = await Promise.all([
			runWith(first, create()),
			runWith(first, create(), {}, { apiKey: ` ${first} ` }),
		]);
		expect(runs.flatMap(({ json }) => outcomes(json)).sort()).toEqual(['created', 'found']);
		expect(posts()).toHaveLength(1);
	});
});
