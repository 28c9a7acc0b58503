import type { IDataObject } from 'n8n-workflow';
import type { FaultInput } from '../../simulator/faults';
import { newMember, useNode } from '../helpers/n8n/nodeRuns';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';

/** Unexpected JSON of the service: the results are right, or there is an error. */
const { service, run, posts, fault } = useNode();

const charges = (change: object = {}) => ({
	resource: 'charge',
	operation: 'getAll',
	simplify: false,
	options: { maxWait: 0 },
	...change,
});
const raw = (body: string, more: Partial<FaultInput> = {}, status = 200) =>
	fault({ kind: 'raw', body, status }, { times: null, ...more });
/** A page with these results, each as JSON. */
const page = (...results: string[]) =>
	`{"count":${results.length},"next":null,"previous":null,"results":[${results.join(',')}]}`;
const answerCreate = (body: string) => raw(body, { method: 'POST', times: 1 });

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
		raw(page(`{"id":${one},"reference_id":${other}}`, `{"id":${other},"reference_id":${one}}`));
		const { json, error } = await run(charges(change));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id: one, reference_id: other },
			{ id: other, reference_id: one },
		]);
	});

	test.each(limits)('distinguish results by their references: %s', async (_, change) => {
		raw(page(`{"reference_id":${one},"total":"1.00"}`, `{"reference_id":${other},"total":"1.00"}`));
		const { json } = await run(charges(change));
		expect(json.map(({ reference_id: reference }) => reference)).toEqual([one, other]);
	});

	test('[O7] keep their digits as text, and small ones stay numbers', async () => {
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
		raw('{"id":"a","invoice_number":"A"}', { method: 'POST', times: 1 }, 202);
		const { error } = await run(service.invoice(wanted));
		expect(error?.message).toContain('status 202');
		expect(error?.message).toContain('may still have been created');
	});
});

const noIds = ['', '"id":null,', '"id":"",', '"id":{},', '"id":[],'];

describe.each(noIds)('results without an ID (%s)', (id) => {
	test.each(limits.filter(([, { simplify }]: [string, { simplify?: boolean }]) => !simplify))(
		'are distinguished by all their fields, and equal ones are both given: %s',
		async (_, change) => {
			const limit = { limit: 50, ...change, ...('limit' in change && { limit: 4 }) };
			const results = ['"a":1,"b":{"c":1}', '"a":1,"b":{"c":2}', '"a":2', '"a":2'];
			raw(page(...results.map((rest) => `{${id}${rest}}`)));
			const { json, error } = await run(charges(limit));
			expect(error).toBeUndefined();
			expect(json.map(({ a, b }) => [a, (b as IDataObject | undefined)?.c])).toEqual([
				[1, 1],
				[1, 2],
				[2, undefined],
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
			raw(body, { contains: `page=${number}&` });
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
		field: 'id' | 'reference_id' | 'total',
		values: string[],
		withValue: (value: string) => string,
	];
	const differences: Difference[] = [
		['IDs that JavaScript cannot represent', 'id', [one, other], (id) => `"id":${id}`],
		...noIds.flatMap((id): Difference[] => [
			[
				`references without an ID (${id})`,
				'reference_id',
				[one, other],
				(reference) => `${id}"reference_id":${reference},"total":"1.00"`,
			],
			[
				`amounts without an ID (${id})`,
				'total',
				['1.00', '2.00'],
				(total) => `${id}"total":"${total}"`,
			],
		]),
	];
	test.each(differences)('if charges differ in %s', async (_name, field, values, withValue) => {
		service.world.reset({ charges: 0 });
		const active = await activate();
		const rest = `"created":"${new Date().toISOString()}","currency":"EUR","items":[]`;
		raw(page(...values.map((value) => `{${withValue(value)},${rest}}`)));
		const polls = [await active.poll(), await active.poll(), await active.again().poll()];
		const items = polls.flatMap((delivered) => delivered ?? []);
		expect(items.map((item) => item[field]).sort()).toEqual(values);
	});

	test('if one loses its date and gets it back', async () => {
		service.world.reset({ charges: 3 });
		const active = await activate();
		const ids = async () => (await active.poll())?.map(({ id }) => id);
		const charge = service.world.account.addCharge({}, Date.now());
		const { created } = charge;
		expect(await ids()).toEqual([charge.id]);
		for (charge.created of [undefined, created]) expect(await ids()).toBeUndefined();
		const undated = service.world.account.addCharge({}, Date.now());
		const later = undated.created;
		undated.created = 'some day';
		expect(await ids()).toEqual([undated.id]);
		undated.created = later;
		expect(await ids()).toBeUndefined();
	});
});

describe('an error of the service', () => {
	const refused = async (detail: string) => {
		raw(JSON.stringify({ detail }), {}, 400);
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

describe('[O2] a create that was sent', () => {
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

	test.each<[string, () => void]>([
		['a changed number', () => service.world.set({ storedNumbers: 'upperCase' })],
		['a response without an ID', () => answerCreate('{"ok":true}')],
		['a response that is too long', () => fault({ kind: 'bomb', megabytes: 70 }, { method: 'POST' })],
	])('is never reported as "not sent": %s', async (_name, arrange) => {
		arrange();
		const { error } = await run(
			service.invoice({
				options: { maxWait: 0 },
				additionalFields: { invoiceNumber: 'inv-1' },
				ifInvoiceNumberExists: 'returnExisting',
			}),
		);
		expect(posts()).toHaveLength(1);
		expect(error?.description).toContain('POST /v1/invoices');
		expect(error?.description).not.toContain('not sent');
	}); // prettier-ignore

	test.each([{}, { simplify: false }])('gets no fields from __proto__ (%o)', async (change) => {
		answerCreate('{"id":"a","url":"x","title":"","__proto__":{"status":"paid","amount":"0.00"}}');
		const { json } = await run(service.invoice(change));
		expect(json).toHaveLength(1);
		expect(Object.getPrototypeOf(json[0])).toBe(Object.prototype);
		expect(Object.hasOwn(json[0], 'status') && json[0].status).toBeFalsy();
	});
});

test('another thing than the one that was asked for is an error, in capitals it is the same', async () => {
	const [{ id }, { id: wanted }] = service.world.account.members;
	const get = { resource: 'member', operation: 'get', memberId: wanted };
	raw(JSON.stringify({ id, email: 'ada@team.example' }));
	const { json, error } = await run(get);
	expect(json).toEqual([]);
	expect(error?.message).toContain('another ID than the one that was asked for');
	service.world.faults.clear();
	raw(JSON.stringify({ id: wanted.toUpperCase(), email: 'ada@team.example' }));
	expect((await run(get)).json).toMatchObject([{ email: 'ada@team.example' }]);
});

test('a list with repeated pages and a 404 at the end is an error', async () => {
	service.world.reset({ charges: 45, pastTheEnd: 'notFound' });
	const { results } = service.world.account.listCharges({}, 1, 7, 'newestFirst');
	const body = JSON.stringify({ count: 45, next: 'https://x.example/2', previous: null, results });
	for (let number = 1; number <= 7; number++) raw(body, { contains: `page=${number}&` });
	const options = { maxWait: 0, pageSize: 7 };
	const { error, json } = await run(charges({ returnAll: true, options }));
	expect(json).toEqual([]);
	expect(error?.message).toContain('45');
});
