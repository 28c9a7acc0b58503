import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import type { RunOptions, RunResult } from '../helpers/engine';
import { runNode } from '../helpers/engine';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';
import { someOf } from '../helpers/someOf';

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
const nestedArrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe.each([10_000, 200_000])('answers that are nested %i deep', (depth) => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const items = [{ index: 0 }, { index: 1 }];

	describe.each([
		['without a number', {}],
		['with a number', { additionalFields: { invoiceNumber: '=N-{{ $json.index }}' } }],
		[
			'with a number that is looked up',
			{
				additionalFields: { invoiceNumber: '=N-{{ $json.index }}' },
				ifInvoiceNumberExists: 'returnExisting',
			},
		],
	])('creations %s', (name, change) => {
		test.each([
			['once', 1],
			['always', null],
		] as const)('two items are two invoices with Retry On Fail (%s)', async (_often, times) => {
			// Both are on their way before the first answer comes.
			service.world.set({ latency: 50 });
			fault({ kind: 'nested', depth }, { method: 'POST', times });
			const onError = 'continueRegularOutput' as const;
			const { json } = await run(service.invoice({ ...change, ...oneTry }), {
				items,
				node: { ...retry, onError },
			});
			expect(json).toHaveLength(2);
			expect(service.created).toHaveLength(2);
			expect(posts()).toHaveLength(2);
			const errors = json.flatMap(({ error }) => (error ? [String(error)] : []));
			if (name === 'without a number') expect(errors).toHaveLength(times ?? 2);
			else expect(errors).toEqual([]);
			for (const error of errors) {
				expect(error).toContain('nested more than 200 levels deep');
				expect(error).toContain('The invoice may still have been created');
			}
		});

		test('nothing is created a second time where the node stops', async () => {
			service.world.set({ latency: 50 });
			fault({ kind: 'nested', depth }, { method: 'POST', times: null });
			const { error, stored } = await run(service.invoice({ ...change, ...oneTry }), {
				items,
				node: retry,
			});
			expect(posts().length).toBe(service.created.length);
			expect(service.created.length).toBeLessThanOrEqual(2);
			if (name === 'without a number') {
				expect(error?.message).toContain('The invoice may still have been created');
			}
			expect(error?.message ?? '').not.toContain('Maximum call stack');
			expect(stored).not.toContain('[[[[[[[[[[');
		});
	});

	test('a list of charges is an error that says so', async () => {
		for (const change of [{}, { returnAll: true }]) {
			raw(page(`{"id":"a","extra":${nestedArrays(depth)}}`));
			const { error, json, stored } = await run(charges(change));
			expect(json).toEqual([]);
			expect(error?.message).toContain('nested more than 200 levels deep');
			expect(error?.message).not.toContain('Maximum call stack');
			expect(stored).not.toContain('[[[[[[[[[[');
		}
	});

	test.each([400, 500])('an error with such a body is an error (%i)', async (status) => {
		raw(`{"detail":"Because of rain","extra":${nestedArrays(depth)}}`, { status });
		const { error } = await run(charges());
		expect(error?.message).toContain(`status ${status}`);
		expect(error?.message).not.toContain('Maximum call stack');
	});

	test('objects in objects are no different', async () => {
		raw(page(`{"id":"a","extra":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`));
		const { error } = await run(charges());
		expect(error?.message).toContain('nested more than 200 levels deep');
	});

	test('brackets in a text are no nesting', async () => {
		raw(page(`{"id":"a","note":"${'[{\\"'.repeat(Math.min(depth, 1000))}"}`));
		const { error, json } = await run(charges());
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
	});
});

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

	test('negative ones, fractions and exponents keep their digits, and small ones stay numbers', async () => {
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

describe('the key, where the service repeats it', () => {
	const key = "sK+live/Ab=c&1-x_Y'9";
	beforeEach(() => service.world.set({ apiKey: key }));

	const percent = (text: string) =>
		[...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
	const unicode = (text: string) =>
		[...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
	const inside = (text: string) => JSON.stringify(text).slice(1, -1);
	const spellings: Array<[string, string]> = [
		['as it is', inside(key)],
		['with + as \\u002B', key.replace('+', '\\u002B')],
		['with + as \\u002b', key.replace('+', '\\u002b')],
		['with + as \\\\u002B', key.replace('+', '\\\\u002B')],
		['with / as \\/', key.replace('/', '\\/')],
		['with every character as \\u', unicode(key)],
		['with & as &amp;', key.replace('&', '&amp;')],
		['with & as &amp;amp;', key.replace('&', '&amp;amp;')],
		['with + as &#43;', key.replace('+', '&#43;')],
		['with + as &#x2B;', key.replace('+', '&#x2B;')],
		['with + as &#043;', key.replace('+', '&#043;')],
		['with + as &plus;', key.replace('+', '&plus;')],
		["with ' as &#39;", key.replace("'", '&#39;')],
		['with + as %2B', key.replace('+', '%2B')],
		['with + as %2b', key.replace('+', '%2b')],
		['with + as %252B', key.replace('+', '%252B')],
		['as a part of an address', encodeURIComponent(key)],
		['with every character as %', percent(key)],
		['in capitals', key.toUpperCase()],
		['in small letters', key.toLowerCase()],
		['in capitals, and with + as %2B', key.toUpperCase().replace('+', '%2B')],
		[
			'several spellings at once',
			key.replace('+', '\\u002B').replace('/', '%2F').replace('&', '&amp;'),
		],
	];

	/** A text with nothing escaped in it any more. */
	function plain(text: string): string {
		let rest = text;
		for (let round = 0; round < 6; round++) {
			rest = rest
				.replace(/\\+u([\da-f]{4})/gi, (_all, hex: string) =>
					String.fromCharCode(parseInt(hex, 16)),
				)
				.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
				.replace(/&#x0*([\da-f]+);/gi, (_all, hex: string) =>
					String.fromCharCode(parseInt(hex, 16)),
				)
				.replace(/&#0*(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
				.replace(/&plus;/gi, '+')
				.replace(/&sol;/gi, '/')
				.replace(/&amp;/gi, '&');
		}
		return rest.replace(/\\/g, '').toLowerCase();
	}
	function expectHidden({ error, stored, json }: RunResult) {
		const texts = [error?.message, error?.description, stored, JSON.stringify(json)];
		for (const text of texts) {
			expect(plain(text ?? '')).not.toContain(key.toLowerCase());
			// Nor most of it.
			expect(plain(text ?? '')).not.toContain(key.slice(3, -2).toLowerCase());
		}
	}

	describe.each(spellings)('%s', (_name, spelt) => {
		test.each([400, 401, 500])('is hidden in an error (%i)', async (status) => {
			for (const body of [
				`{"detail":"Not a key: ${spelt}, is it"}`,
				`{"errors":[{"message":"${spelt}"}]}`,
				`{"${spelt}":["no such key"]}`,
				`{"error":{"message":"{\\"key\\":\\"${inside(spelt)}\\"}"}}`,
				`<html><title>${spelt}</title><p>${spelt}</p></html>`,
				`Not a key: ${spelt}`,
				`{"detail":"cut: ${spelt}`,
			]) {
				service.world.faults.clear();
				raw(body, { status });
				const result = await run(charges());
				expect(result.error?.message).toContain('[item 0]');
				expectHidden(result);
			}
		});

		test('is hidden with Continue, and in the error of a creation', async () => {
			raw(`{"detail":"Not a key: ${spelt}"}`, { status: 422 });
			expectHidden(await run(charges(), { node: { onError: 'continueRegularOutput' } }));
			expectHidden(await run(service.invoice(oneTry)));
			expectHidden(
				await run(
					service.invoice({
						...oneTry,
						additionalFields: { invoiceNumber: 'A' },
						ifInvoiceNumberExists: 'returnExisting',
					}),
				),
			);
		});

		test('is hidden in the address of a redirect', async () => {
			if (spelt.includes('\\')) return;
			for (const location of [
				`https://elsewhere.example/${spelt}/login`,
				`https://elsewhere.example/login?key=${spelt}`,
				`https://user:${spelt}@elsewhere.example/`,
			]) {
				service.world.faults.clear();
				raw('', { status: 302, headers: { location } });
				const result = await run(charges());
				expect(result.error?.message).toContain('redirect to');
				expectHidden(result);
			}
		});
	});

	test.each(['sk-live-first-half#second-half', 'sk-live-first-half?second-half'])(
		'is hidden in the address of a redirect where it holds what ends an address: %s',
		async (apiKey) => {
			service.world.set({ apiKey });
			raw('', { status: 302, headers: { location: `https://elsewhere.example/${apiKey}/login` } });
			const { error, stored } = await run(charges());
			expect(error?.message).toContain('redirect to');
			expect(`${error?.message} ${error?.description} ${stored}`).not.toContain('first-half');
		},
	);

	test('is hidden where a web page comes instead of JSON', async () => {
		for (const [, spelt] of spellings) {
			service.world.faults.clear();
			raw(`<html><title>${spelt}</title></html>`, { contentType: 'text/html' });
			expectHidden(await run(charges()));
		}
	});
});

describe('card data in an error', () => {
	const numbers = [
		'4242424242424242',
		'4242 4242 4242 4242',
		'4242-4242-4242-4242',
		'378282246310005',
	];
	const code = '8642';
	const holdsCard = (text: string) =>
		/4242.{0,3}4242|378282246310005/.test(text) || text.includes(code);

	const bodies = numbers.flatMap(
		(number): Array<[string, string]> => [
			['card_number', JSON.stringify({ detail: 'No', card_number: number, security_code: code })],
			['cardNumber', JSON.stringify({ message: 'No', card: { cardNumber: number, cvv: code } })],
			['cardData', JSON.stringify({ detail: 'No', cardData: { number, code } })],
			['pan', JSON.stringify({ errors: [{ message: 'No', pan: number, cvv: code }] })],
			['PAN and CVV2', JSON.stringify({ PAN: number, CVV2: code })],
			['a map of fields', JSON.stringify({ card_number: [number], cvv: [code], cvc: [code] })],
			['in words', JSON.stringify({ detail: `Card number ${number}, security code: ${code}` })],
			['in words without JSON', `Refused: ${number}, CVV: ${code}, security code: ${code}`],
			['on a web page', `<title>Card ${number} security code: ${code}</title>`],
			['JSON in a text', JSON.stringify({ detail: JSON.stringify({ pan: number, cvv: code }) })],
			['JSON that breaks off', `{"detail":"No","card_number":"${number}","cvv":"${code}","x":`],
			['a form', `card_number=${number.replace(/ /g, '+')}&cvv=${code}&x=1`],
			['as a number', `{"detail":"No","pan":${number.replace(/\D/g, '')},"cvv":${code}}`],
		],
	);

	test.each(someOf(bodies))('%s: %s', async (_name, body) => {
		for (const status of [400, 500]) {
			service.world.faults.clear();
			raw(body, { status });
			const { error, stored } = await run(charges());
			expect(error?.message).toContain(`status ${status}`);
			expect(holdsCard(error?.message ?? '')).toBe(false);
			expect(holdsCard(error?.description ?? '')).toBe(false);
			expect(stored).not.toMatch(/4242.{0,3}4242|378282246310005/);
			const continued = await run(charges(), { node: { onError: 'continueRegularOutput' } });
			expect(holdsCard(String(continued.json[0].error))).toBe(false);
		}
	});

	test('a short security code', async () => {
		for (const body of [
			'{"detail":"Refused, security code: 123"}',
			'Refused, security code: 123',
			'{"cvv":"123","detail":"Refused"}',
		]) {
			service.world.faults.clear();
			raw(body, { status: 400 });
			const { error } = await run(charges());
			expect(error?.message).toContain('Refused');
			expect(`${error?.message} ${error?.description}`).not.toMatch(/\b123\b/);
		}
	});

	test('ids and dates are shown as they are', async () => {
		const id = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';
		raw(`{"detail":"No customer ${id} on 2026-12-31"}`, { status: 400 });
		const { error } = await run(charges());
		expect(error?.message).toContain(`No customer ${id} on 2026-12-31`);
	});

	test('a long row of dates or numbers in an error does not stop n8n', async () => {
		const days = Array.from({ length: 600 }, (_, at) => `2026-0${1 + (at % 9)}-1${at % 10}`);
		raw(JSON.stringify({ detail: `Not open on ${days.join(' ')}` }), { status: 400 });
		const begin = Date.now();
		const { error } = await run(charges());
		expect(error?.message).toContain('Not open on');
		// Six kilobytes take some milliseconds; nothing else of n8n runs meanwhile.
		expect(Date.now() - begin).toBeLessThan(10_000);
	}, 120_000);
});

describe('a creation that was sent is not said to be "not sent"', () => {
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
