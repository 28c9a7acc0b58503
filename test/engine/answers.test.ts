import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { InvoicingPayments } from '../../index';
import type { FaultInput } from '../../simulator/faults';
import { startSimulator } from '../../simulator/server';
import { errorBodyShape } from '../../simulator/settings';
import { clearInterval, nodeProcess, setInterval } from '../../tools/node';
import { pause } from '../helpers/n8n/clock';
import { continues, itemsOf, newMember, textOf, useNode } from '../helpers/n8n/nodeRuns';
import type { TestedOperation } from '../helpers/n8n/operations';
import { operations } from '../helpers/n8n/operations';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { isNight } from '../helpers/someOf';

/**
 * What the service may answer besides what it should: errors in any shape, no JSON, no end, secrets, numbers that JavaScript cannot
 * represent. The result is right, or there is an error that says what happened, and neither contains the key or a card.
 */
const { service, run, posts, fault, create } = useNode();

const charges = (change: object = {}) => ({
	resource: 'charge',
	operation: 'getAll',
	simplify: false,
	options: { maxWait: 0 },
	...change,
});
const answerWith = (body: string, more: Partial<FaultInput> = {}, status = 200) =>
	fault({ kind: 'raw', body, status }, { times: null, ...more });
/** A page with these results, each as JSON. */
const page = (...results: string[]) =>
	`{"count":${results.length},"next":null,"previous":null,"results":[${results.join(',')}]}`;
const answerCreate = (body: string) => answerWith(body, { method: 'POST', times: 1 });

const key = 'dummy+example/Ab=c&1';
const escaped = (escape: (hex: string) => string) => (text: string) =>
	[...text].map((char) => escape(char.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const spellings: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in capitals': (text) => text.toUpperCase(),
	'in Base64': base64,
	'in Base64 with a user': (text) => base64(`user:${text}`),
	'in Base64 with more': (text) => base64(`ab${text}cde`),
	'in Base64 for URLs': (text) => Buffer.from(`?~${text}`).toString('base64url'),
	'with \\u002B': (text) => text.replaceAll('+', '\\u002B').replaceAll('-', '\\u002D'),
	'all in \\u': escaped((hex) => `\\u00${hex}`),
	'with &amp;': (text) => text.replaceAll('&', '&amp;'),
	'with &#43;': (text) => text.replace(/[+-]/g, (char) => `&#${char.charCodeAt(0)};`),
	'all in %': escaped((hex) => `%${hex}`),
	'with %252B': (text) => text.replaceAll('+', '%252B').replaceAll('-', '%252D'),
};
const [number, code] = ['4242 4242 4242 4242', '8642'];
const cards = {
	'fields of a card': JSON.stringify({ detail: 'No', card_number: number, security_code: code }),
	'an inner object': JSON.stringify({ message: 'No', card: { cardNumber: number, cvv: code } }),
	'lists by field': JSON.stringify({ card_number: [number], cvv: [code], cvc: [code] }),
	'a sentence': `Refused: ${number}, CVV: ${code}, security code: ${code}`,
	'a web page': `<title>Card ${number} security code: ${code}</title>`,
	'JSON in a text': JSON.stringify({ detail: JSON.stringify({ pan: number, cvv: code }) }),
	'JSON that breaks off': `{"detail":"No","card_number":"${number}","cvv":"${code}","x":`,
	'a form': `card_number=${number.replace(/ /g, '+')}&cvv=${code}&x=1`,
};

interface Answer {
	name: string;
	action: FaultInput['action'];
	says: string;
	/** Whether a create with this response may have been done. */
	mayBeDone?: boolean;
	/** The cause for n8n. */
	cause?: string;
}

const reason = 'Not on a Sunday <b>& never</b>';
const refused = 'configuration-invalid';
const passing = 'temporarily-unavailable';
const statuses: Array<[number, string, string]> = [
	[400, 'The service refused the request (status 400)', refused],
	[401, 'The service did not accept the API key', 'credential-invalid'],
	[403, 'The service does not allow this for the API key', 'credential-invalid'],
	[404, 'The service found nothing at /v1/', refused],
	[408, 'The service refused the request (status 408)', passing],
	[409, 'The service refused the request (status 409)', refused],
	[422, 'The service refused the request (status 422)', refused],
	[429, 'The service is receiving too many requests', 'rate-limited'],
	[500, 'The service failed (status 500)', passing],
	[503, 'The service failed (status 503)', passing],
];
const raw = (name: string, body: string, says: string, status = 400): Answer => ({
	name,
	action: { kind: 'raw', status, body },
	says,
	mayBeDone: status < 300 || status >= 500,
});
const lost = (name: string, action: Answer['action'], says: string): Answer => ({
	...{ name, action, says },
	mayBeDone: true,
});

const answers: Answer[] = [
	...statuses.flatMap(([status, says, cause]) =>
		errorBodyShape.options.map((body) => ({
			name: `${status}, ${body}`,
			action: { kind: 'status' as const, status, message: reason, body },
			...{ says, cause },
			mayBeDone: status >= 500 || [408, 409].includes(status),
		})),
	),
	lost('a web page', { kind: 'html' }, '"Welcome" instead of JSON'),
	lost('cut JSON', { kind: 'cutJson' }, 'was cut off'),
	lost(
		'half a response',
		{ kind: 'cutConnection' },
		'was closed before the whole response arrived',
	),
	lost('nothing', { kind: 'emptyBody' }, 'returned nothing instead of JSON'),
	lost('a bare number', { kind: 'json', body: 7 }, 'an unexpected response'),
	lost('null', { kind: 'json', body: null }, 'an unexpected response'),
	lost('no connection left', { kind: 'reset' }, 'was closed before the whole response arrived'),
	lost('no response', { kind: 'timeout' }, 'did not respond in time'),
	lost('a response that drips', { kind: 'drip' }, 'did not respond in time'),
	lost('a bomb', { kind: 'bomb', megabytes: 70 }, 'more than 64 MB'),
	lost('10,000 levels', { kind: 'nested', depth: 10_000 }, 'nested more than 200 levels deep'),
	lost('200,000 levels', { kind: 'nested', depth: 200_000 }, 'nested more than 200 levels deep'),
	lost(
		'a redirect with a token',
		{ kind: 'redirect', location: 'https://elsewhere.example/login?token=abc' },
		'redirect to https://elsewhere.example/login',
	),
	...Object.entries(spellings).flatMap(([name, spell]) => {
		const spelt = spell(key);
		return [
			raw(`the key ${name}, in words`, `{"detail":"Not a key: ${spelt}, is it"}`, '(status 400)'),
			raw(`the key ${name}, as a field`, `{"${spelt}":["no such key"]}`, '(status 400)'),
			raw(`the key ${name}, on a page`, `<title>${spelt}</title><p>${spelt}`, 'status 500', 500),
			lost(
				`the key ${name}, in a redirect`,
				{
					kind: 'redirect',
					location: `https://elsewhere.example/${encodeURI(spelt.replace(/\\u00(..)/g, '%$1'))}/login`,
				},
				'redirect to',
			),
		];
	}),
	...Object.entries(cards).flatMap(([name, body]) => [
		raw(`a card in ${name}`, body, '(status 400)'),
		raw(`a card in ${name}, status 500`, body, '(status 500)', 500),
	]),
];

/** A text without escapes. */
function plain(text: string): string {
	let rest = text;
	for (let round = 0; round < 5; round++)
		rest = rest
			.replace(/\\+u00([\da-f]{2})|%([\da-f]{2})/gi, (_all, one: string, other: string) =>
				String.fromCharCode(parseInt(one ?? other, 16)),
			)
			.replace(/&#(43|45);/g, (_all, digits: string) => String.fromCharCode(Number(digits)))
			.replace(/&amp;/g, '&');
	return rest.replace(/\\/g, '').toLowerCase();
}

/** What the operation needs to succeed. */
function parametersOf({ key: name, required }: TestedOperation): INodeParameters {
	const { links, members } = service.world.account;
	if (name === 'invoice/create') return service.invoice() as INodeParameters;
	const id = name === 'paymentLink/get' ? { linkId: links[0].id } : { memberId: members[0].id };
	return /^(paymentLink|member)\/get$/.test(name) ? { ...required, ...id } : required;
}

const tested = operations.filter(({ key: name }) => name !== 'invoice/createFromRows');
const pairs = tested.flatMap((operation, row) =>
	answers.map((answer, column) => ({ operation, answer, isMain: column % tested.length === row })),
);
/** Each response with one operation. */
const sample = pairs.filter(({ isMain }) => isNight || isMain);

test.each(sample.map((pair) => [pair.operation.key, pair.answer.name, pair] as const))(
	'[R5, R10, R11, O8] %s: %s',
	async (name, _answer, { operation: one, answer }) => {
		const { operation, endpoint } = one;
		const isCreate = operation.createdNoun !== undefined;
		service.world.reset({ apiKey: key, cardData: 'present' });
		fault(answer.action, { method: endpoint.method, times: null });
		// A chosen page size, because a default one that is refused leads to a second request.
		const ownSize = { options: { maxWait: 0, pageSize: 10 } };
		const parameters = { ...parametersOf(one), ...ownSize };
		const { error, stored, items } = await run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toContain(answer.says);
		expect(error?.message).not.toContain('[item');
		expect(error?.description).toContain(`${endpoint.method} ${endpoint.path.split('{')[0]}`);
		if (answer.cause) expect(error?.failure?.cause).toBe(answer.cause);
		const isSaid = (error?.message ?? '').includes('may still have been created');
		expect(isSaid).toBe(isCreate && answer.mayBeDone === true);
		const texts = [error?.message, error?.description, stored].map((text) => plain(text ?? ''));
		for (const text of texts) {
			expect(text).not.toContain(key.toLowerCase());
			expect(text).not.toContain(key.slice(3, -2).toLowerCase());
			for (const spell of Object.values(spellings))
				expect(text).not.toContain(spell(key).toLowerCase());
			expect(text).not.toMatch(
				/4242.{0,3}4242|token=abc|\[{20}|maximum call stack|x-api-key|card_data/,
			);
		}
		expect(`${error?.message} ${error?.description}`).not.toContain(code);
		expect(error?.description).not.toContain('<b>');
		expect(error?.description).not.toContain('not sent');
		const sent = service.requests.filter(({ method }) => method === endpoint.method).length;
		// These choose the page size themselves, so it may be refused once.
		const hasOwnSize = [
			...['customer/getAll', 'customer/getBalances'],
			...['invoice/get', 'charge/get'],
		].includes(name);
		expect(sent).toBeGreaterThan(0);
		expect(sent).toBeLessThanOrEqual(hasOwnSize ? 2 : 1);
	},
);

test.each(tested)('$key gives each failed item its own error with Continue', async (one) => {
	const { operation, endpoint } = one;
	const isCreate = operation.createdNoun !== undefined;
	const times = isCreate ? 1 : null;
	fault({ kind: 'raw', status: 422, body: '{"detail":"No"}' }, { method: endpoint.method, times });
	const { errorItems } = await run(
		{ ...parametersOf(one), options: { maxWait: 0, maxRequestsInFlight: 1 } },
		{ items: itemsOf(2), node: { onError: 'continueErrorOutput' } },
	);
	expect(errorItems.map(({ json, pairedItem }) => [json.index, pairedItem])).toEqual(
		(isCreate ? [0] : [0, 1]).map((item) => [item, { item }]),
	);
	for (const { json } of errorItems) expect(json.error).toContain('(status 422): No');
});

describe('the API key', () => {
	const ownKey = () => String(service.world.settings.apiKey);
	const shown = (...parts: unknown[]) => JSON.stringify(parts);

	test.each(Object.entries(spellings))(
		'is in no field of a successful response: %s',
		async (_name, spell) => {
			const invoice = { id: 'a', title: '', currency: 'EUR', url: 'https://x.example' };
			const body = JSON.stringify({ ...invoice, note: 'KEY', KEY: 1 }).replaceAll(
				'KEY',
				spell(ownKey()),
			);
			fault({ kind: 'raw', body }, { method: 'POST' });
			const { json, hints, stored } = await run(service.invoice({ simplify: false }));
			expect(json).toMatchObject([
				{ outcome: 'created', note: expect.stringContaining('(API key)') },
			]);
			expect(shown(json, hints, stored)).not.toContain(spell(ownKey()));
		},
	);

	test.each(Object.entries(spellings))(
		'is in no error, wherever the text is cut: %s',
		async (_name, spell) => {
			for (const before of [0, 1990, 9_980, 99_966, 99_990]) {
				const body = `${' '.repeat(before)}${spell(ownKey())} is no key`;
				fault({ kind: 'raw', status: 400, body }, { method: 'POST' });
				const result = await run(service.invoice());
				expect(result.error?.message).toContain('(status 400)');
				for (const part of [spell(ownKey()), ownKey().slice(0, 12)])
					expect(shown(textOf(result), result.stored)).not.toContain(part);
			}
		},
	);

	test('is neither sent in a field nor shown by its error', async () => {
		const { error } = await run(service.invoice({ additionalFields: { title: ownKey() } }));
		expect(error?.message).toContain('it contains the API key of the credential');
		const quoted = await run(service.invoice({ currency: ownKey() }));
		expect(textOf(quoted)).toContain('(API key)');
		const long = await run(service.invoice({ additionalFields: { invoiceNumber: `${ownKey()} ${'x'.repeat(30)}` } }), { node: continues }); // prettier-ignore
		expect(long.json[0].error).toContain('(API key)');
		expect(shown(textOf({ error }), textOf(quoted), long.json)).not.toContain(ownKey());
		expect(posts()).toEqual([]);
	});

	test('as the title of an existing invoice is in no hint', async () => {
		const existing = { id: 'a', invoice_number: 'A', title: ownKey() };
		fault({ kind: 'json', body: { count: 1, next: null, results: [existing] } });
		const additionalFields = { invoiceNumber: 'A', title: 'Two' };
		const { hints, json } = await run(create('returnExisting', { additionalFields }));
		expect(json).toMatchObject([{ outcome: 'found' }]);
		expect(hints.join()).toContain('title: (API key) in the service');
	});

	test('goes through no proxy in clear text', async () => {
		const proxy = await startSimulator();
		try {
			const requestOptions = { proxy: proxy.url };
			const other = { apiKey: 'your-key-123', baseUrl: 'http://service.example', allowUnencryptedHttp: true }; // prettier-ignore
			for (const credential of [service.credential, other]) {
				const { error } = await run(service.invoice({ requestOptions }), { credential });
				expect(error?.message).toContain('The proxy would see the API key');
			}
			expect(proxy.world.traffic.requests).toEqual([]);
		} finally {
			await proxy.close();
		}
	});
});

describe('card data', () => {
	const digits = '4242424242424242';
	const groups = (separator: string) => (digits.match(/.{4}/g) ?? []).join(separator);
	const separators = ['', '\t', '\n', '\u2009', '/', '_', ',', ':', '–', ' ', '-', '.', '\u00a0'];
	const wide = (digit: string) => String.fromCodePoint(0xff10 + Number(digit));
	const written = [
		...separators.map(groups),
		[...digits].join(' '),
		[...digits].map(wide).join(''),
	];
	const isShown = (text: string) => /4242/.test(text.normalize('NFKC'));

	test.each(written.map((text) => [JSON.stringify(text), text]))('%s is in no error and no output', async (_name, text) => {
		fault({ kind: 'raw', status: 400, body: JSON.stringify({ message: `Card ${text} declined` }) });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		fault({ kind: 'raw', status: 400, body: `<h1>Card ${text} declined</h1>` });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		const charge = { id: 'c', total: '1.00', note: `Card ${text}`, source: { card: { card_number: digits, cvv_code: '123' }, card_holder_name: text } }; // prettier-ignore
		fault({ kind: 'json', body: { count: 1, next: null, results: [charge] } });
		const { json } = await run(charges());
		expect(json).toMatchObject([{ id: 'c', note: 'Card (card number)', source: { card: {} } }]);
		expect(isShown(JSON.stringify(json)) || JSON.stringify(json).includes('123')).toBe(false);
	}); // prettier-ignore

	test('stays out of an output where numbers only look like it', async () => {
		const charge = {
			id: digits,
			reference_id: digits,
			created: '2026-01-31 09:00:00.000000',
			note: 'IBAN DE44 5001 0517 5407 3249 31, phones +4915112345673, +62 812 3456 7892',
			paid: '2026-06-30 09:00:00.000001',
			total: '4222222222.222',
			url: `https://x.example/${digits}`,
		};
		fault({ kind: 'json', body: { count: 1, next: null, results: [charge] } });
		const { json } = await run(charges());
		expect(json).toEqual([charge]);
	});
});

/** Whole numbers that JavaScript cannot distinguish. */
const [one, other] = ['1234567890123456781', '1234567890123456782'];
const limits: Array<[string, object]> = [
	['with a limit', {}],
	['with the limit reached', { limit: 2 }],
	['all', { returnAll: true }],
	['simplified', { simplify: true, returnAll: true }],
];

describe('numbers that JavaScript cannot represent', () => {
	test.each(limits)('keep two similar IDs as exact text: %s', async (_, change) => {
		answerWith(
			page(`{"id":${one},"reference_id":${other}}`, `{"id":${other},"reference_id":${one}}`),
		);
		const { json, error } = await run(charges(change));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id: one, reference_id: other },
			{ id: other, reference_id: one },
		]);
	});

	test('[O7] keep their digits as text, and small ones stay numbers', async () => {
		answerWith(
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

	test('keep the ID of a created invoice as exact text', async () => {
		answerCreate(`{"id":${one},"invoice_number":"A","currency":"EUR"}`);
		const { json } = await run(service.invoice({ simplify: false }));
		const fields = { id: one, invoice_number: 'A', currency: 'EUR' };
		expect(json).toEqual([{ outcome: 'created', ...fields }]);
	});
});

describe('an invoice that the service changes', () => {
	const additionalFields = { invoiceNumber: 'A' };
	const wanted = { currency: 'EUR', dueDate: '2027-02-15', additionalFields };
	test.each<[string, string]>([
		['amount: 9.00 in the service', '"amount":"9.00"'],
		['currency: USD in the service, EUR here', '"currency":"USD"'],
		['customer: ', '"customer":{"id":"x"}'],
		['items: 1.00 x 1 in the service', '"items":[{"amount":"1","quantity":1}]'],
		['discount: 10.00% in the service, 0% here', '"discount_percentage":"10.00"'],
		['due date: 2027-03-15 in the service', '"due_date":"2027-03-15T00:00:00Z"'],
		['its status is cancelled', '"status":"cancelled"'],
	])('is an error that names the difference: %s', async (words, field) => {
		answerCreate(`{"id":"a","invoice_number":"A","title":"",${field}}`);
		const { error, json } = await run(service.invoice(wanted));
		expect(json).toEqual([]);
		expect(error?.message).toContain('The invoice was created, but not as it was sent: ');
		expect(error?.message).toContain(words);
		// It exists, so a second run finds it.
		const ifInvoiceNumberExists = 'returnExisting';
		const again = await run(service.invoice({ ...wanted, ifInvoiceNumberExists }));
		expect([again.error?.message, again.json]).toMatchObject([
			undefined,
			[{ outcome: field.includes('cancelled') ? 'found, cancelled' : 'found', id: 'a' }],
		]);
	});

	const warned = { ...wanted, options: { ifAmountsChange: 'warn' } };
	test('is only reported if its amount differs and the user only wants a warning', async () => {
		answerCreate('{"id":"a","invoice_number":"A","amount":"9.00"}');
		const { json, hints } = await run(service.invoice(warned));
		const differences = ['amount: 9.00 in the service, 39.98 here'];
		expect(json).toMatchObject([{ outcome: 'created', id: 'a', differences }]);
		expect(hints).toEqual([expect.stringContaining(differences[0])]);
	});

	test('is an error even then if anything else differs', async () => {
		answerCreate('{"id":"a","invoice_number":"A","amount":"9.00","currency":"USD"}');
		const { error } = await run(service.invoice(warned));
		expect(error?.message).toContain('not as it was sent: ');
	});

	test('may not have been created after status 202', async () => {
		answerWith('{"id":"a","invoice_number":"A"}', { method: 'POST', times: 1 }, 202);
		const { error } = await run(service.invoice(wanted));
		expect(error?.message).toContain('status 202');
		expect(error?.message).toContain('may still have been created');
	});
});

const noIds = ['', '"id":null,', '"id":"",', '"id":{},', '"id":[],'];

describe.each(noIds)('results without an ID (%s)', (id) => {
	test.each(limits.filter(([, { simplify }]: [string, { simplify?: boolean }]) => !simplify))(
		'are distinguished by all their fields: %s',
		async (_, change) => {
			const limit = { limit: 50, ...change, ...('limit' in change && { limit: 3 }) };
			const results = [`"a":1,"b":{"c":${one}}`, `"a":1,"b":{"c":${other}}`, '"a":2'];
			answerWith(page(...results.map((rest) => `{${id}${rest}}`)));
			const { json, error } = await run(charges(limit));
			expect(error).toBeUndefined();
			expect(json.map(({ a, b }) => [a, (b as IDataObject | undefined)?.c])).toEqual([
				[1, one],
				[1, other],
				[2, undefined],
			]);
		},
	);

	test('are given once over several pages', async () => {
		const all = Array.from({ length: 30 }, (_, index) => `{${id}"a":${index}}`);
		for (let number = 3; number >= 1; number--) {
			const results = all.slice((number - 1) * 10, number * 10).join(',');
			const next = number < 3 ? '"x"' : 'null';
			const body = `{"count":30,"next":${next},"results":[${results}]}`;
			answerWith(body, { contains: `page=${number}&` });
		}
		const options = { pageSize: 10, maxWait: 0 };
		const { json, error } = await run(charges({ returnAll: true, options }));
		expect(error).toBeUndefined();
		expect(json.map(({ a }) => a)).toEqual(all.map((_, index) => index));
	});
});

describe('a trigger delivers each charge once', () => {
	const activate = async () => {
		const { credential } = service;
		const active = new ActiveTrigger({ credential, parameters: { simplify: false } });
		await active.activate();
		return active;
	};
	type Difference = [
		title: string,
		field: 'id',
		values: string[],
		withValue: (value: string) => string,
	];
	const differences: Difference[] = [
		['IDs that JavaScript cannot represent', 'id', [one, other], (id) => `"id":${id}`],
	];
	test.each(differences)('if charges differ in %s', async (_name, field, values, withValue) => {
		service.world.reset({ charges: 0 });
		const active = await activate();
		const rest = `"created":"${new Date().toISOString()}","currency":"EUR","items":[]`;
		answerWith(page(...values.map((value) => `{${withValue(value)},${rest}}`)));
		const polls = [await active.poll(), await active.poll(), await active.again().poll()];
		const items = polls.flatMap((delivered) => delivered ?? []);
		expect(items.map((item) => item[field]).sort()).toEqual(values);
	});
});

describe('an error of the service', () => {
	const refused = async (detail: string) => {
		answerWith(JSON.stringify({ detail }), {}, 400);
		return (await run(charges())).error?.message;
	};

	test('shows IDs and dates unchanged', async () => {
		const detail = 'No customer 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d on 2026-12-31';
		expect(await refused(detail)).toContain(detail);
	});

	test('does not block n8n with a long list of dates', async () => {
		const days = Array.from({ length: 600 }, (_, at) => `2026-0${1 + (at % 9)}-1${at % 10}`);
		const begin = performance.now();
		expect(await refused(`Not open on ${days.join(' ')}`)).toContain('Not open on');
		// Six kilobytes take some milliseconds, and block n8n meanwhile.
		expect(performance.now() - begin).toBeLessThan(10_000);
	});
});

describe('[R5] a create that was sent', () => {
	test.each([
		'{}',
		'{"ok":true}',
		...['null', '""', '{}', '[1]', 'true'].map((id) => `{"id":${id}}`),
	])(
		// prettier-ignore
		'may have been done if the response is %s',
		async (body) => {
			for (const [noun, parameters] of [
				['team member', newMember],
				['invoice', service.invoice()],
			] as const) {
				answerCreate(body);
				const { error, json } = await run(parameters);
				expect(json).toEqual([]);
				expect(error?.message).toContain(`no ${noun}: the response has no id`);
				expect(error?.message).toContain(`The ${noun} may still have been created`);
			}
		},
	);

	test.each([{}, { simplify: false }])('gets no fields from __proto__ (%o)', async (change) => {
		answerCreate('{"id":"a","url":"x","title":"","__proto__":{"status":"paid","amount":"0.00"}}');
		const { json } = await run(service.invoice(change));
		expect(json).toHaveLength(1);
		expect(Object.getPrototypeOf(json[0])).toBe(Object.prototype);
		expect(Object.hasOwn(json[0], 'status') && json[0].status).toBeFalsy();
	});
});

test('another thing than the one that was asked for is an error', async () => {
	const [{ id }, { id: wanted }] = service.world.account.members;
	const get = { resource: 'member', operation: 'get', memberId: wanted };
	answerWith(JSON.stringify({ id, email: 'ada@team.example' }));
	const { json, error } = await run(get);
	expect(json).toEqual([]);
	expect(error?.message).toContain('another ID than the one that was asked for');
});

test('a list with repeated pages and a 404 at the end is an error', async () => {
	service.world.reset({ charges: 45, pastTheEnd: 'notFound' });
	const { results } = service.world.account.listCharges({}, 1, 7, 'newestFirst');
	const body = JSON.stringify({ count: 45, next: 'https://x.example/2', previous: null, results });
	for (let number = 1; number <= 7; number++) answerWith(body, { contains: `page=${number}&` });
	const options = { maxWait: 0, pageSize: 7 };
	const { error, json } = await run(charges({ returnAll: true, options }));
	expect(json).toEqual([]);
	expect(error?.message).toContain('45');
});

const late = 'did not respond in time';
const hasty = { options: { maxWait: 0 }, requestOptions: { timeout: 600 } };
const few = (change: object = hasty) => charges({ limit: 3, ...change });
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
		const change = { returnAll: true, options: { maxWait: 0, pageSize: 20 } };
		const { error, json } = await run(few({ ...hasty, ...change }));
		expect(json).toEqual([]);
		expect(error?.message).toContain(late);
	});

	test('is read again', async () => {
		drip();
		const { error, json } = await run(few({ ...hasty, options: { maxWait: 30 } }));
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

	test('delays another execution only until it has ended, and fails each of its own items', async () => {
		drip({ times: 5 });
		const options = { maxWait: 0, maxRequestsInFlight: 5 };
		const dripping = run(few({ ...hasty, options }), { items: itemsOf(5), node: continues });
		while (service.requests.length < 5) await pause(5);
		const other = await run(few({ options: { maxRequestsInFlight: 5 } }));
		expect([other.error, other.json.length]).toEqual([undefined, 3]);
		const { json } = await dripping;
		expect(json).toHaveLength(5);
		for (const { error } of json) expect(error).toContain(late);
		expect(service.requests).toHaveLength(6);
		expect(service.world.traffic.mostInFlight).toBeLessThanOrEqual(6);
	});

	test.each<[string, () => object, number]>([
		['reads', () => few({}), 5],
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
		expect((await run(few())).json).toHaveLength(3);
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
	await run(few({}));
	bomb(1000);
	const growth = await growthOf(async () => await run(few({})));
	// 64 MB are read, and the collector leaves some garbage.
	expect(growth / 1024 ** 2).toBeLessThan(400);
});
