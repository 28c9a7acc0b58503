import { CredentialTestContext } from 'n8n-core';
import type { INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { InvoicingPayments } from '../../index';
import type { FaultInput } from '../../simulator/faults';
import { errorBodyShape } from '../../simulator/settings';
import { clearInterval, nodeProcess, setInterval } from '../../tools/node';
import { pause } from '../helpers/n8n/clock';
import { continues, itemsOf, oneTry, useNode } from '../helpers/n8n/nodeRuns';
import type { TestedOperation } from '../helpers/n8n/operations';
import { operations } from '../helpers/n8n/operations';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { spellings } from '../helpers/service/spellings';
import { isNight } from '../helpers/someOf';

/**
 * What the service may answer besides what it should: errors in any shape, no JSON, secrets, no end. Each is an error that says what
 * happened, and contains neither the key nor a card.
 */
const { service, run, fault } = useNode();

const key = 'dummy+example/Ab=c&1';
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
	lost(
		'an object that JavaScript cannot turn into text',
		{ kind: 'json', body: { id: 'a', status: 'open', due_date: { toString: 1 } } },
		'JSON with a field named "toString"',
	),
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

const late = 'did not respond in time';
const hasty = { options: { maxWait: 0 }, requestOptions: { timeout: 600 } };
const few = (change: object = hasty) => ({
	resource: 'charge',
	operation: 'getAll',
	simplify: false,
	...oneTry,
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
