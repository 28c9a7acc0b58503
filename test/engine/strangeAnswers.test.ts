import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import type { RunOptions } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const oneTry = { options: { maxWait: 0 } };
const charges = (change: object = {}): INodeParameters => ({
	resource: 'charge',
	operation: 'getAll',
	simplify: false,
	...oneTry,
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
const raw = (body: string, change: object = {}, more: Partial<FaultInput> = {}) =>
	fault({ kind: 'raw', body, ...change } as Partial<FaultAction>, { times: null, ...more });
/** A page with these results, each as JSON. */
const page = (...results: string[]) =>
	`{"count":${results.length},"next":null,"previous":null,"results":[${results.join(',')}]}`;
const posts = () => service.requests.filter(({ method }) => method === 'POST');

const [one, other] = ['1234567890123456781', '1234567890123456782'];

describe('numbers that JavaScript cannot hold', () => {
	test.each([
		['with a limit', {}],
		['with a limit that is reached', { limit: 2 }],
		['all', { returnAll: true }],
		['simplified', { simplify: true, returnAll: true }],
	])('ids come out as exact text, and both results are there: %s', async (_name, change) => {
		raw(
			page(
				`{"id":${one},"reference_id":${other},"total":"1.00"}`,
				`{"id":${other},"reference_id":${one},"total":"1.00"}`,
			),
		);
		const { json, error } = await run(charges(change));
		expect(error).toBeUndefined();
		expect(json.map(({ id, reference_id: reference }) => [id, reference])).toEqual([
			[one, other],
			[other, one],
		]);
	});

	test.each([
		['with a limit', {}],
		['all', { returnAll: true }],
	])('references tell results without an id apart: %s', async (_name, change) => {
		raw(page(`{"reference_id":${one},"total":"1.00"}`, `{"reference_id":${other},"total":"1.00"}`));
		const { json } = await run(charges(change));
		expect(json.map(({ reference_id: reference }) => reference)).toEqual([one, other]);
	});

	test('[O7] negative ones, fractions and exponents keep their digits, and small ones stay numbers', async () => {
		raw(
			page(
				'{"id":"a","minus":-9007199254740993,"long":0.12345678901234567890,"power":1.5e400,"small":12,"half":1.50,"max":9007199254740991}',
			),
		);
		const { json } = await run(charges());
		expect(json).toEqual([
			{
				id: 'a',
				minus: '-9007199254740993',
				long: '0.12345678901234567890',
				power: '1.5e400',
				small: 12,
				half: 1.5,
				max: 9007199254740991,
			},
		]);
	});

	test('of a created invoice comes out as exact text', async () => {
		raw(`{"id":${one},"invoice_number":"A"}`, { status: 201 }, { method: 'POST' });
		const { json } = await run(service.invoice({ simplify: false }));
		expect(json).toEqual([{ outcome: 'created', id: one, invoice_number: 'A' }]);
	});

	/** What a trigger delivers that finds these charges after it was published, in two polls, and what comes in a third. */
	async function delivered(...results: string[]): Promise<IDataObject[]> {
		service.world.reset({ charges: 0 });
		const active = new ActiveTrigger({
			credential: service.credential,
			parameters: { simplify: false },
		});
		await active.activate();
		raw(page(...results));
		const polls = [await active.poll(), await active.poll(), await active.again().poll()];
		return polls.flatMap((items) => items ?? []);
	}
	const now = () => `"created":"${new Date().toISOString()}"`;

	test('a trigger delivers both, once', async () => {
		const created = now();
		const items = await delivered(
			`{"id":${one},"reference_id":7,${created},"total":"1.00"}`,
			`{"id":${other},"reference_id":7,${created},"total":"1.00"}`,
		);
		expect(items.map(({ id }) => id).sort()).toEqual([one, other]);
	});

	test.each([
		['no id', ''],
		['an id that is null', '"id":null,'],
		['an id that is empty', '"id":"",'],
		['an id that is an empty object', '"id":{},'],
		['an id that is an empty list', '"id":[],'],
	])(
		'a trigger tells charges with %s apart by their references, and delivers each once',
		async (_name, id) => {
			const created = now();
			const items = await delivered(
				`{${id}"reference_id":${one},${created},"currency":"EUR","total":"1.00","items":[]}`,
				`{${id}"reference_id":${other},${created},"currency":"EUR","total":"1.00","items":[]}`,
			);
			expect(items.map(({ reference_id: reference }) => reference).sort()).toEqual([one, other]);
		},
	);

	test.each([
		['no id', ''],
		['an id that is null', '"id":null,'],
		['an id that is empty', '"id":"",'],
		['an id that is an empty object', '"id":{},'],
		['an id that is an empty list', '"id":[],'],
	])(
		'a trigger tells charges with %s and no reference apart by their amounts',
		async (_name, id) => {
			const created = now();
			const items = await delivered(
				`{${id}${created},"currency":"EUR","total":"1.00","items":[]}`,
				`{${id}${created},"currency":"EUR","total":"2.00","items":[]}`,
			);
			expect(items.map(({ total }) => total).sort()).toEqual(['1.00', '2.00']);
		},
	);
});

describe.each([
	['missing', ''],
	['null', '"id":null,'],
	['an empty text', '"id":"",'],
	['an empty object', '"id":{},'],
	['an empty list', '"id":[],'],
])('results whose id is %s', (_name, id) => {
	describe.each([
		['with a limit', {}],
		['all', { returnAll: true }],
	])('%s', (_how, change) => {
		test('are told apart by all that they hold', async () => {
			raw(page(`{${id}"a":1,"b":{"c":1}}`, `{${id}"a":1,"b":{"c":2}}`, `{${id}"a":2}`));
			const { json, error } = await run(charges(change));
			expect(error).toBeUndefined();
			expect(json.map(({ a, b }) => [a, (b as IDataObject | undefined)?.c])).toEqual([
				[1, 1],
				[1, 2],
				[2, undefined],
			]);
		});

		test('and two that are the same on one page are both given', async () => {
			raw(page(`{${id}"a":1}`, `{${id}"a":1}`, `{${id}"a":2}`));
			const { json, error } = await run(charges(change));
			expect(error).toBeUndefined();
			expect(json.map(({ a }) => a)).toEqual([1, 1, 2]);
		});
	});

	test('are told apart on several pages, and none is given twice', async () => {
		const all = Array.from({ length: 30 }, (_, index) => `{${id}"a":${index}}`);
		// Whatever sizes it asks for: all that fits to pages of ten.
		for (let number = 3; number >= 1; number--) {
			const results = all.slice((number - 1) * 10, number * 10).join(',');
			const next = number < 3 ? '"x"' : 'null';
			raw(
				`{"count":30,"next":${next},"results":[${results}]}`,
				{},
				{ contains: `page=${number}&` },
			);
		}
		const { json, error } = await run(
			charges({ returnAll: true, options: { pageSize: 10, maxWait: 0 } }),
		);
		expect(error).toBeUndefined();
		expect(json.map(({ a }) => a)).toEqual(all.map((_, index) => index));
	});
});

describe('what is hidden in an error', () => {
	test('ids and dates are shown as they are', async () => {
		const id = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';
		raw(`{"detail":"No customer ${id} on 2026-12-31"}`, { status: 400 });
		const { error } = await run(charges());
		expect(error?.message).toContain(`No customer ${id} on 2026-12-31`);
	});

	test('a long row of dates or numbers in an error does not stop n8n', async () => {
		const days = Array.from({ length: 600 }, (_, at) => `2026-0${1 + (at % 9)}-1${at % 10}`);
		raw(JSON.stringify({ detail: `Not open on ${days.join(' ')}` }), { status: 400 });
		const begin = performance.now();
		const { error } = await run(charges());
		expect(error?.message).toContain('Not open on');
		// Six kilobytes take some milliseconds; nothing else of n8n runs meanwhile.
		expect(performance.now() - begin).toBeLessThan(10_000);
	}, 120_000);
});

describe('[O2] a creation that was sent is not said to be "not sent"', () => {
	test.each<[string, () => void]>([
		['a number that was changed', () => service.world.set({ storedNumbers: 'upperCase' })],
		['an answer without an id', () => raw('{"ok":true}', {}, { method: 'POST' })],
		[
			'an answer that is too long',
			() => fault({ kind: 'bomb', megabytes: 70 }, { method: 'POST' }),
		],
	])('%s', async (_name, arrange) => {
		arrange();
		const parameters = service.invoice({
			...oneTry,
			additionalFields: { invoiceNumber: 'inv-1' },
			ifInvoiceNumberExists: 'returnExisting',
		});
		const { error } = await run(parameters);
		expect(posts()).toHaveLength(1);
		expect(error?.description).toContain('POST /v1/invoices');
		expect(error?.description).not.toContain('not sent');
	});
});
